//! The laws of the kernel, kept by every preset.

mod common;

use std::sync::Arc;

use parlor_kernel::laws::{
    check_envelopes, check_game, check_non_interference, check_options, check_positions,
};
use parlor_kernel::{Dialect, LogDialect, Offered};
use parlor_koikoi::{KoiKoi, Rules};

fn for_every_preset(games: u32, law: impl Fn(&Rules, &str) -> Result<(), String> + Sync) {
    std::thread::scope(|scope| {
        for (name, rules) in common::presets() {
            let law = &law;
            scope.spawn(move || {
                for number in 0..games {
                    if let Err(broken) = law(&rules, &format!("{name} {number}")) {
                        panic!("{broken}");
                    }
                }
            });
        }
    });
}

fn dialects() -> Vec<Arc<dyn Dialect<KoiKoi>>> {
    let mut dialects = KoiKoi::dialects();
    dialects.push(Arc::new(LogDialect));
    dialects
}

#[test]
fn ten_thousand_matches_of_every_preset_end_fold_and_replay() {
    for_every_preset(10_000, |rules, seed| check_game::<KoiKoi>(rules, 2, seed).map(drop));
}

#[test]
fn envelopes_read_back_to_the_byte() {
    for_every_preset(40, |rules, seed| check_envelopes::<KoiKoi>(rules, 2, seed));
}

#[test]
fn options_are_exactly_what_decide_accepts() {
    for_every_preset(6, |rules, seed| check_options::<KoiKoi>(rules, 2, seed));
}

#[test]
fn nobody_can_tell_two_worlds_apart_that_differ_in_secrets() {
    for_every_preset(25, |rules, seed| {
        check_non_interference::<KoiKoi>(rules, 2, seed, &dialects())
    });
}

#[test]
fn positions_are_dense_in_every_dialect() {
    for_every_preset(15, |rules, seed| check_positions::<KoiKoi>(rules, 2, seed, &dialects()));
}
