//! Plays as someone on the first evening.

use parlor_kernel::{Player, Seat, Stream};

use crate::board::{Board, Phase};
use crate::cards::{Card, CardSet, Suit};
use crate::event::Action;
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::melds::melded;
use crate::rules::Rules;

/// Sees the melds in its hand and the trick on the table, and not further.
pub struct Novice;

impl Player<Binokel> for Novice {
    /// Only asked by those who want one of the plain options.
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], _: &mut Stream) -> usize {
        let wanted = act(knowledge).map(|action| crate::sight::plain(knowledge, &action));
        options.iter().position(|option| Some(*option) == wanted).unwrap_or(0)
    }

    fn act(&mut self, knowledge: &Knowledge, _: &[Action], _: &mut Stream, out: &mut Vec<Action>) {
        out.extend(act(knowledge));
    }
}

/// What a hand takes in tricks, it believes, whatever the hand.
const HOPED_FOR: u16 = 100;

fn act(knowledge: &Knowledge) -> Option<Action> {
    let (seat, hand) = knowledge.own_hand()?;
    let rules = &knowledge.table.as_deref()?.setup.rules;
    let board = &knowledge.board;
    Some(match board.phase {
        Phase::Bidding { .. } => bid(board, hand, rules),
        Phase::TakingDabb => Action::TakeDabb,
        Phase::LayingAway => Action::Discard { cards: lay_away(board, hand, rules) },
        Phase::NamingTrump => Action::DeclareTrump { suit: longest(hand) },
        Phase::Tricks { .. } => Action::PlayCard { card: card(board, hand, seat, rules)? },
        _ => Action::DeclareMelds,
    })
}

fn bid(board: &Board, hand: CardSet, rules: &Rules) -> Action {
    let worth = melded(hand, longest(hand), rules).points + HOPED_FOR;
    match board.auction.least(rules) {
        Some(amount) if !board.auction.may_pass(rules) || amount <= worth => Action::Bid { amount },
        _ => Action::Pass,
    }
}

fn longest(hand: CardSet) -> Suit {
    let length = |suit: &Suit| hand.and(CardSet::of_suit(*suit)).len();
    Suit::ALL.into_iter().max_by_key(length).unwrap_or(Suit::Kreuz)
}

/// The lowest cards that are neither trumps nor part of a meld, then others.
fn lay_away(board: &Board, hand: CardSet, rules: &Rules) -> CardSet {
    let trump = board.trump.unwrap_or(longest(hand));
    let kept = melded(hand, trump, rules).cards.or(CardSet::of_suit(trump));
    let mut cards: Vec<Card> = hand.iter().collect();
    cards.sort_by_key(|card| (kept.contains(*card), card.rank()));
    cards.into_iter().take(rules.dabb(board.players).into()).collect()
}

/// Its highest card if that takes the trick so far, otherwise its lowest.
fn card(board: &Board, hand: CardSet, seat: Seat, rules: &Rules) -> Option<Card> {
    let legal = board.legal(seat, hand, rules);
    let takes = |card: &Card| {
        let mut trick = board.trick;
        trick.push(*card, board.trumps());
        trick.holder(board.players) == Some(seat)
    };
    let highest = legal.iter().filter(takes).max_by_key(|card| card.rank());
    highest.or_else(|| legal.iter().min_by_key(|card| card.rank()))
}
