//! Worlds a seat may be in: the hands that the cards and the betting allow,
//! and how a deal comes out in them.

use arrayvec::ArrayVec;
use parlor_kernel::{Seat, Stream};

use super::judge::{Hand, Strength, own_hand};
use super::reading::{Rival, folds};
use crate::cards::{Card, CardSet};
use crate::pots::Worth;
use crate::rules::Variant;
use crate::seats::SEATS;
use crate::state::Knowledge;

/// What one world holds for one rival.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// Whose hand it is.
    pub(super) seat: Seat,
    /// Whether it would fold to a bet.
    pub(super) folds: bool,
    /// Whether it looks strong enough to raise.
    pub(super) raises: bool,
    worth: Worth,
}

/// One way the unseen cards may lie, played out to the end.
pub(super) struct World {
    /// The others.
    pub(super) rivals: ArrayVec<Held, SEATS>,
    mine: Worth,
}

impl World {
    /// The share of the pot won against those who stay.
    pub(super) fn share(&self, stays: impl Fn(&Held) -> bool) -> f32 {
        let mut high = Half::of(self.mine.high);
        let mut low = Half::of(self.mine.low);
        for rival in self.rivals.iter().filter(|rival| stays(rival)) {
            high.meets(rival.worth.high);
            low.meets(rival.worth.low);
        }
        match (high.won(), low.won()) {
            (Some(high), Some(low)) => (high + low) / 2.0,
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => 0.0,
        }
    }
}

/// One half of the pot, or all of it where there is no other.
struct Half<T> {
    mine: Option<T>,
    contested: bool,
    beaten: bool,
    equals: u8,
}

impl<T: Ord> Half<T> {
    fn of(mine: Option<T>) -> Half<T> {
        Half { contested: mine.is_some(), beaten: false, equals: 0, mine }
    }

    fn meets(&mut self, theirs: Option<T>) {
        self.contested |= theirs.is_some();
        self.beaten |= theirs > self.mine;
        self.equals += u8::from(theirs.is_some() && theirs == self.mine);
    }

    /// The share of this half; none if nobody has a hand for it.
    fn won(&self) -> Option<f32> {
        let share = if self.beaten { 0.0 } else { 1.0 / (1.0 + f32::from(self.equals)) };
        self.contested.then_some(share)
    }
}

/// Deals worlds.
pub(super) struct Worlds {
    variant: Variant,
    mine: Hand,
    rivals: ArrayVec<Rival, SEATS>,
    unseen: ArrayVec<Card, 52>,
}

/// How many hands are looked at before one of them is taken that does not fit
/// so well.
const LOOKS: u32 = 10;

impl Worlds {
    /// The worlds that agree with what the seat knows.
    pub(super) fn around(knowledge: &Knowledge, seat: Seat) -> Worlds {
        let board = &knowledge.board;
        let mine = own_hand(knowledge, seat);
        let up = board.players.iter().flat_map(|player| player.up).flatten();
        let seen: CardSet = up.chain(mine.iter().copied()).collect();
        let others = board.active.iter().filter(|other| *other != seat);
        Worlds {
            variant: board.variant,
            rivals: others.map(|other| Rival::across(board, other)).collect(),
            unseen: CardSet::FULL.without(seen).iter().collect(),
            mine,
        }
    }

    /// How many others are in.
    pub(super) fn rivals(&self) -> usize {
        self.rivals.len()
    }

    /// One world. Cards are drawn from the end of those that are left, so
    /// that nothing is ever put in order.
    pub(super) fn deal(&mut self, dice: &mut Stream) -> World {
        let mut left = self.unseen.len();
        let mut rivals = ArrayVec::new();
        let mut hands = ArrayVec::<Hand, SEATS>::new();
        for rival in &self.rivals {
            let strength = likely(rival, &mut self.unseen, left, dice);
            let down = left - rival.down.min(left)..left;
            left = down.start;
            hands.push(self.unseen[down].iter().chain(&rival.up).copied().take(7).collect());
            rivals.push(Held {
                seat: rival.seat,
                folds: chance(folds(strength), dice),
                raises: strength == Strength::Strong,
                worth: Worth::default(),
            });
        }
        for (held, mut hand) in rivals.iter_mut().zip(hands) {
            left -= fill(&mut hand, &mut self.unseen, left, dice);
            held.worth = Worth::of(self.variant, &hand);
        }
        let mut mine = self.mine.clone();
        fill(&mut mine, &mut self.unseen, left, dice);
        World { rivals, mine: Worth::of(self.variant, &mine) }
    }
}

/// Draws the rival down cards as likely as they fit what it did, and says how
/// they look. A hand is taken by its fit; if none is, one of those looked at,
/// again by its fit.
fn likely(rival: &Rival, cards: &mut [Card], left: usize, dice: &mut Stream) -> Strength {
    let mut fits = 0.0;
    let mut kept = (Hand::new(), Strength::Weak);
    for _ in 0..LOOKS {
        let down = draw(cards, left, rival.down, dice);
        let (fit, strength) = rival.fit(down);
        if chance(fit, dice) {
            return strength;
        }
        fits += fit;
        if chance(fit / fits, dice) {
            kept = (down.iter().copied().take(7).collect(), strength);
        }
    }
    for (last, card) in (0..left).rev().zip(&kept.0) {
        if let Some(place) = cards[..=last].iter().position(|other| other == card) {
            cards.swap(place, last);
        }
    }
    kept.1
}

/// Draws so many of the first `left` cards: they come to lie at their end.
fn draw<'a>(cards: &'a mut [Card], left: usize, count: usize, dice: &mut Stream) -> &'a [Card] {
    let count = count.min(left);
    for drawn in 0..count {
        let last = left - 1 - drawn;
        cards.swap(last, dice.below(last as u32 + 1) as usize);
    }
    &cards[left - count..left]
}

/// Deals a hand its seven cards; says how many it took.
fn fill(hand: &mut Hand, cards: &mut [Card], left: usize, dice: &mut Stream) -> usize {
    let drawn = draw(cards, left, hand.remaining_capacity(), dice);
    hand.extend(drawn.iter().copied());
    drawn.len()
}

/// True with this probability.
pub(super) fn chance(probability: f32, dice: &mut Stream) -> bool {
    probability >= 1.0 || (dice.next_u32() as f32) < probability * 2f32.powi(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(variant: Variant, names: &str) -> Worth {
        let hand: Hand = names.split(' ').filter_map(Card::named).collect();
        Worth::of(variant, &hand)
    }

    /// A world where mine meets these hands, the second of which folds.
    fn share(variant: Variant, mine: &str, theirs: [&str; 2]) -> f32 {
        let held = |(seat, names)| Held {
            seat: Seat(seat),
            folds: seat == 2,
            raises: false,
            worth: worth(variant, names),
        };
        let rivals = (1..).zip(theirs).map(held).collect();
        World { rivals, mine: worth(variant, mine) }.share(|rival| !rival.folds)
    }

    const ACES: &str = "As Ad 9c Jh Tc 3d 4c";
    const KINGS: &str = "Ks Kd 2c 3h 4d 6c 7h";
    const QUADS: &str = "8s 8d 8c 8h 2d 3c 4s";

    #[test]
    fn only_hands_that_stay_are_to_be_beaten() {
        assert_eq!(share(Variant::StudHi, ACES, [KINGS, QUADS]), 1.0);
        assert_eq!(share(Variant::StudHi, ACES, [QUADS, KINGS]), 0.0);
        assert_eq!(share(Variant::Razz, ACES, [KINGS, QUADS]), 0.0);
    }

    #[test]
    fn a_pot_in_halves_is_won_by_halves() {
        assert_eq!(share(Variant::Stud8, ACES, [KINGS, QUADS]), 0.5);
        assert_eq!(share(Variant::Stud8, ACES, [ACES, KINGS]), 0.5);
        assert_eq!(share(Variant::Stud8, KINGS, [KINGS, QUADS]), 0.5);
    }
}
