//! What the store knows of when a table goes on by itself, so that only those
//! that are due need be in memory.
//!
//! The note may be early but never late: a table that is opened too early
//! looks, finds nothing to do, and writes down when it will have something.
//! So a batch only has to carry a note where the stored one lies in the future
//! (whatever follows from the batch is not due before now), and the exact time
//! is written once a table has been quiet for a while. A game that is played
//! briskly writes two notes, one when it begins and one when it ends.

use std::time::{Duration, Instant};

use parlor_store::{Batch, Due};

use super::agent_turns::AgentTurns;
use super::attendance::Attendance;
use super::pace::Pace;
use super::task::Table;
use crate::record::Status;
use crate::time::now;

/// After this long without a step the exact time is written down.
const QUIET: Duration = Duration::from_secs(30);

/// What stands in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    /// Not known here: it was written before this table came into memory.
    Something,
    /// Nothing happens by itself.
    Never,
    /// Something happens by itself, not before this time.
    NotBefore(u64),
}

/// The note of a table in memory.
#[derive(Debug)]
pub struct DueNote {
    stored: Stored,
    /// When the table last made a step; none once the note is exact.
    stepped: Option<Instant>,
}

impl DueNote {
    /// The note of a table that comes into memory.
    pub fn new(status: Status) -> DueNote {
        match status {
            Status::Playing => DueNote { stored: Stored::Something, stepped: Some(Instant::now()) },
            _ => DueNote { stored: Stored::Never, stepped: None },
        }
    }

    /// What must be written with a batch that is made now and leaves the table
    /// in this status; none if what is stored still holds.
    pub fn with_batch(&self, table_id: &str, status: Status, now: u64) -> Option<Due> {
        let at = match (status, self.stored) {
            (Status::Playing, Stored::NotBefore(at)) if at <= now => return None,
            (Status::Playing, _) => Some(now),
            (_, Stored::Never) => return None,
            (_, _) => None,
        };
        Some(Due { table_id: table_id.to_owned(), at })
    }

    /// The batch is stored.
    pub fn written(&mut self, due: Option<Option<u64>>, status: Status) {
        if let Some(at) = due {
            self.stored = at.map_or(Stored::Never, Stored::NotBefore);
        }
        self.stepped = (status == Status::Playing).then(Instant::now);
    }

    /// How long until the exact time is to be written down.
    pub fn exact_in(&self) -> Option<Duration> {
        self.stepped.map(|stepped| QUIET.saturating_sub(stepped.elapsed()))
    }
}

impl Table {
    /// Writes down when the table goes on by itself, unless that is known.
    pub(super) async fn note_due(&mut self) {
        if self.due.stepped.take().is_none() || self.record.status != Status::Playing {
            return;
        }
        // A game that cannot be read says nothing; the note stays as it is.
        let Some(play) = self.play.as_deref() else { return };
        // As a server finds it that has just started: nobody is being asked,
        // and nobody is here yet.
        let attendance = Attendance::new(self.record.seats.len(), now());
        let pace = Pace { attendance, ..self.pace.clone() };
        let next = pace.next(play, &AgentTurns::default()).map(|(at, _)| at);
        // A pace of ages is one that nobody waits for.
        let next = next.filter(|at| i64::try_from(*at).is_ok());
        let exact = next.map_or(Stored::Never, Stored::NotBefore);
        if exact == self.due.stored {
            return;
        }
        let due = Some(Due { table_id: self.record.id.clone(), at: next });
        match self.registry.store.commit(Batch { due, ..Batch::default() }).await {
            Ok(()) => self.due.stored = exact,
            // An early note does no harm.
            Err(error) => {
                tracing::debug!(table = self.record.id, %error, "could not store when the table is due")
            }
        }
    }

    /// Before the table leaves memory: whether it will be woken at this time.
    /// Where that cannot be written down it stays, and tries again later.
    pub(super) async fn leaves_note(&mut self, at: u64) -> bool {
        self.note_due().await;
        let is_ages_away = i64::try_from(at).is_err();
        if self.due.stored == Stored::NotBefore(at) || is_ages_away {
            self.registry.expect_at(at);
            return true;
        }
        (self.due.stepped, self.used_at) = (Some(Instant::now()), Some(Instant::now()));
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(due: Option<Due>) -> Option<Option<u64>> {
        due.map(|due| due.at)
    }

    #[test]
    fn a_note_is_never_late_and_seldom_written() {
        let mut note = DueNote::new(Status::Waiting);
        assert_eq!(note.with_batch("t", Status::Waiting, 5), None, "nothing to take back");
        let begins = at(note.with_batch("t", Status::Playing, 10));
        assert_eq!(begins, Some(Some(10)));
        note.written(begins, Status::Playing);
        assert_eq!(note.with_batch("t", Status::Playing, 20), None, "early is early enough");
        // The exact time lies ahead; the next step may bring an earlier one.
        note.stored = Stored::NotBefore(90);
        assert_eq!(at(note.with_batch("t", Status::Playing, 30)), Some(Some(30)));
        note.stored = Stored::Never;
        assert_eq!(at(note.with_batch("t", Status::Playing, 40)), Some(Some(40)));
        note.written(Some(Some(40)), Status::Playing);
        let ends = at(note.with_batch("t", Status::Finished, 50));
        assert_eq!(ends, Some(None));
        note.written(ends, Status::Finished);
        assert_eq!(note.with_batch("t", Status::Finished, 60), None);
        assert_eq!(note.exact_in(), None, "a game that is over is never due");
    }

    #[test]
    fn what_is_stored_of_a_running_game_is_not_trusted_to_be_early() {
        let note = DueNote::new(Status::Playing);
        assert_eq!(at(note.with_batch("t", Status::Playing, 10)), Some(Some(10)));
        assert_eq!(at(note.with_batch("t", Status::Terminated, 10)), Some(None));
        assert!(note.exact_in().is_some());
    }
}
