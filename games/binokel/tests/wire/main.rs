//! The dialect `binokel.events`, against the contract and a naive client.

#[path = "../common/mod.rs"]
mod common;

mod client;
mod commands;
mod events;

use std::sync::Arc;

use parlor_binokel::{Binokel, Rules, State};
use parlor_kernel::laws::random_game;
use parlor_kernel::{Dialect, DialectView, Game, Log, Offered, Seat, Viewer};
use serde_json::Value;

fn dialect() -> Arc<dyn Dialect<Binokel>> {
    Binokel::dialects().into_iter().next().expect("Binokel has a dialect")
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("what is said is JSON")
}

/// A step as one viewer is told it, with the truth beside it.
struct ToldStep {
    texts: Vec<String>,
    events: Vec<Value>,
    snapshot: Value,
    state: State,
}

/// Tells a game to a viewer, step by step.
fn tell(log: &Log<Binokel>, viewer: Viewer) -> Vec<ToldStep> {
    let mut listener = DialectView::new(viewer, dialect());
    let mut state = State::default();
    let mut told = Vec::new();
    for (number, (_, events)) in (0u64..).zip(log.by_step()) {
        for event in events {
            Binokel::apply(&mut state, event);
            listener.witness(&state, event);
        }
        let now = 1_700_000_000_000 + 1500 * number;
        let texts = listener.told("still-pilz-29", now);
        told.push(ToldStep {
            events: texts.iter().map(|text| read(text)).collect(),
            texts,
            snapshot: read(&listener.snapshot("still-pilz-29", now, None)),
            state: state.clone(),
        });
    }
    told
}

/// Two rounds, seeded and random, under all house rules with every number of
/// players.
fn games(count: usize) -> impl Iterator<Item = (String, usize, Log<Binokel>)> {
    common::house_rules().into_iter().flat_map(move |(name, rules): (_, Rules)| {
        (0..count).flat_map(move |number| {
            let rules = Rules { rounds: Some(2), ..rules.clone() };
            (2..=4).map(move |players| {
                let seed = format!("wire/{name}/{number}");
                let (log, _) = random_game::<Binokel>(&rules, players, &seed);
                (seed, players, log)
            })
        })
    })
}

fn viewers(players: usize) -> impl Iterator<Item = Viewer> {
    (0..players as u8).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Public])
}
