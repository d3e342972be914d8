//! Durch and Bettel by rule of thumb: what to lay away for them, whether
//! anything can go wrong, and what to play in them.

use parlor_kernel::Seat;

use crate::cards::{Card, CardSet, Suit};
use crate::seats::side;
use crate::special::Special;
use crate::trick::Trick;

/// Cards a declarer may lose with who leads each suit from the top against
/// one who holds these. Once a suit has been led as often as the other has
/// cards of it, all that is left of it is good.
pub(super) fn losers(hand: CardSet, against: CardSet) -> CardSet {
    each_suit(hand, |own, suit| {
        let theirs = against.and(suit);
        let beaten = |card: &Card| !theirs.and(CardSet::above(*card)).is_empty();
        let beaten: CardSet = own.iter().filter(beaten).collect();
        let masters = own.without(beaten).len();
        if masters >= theirs.len() { CardSet::EMPTY } else { beaten }
    })
}

/// Cards a declarer may be made to take a trick with: a lower one of the suit
/// is out, and when it is led it must be beaten.
pub(super) fn takers(hand: CardSet, out: CardSet) -> CardSet {
    each_suit(hand, |own, suit| {
        let Some(least) = out.and(suit).first() else { return CardSet::EMPTY };
        own.iter().filter(|card| card.rank() > least.rank()).collect()
    })
}

fn each_suit(hand: CardSet, find: impl Fn(CardSet, CardSet) -> CardSet) -> CardSet {
    let suits = Suit::ALL.map(CardSet::of_suit);
    suits.into_iter().fold(CardSet::EMPTY, |all, suit| all.or(find(hand.and(suit), suit)))
}

/// What to lay away of these cards for a game, all others being out: what is
/// in its way first, beginning with suits that can be cleared of it.
pub(super) fn laid_away(special: Special, cards: CardSet, out: CardSet, count: u32) -> CardSet {
    let amiss = amiss(special, cards, out);
    let in_suit = |card: Card| amiss.and(CardSet::of_suit(card.suit())).len();
    let mut order: Vec<Card> = cards.iter().collect();
    order.sort_by_key(|card| {
        let height = card.rank() as i8;
        let lowest_first = if special == Special::Durch { height } else { -height };
        (!amiss.contains(*card), in_suit(*card), lowest_first)
    });
    order.into_iter().take(count as usize).collect()
}

/// Whether nothing can go wrong, wherever the cards lie that are out.
pub(super) fn is_certain(special: Special, hand: CardSet, out: CardSet) -> bool {
    amiss(special, hand, out).is_empty()
}

fn amiss(special: Special, hand: CardSet, out: CardSet) -> CardSet {
    match special {
        Special::Durch => losers(hand, out),
        Special::Bettel => takers(hand, out),
    }
}

/// A turn in an announced game.
pub(super) struct Turn<'a> {
    pub(super) special: Special,
    pub(super) declarer: Seat,
    pub(super) seat: Seat,
    pub(super) players: u8,
    pub(super) trick: &'a Trick,
    /// What may be played.
    pub(super) legal: CardSet,
    /// What may be in the hands of others.
    pub(super) out: CardSet,
    /// What may be in the declarer's.
    pub(super) declarers: CardSet,
}

impl Turn<'_> {
    /// The card to play.
    pub(super) fn card(&self) -> Option<Card> {
        let leads = self.trick.cards().is_empty();
        let taking = self.legal.and(self.trick.taking());
        let ducking = self.legal.without(taking);
        let declares = self.seat == self.declarer;
        match self.special {
            Special::Durch if leads => self.master().or_else(|| lowest(self.legal)),
            // A partner keeps out of the way, everyone else takes what they can.
            Special::Durch if self.is_with_declarer() && !declares => {
                lowest(ducking.or_if_empty(self.legal))
            }
            Special::Durch => lowest(taking.or_if_empty(self.legal)),
            Special::Bettel if declares && leads => self.covered().or_else(|| lowest(self.legal)),
            Special::Bettel if declares => highest(ducking).or_else(|| lowest(self.legal)),
            Special::Bettel if self.is_with_declarer() => highest(self.legal),
            Special::Bettel if leads => self.under().or_else(|| lowest(self.legal)),
            Special::Bettel => lowest(self.legal),
        }
    }

    fn is_with_declarer(&self) -> bool {
        side(self.seat, self.players) == side(self.declarer, self.players)
    }

    /// The highest card that nobody can beat.
    fn master(&self) -> Option<Card> {
        highest(self.legal.without(self.beaten_by(self.out)))
    }

    /// The highest card that somebody must beat.
    fn covered(&self) -> Option<Card> {
        highest(self.beaten_by(self.out))
    }

    /// The lowest card that the declarer may have to beat.
    fn under(&self) -> Option<Card> {
        lowest(self.beaten_by(self.declarers))
    }

    fn beaten_by(&self, cards: CardSet) -> CardSet {
        let beaten = |card: &Card| !cards.and(CardSet::above(*card)).is_empty();
        self.legal.iter().filter(beaten).collect()
    }
}

fn lowest(cards: CardSet) -> Option<Card> {
    cards.iter().min_by_key(|card| card.rank())
}

fn highest(cards: CardSet) -> Option<Card> {
    cards.iter().max_by_key(|card| card.rank())
}
