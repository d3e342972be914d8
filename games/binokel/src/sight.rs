//! What may be done and inferred, from what someone knows.

use parlor_kernel::Seat;

use crate::board::{Board, Phase};
use crate::cards::{CardSet, Suit};
use crate::event::{Action, CardPlayed};
use crate::knowledge::Knowledge;
use crate::rules::Rules;
use crate::seats::at;

/// The cards that are shown when they are laid away.
pub(crate) fn buried_trumps(board: &Board, rules: &Rules) -> CardSet {
    match board.trump {
        Some(trump) if rules.buried_trumps_shown => CardSet::of_suit(trump),
        _ => CardSet::EMPTY,
    }
}

/// What must be played leaves little choice, so a card tells what its player does not have.
#[inline]
pub(crate) fn rule_out(board: &Board, lacks: &mut [CardSet; 4], play: CardPlayed, rules: &Rules) {
    let exempt = board.is_exempt(play.seat, rules);
    let ruled_out = board.trick.ruled_out_by(play.card, board.trumps(), exempt);
    lacks[at(play.seat)] = lacks[at(play.seat)].or(ruled_out);
}

/// Each move in its plainest form: the lowest bid, and of what can be laid
/// away every run of neighbours in hand. Any higher bid and any other cards
/// are as good, see [`plain`].
#[inline]
pub(crate) fn moves(
    board: &Board,
    rules: &Rules,
    seat: Seat,
    hand: CardSet,
    out: &mut Vec<Action>,
) {
    if !board.awaited().contains(seat) {
        return;
    }
    match board.phase {
        Phase::Bidding { .. } => {
            if board.auction.may_pass(rules) {
                out.push(Action::Pass);
            }
            out.extend(board.auction.least(rules).map(|amount| Action::Bid { amount }));
        }
        Phase::TakingDabb => out.push(Action::TakeDabb),
        Phase::LayingAway => {
            let count = u32::from(rules.dabb(board.players));
            let runs = (0..=hand.len().saturating_sub(count)).map(|from| hand.skip(from));
            out.extend(runs.map(|run| Action::Discard { cards: run.take(count) }));
            out.extend(board.ways_out().map(|suit| Action::GoOut { suit }));
        }
        Phase::NamingTrump => {
            out.extend(Suit::ALL.map(|suit| Action::DeclareTrump { suit }));
            out.extend(board.specials(rules).map(|special| Action::Announce { special }));
        }
        Phase::Melding { .. } => out.push(Action::DeclareMelds),
        Phase::Tricks { .. } => {
            let legal = board.legal(seat, hand, rules);
            out.extend(legal.iter().map(|card| Action::PlayCard { card }));
        }
        Phase::Unopened | Phase::RoundOver | Phase::Finished | Phase::Terminated => {}
    }
}

/// The action in the form `options` has it: a legal bid as the lowest, cards
/// laid away as the run of neighbours in hand that begins with their first.
pub(crate) fn plain(knowledge: &Knowledge, action: &Action) -> Action {
    let (board, Some(table)) = (&knowledge.board, &knowledge.table) else { return *action };
    let rules = &table.setup.rules;
    match (*action, board.auction.least(rules), knowledge.own_hand()) {
        (Action::Bid { amount }, Some(least), _) if board.auction.takes(amount, rules) => {
            Action::Bid { amount: least }
        }
        (Action::Discard { cards }, _, Some((_, hand)))
            if hand.holds(cards) && cards.len() == u32::from(rules.dabb(board.players)) =>
        {
            let lower = |first| hand.iter().take_while(|card| *card != first).count();
            let from = cards.first().map_or(0, lower);
            Action::Discard { cards: hand.skip(from as u32).take(cards.len()) }
        }
        _ => *action,
    }
}
