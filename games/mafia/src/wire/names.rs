//! Names beside ids, and times: what a reader of one line wants to find there
//! though it follows from what came before.

use parlor_kernel::{Setup, Times, Told, schema_of};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::Mafia;
use crate::action::Action;
use crate::circle::PlayerId;
use crate::event::Event;
use crate::rules::Rules;
use crate::seen::Seen;
use crate::state::{Knowledge, State};

impl Told for Mafia {
    fn is_private(_: &State, event: &Event) -> bool {
        event.is_private()
    }

    fn payload(state: &State, event: &Event, times: &Times) -> Box<RawValue> {
        payload(event, state.opened.as_ref().map(|opened| &*opened.setup), times)
    }

    fn payload_seen(knowledge: &Knowledge, seen: &Seen, times: &Times) -> Box<RawValue> {
        payload(seen, knowledge.table.as_deref(), times)
    }

    /// With names and times.
    fn schema_seen() -> Value {
        let mut schema = schema_of::<Seen>();
        add_time_to_schema(&mut schema, "VoteCast", "voteTime");
        add_time_to_schema(&mut schema, "GameEnded", "durationMs");
        add_names_to_schema(&mut schema);
        schema
    }

    fn is_for_clients(action: &Action) -> bool {
        !action.is_report()
    }
}

/// The payload of an event or of what is seen, tagged, with names and times.
fn payload(tagged: &impl Serialize, table: Option<&Setup<Rules>>, times: &Times) -> Box<RawValue> {
    let mut payload = match serde_json::to_value(tagged) {
        Ok(Value::Object(mut tagged)) => {
            let kind = tagged.remove("eventType");
            let mut payload = tagged.remove("payload").unwrap_or_default();
            if let (Some(Value::String(kind)), Value::Object(fields)) = (kind, &mut payload) {
                add_times(&kind, fields, times);
            }
            payload
        }
        _ => Value::Null,
    };
    if let Some(table) = table {
        add_names(&mut payload, table);
    }
    // A JSON value is plain data: it can always be written.
    serde_json::value::to_raw_value(&payload).expect("a value is plain data")
}

fn add_times(kind: &str, fields: &mut Map<String, Value>, times: &Times) {
    match kind {
        "VOTE_CAST" => {
            let elapsed = times.now.saturating_sub(times.asked_at);
            fields.insert("voteTime".to_owned(), json!(elapsed));
        }
        "GAME_ENDED" => {
            let elapsed = times.now.saturating_sub(times.opened_at);
            fields.insert("durationMs".to_owned(), json!(elapsed));
        }
        _ => {}
    }
}

/// The name of the field that has the name beside a player's id:
/// `targetName` beside `targetId`.
fn name_field(id_field: &str) -> Option<String> {
    match id_field {
        "gameId" | "turnId" => None,
        _ => id_field.strip_suffix("Id").map(|stem| format!("{stem}Name")),
    }
}

/// Writes the player's name after each id.
pub fn add_names(value: &mut Value, table: &Setup<Rules>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| add_names(item, table)),
        Value::Object(fields) => {
            let mut named = Map::new();
            for (field, mut value) in std::mem::take(fields) {
                add_names(&mut value, table);
                let name = name_field(&field).map(|name| (name, name_of(&value, table)));
                named.insert(field, value);
                named.extend(name);
            }
            *fields = named;
        }
        _ => {}
    }
}

fn name_of(id: &Value, table: &Setup<Rules>) -> Value {
    let player = id.as_str().and_then(|id| id.parse::<PlayerId>().ok());
    player.map_or(Value::Null, |player| json!(table.name(player)))
}

fn add_time_to_schema(schema: &mut Value, definition: &str, field: &str) {
    let Some(definition) = schema.pointer_mut(&format!("/$defs/{definition}")) else { return };
    definition["properties"][field] = json!({ "type": "integer", "minimum": 0 });
    require(definition, field);
}

fn require(schema: &mut Value, field: &str) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.push(json!(field));
    }
}

/// Asks for a name beside each id, wherever a schema has one.
pub fn add_names_to_schema(schema: &mut Value) {
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let ids: Vec<(String, bool)> = properties
            .iter()
            .filter_map(|(field, id)| {
                let may_be_null = id.get("anyOf").is_some();
                name_field(field).map(|name| (name, may_be_null))
            })
            .collect();
        for (name, may_be_null) in ids {
            let kind = if may_be_null { json!(["string", "null"]) } else { json!("string") };
            schema["properties"][&name] = json!({ "type": kind });
            require(schema, &name);
        }
    }
    match schema {
        Value::Array(items) => items.iter_mut().for_each(add_names_to_schema),
        Value::Object(fields) => fields.values_mut().for_each(add_names_to_schema),
        _ => {}
    }
}
