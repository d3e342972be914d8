//! Which waiting tables somebody is at. Only streams tell that a person is
//! there, and only this process knows its streams: whoever was at a table before
//! a restart is there again when they have come back.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Whether somebody is at a table.
#[derive(Clone, Copy, Debug)]
enum Presence {
    /// Somebody with a seat has a stream.
    Here,
    /// The last one left then, or sat down and has no stream yet.
    Since(Instant),
}

/// The waiting tables that somebody is at, or was lately.
#[derive(Default)]
pub struct Occupancy(Mutex<HashMap<String, Presence>>);

impl Occupancy {
    /// Somebody came to a waiting table, or left it.
    pub fn note(&self, table: &str, is_here: bool) {
        let presence = if is_here { Presence::Here } else { Presence::Since(Instant::now()) };
        let mut tables = self.tables();
        match tables.get_mut(table) {
            Some(known) => *known = presence,
            None => drop(tables.insert(table.to_owned(), presence)),
        }
    }

    /// The table does not wait any more.
    pub fn forget(&self, table: &str) {
        self.tables().remove(table);
    }

    /// The table has left memory, and all its streams with it.
    pub(super) fn deserted(&self, table: &str) {
        if let Some(known @ Presence::Here) = self.tables().get_mut(table) {
            *known = Presence::Since(Instant::now());
        }
    }

    /// Whether somebody is at this table, or was within this time.
    pub fn within(&self, table: &str, time: Duration) -> bool {
        self.tables().get(table).is_some_and(|presence| presence.is_within(time))
    }

    /// Forgets the tables that nobody was at for so long.
    pub(super) fn forget_after(&self, time: Duration) {
        self.tables().retain(|_, presence| presence.is_within(time));
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<String, Presence>> {
        // Nobody who holds it can panic in the middle of a change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Presence {
    fn is_within(self, time: Duration) -> bool {
        match self {
            Presence::Here => true,
            Presence::Since(left) => left.elapsed() < time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_left_counts_for_a_while() {
        let (occupancy, hour) = (Occupancy::default(), Duration::from_secs(3600));
        assert!(!occupancy.within("t", hour), "nobody was ever there");
        occupancy.note("t", true);
        assert!(occupancy.within("t", Duration::ZERO));
        occupancy.deserted("t");
        assert!(occupancy.within("t", hour) && !occupancy.within("t", Duration::ZERO));
        occupancy.forget_after(hour);
        assert!(occupancy.within("t", hour));
        occupancy.forget_after(Duration::ZERO);
        assert!(!occupancy.within("t", hour));
        occupancy.note("t", true);
        occupancy.forget("t");
        assert!(!occupancy.within("t", hour));
    }
}
