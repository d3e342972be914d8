//! Who knows what: what is seen of cards, which of them are secret, and what
//! they may be.

use parlor_kernel::laws::{Eyes, Secrets};
use parlor_kernel::{Imagine, Opened, Seat, SeatSet, Stream, Told, Viewer};

use crate::action::Action;
use crate::cards::{Card, CardSet, Stub};
use crate::event::{Event, StreetDealt, ThirdDealt};
use crate::game::Stud;
use crate::invariant;
use crate::seats::at;
use crate::state::{Knowledge, State};

/// Whether this viewer sees every card.
pub(crate) fn sees_all(state: &State, viewer: Viewer) -> bool {
    viewer == Viewer::Admin || viewer == Viewer::Postmortem && !state.mucks()
}

#[inline]
pub(crate) fn third_seen(state: &State, dealt: &ThirdDealt, viewer: Viewer) -> ThirdDealt {
    let mut seen = *dealt;
    let all = sees_all(state, viewer);
    for hand in seen.hands.iter_mut() {
        if !all && viewer.seat() != Some(hand.seat) {
            hand.down = [None; 2];
        }
    }
    seen
}

#[inline]
pub(crate) fn seventh_seen(state: &State, dealt: &StreetDealt, viewer: Viewer) -> StreetDealt {
    let mut seen = *dealt;
    let all = state.board.face_up || sees_all(state, viewer);
    for card in seen.cards.iter_mut() {
        if !all && viewer.seat() != Some(card.seat) {
            card.card = None;
        }
    }
    seen
}

impl Told for Stud {
    fn is_private(_: &State, event: &Event) -> bool {
        matches!(
            event,
            Event::GameStarted(_)
                | Event::DealInit(_)
                | Event::DealCards3rd(_)
                | Event::DealCard7th(_)
        )
    }

    fn is_for_clients(action: &Action) -> bool {
        *action != Action::TimeOut
    }
}

/// A card that someone may not look at, by its place in the shuffled deck: it
/// has that name in the deck and in a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceDown {
    /// The deal it belongs to.
    pub deal: u32,
    /// Its place in the shuffled deck, from 0.
    pub place: u8,
    /// Whether it lies in a hand that lost at the showdown unseen. That it lost
    /// says something of it, so it is no longer the cell it was.
    pub mucked: bool,
}

/// What the laws exchange: a down card is for its own seat, a card of the deck
/// for nobody. Where hands may stay closed for good, they stay so afterwards,
/// and with them the deck and the seal.
impl Secrets for Stud {
    type Cell = FaceDown;

    fn secrets(state: &State, out: &mut Vec<(FaceDown, Eyes)>) {
        let board = &state.board;
        if board.street.is_none() {
            return;
        }
        let (deal, afterwards) = (board.deal, !state.mucks());
        for seat in board.dealt_in.iter().filter(|seat| !is_open(state, *seat)) {
            let mucked = is_mucked(state, seat);
            let eyes = Eyes { seats: SeatSet::only(seat), afterwards };
            let held = places(state, seat).into_iter().zip(state.down[at(seat)]);
            let closed = held.filter_map(|(place, card)| card.and(place));
            out.extend(closed.map(|place| (FaceDown { deal, place, mucked }, eyes)));
        }
        let eyes = Eyes { seats: SeatSet::EMPTY, afterwards };
        let undealt = state.stub.places();
        out.extend(undealt.map(|place| (FaceDown { deal, place, mucked: false }, eyes)));
    }

    fn swap(state: &mut State, one: FaceDown, other: FaceDown) -> bool {
        let [first, second] = [one, other].map(|cell| card_in(state, cell).copied());
        let (Some(first), Some(second)) = (first, second) else { return false };
        for (cell, put) in [(one, second), (other, first)] {
            if let Some(card) = card_in(state, cell) {
                *card = put;
            }
        }
        true
    }

    fn drawn(state: &State, label: &str, place: usize) -> Option<FaceDown> {
        let deal = state.board.deal;
        let is_this = label.strip_prefix("deal/").is_some_and(|number| number == deal.to_string());
        let mut closed = Vec::new();
        Stud::secrets(state, &mut closed);
        let cells = closed.into_iter().map(|(cell, _)| cell);
        cells.filter(|_| is_this).find(|cell| usize::from(cell.place) == place)
    }

    fn invariant(state: &State) -> Result<(), String> {
        invariant::check(state)
    }

    fn imagined(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(Stud::imagine(knowledge, dice))
    }
}

/// Whether everyone has seen this seat's down cards.
fn is_open(state: &State, seat: Seat) -> bool {
    let board = &state.board;
    let shown = state.last_deal.iter().flat_map(|end| &end.shown);
    board.face_up && board.active.contains(seat) || shown.into_iter().any(|hand| hand.seat == seat)
}

/// Whether this seat lost at the showdown and kept its hand closed.
fn is_mucked(state: &State, seat: Seat) -> bool {
    let compared = state.last_deal.as_deref().is_some_and(|end| end.seat.is_none());
    compared && state.board.active.contains(seat) && !is_open(state, seat)
}

/// Where in the shuffled deck this seat's down cards came from. Third street is
/// dealt three cards a seat, and nothing is dealt after seventh street.
fn places(state: &State, seat: Seat) -> [Option<u8>; 3] {
    let board = &state.board;
    let third = board.dealt_in.iter().position(|dealt_in| dealt_in == seat);
    let third = third.map(|nth| 3 * nth as u8);
    let last_dealt = || board.seated().filter(|seat| board.player(*seat).down == 3);
    let nth = last_dealt().position(|dealt| dealt == seat);
    let first = state.stub.places().start.checked_sub(last_dealt().count() as u8);
    let seventh = first.zip(nth).map(|(first, nth)| first + nth as u8);
    [third, third.map(|place| place + 1), seventh]
}

fn card_in(state: &mut State, cell: FaceDown) -> Option<&mut Card> {
    if cell.deal != state.board.deal {
        return None;
    }
    let held = |seat: Seat| {
        let nth = places(state, seat).iter().position(|place| *place == Some(cell.place))?;
        state.down[at(seat)][nth].map(|_| (seat, nth))
    };
    match state.board.dealt_in.iter().find_map(held) {
        Some((seat, nth)) => state.down[at(seat)][nth].as_mut(),
        None => state.stub.card_at(cell.place),
    }
}

/// Deals what is unseen anew, over the closed down cards and the stub.
impl Imagine for Stud {
    fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
        let mut state = State {
            opened: knowledge.setup.as_ref().map(Opened::imagined),
            board: knowledge.board.clone(),
            down: knowledge.down,
            stub: knowledge.stub.as_deref().copied().unwrap_or_default(),
            last_deal: knowledge.last_deal.clone(),
            finished: knowledge.finished.clone(),
        };
        if knowledge.board.deal == 0 {
            return state;
        }
        let mut unseen: Vec<Card> = CardSet::FULL
            .without(known(knowledge))
            .iter()
            .filter(|card| !state.stub.left().contains(card))
            .collect();
        dice.shuffle(&mut unseen);
        for seat in knowledge.board.dealt_in.iter() {
            let dealt = usize::from(knowledge.board.player(seat).down).min(3);
            for card in &mut state.down[at(seat)][..dealt] {
                *card = card.or_else(|| unseen.pop());
            }
        }
        if knowledge.stub.is_none() {
            state.stub = Stub::of(&unseen);
        }
        state
    }
}

/// Every card whose holder this viewer knows. Folded cards count: they were
/// seen and are dead.
fn known(knowledge: &Knowledge) -> CardSet {
    let up = knowledge.board.players.iter().flat_map(|player| player.up);
    let down = knowledge.down.iter().flatten().copied();
    up.chain(down).flatten().collect()
}
