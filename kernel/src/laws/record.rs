//! The log is the game: it folds, reads back, plays again, and says who won.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::law;
use super::secrets::Secrets;
use super::trial::Trial;
use crate::dialect::{Dialect, LogDialect};
use crate::game::Game;
use crate::log::{Log, reexecute};
use crate::offered::Offered;
use crate::seat::{Seat, SeatSet, Viewer};
use crate::tagged::event_type;
use crate::view::DialectView;

pub(super) fn check<G: Secrets + Offered>(trial: &Trial<G>) -> Result<(), String> {
    labels(trial)?;
    folds(trial)?;
    reads_back(trial)?;
    let place = trial.place();
    let again = reexecute(&trial.log)
        .map_err(|difference| format!("{place}: played again it is another game: {difference}"))?;
    law!(Some(&again) == trial.states.last(), "{place}: played again it ends differently");
    let mut dialects = G::dialects();
    dialects.push(Arc::new(LogDialect));
    positions(&trial.log, &dialects).map_err(|broken| format!("{place}: {broken}"))
}

/// Two draws under one label are the same draw: who has seen one knows the other.
fn labels<G: Secrets>(trial: &Trial<G>) -> Result<(), String> {
    let mut used = BTreeSet::new();
    for (step, draws) in trial.draws.iter().enumerate() {
        for draw in draws {
            law!(
                used.insert(&draw.label),
                "{}: the dice label '{}' is used twice",
                trial.at(step + 1),
                draw.label
            );
        }
    }
    Ok(())
}

fn folds<G: Secrets>(trial: &Trial<G>) -> Result<(), String> {
    let mut state = G::State::default();
    for (step, (_, events)) in trial.log.by_step().enumerate() {
        let place = trial.at(step + 1);
        for event in events {
            G::apply(&mut state, event);
            G::invariant(&state).map_err(|broken| {
                format!("{place}: after {} the invariant is broken: {broken}", event_type(event))
            })?;
        }
        law!(
            state == trial.states[step + 1],
            "{place}: the same events fold to two states, {state:?} and {:?}",
            trial.states[step + 1]
        );
        law!(
            G::opened(&state) == G::opened(&trial.states[1]),
            "{place}: what the game keeps of its opening has changed"
        );
    }
    Ok(())
}

fn reads_back<G: Secrets + Offered>(trial: &Trial<G>) -> Result<(), String> {
    let place = trial.place();
    let written = trial.log.envelopes("law");
    let read = Log::<G>::read(&written)
        .map_err(|error| format!("{place}: the log does not read back: {error}"))?;
    for (event, again) in trial.log.events.iter().zip(&read.events) {
        law!(event == again, "{place}: {event:?} does not read back, it becomes {again:?}");
    }
    law!(read == trial.log, "{place}: the steps do not read back");
    law!(read.envelopes("law") == written, "{place}: what was read back is written differently");
    Ok(())
}

/// Whether someone won. Nobody has while the game runs.
pub(super) fn winners<G: Secrets + Offered>(trial: &Trial<G>) -> Result<bool, String> {
    let there: SeatSet = (0..trial.seats as u8).map(Seat).collect();
    let last = trial.states.len() - 1;
    for (step, state) in trial.states.iter().enumerate().skip(1) {
        let score = G::score(state);
        let place = trial.at(step);
        law!(
            score.points.len() == trial.seats,
            "{place}: the score has points for {} seats",
            score.points.len()
        );
        law!(
            score.winners.without(there).is_empty(),
            "{place}: the score has a winner who is not there"
        );
        law!(
            step == last || score.winners.is_empty(),
            "{place}: the score has winners while the game runs"
        );
        law!(G::called_off(state).is_none(), "{place}: nobody has called the game off");
    }
    Ok(!G::score(&trial.states[last]).winners.is_empty())
}

/// The positions of a view are 1, 2, 3 … in every dialect and view.
fn positions<G: Game>(log: &Log<G>, dialects: &[Arc<dyn Dialect<G>>]) -> Result<(), String> {
    for dialect in dialects {
        for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Public, Viewer::Admin]
        {
            let mut told_view = DialectView::new(viewer, Arc::clone(dialect));
            let mut state = G::State::default();
            let mut heard = 0;
            for (step, events) in log.by_step() {
                for event in events {
                    G::apply(&mut state, event);
                    told_view.witness(&state, event);
                }
                heard += told_view.told("law", step.timestamp).len() as u64;
                law!(
                    told_view.position() == heard,
                    "{viewer} is at {} after {heard}",
                    told_view.position()
                );
            }
            law!(heard > 0, "{viewer} hears nothing in {}", dialect.name());
        }
    }
    Ok(())
}
