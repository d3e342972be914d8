//! The typed log of one game: fold it, write it out, read it back, play it again.

use std::sync::Arc;

use crate::dice::Dice;
use crate::envelope::{Cause, Envelope};
use crate::game::Game;
use crate::hosted::Hosted;
use crate::opened::Opened;
use crate::opening::Opening;
use crate::refusal::Refuse;
use crate::run;
use crate::times::Timekeeper;
use crate::told::Told;

/// Where a step begins in the log, who caused it, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<A> {
    /// The index of its first event.
    pub first: u32,
    /// Who made it happen.
    pub cause: Cause<A>,
    /// When, in milliseconds since 1970.
    pub timestamp: u64,
}

/// A game's events in order, and the steps they came in.
#[derive(Clone, Debug, PartialEq)]
pub struct Log<G: Game> {
    /// Every event since the first.
    pub events: Vec<G::Event>,
    /// The steps, in order; the first begins at event 0.
    pub steps: Vec<Step<G::Action>>,
}

impl<G: Game> Default for Log<G> {
    fn default() -> Self {
        Log { events: Vec::new(), steps: Vec::new() }
    }
}

/// Why a sequence of envelopes is not a log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// There is nothing in it.
    #[error("the log is empty")]
    Empty,
    /// An event is missing, doubled or out of order.
    #[error("event {expected} was expected, but event {found} follows")]
    Gap {
        /// The sequence number that had to come.
        expected: u64,
        /// The one that came.
        found: u64,
    },
    /// Two games in one log.
    #[error("event {sequence} belongs to game '{found}', not to '{expected}'")]
    Fork {
        /// The event's place.
        sequence: u64,
        /// The game of the first event.
        expected: String,
        /// The game of this one.
        found: String,
    },
    /// The first event does not open a game, or names another one.
    #[error("the first event does not open this game")]
    NoOpening,
    /// The payload is not this game's event of that type.
    #[error("event {sequence} ('{event_type}') is not an event of {game}: {reason}")]
    ForeignEvent {
        /// The event's place in its log.
        sequence: u64,
        /// What it claims to be.
        event_type: String,
        /// The game it was read as.
        game: &'static str,
        /// What does not fit.
        reason: String,
    },
    /// The version is newer than this program knows.
    #[error("event {sequence} has format version {found}; this program reads up to {known}")]
    NewerVersion {
        /// The event's place in its log.
        sequence: u64,
        /// The version it has.
        found: u32,
        /// The newest version known here.
        known: u32,
    },
}

impl<G: Game> Log<G> {
    /// Notes that a step begins with the next event.
    #[inline]
    pub fn begin(&mut self, cause: Cause<G::Action>, timestamp: u64) {
        self.begin_at(self.events.len(), cause, timestamp);
    }

    /// Notes that a step began with the event at `first`.
    #[inline]
    pub fn begin_at(&mut self, first: usize, cause: Cause<G::Action>, timestamp: u64) {
        self.steps.push(Step { first: first as u32, cause, timestamp });
    }

    /// The events of each step, with what caused it.
    pub fn by_step(&self) -> impl Iterator<Item = (&Step<G::Action>, &[G::Event])> {
        self.steps.iter().enumerate().map(|(index, step)| {
            let end =
                self.steps.get(index + 1).map_or(self.events.len(), |next| next.first as usize);
            (step, &self.events[step.first as usize..end])
        })
    }

    /// What the game was opened with; none if the first event does not open it.
    pub fn opening(&self) -> Option<Opening<G::Rules>> {
        let mut state = G::State::default();
        G::apply(&mut state, self.events.first()?);
        G::opened(&state).map(Opened::opening)
    }

    /// The truth after all of it.
    pub fn fold(&self) -> G::State {
        let mut state = G::State::default();
        for event in &self.events {
            G::apply(&mut state, event);
        }
        state
    }

    /// The envelopes, as stored and exported.
    pub fn envelopes(&self, game_id: &str) -> Vec<Envelope>
    where
        G: Told,
    {
        self.envelopes_timed(game_id, Timekeeper::default())
    }

    /// The envelopes with times kept like this.
    pub fn envelopes_timed(&self, game_id: &str, mut keeper: Timekeeper) -> Vec<Envelope>
    where
        G: Told,
    {
        let game_id = Arc::from(game_id);
        let mut envelopes = Vec::with_capacity(self.events.len());
        let mut state = G::State::default();
        for (step, events) in self.by_step() {
            let times = keeper.times(step.timestamp);
            for (index, event) in events.iter().enumerate() {
                let cause = (index == 0).then_some(&step.cause);
                let sequence = envelopes.len() as u64;
                G::apply(&mut state, event);
                envelopes
                    .push(Envelope::seal_up::<G>(&game_id, sequence, &times, &state, event, cause));
            }
            keeper.step::<G>(step.timestamp, &state);
        }
        envelopes
    }

    /// Reads envelopes back, refusing gaps, forks and foreign events.
    pub fn read(envelopes: &[Envelope]) -> Result<Log<G>, LogError> {
        let first = envelopes.first().ok_or(LogError::Empty)?;
        let mut log = Log::default();
        for (expected, envelope) in (0u64..).zip(envelopes) {
            if envelope.sequence != expected {
                return Err(LogError::Gap { expected, found: envelope.sequence });
            }
            if envelope.game_id != first.game_id {
                return Err(LogError::Fork {
                    sequence: expected,
                    expected: first.game_id.to_string(),
                    found: envelope.game_id.to_string(),
                });
            }
            if let Some(cause) = envelope.cause::<G>()? {
                log.begin(cause, envelope.timestamp);
            } else if expected == 0 {
                return Err(LogError::NoOpening);
            }
            log.events.push(envelope.event::<G>()?);
        }
        match log.opening() {
            Some(opening) if *opening.game_id == *first.game_id => Ok(log),
            _ => Err(LogError::NoOpening),
        }
    }
}

/// The first place where a game, played again from its seed, differs from its log.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("event {sequence} differs: the log has {found}, the rules give {expected}")]
pub struct Difference {
    /// The event's place in the log.
    pub sequence: u64,
    /// What the rules give, as JSON, or a sentence.
    pub expected: String,
    /// What the log has.
    pub found: String,
}

/// Plays the game again from its opening and the recorded actions and
/// compares every event. The commitment must be to the seed it is played from.
/// The truth at the end comes back if all agree.
pub fn reexecute<G: Hosted>(log: &Log<G>) -> Result<G::State, Difference> {
    let opening = log.opening().ok_or_else(|| difference::<G>(0, None, log.events.first()))?;
    if !opening.seal.is_sound() {
        return Err(Difference {
            sequence: 0,
            expected: "the one that its seed and salt make".to_owned(),
            found: format!("the commitment '{}'", opening.seal.commitment()),
        });
    }
    let dice = opening.dice();
    let mut state = G::State::default();
    let mut made = Vec::new();
    for (index, (step, recorded)) in log.by_step().enumerate() {
        made.clear();
        if index == 0 {
            if step.cause != Cause::House {
                return Err(Difference {
                    sequence: 0,
                    expected: "a game that the house opens".to_owned(),
                    found: format!("one opened by {:?}", step.cause),
                });
            }
            G::open(opening.clone(), &dice, &mut made);
        } else {
            check_stand_in::<G>(&opening, step)?;
            repeat_step::<G>(&state, step, &dice, &mut made)?;
        }
        for place in 0..made.len().max(recorded.len()) {
            if made.get(place) != recorded.get(place) {
                let sequence = u64::from(step.first) + place as u64;
                return Err(difference::<G>(sequence, made.get(place), recorded.get(place)));
            }
            G::apply(&mut state, &made[place]);
        }
    }
    Ok(state)
}

/// Bots stand in for people only, and only where the rules say so.
fn check_stand_in<G: Hosted>(
    opening: &Opening<G::Rules>,
    step: &Step<G::Action>,
) -> Result<(), Difference> {
    let Cause::StandIn { seat, .. } = &step.cause else { return Ok(()) };
    let is_person = opening.seats.get(seat.index()).is_some_and(|sitting| sitting.bot.is_none());
    if is_person && G::takeover(&opening.rules).is_some() {
        return Ok(());
    }
    Err(Difference {
        sequence: u64::from(step.first),
        expected: "a seat for which nobody stands in".to_owned(),
        found: format!("a stand-in for {seat}"),
    })
}

fn repeat_step<G: Hosted>(
    state: &G::State,
    step: &Step<G::Action>,
    dice: &Dice,
    made: &mut Vec<G::Event>,
) -> Result<(), Difference> {
    let differs = |expected, found| Difference { sequence: u64::from(step.first), expected, found };
    if let Cause::Clock { seat, action } = &step.cause {
        let due = G::timeout(state, *seat);
        if due.as_ref() != Some(action) {
            return Err(differs(format!("on timeout {due:?}"), format!("{action:?}")));
        }
    }
    run::decide::<G>(state, &step.cause, dice, made).map_err(|refusal| {
        let found = match &step.cause {
            Cause::Seat { seat, action }
            | Cause::Clock { seat, action }
            | Cause::StandIn { seat, action } => format!("{action:?} by {seat}"),
            other => format!("{other:?}"),
        };
        differs(format!("a refusal ({}: {refusal})", refusal.code()), found)
    })
}

fn difference<G: Game>(
    sequence: u64,
    expected: Option<&G::Event>,
    found: Option<&G::Event>,
) -> Difference {
    let text = |event: Option<&G::Event>| {
        event
            .and_then(|event| serde_json::to_string(event).ok())
            .unwrap_or_else(|| "no event".to_owned())
    };
    Difference { sequence, expected: text(expected), found: text(found) }
}
