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
    /// When the game began to wait for what it waited for before the step, later
    /// by the pauses since.
    pub asked_at: u64,
}

/// Follows the steps of a game and keeps its times.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timekeeper {
    opened_at: Option<u64>,
    asked_at: u64,
    asked: Option<Question>,
    rests_since: Option<u64>,
    begins_anew: bool,
}

/// What a game asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Nothing: it is paused.
    Rest,
    /// What its awaiting names.
    Of(&'static str),
}

impl Timekeeper {
    /// The times as they were kept before pauses were left out: a question
    /// began anew after one. Old logs tell of them.
    pub fn that_begins_anew() -> Timekeeper {
        Timekeeper { begins_anew: true, ..Timekeeper::default() }
    }

    /// The times of a step made now.
    pub fn times(&self, now: u64) -> Times {
        let opened_at = self.opened_at.unwrap_or(now);
        Times { now, opened_at, asked_at: self.asked_at.max(opened_at) }
    }

    /// A step was made at `now` and left the game waiting like this.
    pub fn step<G: Game>(&mut self, now: u64, state: &G::State) {
        self.step_to(now, asked::<G>(state));
    }

    pub(crate) fn step_to(&mut self, now: u64, asked: Option<Question>) {
        self.opened_at.get_or_insert(now);
        if asked == Some(Question::Rest) && !self.begins_anew {
            self.rests_since.get_or_insert(now);
            return;
        }
        let rested = self.rests_since.take().map_or(0, |since| now.saturating_sub(since));
        if self.asked == asked {
            self.asked_at = self.asked_at.saturating_add(rested);
        } else {
            self.asked = asked;
            self.asked_at = now;
        }
    }
}

/// What the game asks for.
pub(crate) fn asked<G: Game>(state: &G::State) -> Option<Question> {
    match G::awaiting(state) {
        paused if paused.is_paused() => Some(Question::Rest),
        Awaiting::Seats { kind, .. } | Awaiting::House { kind } => Some(Question::Of(kind)),
        Awaiting::Nobody => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_stands_from_its_beginning_without_the_pauses() {
        let (speak, vote) = (Some(Question::Of("SPEAK")), Some(Question::Of("VOTE")));
        let mut keeper = Timekeeper::default();
        let mut former = Timekeeper::that_begins_anew();
        for (now, asked) in
            [(0, speak), (10, vote), (15, Some(Question::Rest)), (115, vote), (118, vote)]
        {
            keeper.step_to(now, asked);
            former.step_to(now, asked);
        }
        let elapsed = |keeper: &Timekeeper| 120 - keeper.times(120).asked_at;
        assert_eq!(elapsed(&keeper), 10, "five before the pause and five after it");
        assert_eq!(elapsed(&former), 5);
        keeper.step_to(130, Some(Question::Rest));
        keeper.step_to(140, speak);
        assert_eq!(keeper.times(141).asked_at, 140, "another question begins anew");
    }
}
