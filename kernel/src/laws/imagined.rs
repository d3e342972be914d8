//! Worlds that are imagined are worlds: the invariant holds, and what is secret
//! in them from who imagines them is what is secret from it in the truth.

use super::secrets::{Secrets, listed};
use super::trial::{Trial, TrialTable};
use super::{law, viewers};
use crate::awaiting::Awaiting;
use crate::dice::Stream;
use crate::offered::Offered;
use crate::seat::{SeatSet, Viewer};
use crate::spoken::Outline;
use crate::times::{Question, asked};

pub(super) fn check<G: Secrets + Offered>(
    trial: &Trial<G>,
    random: &mut Stream,
) -> Result<(), String> {
    let mut table = TrialTable::<G>::new(viewers(trial.seats));
    for (step, (_, events)) in trial.log.by_step().enumerate() {
        table.step(events);
        let place = trial.at(step + 1);
        let mut worlds = Vec::new();
        for view in &table.views {
            let viewer = view.viewer();
            let Some(world) = G::imagined(view.knowledge(), random) else { return Ok(()) };
            G::invariant(&world).map_err(|broken| {
                format!("{place}: {viewer} imagines a world that breaks the invariant: {broken}")
            })?;
            let (imagined, true_cells) =
                (closed::<G>(&world, viewer), closed::<G>(&table.state, viewer));
            law!(
                imagined == true_cells,
                "{place}: {viewer} imagines {} secret cells, there are {}: {imagined:?} for \
                 {true_cells:?}",
                imagined.len(),
                true_cells.len()
            );
            law!(
                waits::<G>(&world, viewer) == waits::<G>(&table.state, viewer),
                "{place}: {viewer} imagines a world that waits for others"
            );
            law!(
                G::score(&world).points.len() == trial.seats,
                "{place}: {viewer} imagines a world with other seats"
            );
            worlds.push(world);
        }
        // Once the worlds are right: else the outline would be blamed for them.
        for (view, world) in table.views.iter().zip(&worlds) {
            let viewer = view.viewer();
            if let Some(outline) = G::outline(view.knowledge()) {
                stands_for::<G>(&outline, world, viewer)
                    .map_err(|broken| format!("{place}: {viewer}'s outline {broken}"))?;
            }
        }
    }
    Ok(())
}

/// Whether what an outline says is so in an imagined world.
fn stands_for<G: Secrets + Offered>(
    outline: &Outline<G::State>,
    world: &G::State,
    viewer: Viewer,
) -> Result<(), String> {
    let state = &outline.state;
    let (said, found) = (G::score(state), G::score(world));
    law!(said == found, "has another score than a world: {said:?} for {found:?}");
    let (said, found) = (G::awaiting(state), G::awaiting(world));
    let is_over = |awaiting: &Awaiting| *awaiting == Awaiting::Nobody;
    law!(is_over(&said) == is_over(&found), "does not know whether the game is over");
    let asked = match (outline.is_turn_open, found) {
        (false, _) => viewer.seat().filter(|seat| found.includes(*seat)).into_iter().collect(),
        (true, Awaiting::Seats { seats, .. }) => seats,
        (true, Awaiting::House { .. } | Awaiting::Nobody) => SeatSet::EMPTY,
    };
    law!(
        !outline.is_turn_open || said == found,
        "awaits others than a world: {said:?} for {found:?}"
    );
    for seat in asked.iter() {
        let (said, found) = (G::clock(state, seat), G::clock(world, seat));
        law!(said == found, "has another clock for {seat:?}: {said:?} for {found:?}");
    }
    Ok(())
}

/// The cells that this viewer may not look into.
fn closed<G: Secrets>(state: &G::State, viewer: Viewer) -> Vec<G::Cell> {
    let cells = listed::<G>(state).into_iter();
    cells.filter(|(_, eyes)| !eyes.are(viewer)).map(|(cell, _)| cell).collect()
}

/// What the game waits for, and whether it is this viewer; for whom else may be
/// a secret.
fn waits<G: Secrets>(state: &G::State, viewer: Viewer) -> (Option<Question>, bool) {
    let is_awaited = |seat| G::awaiting(state).includes(seat);
    (asked::<G>(state), viewer.seat().is_some_and(is_awaited))
}
