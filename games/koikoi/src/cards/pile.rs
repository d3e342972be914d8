//! The pile: cards that are only ever drawn from the top.

use std::fmt;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{Card, CardSet};

/// What is left of the 24 cards dealt to the pile.
#[derive(Clone, Copy)]
pub struct Pile {
    left: u8,
    cards: [Card; 24],
}

impl Default for Pile {
    fn default() -> Self {
        Pile { left: 0, cards: [Card(0); 24] }
    }
}

impl Pile {
    /// The pile as dealt, top card first.
    pub fn dealt(mut cards: [Card; 24]) -> Pile {
        cards.reverse();
        Pile { left: 24, cards }
    }

    /// The cards, the top card last.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.left.min(24))]
    }

    /// The cards as a set.
    pub fn set(&self) -> CardSet {
        self.cards().iter().copied().collect()
    }

    /// The card that is drawn next.
    #[inline]
    pub fn top(&self) -> Option<Card> {
        self.cards().last().copied()
    }

    /// Takes the top card away.
    #[inline]
    pub fn draw(&mut self) {
        self.left = self.left.saturating_sub(1);
    }
}

impl PartialEq for Pile {
    fn eq(&self, other: &Self) -> bool {
        self.cards() == other.cards()
    }
}

impl fmt::Debug for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

impl Serialize for Pile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.cards())
    }
}

impl JsonSchema for Pile {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Pile".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let card = generator.subschema_for::<Card>();
        schemars::json_schema!({ "type": "array", "items": card, "maxItems": 24 })
    }
}

impl FromIterator<Card> for Pile {
    /// The first 24 of them, the last of these on top.
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut pile = Pile::default();
        for (place, card) in pile.cards.iter_mut().zip(cards) {
            *place = card;
            pile.left += 1;
        }
        pile
    }
}
