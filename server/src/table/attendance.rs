//! Who is at a table, and since when those are away who are not.
//!
//! Whoever has a stream is here, and so is for a moment whoever sends or asks
//! something without one. What was before this server had the table is not
//! known: nobody has been away for longer than that.

use parlor_kernel::{Change, Seat, SeatSet, Viewer};

use super::task::Table;
use crate::time::now;

/// The people of a table, here or away.
#[derive(Clone, Debug)]
pub struct Attendance {
    here: SeatSet,
    last_here: Vec<u64>,
    stood_in_for: SeatSet,
}

impl Attendance {
    /// Everybody is away, but has only just gone.
    pub fn new(seats: usize, now: u64) -> Attendance {
        let (here, stood_in_for) = (SeatSet::EMPTY, SeatSet::EMPTY);
        Attendance { here, last_here: vec![now; seats], stood_in_for }
    }

    /// These have a stream now.
    pub fn keep_to(&mut self, here: SeatSet, now: u64) {
        if here == self.here {
            return;
        }
        let gone = self.here.without(here);
        self.here = here;
        self.stood_in_for = self.stood_in_for.without(here);
        for seat in gone.iter() {
            self.note(seat, now);
        }
    }

    /// This seat has just done something, with a stream or without: whether
    /// somebody stood in for it.
    pub fn note(&mut self, seat: Seat, now: u64) -> bool {
        if let Some(last) = self.last_here.get_mut(seat.index()) {
            *last = now;
        }
        let was_stood_in_for = self.stood_in_for.contains(seat);
        self.stood_in_for = self.stood_in_for.without(SeatSet::only(seat));
        was_stood_in_for
    }

    /// The game begins: nobody has been away from it before.
    pub fn begin(&mut self, now: u64) {
        self.last_here.fill(now);
    }

    /// Since when this seat's player is away; none if they are here.
    pub fn away_since(&self, seat: Seat) -> Option<u64> {
        let last_here = self.last_here.get(seat.index()).copied();
        last_here.filter(|_| !self.here.contains(seat))
    }

    /// Somebody stands in for this seat: whether that is new.
    pub fn stand_in(&mut self, seat: Seat) -> bool {
        let is_new = !self.stood_in_for.contains(seat);
        self.stood_in_for.insert(seat);
        is_new
    }

    /// Those for whom somebody stands in.
    pub fn stood_in_for(&self) -> SeatSet {
        self.stood_in_for
    }
}

impl Table {
    /// Notes who is here, where it matters: at tables that do without those
    /// who are not.
    pub(super) fn note_attendance(&mut self) {
        if self.play.as_deref().is_some_and(|play| play.takeover().is_some()) {
            self.pace.attendance.keep_to(self.subscribers.connected(), now());
        }
    }

    /// Somebody is here who may have no stream: a seat that was played for is
    /// theirs again.
    pub(super) fn note_here(&mut self, viewer: Viewer) {
        let Some(seat) = viewer.seat() else { return };
        if self.pace.attendance.note(seat, now()) && !self.subscribers.connected().contains(seat) {
            self.tell_change(seat, Change::Returns);
        }
    }

    /// A bot is about to move for this seat.
    pub(super) fn tell_stand_in(&mut self, seat: Seat) {
        if self.pace.attendance.stand_in(seat) {
            self.tell_change(seat, Change::IsStoodInFor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(seats: &[u8]) -> SeatSet {
        seats.iter().copied().map(Seat).collect()
    }

    #[test]
    fn who_has_a_stream_is_here_and_who_sends_something_was_just_here() {
        let mut attendance = Attendance::new(3, 10);
        attendance.keep_to(seats(&[0, 1]), 20);
        let away =
            |attendance: &Attendance| [0, 1, 2].map(|seat| attendance.away_since(Seat(seat)));
        assert_eq!(away(&attendance), [None, None, Some(10)]);
        attendance.keep_to(seats(&[0]), 30);
        attendance.note(Seat(2), 40);
        assert_eq!(away(&attendance), [None, Some(30), Some(40)]);
        attendance.begin(50);
        assert_eq!(away(&attendance), [None, Some(50), Some(50)]);
    }

    #[test]
    fn whoever_is_back_is_not_stood_in_for_any_more() {
        let mut attendance = Attendance::new(2, 0);
        assert!(attendance.stand_in(Seat(1)));
        assert!(!attendance.stand_in(Seat(1)), "once is enough");
        assert!(attendance.note(Seat(1), 10), "a command takes the seat back");
        assert!(attendance.stand_in(Seat(1)));
        attendance.keep_to(seats(&[1]), 20);
        assert_eq!(attendance.stood_in_for(), SeatSet::EMPTY);
    }
}
