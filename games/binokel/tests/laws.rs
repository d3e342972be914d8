//! The laws of the kernel, kept by every preset with every number of players.

mod common;

use std::sync::Arc;

use common::house_rules;
use parlor_binokel::{Binokel, Rules};
use parlor_kernel::laws::{
    check_envelopes, check_game, check_non_interference, check_options, check_positions,
};
use parlor_kernel::{Dialect, LogDialect, Offered};

fn for_every_table(games: u32, law: impl Fn(&Rules, usize, &str) -> Result<(), String> + Sync) {
    std::thread::scope(|scope| {
        for (name, rules) in house_rules() {
            let law = &law;
            scope.spawn(move || {
                for (players, number) in (0..games).flat_map(|n| [(2, n), (3, n), (4, n)]) {
                    if let Err(broken) = law(&rules, players, &format!("{name} {number}")) {
                        panic!("{players} players: {broken}");
                    }
                }
            });
        }
    });
}

fn dialects() -> Vec<Arc<dyn Dialect<Binokel>>> {
    let mut dialects = Binokel::dialects();
    dialects.push(Arc::new(LogDialect));
    dialects
}

#[test]
fn two_hundred_thousand_rounds_with_every_number_of_players_break_no_law() {
    let kinds = house_rules().len() as u64;
    for_every_table(1, |rules, players, seed| {
        let mut rounds = 0;
        for number in 0.. {
            if rounds * kinds >= 200_000 {
                break;
            }
            let state = check_game::<Binokel>(rules, players, &format!("{seed}/{number}"))?;
            rounds += u64::from(state.board.rounds_played);
        }
        Ok(())
    });
}

#[test]
fn envelopes_read_back_to_the_byte() {
    for_every_table(5, check_envelopes::<Binokel>);
}

#[test]
fn options_are_exactly_what_decide_accepts() {
    for_every_table(1, check_options::<Binokel>);
}

#[test]
fn nobody_can_tell_two_worlds_apart_that_differ_in_secrets() {
    for_every_table(4, |rules, players, seed| {
        check_non_interference::<Binokel>(rules, players, seed, &dialects())
    });
}

#[test]
fn positions_are_dense_in_every_dialect() {
    for_every_table(3, |rules, players, seed| {
        check_positions::<Binokel>(rules, players, seed, &dialects())
    });
}
