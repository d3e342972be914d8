//! Notices in plain words: how a refusal and a coming or going are told in
//! dialects that have no words of their own for them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::dialect::{EventSchema, Presence, RefusalNotice, schema_of};

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
enum RefusalTag {
    #[serde(rename = "refusal")]
    Refusal,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
enum PresenceTag {
    #[serde(rename = "presence")]
    Presence,
}

/// Why a seat's move was refused. It is no part of the log.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "refusal")]
pub struct PlainRefusal<'a> {
    r#type: RefusalTag,
    /// Who is refused.
    player_id: &'static str,
    /// The game's code.
    code: &'a str,
    /// The same in a sentence.
    error: &'a str,
}

impl<'a> PlainRefusal<'a> {
    /// What is told of this refusal.
    pub fn of(notice: &RefusalNotice<'a>) -> PlainRefusal<'a> {
        PlainRefusal {
            r#type: RefusalTag::Refusal,
            player_id: notice.seat.id(),
            code: notice.code,
            error: notice.message,
        }
    }

    /// Its schema, for the dialects that tell refusals so.
    pub fn schema() -> EventSchema {
        told::<PlainRefusal<'static>>("refusal")
    }
}

/// A player came, went away or came back. It is no part of the log.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "presence")]
pub struct PlainPresence {
    r#type: PresenceTag,
    /// Who.
    player_id: &'static str,
    /// Whether they are there now.
    connected: bool,
    /// Milliseconds since 1970.
    timestamp: u64,
}

impl PlainPresence {
    /// What is told of this coming or going.
    pub fn of(presence: &Presence) -> PlainPresence {
        PlainPresence {
            r#type: PresenceTag::Presence,
            player_id: presence.seat.id(),
            connected: presence.is_here(),
            timestamp: presence.timestamp,
        }
    }

    /// Its schema, for the dialects that tell comings and goings so.
    pub fn schema() -> EventSchema {
        told::<PlainPresence>("presence")
    }
}

fn told<T: JsonSchema>(name: &str) -> EventSchema {
    EventSchema { name: name.to_owned(), is_command: false, schema: schema_of::<T>() }
}
