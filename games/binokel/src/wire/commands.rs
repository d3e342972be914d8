//! What clients send: `{"event": "game:bid", "data": {"amount": 160}}`.

use parlor_kernel::{EventSchema, Misheard, schema_of};
use serde_json::{Map, Value, json};

use crate::cards::{Card, CardSet, Suit};
use crate::event::{Absurdity, Action};
use crate::special::Special;

const COMMANDS: &str = "game:bid, game:pass, game:takeDabb, game:discard, game:goOut, \
                        game:declareTrump, game:announce, game:declareMelds, game:playCard and \
                        game:exit";

/// Understands a command. What names something that is not in the game is
/// understood too, so that it can be refused in its turn for what it is.
pub(super) fn hear(message: &[u8]) -> Result<Action, Misheard> {
    let message: Value = serde_json::from_slice(message).map_err(|error| {
        malformed(format!("a command is a JSON object; this is no JSON: {error}"))
    })?;
    let name = message.get("event").and_then(Value::as_str).ok_or_else(|| {
        malformed(format!("a command is a JSON object with 'event', one of {COMMANDS}"))
    })?;
    let command = Command { name, data: message.get("data").unwrap_or(&Value::Null) };
    match name {
        "game:bid" => command.bid(),
        "game:pass" => Ok(Action::Pass),
        "game:takeDabb" => Ok(Action::TakeDabb),
        "game:discard" => command.discard(),
        "game:goOut" => command.suit(Absurdity::GoOut, |suit| Action::GoOut { suit }),
        "game:declareTrump" => {
            command.suit(Absurdity::DeclareTrump, |suit| Action::DeclareTrump { suit })
        }
        "game:announce" => command.announce(),
        "game:declareMelds" => command.declare_melds(),
        "game:playCard" => command.play_card(),
        "game:exit" => Ok(Action::Exit),
        unknown => Err(malformed(format!(
            "there is no command '{}' at a table; commands are {COMMANDS}",
            brief(unknown)
        ))),
    }
}

struct Command<'a> {
    name: &'a str,
    data: &'a Value,
}

impl Command<'_> {
    fn wants(&self, field: &str, what: &str) -> Misheard {
        malformed(format!("{} needs data with '{field}': {what}", self.name))
    }

    fn bid(&self) -> Result<Action, Misheard> {
        let Some(Value::Number(amount)) = self.data.get("amount") else {
            return Err(self.wants("amount", "a number"));
        };
        let amount = amount.as_u64().and_then(|amount| u16::try_from(amount).ok());
        Ok(amount.map_or(absurd(Absurdity::Bid), |amount| Action::Bid { amount }))
    }

    fn discard(&self) -> Result<Action, Misheard> {
        let ids = self.data.get("cardIds").and_then(Value::as_array);
        let ids: Option<Vec<&str>> = ids.and_then(|ids| ids.iter().map(Value::as_str).collect());
        let ids = ids.ok_or_else(|| self.wants("cardIds", "a list of card ids"))?;
        let named = u8::try_from(ids.len()).unwrap_or(u8::MAX);
        let mut cards = CardSet::EMPTY;
        for card in ids.into_iter().map(Card::from_id) {
            match card {
                None => return Ok(absurd(Absurdity::Discard { named })),
                Some(card) if cards.contains(card) => {
                    return Ok(absurd(Absurdity::DiscardTwice { named }));
                }
                Some(card) => cards.insert(card),
            }
        }
        Ok(Action::Discard { cards })
    }

    fn suit(
        &self,
        otherwise: Absurdity,
        action: impl Fn(Suit) -> Action,
    ) -> Result<Action, Misheard> {
        let name = self.data.get("suit").and_then(Value::as_str);
        let name = name.ok_or_else(|| self.wants("suit", "kreuz, schippe, herz or bollen"))?;
        Ok(Suit::from_name(name).map_or(absurd(otherwise), action))
    }

    fn announce(&self) -> Result<Action, Misheard> {
        let name = self.data.get("special").and_then(Value::as_str);
        let name = name.ok_or_else(|| self.wants("special", "durch or bettel"))?;
        let announce = |special| Action::Announce { special };
        Ok(Special::from_name(name).map_or(absurd(Absurdity::Announce), announce))
    }

    /// rules §4: the list means "I meld now"; what is in it is not read.
    fn declare_melds(&self) -> Result<Action, Misheard> {
        match self.data.get("melds") {
            Some(Value::Array(_)) => Ok(Action::DeclareMelds),
            _ => Err(self.wants("melds", "a list, which may be empty")),
        }
    }

    fn play_card(&self) -> Result<Action, Misheard> {
        let id = self.data.get("cardId").and_then(Value::as_str);
        let id = id.ok_or_else(|| self.wants("cardId", "a card id such as \"kreuz-ass-1\""))?;
        Ok(Card::from_id(id).map_or(absurd(Absurdity::PlayCard), |card| Action::PlayCard { card }))
    }
}

const fn absurd(what: Absurdity) -> Action {
    Action::Absurd { what }
}

fn malformed(sentence: String) -> Misheard {
    Misheard::Malformed(sentence)
}

/// A text as an answer repeats it: what a client sends may be of any length.
fn brief(text: &str) -> String {
    match text.char_indices().nth(32) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The schemas of the commands. `game:announce` is beyond the contract.
pub(super) fn schemas() -> Vec<EventSchema> {
    let suit = || json!({ "enum": Suit::ALL.map(Suit::name) });
    let card = schema_of::<Card>();
    vec![
        with("game:bid", "amount", json!({ "type": "integer", "multipleOf": 10 })),
        bare("game:pass"),
        bare("game:takeDabb"),
        with("game:discard", "cardIds", json!({ "type": "array", "items": card })),
        with("game:goOut", "suit", suit()),
        with("game:declareTrump", "suit", suit()),
        with("game:announce", "special", json!({ "enum": Special::ALL.map(Special::name) })),
        with("game:declareMelds", "melds", json!({ "type": "array" })),
        with("game:playCard", "cardId", card),
        bare("game:exit"),
    ]
}

fn with(name: &str, field: &str, kind: Value) -> EventSchema {
    let mut properties = Map::new();
    properties.insert(field.to_owned(), kind);
    let data = json!({ "type": "object", "properties": properties, "required": [field] });
    command(name, json!({ "event": { "const": name }, "data": data }), &["event", "data"])
}

fn bare(name: &str) -> EventSchema {
    command(name, json!({ "event": { "const": name } }), &["event"])
}

fn command(name: &str, properties: Value, required: &[&str]) -> EventSchema {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "type": "object",
        "properties": properties,
        "required": required,
    });
    EventSchema { name: name.to_owned(), is_command: true, schema }
}
