//! What clients send: `{"type":"KILL","target":"p5"}` and the like.

use parlor_kernel::{EventSchema, Heard, Misheard};
use serde_json::{Map, Value, json};

use crate::action::{Action, Channel, HIGHEST_BID, LONGEST_STATEMENT, Refusal};
use crate::circle::PlayerId;
use crate::words::Words;

const COMMANDS: &str = "KILL, PROTECT, INVESTIGATE, ACKNOWLEDGE, BID, SAY, VOTE and SHOWN";

/// Understands a command.
pub(crate) fn hear(message: &[u8]) -> Result<Heard<Action>, Misheard> {
    let message: Value = serde_json::from_slice(message).map_err(|error| {
        malformed(format!("a command is a JSON object; this is no JSON: {error}"))
    })?;
    let Value::Object(fields) = message else {
        return Err(malformed("a command is a JSON object with a field 'type'".to_owned()));
    };
    let Some(Value::String(kind)) = fields.get("type") else {
        return Err(malformed(format!("'type' must name one of the commands {COMMANDS}")));
    };
    let command = Command { kind, fields: &fields };
    Ok(Heard::Act(match command.kind {
        // The client has shown its player everything up to here.
        "SHOWN" => {
            return Ok(Heard::Acknowledge { position: command.position("position")? });
        }
        "KILL" => Action::Kill { target: command.target()? },
        "PROTECT" => Action::Protect { target: command.needed_target()? },
        "INVESTIGATE" => Action::Investigate { target: command.needed_target()? },
        "ACKNOWLEDGE" => Action::Acknowledge {},
        "BID" => Action::Bid { amount: command.amount()? },
        "SAY" => Action::Say {
            text: Words::from(command.text("text")?),
            r#final: command.flag("final")?,
            channel: command.channel()?,
        },
        "VOTE" => Action::Vote { target: command.target()? },
        unknown => {
            return Err(malformed(format!(
                "there is no command '{}'; the commands are {COMMANDS}",
                brief(unknown)
            )));
        }
    }))
}

struct Command<'a> {
    kind: &'a str,
    fields: &'a Map<String, Value>,
}

impl<'a> Command<'a> {
    fn wants(&self, field: &str, what: &str) -> Misheard {
        malformed(format!("{} needs '{field}': {what}", self.kind))
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

    fn target(&self) -> Result<Option<PlayerId>, Misheard> {
        let named = self.optional_text("target")?;
        named.map(player_named).transpose().map_err(|refusal| Misheard::refused(&refusal))
    }

    fn needed_target(&self) -> Result<PlayerId, Misheard> {
        self.target()?.ok_or_else(|| Misheard::refused(&Refusal::TargetMissing))
    }

    fn amount(&self) -> Result<u8, Misheard> {
        let amount = self.fields.get("amount").and_then(Value::as_u64);
        let amount = amount.ok_or_else(|| self.wants("amount", "a number"))?;
        u8::try_from(amount).map_err(|_| Misheard::refused(&Refusal::BidTooHigh))
    }

    fn flag(&self, field: &str) -> Result<bool, Misheard> {
        match self.fields.get(field) {
            None | Some(Value::Null) => Ok(true),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.wants(field, "true or false")),
        }
    }

    fn channel(&self) -> Result<Channel, Misheard> {
        match self.optional_text("channel")? {
            None | Some("public") => Ok(Channel::Public),
            Some("mafia") => Ok(Channel::Mafia),
            Some(_) => Err(self.wants("channel", "public or mafia")),
        }
    }
}

/// The player with this id.
fn player_named(id: &str) -> Result<PlayerId, Refusal> {
    id.parse().map_err(|_| Refusal::UnknownTarget)
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

/// The schemas of the commands.
pub(super) fn schemas() -> Vec<EventSchema> {
    let player = || json!({ "type": "string", "pattern": "^p[1-9][0-9]*$" });
    let player_or_null = || json!({ "anyOf": [player(), { "type": "null" }] });
    let position = || json!({ "type": ["integer", "null"], "minimum": 0 });
    vec![
        command("KILL", &[("target", player_or_null())], &[]),
        command("PROTECT", &[("target", player())], &[]),
        command("INVESTIGATE", &[("target", player())], &[]),
        command("ACKNOWLEDGE", &[], &[]),
        command(
            "BID",
            &[("amount", json!({ "type": "integer", "minimum": 0, "maximum": HIGHEST_BID }))],
            &[],
        ),
        command(
            "SAY",
            &[("text", json!({ "type": "string", "maxLength": LONGEST_STATEMENT }))],
            &[
                ("final", json!({ "type": "boolean" })),
                ("channel", json!({ "enum": ["public", "mafia"] })),
            ],
        ),
        command("VOTE", &[("target", player_or_null())], &[]),
        command("SHOWN", &[], &[("position", position())]),
    ]
}

fn command(name: &str, needed: &[(&str, Value)], optional: &[(&str, Value)]) -> EventSchema {
    let mut properties = Map::new();
    properties.insert("type".to_owned(), json!({ "const": name }));
    for (field, kind) in needed.iter().chain(optional) {
        properties.insert((*field).to_owned(), kind.clone());
    }
    let required: Vec<&str> =
        ["type"].into_iter().chain(needed.iter().map(|(field, _)| *field)).collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "type": "object",
        "properties": properties,
        "required": required,
    });
    EventSchema { name: name.to_owned(), is_command: true, schema }
}
