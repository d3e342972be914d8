//! What a table asks of a game: clocks, orders, and what is done beside moves.
//! A game says only where it differs from the defaults.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::awaiting::Awaiting;
use crate::game::Game;
use crate::seat::Seat;

/// What a game may be told to do by whoever runs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Order {
    /// End it before its time.
    CallOff {
        /// Why, for everyone to read.
        reason: String,
    },
    /// Let nobody act until it is resumed.
    Pause,
    /// Go on.
    Resume,
}

/// Why a game ended before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalledOff {
    /// The seat that ended it; none if the house did.
    pub by: Option<Seat>,
    /// Why, in a word or a sentence.
    pub reason: String,
}

/// A game as it is played at a table.
pub trait Hosted: Game {
    /// How many seconds whoever is awaited may think; 0: as long as they like.
    fn turn_seconds(_state: &Self::State) -> u32 {
        0
    }

    /// The options of this seat, read from the truth: what [`Game::options`]
    /// offers it. Needed where a clock runs, whose time-out is the first.
    fn seat_options(_state: &Self::State, _seat: Seat, _out: &mut Vec<Self::Action>) {}

    /// How long this seat may think about what it is asked now; none where
    /// no clock runs.
    fn clock(state: &Self::State, seat: Seat) -> Option<Duration> {
        let seconds = Self::turn_seconds(state);
        let is_timed = seconds > 0 && Self::awaiting(state).includes(seat);
        is_timed.then(|| Duration::from_secs(seconds.into()))
    }

    /// What happens for a seat whose time is up: an action `decide` accepts,
    /// or none if the seat is not awaited, or no clock ever runs. An agent that
    /// comes to no decision is out of time, too, also where no clock runs.
    fn timeout(state: &Self::State, seat: Seat) -> Option<Self::Action> {
        if !Self::awaiting(state).includes(seat) {
            return None;
        }
        let mut options = Vec::new();
        Self::seat_options(state, seat, &mut options);
        options.into_iter().next()
    }

    /// How long a person may be away before a bot plays for them, until they
    /// are back; none where nobody does.
    fn takeover(_rules: &Self::Rules) -> Option<Duration> {
        None
    }

    /// What this seat may do beside its moves, awaited or not: leave, sit
    /// out, speak. Nobody waits for it, and bots are not asked.
    fn asides(_knowledge: &Self::Knowledge, _out: &mut Vec<Self::Action>) {}

    /// Whether this leaves the question a seat is asked as it was: words
    /// before its move, a report about its agent. Its clock runs on.
    fn is_aside(_action: &Self::Action) -> bool {
        false
    }

    /// Ends the game before its time: what happens, with its last event last.
    /// Asked only of a game that runs. Nothing: it cannot be called off.
    fn call_off(_state: &Self::State, _reason: &str, _out: &mut Vec<Self::Event>) {}

    /// Why it ended before its time; none if it runs or was played out.
    fn called_off(_state: &Self::State) -> Option<CalledOff> {
        None
    }

    /// What stops the game until it is resumed, asked only while it runs; none:
    /// it cannot be paused. It then waits like [`Awaiting::paused`].
    fn pause(_state: &Self::State) -> Option<Self::Event> {
        None
    }

    /// What lets the game go on, asked only while it is paused.
    fn resume(_state: &Self::State) -> Option<Self::Event> {
        None
    }

    /// What an order makes happen; nothing where the game does not know it, or
    /// cannot follow it now. The same for every game: it says what is above.
    fn obey(state: &Self::State, order: &Order, out: &mut Vec<Self::Event>) {
        let waits = Self::awaiting(state);
        if waits == Awaiting::Nobody {
            return;
        }
        match order {
            Order::CallOff { reason } => Self::call_off(state, reason, out),
            Order::Pause if !waits.is_paused() => out.extend(Self::pause(state)),
            Order::Resume if waits.is_paused() => out.extend(Self::resume(state)),
            Order::Pause | Order::Resume => {}
        }
    }

    /// Whether something of this game stays closed for good. The postmortem
    /// is then told what [`Game::see`] lets through, instead of being handed
    /// the log as it is stored.
    fn keeps_closed(_state: &Self::State) -> bool {
        false
    }
}
