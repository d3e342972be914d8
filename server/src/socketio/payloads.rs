//! The shapes of what a socket is sent, as `docs/contracts/binokel-events.md` has
//! them.

use std::collections::BTreeMap;

use parlor_kernel::RefusalNotice;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::handshake::Client;
use crate::api_error::ApiError;
use crate::table::{Frame, Termination};
use crate::time::now;

/// `game:events`: what happened.
#[derive(JsonSchema, Serialize)]
pub struct Events<'a> {
    #[schemars(with = "Vec<Value>")]
    pub events: Vec<&'a RawValue>,
}

/// `game:state`: everything that happened so far.
#[derive(JsonSchema, Serialize)]
pub struct GameState<'a> {
    #[schemars(with = "Vec<Value>")]
    pub events: Vec<&'a RawValue>,
    /// By seat.
    pub nicknames: BTreeMap<String, String>,
}

/// Messages as they are, to be put into a greater one.
pub fn raw(frames: &[Frame]) -> Vec<&RawValue> {
    // A dialect speaks JSON; what is none is no message.
    frames.iter().filter_map(|frame| serde_json::from_str(&frame.text).ok()).collect()
}

/// `game:answer`: a command under a key is done, and was perhaps before.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Answer")]
pub struct GameAnswer<'a> {
    /// The key, as it came with the command.
    pub idempotency_key: &'a str,
    /// The sequence of the last event it made.
    pub sequence: u64,
}

/// `game:sync`: a client asks for what came after the event it has last.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncRequest {
    /// The sequence of that event; 0 for everything.
    pub last_event_sequence: u64,
}

/// `session:terminated`: the room is closed.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Terminated<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminated_by: Option<&'a str>,
}

impl<'a> From<&'a Termination> for Terminated<'a> {
    fn from(termination: &'a Termination) -> Self {
        Terminated { message: &termination.message, terminated_by: termination.by.as_deref() }
    }
}

/// Something that is no part of the log: a refusal, a coming or going.
pub struct Notice {
    /// The event it is sent as.
    pub event: String,
    /// What comes with it.
    pub payload: Value,
}

impl Notice {
    /// A dialect's notice is an object whose `type` names the event.
    pub fn read(text: &str) -> Option<Notice> {
        let mut payload: Value = serde_json::from_str(text).ok()?;
        let Some(Value::String(event)) = payload.as_object_mut()?.shift_remove("type") else {
            return None;
        };
        Some(Notice { event, payload })
    }
}

/// An error in the contract's words: its code is one of four, the precise
/// reason stands beside it.
pub struct ErrorEvent {
    code: &'static str,
    reason: &'static str,
    message: String,
}

/// The contract's code for whatever of this event fails beside the game's rules.
fn code_of(event: &str) -> &'static str {
    match event {
        "game:sync" => "SYNC_FAILED",
        "game:goOut" => "GOOUT_FAILED",
        _ => "INVALID_MOVE",
    }
}

impl ErrorEvent {
    /// An error of the API in answer to this event.
    pub fn of(event: &str, error: &ApiError) -> ErrorEvent {
        let (code, reason) = match error {
            ApiError::Game { code, reason, .. } => (*code, reason.unwrap_or(code)),
            ApiError::SeatsOpen => (code_of(event), "NOT_ENOUGH_PLAYERS"),
            ApiError::AlreadyStarted => (code_of(event), "GAME_ALREADY_STARTED"),
            other => (code_of(event), other.code()),
        };
        ErrorEvent { code, reason, message: error.to_string() }
    }

    /// The error as the room's dialect says it.
    pub fn notice(&self, client: &Client) -> Option<Notice> {
        let notice = RefusalNotice {
            seat: client.seat,
            code: self.code,
            reason: Some(self.reason),
            message: &self.message,
            id: "evt_error",
            timestamp: now(),
            is_over: false,
        };
        Notice::read(&client.game.refusal(client.room.dialect, &notice)?)
    }
}
