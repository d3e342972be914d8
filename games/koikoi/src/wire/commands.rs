//! What clients send: the protocol's five commands, in both dialects.

use parlor_kernel::{EventSchema, Heard, Misheard};
use serde_json::{Map, Value, json};

use super::schema::as_sent;
use crate::cards::Card;
use crate::event::{Action, Refusal};

/// The id under which comings and goings are told.
pub(super) const PRESENCE_ID: &str = "evt_presence";

const COMMANDS: &str =
    "GameRequestJoin, TurnPlayHandCard, TurnSelectTarget, RoundMakeDecision and ClientAcknowledge";

/// Understands a command.
pub(super) fn hear(message: &[u8]) -> Result<Heard<Action>, Misheard> {
    let message: Value = serde_json::from_slice(message).map_err(|error| {
        malformed(format!("a command is a JSON object; this is no JSON: {error}"))
    })?;
    let Value::Object(fields) = message else {
        return Err(malformed("a command is a JSON object with a field 'command'".to_owned()));
    };
    let Some(Value::String(command)) = fields.get("command") else {
        return Err(malformed(format!("'command' must name one of the commands {COMMANDS}")));
    };
    let command = Command { name: command, fields: &fields };
    match command.name {
        "GameRequestJoin" => Ok(Heard::Join {
            player_id: Some(command.text("player_id")?.to_owned()),
            token: command.text("session_token")?.to_owned(),
            after: command.position("after")?,
        }),
        "ClientAcknowledge" => Ok(Heard::Acknowledge { position: command.event_id("event_id")? }),
        "TurnPlayHandCard" => Ok(Heard::Act(Action::Play {
            card: card(command.text("card")?, "INVALID_CARD")?,
            target: match command.optional_text("target")? {
                Some(target) => Some(card(target, "INVALID_TARGET")?),
                None => None,
            },
        })),
        "TurnSelectTarget" => {
            let (source, target) = (command.text("source")?, command.text("target")?);
            Ok(Heard::Act(Action::Select {
                source: card(source, "INVALID_SELECTION")?,
                target: card(target, "INVALID_SELECTION")?,
            }))
        }
        "RoundMakeDecision" => match command.text("decision")? {
            "KOI_KOI" => Ok(Heard::Act(Action::KoiKoi)),
            "END_ROUND" => Ok(Heard::Act(Action::Stop)),
            _ => Err(command.wants("decision", "KOI_KOI or END_ROUND")),
        },
        unknown => Err(malformed(format!(
            "there is no command '{}'; the commands are {COMMANDS}",
            brief(unknown)
        ))),
    }
}

struct Command<'a> {
    name: &'a str,
    fields: &'a Map<String, Value>,
}

impl<'a> Command<'a> {
    fn wants(&self, field: &str, what: &str) -> Misheard {
        malformed(format!("{} needs '{field}': {what}", self.name))
    }

    fn text(&self, field: &str) -> Result<&'a str, Misheard> {
        let text = self.fields.get(field).and_then(Value::as_str);
        text.ok_or_else(|| self.wants(field, "a text"))
    }

    fn optional_text(&self, field: &str) -> Result<Option<&'a str>, Misheard> {
        match self.fields.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wants(field, "a text, or null")),
        }
    }

    fn position(&self, field: &str) -> Result<Option<u64>, Misheard> {
        match self.fields.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64() {
                Some(position) => Ok(Some(position)),
                None => Err(self.wants(field, "a position, counted from 0, or null")),
            },
        }
    }

    /// The position an event id speaks of; none for messages that are no part
    /// of the stream.
    fn event_id(&self, field: &str) -> Result<Option<u64>, Misheard> {
        let id = self.text(field)?;
        if id == "evt_snapshot" || id == PRESENCE_ID || id.starts_with("evt_error_") {
            return Ok(None);
        }
        let position = id
            .strip_prefix("evt_")
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
            .and_then(|digits| digits.parse().ok());
        match position {
            Some(position) => Ok(Some(position)),
            None => Err(self.wants(field, "the id of an event, such as \"evt_7\"")),
        }
    }
}

fn malformed(sentence: String) -> Misheard {
    Misheard::Malformed(sentence)
}

fn card(id: &str, code: &'static str) -> Result<Card, Misheard> {
    Card::from_id(id).ok_or_else(|| Misheard::Refused {
        code,
        reason: None,
        message: Refusal::NoSuchCard(brief(id)).to_string(),
        untimely: false,
    })
}

/// A text as an answer repeats it: what a client sends may be of any length.
fn brief(text: &str) -> String {
    match text.char_indices().nth(32) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The schemas of the five commands.
pub(super) fn schemas() -> Vec<EventSchema> {
    let text = || json!({ "type": "string" });
    let card = as_sent::<Card>;
    let card_or_null = json!({ "anyOf": [card(), { "type": "null" }] });
    vec![
        command(
            "GameRequestJoin",
            &[("player_id", text()), ("session_token", text())],
            &[("after", json!({ "type": ["integer", "null"], "minimum": 0 }))],
        ),
        command("TurnPlayHandCard", &[("card", card())], &[("target", card_or_null)]),
        command("TurnSelectTarget", &[("source", card()), ("target", card())], &[]),
        command(
            "RoundMakeDecision",
            &[("decision", json!({ "enum": ["KOI_KOI", "END_ROUND"] }))],
            &[],
        ),
        command(
            "ClientAcknowledge",
            &[("event_id", json!({ "type": "string", "pattern": "^evt_" }))],
            &[],
        ),
    ]
}

fn command(name: &str, needed: &[(&str, Value)], optional: &[(&str, Value)]) -> EventSchema {
    let mut properties = Map::new();
    properties.insert("command".to_owned(), json!({ "const": name }));
    for (field, kind) in needed.iter().chain(optional) {
        properties.insert((*field).to_owned(), kind.clone());
    }
    let required: Vec<&str> =
        ["command"].into_iter().chain(needed.iter().map(|(field, _)| *field)).collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "type": "object",
        "properties": properties,
        "required": required,
    });
    EventSchema { name: name.to_owned(), is_command: true, schema }
}
