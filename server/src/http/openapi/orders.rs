//! The schemas of what is asked for: they follow from the games on offer, and
//! allow nothing that would be refused for its form.

#![allow(clippy::indexing_slicing, reason = "documents of our own making, no input")]

use parlor_house::{NAME_LIMIT, Offer};
use serde_json::{Map, Value, json};

use crate::http::control::SLOWEST;
use crate::http::sessions::NICKNAME_LIMIT;
use crate::registry::Registry;

/// What stands beside a preset in house rules.
const OPTIONS: &str = "A preset's name, or an object `{\"preset\": NAME}` with options of the game \
    beside it. `GET /api/v1/games/{game}` lists the options and what each allows; which of them \
    go together the game says when it is asked, so they are not in this schema.";

/// A name has no control character, and something in it that can be seen.
const NAME: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f]*\
    [^\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\
    \\u180b-\\u180f\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\
    \\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb]\
    [^\\u0000-\\u001f\\u007f-\\u009f]*$";

/// The schemas that the games decide, by their names among the components.
pub fn schemas(registry: &Registry) -> Vec<(&'static str, Value)> {
    let orders: Vec<Value> =
        parlor_house::games().flat_map(|game| table_orders(registry, game)).collect();
    let guests: Vec<Value> = parlor_house::games().map(quick_guest).collect();
    let bots: Vec<String> = parlor_house::games().flat_map(|game| bots(registry, game)).collect();
    let mut schemas = vec![
        ("TableOrder", json!({ "description": "A table to be laid.", "anyOf": orders })),
        ("QuickGuest", json!({ "description": "Someone who wants to play now.", "anyOf": guests })),
        ("Guest", object([("name", name(NAME_LIMIT))], &["name"], false)),
        ("BotOrder", object([("bot", or_null(json!({ "enum": bots })))], &[], false)),
        ("Joining", object([("nickname", name(NICKNAME_LIMIT))], &["nickname"], true)),
        (
            "ComingBack",
            object(
                [("secretId", json!({ "type": "string", "minLength": 1 }))],
                &["secretId"],
                true,
            ),
        ),
        (
            "AiOrder",
            object(
                [("difficulty", or_null(json!({ "enum": ["easy", "medium", "hard"] })))],
                &[],
                true,
            ),
        ),
        (
            "Ending",
            object(
                [("reason", or_null(json!({ "type": "string", "maxLength": 200 })))],
                &[],
                false,
            ),
        ),
    ];
    schemas.extend(session_order(registry).map(|order| ("SessionOrder", order)));
    schemas
}

fn object<const N: usize>(
    fields: [(&str, Value); N],
    required: &[&str],
    lets_more_in: bool,
) -> Value {
    let fields: Map<String, Value> =
        fields.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    let mut schema = json!({ "type": "object", "properties": fields });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !lets_more_in {
        schema["additionalProperties"] = json!(false);
    }
    schema
}

fn or_null(schema: Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

fn name(longest: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": longest, "pattern": NAME })
}

/// Everything a bot of this game can be asked for by.
fn bots(registry: &Registry, game: &dyn Offer) -> Vec<String> {
    let agents = registry.config.agents.of(game.name());
    let own = game.bots().into_iter().flat_map(|bot| {
        let aliases = bot.aliases.iter().map(ToString::to_string);
        aliases.chain([bot.name.to_owned()]).collect::<Vec<_>>()
    });
    own.chain(agents.iter().map(|agent| agent.name.clone())).collect()
}

/// House rules by their presets; none at all where the default is among them.
fn rules(presets: &[&str], may_be_left_out: bool) -> Value {
    let needed: &[&str] = if may_be_left_out { &[] } else { &["preset"] };
    let mut forms = vec![
        json!({ "type": "string", "enum": presets }),
        object([("preset", json!({ "enum": presets }))], needed, false),
    ];
    if may_be_left_out {
        forms.push(json!({ "type": "null" }));
    }
    json!({ "description": OPTIONS, "anyOf": forms })
}

/// The orders for tables of a game: one for all presets with as many seats.
fn table_orders(registry: &Registry, game: &dyn Offer) -> Vec<Value> {
    let guide = game.guide();
    let presets = guide["presets"].as_array().into_iter().flatten();
    let presets = presets.filter_map(|preset| preset["name"].as_str());
    let seats_of = |rules: &Value| {
        let rules = game.resolve_rules(rules).ok()?;
        game.seats(&rules).ok().map(|seats| (*seats.start(), *seats.end()))
    };
    let usual = seats_of(&registry.rules_or_default(game, Value::Null));
    let mut groups: Vec<((usize, usize), Vec<&str>)> = Vec::new();
    for preset in presets {
        let Some(seats) = seats_of(&json!(preset)) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == seats) {
            Some((_, group)) => group.push(preset),
            None => groups.push((seats, vec![preset])),
        }
    }
    let seat = seat_order(&bots(registry, game));
    let order = |((least, most), presets): ((usize, usize), Vec<&str>)| {
        let is_usual = usual == Some((least, most));
        let seats = json!({
            "type": "array", "items": seat, "minItems": least, "maxItems": most,
            "description": "Whoever creates the table gets the first seat for a person.",
        });
        let fields = [
            ("game", json!({ "const": game.name() })),
            ("rules", rules(&presets, is_usual)),
            ("seats", seats),
            (
                "seed",
                json!({ "type": ["string", "null"], "description": "A seed to play from, where the server allows it." }),
            ),
            (
                "unlisted",
                json!({ "type": "boolean", "description": "Leaves the table out of the lobby's list." }),
            ),
            (
                "bot_ms",
                json!({ "type": ["integer", "null"], "minimum": 0, "maximum": SLOWEST, "description": "How long its bots wait before they act; the server's pace if it is not said." }),
            ),
        ];
        let required: &[&str] =
            if is_usual { &["game", "seats"] } else { &["game", "seats", "rules"] };
        object(fields, required, false)
    };
    groups.into_iter().map(order).collect()
}

/// A seat for a person, who may be yet to come, or for a bot.
fn seat_order(bots: &[String]) -> Value {
    let person = [
        ("kind", json!({ "const": "human" })),
        ("name", or_null(name(NAME_LIMIT))),
        ("bot", json!({ "type": "null" })),
    ];
    let bot = [
        ("kind", json!({ "const": "bot" })),
        ("name", or_null(name(NAME_LIMIT))),
        ("bot", or_null(json!({ "enum": bots }))),
    ];
    json!({ "anyOf": [object(person, &["kind"], false), object(bot, &["kind"], false)] })
}

fn quick_guest(game: &dyn Offer) -> Value {
    let guide = game.guide();
    let presets = guide["presets"].as_array().into_iter().flatten();
    let presets: Vec<&str> = presets.filter_map(|preset| preset["name"].as_str()).collect();
    let fields = [
        ("game", json!({ "const": game.name() })),
        ("name", name(NAME_LIMIT)),
        ("rules", rules(&presets, true)),
    ];
    object(fields, &["game", "name"], false)
}

/// A session, by the rules of the game that is played in rooms.
fn session_order(registry: &Registry) -> Option<Value> {
    let (game, room) = parlor_house::room_game()?;
    let usual = registry.rules_or_default(game, Value::Null);
    let seats = game.seats(&game.resolve_rules(&usual).ok()?).ok()?;
    let guide = game.guide();
    let presets = guide["presets"].as_array().into_iter().flatten();
    let presets: Vec<&str> = presets.filter_map(|preset| preset["name"].as_str()).collect();
    let can_be_played_for =
        |points: u64| game.resolve_rules(&json!({ room.target: points })).is_ok();
    let (least, most) = bounds_around(1000, can_be_played_for)?;
    let fields = [
        (
            "playerCount",
            json!({ "type": "integer", "minimum": seats.start(), "maximum": seats.end() }),
        ),
        ("nickname", name(NICKNAME_LIMIT)),
        ("targetScore", json!({ "type": ["integer", "null"], "minimum": least, "maximum": most })),
        ("rules", rules(&presets, true)),
    ];
    Some(object(fields, &["playerCount", "nickname"], true))
}

/// The least and the greatest number that the rules take, where they take this
/// one and all between.
fn bounds_around(known: u64, is_taken: impl Fn(u64) -> bool) -> Option<(u64, u64)> {
    if !is_taken(known) {
        return None;
    }
    let border = |mut within: u64, mut beyond: u64| {
        while within.abs_diff(beyond) > 1 {
            let middle = within.midpoint(beyond);
            *(if is_taken(middle) { &mut within } else { &mut beyond }) = middle;
        }
        within
    };
    let least = if is_taken(0) { 0 } else { border(known, 0) };
    Some((least, border(known, u64::from(u32::MAX))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_found() {
        assert_eq!(bounds_around(1000, |n| (100..=100_000).contains(&n)), Some((100, 100_000)));
        assert_eq!(bounds_around(1000, |n| n <= 1000), Some((0, 1000)));
        assert_eq!(bounds_around(1000, |n| n > 1000), None);
    }
}
