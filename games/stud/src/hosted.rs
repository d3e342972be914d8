//! Stud at a table of people: clocks, sitting out, coming back, rebuys and the
//! time bank, and being called off.

use std::time::Duration;

use parlor_kernel::{Awaiting, Game, Hosted, Order, Seat, Setup};

use crate::action::{Action, Refusal};
use crate::board::Stage;
use crate::course::Course;
use crate::event::{Aside, Ending, Event, Rebought, Street, TimeBank};
use crate::game::Stud;
use crate::rules::{BANK_SLICE, Rules};
use crate::state::{Knowledge, State};

impl Hosted for Stud {
    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        let usual = turn_clock(state.setup.as_deref()?)?;
        let seconds = match state.board.bank_running {
            0 => u64::from(usual),
            slice => u64::from(slice),
        };
        (state.board.actor == Some(seat)).then(|| Duration::from_secs(seconds))
    }

    /// rules §2.4, §6: the time bank first, slice by slice; then the bring-in
    /// is posted by itself, a free check is taken, and anything else is folded.
    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        let (setup, board) = (state.setup.as_deref()?, &state.board);
        if board.actor == Some(seat) {
            if turn_clock(setup).is_some() && board.player(seat).bank > 0 {
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
        match Stud::awaiting(state) {
            waits @ Awaiting::Seats { .. } if waits.includes(seat) => {
                let sells = board.sells_to(&setup.rules, seat).is_some();
                Some(if sells { Action::Rebuy } else { Action::ComeBack })
            }
            _ => None,
        }
    }

    fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
        let (Some(setup), Some(seat)) = (knowledge.setup.as_deref(), knowledge.viewer.seat())
        else {
            return;
        };
        let board = &knowledge.board;
        if seat.0 >= board.seats || matches!(board.stage, Stage::Unopened | Stage::Finished) {
            return;
        }
        if !board.sitting_out.contains(seat) {
            out.push(Action::SitOut);
        }
        if !board.misses(&setup.rules, seat) {
            board.ways_back(&setup.rules, seat, out);
        }
        let ticking = board.actor == Some(seat) && turn_clock(setup).is_some();
        if ticking && board.player(seat).bank > 0 {
            out.push(Action::TimeBank);
        }
    }

    /// A match is called off between deals or in the midst of one, which is
    /// then paid back.
    fn obey(state: &State, order: &Order, out: &mut Vec<Event>) {
        let running = matches!(state.board.stage, Stage::Dealing | Stage::Between);
        if let (Order::CallOff { reason }, true) = (order, running) {
            Course::from(state.clone(), out).finish(Ending::CalledOff, Some(reason.clone()));
        }
    }

    fn keeps_closed(state: &State) -> bool {
        state.mucks()
    }
}

/// The seconds for a decision; none where no clock runs: it is switched off, or
/// nobody but bots would wait.
pub(crate) fn turn_clock(setup: &Setup<Rules>) -> Option<u32> {
    let seconds = setup.rules.turn_seconds;
    (seconds > 0 && setup.people() > 1).then_some(seconds)
}

/// rules §6: sitting out, coming back, rebuys and the time bank.
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
        _ if turn_clock(setup).is_none() => Err(Refusal::NoClock),
        _ => match board.player(seat).bank.min(BANK_SLICE) {
            0 => Err(Refusal::BankIsEmpty),
            seconds => Ok(Event::TimeBank(TimeBank { seat, seconds })),
        },
    }
}
