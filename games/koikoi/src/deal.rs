//! The deal, and the deals that end their round at once.

use parlor_kernel::{Dice, Seat};

use crate::board::{Board, RoundResult, at, opponent};
use crate::cards::{Card, CardSet};
use crate::event::{RoundDealt, RoundEndedInstantly, SpecialDeal};
use crate::rules::{FirstDealer, NextDealer, Rules};

/// What a special hand is paid; nothing multiplies it.
pub const SPECIAL_HAND_POINTS: u32 = 6;

/// Who deals round 1.
pub(crate) fn first_dealer(rules: &Rules, dice: &Dice) -> Seat {
    match rules.first_dealer {
        FirstDealer::Drawn => Seat(dice.stream("first-dealer").below(2) as u8),
        FirstDealer::First => Seat(0),
        FirstDealer::Second => Seat(1),
    }
}

/// Who deals the round after this one.
pub(crate) fn next_dealer(rules: &Rules, board: &Board) -> Seat {
    let dealer = board.dealer.unwrap_or(Seat(0));
    match rules.next_dealer {
        NextDealer::Alternate => opponent(dealer),
        NextDealer::Winner => {
            board.result.as_ref().and_then(RoundResult::winner).unwrap_or_else(|| opponent(dealer))
        }
    }
}

/// Shuffles and deals.
pub(crate) fn deal(round: u16, dealer: Seat, dice: &Dice) -> RoundDealt {
    let mut deck = Card::DECK;
    dice.shuffle(format_args!("deal/{round}"), &mut deck);
    let run = |from: usize| std::array::from_fn(|place| deck[from + place]);
    RoundDealt {
        round,
        dealer,
        hands: [run(0), run(8)],
        field: run(16),
        pile: std::array::from_fn(|place| deck[24 + place]),
    }
}

/// The cards that make a deal special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecialCards {
    /// Which special deal it is.
    pub reason: SpecialDeal,
    /// The cards that cause it, by hand.
    pub hands: [CardSet; 2],
    /// The field cards that cause it.
    pub field: CardSet,
}

impl SpecialCards {
    /// Who scores: the one special hand.
    pub fn winner(&self) -> Option<Seat> {
        match self.hands.map(CardSet::is_empty) {
            [false, true] => Some(Seat(0)),
            [true, false] => Some(Seat(1)),
            _ => None,
        }
    }

    /// How the round ends by it.
    pub(crate) fn ending(&self, mut totals: [u32; 2]) -> RoundEndedInstantly {
        let winner = self.winner();
        let points = if winner.is_some() { SPECIAL_HAND_POINTS } else { 0 };
        if let Some(seat) = winner {
            totals[at(seat)] += points;
        }
        let SpecialCards { reason, hands, field } = *self;
        RoundEndedInstantly { reason, winner, points, hands, field, totals }
    }
}

/// Whether these hands and this field end the round before its first play:
/// teshi, then four pairs, then a quad on the field. Any two special hands
/// cancel each other.
pub fn special_deal(hands: [CardSet; 2], field: CardSet, rules: &Rules) -> Option<SpecialCards> {
    let of_hands = |reason, cards: [CardSet; 2]| {
        let found = cards != [CardSet::EMPTY; 2];
        found.then_some(SpecialCards { reason, hands: cards, field: CardSet::EMPTY })
    };
    let cancels = rules.special_hands_cancel && rules.four_pairs;
    let special =
        |hand: CardSet| if cancels { hand.quads().or(four_pairs(hand)) } else { hand.quads() };
    let teshi = || {
        let found = hands.iter().any(|hand| !hand.quads().is_empty());
        found.then(|| of_hands(SpecialDeal::Teshi, hands.map(special))).flatten()
    };
    let four_pairs = || of_hands(SpecialDeal::FourPairs, hands.map(four_pairs));
    let kuttsuki = || {
        let field = field.quads();
        let reason = SpecialDeal::FieldKuttsuki;
        (!field.is_empty()).then_some(SpecialCards { reason, hands: [CardSet::EMPTY; 2], field })
    };
    (rules.teshi.then(teshi).flatten())
        .or_else(|| rules.four_pairs.then(four_pairs).flatten())
        .or_else(|| rules.field_kuttsuki.then(kuttsuki).flatten())
}

/// The hand itself if it is four months of two, else nothing.
pub fn four_pairs(hand: CardSet) -> CardSet {
    if hand.len() == 8 && hand.months_of_two().holds(hand) { hand } else { CardSet::EMPTY }
}
