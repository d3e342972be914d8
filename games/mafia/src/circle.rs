//! The players in their circle: who, and sets of them as bits.

use std::fmt;
use std::str::FromStr;

use parlor_kernel::{Seat, SeatSet};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The largest circle that is played with.
pub const MAX_PLAYERS: usize = 20;

/// One player, written `p1`, `p2`, … in seating order; always one of
/// [`MAX_PLAYERS`], so that arrays and bits have room for every id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(u8);

impl PlayerId {
    /// `p1`.
    pub const FIRST: PlayerId = PlayerId(0);

    /// The player in this place of the circle, from 0.
    #[inline]
    pub const fn at(place: usize) -> Option<PlayerId> {
        if place < MAX_PLAYERS { Some(PlayerId(place as u8)) } else { None }
    }

    /// The players of a circle of this size, in seating order.
    #[inline]
    pub fn all(players: usize) -> Iter {
        Players::first(players).iter()
    }

    /// The player as an index into per-player arrays.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The player's seat.
    pub const fn seat(self) -> Seat {
        Seat(self.0)
    }
}

impl From<PlayerId> for Seat {
    fn from(player: PlayerId) -> Seat {
        player.seat()
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", u16::from(self.0) + 1)
    }
}

/// The text is not `p1`, `p2`, …
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a player is named by an id such as p3")]
pub struct NoPlayerId;

impl FromStr for PlayerId {
    type Err = NoPlayerId;

    fn from_str(text: &str) -> Result<Self, NoPlayerId> {
        let digits = text.strip_prefix('p').ok_or(NoPlayerId)?;
        if digits.starts_with(['0', '+']) {
            return Err(NoPlayerId);
        }
        let number: usize = digits.parse().map_err(|_| NoPlayerId)?;
        number.checked_sub(1).and_then(PlayerId::at).ok_or(NoPlayerId)
    }
}

impl Serialize for PlayerId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PlayerId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for PlayerId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PlayerId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^p[1-9][0-9]*$" })
    }
}

/// A set of players.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Players(u32);

impl Players {
    /// Nobody.
    pub const NOBODY: Players = Players(0);

    /// The first `count` players of the circle.
    #[inline]
    pub const fn first(count: usize) -> Players {
        let count = if count < MAX_PLAYERS { count } else { MAX_PLAYERS };
        Players((1 << count) - 1)
    }

    /// The set that holds one player.
    #[inline]
    pub const fn only(player: PlayerId) -> Players {
        Players(1 << player.0)
    }

    /// Whether the player is in the set.
    #[inline]
    pub const fn contains(self, player: PlayerId) -> bool {
        self.0 & (1 << player.0) != 0
    }

    /// Adds a player.
    #[inline]
    pub fn insert(&mut self, player: PlayerId) {
        self.0 |= 1 << player.0;
    }

    /// Takes a player out.
    #[inline]
    pub fn remove(&mut self, player: PlayerId) {
        self.0 &= !(1 << player.0);
    }

    /// The set with this player.
    #[inline]
    pub const fn with(self, player: PlayerId) -> Players {
        Players(self.0 | 1 << player.0)
    }

    /// The set without this player.
    #[inline]
    pub const fn but(self, player: PlayerId) -> Players {
        Players(self.0 & !(1 << player.0))
    }

    /// Those in either.
    #[inline]
    pub const fn or(self, other: Players) -> Players {
        Players(self.0 | other.0)
    }

    /// Those in both.
    #[inline]
    pub const fn and(self, other: Players) -> Players {
        Players(self.0 & other.0)
    }

    /// Those in this one alone.
    #[inline]
    pub const fn without(self, other: Players) -> Players {
        Players(self.0 & !other.0)
    }

    /// How many they are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nobody is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether everyone of the other set is in this one.
    #[inline]
    pub const fn holds(self, other: Players) -> bool {
        other.0 & !self.0 == 0
    }

    /// The set as bits, player 1 lowest.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set with these bits.
    #[inline]
    pub const fn from_bits(bits: u32) -> Players {
        Players(bits & ((1 << MAX_PLAYERS) - 1))
    }

    /// The players, in seating order.
    #[inline]
    pub fn iter(self) -> Iter {
        Iter(self.0)
    }

    /// The one with this number in seating order, from 0. All are laid out for
    /// it: when a search ends at a random place, processors guess it wrongly.
    #[inline]
    pub fn nth(self, number: usize) -> Option<PlayerId> {
        let mut places = [None; MAX_PLAYERS];
        for (place, player) in places.iter_mut().zip(self) {
            *place = Some(player);
        }
        places.get(number).copied().flatten()
    }

    /// The one who comes first when counting from `start` around the circle.
    #[inline]
    pub fn next_from(self, start: usize) -> Option<PlayerId> {
        let onward = Iter(self.0 & (u32::MAX << start)).next();
        onward.or_else(|| Iter(self.0).next())
    }
}

/// The players of a set, in seating order.
#[derive(Clone, Debug)]
pub struct Iter(u32);

impl Iterator for Iter {
    type Item = PlayerId;

    #[inline]
    fn next(&mut self) -> Option<PlayerId> {
        if self.0 == 0 {
            return None;
        }
        let player = PlayerId(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(player)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Iter {}

impl IntoIterator for Players {
    type Item = PlayerId;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl FromIterator<PlayerId> for Players {
    fn from_iter<I: IntoIterator<Item = PlayerId>>(players: I) -> Self {
        players.into_iter().fold(Players::NOBODY, Players::with)
    }
}

impl From<Players> for SeatSet {
    #[inline]
    fn from(players: Players) -> SeatSet {
        SeatSet::from_bits(players.0)
    }
}

impl fmt::Debug for Players {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|player| player.to_string())).finish()
    }
}

impl Serialize for Players {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Players {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<PlayerId>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl JsonSchema for Players {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Players".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<PlayerId>::json_schema(generator)
    }
}
