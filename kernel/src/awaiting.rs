//! Whom a game waits for.

use crate::seat::{Seat, SeatSet};

/// Whom a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaiting {
    /// These seats may act; `kind` names what is asked of them. No seat at
    /// all: the game is paused until it is told to go on.
    Seats {
        /// Who.
        seats: SeatSet,
        /// What for, in the game's own words (`AWAITING_HAND_PLAY`).
        kind: &'static str,
    },
    /// Nobody: the house goes on by itself after a pause fit for people to
    /// see what happened. `kind` names the pause.
    House {
        /// What happens next, in the game's own words.
        kind: &'static str,
    },
    /// Nobody, ever: the game is over.
    Nobody,
}

impl Awaiting {
    /// Only this seat may act.
    pub fn only(seat: Seat, kind: &'static str) -> Awaiting {
        Awaiting::Seats { seats: SeatSet::only(seat), kind }
    }

    /// Nobody, until the game is told to go on.
    pub fn paused() -> Awaiting {
        Awaiting::Seats { seats: SeatSet::EMPTY, kind: "PAUSED" }
    }

    /// Whether the game is paused.
    pub fn is_paused(&self) -> bool {
        matches!(self, Awaiting::Seats { seats: SeatSet::EMPTY, .. })
    }

    /// The first seat that may act.
    #[inline]
    pub fn first(&self) -> Option<Seat> {
        match self {
            Awaiting::Seats { seats, .. } => seats.iter().next(),
            Awaiting::House { .. } | Awaiting::Nobody => None,
        }
    }

    /// Whether this seat may act now.
    pub fn includes(&self, seat: Seat) -> bool {
        matches!(self, Awaiting::Seats { seats, .. } if seats.contains(seat))
    }
}
