//! Worlds that are imagined are worlds: the invariant holds, and what is secret
//! in them from who imagines them is what is secret from it in the truth.

use super::secrets::{Secrets, listed};
use super::trial::{Trial, TrialTable};
use super::{law, viewers};
use crate::dice::Stream;
use crate::offered::Offered;
use crate::seat::Viewer;
use crate::times::{Question, asked};

pub(super) fn check<G: Secrets + Offered>(
    trial: &Trial<G>,
    random: &mut Stream,
) -> Result<(), String> {
    let mut table = TrialTable::<G>::new(viewers(trial.seats));
    for (step, (_, events)) in trial.log.by_step().enumerate() {
        table.step(events);
        let place = trial.at(step + 1);
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
        }
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
