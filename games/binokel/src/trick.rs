//! Tricks: what may be played, who wins, what a play gives away.

use std::borrow::Cow;

use parlor_kernel::Seat;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::cards::{Card, CardSet};
use crate::seats::after;

/// The cards on the table, in the order they were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trick {
    /// Who leads.
    pub leader: Seat,
    cards: [Card; 4],
    len: u8,
    best: u8,
    /// Cards of the led suit that beat all of it here.
    beating: CardSet,
    /// Cards that would take the trick.
    taking: CardSet,
}

impl Trick {
    /// A trick nobody has played to.
    pub const fn led_by(leader: Seat) -> Trick {
        Trick {
            leader,
            cards: [Card::FIRST; 4],
            len: 0,
            best: 0,
            beating: CardSet::EMPTY,
            taking: CardSet::WITH_SEVENS,
        }
    }

    /// A trick of these cards. Which cards are trumps is said as a set of
    /// them here and below: in some games there are none.
    pub fn of(cards: &[Card], trumps: CardSet) -> Trick {
        let mut trick = Trick::led_by(Seat(0));
        cards.iter().for_each(|card| trick.push(*card, trumps));
        trick
    }

    /// The cards so far, in order. Four at most.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    /// Adds a card; a fifth finds no room.
    #[inline]
    pub fn push(&mut self, card: Card, trumps: CardSet) {
        let Some(place) = self.cards.get_mut(usize::from(self.len)) else { return };
        *place = card;
        let above = CardSet::above(card);
        if self.len == 0 {
            self.beating = above;
        } else if card.suit() == self.cards[0].suit() {
            self.beating = self.beating.and(above);
        }
        // Of identical cards the first wins: none takes from its twin.
        if self.taking.contains(card) {
            self.best = self.len;
            self.taking = if trumps.contains(card) { above } else { above.or(trumps) };
        }
        self.len += 1;
    }

    /// Which of the cards holds the trick, counted from the lead.
    #[inline]
    pub const fn best(&self) -> usize {
        self.best as usize
    }

    /// Who holds the trick, if anyone has played.
    #[inline]
    pub fn holder(&self, players: u8) -> Option<Seat> {
        (self.len > 0).then(|| after(self.leader, self.best, players))
    }

    /// The cards that would take it.
    #[inline]
    pub(crate) const fn taking(&self) -> CardSet {
        self.taking
    }

    /// What its cards count.
    #[inline]
    pub fn points(&self) -> u16 {
        self.cards().iter().map(|card| card.points()).sum()
    }

    /// Follow suit and beat the led suit's best; void, trump and
    /// beat the best trump; otherwise anything. Of these duties the first that
    /// a hand can keep is the one it must. `exempt` leaves only following.
    #[inline]
    fn duties(&self, trumps: CardSet, exempt: bool) -> [CardSet; 4] {
        let Some(lead) = self.cards().first() else { return [CardSet::EMPTY; 4] };
        let follow = CardSet::of_suit(lead.suit());
        if exempt {
            return [follow, CardSet::EMPTY, CardSet::EMPTY, CardSet::EMPTY];
        }
        // Where trump is led, following suit has already been asked for.
        [self.beating, follow, self.taking.and(trumps), trumps]
    }

    /// What a hand may play. Never nothing, unless the hand is empty.
    #[inline]
    pub fn legal(&self, hand: CardSet, trumps: CardSet, exempt: bool) -> CardSet {
        for duty in self.duties(trumps, exempt) {
            let kept = hand.and(duty);
            if !kept.is_empty() {
                return kept;
            }
        }
        hand
    }

    /// What everyone learns from a card: cards its player cannot have held,
    /// or one of them would have been played.
    #[inline]
    pub fn ruled_out_by(&self, card: Card, trumps: CardSet, exempt: bool) -> CardSet {
        let mut ruled_out = CardSet::EMPTY;
        if self.len > 0 {
            for duty in self.duties(trumps, exempt) {
                if duty.contains(card) {
                    return ruled_out;
                }
                ruled_out = ruled_out.or(duty);
            }
        }
        ruled_out
    }
}

/// A trick as it is written.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Trick")]
struct Written<'a> {
    /// Who leads.
    leader: Seat,
    /// The cards, in the order they were played.
    cards: &'a [Card],
}

impl Serialize for Trick {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written { leader: self.leader, cards: self.cards() }.serialize(serializer)
    }
}

impl JsonSchema for Trick {
    fn schema_name() -> Cow<'static, str> {
        Written::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Written::json_schema(generator)
    }
}
