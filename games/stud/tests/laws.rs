//! The laws of the kernel, kept by every variant at every size of table.

mod common;

use parlor_kernel::laws::{
    check_envelopes, check_game, check_non_interference, check_options, check_positions,
};
use parlor_stud::{Rules, Stud};

/// Plays matches of every variant with two to seven seats, deep and short.
fn for_every_table(matches: u32, law: impl Fn(&Rules, usize, &str) -> Result<(), String> + Sync) {
    std::thread::scope(|scope| {
        for (name, rules) in common::law_tables() {
            let law = &law;
            scope.spawn(move || {
                for number in 0..matches {
                    let seats = 2 + number as usize % 6;
                    if let Err(broken) = law(&rules, seats, &format!("{name} {number}")) {
                        panic!("{broken}");
                    }
                }
            });
        }
    });
}

#[test]
fn thousands_of_matches_end_fold_and_replay() {
    for_every_table(1_200, |rules, seats, seed| check_game::<Stud>(rules, seats, seed).map(drop));
}

#[test]
fn envelopes_read_back_to_the_byte() {
    for_every_table(12, check_envelopes::<Stud>);
}

#[test]
fn options_and_asides_are_exactly_what_decide_accepts() {
    for_every_table(60, check_options::<Stud>);
}

#[test]
fn nobody_can_tell_two_worlds_apart_that_differ_in_secrets() {
    for_every_table(3, |rules, seats, seed| {
        check_non_interference::<Stud>(rules, seats, seed, &common::dialects())
    });
}

#[test]
fn positions_are_dense_in_every_dialect() {
    for_every_table(12, |rules, seats, seed| {
        check_positions::<Stud>(rules, seats, seed, &common::dialects())
    });
}
