//! The envelope: how one event is stored, exported and sent.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::game::Game;
use crate::hosted::Order;
use crate::log::LogError;
use crate::seat::Seat;
use crate::tagged::event_type;
use crate::times::Times;
use crate::told::Told;

/// Who made a step happen. It stands on the first event of each step, so a
/// whole game can be played again from its seed and compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum Cause<A> {
    /// The house: opening the game, dealing the next round.
    House,
    /// A seat, by this action.
    Seat {
        /// Who acted.
        seat: Seat,
        /// What was done.
        action: A,
    },
    /// The clock, for a seat whose time was up.
    Clock {
        /// Whose time was up.
        seat: Seat,
        /// What was done in its place.
        action: A,
    },
    /// A bot, for a person who is away.
    #[serde(rename = "stand-in")]
    StandIn {
        /// Who is away.
        seat: Seat,
        /// What was done in their place.
        action: A,
    },
    /// Whoever runs the house, by this order.
    Order {
        /// What was ordered.
        order: Order,
    },
}

/// One event as it stands in the log: a line of JSONL, a row of the store.
/// A field of another name is an edit, so reading it is an error.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Envelope {
    /// What kind of event this is.
    pub event_type: Cow<'static, str>,
    /// The game it belongs to.
    pub game_id: Arc<str>,
    /// Its place in the game's log: 0, 1, 2, …
    pub sequence: u64,
    /// When it was written, in milliseconds since 1970.
    pub timestamp: u64,
    /// Whether some viewer may not see all of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// The event itself.
    pub payload: Box<RawValue>,
    /// Who made it happen; only on the first event of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<RawValue>>,
    /// The version of the event format.
    pub v: u32,
}

/// The raw JSON texts are compared as they stand: a log is the same only if
/// it is the same to the byte.
impl PartialEq for Envelope {
    fn eq(&self, other: &Self) -> bool {
        self.event_type == other.event_type
            && self.game_id == other.game_id
            && self.sequence == other.sequence
            && self.timestamp == other.timestamp
            && self.private == other.private
            && self.payload.get() == other.payload.get()
            && self.cause.as_deref().map(RawValue::get) == other.cause.as_deref().map(RawValue::get)
            && self.v == other.v
    }
}

#[derive(Serialize)]
struct Retagged<'a> {
    #[serde(rename = "eventType")]
    event_type: &'a str,
    payload: &'a RawValue,
}

/// A value as raw JSON.
pub(crate) fn raw(value: &impl Serialize) -> Box<RawValue> {
    // Actions and causes are plain data with string keys.
    serde_json::value::to_raw_value(value).expect("a cause is plain data")
}

impl Envelope {
    /// Puts an event of `G` into its envelope; `state` is the truth just after it.
    pub fn seal_up<G: Told>(
        game_id: &Arc<str>,
        sequence: u64,
        times: &Times,
        state: &G::State,
        event: &G::Event,
        cause: Option<&Cause<G::Action>>,
    ) -> Envelope {
        Envelope {
            event_type: Cow::Borrowed(event_type(event)),
            game_id: Arc::clone(game_id),
            sequence,
            timestamp: times.now,
            private: G::is_private(state, event),
            payload: G::payload(state, event, times),
            cause: cause.map(raw),
            v: G::VERSION,
        }
    }

    /// Takes the event out again.
    pub fn event<G: Game>(&self) -> Result<G::Event, LogError> {
        if self.v > G::VERSION {
            return Err(LogError::NewerVersion {
                sequence: self.sequence,
                found: self.v,
                known: G::VERSION,
            });
        }
        let foreign = |reason: serde_json::Error| self.foreign::<G>(reason.to_string());
        let text = serde_json::to_string(&Retagged {
            event_type: &self.event_type,
            payload: &self.payload,
        })
        .map_err(foreign)?;
        serde_json::from_str(&text).map_err(foreign)
    }

    /// Takes the cause out, if this event begins a step.
    pub fn cause<G: Game>(&self) -> Result<Option<Cause<G::Action>>, LogError> {
        self.cause
            .as_deref()
            .map(|cause| serde_json::from_str(cause.get()))
            .transpose()
            .map_err(|reason| self.foreign::<G>(format!("its cause is unknown: {reason}")))
    }

    fn foreign<G: Game>(&self, reason: String) -> LogError {
        LogError::ForeignEvent {
            sequence: self.sequence,
            event_type: self.event_type.to_string(),
            game: G::NAME,
            reason,
        }
    }
}
