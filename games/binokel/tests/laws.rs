//! The laws of the kernel, kept by every preset with every number of players.

mod common;

use common::house_rules;
use parlor_binokel::{Binokel, Rules};
use parlor_kernel::laws::{Secrets, check_all, check_tables, random_game};
use parlor_kernel::{Game, reexecute};

/// Each of these house rules on a thread of its own.
fn for_every_rules(law: impl Fn(&str, &Rules) -> Result<(), String> + Sync) {
    std::thread::scope(|scope| {
        for (name, rules) in house_rules() {
            let law = &law;
            scope.spawn(move || law(name, &rules).unwrap_or_else(|broken| panic!("{broken}")));
        }
    });
}

#[test]
fn every_preset_keeps_all_laws() {
    check_all::<Binokel>(2).unwrap();
}

#[test]
fn every_table_keeps_all_laws() {
    for_every_rules(|_, rules| {
        let tables = [2, 3, 4].map(|players| (rules.clone(), players));
        check_tables::<Binokel>(&tables, 6)
    });
}

#[test]
fn two_hundred_thousand_rounds_break_no_law() {
    let kinds = house_rules().len() as u64;
    for_every_rules(|name, rules| {
        let mut rounds = 0;
        for number in 0.. {
            if rounds * kinds >= 200_000 {
                break;
            }
            let seed = format!("{name} {number}");
            let (log, state) = random_game::<Binokel>(rules, 2 + number % 3, &seed);
            let mut folded = Default::default();
            for event in &log.events {
                Binokel::apply(&mut folded, event);
                Binokel::invariant(&folded).map_err(|broken| format!("{seed}: {broken}"))?;
            }
            let again = reexecute(&log).map_err(|broken| format!("{seed}: {broken}"))?;
            assert!(folded == state && again == state, "{seed} ends differently");
            rounds += u64::from(state.board.rounds_played);
        }
        Ok(())
    });
}
