//! What seven cards are worth, in three orders: high, ace-to-five low, and
//! eight or better.
//!
//! The ranking is `aya_poker`'s: perfect hash tables made at compile time,
//! exact in all three orders and about 100 million hands a second on one
//! thread. Nothing else found does all three. It is one small release (0.1.0,
//! Zlib, Apache-2.0 or MIT) and no longer in motion; these functions are its
//! only door, so it could be replaced here.

use aya_poker::base::{CARDS, Hand};
use aya_poker::{ace_five_rank, poker_rank};

use crate::cards::Card;

/// How good a high hand is; more is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct High(u16);

/// How good an ace-to-five low is; more is better. Straights and flushes do
/// not count, aces are low, pairs hurt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Low(u16);

/// Cards are in the same order here and there, by rank, then clubs first.
#[inline]
fn gathered(cards: &[Card]) -> Hand {
    let mut hand = Hand::new();
    for card in cards {
        hand.insert_unchecked(&CARDS[card.place()]);
    }
    hand
}

/// The best high hand of five among five to seven different cards.
///
/// ```
/// use parlor_stud::{Card, high};
/// let hand = |names: &str| -> Vec<Card> { names.split(' ').filter_map(Card::named).collect() };
/// let flush = high(&hand("As 2s 9s 4s 5s Kd Kh"));
/// let straight = high(&hand("As 2d 3s 4s 5s Kd Kh"));
/// assert!(flush > straight);
/// ```
#[inline]
pub fn high(cards: &[Card]) -> High {
    High(poker_rank(&gathered(cards)).0)
}

/// The best ace-to-five low of five among five to seven different cards.
#[inline]
pub fn ace_to_five(cards: &[Card]) -> Low {
    Low(ace_five_rank(&gathered(cards)).0)
}

/// The best ace-to-five low of five different ranks from eight down; none if
/// the cards have no such low.
///
/// ```
/// use parlor_stud::{Card, eight_or_better};
/// let hand = |names: &str| -> Vec<Card> { names.split(' ').filter_map(Card::named).collect() };
/// assert!(eight_or_better(&hand("As 2d 3s 4s 8s Kd Kh")).is_some());
/// assert!(eight_or_better(&hand("As 2d 3s 4s 9s Kd Kh")).is_none());
/// ```
#[inline]
pub fn eight_or_better(cards: &[Card]) -> Option<Low> {
    let rank = ace_five_rank(&gathered(cards)).to_lo_8_rank();
    (rank.0 > 0).then_some(Low(rank.0))
}
