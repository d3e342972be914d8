//! Side pots and how they are shared, chip by chip.

use arrayvec::ArrayVec;
use parlor_kernel::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cards::Card;
use crate::eval::{High, Low, ace_to_five, eight_or_better, high};
use crate::rules::Variant;
use crate::seats::{SEATS, Seats, at};

/// A pot and who won it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pot {
    /// Its chips.
    pub amount: u32,
    /// Who plays for it; a single seat gets its own chips back.
    pub seats: Seats,
    /// Who has the best high hand; nobody in razz.
    pub high: Seats,
    /// Who has the best low, in razz and where a low qualifies.
    pub low: Seats,
}

/// What a hand is worth in the variant that is played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worth {
    /// In the high order.
    pub high: Option<High>,
    /// In the low order, if it counts.
    pub low: Option<Low>,
}

impl Worth {
    /// What seven cards are worth.
    pub fn of(variant: Variant, cards: &[Card]) -> Worth {
        match variant {
            Variant::StudHi => Worth { high: Some(high(cards)), low: None },
            Variant::Razz => Worth { high: None, low: Some(ace_to_five(cards)) },
            Variant::Stud8 => Worth { high: Some(high(cards)), low: eight_or_better(cards) },
        }
    }
}

/// Who is best, and all who are as good.
pub fn best<T: Ord>(seats: Seats, worth: impl Fn(Seat) -> Option<T>) -> Seats {
    let mut winners = Seats::NONE;
    let mut top = None;
    for seat in seats.iter() {
        let Some(mine) = worth(seat) else { continue };
        match top.as_ref().map(|best| mine.cmp(best)) {
            Some(std::cmp::Ordering::Less) => {}
            Some(std::cmp::Ordering::Equal) => winners.insert(seat),
            Some(std::cmp::Ordering::Greater) | None => {
                winners = Seats::NONE;
                winners.insert(seat);
                top = Some(mine);
            }
        }
    }
    winners
}

/// Side pots by commitment level. Chips of folded seats stay in; a
/// layer only one live seat reached returns to it. Winners follow from `worth`.
pub fn pots(
    committed: &[u32; SEATS],
    active: Seats,
    worth: &[Worth; SEATS],
) -> ArrayVec<Pot, SEATS> {
    let mut pots = ArrayVec::new();
    let mut below = 0;
    let mut still_in = active;
    while let Some(level) = still_in.iter().map(|seat| committed[at(seat)]).min() {
        let layer = |chips: &u32| chips.min(&level) - chips.min(&below);
        let mut amount: u32 = committed.iter().map(layer).sum();
        let seats = still_in;
        still_in = still_in.iter().filter(|seat| committed[at(*seat)] > level).collect();
        if still_in.is_empty() {
            // Whoever folded after putting in more than any live seat has.
            amount += committed.iter().map(|chips| chips.saturating_sub(level)).sum::<u32>();
        }
        below = level;
        if amount > 0 || pots.is_empty() {
            let high = best(seats, |seat| worth[at(seat)].high);
            let low = best(seats, |seat| worth[at(seat)].low);
            pots.push(Pot { amount, seats, high, low });
        }
    }
    pots
}

/// What each seat is paid out of these pots.
pub fn pay(pots: &[Pot]) -> [u32; SEATS] {
    let mut paid = [0; SEATS];
    for pot in pots {
        // The odd chip of the halving goes to the high.
        let low = match (pot.high.is_empty(), pot.low.is_empty()) {
            (true, false) => pot.amount,
            (_, true) => 0,
            (false, false) => pot.amount / 2,
        };
        share(pot.amount - low, pot.high, &mut paid);
        share(low, pot.low, &mut paid);
    }
    paid
}

/// Ties share; odd chips one by one to the lowest seats.
fn share(amount: u32, winners: Seats, paid: &mut [u32; SEATS]) {
    let count = winners.len();
    if count == 0 {
        return;
    }
    let odd = amount % count;
    for (nth, seat) in (0..).zip(winners.iter()) {
        paid[at(seat)] += amount / count + u32::from(nth < odd);
    }
}
