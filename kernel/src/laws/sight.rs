//! What is told is told to the right ones: private events, the admin, the seal.

use serde_json::Value;

use super::secrets::Secrets;
use super::trial::Trial;
use super::{law, viewers};
use crate::dice::hex;
use crate::game::Game;
use crate::offered::Offered;
use crate::seal::{Seal, SeedOpening};
use crate::seat::Viewer;
use crate::tagged::event_type;

pub(super) fn check<G: Secrets + Offered>(trial: &Trial<G>) -> Result<(), String> {
    let Some(opening) = trial.log.opening() else { return Ok(()) };
    let last = trial.log.events.len() - 1;
    let mut state = G::State::default();
    let mut sequence = 0;
    for (step, (_, events)) in trial.log.by_step().enumerate() {
        let place = trial.at(step + 1);
        for event in events {
            G::apply(&mut state, event);
            let name = event_type(event);
            let told = |viewer| told::<G>(&state, event, viewer);
            let everyone = viewers(trial.seats).chain([Viewer::Admin]);
            law!(told(Viewer::Admin).is_some(), "{place}: the admin does not see {name}");
            if let Some(alike) = G::see_alike(event) {
                for viewer in everyone.clone() {
                    law!(
                        G::see(&state, event, viewer).as_ref() == Some(&alike),
                        "{place}: see_alike says that everyone sees {name} alike, and {viewer} \
                         does not"
                    );
                }
            }
            if !G::is_private(&state, event) {
                for viewer in everyone.clone() {
                    law!(
                        told(viewer) == told(Viewer::Admin),
                        "{place}: is_private says that everyone sees {name} alike, and {viewer} \
                         sees {:?}, not {:?}",
                        told(viewer),
                        told(Viewer::Admin)
                    );
                }
            }
            if sequence < last {
                for viewer in everyone {
                    let told = told(viewer).unwrap_or_default();
                    keeps_sealed(&opening.seal, &told)
                        .map_err(|what| format!("{place}: {name} tells {viewer} the {what}"))?;
                }
            }
            sequence += 1;
        }
    }
    commits(trial, &opening.seal)?;
    let Some(event) = trial.log.events.last() else { return Ok(()) };
    opens::<G>(trial.seats, &opening.seal, &state, event)
        .map_err(|broken| format!("{}: {broken}", trial.place()))
}

/// What a viewer is told of an event, to the byte.
pub(super) fn told<G: Game>(state: &G::State, event: &G::Event, viewer: Viewer) -> Option<String> {
    let seen = G::see(state, event, viewer)?;
    Some(serde_json::to_string(&seen).unwrap_or_else(|error| error.to_string()))
}

fn keeps_sealed(seal: &Seal, told: &str) -> Result<(), &'static str> {
    let SeedOpening { seed, salt, .. } = seal.open();
    match [seed, salt].map(|secret| told.contains(&hex(secret.bytes()))) {
        [true, _] => Err("seed before the end"),
        [_, true] => Err("salt before the end"),
        _ => Ok(()),
    }
}

/// Who is not told the commitment at the opening cannot check the seed at the end.
fn commits<G: Secrets>(trial: &Trial<G>, seal: &Seal) -> Result<(), String> {
    let Some((_, events)) = trial.log.by_step().next() else { return Ok(()) };
    for viewer in viewers(trial.seats) {
        let mut state = G::State::default();
        let is_told = events.iter().any(|event| {
            G::apply(&mut state, event);
            told::<G>(&state, event, viewer).is_some_and(|told| told.contains(seal.commitment()))
        });
        law!(is_told, "{}: {viewer} is not told the commitment", trial.at(1));
    }
    Ok(())
}

/// The last event opens the seal to everyone, except where a game keeps
/// something closed for good, and the seal with it.
pub(super) fn opens<G: Offered>(
    seats: usize,
    seal: &Seal,
    state: &G::State,
    event: &G::Event,
) -> Result<(), String> {
    if G::keeps_closed(state) {
        return Ok(());
    }
    for viewer in viewers(seats).chain([Viewer::Admin, Viewer::Postmortem]) {
        let told = told::<G>(state, event, viewer).unwrap_or_default();
        let read: Value = serde_json::from_str(&told).unwrap_or_default();
        let Some(opened) = seed_in(&read) else {
            let name = event_type(event);
            return Err(format!("the seal is never opened: {viewer} sees no seed in {name}"));
        };
        law!(
            opened.opens(seal.commitment()),
            "the seal is opened to {viewer} with another seed than was committed to"
        );
    }
    Ok(())
}

fn seed_in(told: &Value) -> Option<SeedOpening> {
    match told {
        Value::Object(fields) if fields.contains_key("salt") => {
            serde_json::from_value(told.clone()).ok()
        }
        Value::Object(fields) => fields.values().find_map(seed_in),
        Value::Array(items) => items.iter().find_map(seed_in),
        _ => None,
    }
}
