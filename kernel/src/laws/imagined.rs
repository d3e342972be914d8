//! Worlds that are imagined are worlds: the invariant holds, and what is secret
//! in them is what is secret in the truth.

use super::secrets::{Secrets, listed};
use super::trial::{Table, Trial};
use super::{law, viewers};
use crate::dice::Stream;
use crate::offered::Offered;

pub(super) fn check<G: Secrets + Offered>(
    trial: &Trial<G>,
    random: &mut Stream,
) -> Result<(), String> {
    let mut table = Table::<G>::new(viewers(trial.seats));
    for (step, (_, events)) in trial.log.by_step().enumerate() {
        table.step(events);
        let place = trial.at(step + 1);
        for view in &table.views {
            let viewer = view.viewer();
            let Some(world) = G::imagined(view.knowledge(), random) else { return Ok(()) };
            G::invariant(&world).map_err(|broken| {
                format!("{place}: {viewer} imagines a world that breaks the invariant: {broken}")
            })?;
            let (imagined, true_cells) = (listed::<G>(&world), listed::<G>(&table.state));
            law!(
                imagined == true_cells,
                "{place}: {viewer} imagines {} secret cells, there are {}: {imagined:?} for \
                 {true_cells:?}",
                imagined.len(),
                true_cells.len()
            );
            law!(
                G::awaiting(&world) == G::awaiting(&table.state),
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
