//! The laws of the kernel, kept at every kind of table.

mod common;

use std::sync::Arc;

use parlor_kernel::laws::{
    check_envelopes, check_game, check_non_interference, check_options, check_positions,
};
use parlor_kernel::{Dialect, LogDialect};
use parlor_mafia::{Mafia, Rules, wire};

fn at_every_table(games: u32, law: impl Fn(&Rules, usize, &str) -> Result<(), String> + Sync) {
    std::thread::scope(|scope| {
        for (name, rules) in common::tables() {
            let law = &law;
            scope.spawn(move || {
                for number in 0..games {
                    let seats = rules.circle();
                    if let Err(broken) = law(&rules, seats, &format!("{name} {number}")) {
                        panic!("{broken}");
                    }
                }
            });
        }
    });
}

fn dialects() -> Vec<Arc<dyn Dialect<Mafia>>> {
    let mut dialects = wire::dialects();
    dialects.push(Arc::new(LogDialect));
    dialects
}

#[test]
fn a_thousand_games_at_every_table_end_fold_and_replay() {
    at_every_table(1_000, |rules, seats, seed| check_game::<Mafia>(rules, seats, seed).map(drop));
}

#[test]
fn envelopes_read_back_to_the_byte() {
    at_every_table(20, check_envelopes::<Mafia>);
}

#[test]
fn options_and_asides_are_exactly_what_decide_accepts() {
    at_every_table(12, check_options::<Mafia>);
}

#[test]
fn nobody_can_tell_two_worlds_apart_that_differ_in_secrets() {
    at_every_table(6, |rules, seats, seed| {
        check_non_interference::<Mafia>(rules, seats, seed, &dialects())
    });
}

#[test]
fn positions_are_dense_in_every_dialect() {
    at_every_table(10, |rules, seats, seed| {
        check_positions::<Mafia>(rules, seats, seed, &dialects())
    });
}
