//! The hanafuda deck: twelve months of four cards, and sets and rows of them.

mod pile;
mod row;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use pile::Pile;
pub use row::{Row, Taken};

/// The ids of the 48 cards, `MMTI`: month, class, running number. A card is
/// its place in this table, so a month is a quarter-aligned run of four.
const IDS: [&str; 48] = [
    "0111", "0131", "0141", "0142", "0221", "0231", "0241", "0242", "0311", "0331", "0341", "0342",
    "0421", "0431", "0441", "0442", "0521", "0531", "0541", "0542", "0621", "0631", "0641", "0642",
    "0721", "0731", "0741", "0742", "0811", "0821", "0841", "0842", "0921", "0931", "0941", "0942",
    "1021", "1031", "1041", "1042", "1111", "1121", "1131", "1141", "1211", "1241", "1242", "1243",
];

/// What a card counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// 光札
    Bright,
    /// 種札
    Animal,
    /// 短札
    Ribbon,
    /// かす札
    Plain,
}

/// One of the 48 cards. There is no other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The whole deck, by month, then class, then running number.
    pub const DECK: [Card; 48] = {
        let mut deck = [Card(0); 48];
        let mut place = 0;
        while place < 48 {
            deck[place] = Card(place as u8);
            place += 1;
        }
        deck
    };

    /// The card with this id; none if the deck has no such card.
    ///
    /// ```
    /// use parlor_koikoi::Card;
    /// assert_eq!(Card::from_id("0811").map(Card::month), Some(8));
    /// assert_eq!(Card::from_id("0831"), None, "the pampas has no ribbon");
    /// ```
    pub fn from_id(id: &str) -> Option<Card> {
        IDS.binary_search(&id).ok().map(|place| Card(place as u8))
    }

    /// The card's id on every wire.
    pub const fn id(self) -> &'static str {
        IDS[self.0 as usize]
    }

    /// The card's place in [`Card::DECK`].
    #[inline]
    pub const fn place(self) -> usize {
        self.0 as usize
    }

    /// Its month, 1 to 12.
    pub const fn month(self) -> u8 {
        self.0 / 4 + 1
    }

    /// What it counts as.
    pub const fn class(self) -> Class {
        match IDS[self.0 as usize].as_bytes()[2] {
            b'1' => Class::Bright,
            b'2' => Class::Animal,
            b'3' => Class::Ribbon,
            _ => Class::Plain,
        }
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
        "Card".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": IDS.as_slice() })
    }
}

/// One bit for each month, that of its first card.
const FIRST_OF_MONTHS: u64 = 0x1111_1111_1111;

/// A set of cards.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 48.
    pub const FULL: CardSet = CardSet((1 << 48) - 1);

    /// The set of cards with these ids, all of which are in the deck.
    pub const fn of(ids: &[&str]) -> CardSet {
        let mut set = 0;
        let mut given = 0;
        while given < ids.len() {
            let mut place = 0;
            while !same(IDS[place], ids[given]) {
                place += 1;
            }
            set |= 1 << place;
            given += 1;
        }
        CardSet(set)
    }

    /// Every card of one class.
    pub const fn class(class: Class) -> CardSet {
        let mut set = 0;
        let mut place = 0;
        while place < 48 {
            if Card(place).class() as u8 == class as u8 {
                set |= 1 << place;
            }
            place += 1;
        }
        CardSet(set)
    }

    /// The four cards of the card's month.
    #[inline]
    pub const fn month_of(card: Card) -> CardSet {
        CardSet(0b1111 << (card.0 & !3))
    }

    /// Whether the card is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & (1 << card.0) != 0
    }

    /// How many cards of this card's month are here.
    #[inline]
    pub const fn in_month_of(self, card: Card) -> u32 {
        // The counts of all 16 ways to hold a month, four bits each: quicker
        // than counting bits where the processor's own way may not be assumed.
        const COUNTS: u64 = 0x4332_3221_3221_2110;
        let month = (self.0 >> (card.0 & !3)) & 0b1111;
        (COUNTS >> (4 * month)) as u32 & 0b111
    }

    /// The only card of this card's month here, or the first of several.
    #[inline]
    pub const fn first_in_month_of(self, card: Card) -> Option<Card> {
        let month = (self.0 >> (card.0 & !3)) & 0b1111;
        if month == 0 {
            return None;
        }
        Some(Card((card.0 & !3) + month.trailing_zeros() as u8))
    }

    /// How many cards.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a card.
    #[inline]
    pub fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    /// Takes a card out.
    #[inline]
    pub fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    /// The cards in both.
    #[inline]
    pub const fn and(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// The cards in either.
    #[inline]
    pub const fn or(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// The cards of this set that are not in the other.
    #[inline]
    pub const fn without(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// Whether every card of the other set is in this one.
    #[inline]
    pub const fn holds(self, other: CardSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// The cards of every month that is here with all four.
    ///
    /// ```
    /// use parlor_koikoi::CardSet;
    /// let hand = CardSet::of(&["0111", "0131", "0141", "0142", "0221"]);
    /// assert_eq!(hand.quads(), CardSet::of(&["0111", "0131", "0141", "0142"]));
    /// ```
    #[inline]
    pub const fn quads(self) -> CardSet {
        let pairs = self.0 & (self.0 >> 1);
        let first_of_quads = pairs & (pairs >> 2) & FIRST_OF_MONTHS;
        CardSet(first_of_quads * 0b1111)
    }

    /// All four cards of every month that is here with exactly two.
    ///
    /// ```
    /// use parlor_koikoi::CardSet;
    /// let field = CardSet::of(&["0111", "0131", "0221"]);
    /// assert_eq!(field.months_of_two(), CardSet::of(&["0111", "0131", "0141", "0142"]));
    /// ```
    #[inline]
    pub const fn months_of_two(self) -> CardSet {
        // Counts by half months, then by months, all twelve at once.
        const HALVES: u64 = 0x3333_3333_3333;
        let halves = self.0 - ((self.0 >> 1) & 0x5555_5555_5555);
        let counts = (halves & HALVES) + ((halves >> 2) & HALVES);
        let first_of_twos = (counts >> 1) & !counts & FIRST_OF_MONTHS;
        CardSet(first_of_twos * 0b1111)
    }

    /// The cards in deck order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let place = left.trailing_zeros();
            left &= left - 1;
            Some(Card(place as u8))
        })
    }
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    a.len() == 4 && b.len() == 4 && a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3]
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut set = CardSet::EMPTY;
        for card in cards {
            set.insert(card);
        }
        set
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl JsonSchema for CardSet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CardSet".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let card = generator.subschema_for::<Card>();
        schemars::json_schema!({ "type": "array", "items": card, "uniqueItems": true })
    }
}

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Card>::deserialize(deserializer).map(|cards| cards.into_iter().collect())
    }
}
