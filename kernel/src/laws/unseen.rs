//! What is done in secret is done unseen: a step that does nothing but fill a
//! cell tells those who may not look into it nothing, not even that it was
//! filled. And what changes nothing at all is nobody else's business.

use super::secrets::{Secrets, is_closed, listed};
use super::trial::{Trial, TrialTable, answer};
use super::{law, viewers};
use crate::dice::Stream;
use crate::envelope::Cause;
use crate::offered::Offered;
use crate::seat::{Seat, Viewer};

/// How many asides are tried after each step.
const ASIDES: usize = 6;

pub(super) fn check<G: Secrets + Offered>(
    trial: &Trial<G>,
    random: &mut Stream,
) -> Result<(), String> {
    let mut table = TrialTable::<G>::new(viewers(trial.seats));
    for (number, (step, events)) in trial.log.by_step().enumerate() {
        let place = trial.at(number + 1);
        if let Cause::Seat { seat, action } = &step.cause {
            unseen(trial, &table.state, *seat, events)
                .map_err(|broken| format!("{place}: {action:?} by {seat} {broken}"))?;
        }
        table.step(events);
        for _ in 0..ASIDES {
            let seat = Seat(random.below(trial.seats as u32) as u8);
            let mut asides = Vec::new();
            G::asides(table.views[seat.index()].knowledge(), &mut asides);
            let Some(aside) = random.pick(&asides) else { continue };
            let mut out = Vec::new();
            if answer::<G>(&table.state, seat, aside, &trial.dice, &mut out).is_ok() {
                unseen(trial, &table.state, seat, &out)
                    .map_err(|broken| format!("{place}: then {aside:?} by {seat} {broken}"))?;
            }
        }
    }
    Ok(())
}

fn unseen<G: Secrets>(
    trial: &Trial<G>,
    before: &G::State,
    seat: Seat,
    events: &[G::Event],
) -> Result<(), String> {
    let mut after = before.clone();
    let mut told = Vec::new();
    for event in events {
        G::apply(&mut after, event);
        let others = viewers(trial.seats).filter(|viewer| *viewer != Viewer::Seat(seat));
        told.extend(others.filter(|viewer| G::see(&after, event, *viewer).is_some()));
    }
    let Some(viewer) = told.first() else { return Ok(()) };
    law!(*before != after, "changes nothing, and {viewer} is told of it");
    let (was, is) = (listed::<G>(before), listed::<G>(&after));
    for (cell, _) in &was {
        let (mut here, mut there) = (before.clone(), after.clone());
        if !G::clear(&mut here, *cell) || !G::clear(&mut there, *cell) || here != there {
            continue;
        }
        let is_closed = |viewer| is_closed(&was, cell, viewer) && is_closed(&is, cell, viewer);
        if let Some(viewer) = told.iter().find(|viewer| is_closed(**viewer)) {
            return Err(format!("changes nothing but {cell:?}, and {viewer} is told of it"));
        }
    }
    Ok(())
}
