//! What clients send: `{"type":"COMPLETE"}` and its like, and that they have
//! shown what they were told.

use parlor_kernel::{EventSchema, Heard, Misheard};
use serde_json::{Map, Value, json};

use super::events::PRESENCE_ID;
use crate::action::Action;

const ACKNOWLEDGE: &str = "ACKNOWLEDGE";

/// Understands a command.
pub(super) fn hear(message: &[u8]) -> Result<Heard<Action>, Misheard> {
    let message: Value = serde_json::from_slice(message)
        .map_err(|error| malformed(format!("a command is a JSON object; this is none: {error}")))?;
    let Value::Object(fields) = message else {
        return Err(malformed("a command is a JSON object with a field 'type'".to_owned()));
    };
    let Some(Value::String(name)) = fields.get("type") else {
        return Err(malformed(format!("'type' must name one of {}", commands())));
    };
    if name == ACKNOWLEDGE {
        return Ok(Heard::Acknowledge { position: acknowledged(&fields)? });
    }
    match Action::named(name) {
        Some(action) => Ok(Heard::Act(action)),
        None => Err(malformed(format!(
            "there is no command '{}'; commands are {}",
            brief(name),
            commands()
        ))),
    }
}

fn malformed(sentence: String) -> Misheard {
    Misheard::Malformed(sentence)
}

fn commands() -> String {
    let names = Action::ALL.iter().map(|action| action.name());
    names.chain([ACKNOWLEDGE]).collect::<Vec<_>>().join(", ")
}

/// The position an event's id speaks of; none for messages that have none.
fn acknowledged(fields: &Map<String, Value>) -> Result<Option<u64>, Misheard> {
    let wanted = || malformed("ACKNOWLEDGE needs 'id': an event's id, such as evt_7".to_owned());
    let id = fields.get("id").and_then(Value::as_str).ok_or_else(wanted)?;
    if id == PRESENCE_ID || id.starts_with("evt_error_") {
        return Ok(None);
    }
    let digits = id.strip_prefix("evt_").ok_or_else(wanted)?;
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(wanted());
    }
    digits.parse().map(Some).map_err(|_| wanted())
}

/// A text as an answer repeats it: what a client sends may be of any length.
fn brief(text: &str) -> String {
    match text.char_indices().nth(32) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The schemas of the commands.
pub(super) fn schemas() -> Vec<EventSchema> {
    let command = |name: &str, more: Option<(&str, Value)>| {
        let mut properties = Map::new();
        properties.insert("type".to_owned(), json!({ "const": name }));
        let mut required = vec!["type"];
        if let Some((field, schema)) = more {
            properties.insert(field.to_owned(), schema);
            required.push(field);
        }
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": name,
            "type": "object",
            "properties": properties,
            "required": required,
        });
        EventSchema { name: name.to_owned(), is_command: true, schema }
    };
    let id = json!({ "type": "string", "pattern": "^evt_" });
    let mut schemas: Vec<EventSchema> =
        Action::ALL.iter().map(|action| command(action.name(), None)).collect();
    schemas.push(command(ACKNOWLEDGE, Some(("id", id))));
    schemas
}
