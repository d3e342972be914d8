//! Since when each seat has been asked what it is asked: its clock runs from
//! there, whatever others do meanwhile.

use parlor_kernel::{Awaiting, Cause, Hosted, Seat, SeatSet};

/// When each seat was asked. Folded step by step, so it follows from the log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    awaited: SeatSet,
    kind: &'static str,
    asked_at: Vec<u64>,
}

impl Clocks {
    /// A step was made at `now` and left the game like this.
    pub fn step<G: Hosted>(&mut self, cause: &Cause<G::Action>, state: &G::State, now: u64) {
        let (awaited, kind) = match G::awaiting(state) {
            Awaiting::Seats { seats, kind } => (seats, kind),
            Awaiting::House { .. } | Awaiting::Nobody => (SeatSet::EMPTY, ""),
        };
        // Whoever has made a move is asked anew, also for the same.
        let moved = match cause {
            Cause::Seat { seat, action } => (!G::is_aside(action)).then_some(*seat),
            Cause::Clock { seat, .. } | Cause::StandIn { seat, .. } => Some(*seat),
            Cause::House | Cause::Order { .. } => None,
        };
        for seat in awaited.iter() {
            let still = kind == self.kind && self.awaited.contains(seat) && moved != Some(seat);
            if !still {
                self.ask(seat, now);
            }
        }
        (self.awaited, self.kind) = (awaited, kind);
    }

    fn ask(&mut self, seat: Seat, now: u64) {
        if self.asked_at.len() <= seat.index() {
            self.asked_at.resize(seat.index() + 1, 0);
        }
        self.asked_at[seat.index()] = now;
    }

    /// When this seat was asked; none if it is not.
    pub fn asked_at(&self, seat: Seat) -> Option<u64> {
        let asked_at = self.asked_at.get(seat.index()).copied();
        asked_at.filter(|_| self.awaited.contains(seat))
    }
}
