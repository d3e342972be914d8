//! The streams described for programs: AsyncAPI 3, made from the schemas of the
//! dialects and from the types that transports add to them.

#![allow(clippy::indexing_slicing, reason = "documents of our own making, no input")]

use std::sync::LazyLock;

use axum::Json;
use parlor_house::Offer;
use parlor_kernel::{EventSchema, Room};
use serde_json::{Map, Value, json};

use super::messages::{SOCKET, add_key, address, of_room, of_sockets, room_address};

static DOCUMENT: LazyLock<Value> = LazyLock::new(document);

/// The AsyncAPI description of this server's streams.
#[utoipa::path(get, path = "/api/asyncapi.json", tag = "docs", responses((status = 200, description = "AsyncAPI", body = Object)))]
pub async fn asyncapi() -> Json<&'static Value> {
    Json(&DOCUMENT)
}

fn document() -> Value {
    let mut streams = Streams::default();
    for game in parlor_house::games() {
        for dialect in game.dialects() {
            streams.add(&address(game.name(), dialect), dialect, game);
        }
        if let Some(room) = game.room() {
            streams.add_room(game, &room);
        }
    }
    let Streams { channels, operations, messages, schemas } = streams;
    let host = json!({ "host": { "default": "127.0.0.1:7777" } });
    let server = |protocol: &str, description: &str| json!({ "host": "{host}", "protocol": protocol, "variables": host, "description": description });
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Parlor",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The streams of a server for parlor games with hidden information. \
                            Each viewer is told only what it may know. The calls are described \
                            in /api/openapi.json.",
        },
        "defaultContentType": "application/json",
        "servers": {
            "sse": server("http", "Server-sent events. `id:` is the position; `Last-Event-ID` or `?after=` resumes after one."),
            "websocket": server("ws", "Commands up, events down. The first message says who you are."),
            "socketio": server("socketio", "Socket.IO 4 at the default path and namespace, for games that are played in rooms."),
        },
        "channels": channels,
        "operations": operations,
        "components": { "messages": messages, "schemas": schemas },
    })
}

/// What goes over a channel, and who sends it.
#[derive(Clone, Copy)]
enum Way {
    /// From the server to clients.
    Down,
    /// From clients to the server.
    Up,
}

#[derive(Default)]
struct Streams {
    channels: Map<String, Value>,
    operations: Map<String, Value>,
    messages: Map<String, Value>,
    schemas: Map<String, Value>,
}

impl Streams {
    /// A dialect over server-sent events and over WebSocket.
    fn add(&mut self, group: &str, dialect: &str, game: &dyn Offer) {
        let (mut told, mut sent) = (Vec::new(), Vec::new());
        for EventSchema { name, is_command, mut schema } in
            game.schemas(dialect).unwrap_or_default()
        {
            if is_command {
                add_key(&mut schema);
                sent.push(self.message(group, "command", &name, schema));
            } else {
                told.push(self.message(group, "event", &name, schema));
            }
        }
        let about = format!("A table of {} in the dialect {dialect}.", game.name());
        let query = json!({ "type": "object", "properties": {
            "dialect": { "const": dialect },
            "after": { "type": "integer", "minimum": 0 },
            "ticket": { "type": "string" },
        }});
        let events = Channel {
            key: format!("{group}.sse"),
            server: "sse",
            address: json!("/api/v1/tables/{table}/events"),
            description: about.clone(),
            bindings: json!({}),
        };
        let http = json!({ "http": { "method": "GET", "query": query } });
        self.channel(events, &[(Way::Down, &told, http)]);
        for EventSchema { name, is_command, schema } in of_sockets() {
            match is_command {
                true => sent.push(self.message(SOCKET, "command", &name, schema)),
                false => told.push(self.message(SOCKET, "event", &name, schema)),
            }
        }
        let query = json!({ "type": "object", "required": ["table"], "properties": {
            "table": { "type": "string", "description": "The table's id or code" },
            "dialect": { "const": dialect },
        }});
        let socket = Channel {
            key: format!("{group}.websocket"),
            server: "websocket",
            address: json!("/ws"),
            description: about,
            bindings: json!({ "ws": { "method": "GET", "query": query } }),
        };
        self.channel(socket, &[(Way::Down, &told, json!({})), (Way::Up, &sent, json!({}))]);
    }

    /// A game that is played in rooms, over Socket.IO.
    fn add_room(&mut self, game: &dyn Offer, room: &Room) {
        let group = room_address(game);
        let (mut told, mut sent) = (Vec::new(), Vec::new());
        for EventSchema { name, is_command, schema } in of_room(game, room) {
            match is_command {
                true => sent.push(self.message(&group, "command", &name, schema)),
                false => told.push(self.message(&group, "event", &name, schema)),
            }
        }
        let channel = Channel {
            key: format!("{}.socketio", room.dialect),
            server: "socketio",
            address: json!("/socket.io/"),
            description: format!(
                "A room of {}. The handshake's `auth` is {{secretId, sessionId}}.",
                game.name()
            ),
            bindings: json!({}),
        };
        self.channel(channel, &[(Way::Down, &told, json!({})), (Way::Up, &sent, json!({}))]);
    }

    /// Adds a message: its name among the components.
    fn message(&mut self, group: &str, kind: &str, name: &str, schema: Value) -> String {
        let key = component(group, kind, name);
        if !self.messages.contains_key(&key) {
            let payload = self.lift(group, &key, schema);
            let message = json!({ "name": name, "title": name, "payload": payload });
            self.messages.insert(key.clone(), message);
        }
        key
    }

    /// A schema whose definitions have moved to the components, where the
    /// document's references look for them.
    fn lift(&mut self, group: &str, key: &str, mut schema: Value) -> Value {
        let definitions = match schema.as_object_mut() {
            Some(fields) => {
                fields.shift_remove("$schema");
                fields.shift_remove("$defs")
            }
            None => None,
        };
        let Some(Value::Object(definitions)) = definitions else { return adapted(&schema, "") };
        // Definitions are shared within a dialect, where they are the same.
        let shared = format!("{group}.");
        let is_same = |(name, definition): (&String, &Value)| {
            let known = self.schemas.get(&format!("{shared}{}", plain(name)));
            known.is_none_or(|known| *known == adapted(definition, &shared))
        };
        let prefix = if definitions.iter().all(is_same) { shared } else { format!("{key}.") };
        for (name, definition) in &definitions {
            let name = format!("{prefix}{}", plain(name));
            self.schemas.insert(name, adapted(definition, &prefix));
        }
        adapted(&schema, &prefix)
    }

    fn channel(&mut self, channel: Channel, ways: &[(Way, &[String], Value)]) {
        let Channel { key, server, address, description, bindings } = channel;
        let mut messages = Map::new();
        for (way, names, bindings) in ways {
            let mut carried = Vec::new();
            for name in *names {
                let reference = format!("#/components/messages/{name}");
                messages.insert(name.clone(), json!({ "$ref": reference }));
                carried.push(json!({ "$ref": format!("#/channels/{key}/messages/{name}") }));
            }
            // As AsyncAPI has it, seen from the server.
            let (action, ending) = match way {
                Way::Down => ("send", "events"),
                Way::Up => ("receive", "commands"),
            };
            self.operations.insert(
                format!("{key}.{ending}"),
                json!({
                    "action": action,
                    "channel": { "$ref": format!("#/channels/{key}") },
                    "messages": carried,
                    "bindings": bindings,
                }),
            );
        }
        let mut described = json!({
            "address": address,
            "description": description,
            "servers": [{ "$ref": format!("#/servers/{server}") }],
            "messages": messages,
            "bindings": bindings,
        });
        if server == "sse" {
            described["parameters"] =
                json!({ "table": { "description": "The table's id or code" } });
        }
        self.channels.insert(key, described);
    }
}

struct Channel {
    key: String,
    server: &'static str,
    address: Value,
    description: String,
    bindings: Value,
}

fn component(group: &str, kind: &str, name: &str) -> String {
    format!("{group}.{kind}.{}", plain(name))
}

/// A name as components may have it.
fn plain(name: &str) -> String {
    name.replace(|one: char| !one.is_ascii_alphanumeric() && !"-_".contains(one), ".")
}

/// A schema in the words of AsyncAPI, which are those of draft 7, with its
/// references led to the components whose names begin so.
fn adapted(schema: &Value, prefix: &str) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut adapted_fields = Map::new();
            for (name, value) in fields {
                match (name.as_str(), value.as_str()) {
                    ("$ref", Some(reference)) => {
                        let to = reference.strip_prefix("#/$defs/");
                        let to = to.map(|to| format!("#/components/schemas/{prefix}{}", plain(to)));
                        let to = to.unwrap_or_else(|| reference.to_owned());
                        adapted_fields.insert("$ref".to_owned(), to.into());
                    }
                    ("prefixItems", _) => {
                        adapted_fields.insert("items".to_owned(), adapted(value, prefix));
                    }
                    ("items", _) if fields.contains_key("prefixItems") => {
                        let rest = adapted(value, prefix);
                        adapted_fields.insert("additionalItems".to_owned(), rest);
                    }
                    _ => {
                        adapted_fields.insert(name.clone(), adapted(value, prefix));
                    }
                }
            }
            Value::Object(adapted_fields)
        }
        Value::Array(nodes) => nodes.iter().map(|node| adapted(node, prefix)).collect(),
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each_reference(node: &Value, see: &mut impl FnMut(&str)) {
        match node {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match value.as_str().filter(|_| name == "$ref") {
                        Some(reference) => see(reference),
                        None => each_reference(value, see),
                    }
                }
            }
            Value::Array(nodes) => nodes.iter().for_each(|node| each_reference(node, see)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let mut count = 0;
        each_reference(&DOCUMENT, &mut |reference| {
            let pointer = reference.strip_prefix('#').expect("a reference within the document");
            assert!(DOCUMENT.pointer(pointer).is_some(), "{reference}");
            count += 1;
        });
        assert!(count > 500, "{count}");
    }

    #[test]
    fn every_message_of_every_dialect_is_on_its_streams() {
        for game in parlor_house::games() {
            for dialect in game.dialects() {
                let group = address(game.name(), dialect);
                for message in game.schemas(dialect).unwrap() {
                    let kind = if message.is_command { "command" } else { "event" };
                    let key = component(&group, kind, &message.name);
                    assert_eq!(DOCUMENT["components"]["messages"][&key]["name"], message.name);
                    let streams: &[&str] =
                        if message.is_command { &["websocket"] } else { &["sse", "websocket"] };
                    for stream in streams {
                        let channel = &DOCUMENT["channels"][format!("{group}.{stream}")];
                        assert!(channel["messages"].get(&key).is_some(), "{key} on {stream}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_room_has_its_own_events_and_those_of_its_dialect() {
        let (game, room) = parlor_house::room_game().unwrap();
        let channel = &DOCUMENT["channels"][format!("{}.socketio", room.dialect)];
        let group = room_address(game);
        for event in ["game:answer", "game:state", "game:events", "session:terminated", "error"] {
            let key = component(&group, "event", event);
            assert!(channel["messages"].get(&key).is_some(), "{key}");
        }
        for command in ["game:start", "game:sync", "game:bid", "game:exit"] {
            let key = component(&group, "command", command);
            assert!(channel["messages"].get(&key).is_some(), "{key}");
        }
        let key = component(&group, "event", "game:events");
        let steps = &DOCUMENT["components"]["messages"][&key]["payload"]["properties"]["events"];
        assert!(steps["items"]["anyOf"].as_array().unwrap().len() > 10, "{steps}");
    }

    #[test]
    fn the_document_has_the_parts_that_asyncapi_asks_for() {
        assert_eq!(DOCUMENT["asyncapi"], "3.0.0");
        for part in ["info", "servers", "channels", "operations", "components"] {
            assert!(DOCUMENT[part].as_object().is_some_and(|part| !part.is_empty()), "{part}");
        }
        for (key, operation) in DOCUMENT["operations"].as_object().unwrap() {
            let is_one = ["send", "receive"].map(Value::from).contains(&operation["action"]);
            assert!(is_one && !operation["messages"].as_array().unwrap().is_empty(), "{key}");
        }
        let is_plain = |key: &String| {
            key.chars().all(|one| one.is_ascii_alphanumeric() || "._-".contains(one))
        };
        for part in ["messages", "schemas"] {
            let components = DOCUMENT["components"][part].as_object().unwrap();
            assert!(components.keys().all(is_plain), "{part}");
        }
    }
}
