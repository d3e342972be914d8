//! Sets of cards, as bits.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Card, Rank, Suit};

/// A set of cards.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

/// The bits of one suit, sevens included.
const SUIT: u64 = 0xFFF;
/// The first card of each rank in each suit.
const FIRSTS: u64 = 0x0555_0555_0555_0555;

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 48, with sevens.
    pub const WITH_SEVENS: CardSet = CardSet(0x0FFF_0FFF_0FFF_0FFF);
    /// The 40 without them.
    pub const WITHOUT_SEVENS: CardSet = CardSet::WITH_SEVENS.without(CardSet::of_rank(Rank::Seven));

    /// Every card of a suit.
    #[inline]
    pub const fn of_suit(suit: Suit) -> CardSet {
        CardSet(SUIT << (16 * suit as u8))
    }

    /// Every card of a rank.
    #[inline]
    pub const fn of_rank(rank: Rank) -> CardSet {
        CardSet(0x0003_0003_0003_0003 << (2 * rank as u8))
    }

    /// Every card of the same suit and a higher rank.
    #[inline]
    pub const fn above(card: Card) -> CardSet {
        // Beyond both cards of this rank, up to the end of the suit.
        CardSet((u64::MAX << (card.0 | 1) << 1) & SUIT << (card.0 & 0x30))
    }

    /// The set that holds one card.
    #[inline]
    pub const fn only(card: Card) -> CardSet {
        CardSet(card.bit())
    }

    /// Whether the card is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & card.bit() != 0
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
        self.0 |= card.bit();
    }

    /// Takes a card out.
    #[inline]
    pub fn remove(&mut self, card: Card) {
        self.0 &= !card.bit();
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

    /// This set, or the other if this one is empty.
    #[inline]
    pub const fn or_if_empty(self, other: CardSet) -> CardSet {
        if self.is_empty() { other } else { self }
    }

    /// Whether every card of the other set is in this one.
    #[inline]
    pub const fn holds(self, other: CardSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// What the cards count in tricks.
    ///
    /// ```
    /// use parlor_binokel::CardSet;
    /// assert_eq!(CardSet::WITHOUT_SEVENS.points(), 240);
    /// assert_eq!(CardSet::WITH_SEVENS.points(), 240, "sevens count nothing");
    /// ```
    pub fn points(self) -> u16 {
        let count = |rank| self.and(CardSet::of_rank(rank)).len() as u16;
        Rank::ALL.into_iter().map(|rank| rank.points() * count(rank)).sum()
    }

    /// The first card of each suit and rank of which one is here, so that
    /// ranks of different suits can be laid over each other.
    #[inline]
    pub(crate) const fn kinds(self) -> CardSet {
        CardSet((self.0 | self.0 >> 1) & FIRSTS)
    }

    /// The first card of each suit and rank of which both are here.
    #[inline]
    pub(crate) const fn doubles(self) -> CardSet {
        CardSet(self.0 & self.0 >> 1 & FIRSTS)
    }

    /// The cards of one suit, moved to where the first suit lies.
    #[inline]
    pub(crate) const fn in_suit(self, suit: Suit) -> CardSet {
        CardSet((self.0 >> (16 * suit as u8)) & SUIT)
    }

    /// How many cards of this suit and rank are here.
    #[inline]
    pub const fn count(self, suit: Suit, rank: Rank) -> u8 {
        let pair = self.0 >> Card::new(suit, rank, false).0 & 0b11;
        ((pair & 1) + (pair >> 1)) as u8
    }

    /// Of the cards of this suit and rank that are here, the first, or with
    /// `second` the one after it.
    #[inline]
    pub(crate) const fn nth(self, suit: Suit, rank: Rank, second: bool) -> Card {
        let first = self.contains(Card::new(suit, rank, false));
        Card::new(suit, rank, second || !first)
    }

    /// The card that comes first, by suit, then rank.
    #[inline]
    pub const fn first(self) -> Option<Card> {
        if self.is_empty() { None } else { Some(Card::of_bit(self.0.trailing_zeros())) }
    }

    /// The card that comes last.
    #[inline]
    pub const fn last(self) -> Option<Card> {
        if self.is_empty() { None } else { Some(Card::of_bit(63 - self.0.leading_zeros())) }
    }

    /// The cards by suit, then rank.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let place = left.trailing_zeros();
            left &= left - 1;
            Some(Card::of_bit(place))
        })
    }

    /// The set without its first `count` cards.
    pub(crate) fn skip(self, count: u32) -> CardSet {
        let mut left = self.0;
        for _ in 0..count {
            left &= left.wrapping_sub(1);
        }
        CardSet(left)
    }

    /// The first `count` cards of the set.
    pub(crate) fn take(self, count: u32) -> CardSet {
        self.without(self.skip(count))
    }
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

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Card>::deserialize(deserializer).map(|cards| cards.into_iter().collect())
    }
}

impl JsonSchema for CardSet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CardIds".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let card = generator.subschema_for::<Card>();
        schemars::json_schema!({ "type": "array", "items": card, "uniqueItems": true })
    }
}
