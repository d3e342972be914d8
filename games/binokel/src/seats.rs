//! Seats around a Binokel table, and what is kept for each seat or side.

use std::fmt;
use std::marker::PhantomData;

use parlor_kernel::{Seat, SeatSet};
use schemars::JsonSchema;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A seat's place in arrays of four. A seat that a foreign log makes up is
/// folded onto one of them, because folding never fails.
#[inline]
pub(crate) const fn at(seat: Seat) -> usize {
    (seat.0 & 3) as usize
}

/// The seat so many places after this one.
#[inline]
pub(crate) const fn after(seat: Seat, places: u8, players: u8) -> Seat {
    // Seats are at most 3 and places at most 4: one subtraction or two, which
    // is quicker than dividing.
    let mut next = (seat.0 & 3) + places;
    while next >= players {
        next -= players;
    }
    Seat(next)
}

/// How many sides score: with four players two teams, else each seat alone.
#[inline]
pub const fn sides(players: u8) -> u8 {
    if players == 4 { 2 } else { players }
}

/// The side a seat plays for.
#[inline]
pub const fn side(seat: Seat, players: u8) -> usize {
    if players == 4 { (seat.0 & 1) as usize } else { at(seat) }
}

/// The seats from the first on.
#[inline]
pub(crate) fn all_seats(players: u8) -> impl Iterator<Item = Seat> {
    (0..players).map(Seat)
}

/// A set of seats, written out as their numbers.
pub(crate) fn listed<S: Serializer>(seats: &SeatSet, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(seats.iter())
}

/// One thing for each seat or side. As JSON an object with keys `"0"`, `"1"`, …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Each<T> {
    all: [T; 4],
    len: u8,
}

impl<T: Copy + Default> Each<T> {
    /// The first `len` of four; the others do not count.
    pub fn of(len: u8, all: [T; 4]) -> Each<T> {
        let mut each = Each { all: [T::default(); 4], len: len.min(4) };
        for (place, one) in each.all.iter_mut().zip(all).take(usize::from(len)) {
            *place = one;
        }
        each
    }

    /// Those that count.
    pub fn as_slice(&self) -> &[T] {
        &self.all[..usize::from(self.len)]
    }

    /// All four; those that do not count are empty.
    pub const fn all(&self) -> [T; 4] {
        self.all
    }

    /// The one at this place.
    pub const fn get(&self, place: usize) -> T {
        self.all[place & 3]
    }

    /// The same of something else.
    pub fn map<U: Copy + Default>(&self, change: impl FnMut(T) -> U) -> Each<U> {
        Each::of(self.len, self.all.map(change))
    }
}

impl<T: Copy + Default + Serialize> Serialize for Each<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(["0", "1", "2", "3"].iter().zip(self.as_slice()))
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>> Deserialize<'de> for Each<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ByNumber<T>(PhantomData<T>);

        impl<'de, T: Copy + Default + Deserialize<'de>> Visitor<'de> for ByNumber<T> {
            type Value = Each<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with keys \"0\", \"1\" and so on, four at most")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Each<T>, A::Error> {
                let mut each = Each { all: [T::default(); 4], len: 0 };
                while let Some(key) = map.next_key::<String>()? {
                    let free = each.all.get_mut(usize::from(each.len));
                    match free.filter(|_| key == each.len.to_string()) {
                        Some(place) => *place = map.next_value()?,
                        None => return Err(Error::custom(format_args!("key \"{key}\""))),
                    }
                    each.len += 1;
                }
                Ok(each)
            }
        }

        deserializer.deserialize_map(ByNumber(PhantomData))
    }
}

impl<T: JsonSchema> JsonSchema for Each<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Each{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let one = generator.subschema_for::<T>();
        schemars::json_schema!({
            "type": "object",
            "patternProperties": { "^[0-3]$": one },
            "additionalProperties": false,
            "minProperties": 2,
        })
    }
}
