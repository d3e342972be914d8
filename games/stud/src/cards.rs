//! The deck of 52: cards, sets of them, and what is left to deal.

use std::fmt;
use std::num::NonZeroU8;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const RANKS: &[u8; 13] = b"23456789TJQKA";
const SUITS: &[u8; 4] = b"cdhs";

/// One of the 52 cards. There is no other; none at all takes no more room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(NonZeroU8);

impl Card {
    /// The whole deck, from the deuce of clubs to the ace of spades: by rank,
    /// then by suit, clubs first.
    pub const DECK: [Card; 52] = {
        let mut deck = [Card(NonZeroU8::MIN); 52];
        let mut place = 0;
        while place < 52 {
            deck[place] = Card::at(place as u8);
            place += 1;
        }
        deck
    };

    const fn at(place: u8) -> Card {
        match NonZeroU8::new(place + 1) {
            Some(one) => Card(one),
            None => Card(NonZeroU8::MIN),
        }
    }

    /// The card with this name; none if the deck has no such card.
    ///
    /// ```
    /// use parlor_stud::Card;
    /// assert_eq!(Card::named("Td").map(Card::rank), Some(10));
    /// assert_eq!(Card::named("10d"), None);
    /// ```
    pub fn named(name: &str) -> Option<Card> {
        let [rank, suit] = name.as_bytes() else { return None };
        let rank = RANKS.iter().position(|known| known == rank)?;
        let suit = SUITS.iter().position(|known| known == suit)?;
        Some(Card::at((rank * 4 + suit) as u8))
    }

    /// The card's place in [`Card::DECK`].
    #[inline]
    pub const fn place(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Its rank: 2 to 10, then jack 11, queen 12, king 13, ace 14.
    #[inline]
    pub const fn rank(self) -> u8 {
        (self.0.get() - 1) / 4 + 2
    }

    /// Its rank where the ace is low: ace 1, then 2 to 13.
    #[inline]
    pub const fn low_rank(self) -> u8 {
        let rank = self.rank();
        if rank == 14 { 1 } else { rank }
    }

    /// Its suit: clubs 0, diamonds 1, hearts 2, spades 3.
    #[inline]
    pub const fn suit(self) -> u8 {
        (self.0.get() - 1) % 4
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = RANKS[usize::from(self.rank() - 2)];
        let suit = SUITS[usize::from(self.suit())];
        write!(f, "{}{}", char::from(rank), char::from(suit))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Card::named(&name).ok_or_else(|| {
            serde::de::Error::custom(format_args!("'{name}' is no card; cards are like As, Td, 2c"))
        })
    }
}

impl JsonSchema for Card {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[2-9TJQKA][cdhs]$" })
    }
}

/// A set of cards.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52.
    pub const FULL: CardSet = CardSet((1 << 52) - 1);

    /// Adds a card; false if it was there already.
    pub fn insert(&mut self, card: Card) -> bool {
        let bit = 1 << card.place();
        let new = self.0 & bit == 0;
        self.0 |= bit;
        new
    }

    /// Whether the card is in the set.
    pub const fn contains(self, card: Card) -> bool {
        self.0 & (1 << card.place()) != 0
    }

    /// How many cards there are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no card.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in this set and not in the other.
    pub const fn without(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// The cards, in deck order.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        Card::DECK.into_iter().filter(move |card| self.contains(*card))
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

/// A shuffled deck: all 52 cards, dealt from the left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deck(pub [Card; 52]);

impl Serialize for Deck {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0)
    }
}

impl<'de> Deserialize<'de> for Deck {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = Vec::<Card>::deserialize(deserializer)?;
        let whole = |cards: Vec<Card>| serde::de::Error::invalid_length(cards.len(), &"52 cards");
        cards.try_into().map(Deck).map_err(whole)
    }
}

impl JsonSchema for Deck {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Deck".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let card = generator.subschema_for::<Card>();
        schemars::json_schema!({
            "type": "array", "items": card, "minItems": 52, "maxItems": 52
        })
    }
}

/// What is left of the deck, in the order it will be dealt.
#[derive(Clone, Copy, Debug)]
pub struct Stub {
    cards: [Card; 52],
    /// The first card that is left; 52 if none is.
    next: u8,
}

impl Stub {
    /// A stub whose cards are dealt in this order.
    pub fn of(cards: &[Card]) -> Stub {
        let mut stub = Stub::default();
        let count = cards.len().min(52);
        stub.cards[52 - count..].copy_from_slice(&cards[..count]);
        stub.next = 52 - count as u8;
        stub
    }

    /// Deals the next card; none if the deck is used up.
    #[inline]
    pub fn deal(&mut self) -> Option<Card> {
        let card = self.left().first().copied();
        self.discard(1);
        card
    }

    /// Takes away as many cards as were dealt.
    #[inline]
    pub fn discard(&mut self, count: usize) {
        self.next += count.min(self.left().len()) as u8;
    }

    /// Where in the shuffled deck the cards lie that are left.
    pub fn places(&self) -> std::ops::Range<u8> {
        self.next..52
    }

    /// The card that is left at this place of the shuffled deck.
    pub(crate) fn card_at(&mut self, place: u8) -> Option<&mut Card> {
        let is_left = self.places().contains(&place);
        self.cards.get_mut(usize::from(place)).filter(|_| is_left)
    }

    /// The cards, in the order they will be dealt.
    #[inline]
    pub fn left(&self) -> &[Card] {
        &self.cards[usize::from(self.next)..]
    }
}

impl Default for Stub {
    /// Nothing is left.
    fn default() -> Self {
        Stub { cards: Card::DECK, next: 52 }
    }
}

/// What was dealt from a stub is no part of it.
impl PartialEq for Stub {
    fn eq(&self, other: &Self) -> bool {
        self.left() == other.left()
    }
}
