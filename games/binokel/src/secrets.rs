//! What is hidden from whom. The laws exchange it and compare what is told.

use parlor_kernel::laws::{Eyes, Secrets};
use parlor_kernel::{Imagine, Seat, Stream};

use crate::board::Phase;
use crate::cards::{Card, CardSet};
use crate::event::Action;
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::melds::melded;
use crate::rules::DabbShown;
use crate::seats::{all_seats, at};
use crate::sight;
use crate::state::State;

/// A place in which a hidden card lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The nth of the cards in a hand that have not been melded.
    Hand(Seat, usize),
    /// The nth card of the dabb; while the declarer has it in hand, of the last
    /// cards there; then of what was laid away for it.
    Aside(usize),
}

/// Which set of the state a card is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Zone {
    Hand(Seat),
    Dabb,
    LaidAway,
}

/// A hidden card: where it lies, and who may look.
struct Hidden {
    cell: Cell,
    eyes: Eyes,
    zone: Zone,
    card: Card,
}

/// A hand is for its seat until it melds, the dabb for nobody until it is won
/// and then for its taker, what was laid away for who did. Where the dabb was
/// shown to all it is known until cards are laid away; nothing told in between
/// may depend on it all the same.
fn hidden(state: &State) -> Vec<Hidden> {
    let State { board, hands, dabb, laid_away, .. } = state;
    let Some(rules) = state.rules() else { return Vec::new() };
    let declarer = board.declarer();
    let mut hidden = Vec::new();
    let mut hide = |cards: CardSet, zone, eyes, cell: &dyn Fn(usize) -> Cell| {
        let numbered = cards.iter().enumerate();
        hidden.extend(numbered.map(|(nth, card)| Hidden { cell: cell(nth), eyes, zone, card }));
    };
    for seat in all_seats(board.players) {
        let melds = board.melds[at(seat)].map_or(CardSet::EMPTY, |melds| melds.cards);
        let closed = hands[at(seat)].without(melds);
        let taken = declarer == Some(seat) && dabb.is_empty() && laid_away.is_empty();
        let aside = if taken { u32::from(rules.dabb(board.players)) } else { 0 };
        let own = closed.len().saturating_sub(aside);
        let zone = Zone::Hand(seat);
        hide(closed.take(own), zone, Eyes::of(seat), &|nth| Cell::Hand(seat, nth));
        hide(closed.skip(own), zone, Eyes::of(seat), &Cell::Aside);
    }
    let eyes = declarer.map_or(Eyes::NOBODY, Eyes::of);
    if declarer.is_none() || rules.dabb_shown == DabbShown::Taker {
        hide(*dabb, Zone::Dabb, eyes, &Cell::Aside);
    }
    let buried = laid_away.without(sight::buried_trumps(board, rules));
    hide(buried, Zone::LaidAway, eyes, &Cell::Aside);
    hidden
}

fn find(state: &State, cell: Cell) -> Option<Hidden> {
    hidden(state).into_iter().find(|hidden| hidden.cell == cell)
}

/// Both cards, if both cells hold one.
fn cards_in(state: &State, one: Cell, other: Cell) -> Option<(Hidden, Hidden)> {
    Some((find(state, one)?, find(state, other)?))
}

impl Zone {
    fn of(self, state: &mut State) -> &mut CardSet {
        match self {
            Zone::Hand(seat) => &mut state.hands[at(seat)],
            Zone::Dabb => &mut state.dabb,
            Zone::LaidAway => &mut state.laid_away,
        }
    }
}

impl Secrets for Binokel {
    type Cell = Cell;

    fn secrets(state: &State, out: &mut Vec<(Cell, Eyes)>) {
        out.extend(hidden(state).into_iter().map(|hidden| (hidden.cell, hidden.eyes)));
    }

    /// What is about to be shown cannot be exchanged: the cards that a seat is
    /// to meld, and trumps that are shown when they are laid away.
    fn swap(state: &mut State, one: Cell, other: Cell) -> bool {
        let Some((first, second)) = cards_in(state, one, other) else { return false };
        let mut world = state.clone();
        if first.zone != second.zone {
            for (zone, gone, put) in
                [(first.zone, first.card, second.card), (second.zone, second.card, first.card)]
            {
                let cards = zone.of(&mut world);
                cards.remove(gone);
                cards.insert(put);
            }
        }
        let fits = melds_alike(state, &world) && !shows_a_trump(state, &first, &second);
        if fits {
            *state = world;
        }
        fits
    }

    fn invariant(state: &State) -> Result<(), String> {
        let board = &state.board;
        let Some(rules) = state.rules() else { return Ok(()) };
        // Between the first event and its deal nobody has cards yet.
        if state.hands == [CardSet::EMPTY; 4] && state.laid_away.is_empty() && state.dabb.is_empty()
        {
            return Ok(());
        }
        let fresh = matches!(board.phase, Phase::Bidding { .. }) && board.auction.highest.is_none();
        if !fresh {
            every_card_once(state, rules.deck())?;
        }
        if matches!(board.phase, Phase::Tricks { .. }) {
            let hands = state.hands[..usize::from(board.players)].iter().map(|hand| hand.len());
            let most = hands.clone().max().unwrap_or(0);
            if most - hands.min().unwrap_or(0) > 1 {
                return Err(format!("hands are uneven: {:?}", state.hands));
            }
        }
        counts_up(state)
    }

    fn imagined(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(Binokel::imagine(knowledge, dice))
    }

    fn plain(knowledge: &Knowledge, action: &Action) -> Action {
        sight::plain(knowledge, action)
    }

    /// Who lays cards away lays away what is in their places.
    fn carried(state: &State, action: &Action, one: Cell, other: Cell) -> Action {
        let (Action::Discard { cards }, Some((first, second))) =
            (action, cards_in(state, one, other))
        else {
            return *action;
        };
        let put = |card: Card| match card {
            _ if first.zone == second.zone => card,
            _ if card == first.card => second.card,
            _ if card == second.card => first.card,
            _ => card,
        };
        Action::Discard { cards: cards.iter().map(put).collect() }
    }
}

/// Whether those who are still to meld have the same melds in both worlds.
fn melds_alike(state: &State, world: &State) -> bool {
    let board = &state.board;
    let (Phase::Melding { waiting }, Some(trump), Some(rules)) =
        (board.phase, board.trump, state.rules())
    else {
        return true;
    };
    let melds = |state: &State, seat| melded(state.hands[at(seat)], trump, rules);
    waiting.iter().all(|seat| melds(state, seat) == melds(world, seat))
}

/// Whether one of the cards would be shown if the declarer laid it away now.
fn shows_a_trump(state: &State, first: &Hidden, second: &Hidden) -> bool {
    let (board, Some(rules)) = (&state.board, state.rules()) else { return false };
    let shown = sight::buried_trumps(board, rules);
    let in_hand = board.declarer().map(Zone::Hand);
    board.phase == Phase::LayingAway
        && [first, second].iter().any(|hidden| Some(hidden.zone) == in_hand)
        && [first, second].iter().any(|hidden| shown.contains(hidden.card))
}

fn every_card_once(state: &State, deck: CardSet) -> Result<(), String> {
    let board = &state.board;
    let zones = state.hands.iter().chain(&board.played).chain([&state.dabb, &state.laid_away]);
    let count: u32 = zones.clone().map(|zone| zone.len()).sum();
    let all = zones.fold(CardSet::EMPTY, |all, zone| all.or(*zone));
    if count != deck.len() || all != deck {
        return Err(format!("{count} cards lie around, {} should, each once", deck.len()));
    }
    Ok(())
}

/// Once a round is scored, all points have gone somewhere.
fn counts_up(state: &State) -> Result<(), String> {
    let board = &state.board;
    let scored = board.scored.filter(|_| board.highest_bid().is_some());
    let (Phase::RoundOver, Some(scored)) = (board.phase, scored) else { return Ok(()) };
    let away = state.laid_away.points();
    let taken: u16 = board.taken.iter().sum();
    let held = state.hands.iter().fold(CardSet::EMPTY, |all, hand| all.or(*hand));
    // Only an announced game ends with cards in hand: no last trick then.
    let (in_hand, all) = match board.special {
        Some(_) if !held.is_empty() => (held.points(), 240),
        _ => (0, 250),
    };
    if !board.going_out && taken + away + in_hand != all {
        return Err(format!("{taken} in tricks and {away} laid away are not {all}"));
    }
    if scored.total_scores != board.totals {
        return Err("totals differ from the score".to_owned());
    }
    Ok(())
}
