//! Writes down what a viewer sees of a match, deal by deal.

use parlor_kernel::{Game, Log, Seat, Setup, View, Viewer};
use time::UtcDateTime;

use super::calendar::moment;
use super::hand::{Hand, Place};
use super::notation::{Cards, Note, What};
use crate::board::Board;
use crate::cards::Card;
use crate::event::{DealStarted, Seen, StreetDealt};
use crate::game::Stud;
use crate::rules::Rules;
use crate::seats::at;
use crate::showdown::DealEnd;
use crate::state::{Knowledge, State};

/// The deals of a match as this viewer saw them.
pub(super) fn hands(log: &Log<Stud>, viewer: Viewer) -> Vec<Hand> {
    let mut hands = Vec::new();
    let mut view = View::<Stud>::new(viewer);
    let mut state = State::default();
    for (step, events) in log.by_step() {
        for event in events {
            Stud::apply(&mut state, event);
            let Some(seen) = view.witness(&state, event) else { continue };
            let known = view.knowledge();
            match (&seen, known.setup.as_deref()) {
                (Seen::DealStarted(start), Some(setup)) => {
                    hands.push(begun(start, setup, moment(step.timestamp)));
                }
                _ => {
                    if let Some(hand) = hands.last_mut() {
                        note(hand, &seen, known);
                    }
                }
            }
        }
    }
    hands
}

fn begun(start: &DealStarted, setup: &Setup<Rules>, began: Option<UtcDateTime>) -> Hand {
    let name = |seat: Seat| setup.seats.get(seat.index()).map(|sitting| sitting.name.clone());
    Hand {
        variant: start.variant,
        stakes: start.stakes,
        cap: setup.rules.cap,
        stacks: of_players(start.seats.iter(), &start.stacks),
        notes: Vec::new(),
        players: start.seats.iter().filter_map(name).collect(),
        finishing: None,
        began,
        place: Some(Place {
            table: setup.game_id.clone(),
            deal: start.deal,
            seats: start.seats.iter().map(|seat| seat.0 + 1).collect(),
            seat_count: setup.seats.len() as u8,
        }),
    }
}

fn of_players(players: impl Iterator<Item = Seat>, stacks: &[u32]) -> Vec<u32> {
    players.filter_map(|seat| stacks.get(seat.index()).copied()).collect()
}

/// Notes one thing seen; `known` is what was known just after it.
fn note(hand: &mut Hand, seen: &Seen, known: &Knowledge) {
    let board = &known.board;
    let mut add = |seat: Seat, what| {
        // PHH counts the players who were dealt in, not the seats.
        let place = board.dealt_in.iter().position(|dealt_in| dealt_in == seat);
        hand.notes.extend(place.map(|place| Note { who: Seat(place as u8), what }));
    };
    match seen {
        Seen::DealCards3rd(dealt) => {
            for hand in dealt.hands.iter() {
                let cards = Cards::from_iter([hand.down[0], hand.down[1], Some(hand.up)]);
                add(hand.seat, What::Dealt(cards));
            }
        }
        Seen::DealCard4th(StreetDealt { cards, .. })
        | Seen::DealCard5th(StreetDealt { cards, .. })
        | Seen::DealCard6th(StreetDealt { cards, .. })
        | Seen::DealCard7th(StreetDealt { cards, .. }) => {
            for dealt in cards.iter() {
                add(dealt.seat, What::Dealt(Cards::from_iter([dealt.card])));
            }
        }
        Seen::BringIn(wager) => add(wager.seat, What::BringIn),
        Seen::Complete(wager) | Seen::Bet(wager) | Seen::Raise(wager) => {
            let chips = board.player(wager.seat).committed_this_street;
            add(wager.seat, What::GoesTo(chips));
        }
        Seen::Call(wager) => add(wager.seat, What::ChecksOrCalls),
        Seen::Check(turn) => add(turn.seat, What::ChecksOrCalls),
        Seen::Fold(turn) => add(turn.seat, What::Folds),
        Seen::StreetAdvance(advance) => {
            for open in advance.turned_up.iter() {
                add(open.seat, What::Shows(so_far(board, open.seat, open.down)));
            }
        }
        Seen::DealEnd(end) => {
            for shown in &end.shown {
                add(shown.seat, What::Shows(shown.cards.map(Some).into()));
            }
            for seat in mucks(board, end) {
                add(seat, What::Mucks);
            }
            hand.finishing = Some(of_players(board.dealt_in.iter(), &end.stacks));
        }
        _ => {}
    }
}

/// The hand of a seat in the order it was dealt, its two down cards open.
fn so_far(board: &Board, seat: Seat, down: [Card; 2]) -> Cards {
    let up = board.players[at(seat)].up.into_iter().flatten();
    down.into_iter().chain(up).map(Some).collect()
}

/// Who came to the showdown and kept its cards closed.
fn mucks(board: &Board, end: &DealEnd) -> impl Iterator<Item = Seat> {
    let contested = end.seat.is_none();
    let shown: crate::seats::Seats = end.shown.iter().map(|shown| shown.seat).collect();
    board.active.without(shown).iter().filter(move |_| contested)
}
