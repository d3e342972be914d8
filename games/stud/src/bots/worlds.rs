//! Worlds a seat may be in: the hands that the cards and the betting allow,
//! and how a deal comes out in them.

use arrayvec::ArrayVec;
use parlor_kernel::{Seat, Stream};

use super::judge::{Outlook, Verdict};
use crate::action::Action;
use crate::board::Board;
use crate::cards::{Card, CardSet};
use crate::event::Street;
use crate::pots::Worth;
use crate::rules::Variant;
use crate::seats::{SEATS, at};
use crate::state::Knowledge;

/// The cards of a hand, down cards first.
pub(super) type Hand = ArrayVec<Card, 7>;

/// The cards the seat holds, as far as they are known.
pub(super) fn own_hand(knowledge: &Knowledge, seat: Seat) -> Hand {
    let [one, other, last] = knowledge.down[at(seat)];
    let up = knowledge.board.player(seat).up;
    [one, other].into_iter().chain(up).chain([last]).flatten().collect()
}

/// What someone did last on this street, as far as it tells of a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Attack,
    Call,
    Check,
}

/// How often a hand that looks like this gives this sign, relative to the
/// hand that gives it most.
const fn gives(verdict: Verdict, sign: Sign) -> f32 {
    match (sign, verdict) {
        (Sign::Attack, Verdict::Strong) => 1.0,
        (Sign::Attack, Verdict::Fair) => 0.7,
        (Sign::Attack, Verdict::Drawing) => 0.2,
        (Sign::Attack, Verdict::Weak) => 0.1,
        (Sign::Call, Verdict::Strong) => 0.4,
        (Sign::Call, Verdict::Fair | Verdict::Drawing) => 1.0,
        (Sign::Call, Verdict::Weak) => 0.1,
        (Sign::Check, Verdict::Strong) => 0.15,
        (Sign::Check, Verdict::Fair) => 0.3,
        (Sign::Check, Verdict::Drawing | Verdict::Weak) => 1.0,
    }
}

/// How often a hand that looks like this at the start is played for a bet.
const fn starts(verdict: Verdict) -> f32 {
    match verdict {
        Verdict::Strong => 1.0,
        Verdict::Fair => 0.9,
        Verdict::Drawing => 0.5,
        Verdict::Weak => 0.08,
    }
}

/// How often a hand that looks like this folds to a bet.
const fn folds(verdict: Verdict) -> f32 {
    match verdict {
        Verdict::Strong => 0.0,
        Verdict::Fair => 0.08,
        Verdict::Drawing => 0.3,
        Verdict::Weak => 0.8,
    }
}

/// Someone else who is still in.
struct Rival {
    seat: Seat,
    up: ArrayVec<Card, 4>,
    /// How many cards it holds down.
    down: usize,
    /// How the table looks from there: now, and on third street.
    now: Outlook,
    start: Outlook,
    sign: Option<Sign>,
    /// Whether it paid a full bet on an earlier street.
    came_in: bool,
}

impl Rival {
    fn across(board: &Board, seat: Seat) -> Rival {
        let player = board.player(seat);
        let earlier = player.committed_total.saturating_sub(player.committed_this_street);
        let acted = board.actions_this_street.iter().rev().find(|acted| acted.seat == seat);
        let sign = match acted.map(|acted| acted.action) {
            Some(Action::Complete | Action::Bet | Action::Raise) => Some(Sign::Attack),
            Some(Action::Call) => Some(Sign::Call),
            Some(Action::Check) => Some(Sign::Check),
            _ => None,
        };
        Rival {
            seat,
            up: player.up.into_iter().flatten().collect(),
            down: player.down.into(),
            now: Outlook::from(board, seat, 4),
            start: Outlook::from(board, seat, 1),
            sign,
            came_in: earlier >= board.stakes.ante.saturating_add(board.stakes.small_bet),
        }
    }

    /// How well the down cards fit what this seat did; and how they look now.
    fn fit(&self, down: &[Card]) -> (f32, Verdict) {
        let mut hand: Hand = down.iter().copied().take(3).collect();
        hand.extend(self.up.iter().copied());
        let verdict = self.now.judge(&hand);
        let mut fit = self.sign.map_or(1.0, |sign| gives(verdict, sign));
        if self.came_in
            && let ([one, other, ..], Some(door)) = (down, self.up.first())
        {
            fit *= starts(self.start.judge(&[*one, *other, *door]));
        }
        (fit, verdict)
    }
}

/// What one world holds for one rival.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// Whose hand it is.
    pub(super) seat: Seat,
    /// Whether it would fold to a bet.
    pub(super) folds: bool,
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

/// A hand that does not fit the betting is put back this often.
const REDEALS: u32 = 8;

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

    /// One world. Cards are drawn from the end of those that are left, so
    /// that nothing is ever put in order.
    pub(super) fn deal(&mut self, dice: &mut Stream) -> World {
        let mut left = self.unseen.len();
        let mut rivals = ArrayVec::new();
        let mut hands = ArrayVec::<Hand, SEATS>::new();
        for rival in &self.rivals {
            let mut redeals = REDEALS;
            let (down, verdict) = loop {
                let down = draw(&mut self.unseen, left, rival.down, dice);
                let (fit, verdict) = rival.fit(down);
                if redeals == 0 || chance(fit, dice) {
                    break (down, verdict);
                }
                redeals -= 1;
            };
            left -= down.len();
            hands.push(down.iter().chain(&rival.up).copied().take(7).collect());
            let folds = chance(folds(verdict), dice);
            rivals.push(Held { seat: rival.seat, folds, worth: Worth::default() });
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

/// The streets that follow this one.
pub(super) fn ahead(street: Option<Street>) -> impl Iterator<Item = Street> {
    std::iter::successors(street.and_then(Street::next), |street| street.next())
}
