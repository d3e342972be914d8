//! Cards in order: rows on the table, and the few that one card takes.

use std::fmt;
use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Card, CardSet};

/// Cards lying in a row: the field, a pile of captures. The order is that in
/// which they came.
///
/// Most of what is asked of a row does not depend on the order, so the row
/// only notes when each card came, and is put in order for those who read it.
#[derive(Clone, Copy)]
pub struct Row {
    set: CardSet,
    came: [u8; 48],
    /// How many ever came. Each of 48 cards comes once in a round; only a
    /// made-up log counts to the end, and its rows still fold to one order.
    arrivals: u8,
}

impl Default for Row {
    fn default() -> Self {
        Row { set: CardSet::EMPTY, came: [0; 48], arrivals: 0 }
    }
}

impl Row {
    /// These cards, in this order.
    pub fn of(cards: &[Card]) -> Row {
        cards.iter().copied().collect()
    }

    /// The cards as a set.
    #[inline]
    pub const fn set(&self) -> CardSet {
        self.set
    }

    /// The cards in order.
    pub fn cards(&self) -> Vec<Card> {
        let mut cards: Vec<Card> = self.set.iter().collect();
        cards.sort_by_key(|card| self.came[card.place()]);
        cards
    }

    /// Lays a card at the end. A card that is there already stays where it is.
    #[inline]
    pub fn push(&mut self, card: Card) {
        if !self.set.contains(card) {
            self.set.insert(card);
            self.came[card.place()] = self.arrivals;
            self.arrivals = self.arrivals.saturating_add(1);
        }
    }

    /// Takes a card away, if it is there; the others close up.
    #[inline]
    pub fn take(&mut self, card: Card) {
        self.set.remove(card);
    }

    /// Takes every card away.
    #[inline]
    pub fn clear(&mut self) {
        self.set = CardSet::EMPTY;
        self.arrivals = 0;
    }

    /// The cards of a month that lie here, in order.
    #[inline]
    pub fn matches(&self, card: Card) -> Taken {
        match self.set.in_month_of(card) {
            0 => Taken::default(),
            1 => self.set.first_in_month_of(card).map_or_else(Taken::default, Taken::one),
            _ => {
                let mut several: Taken = self.set.and(CardSet::month_of(card)).iter().collect();
                let end = several.len();
                several.cards[..end].sort_unstable_by_key(|card| self.came[card.place()]);
                several
            }
        }
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.set == other.set && self.cards() == other.cards()
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.cards())
    }
}

impl JsonSchema for Row {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Row".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let card = generator.subschema_for::<Card>();
        schemars::json_schema!({ "type": "array", "items": card, "uniqueItems": true })
    }
}

impl FromIterator<Card> for Row {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut row = Row::default();
        for card in cards {
            row.push(card);
        }
        row
    }
}

/// What a card takes from the field, in order: none, one, or three (of two,
/// one is chosen). Never more: a month has four cards.
#[derive(Clone, Copy)]
pub struct Taken {
    len: u8,
    cards: [Card; 3],
}

impl Default for Taken {
    #[inline]
    fn default() -> Self {
        Taken { len: 0, cards: [Card(0); 3] }
    }
}

impl Taken {
    /// This card alone.
    #[inline]
    pub const fn one(card: Card) -> Taken {
        Taken { len: 1, cards: [card, Card(0), Card(0)] }
    }

    /// The cards in order.
    #[inline]
    pub fn as_slice(&self) -> &[Card] {
        &self.cards[..usize::from(self.len.min(3))]
    }
}

impl Deref for Taken {
    type Target = [Card];

    #[inline]
    fn deref(&self) -> &[Card] {
        self.as_slice()
    }
}

impl FromIterator<Card> for Taken {
    /// The first three of them.
    #[inline]
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut taken = Taken::default();
        for card in cards {
            let Some(place) = taken.cards.get_mut(usize::from(taken.len)) else { break };
            *place = card;
            taken.len += 1;
        }
        taken
    }
}

impl PartialEq for Taken {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl fmt::Debug for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

impl Serialize for Taken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.as_slice())
    }
}

impl<'de> Deserialize<'de> for Taken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = Vec::<Card>::deserialize(deserializer)?;
        if cards.len() > 3 {
            return Err(serde::de::Error::invalid_length(cards.len(), &"at most three cards"));
        }
        Ok(cards.into_iter().collect())
    }
}

impl JsonSchema for Taken {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Taken".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let card = generator.subschema_for::<Card>();
        schemars::json_schema!({ "type": "array", "items": card, "maxItems": 3 })
    }
}
