//! The laws by imagined worlds: for games that say what a log looks like in a
//! world that a viewer imagines.

use std::sync::Arc;

use super::trial::Table;
use super::{law, opening, player_stream, random_game, viewers};
use crate::awaiting::Awaiting;
use crate::dialect::Dialect;
use crate::game::Game;
use crate::hosted::Hosted;
use crate::imagine::Imagine;
use crate::log::{Log, reexecute};
use crate::playout::{Moves, Playout};
use crate::refusal::Refuse;
use crate::seat::{Seat, Viewer};
use crate::told::Told;
use crate::view::{DialectView, View};

/// What a game tells the laws about itself, in its tests.
pub trait Lawful: Hosted + Told + Imagine + Playout {
    /// Every action anybody might try, sensible or not.
    fn every_action() -> Vec<Self::Action>;

    /// The action in the plain form that `options` uses, given what is known.
    fn plain(knowledge: &Self::Knowledge, action: &Self::Action) -> Self::Action;

    /// The same log in the imagined world: what was hidden and still is gets
    /// replaced by what `imagined` has there.
    fn transplant(log: &Log<Self>, imagined: &Self::State) -> Log<Self>;

    /// What must hold of every state, such as all cards being somewhere once.
    fn invariant(state: &Self::State) -> Result<(), String>;
}

/// The cheap laws, fit for thousands of games: the game ends; its log folds
/// to the state it ended in; playing it again gives the same log; envelopes
/// read back; the invariant holds after every event; what is said to be seen
/// alike is; everyone's knowledge is a fold of what they saw.
pub fn check_game<G: Lawful>(
    rules: &G::Rules,
    seats: usize,
    seed: &str,
) -> Result<G::State, String> {
    let (log, state) = random_game::<G>(rules, seats, seed);
    let game = G::NAME;
    law!(G::awaiting(&state) == Awaiting::Nobody, "{game} '{seed}' does not end");
    let mut folded = G::State::default();
    for (sequence, event) in log.events.iter().enumerate() {
        G::apply(&mut folded, event);
        G::invariant(&folded)
            .map_err(|broken| format!("{game} '{seed}' after event {sequence}: {broken}"))?;
        if let Some(alike) = G::see_alike(event) {
            for viewer in viewers(seats).chain([Viewer::Admin, Viewer::Postmortem]) {
                law!(
                    G::see(&folded, event, viewer).as_ref() == Some(&alike),
                    "{game} '{seed}' {sequence}: {viewer} does not see what everyone does"
                );
            }
        }
    }
    law!(folded == state, "{game} '{seed}': the log does not fold to the final state");
    let again = reexecute(&log).map_err(|difference| format!("{game} '{seed}': {difference}"))?;
    law!(again == state, "{game} '{seed}': playing it again ends differently");
    Ok(state)
}

/// Envelopes read back to the same log, byte for byte.
pub fn check_envelopes<G: Lawful>(
    rules: &G::Rules,
    seats: usize,
    seed: &str,
) -> Result<(), String> {
    let (log, _) = random_game::<G>(rules, seats, seed);
    let written = log.envelopes("law");
    let read = Log::<G>::read(&written).map_err(|error| format!("'{seed}': {error}"))?;
    law!(read == log, "'{seed}': the log reads back differently");
    law!(read.envelopes("law") == written, "'{seed}': envelopes are not stable");
    Ok(())
}

/// At every decision of a game, `options` and `asides` are exactly what
/// `decide` accepts, a refused action leaves no event, and only who is awaited
/// has options. A move makes something happen; an aside may not, such as saying
/// the same again.
pub fn check_options<G: Lawful>(rules: &G::Rules, seats: usize, seed: &str) -> Result<(), String> {
    let (log, _) = random_game::<G>(rules, seats, seed);
    let every = G::every_action();
    let dice = opening::<G>(rules, seats, seed).dice();
    let mut table = Table::<G>::new(viewers(seats));
    let mut moves = G::Moves::default();
    for (_, events) in log.by_step() {
        table.step(events);
        let sequence = table.told;
        for seat in (0..seats as u8).map(Seat) {
            let knowledge = table.views[seat.index()].knowledge();
            let mut options = Vec::new();
            G::options(knowledge, &mut options);
            let awaited = G::awaiting(&table.state).includes(seat);
            law!(
                awaited != options.is_empty(),
                "'{seed}' {sequence}: {seat} awaited {awaited}, options {options:?}"
            );
            G::moves(&table.state, seat, &mut moves);
            // One more is asked for than there are.
            let in_truth: Vec<_> = (0..=moves.count()).filter_map(|n| moves.nth(n)).collect();
            law!(
                in_truth == options && moves.count() == options.len(),
                "'{seed}' {sequence}: {seat} {options:?}, in truth {in_truth:?}"
            );
            G::asides(knowledge, &mut options);
            for (place, option) in options.iter().enumerate() {
                let mut out = Vec::new();
                let taken = G::decide(&table.state, seat, option, &dice, &mut out);
                law!(taken.is_ok(), "'{seed}' {sequence}: {seat} is offered {option:?}: {taken:?}");
                law!(
                    place >= moves.count() || !out.is_empty(),
                    "'{seed}' {sequence}: {option:?} does nothing"
                );
            }
            for action in &every {
                let mut out = Vec::new();
                let taken = G::decide(&table.state, seat, action, &dice, &mut out);
                let offered = options.contains(&G::plain(knowledge, action));
                law!(
                    taken.is_ok() == offered,
                    "'{seed}' {sequence}: {seat} {action:?} offered {offered}, decided {taken:?}"
                );
                law!(
                    taken.is_ok() || out.is_empty(),
                    "'{seed}' {sequence}: refused {action:?} left events"
                );
            }
            let timeout = G::timeout(&table.state, seat);
            law!(timeout.is_some() == awaited, "'{seed}' {sequence}: {seat} timeout {timeout:?}");
            if let Some(action) = timeout {
                let plain = G::plain(knowledge, &action);
                law!(options.contains(&plain), "'{seed}' {sequence}: the clock plays {action:?}");
            }
        }
    }
    Ok(())
}

/// Non-interference: at every step, a world that differs only in what a
/// viewer may not know has told that viewer the same bytes in every dialect,
/// shows the same snapshot, and answers every action alike.
pub fn check_non_interference<G: Lawful>(
    rules: &G::Rules,
    seats: usize,
    seed: &str,
    dialects: &[Arc<dyn Dialect<G>>],
) -> Result<(), String> {
    let (log, _) = random_game::<G>(rules, seats, seed);
    let dice = opening::<G>(rules, seats, seed).dice();
    let every = G::every_action();
    let mut worlds = player_stream(seed, seats);
    let steps = log.steps.len();
    for viewer in viewers(seats) {
        for _ in 0..8 {
            let upto = 1 + worlds.below(steps as u32) as usize;
            let here = prefix(&log, upto);
            let mut view = View::<G>::new(viewer);
            let state = witness_all(&here, &mut view);
            let imagined = G::imagine(view.knowledge(), &mut worlds);
            let there = G::transplant(&here, &imagined);
            let mut elsewhere = View::<G>::new(viewer);
            let other = witness_all(&there, &mut elsewhere);
            law!(other == imagined, "'{seed}' {upto} {viewer}: the imagined world is not reached");
            law!(
                view.knowledge() == elsewhere.knowledge(),
                "'{seed}' {upto}: {viewer} can tell two worlds apart"
            );
            for dialect in dialects {
                let (told, retold) = (tell(&here, viewer, dialect), tell(&there, viewer, dialect));
                law!(told == retold, "'{seed}' {upto}: {} tells {viewer} a secret", dialect.name());
            }
            if let Viewer::Seat(seat) = viewer {
                for action in &every {
                    let code = |state: &G::State| {
                        G::decide(state, seat, action, &dice, &mut Vec::new())
                            .err()
                            .map(|refusal| (refusal.code(), refusal.to_string()))
                    };
                    law!(
                        code(&state) == code(&imagined),
                        "'{seed}' {upto}: {seat} {action:?} is answered by a secret"
                    );
                }
            }
        }
    }
    Ok(())
}

/// The positions of a view are 1, 2, 3 … in every dialect and view,
/// and the same whether heard live or folded later.
pub fn check_positions<G: Lawful>(
    rules: &G::Rules,
    seats: usize,
    seed: &str,
    dialects: &[Arc<dyn Dialect<G>>],
) -> Result<(), String> {
    let (log, _) = random_game::<G>(rules, seats, seed);
    positions(&log, dialects).map_err(|broken| format!("'{seed}': {broken}"))
}

pub(super) fn positions<G: Game>(
    log: &Log<G>,
    dialects: &[Arc<dyn Dialect<G>>],
) -> Result<(), String> {
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

fn prefix<G: Game>(log: &Log<G>, steps: usize) -> Log<G> {
    let end = log.steps.get(steps).map_or(log.events.len(), |next| next.first as usize);
    Log {
        events: log.events[..end].to_vec(),
        steps: log.steps[..steps.min(log.steps.len())].to_vec(),
    }
}

fn witness_all<G: Game>(log: &Log<G>, view: &mut View<G>) -> G::State {
    let mut state = G::State::default();
    for event in &log.events {
        G::apply(&mut state, event);
        view.witness(&state, event);
    }
    state
}

/// Everything a viewer is told of a log, and the snapshot at its end.
pub fn tell<G: Game>(log: &Log<G>, viewer: Viewer, dialect: &Arc<dyn Dialect<G>>) -> Vec<String> {
    let mut told_view = DialectView::new(viewer, Arc::clone(dialect));
    let mut told = told_view.catch_up(log, "law");
    told.push(told_view.snapshot("law", 0, None));
    told
}
