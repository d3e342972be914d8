//! Seats, sets of seats, and the viewers a game can be seen by.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place at the table, counted from 0 in seating order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into per-seat arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The id wires give to whoever sits here: `p1`, `p2`, …
    pub fn player_id(self) -> String {
        format!("p{}", self.0 as u32 + 1)
    }

    /// The same without a text of its own, for wires that say it often. No
    /// table has more seats than a [`SeatSet`] has room for.
    pub const fn id(self) -> &'static str {
        const IDS: [&str; 32] = [
            "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13",
            "p14", "p15", "p16", "p17", "p18", "p19", "p20", "p21", "p22", "p23", "p24", "p25",
            "p26", "p27", "p28", "p29", "p30", "p31", "p32",
        ];
        IDS[(self.0 as usize) % IDS.len()]
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0 as u32 + 1)
    }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatSet(u32);

impl SeatSet {
    /// No seat at all.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// The set that holds one seat.
    #[inline]
    pub const fn only(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }

    /// Whether the seat is in the set.
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    /// The seats that are in this set but not in the other.
    #[inline]
    pub const fn without(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & !other.0)
    }

    /// Adds a seat.
    #[inline]
    pub fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    /// Whether nobody is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with these bits, seat 0 lowest.
    #[inline]
    pub const fn from_bits(bits: u32) -> SeatSet {
        SeatSet(bits)
    }

    /// The seats, lowest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let seat = left.trailing_zeros();
            left &= left - 1;
            Some(Seat(seat as u8))
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = SeatSet::EMPTY;
        for seat in seats {
            set.insert(seat);
        }
        set
    }
}

/// Whose eyes a log is read with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Viewer {
    /// The player in this seat.
    Seat(Seat),
    /// A spectator: sees what is face up.
    Public,
    /// The house: sees everything, at any time.
    Admin,
    /// Anyone, once the game is over: sees everything. Whoever hands out
    /// views must check that it is over.
    Postmortem,
}

impl Viewer {
    /// The seat behind these eyes, if there is one.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Viewer::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    /// Whether nothing is hidden from this viewer.
    #[inline]
    pub const fn sees_all(self) -> bool {
        matches!(self, Viewer::Admin | Viewer::Postmortem)
    }

    /// Whether this viewer may know what only `seat` may know.
    #[inline]
    pub fn shares(self, seat: Seat) -> bool {
        self.sees_all() || self == Viewer::Seat(seat)
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Viewer::Seat(seat) => write!(f, "seat:{}", seat.0),
            Viewer::Public => f.write_str("public"),
            Viewer::Admin => f.write_str("admin"),
            Viewer::Postmortem => f.write_str("postmortem"),
        }
    }
}

/// The text does not name a viewer.
#[derive(Debug, thiserror::Error, PartialEq)]
#[error("'{0}' is no view; views are admin, postmortem, public (or town) and seat:N")]
pub struct ParseViewerError(String);

impl FromStr for Viewer {
    type Err = ParseViewerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "admin" => Ok(Viewer::Admin),
            "postmortem" => Ok(Viewer::Postmortem),
            "public" | "town" => Ok(Viewer::Public),
            _ => text
                .strip_prefix("seat:")
                .and_then(|n| n.parse::<u8>().ok())
                .filter(|n| *n < 32)
                .map(|n| Viewer::Seat(Seat(n)))
                .ok_or_else(|| ParseViewerError(text.to_owned())),
        }
    }
}
