//! The Württemberg deck: four suits, two of each card.

mod set;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use set::CardSet;

/// A suit, in the order hands are sorted by.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Suit {
    /// Acorns, clubs.
    Kreuz,
    /// Leaves, spades.
    Schippe,
    /// Hearts.
    Herz,
    /// Bells, diamonds.
    Bollen,
}

impl Suit {
    /// All four, in order.
    pub const ALL: [Suit; 4] = [Suit::Kreuz, Suit::Schippe, Suit::Herz, Suit::Bollen];

    /// Its name on every wire.
    pub const fn name(self) -> &'static str {
        match self {
            Suit::Kreuz => "kreuz",
            Suit::Schippe => "schippe",
            Suit::Herz => "herz",
            Suit::Bollen => "bollen",
        }
    }

    /// The suit with this name.
    pub fn from_name(name: &str) -> Option<Suit> {
        Suit::ALL.into_iter().find(|suit| suit.name() == name)
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A rank, low to high: the ten outranks the king.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Rank {
    /// Only in the deck of 48.
    #[serde(rename = "7")]
    Seven,
    /// The under, jack.
    Buabe,
    /// The over, queen.
    Ober,
    /// The king.
    Koenig,
    /// The ten.
    #[serde(rename = "10")]
    Ten,
    /// The ace.
    Ass,
}

impl Rank {
    /// All six, low to high.
    pub const ALL: [Rank; 6] =
        [Rank::Seven, Rank::Buabe, Rank::Ober, Rank::Koenig, Rank::Ten, Rank::Ass];

    /// Its name on every wire.
    pub const fn name(self) -> &'static str {
        match self {
            Rank::Seven => "7",
            Rank::Buabe => "buabe",
            Rank::Ober => "ober",
            Rank::Koenig => "koenig",
            Rank::Ten => "10",
            Rank::Ass => "ass",
        }
    }

    /// What a card of this rank counts in a trick ("Augen").
    #[inline]
    pub const fn points(self) -> u16 {
        match self {
            Rank::Seven => 0,
            Rank::Buabe => 2,
            Rank::Ober => 3,
            Rank::Koenig => 4,
            Rank::Ten => 10,
            Rank::Ass => 11,
        }
    }
}

/// The ids of the 48 cards, by suit, rank and copy.
const IDS: [&str; 48] = [
    "kreuz-7-0",
    "kreuz-7-1",
    "kreuz-buabe-0",
    "kreuz-buabe-1",
    "kreuz-ober-0",
    "kreuz-ober-1",
    "kreuz-koenig-0",
    "kreuz-koenig-1",
    "kreuz-10-0",
    "kreuz-10-1",
    "kreuz-ass-0",
    "kreuz-ass-1",
    "schippe-7-0",
    "schippe-7-1",
    "schippe-buabe-0",
    "schippe-buabe-1",
    "schippe-ober-0",
    "schippe-ober-1",
    "schippe-koenig-0",
    "schippe-koenig-1",
    "schippe-10-0",
    "schippe-10-1",
    "schippe-ass-0",
    "schippe-ass-1",
    "herz-7-0",
    "herz-7-1",
    "herz-buabe-0",
    "herz-buabe-1",
    "herz-ober-0",
    "herz-ober-1",
    "herz-koenig-0",
    "herz-koenig-1",
    "herz-10-0",
    "herz-10-1",
    "herz-ass-0",
    "herz-ass-1",
    "bollen-7-0",
    "bollen-7-1",
    "bollen-buabe-0",
    "bollen-buabe-1",
    "bollen-ober-0",
    "bollen-ober-1",
    "bollen-koenig-0",
    "bollen-koenig-1",
    "bollen-10-0",
    "bollen-10-1",
    "bollen-ass-0",
    "bollen-ass-1",
];

/// One of the 48 cards. There is no other.
///
/// Its number is its suit, then three bits of rank, then which of the two it
/// is: a suit is a run of sixteen, of which twelve are cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The first of all cards.
    pub(crate) const FIRST: Card = Card(0);

    /// One of the two cards of a suit and rank.
    pub const fn new(suit: Suit, rank: Rank, second: bool) -> Card {
        Card(((suit as u8) << 4) | ((rank as u8) << 1) | second as u8)
    }

    /// The card with this id; none if the deck has no such card.
    ///
    /// ```
    /// use parlor_binokel::{Card, Rank};
    /// assert_eq!(Card::from_id("herz-10-1").map(Card::rank), Some(Rank::Ten));
    /// assert_eq!(Card::from_id("herz-8-0"), None);
    /// ```
    pub fn from_id(id: &str) -> Option<Card> {
        let place = IDS.iter().position(|known| *known == id)? as u8;
        Some(Card(((place / 12) << 4) | (place % 12)))
    }

    /// The card's id on every wire.
    pub const fn id(self) -> &'static str {
        IDS[(self.0 >> 4) as usize * 12 + (self.0 & 15) as usize]
    }

    /// Its suit.
    #[inline]
    pub const fn suit(self) -> Suit {
        match self.0 >> 4 & 3 {
            0 => Suit::Kreuz,
            1 => Suit::Schippe,
            2 => Suit::Herz,
            _ => Suit::Bollen,
        }
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        match self.0 >> 1 & 7 {
            0 => Rank::Seven,
            1 => Rank::Buabe,
            2 => Rank::Ober,
            3 => Rank::Koenig,
            4 => Rank::Ten,
            _ => Rank::Ass,
        }
    }

    /// Which of the two it is: 0 or 1.
    pub const fn copy(self) -> u8 {
        self.0 & 1
    }

    /// What it counts in a trick.
    #[inline]
    pub const fn points(self) -> u16 {
        self.rank().points()
    }

    /// The card's bit in a set.
    #[inline]
    const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The card with this bit in a set; sets hold no other bits than cards'.
    #[inline]
    const fn of_bit(place: u32) -> Card {
        Card(place as u8)
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Card::from_id(&id)
            .ok_or_else(|| serde::de::Error::custom(format_args!("'{id}' is no card of the deck")))
    }
}

impl JsonSchema for Card {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CardId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": IDS.as_slice() })
    }
}
