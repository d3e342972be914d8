//! Seven seats at most: sets of them, going round clockwise.

use parlor_kernel::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most seats a stud table has: seven hands of seven use 49 cards.
pub const SEATS: usize = 7;

/// A seat's place in per-seat arrays. A seat that a foreign log makes up is
/// folded onto the last, because folding never fails.
#[inline]
pub(crate) const fn at(seat: Seat) -> usize {
    let place = seat.0 as usize;
    if place < SEATS { place } else { SEATS - 1 }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seats(u8);

impl Seats {
    /// No seat.
    pub const NONE: Seats = Seats(0);

    /// Whether the seat is in the set.
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << at(seat)) != 0
    }

    /// Adds a seat.
    #[inline]
    pub fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << at(seat);
    }

    /// Takes a seat out.
    #[inline]
    pub fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << at(seat));
    }

    /// The seats that are in both.
    #[inline]
    pub const fn and(self, other: Seats) -> Seats {
        Seats(self.0 & other.0)
    }

    /// The seats that are in this set and not in the other.
    #[inline]
    pub const fn without(self, other: Seats) -> Seats {
        Seats(self.0 & !other.0)
    }

    /// How many seats.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lowest seat.
    #[inline]
    pub const fn first(self) -> Option<Seat> {
        if self.0 == 0 { None } else { Some(Seat(self.0.trailing_zeros() as u8)) }
    }

    /// The first of these seats to the left of `seat`, which itself comes last.
    #[inline]
    pub const fn left_of(self, seat: Seat) -> Option<Seat> {
        let beyond = Seats(self.0 & (0xfe_u32 << at(seat)) as u8);
        if beyond.is_empty() { self.first() } else { beyond.first() }
    }

    /// The seats, lowest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let seat = Seats(left).first()?;
            left &= left - 1;
            Some(seat)
        })
    }

    /// The seats clockwise, beginning with `seat` if it is one of them.
    pub fn round_from(self, seat: Seat) -> impl Iterator<Item = Seat> {
        let ahead = Seats(self.0 & (0xff_u32 << at(seat)) as u8);
        ahead.iter().chain(self.without(ahead).iter())
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = Seats::NONE;
        for seat in seats {
            set.insert(seat);
        }
        set
    }
}

impl Serialize for Seats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Seats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Seat>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl JsonSchema for Seats {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Seats".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "array",
            "items": { "type": "integer", "minimum": 0, "maximum": 6 }
        })
    }
}
