//! Times told beside events: how long a game runs, how long a question stands.
//!
//! A game itself knows no clock. What it tells of time is written into
//! envelopes and wires by whoever appends, from the times of the steps.

use crate::awaiting::Awaiting;
use crate::game::Game;

/// When a step was made, and since when things stood as it found them. All in
/// milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// When the step was made.
    pub now: u64,
    /// When the game was opened.
    pub opened_at: u64,
    /// When the game began to wait for what it waited for before the step.
    pub asked_at: u64,
}

/// Follows the steps of a game and keeps its times.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timekeeper {
    opened_at: Option<u64>,
    asked_at: u64,
    asked: Option<&'static str>,
}

impl Timekeeper {
    /// The times of a step made now.
    pub fn times(&self, now: u64) -> Times {
        let opened_at = self.opened_at.unwrap_or(now);
        Times { now, opened_at, asked_at: self.asked_at.max(opened_at) }
    }

    /// A step was made at `now` and left the game waiting like this.
    pub fn step<G: Game>(&mut self, now: u64, state: &G::State) {
        self.step_to(now, asked::<G>(state));
    }

    pub(crate) fn step_to(&mut self, now: u64, asked: Option<&'static str>) {
        self.opened_at.get_or_insert(now);
        if self.asked != asked {
            self.asked = asked;
            self.asked_at = now;
        }
    }
}

/// What the game asks for, as its awaiting names it.
pub(crate) fn asked<G: Game>(state: &G::State) -> Option<&'static str> {
    match G::awaiting(state) {
        Awaiting::Seats { kind, .. } | Awaiting::House { kind } => Some(kind),
        Awaiting::Nobody => None,
    }
}
