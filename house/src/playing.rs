//! A game under way, without its types.
//!
//! Nothing changes until it is durable: a move makes a [`Proposal`], the
//! caller stores it, and only then [`Playing::settle`] lets it happen and
//! tells every view. A proposal that could not be stored is withdrawn.

mod typed;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::{Awaiting, CalledOff, Envelope, Order, Refuse, Score, Seat, Sitting, Viewer};
use parlor_players::BoxFuture;
use serde::Serialize;

use crate::agents::{ActSink, PlayedBy};
use crate::error::HouseError;

pub(crate) use typed::Match;

/// A move, understood by its game and opaque to everyone else.
pub struct Act(Box<dyn Opaque>);

/// Any game's action.
trait Opaque: Any + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn to_json(&self) -> String;
}

impl<A: Serialize + Send + Sync + 'static> Opaque for A {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn to_json(&self) -> String {
        // An action is plain data; if not, it is still told from others.
        serde_json::to_string(self).unwrap_or_else(|error| error.to_string())
    }
}

impl Act {
    pub(crate) fn new(action: impl Serialize + Send + Sync + 'static) -> Act {
        Act(Box::new(action))
    }

    /// The action, if it is one of this kind.
    pub(crate) fn action<A: 'static>(&self) -> Option<&A> {
        (*self.0).as_any().downcast_ref()
    }

    /// The action as the log has it: the same for the same move, whichever
    /// dialect it came in.
    pub fn to_json(&self) -> String {
        (*self.0).to_json()
    }
}

/// Events that will have happened once they are stored.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The game.
    pub game_id: Arc<str>,
    /// How many events the log must hold already.
    pub expected: u64,
    /// The events, in their envelopes.
    pub envelopes: Vec<Envelope>,
    /// How the game is over with them; none if it goes on.
    pub ends: Option<Ending>,
}

/// How a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By its rules.
    PlayedOut,
    /// Before its time.
    CalledOff(CalledOff),
}

/// A game's refusal.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The code on the wire.
    pub code: &'static str,
    /// The precise reason, where the code is a coarse one.
    pub reason: Option<&'static str>,
    /// The sentence.
    pub message: String,
    /// Whether the same might be fine at another moment.
    pub untimely: bool,
}

impl Refusal {
    pub(crate) fn by(refusal: &impl Refuse) -> Refusal {
        Refusal {
            code: refusal.code(),
            reason: refusal.reason(),
            message: refusal.to_string(),
            untimely: refusal.is_untimely(),
        }
    }
}

/// The messages that one viewer gets in one dialect for a step.
#[derive(Clone, Debug)]
pub struct StepMessages {
    /// Who they are for.
    pub viewer: Viewer,
    /// In which dialect.
    pub dialect: &'static str,
    /// The position of the first message.
    pub first: u64,
    /// The messages, as JSON texts.
    pub messages: Vec<String>,
}

/// The messages that came after a position, from the log.
#[derive(Clone, Debug)]
pub struct Backlog {
    /// The position of the first message.
    pub first: u64,
    /// The messages, as JSON texts.
    pub messages: Vec<String>,
    /// The position of the present.
    pub position: u64,
}

/// A game under way.
pub trait Playing: Send + Sync {
    /// The game's id.
    fn game_id(&self) -> &str;
    /// How many events its log holds.
    fn position(&self) -> u64;
    /// When the last step was made.
    fn last_step_at(&self) -> u64;
    /// When the last step was made that others may want time to take in: what
    /// agents think and report is none.
    fn last_beat_at(&self) -> u64;
    /// Since when this seat has been asked what it is asked; none if it is not.
    fn asked_at(&self, seat: Seat) -> Option<u64>;
    /// Whom it waits for.
    fn awaiting(&self) -> Awaiting;
    /// Whether it stands still until it is told to go on.
    fn is_paused(&self) -> bool {
        self.awaiting().is_paused()
    }
    /// How it is over; none if it is not.
    fn ending(&self) -> Option<Ending>;
    /// How long the seat may think now.
    fn clock(&self, seat: Seat) -> Option<Duration>;
    /// How it stands.
    fn score(&self) -> Score;
    /// Who sits where.
    fn seats(&self) -> &[Sitting];
    /// Who plays a seat.
    fn played_by(&self, seat: Seat) -> PlayedBy;
    /// Whether the log does not yet tell of some agent that it plays here.
    fn awaits_introduction(&self) -> bool;

    /// Whether this is something beside the moves, for which nobody waits.
    fn is_aside(&self, act: &Act) -> bool;
    /// A seat moves.
    fn act(&mut self, seat: Seat, act: &Act, now: u64) -> Result<Proposal, Refusal>;
    /// An agent asks to be told of; none if the log tells of all.
    fn introduce(&mut self, now: u64) -> Option<Proposal>;
    /// Asks the agent in this seat, while the future runs. What it does goes
    /// to `sink`; none if no agent is awaited there.
    fn ask_agent(&self, seat: Seat, sink: ActSink) -> Option<BoxFuture<'static, ()>>;
    /// Ends the words an agent was in the midst of when it was let go; none
    /// if it was not.
    fn break_off(&mut self, seat: Seat, now: u64) -> Option<Proposal>;
    /// A seat's time is up; none if it is not awaited.
    fn expire(&mut self, seat: Seat, now: u64) -> Option<Proposal>;
    /// The house goes on; none if it is not its turn.
    fn proceed(&mut self, now: u64) -> Option<Proposal>;
    /// Whoever runs the server orders something; none if the game cannot follow
    /// the order now.
    fn order(&mut self, order: Order, now: u64) -> Option<Proposal>;
    /// A bot that is awaited moves; none if no bot is.
    fn bot_acts(&mut self, now: u64) -> Option<Proposal>;
    /// How long a person may be away before a bot plays for them; none where
    /// nobody does.
    fn takeover(&self) -> Option<Duration>;
    /// A bot moves for the person in this seat, who is away; none if nobody
    /// stands in there.
    fn stand_in_acts(&mut self, seat: Seat, now: u64) -> Option<Proposal>;
    /// The proposal is stored: it happens, and every view is told.
    fn settle(&mut self) -> Vec<StepMessages>;
    /// The proposal was not stored: it never happens.
    fn withdraw(&mut self);

    /// The position a view has reached; none if it is not told.
    fn position_of(&self, viewer: Viewer, dialect: &str) -> Option<u64>;
    /// Tells a view from now on: what came after `after`, from the log so far.
    fn subscribe(
        &mut self,
        viewer: Viewer,
        dialect: &str,
        log: &[Envelope],
        after: u64,
    ) -> Result<Backlog, HouseError>;
    /// Stops telling a view.
    fn unsubscribe(&mut self, viewer: Viewer, dialect: &str);
    /// What a viewer knows, as one message and the position it reflects.
    fn snapshot(
        &self,
        viewer: Viewer,
        dialect: &str,
        now: u64,
        seconds_left: Option<u32>,
    ) -> Option<(u64, String)>;
}
