//! What is secret, and what a viewer can imagine of it.

use parlor_kernel::laws::{Eyes, Secrets};
use parlor_kernel::{Imagine, Opened, Seat, Stream};

use crate::board::{Board, Hand, Knowledge, Phase, RoundResult, State, at, opponent};
use crate::cards::{Card, CardSet};
use crate::deal::special_deal;
use crate::event::Action;
use crate::game::KoiKoi;
use crate::yaku::tally;

/// Where a card lies face down. A hand has no order of its own, so its places
/// are counted through the cards that are still hidden, by card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaceDown {
    /// In the hand of this seat.
    Hand(Seat, usize),
    /// In the pile, counted from its bottom.
    Pile(usize),
}

/// What the laws exchange: a card in a hand is for its seat only, one in the
/// pile for nobody.
impl Secrets for KoiKoi {
    type Cell = FaceDown;

    fn secrets(state: &State, out: &mut Vec<(FaceDown, Eyes)>) {
        for seat in [Seat(0), Seat(1)] {
            let count = hidden(state, seat).len() as usize;
            out.extend((0..count).map(|place| (FaceDown::Hand(seat, place), Eyes::of(seat))));
        }
        let places = 0..state.pile.cards().len();
        out.extend(places.map(|place| (FaceDown::Pile(place), Eyes::NOBODY)));
    }

    fn swap(state: &mut State, one: FaceDown, other: FaceDown) -> bool {
        let (Some(first), Some(second)) = (lying(state, one), lying(state, other)) else {
            return false;
        };
        for place in [one, other] {
            if let FaceDown::Hand(seat, _) = place {
                state.hands[at(seat)].remove(first);
                state.hands[at(seat)].remove(second);
            }
        }
        lay(state, one, second);
        lay(state, other, first);
        true
    }

    fn invariant(state: &State) -> Result<(), String> {
        let board = &state.board;
        if board.phase == Phase::Unopened {
            return Ok(());
        }
        let zones = [state.hands[0], state.hands[1], face_up(board), state.pile.set()];
        let count: u32 = zones.iter().map(|zone| zone.len()).sum();
        let all = zones.iter().fold(CardSet::EMPTY, |all, zone| all.or(*zone));
        let hands = state.hands.map(CardSet::len);
        let undrawn = state.pile.cards().len();
        if count != 48 || all != CardSet::FULL {
            return Err(format!("{count} cards lie around, 48 should, each once"));
        }
        if hands[0].abs_diff(hands[1]) > 1 {
            return Err(format!("hands of {} and {} cards", hands[0], hands[1]));
        }
        if undrawn != usize::from(board.pile_left) {
            return Err(format!("{undrawn} cards in the pile, not {}", board.pile_left));
        }
        let (Phase::Decision { seat, .. }, Some(rules)) = (board.phase, state.rules()) else {
            return Ok(());
        };
        if hands[at(seat)] == 0 || hands[at(opponent(seat))] == 0 {
            return Err(format!("{seat} decides where nobody can go on"));
        }
        let held = tally(board.captured[at(seat)].set(), rules);
        if held != board.held[at(seat)] {
            return Err(format!("{seat} holds {held:?}, not {:?}", board.held[at(seat)]));
        }
        Ok(())
    }

    fn imagined(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(KoiKoi::imagine(knowledge, dice))
    }

    /// The only match may be named, and with three the target is ignored.
    fn plain(knowledge: &Knowledge, action: &Action) -> Action {
        let Action::Play { card, target: Some(target) } = *action else { return *action };
        match knowledge.board.field.matches(card).as_slice() {
            [only] if *only == target => Action::Play { card, target: None },
            [_, _, _] => Action::Play { card, target: None },
            _ => *action,
        }
    }
}

/// The cards of a hand that were not shown to everyone by a special deal.
fn hidden(state: &State, seat: Seat) -> CardSet {
    state.hands[at(seat)].without(shown(&state.board)[at(seat)])
}

/// The cards of the hands that a special deal shows to everyone.
fn shown(board: &Board) -> [CardSet; 2] {
    match &board.result {
        Some(RoundResult::Instant(instant)) => instant.hands,
        _ => [CardSet::EMPTY; 2],
    }
}

fn lying(state: &State, place: FaceDown) -> Option<Card> {
    match place {
        FaceDown::Hand(seat, place) => hidden(state, seat).iter().nth(place),
        FaceDown::Pile(place) => state.pile.cards().get(place).copied(),
    }
}

fn lay(state: &mut State, place: FaceDown, card: Card) {
    match place {
        FaceDown::Hand(seat, _) => state.hands[at(seat)].insert(card),
        FaceDown::Pile(place) => {
            let mut cards = state.pile.cards().to_vec();
            cards[place] = card;
            state.pile = cards.into_iter().collect();
        }
    }
}

/// Deals what is unseen anew over the closed hands and the pile.
impl Imagine for KoiKoi {
    fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
        let mut state = State {
            opened: knowledge.table.as_ref().map(|table| Opened::imagined(&table.setup)),
            board: knowledge.board.clone(),
            hands: [CardSet::EMPTY; 2],
            pile: knowledge.pile.unwrap_or_default(),
        };
        if knowledge.board.phase == Phase::Unopened {
            return state;
        }
        // Hardly a deal in twenty is turned down (below), so the bound is never met.
        for _ in 0..256 {
            deal_unseen(knowledge, dice, &mut state);
            if keeps_the_deal(&state) {
                break;
            }
        }
        state
    }
}

fn deal_unseen(knowledge: &Knowledge, dice: &mut Stream, state: &mut State) {
    let board = &knowledge.board;
    let known = knowledge.hands.iter().zip(shown(board)).map(|(hand, shown)| match hand {
        Hand::Open(cards) => *cards,
        Hand::Closed { .. } => shown,
    });
    for (hand, known) in state.hands.iter_mut().zip(known) {
        *hand = known;
    }
    let mut unseen: Vec<Card> = CardSet::FULL
        .without(face_up(board))
        .without(state.hands[0].or(state.hands[1]))
        .iter()
        .collect();
    if let Some(pile) = &knowledge.pile {
        unseen.retain(|card| !pile.set().contains(*card));
    }
    dice.shuffle(&mut unseen);
    for (hand, known) in state.hands.iter_mut().zip(&knowledge.hands) {
        if let Hand::Closed { count } = *known {
            while hand.len() < u32::from(count)
                && let Some(card) = unseen.pop()
            {
                hand.insert(card);
            }
        }
    }
    if knowledge.pile.is_none() {
        state.pile = unseen.into_iter().collect();
    }
}

/// Every card whose place everyone knows.
fn face_up(board: &Board) -> CardSet {
    let mut cards = board.field.set().or(board.captured[0].set()).or(board.captured[1].set());
    if let Phase::Selection { card, .. } = board.phase {
        cards.insert(card);
    }
    cards
}

/// Whether these hands, as dealt, would have brought the round here: one that
/// went on had no special hand in it.
fn keeps_the_deal(state: &State) -> bool {
    let Some(rules) = state.rules() else { return true };
    let board = &state.board;
    let dealt = [0, 1].map(|place| state.hands[place].or(board.played[place]));
    let (field, known) = match &board.result {
        Some(RoundResult::Instant(instant)) => (board.field.set(), Some(instant)),
        _ => (CardSet::EMPTY, None),
    };
    let special = special_deal(dealt, field, rules);
    match (special, known) {
        (None, None) => true,
        (Some(special), Some(instant)) => {
            special.reason == instant.reason
                && special.hands == instant.hands
                && special.field == instant.field
        }
        _ => false,
    }
}
