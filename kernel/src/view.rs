//! One viewer's reading of a log, in knowledge or in a dialect.

use std::sync::Arc;

use crate::dialect::{Dialect, Moment};
use crate::game::Game;
use crate::log::Log;
use crate::seat::Viewer;
use crate::times::{Question, Timekeeper, asked};

/// What one viewer knows, kept up to date event by event.
#[derive(Clone, Debug)]
pub struct View<G: Game> {
    viewer: Viewer,
    knowledge: G::Knowledge,
}

impl<G: Game> View<G> {
    /// A viewer who has seen nothing yet.
    pub fn new(viewer: Viewer) -> View<G> {
        View { viewer, knowledge: G::unaware(viewer) }
    }

    /// Whose view this is.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// What the viewer knows.
    #[inline]
    pub fn knowledge(&self) -> &G::Knowledge {
        &self.knowledge
    }

    /// Lets the viewer see an event; `state` is the truth just after it.
    #[inline]
    pub fn witness(&mut self, state: &G::State, event: &G::Event) -> Option<G::Seen> {
        let seen = G::see(state, event, self.viewer)?;
        G::learn(&mut self.knowledge, &seen);
        Some(seen)
    }

    /// Like [`View::witness`] for those who only care what is known after:
    /// what was seen is not handed on, so it need not be built at all. That
    /// holds only where it is inlined, which a second caller would put off:
    /// stud's deals would take a seventh longer.
    #[inline(always)]
    pub fn follow(&mut self, state: &G::State, event: &G::Event) {
        if let Some(seen) = G::see(state, event, self.viewer) {
            G::learn(&mut self.knowledge, &seen);
        }
    }

    /// Learns what everyone sees alike.
    #[inline]
    pub(crate) fn learn(&mut self, seen: &G::Seen) {
        G::learn(&mut self.knowledge, seen);
    }
}

/// A viewer who hears a game told in one dialect: a dense stream of wire
/// events, numbered 1, 2, 3 …
pub struct DialectView<G: Game> {
    view: View<G>,
    dialect: Arc<dyn Dialect<G>>,
    position: u64,
    before: G::Knowledge,
    step: Vec<G::Seen>,
    keeper: Timekeeper,
    asked: Option<Question>,
}

impl<G: Game> DialectView<G> {
    /// Someone who has heard nothing yet.
    pub fn new(viewer: Viewer, dialect: Arc<dyn Dialect<G>>) -> DialectView<G> {
        DialectView {
            view: View::new(viewer),
            dialect,
            position: 0,
            before: G::unaware(viewer),
            step: Vec::new(),
            keeper: Timekeeper::default(),
            asked: None,
        }
    }

    /// Whose view is told.
    pub fn viewer(&self) -> Viewer {
        self.view.viewer
    }

    /// The position of the last wire event told.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// What the viewer knows.
    pub fn knowledge(&self) -> &G::Knowledge {
        self.view.knowledge()
    }

    /// The dialect the game is told in.
    pub fn dialect(&self) -> &dyn Dialect<G> {
        &*self.dialect
    }

    /// Sees one event of the step under way.
    pub fn witness(&mut self, state: &G::State, event: &G::Event) {
        let seen = self.view.witness(state, event);
        self.step.extend(seen);
        self.asked = asked::<G>(state);
    }

    /// Ends the step: what it was, in the dialect, one JSON text per wire
    /// event. The first of them has the position before this call plus one.
    pub fn told(&mut self, game_id: &str, timestamp: u64) -> Vec<String> {
        let mut said = Vec::new();
        if !self.step.is_empty() {
            let moment = self.moment(game_id, timestamp, None);
            let after = &self.view.knowledge;
            self.dialect.speak(&self.before, &self.step, after, &moment, &mut said);
        }
        self.end_step(timestamp, said.len());
        said
    }

    fn end_step(&mut self, timestamp: u64, said: usize) {
        if !self.step.is_empty() {
            self.before.clone_from(&self.view.knowledge);
            self.step.clear();
        }
        self.keeper.step_to(timestamp, self.asked);
        self.position += said as u64;
    }

    /// How many wire events the step will be.
    fn count(&self, game_id: &str, timestamp: u64) -> usize {
        if self.step.is_empty() {
            return 0;
        }
        let moment = self.moment(game_id, timestamp, None);
        self.dialect.count(&self.before, &self.step, &self.view.knowledge, &moment)
    }

    fn moment<'a>(&self, game_id: &'a str, now: u64, seconds_left: Option<u32>) -> Moment<'a> {
        Moment {
            game_id,
            viewer: self.view.viewer,
            position: self.position,
            timestamp: now,
            times: self.keeper.times(now),
            seconds_left,
        }
    }

    /// Hears a whole log from its first event to its last.
    pub fn catch_up(&mut self, log: &Log<G>, game_id: &str) -> Vec<String> {
        self.catch_up_after(log, game_id, 0)
    }

    /// The same for someone who has heard everything up to this position: it is
    /// counted, and not told again.
    pub fn catch_up_after(&mut self, log: &Log<G>, game_id: &str, after: u64) -> Vec<String> {
        let mut state = G::State::default();
        let mut heard = Vec::new();
        for (step, events) in log.by_step() {
            for event in events {
                G::apply(&mut state, event);
                self.witness(&state, event);
            }
            let known = after.saturating_sub(self.position);
            let count = if known > 0 { self.count(game_id, step.timestamp) } else { 0 };
            if known > 0 && count as u64 <= known {
                self.end_step(step.timestamp, count);
            } else {
                heard.extend(self.told(game_id, step.timestamp).into_iter().skip(known as usize));
            }
        }
        heard
    }

    /// What the viewer knows now, as one wire message.
    pub fn snapshot(&self, game_id: &str, now: u64, seconds_left: Option<u32>) -> String {
        let moment = self.moment(game_id, now, seconds_left);
        self.dialect.snapshot(&self.view.knowledge, &moment)
    }
}
