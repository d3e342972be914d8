//! Random games come out as exact computation says they must. `make bench`
//! plays a million of each.

use parlor_mafia::reckoning::{Finding, play, references};

#[track_caller]
fn assert_fits(finding: &Finding) {
    let Finding { what, found, expected, z } = finding;
    assert!(z.abs() < 4.0, "{what}: {found:.5}, {expected} expected, z = {z:.2}");
}

#[test]
fn classic_games_come_out_as_computed() {
    let (references, tally) = (references(), play(&references()[0].rules, 0, 100_000));
    assert_fits(&tally.town(&references[0]));
    tally.classic().iter().for_each(assert_fits);
}

#[test]
fn other_sizes_and_rules_come_out_as_computed() {
    let references = references();
    std::thread::scope(|scope| {
        for reference in &references[1..] {
            scope.spawn(|| assert_fits(&play(&reference.rules, 0, 15_000).town(reference)));
        }
    });
}
