//! Cards in one place, as far as a viewer knows them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cards::{Card, CardSet};

/// Cards known to lie somewhere, and how many more lie there unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Holding {
    /// Which are known.
    pub known: CardSet,
    /// How many are not.
    pub unknown: u8,
}

impl Holding {
    /// Cards that are all seen.
    #[inline]
    pub const fn open(cards: CardSet) -> Holding {
        Holding { known: cards, unknown: 0 }
    }

    /// Cards that are not.
    #[inline]
    pub const fn closed(count: u32) -> Holding {
        Holding { known: CardSet::EMPTY, unknown: count as u8 }
    }

    /// These cards, seen or not.
    #[inline]
    pub const fn seen_if(seen: bool, cards: CardSet) -> Holding {
        if seen { Holding::open(cards) } else { Holding::closed(cards.len()) }
    }

    /// How many cards.
    #[inline]
    pub const fn len(&self) -> u32 {
        self.known.len() + self.unknown as u32
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether nothing is hidden.
    #[inline]
    pub const fn is_open(&self) -> bool {
        self.unknown == 0
    }

    /// A card leaves, for everyone to see.
    #[inline]
    pub(crate) fn lose(&mut self, card: Card) {
        if self.known.contains(card) {
            self.known.remove(card);
        } else {
            self.unknown = self.unknown.saturating_sub(1);
        }
    }

    /// More cards come in.
    pub(crate) fn gain(&mut self, more: Holding) {
        self.known = self.known.or(more.known);
        self.unknown += more.unknown;
    }

    /// These cards turn out to lie here.
    #[inline]
    pub(crate) fn show(&mut self, cards: CardSet) {
        let new = cards.without(self.known);
        self.unknown = self.unknown.saturating_sub(new.len() as u8);
        self.known = self.known.or(new);
    }

    /// Cards leave. Where some of them are not seen, it is no longer known
    /// which of the others are still here.
    pub(crate) fn part_with(&mut self, away: Holding) {
        if !away.is_open() {
            *self = Holding::closed(self.len());
        }
        away.known.iter().for_each(|card| self.lose(card));
        self.unknown = self.unknown.saturating_sub(away.unknown);
    }
}
