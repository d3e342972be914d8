//! The laws of the kernel, kept by every variant at every size of table.

mod common;

use parlor_kernel::Offered;
use parlor_kernel::laws::check_tables;
use parlor_stud::{Rules, Stud};

/// Every table with two to seven seats.
fn sizes(rules: &Rules) -> impl Iterator<Item = (Rules, usize)> {
    rules.seats().map(|seats| (rules.clone(), seats))
}

/// The presets, each for a few deals: among players who never stop, an open
/// match does not either.
#[test]
fn every_preset_keeps_all_laws() {
    let few = |rules: Rules| Rules { deals: Some(rules.deals.unwrap_or(6).min(6)), ..rules };
    let presets = Stud::guide().presets.into_iter().map(|preset| few(preset.rules));
    let tables: Vec<_> = presets.flat_map(|rules| sizes(&rules).collect::<Vec<_>>()).collect();
    check_tables::<Stud>(&tables, 1).unwrap();
}

#[test]
fn every_table_keeps_all_laws_to_its_end() {
    let tables = common::law_tables();
    std::thread::scope(|scope| {
        for (name, rules) in &tables {
            scope.spawn(move || {
                let tables: Vec<_> = sizes(rules).collect();
                check_tables::<Stud>(&tables, 2)
                    .unwrap_or_else(|broken| panic!("{name}: {broken}"));
            });
        }
    });
}
