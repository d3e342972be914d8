//! Cards in order: rows on the table, and the few that one card takes.

use std::fmt;
use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Card, CardSet};

/// Cards lying in a row: the field, a pile of captures. The order is that in
/// which they came.
#[derive(Clone, Copy)]
pub struct Row {
    set: CardSet,
    len: u8,
    order: [Card; 48],
}

impl Default for Row {
    fn default() -> Self {
        Row { set: CardSet::EMPTY, len: 0, order: [Card(0); 48] }
    }
}

impl Row {
    /// These cards, in this order.
    pub fn of(cards: &[Card]) -> Row {
        cards.iter().copied().collect()
    }

    /// These cards, the first of them last.
    pub fn upside_down(cards: &[Card]) -> Row {
        cards.iter().rev().copied().collect()
    }

    /// The cards as a set.
    #[inline]
    pub const fn set(&self) -> CardSet {
        self.set
    }

    /// The cards in order.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        &self.order[..usize::from(self.len.min(48))]
    }

    /// Lays a card at the end. A card that is there already stays where it is.
    #[inline]
    pub fn push(&mut self, card: Card) {
        if !self.set.contains(card)
            && let Some(end) = self.order.get_mut(usize::from(self.len))
        {
            *end = card;
            self.set.insert(card);
            self.len += 1;
        }
    }

    /// Takes these cards away, those that are there; the others close up.
    #[inline]
    pub fn take(&mut self, cards: &[Card]) {
        for card in cards {
            let end = usize::from(self.len.min(48));
            if !self.set.contains(*card) {
                continue;
            }
            // The last card, moved up over those behind the one that leaves.
            let mut moved = self.order[end - 1];
            let mut place = end - 1;
            while moved != *card {
                place -= 1;
                std::mem::swap(&mut moved, &mut self.order[place]);
            }
            self.set.remove(*card);
            self.len -= 1;
        }
    }

    /// Takes every card away.
    #[inline]
    pub fn clear(&mut self) {
        self.set = CardSet::EMPTY;
        self.len = 0;
    }

    /// The cards of a month that lie here, in order.
    #[inline]
    pub fn matches(&self, card: Card) -> Taken {
        match self.set.in_month_of(card) {
            0 => Taken::default(),
            1 => self.set.first_in_month_of(card).into_iter().collect(),
            _ => {
                let month = CardSet::month_of(card);
                self.cards().iter().copied().filter(|other| month.contains(*other)).collect()
            }
        }
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.cards() == other.cards()
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
#[derive(Clone)]
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
