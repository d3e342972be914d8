//! What is offered is what is accepted, and clocks run for those who are asked.

use std::collections::BTreeSet;

use super::secrets::Secrets;
use super::trial::{Pool, Trial, TrialTable, answer};
use super::{law, player_stream, viewers};
use crate::dice::Stream;
use crate::envelope::Cause;
use crate::offered::Offered;
use crate::seat::Seat;

/// How many actions each seat tries after each step.
const TRIED: usize = 48;

pub(super) fn check<G: Secrets + Offered>(
    trial: &Trial<G>,
    pool: &Pool<G>,
    random: &mut Stream,
) -> Result<(), String> {
    let mut table = TrialTable::<G>::new(viewers(trial.seats));
    for (step, (_, events)) in trial.log.by_step().enumerate() {
        table.step(events);
        let place = trial.at(step + 1);
        for seat in (0..trial.seats as u8).map(Seat) {
            check_seat(trial, &table, seat, pool.some(TRIED, random))
                .map_err(|broken| format!("{place}: {broken}"))?;
        }
    }
    Ok(())
}

fn check_seat<G: Secrets + Offered>(
    trial: &Trial<G>,
    table: &TrialTable<G>,
    seat: Seat,
    tried: Vec<&G::Action>,
) -> Result<(), String> {
    let state = &table.state;
    let knowledge = table.views[seat.index()].knowledge();
    let is_awaited = G::awaiting(state).includes(seat);
    let mut options = table.options(seat);
    law!(!is_awaited || !options.is_empty(), "{seat} is awaited and has no option");
    law!(is_awaited || options.is_empty(), "{seat} is not awaited and is offered {options:?}");
    let mut labels = BTreeSet::new();
    for option in &options {
        let label = G::label(knowledge, option);
        law!(!label.trim().is_empty(), "{option:?} has an empty label");
        law!(!labels.contains(&label), "{seat} is offered two moves with the same label '{label}'");
        labels.insert(label);
    }
    let mut read = Vec::new();
    G::seat_options(state, seat, &mut read);
    law!(
        read.is_empty() || read == options,
        "{seat} is offered {options:?}, and the truth has {read:?} for it"
    );
    if is_awaited {
        blindly(trial, table, seat, &options)?;
    }
    let moves = options.len();
    G::asides(knowledge, &mut options);
    timing(trial, state, seat, knowledge, &options)?;
    for (place, option) in options.iter().enumerate() {
        let mut out = Vec::new();
        let taken = answer::<G>(state, seat, option, &trial.dice, &mut out);
        law!(taken.is_ok(), "{seat} is offered {option:?}, which is refused: {taken:?}");
        law!(place >= moves || !out.is_empty(), "{option:?} makes nothing happen");
    }
    for action in tried {
        let mut out = Vec::new();
        let taken = answer::<G>(state, seat, action, &trial.dice, &mut out);
        law!(taken.is_ok() || out.is_empty(), "a refused {action:?} leaves events");
        law!(
            taken.is_err() || options.contains(&G::plain(knowledge, action)),
            "{action:?} by {seat} is accepted, and was not offered"
        );
    }
    Ok(())
}

/// Who plays at random without looking takes what it would take if it looked.
fn blindly<G: Secrets + Offered>(
    trial: &Trial<G>,
    table: &TrialTable<G>,
    seat: Seat,
    options: &[G::Action],
) -> Result<(), String> {
    let Some(mut blind) = G::random().blind() else { return Ok(()) };
    let knowledge = table.views[seat.index()].knowledge();
    for lot in 0..3 {
        let dice = || player_stream(&format!("{} {}", trial.seed, table.told), lot);
        let chosen = G::random().choose(knowledge, options, &mut dice());
        let mut steps = Vec::new();
        blind.step(&table.state, seat, &mut dice(), 0, &mut steps);
        let cause = steps.pop().map(|step| step.cause);
        let looking =
            options.get(chosen).map(|option| Cause::Seat { seat, action: option.clone() });
        law!(
            cause == looking,
            "{seat} takes another move without looking: {cause:?} instead of {looking:?}; see \
             whether `moves` is the same as `options`"
        );
    }
    Ok(())
}

fn timing<G: Secrets + Offered>(
    trial: &Trial<G>,
    state: &G::State,
    seat: Seat,
    knowledge: &G::Knowledge,
    options: &[G::Action],
) -> Result<(), String> {
    let is_awaited = G::awaiting(state).includes(seat);
    let clock = G::clock(state, seat);
    let timeout = G::timeout(state, seat);
    law!(is_awaited || clock.is_none(), "a clock runs for {seat}, who is not awaited");
    law!(is_awaited || timeout.is_none(), "{seat} is not awaited, and its timeout is {timeout:?}");
    law!(clock.is_none() || timeout.is_some(), "{seat} has a clock, and no timeout");
    if let Some(action) = timeout {
        let plain = G::plain(knowledge, &action);
        law!(
            !G::is_for_clients(&action) || options.contains(&plain),
            "the timeout of {seat} is {action:?}, which is no option"
        );
        let taken = answer::<G>(state, seat, &action, &trial.dice, &mut Vec::new());
        law!(taken.is_ok(), "the timeout of {seat} is {action:?}, which is refused: {taken:?}");
    }
    Ok(())
}
