//! What a viewer sees, knows, may do, and can imagine.

use std::sync::Arc;

use parlor_kernel::{Seal, Seat, Stream, Viewer};

use crate::action::Action;
use crate::board::{Board, Stage};
use crate::cards::{Card, CardSet, Stub};
use crate::event::{DealInitSeen, Event, Seen, Street, StreetDealt, ThirdDealt};
use crate::seats::at;
use crate::showdown::Downs;
use crate::state::{Knowledge, State, TableCard};

/// Down cards are for their seats, until they are turned up; the deck is for
/// nobody. Those who see all see both. Where hands may stay closed for good
/// (`muck`), the postmortem sees no more than the public did.
#[inline(always)]
pub(crate) fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
    Some(match event {
        Event::GameStarted(_) => Seen::GameStarted(Arc::clone(state.table.as_ref()?)),
        Event::DealStarted(start) => Seen::DealStarted(Arc::clone(start)),
        Event::DealInit(init) => {
            let deck = sees_all(state, viewer).then(|| Box::new(init.deck));
            Seen::DealInit(DealInitSeen { deck })
        }
        Event::PostAnte(ante) => Seen::PostAnte(*ante),
        Event::DealCards3rd(dealt) => Seen::DealCards3rd(third_seen(state, dealt, viewer)),
        Event::DealCard4th(dealt) => Seen::DealCard4th(*dealt),
        Event::DealCard5th(dealt) => Seen::DealCard5th(*dealt),
        Event::DealCard6th(dealt) => Seen::DealCard6th(*dealt),
        Event::DealCard7th(dealt) => Seen::DealCard7th(seventh_seen(state, dealt, viewer)),
        Event::BringIn(wager) => Seen::BringIn(*wager),
        Event::Complete(wager) => Seen::Complete(*wager),
        Event::Bet(wager) => Seen::Bet(*wager),
        Event::Raise(wager) => Seen::Raise(*wager),
        Event::Call(wager) => Seen::Call(*wager),
        Event::Fold(turn) => Seen::Fold(*turn),
        Event::Check(turn) => Seen::Check(*turn),
        Event::StreetAdvance(advance) => Seen::StreetAdvance(*advance),
        Event::DealEnd(end) => Seen::DealEnd(Arc::clone(end)),
        Event::TimeBank(taken) => Seen::TimeBank(*taken),
        Event::SatOut(aside) => Seen::SatOut(*aside),
        Event::CameBack(aside) => Seen::CameBack(*aside),
        Event::Rebought(bought) => Seen::Rebought(*bought),
        Event::GameFinished(finished) => Seen::GameFinished(Arc::clone(finished)),
    })
}

fn sees_all(state: &State, viewer: Viewer) -> bool {
    viewer == Viewer::Admin || viewer == Viewer::Postmortem && !state.mucks()
}

#[inline]
fn third_seen(state: &State, dealt: &ThirdDealt, viewer: Viewer) -> ThirdDealt {
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
fn seventh_seen(state: &State, dealt: &StreetDealt, viewer: Viewer) -> StreetDealt {
    let mut seen = *dealt;
    let all = state.board.face_up || sees_all(state, viewer);
    for card in seen.cards.iter_mut() {
        if !all && viewer.seat() != Some(card.seat) {
            card.card = None;
        }
    }
    seen
}

pub(crate) fn unaware(viewer: Viewer) -> Knowledge {
    Knowledge {
        viewer,
        table: None,
        board: Board::default(),
        down: Downs::default(),
        stub: None,
        last_deal: None,
        finished: None,
    }
}

#[inline(always)]
pub(crate) fn learn(knowledge: &mut Knowledge, seen: &Seen) {
    let board = &mut knowledge.board;
    match seen {
        Seen::GameStarted(table) => {
            let stacks = (0..table.seats.len()).map(|place| table.rules.stacks.of(place));
            board.open(stacks, table.rules.time_bank);
            knowledge.table = Some(Arc::clone(table));
        }
        Seen::DealStarted(start) => {
            board.start(start);
            knowledge.down = Downs::default();
            knowledge.last_deal = None;
        }
        Seen::DealInit(init) => {
            knowledge.stub = init.deck.as_deref().map(|deck| Box::new(Stub::of(&deck.0)));
        }
        Seen::PostAnte(ante) => board.ante(*ante),
        Seen::DealCards3rd(dealt) => {
            for hand in dealt.hands.iter() {
                knowledge.down[at(hand.seat)] = [hand.down[0], hand.down[1], None];
            }
            board.third(&dealt.hands, dealt.bring_in);
            dealt_from(&mut knowledge.stub, 3 * dealt.hands.len());
        }
        Seen::DealCard4th(dealt) => {
            board.later(Street::Fourth, &dealt.cards, dealt.opener);
            dealt_from(&mut knowledge.stub, dealt.cards.len());
        }
        Seen::DealCard5th(dealt) => {
            board.later(Street::Fifth, &dealt.cards, dealt.opener);
            dealt_from(&mut knowledge.stub, dealt.cards.len());
        }
        Seen::DealCard6th(dealt) => {
            board.later(Street::Sixth, &dealt.cards, dealt.opener);
            dealt_from(&mut knowledge.stub, dealt.cards.len());
        }
        Seen::DealCard7th(dealt) => {
            for dealt in dealt.cards.iter() {
                knowledge.down[at(dealt.seat)][2] = dealt.card;
            }
            board.later(Street::Seventh, &dealt.cards, dealt.opener);
            dealt_from(&mut knowledge.stub, dealt.cards.len());
        }
        Seen::BringIn(wager) => board.attack(Action::BringIn, *wager),
        Seen::Complete(wager) => board.attack(Action::Complete, *wager),
        Seen::Bet(wager) => board.attack(Action::Bet, *wager),
        Seen::Raise(wager) => board.attack(Action::Raise, *wager),
        Seen::Call(wager) => board.call(*wager),
        Seen::Fold(turn) => board.fold(turn.seat),
        Seen::Check(turn) => board.check(turn.seat),
        Seen::StreetAdvance(advance) => {
            for up in advance.turned_up.iter() {
                knowledge.down[at(up.seat)] = [Some(up.down[0]), Some(up.down[1]), None];
            }
            board.advance(advance.street, !advance.turned_up.is_empty());
        }
        Seen::DealEnd(end) => {
            for shown in &end.shown {
                let [one, other, .., last] = shown.cards;
                knowledge.down[at(shown.seat)] = [Some(one), Some(other), Some(last)];
            }
            board.end(&end.stacks);
            knowledge.last_deal = Some(Arc::clone(end));
        }
        Seen::TimeBank(taken) => board.take_time(taken.seat, taken.seconds),
        Seen::SatOut(aside) => board.sitting_out.insert(aside.seat),
        Seen::CameBack(aside) => board.sitting_out.remove(aside.seat),
        Seen::Rebought(bought) => board.rebuy(bought.seat, bought.amount),
        Seen::GameFinished(finished) => {
            board.finish(&finished.stacks);
            knowledge.finished = Some(Arc::clone(finished));
        }
    }
}

#[inline]
fn dealt_from(stub: &mut Option<Box<Stub>>, count: usize) {
    if let Some(stub) = stub {
        stub.discard(count);
    }
}

#[inline]
pub(crate) fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
    if let (Some(table), Some(seat)) = (knowledge.table.as_deref(), knowledge.viewer.seat()) {
        moves(&knowledge.board, table, seat, out);
    }
}

/// The legal moves; between deals, where too few are ready, what would bring
/// this seat back.
#[inline]
pub(crate) fn moves(board: &Board, table: &TableCard, seat: Seat, out: &mut Vec<Action>) {
    if board.actor == Some(seat) {
        out.extend(board.legal(table.rules.cap).iter().map(|offer| offer.action));
    } else if is_missed(board, table, seat) {
        returning(board, table, seat, out);
    }
}

/// What the seat may do whoever is asked. Bots are not asked for these.
pub(crate) fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
    let (Some(table), Some(seat)) = (knowledge.table.as_deref(), knowledge.viewer.seat()) else {
        return;
    };
    let board = &knowledge.board;
    if seat.0 >= board.seats || matches!(board.stage, Stage::Unopened | Stage::Finished) {
        return;
    }
    if !board.sitting_out.contains(seat) {
        out.push(Action::SitOut);
    }
    if !is_missed(board, table, seat) {
        returning(board, table, seat, out);
    }
    let ticking = board.actor == Some(seat) && table.turn_clock().is_some();
    if ticking && board.player(seat).bank > 0 {
        out.push(Action::TimeBank);
    }
}

/// Whether the table waits for this seat, between deals.
fn is_missed(board: &Board, table: &TableCard, seat: Seat) -> bool {
    board.stage == Stage::Between
        && board.ready().len() < 2
        && table.may_return(board).contains(seat)
}

fn returning(board: &Board, table: &TableCard, seat: Seat, out: &mut Vec<Action>) {
    if table.sells_to(board, seat).is_some() {
        out.push(Action::Rebuy);
    }
    if board.sitting_out.contains(seat) {
        out.push(Action::ComeBack);
    }
}

/// Deals what is unseen anew, over the closed down cards and the stub.
pub(crate) fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
    let mut state = State {
        table: knowledge.table.clone(),
        seal: knowledge.table.as_deref().map(|table| Arc::new(Seal::closed(&table.commitment))),
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

/// Every card whose holder this viewer knows. Folded cards count: they were
/// seen and are dead.
fn known(knowledge: &Knowledge) -> CardSet {
    let up = knowledge.board.players.iter().flat_map(|player| player.up);
    let down = knowledge.down.iter().flatten().copied();
    up.chain(down).flatten().collect()
}
