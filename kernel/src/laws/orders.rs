//! Orders are obeyed in full, where a game knows them at all.

use super::secrets::Secrets;
use super::sight::opens;
use super::trial::{Pool, Trial, TrialTable, answer};
use super::{law, viewers};
use crate::awaiting::Awaiting;
use crate::dice::Stream;
use crate::envelope::Cause;
use crate::hosted::Order;
use crate::log::{Log, reexecute};
use crate::offered::Offered;
use crate::seat::Seat;

/// How many actions each seat tries where nothing can be done.
const TRIED: usize = 24;

pub(super) fn check<G: Secrets + Offered>(
    trial: &Trial<G>,
    pool: &Pool<G>,
    random: &mut Stream,
) -> Result<(), String> {
    let steps = trial.log.steps.len();
    let chosen = 1 + random.below(steps as u32 - 1) as usize;
    for step in [1, chosen] {
        let here = at_step(trial, step);
        let place = trial.at(step);
        called_off(trial, &here, pool, random).map_err(|broken| format!("{place}: {broken}"))?;
        paused(trial, &here, pool, random).map_err(|broken| format!("{place}: {broken}"))?;
    }
    over(trial, &at_step(trial, steps), pool, random)
        .map_err(|broken| format!("{}: the game is over, and {broken}", trial.place()))
}

/// The log up to a step, and the table after it.
struct Here<G: Offered> {
    log: Log<G>,
    table: TrialTable<G>,
}

impl<G: Offered> Here<G> {
    /// The same after an order; none if it is not known, or not now.
    fn ordered(&self, order: Order) -> Option<Here<G>> {
        let mut out = Vec::new();
        G::obey(&self.table.state, &order, &mut out);
        if out.is_empty() {
            return None;
        }
        let (state, views) = (self.table.state.clone(), self.table.views.clone());
        let mut table = TrialTable { state, views, told: self.table.told };
        table.step(&out);
        let mut log = self.log.clone();
        log.begin(Cause::Order { order }, 0);
        log.events.extend(out);
        Some(Here { log, table })
    }
}

fn at_step<G: Offered>(trial: &Trial<G>, steps: usize) -> Here<G> {
    let mut table = TrialTable::new(viewers(trial.seats));
    let mut log = Log::default();
    for (step, events) in trial.log.by_step().take(steps) {
        table.step(events);
        log.begin(step.cause.clone(), step.timestamp);
        log.events.extend_from_slice(events);
    }
    Here { log, table }
}

fn called_off<G: Secrets + Offered>(
    trial: &Trial<G>,
    here: &Here<G>,
    pool: &Pool<G>,
    random: &mut Stream,
) -> Result<(), String> {
    let reason = "the lights went out".to_owned();
    let Some(there) = here.ordered(Order::CallOff { reason: reason.clone() }) else {
        return Ok(());
    };
    let state = &there.table.state;
    law!(G::awaiting(state) == Awaiting::Nobody, "called off, the game does not end");
    nothing_to_do(trial, &there, pool, random).map_err(|what| format!("called off, {what}"))?;
    let told = G::called_off(state).map(|end| end.reason);
    law!(told == Some(reason), "called off, the game gives {told:?} as the reason");
    G::invariant(state).map_err(|broken| format!("called off, the invariant breaks: {broken}"))?;
    if let (Some(opening), Some(event)) = (there.log.opening(), there.log.events.last()) {
        opens::<G>(trial.seats, &opening.seal, state, event)
            .map_err(|broken| format!("called off, {broken}"))?;
    }
    let again = reexecute(&there.log).map_err(|other| format!("called off, {other}"))?;
    law!(again == *state, "called off, it ends differently when it is played again");
    Ok(())
}

fn paused<G: Secrets + Offered>(
    trial: &Trial<G>,
    here: &Here<G>,
    pool: &Pool<G>,
    random: &mut Stream,
) -> Result<(), String> {
    let Some(there) = here.ordered(Order::Pause) else { return Ok(()) };
    let waits = G::awaiting(&there.table.state);
    law!(waits.is_paused(), "paused, the game goes on: it waits for {waits:?}");
    nothing_to_do(trial, &there, pool, random).map_err(|what| format!("paused, {what}"))?;
    let Some(back) = there.ordered(Order::Resume) else {
        return Err("paused, the game cannot be resumed".to_owned());
    };
    law!(
        G::awaiting(&back.table.state) == G::awaiting(&here.table.state),
        "resumed, the game waits for others than before the pause"
    );
    for seat in (0..trial.seats as u8).map(Seat) {
        law!(
            back.table.options(seat) == here.table.options(seat),
            "resumed, {seat} is offered something else than before the pause"
        );
    }
    Ok(())
}

fn over<G: Secrets + Offered>(
    trial: &Trial<G>,
    here: &Here<G>,
    pool: &Pool<G>,
    random: &mut Stream,
) -> Result<(), String> {
    nothing_to_do(trial, here, pool, random)?;
    for order in [Order::CallOff { reason: String::new() }, Order::Pause, Order::Resume] {
        law!(here.ordered(order.clone()).is_none(), "it still obeys {order:?}");
    }
    Ok(())
}

/// Nobody is offered a move, no clock runs, and no move is accepted.
fn nothing_to_do<G: Secrets + Offered>(
    trial: &Trial<G>,
    there: &Here<G>,
    pool: &Pool<G>,
    random: &mut Stream,
) -> Result<(), String> {
    let state = &there.table.state;
    for seat in (0..trial.seats as u8).map(Seat) {
        let options = there.table.options(seat);
        law!(options.is_empty(), "{seat} is offered {options:?}");
        law!(G::clock(state, seat).is_none(), "a clock runs for {seat}");
        law!(G::timeout(state, seat).is_none(), "{seat} has a timeout");
        let mut asides = Vec::new();
        G::asides(there.table.views[seat.index()].knowledge(), &mut asides);
        for action in pool.some(TRIED, random) {
            let taken = answer::<G>(state, seat, action, &trial.dice, &mut Vec::new());
            law!(taken.is_err() || asides.contains(action), "{action:?} by {seat} is accepted");
        }
    }
    Ok(())
}
