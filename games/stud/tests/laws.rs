//! The laws of the kernel, kept by every variant at every size of table.

mod common;

use parlor_kernel::laws::{check_tables, random_game};
use parlor_kernel::{Game, Offered, Playout, Seat, View, Viewer};
use parlor_stud::{Rules, State, Stud};

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

/// Players who do not look are offered what those are who do.
#[test]
fn moves_read_from_the_truth_are_the_options() {
    for (name, rules) in common::law_tables() {
        for seats in [2, 4, 7] {
            let (log, _) = random_game::<Stud>(&rules, seats, name);
            let mut state = State::default();
            let mut views: Vec<_> =
                (0..seats as u8).map(|seat| View::<Stud>::new(Viewer::Seat(Seat(seat)))).collect();
            for (_, events) in log.by_step() {
                for event in events {
                    Stud::apply(&mut state, event);
                    views.iter_mut().for_each(|view| drop(view.witness(&state, event)));
                }
                for view in &views {
                    let (mut moves, mut options) = (Vec::new(), Vec::new());
                    Stud::options(view.knowledge(), &mut options);
                    let seat = view.viewer().seat().expect("a seat looks");
                    Stud::moves(&state, seat, &mut moves);
                    assert_eq!(moves, options, "{name}, {seats} seats: {seat}");
                }
            }
        }
    }
}
