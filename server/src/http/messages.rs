//! Every message of every stream, with its schema: the games' dialects, what
//! sockets add to them, and rooms over Socket.IO.

#![allow(clippy::indexing_slicing, reason = "documents of our own making, no input")]

use parlor_house::Offer;
use parlor_kernel::{CANONICAL, EventSchema, Room, WORDS, schema_of};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::api_error::ErrorBody;
use crate::socketio;
use crate::table::{KEY_FIELD, KeyedAnswer};
use crate::websocket::Greeting;

/// What sockets say and hear in every dialect.
pub const SOCKET: &str = "socket";

/// What rooms are never sent.
const SNAPSHOT: &str = "SNAPSHOT";

/// The messages that belong together, by the name they are published under.
pub struct Group {
    /// `koikoi.protocol`, `dice.log`, `binokel.room`, `socket`.
    pub address: String,
    /// What is said and heard.
    pub messages: Vec<EventSchema>,
}

/// All groups: each dialect of each game, rooms, sockets.
pub fn groups() -> Vec<Group> {
    let mut groups = Vec::new();
    for game in parlor_house::games() {
        for dialect in game.dialects() {
            let messages = game.schemas(dialect).unwrap_or_default();
            groups.push(Group { address: address(game.name(), dialect), messages });
        }
        if let Some(room) = game.room() {
            groups.push(Group { address: room_address(game), messages: of_room(game, &room) });
        }
    }
    groups.push(Group { address: SOCKET.to_owned(), messages: of_sockets() });
    groups
}

/// Some dialects every game has; their schemas are told apart by the game.
pub fn address(game: &str, dialect: &str) -> String {
    match dialect {
        CANONICAL | WORDS => format!("{game}.{dialect}"),
        own => own.to_owned(),
    }
}

/// Where the messages of a game's rooms are published.
pub fn room_address(game: &dyn Offer) -> String {
    format!("{}.room", game.name())
}

fn said(name: &str, schema: Value) -> EventSchema {
    EventSchema { name: name.to_owned(), is_command: false, schema }
}

fn heard(name: &str, schema: Value) -> EventSchema {
    EventSchema { name: name.to_owned(), is_command: true, schema }
}

/// The schema of a type as it is read: what has a default may be left out.
fn schema_of_heard<T: JsonSchema>() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// What a WebSocket says and hears beside its dialect.
pub fn of_sockets() -> Vec<EventSchema> {
    vec![
        said("answer", schema_of::<KeyedAnswer<'static>>()),
        said("refusal", schema_of::<ErrorBody>()),
        heard("greeting", schema_of_heard::<Greeting>()),
    ]
}

/// What is sent in rooms. A message is an event of Socket.IO, and its schema is
/// that of the event's one argument.
pub fn of_room(game: &dyn Offer, room: &Room) -> Vec<EventSchema> {
    let (mut messages, mut steps) = (Vec::new(), Vec::new());
    for EventSchema { name, is_command, mut schema } in
        game.schemas(room.dialect).unwrap_or_default()
    {
        if is_command {
            let mut data = schema["properties"]["data"].take();
            if !data.is_object() {
                data = json!({});
            }
            add_key(&mut data);
            if let Some(definitions) = schema.get("$defs") {
                data["$defs"] = definitions.clone();
            }
            messages.push(heard(&name, data));
        } else if schema.pointer("/properties/sequence").is_some() {
            // In place of a snapshot rooms get everything that happened.
            if name != SNAPSHOT {
                steps.push(schema);
            }
        } else {
            // The event's name, and so no part of its argument.
            if let Some(fields) = schema["properties"].as_object_mut() {
                fields.shift_remove("type");
            }
            if let Some(required) = schema["required"].as_array_mut() {
                required.retain(|field| field != "type");
            }
            messages.push(said(&name, schema));
        }
    }
    let steps = Steps::of(steps);
    messages.extend([
        said("game:events", steps.within(schema_of::<socketio::Events<'static>>())),
        said("game:state", steps.within(schema_of::<socketio::GameState<'static>>())),
        said("game:answer", schema_of::<socketio::GameAnswer<'static>>()),
        said("session:terminated", schema_of::<socketio::Terminated<'static>>()),
        heard("game:start", json!({})),
        heard("game:sync", schema_of_heard::<socketio::SyncRequest>()),
    ]);
    messages
}

/// The messages of a dialect that are part of the log, to be listed in another.
struct Steps {
    forms: Vec<Value>,
    definitions: Map<String, Value>,
}

impl Steps {
    /// Definitions move to the root, where references look for them. They are
    /// made from the same types, and so are the same.
    fn of(schemas: Vec<Value>) -> Steps {
        let mut steps = Steps { forms: Vec::new(), definitions: Map::new() };
        for mut schema in schemas {
            if let Some(fields) = schema.as_object_mut() {
                fields.shift_remove("$schema");
                if let Some(Value::Object(definitions)) = fields.shift_remove("$defs") {
                    steps.definitions.extend(definitions);
                }
            }
            steps.forms.push(schema);
        }
        steps
    }

    fn within(&self, mut schema: Value) -> Value {
        schema["properties"]["events"]["items"] = json!({ "anyOf": self.forms });
        schema["$defs"] = Value::Object(self.definitions.clone());
        schema
    }
}

/// A command on a socket may bring its idempotency key.
pub fn add_key(command: &mut Value) {
    let key = json!({
        "type": ["string", "null"], "minLength": 1, "maxLength": 128, "pattern": "^[ -~]+$",
        "description": "The same command with the same key again gives the same answer and no new event.",
    });
    if let Some(fields) = command.get_mut("properties") {
        fields[KEY_FIELD] = key;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn no_two_messages_of_a_group_share_a_name() {
        for group in groups() {
            let mut names = BTreeSet::new();
            for message in &group.messages {
                let is_new = names.insert((&message.name, message.is_command));
                assert!(is_new, "{}: {}", group.address, message.name);
            }
        }
    }

    #[test]
    fn every_schema_can_be_read_and_has_all_it_refers_to() {
        for group in groups() {
            for message in &group.messages {
                let read = jsonschema::draft202012::new(&message.schema);
                assert!(read.is_ok(), "{} {}: {:?}", group.address, message.name, read.err());
            }
        }
    }

    #[test]
    fn the_steps_of_a_room_define_a_name_only_once() {
        let (game, room) = parlor_house::room_game().unwrap();
        let mut known = BTreeMap::new();
        for message in game.schemas(room.dialect).unwrap() {
            let is_step = message.name != SNAPSHOT
                && message.schema.pointer("/properties/sequence").is_some();
            let definitions = message.schema["$defs"].as_object().filter(|_| is_step).cloned();
            for (name, definition) in definitions.into_iter().flatten() {
                let before = known.entry(name.clone()).or_insert_with(|| definition.clone());
                assert_eq!(*before, definition, "{}: {name}", message.name);
            }
        }
    }
}
