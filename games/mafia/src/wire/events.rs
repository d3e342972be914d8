//! The dialect `mafia.events`: the contract's envelope, each viewer's own.

use std::borrow::Cow;

use parlor_kernel::{
    ClientMessage, Dialect, EventSchema, MessageError, Moment, PlainPresence, RefusalNotice, Told,
    schema_of,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::commands;
use super::snapshot::Snapshot;
use crate::Mafia;
use crate::action::Action;
use crate::seen::Seen;
use crate::state::Knowledge;

/// The dialect `mafia.events`.
pub(super) struct Events;

/// The contract's envelope. `sequence` counts what this viewer is told, from
/// 0; a gap would tell of something hidden.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a, P> {
    event_type: Cow<'a, str>,
    game_id: &'a str,
    sequence: u64,
    timestamp: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    private: bool,
    payload: P,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<u32>,
}

fn write(envelope: &impl Serialize) -> String {
    // Everything said is plain data with string keys.
    serde_json::to_string(envelope).expect("what is said is plain data")
}

impl Dialect<Mafia> for Events {
    fn name(&self) -> &'static str {
        "mafia.events"
    }

    fn speak(
        &self,
        _before: &Knowledge,
        step: &[Seen],
        after: &Knowledge,
        moment: &Moment,
        out: &mut Vec<String>,
    ) {
        for (sequence, seen) in (moment.position..).zip(step) {
            let payload: Box<RawValue> = Mafia::payload_seen(after, seen, &moment.times);
            out.push(write(&Envelope {
                event_type: Cow::Borrowed(seen.event_type()),
                game_id: moment.game_id,
                sequence,
                timestamp: moment.timestamp,
                private: seen.is_private(),
                payload,
                seconds_left: None,
            }));
        }
    }

    fn snapshot(&self, knowledge: &Knowledge, moment: &Moment) -> String {
        write(&Envelope {
            event_type: Cow::Borrowed("SNAPSHOT"),
            game_id: moment.game_id,
            sequence: moment.position,
            timestamp: moment.timestamp,
            private: false,
            payload: knowledge,
            seconds_left: moment.seconds_left,
        })
    }

    fn refusal(&self, notice: &RefusalNotice) -> String {
        write(&CommandRefused::of(notice))
    }

    fn hear(&self, message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
        commands::hear(message)
    }

    fn schemas(&self) -> Vec<EventSchema> {
        let mut schemas = told_schemas();
        schemas.push(snapshot_schema());
        schemas.push(CommandRefused::schema());
        schemas.push(PlainPresence::schema());
        schemas.extend(commands::schemas());
        schemas
    }
}

fn envelope_properties(name: &str, payload: Value) -> Value {
    json!({
        "eventType": { "const": name },
        "gameId": { "type": "string" },
        "sequence": { "type": "integer", "minimum": 0 },
        "timestamp": { "type": "integer", "minimum": 0 },
        "private": { "type": "boolean" },
        "payload": payload,
    })
}

/// One schema for each kind of event, cut out of the schema of what is seen.
fn told_schemas() -> Vec<EventSchema> {
    let seen = Mafia::schema_seen();
    let variants = seen["oneOf"].as_array().cloned().unwrap_or_default();
    let told = |variant: Value| {
        let name = variant.pointer("/properties/eventType/const")?.as_str()?.to_owned();
        let payload = variant.pointer("/properties/payload")?.clone();
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": name,
            "type": "object",
            "properties": envelope_properties(&name, payload),
            "required": ["eventType", "gameId", "sequence", "timestamp", "payload"],
            "$defs": seen["$defs"],
        });
        Some(EventSchema { name, is_command: false, schema })
    };
    variants.into_iter().filter_map(told).collect()
}

fn snapshot_schema() -> EventSchema {
    let name = "SNAPSHOT".to_owned();
    let mut payload = Snapshot::schema();
    let definitions = payload.as_object_mut().and_then(|schema| schema.remove("$defs"));
    let mut properties = envelope_properties(&name, payload);
    properties["secondsLeft"] = json!({ "type": "integer", "minimum": 0 });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "type": "object",
        "properties": properties,
        "required": ["eventType", "gameId", "sequence", "timestamp", "payload"],
        "$defs": definitions,
    });
    EventSchema { name, is_command: false, schema }
}

/// ＋ Why a command was not taken. It is no part of the log.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "COMMAND_REFUSED")]
struct CommandRefused<'a> {
    event_type: RefusedTag,
    /// Milliseconds since 1970.
    timestamp: u64,
    /// Always true.
    private: bool,
    payload: RefusedCommand<'a>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
enum RefusedTag {
    #[serde(rename = "COMMAND_REFUSED")]
    CommandRefused,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
struct RefusedCommand<'a> {
    /// Who sent it.
    agent_id: &'static str,
    /// Why, as a code.
    code: &'a str,
    /// The same in a sentence.
    message: &'a str,
    /// False once the game is over.
    retry_allowed: bool,
}

impl<'a> CommandRefused<'a> {
    fn of(notice: &RefusalNotice<'a>) -> CommandRefused<'a> {
        CommandRefused {
            event_type: RefusedTag::CommandRefused,
            timestamp: notice.timestamp,
            private: true,
            payload: RefusedCommand {
                agent_id: notice.seat.id(),
                code: notice.code,
                message: notice.message,
                retry_allowed: !notice.is_over,
            },
        }
    }

    fn schema() -> EventSchema {
        let (name, schema) = ("COMMAND_REFUSED".to_owned(), schema_of::<CommandRefused>());
        EventSchema { name, is_command: false, schema }
    }
}
