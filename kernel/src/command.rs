//! What clients send: a JSON object that names a command and brings its
//! fields. Every dialect reads it alike and says alike what is missing.

use std::fmt;
use std::mem;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use crate::dialect::{EventSchema, MessageError};

/// The commands of a dialect.
pub struct Commands {
    /// The field that names the command.
    pub named_by: &'static str,
    /// Their names.
    pub names: &'static [&'static str],
}

impl Commands {
    /// Reads a message as far as every command is alike.
    pub fn read(&self, message: &[u8]) -> Result<Command, MessageError> {
        let mut fields: Fields = serde_json::from_slice(message).map_err(|error| {
            let field = self.named_by;
            malformed(match error.is_data() {
                true => format!("a command is a JSON object with a field '{field}'"),
                false => format!("a command is a JSON object; this is no JSON: {error}"),
            })
        })?;
        match fields.get_mut(self.named_by) {
            Some(Value::String(name)) => Ok(Command { name: mem::take(name), fields, within: "" }),
            _ => {
                let (field, names) = (self.named_by, self.listed());
                Err(malformed(format!("'{field}' must name one of the commands {names}")))
            }
        }
    }

    /// Says that there is no such command.
    pub fn unknown(&self, name: &str) -> MessageError {
        let (name, names) = (brief(name), self.listed());
        malformed(format!("there is no command '{name}'; the commands are {names}"))
    }

    fn listed(&self) -> String {
        match self.names.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} and {last}", others.join(", "))
            }
            _ => self.names.concat(),
        }
    }

    /// The schema of a command with fields it needs and fields it may have.
    pub fn schema(
        &self,
        name: &str,
        needed: &[(&str, Value)],
        optional: &[(&str, Value)],
    ) -> EventSchema {
        let mut properties = Map::new();
        properties.insert(self.named_by.to_owned(), json!({ "const": name }));
        for (field, kind) in needed.iter().chain(optional) {
            properties.insert((*field).to_owned(), kind.clone());
        }
        let needed = needed.iter().map(|(field, _)| *field);
        let required: Vec<&str> = [self.named_by].into_iter().chain(needed).collect();
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": name,
            "type": "object",
            "properties": properties,
            "required": required,
        });
        EventSchema { name: name.to_owned(), is_command: true, schema }
    }
}

/// One command, by name and fields.
pub struct Command {
    name: String,
    fields: Fields,
    /// Where the fields are, as a path.
    within: &'static str,
}

impl Command {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same command with the fields of the object in this one; with none
    /// where there is no such object.
    pub fn inside(mut self, within: &'static str) -> Command {
        let fields = match self.fields.remove(within) {
            Some(Value::Object(fields)) => Fields(fields.into_iter().collect()),
            _ => Fields::default(),
        };
        Command { fields, within, ..self }
    }

    /// Says that the command needs this field, and what for a one.
    pub fn wants(&self, field: &str, what: &str) -> MessageError {
        let Command { name, within, .. } = self;
        let dot = if within.is_empty() { "" } else { "." };
        malformed(format!("{name} needs '{within}{dot}{field}': {what}"))
    }

    /// The field as it came, if it did.
    pub fn field(&self, field: &str) -> Option<&Value> {
        self.fields.get(field)
    }

    /// A text that must be there.
    pub fn text(&self, field: &str) -> Result<&str, MessageError> {
        self.text_of(field, "a text")
    }

    /// A text that must be there; `what` says which, to those who leave it out.
    pub fn text_of(&self, field: &str, what: &str) -> Result<&str, MessageError> {
        self.field(field).and_then(Value::as_str).ok_or_else(|| self.wants(field, what))
    }

    /// A text that may be left out.
    pub fn optional_text(&self, field: &str) -> Result<Option<&str>, MessageError> {
        match self.field(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wants(field, "a text, or null")),
        }
    }

    /// A position in a stream, which may be left out.
    pub fn position(&self, field: &str) -> Result<Option<u64>, MessageError> {
        match self.field(field) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64() {
                Some(position) => Ok(Some(position)),
                None => Err(self.wants(field, "a position, counted from 0, or null")),
            },
        }
    }

    /// The position that the id of an event or a snapshot speaks of; none for
    /// the ids of `apart`, of refusals and of answers, which are no part of the
    /// stream.
    pub fn event_position(&self, field: &str, apart: &[&str]) -> Result<Option<u64>, MessageError> {
        let wanted = "the id of an event, such as \"evt_7\"";
        let id = self.text_of(field, wanted)?;
        let is_notice = |prefix: &&str| id.starts_with(*prefix);
        if apart.contains(&id) || ["evt_error_", "evt_answer_"].iter().any(is_notice) {
            return Ok(None);
        }
        position_of(id).map(Some).ok_or_else(|| self.wants(field, wanted))
    }
}

/// The position that an event's id speaks of: `evt_7`, or `evt_snapshot_7`.
pub fn position_of(event_id: &str) -> Option<u64> {
    let after = event_id.strip_prefix("evt_")?;
    let digits = after.strip_prefix("snapshot_").unwrap_or(after);
    digits.parse().ok().filter(|_| !digits.starts_with('+'))
}

/// The fields of an object as they came. Commands have a handful, among which
/// to look is less work than to keep a map of them.
#[derive(Default)]
struct Fields(Vec<(String, Value)>);

impl Fields {
    /// The last of this name, as everywhere in JSON.
    fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().rposition(|(known, _)| known == name)
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.position(name).map(|at| &self.0[at].1)
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.position(name).map(|at| &mut self.0[at].1)
    }

    fn remove(&mut self, name: &str) -> Option<Value> {
        self.position(name).map(|at| self.0.swap_remove(at).1)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(message: D) -> Result<Fields, D::Error> {
        message.deserialize_map(Gather)
    }
}

/// Gathers the fields of an object.
struct Gather;

impl<'de> Visitor<'de> for Gather {
    type Value = Fields;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Fields, A::Error> {
        let mut fields = Vec::with_capacity(4);
        while let Some(field) = object.next_entry()? {
            fields.push(field);
        }
        Ok(Fields(fields))
    }
}

fn malformed(sentence: String) -> MessageError {
    MessageError::Malformed(sentence)
}

/// A text as an answer repeats it: what a client sends may be of any length.
pub fn brief(text: &str) -> String {
    match text.char_indices().nth(32) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
