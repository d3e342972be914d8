//! The wire to a language model: a request goes out, lines come back.
//!
//! Everything an agent learns about a model's answer, also when it came and
//! how it failed, comes through here. So a recording of the wire is enough to
//! play a game again.

use std::time::Duration;

use parlor_mafia::PlayerId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::BoxFuture;
use crate::llm::account::Tokens;
use crate::llm::way::Way;

/// One request to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The game it is for.
    pub game: String,
    /// The seat that asks.
    pub seat: PlayerId,
    /// Which call of this seat in this game, from 1.
    pub number: u32,
    /// What is asked: the body of a chat completion, but for what its answer
    /// looks like.
    pub request: Value,
    /// A JSON schema for the answer.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub answer: Value,
    /// In which way the endpoint is told of it; none: as it takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<Way>,
    /// How long the whole answer may take, in milliseconds.
    pub within_ms: u64,
}

/// What comes back, and how long after the request, in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Received {
    /// A line of the stream.
    Line {
        /// When.
        at: u64,
        /// The line, without its end.
        line: String,
    },
    /// It failed. Nothing comes after it.
    Failed {
        /// When.
        at: u64,
        /// How.
        fault: WireFault,
    },
    /// The stream ended.
    End {
        /// When.
        at: u64,
    },
}

/// How a request can fail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "camelCase")]
pub enum WireFault {
    /// Nobody answers there.
    #[error("the endpoint cannot be reached: {0}")]
    Unreachable(String),
    /// The endpoint refuses.
    #[error("the endpoint answers {status}{}", brackets(.body))]
    #[serde(rename_all = "camelCase")]
    Status {
        /// The status of the answer.
        status: u16,
        /// When to come back, if it says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after_ms: Option<u64>,
        /// The beginning of what it says.
        body: String,
    },
    /// The answer is no stream of events.
    #[error("the endpoint answers with '{0}', not with text/event-stream")]
    NoStream(String),
    /// The connection broke.
    #[error("the answer broke off: {0}")]
    Broken(String),
    /// A line of the stream is longer than any line may be.
    #[error("a line of the answer is longer than {0} bytes")]
    EndlessLine(usize),
    /// The time was up.
    #[error("no whole answer within {0} ms")]
    TimedOut(u64),
    /// Nothing may be spent any more: nobody was asked.
    #[error("{0}")]
    Spent(String),
    /// A replay was asked something that was never recorded.
    #[error("the recording has no answer to this: {0}")]
    NotRecorded(String),
}

/// What an endpoint says whose account is used up: no wait mends that.
const OVER: [&str; 5] =
    ["insufficient_quota", "insufficient balance", "credit balance", "billing", "model_not_found"];

fn brackets(body: &str) -> String {
    if body.is_empty() { String::new() } else { format!(" ({body})") }
}

impl WireFault {
    /// Whether the same request might do better in a moment. A wrong key or
    /// model stays wrong, and so does an account without money.
    pub fn may_pass(&self) -> bool {
        match self {
            WireFault::Status { status, body, .. } => {
                let says = body.to_lowercase();
                let is_over = || OVER.iter().any(|it| says.contains(it));
                matches!(status, 408 | 409 | 425 | 429 | 500 | 502..=504 | 506..) && !is_over()
            }
            WireFault::Unreachable(_) | WireFault::Broken(_) | WireFault::TimedOut(_) => true,
            WireFault::NoStream(_)
            | WireFault::EndlessLine(_)
            | WireFault::Spent(_)
            | WireFault::NotRecorded(_) => false,
        }
    }

    /// Whether nobody was asked at all.
    pub fn is_unasked(&self) -> bool {
        matches!(self, WireFault::Spent(_) | WireFault::NotRecorded(_))
    }

    /// When the endpoint wants to be asked again.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            WireFault::Status { retry_after_ms, .. } => retry_after_ms.map(Duration::from_millis),
            _ => None,
        }
    }
}

/// An answer under way.
pub trait ModelReply: Send {
    /// What comes next. After an end or a failure, nothing more is asked for.
    fn next(&mut self) -> BoxFuture<'_, Received>;
}

/// A way to a model.
pub trait Wire: Send + Sync {
    /// Sends a request.
    fn call(&self, call: ModelCall) -> Box<dyn ModelReply>;

    /// Waits before the next try. A replay does not.
    fn rest(&self, time: Duration) -> BoxFuture<'_, ()>;

    /// Books what an answer took. A replay takes nothing.
    fn book(&self, _tokens: &Tokens) {}
}
