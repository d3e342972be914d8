//! Stud at a table of people: clocks, sitting out, coming back, rebuys and the
//! time bank, and being called off.

use std::time::Duration;

use parlor_kernel::{CalledOff, Hosted, Seat, Setup};

use crate::action::{Action, Refusal};
use crate::board::{Board, Phase};
use crate::course::Course;
use crate::event::{Aside, Ending, Event, Rebought, Street, TimeBank};
use crate::game::{Stud, chosen, event_of};
use crate::rules::{BANK_SLICE, Rules};
use crate::state::{Knowledge, State};

impl Hosted for Stud {
    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        let (setup, board) = (state.setup()?, &state.board);
        let seconds = if board.actor == Some(seat) {
            turn_seconds(setup, board, seat)?
        } else {
            let waits = setup.rules.wait_seconds;
            (waits > 0 && board.missed(&setup.rules).contains(seat)).then_some(waits)?
        };
        Some(Duration::from_secs(seconds.into()))
    }

    /// The time bank first, slice by slice; then the time is up. The first
    /// edition wrote down what followed from that, and waited for ever between
    /// deals.
    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        let (setup, board) = (state.setup()?, &state.board);
        let rules = &setup.rules;
        if board.actor == Some(seat) {
            let has_bank =
                setup.turn_clock(setup.rules.turn_seconds).is_some() && board.player(seat).bank > 0;
            return Some(match board.edition {
                _ if has_bank && !board.is_absent(rules, seat) => Action::TimeBank,
                1 => meekest(board, seat),
                _ => Action::TimeOut,
            });
        }
        let is_missed = board.missed(rules).contains(seat);
        is_missed.then(|| match board.edition {
            1 if board.sells_to(rules, seat).is_some() => Action::Rebuy,
            1 => Action::ComeBack,
            _ => Action::TimeOut,
        })
    }

    fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
        let (Some(setup), Some(seat)) = (knowledge.setup.as_deref(), knowledge.viewer.seat())
        else {
            return;
        };
        let board = &knowledge.board;
        if seat.0 >= board.seats || matches!(board.phase, Phase::Unopened | Phase::Finished) {
            return;
        }
        if !board.sitting_out.contains(seat) {
            out.push(Action::SitOut);
        }
        if !board.missed(&setup.rules).contains(seat) {
            board.ways_back(&setup.rules, seat, |action| out.push(action));
        }
        if board.waits_alone(&setup.rules, seat) {
            out.push(Action::Claim);
        }
        let ticking =
            board.actor == Some(seat) && setup.turn_clock(setup.rules.turn_seconds).is_some();
        if ticking && board.player(seat).bank > 0 {
            out.push(Action::TimeBank);
        }
    }

    /// Who sits out, comes back or buys chips while it is asked has no more time
    /// for that.
    fn is_aside(action: &Action) -> bool {
        matches!(action, Action::SitOut | Action::ComeBack | Action::Rebuy | Action::Claim)
    }

    /// A match is called off between deals or in the midst of one, which is
    /// then paid back.
    fn call_off(state: &State, reason: &str, out: &mut Vec<Event>) {
        Course::from(state.clone(), out).finish(Ending::CalledOff, Some(reason.to_owned()));
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        let end = state.finished.as_deref().filter(|end| end.reason == Ending::CalledOff)?;
        Some(CalledOff { by: None, reason: end.note.clone().unwrap_or_default() })
    }

    fn keeps_closed(state: &State) -> bool {
        state.mucks()
    }
}

/// The seconds this seat, which is asked, has; none where no clock runs. Who is
/// absent has none.
pub(crate) fn turn_seconds(setup: &Setup<Rules>, board: &Board, seat: Seat) -> Option<u32> {
    if board.is_absent(&setup.rules, seat) {
        return Some(0);
    }
    let usual = setup.turn_clock(setup.rules.turn_seconds)?;
    Some(match board.bank_running {
        0 => usual,
        slice => slice.into(),
    })
}

/// What the clock does for a seat: the bring-in is posted by itself, a free check
/// is taken, and anything else is folded.
fn meekest(board: &Board, seat: Seat) -> Action {
    let third = board.street == Some(Street::Third);
    match board.current_bet {
        0 if third && board.bring_in == Some(seat) => Action::BringIn,
        0 if !third => Action::Check,
        _ => Action::Fold,
    }
}

/// The time of a seat is up. Too often in a row, and it sits out; between deals,
/// the match is over.
pub(crate) fn time_out(
    state: &State,
    rules: &Rules,
    seat: Seat,
    out: &mut Vec<Event>,
) -> Result<(), Refusal> {
    let board = &state.board;
    if board.missed(rules).contains(seat) {
        Course::from(state.clone(), out).finish(Ending::TooFewPlayers, None);
        return Ok(());
    }
    let offer = chosen(state, rules, seat, meekest(board, seat))?;
    let in_a_row = board.player(seat).time_outs.saturating_add(1);
    let sits_out = in_a_row >= rules.sit_out_after && !board.sitting_out.contains(seat);
    let mut course = Course::from(state.clone(), out);
    course.happens(event_of(state, seat, offer, true));
    if sits_out {
        course.happens(Event::SatOut(Aside { seat }));
    }
    course.goes_on();
    Ok(())
}

/// Who waits alone need not wait: the match ends with the stacks as they are.
pub(crate) fn claim(
    state: &State,
    rules: &Rules,
    seat: Seat,
    out: &mut Vec<Event>,
) -> Result<(), Refusal> {
    if !state.board.waits_alone(rules, seat) {
        return Err(Refusal::NotAlone);
    }
    Course::from(state.clone(), out).finish(Ending::Claimed, None);
    Ok(())
}

/// Sitting out, coming back, rebuys and the time bank.
pub(crate) fn aside(
    state: &State,
    setup: &Setup<Rules>,
    seat: Seat,
    action: Action,
) -> Result<Event, Refusal> {
    let board = &state.board;
    let sits_out = board.sitting_out.contains(seat);
    match action {
        Action::SitOut if sits_out => Err(Refusal::SitsOut),
        Action::SitOut => Ok(Event::SatOut(Aside { seat })),
        Action::ComeBack if !sits_out => Err(Refusal::DealtIn),
        Action::ComeBack => Ok(Event::CameBack(Aside { seat })),
        Action::Rebuy => match (setup.rules.rebuy, board.sells_to(&setup.rules, seat)) {
            (_, Some(amount)) => Ok(Event::Rebought(Rebought { seat, amount })),
            (None, _) => Err(Refusal::NoRebuys),
            (Some(_), None) if board.player(seat).stack > 0 => Err(Refusal::NotBroke),
            (Some(_), None) if !board.deal_finished() => Err(Refusal::NotBroke),
            (Some(_), None) => Err(Refusal::TableIsFull),
        },
        _ if board.actor != Some(seat) => Err(Refusal::NotYourTurn),
        _ if setup.turn_clock(setup.rules.turn_seconds).is_none() => Err(Refusal::NoClock),
        _ => match board.player(seat).bank.min(BANK_SLICE) {
            0 => Err(Refusal::BankIsEmpty),
            seconds => Ok(Event::TimeBank(TimeBank { seat, seconds })),
        },
    }
}
