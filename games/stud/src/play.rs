//! Decide and apply: what a move makes happen.

use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::{Awaiting, Dice, Opening, Order, Seat, SeatSet};

use crate::action::{Action, Refusal};
use crate::betting::Offer;
use crate::board::Stage;
use crate::cards::Stub;
use crate::course::Course;
use crate::event::{Aside, Ending, Event, Rebought, Street, TimeBank, Turn, Wager};
use crate::rules::{BANK_SLICE, Rules};
use crate::seats::at;
use crate::state::{State, TableCard};

pub(crate) fn open(opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
    let mut course = Course::from(State::default(), out);
    course.happens(Event::GameStarted(Arc::new(opening)));
    course.deal(dice);
}

pub(crate) fn proceed(state: &State, dice: &Dice, out: &mut Vec<Event>) {
    if let Awaiting::House { .. } = awaiting(state) {
        Course::from(state.clone(), out).deal(dice);
    }
}

/// A match is called off between deals or in the midst of one, which is then
/// paid back.
pub(crate) fn obey(state: &State, order: &Order, out: &mut Vec<Event>) {
    if let (Order::CallOff { reason }, Stage::Dealing | Stage::Between) = (order, state.board.stage)
    {
        Course::from(state.clone(), out).finish(Ending::CalledOff, Some(reason.clone()));
    }
}

pub(crate) fn decide(
    state: &State,
    seat: Seat,
    action: Action,
    out: &mut Vec<Event>,
) -> Result<(), Refusal> {
    let Some(table) = state.table.as_deref() else { return Err(Refusal::Over) };
    if state.board.stage == Stage::Finished || seat.0 >= state.board.seats {
        return Err(Refusal::Over);
    }
    match action {
        Action::SitOut | Action::ComeBack | Action::Rebuy | Action::TimeBank => {
            out.push(aside(state, table, seat, action)?);
        }
        _ => {
            let offer = chosen(state, table, seat, action)?;
            let event = event_of(seat, state.board.street.unwrap_or(Street::Third), offer);
            if state.board.is_last_word(action) {
                Course::from(state.clone(), out).plays(event);
            } else {
                out.push(event);
            }
        }
    }
    Ok(())
}

/// The offer a seat takes up, or why there is none.
fn chosen(state: &State, table: &TableCard, seat: Seat, action: Action) -> Result<Offer, Refusal> {
    let board = &state.board;
    match board.actor {
        None if board.stage == Stage::Between => Err(Refusal::NoBetting("the next deal")),
        None => Err(Refusal::NoBetting("the cards")),
        Some(actor) if actor != seat => Err(Refusal::NotYourTurn),
        Some(_) => {
            let offers = board.legal(table.rules.cap);
            let taken = offers.into_iter().find(|offer| offer.action == action);
            taken.ok_or_else(|| board.why_not(seat, action, table.rules.cap))
        }
    }
}

fn event_of(seat: Seat, street: Street, offer: Offer) -> Event {
    let wager = Wager { seat, street, amount: offer.amount, paid: offer.paid };
    match offer.action {
        Action::BringIn => Event::BringIn(wager),
        Action::Complete => Event::Complete(wager),
        Action::Bet => Event::Bet(wager),
        Action::Raise => Event::Raise(wager),
        Action::Call => Event::Call(wager),
        Action::Check => Event::Check(Turn { seat, street }),
        // Only the seven moves are ever offered.
        _ => Event::Fold(Turn { seat, street }),
    }
}

/// rules §6: sitting out, coming back, rebuys and the time bank.
fn aside(state: &State, table: &TableCard, seat: Seat, action: Action) -> Result<Event, Refusal> {
    let board = &state.board;
    let sits_out = board.sitting_out.contains(seat);
    match action {
        Action::SitOut if sits_out => Err(Refusal::SitsOut),
        Action::SitOut => Ok(Event::SatOut(Aside { seat })),
        Action::ComeBack if !sits_out => Err(Refusal::DealtIn),
        Action::ComeBack => Ok(Event::CameBack(Aside { seat })),
        Action::Rebuy => match (table.rules.rebuy, table.sells_to(board, seat)) {
            (_, Some(amount)) => Ok(Event::Rebought(Rebought { seat, amount })),
            (None, _) => Err(Refusal::NoRebuys),
            (Some(_), None) if board.player(seat).stack > 0 => Err(Refusal::NotBroke),
            (Some(_), None) if !board.deal_finished() => Err(Refusal::NotBroke),
            (Some(_), None) => Err(Refusal::TableIsFull),
        },
        _ if board.actor != Some(seat) => Err(Refusal::NotYourTurn),
        _ if table.turn_clock().is_none() => Err(Refusal::NoClock),
        _ => match board.player(seat).bank.min(BANK_SLICE) {
            0 => Err(Refusal::BankIsEmpty),
            seconds => Ok(Event::TimeBank(TimeBank { seat, seconds })),
        },
    }
}

pub(crate) fn apply(state: &mut State, event: &Event) {
    let board = &mut state.board;
    match event {
        Event::GameStarted(opening) => {
            let rules = &opening.rules;
            let stacks = (0..opening.seats.len()).map(|place| rules.stacks.of(place));
            board.open(stacks, rules.time_bank);
            state.table = Some(Arc::new(TableCard::of(opening)));
            state.seal = Some(Arc::new(opening.seal.clone()));
        }
        Event::DealStarted(start) => {
            board.start(start);
            state.down = Default::default();
            state.last_deal = None;
        }
        Event::DealInit(init) => state.stub = Stub::of(&init.deck.0),
        Event::PostAnte(ante) => board.ante(*ante),
        Event::DealCards3rd(dealt) => {
            state.stub.discard(3 * dealt.hands.len());
            for hand in dealt.hands.iter() {
                state.down[at(hand.seat)] = [hand.down[0], hand.down[1], None];
            }
            board.third(&dealt.hands, dealt.bring_in);
        }
        Event::DealCard4th(dealt) => {
            state.stub.discard(dealt.cards.len());
            board.later(Street::Fourth, &dealt.cards, dealt.opener);
        }
        Event::DealCard5th(dealt) => {
            state.stub.discard(dealt.cards.len());
            board.later(Street::Fifth, &dealt.cards, dealt.opener);
        }
        Event::DealCard6th(dealt) => {
            state.stub.discard(dealt.cards.len());
            board.later(Street::Sixth, &dealt.cards, dealt.opener);
        }
        Event::DealCard7th(dealt) => {
            state.stub.discard(dealt.cards.len());
            for dealt in dealt.cards.iter() {
                state.down[at(dealt.seat)][2] = dealt.card;
            }
            board.later(Street::Seventh, &dealt.cards, dealt.opener);
        }
        Event::BringIn(wager) => board.attack(Action::BringIn, *wager),
        Event::Complete(wager) => board.attack(Action::Complete, *wager),
        Event::Bet(wager) => board.attack(Action::Bet, *wager),
        Event::Raise(wager) => board.attack(Action::Raise, *wager),
        Event::Call(wager) => board.call(*wager),
        Event::Fold(turn) => board.fold(turn.seat),
        Event::Check(turn) => board.check(turn.seat),
        Event::StreetAdvance(advance) => {
            board.advance(advance.street, !advance.turned_up.is_empty());
        }
        Event::DealEnd(end) => {
            board.end(&end.stacks);
            state.last_deal = Some(Arc::clone(end));
        }
        Event::TimeBank(taken) => board.take_time(taken.seat, taken.seconds),
        Event::SatOut(aside) => board.sitting_out.insert(aside.seat),
        Event::CameBack(aside) => board.sitting_out.remove(aside.seat),
        Event::Rebought(bought) => board.rebuy(bought.seat, bought.amount),
        Event::GameFinished(finished) => {
            board.finish(&finished.stacks);
            state.finished = Some(Arc::clone(finished));
        }
    }
}

pub(crate) fn awaiting(state: &State) -> Awaiting {
    let board = &state.board;
    let seats = |seats: SeatSet, kind| Awaiting::Seats { seats, kind };
    match (board.stage, board.actor) {
        (Stage::Dealing, Some(seat)) => {
            let opens = board.street == Some(Street::Third) && board.current_bet == 0;
            let kind = if opens { "AWAITING_BRING_IN" } else { "AWAITING_ACTION" };
            seats(SeatSet::only(seat), kind)
        }
        (Stage::Between, _) if board.ready().len() >= 2 => Awaiting::House { kind: "NEXT_DEAL" },
        (Stage::Between, _) => {
            let Some(table) = state.table.as_deref() else { return Awaiting::Nobody };
            seats(table.may_return(board).iter().collect(), "AWAITING_PLAYERS")
        }
        _ => Awaiting::Nobody,
    }
}

pub(crate) fn clock(state: &State, seat: Seat) -> Option<Duration> {
    let usual = state.table.as_deref()?.turn_clock()?;
    let seconds = match state.board.bank_running {
        0 => u64::from(usual),
        slice => u64::from(slice),
    };
    (state.board.actor == Some(seat)).then(|| Duration::from_secs(seconds))
}

/// rules §2.4, §6: the time bank first, slice by slice; then the bring-in is
/// posted by itself, a free check is taken, and anything else is folded.
pub(crate) fn timeout(state: &State, seat: Seat) -> Option<Action> {
    let (table, board) = (state.table.as_deref()?, &state.board);
    if board.actor == Some(seat) {
        if table.turn_clock().is_some() && board.player(seat).bank > 0 {
            return Some(Action::TimeBank);
        }
        let third = board.street == Some(Street::Third);
        return Some(match board.current_bet {
            0 if third && board.bring_in == Some(seat) => Action::BringIn,
            0 if !third => Action::Check,
            _ => Action::Fold,
        });
    }
    // No clock runs for a seat the table waits for between deals, but if one
    // did, it would come back.
    match awaiting(state) {
        waits @ Awaiting::Seats { .. } if waits.includes(seat) => {
            let sells = table.sells_to(board, seat).is_some();
            Some(if sells { Action::Rebuy } else { Action::ComeBack })
        }
        _ => None,
    }
}
