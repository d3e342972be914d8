//! The laws of the kernel, kept at every kind of table.

mod common;

use parlor_kernel::laws::{Secrets, check_all, check_played, check_tables, opening, random_game};
use parlor_kernel::{
    Awaiting, Game, Hosted, Moves as _, Offered, Playout, Seat, Spoken, View, Viewer,
};
use parlor_mafia::{
    Action, Channel, HIGHEST_BID, LONGEST_STATEMENT, LONGEST_THOUGHT, MAX_PLAYERS, Mafia, Moves,
    PlayerId, Words,
};

#[test]
fn every_preset_keeps_all_laws() {
    check_all::<Mafia>(1).unwrap();
}

#[test]
fn only_at_night_must_worlds_be_imagined_to_say_whose_turn_it_is() {
    let rules = Mafia::guide().presets.remove(0).rules;
    let (log, _) = random_game::<Mafia>(&rules, rules.circle(), "turns");
    let mut state = <Mafia as Game>::State::default();
    let mut views = [Viewer::Public, Viewer::Seat(Seat(0))].map(View::<Mafia>::new);
    let mut nights = 0;
    for event in &log.events {
        Mafia::apply(&mut state, event);
        let awaiting = Mafia::awaiting(&state);
        let is_night = matches!(awaiting, Awaiting::Seats { kind: "NIGHT_ACTION", .. });
        nights += u32::from(is_night);
        for view in &mut views {
            view.witness(&state, event);
            let outline = Mafia::outline(view.knowledge()).expect("the board tells it");
            assert!(outline.is_turn_open || is_night, "{event:?}");
        }
    }
    assert!(nights > 0);
}

#[test]
fn every_kind_of_table_keeps_all_laws() {
    std::thread::scope(|scope| {
        for (name, rules) in common::tables() {
            scope.spawn(move || {
                let seats = rules.circle();
                if let Err(broken) = check_tables::<Mafia>(&[(rules, seats)], 24) {
                    panic!("{name}: {broken}");
                }
            });
        }
    });
}

#[test]
fn hundreds_of_games_at_every_table_end_fold_and_replay() {
    std::thread::scope(|scope| {
        for (name, rules) in common::tables() {
            scope.spawn(move || {
                for number in 0..500 {
                    let seed = format!("{name} {number}");
                    if let Err(broken) = check_played::<Mafia>(&rules, rules.circle(), &seed) {
                        panic!("{broken}");
                    }
                }
            });
        }
    });
}

/// Everything anybody might try, sensible or not.
fn every_action() -> Vec<Action> {
    let mut every = vec![
        Action::Acknowledge {},
        Action::Kill { target: None },
        Action::Vote { target: None },
        Action::FallBack { reason: Words::from("tired") },
        Action::Fault { reason: Words::from("no JSON") },
        Action::Usage(Box::default()),
        Action::Assign(Box::default()),
    ];
    for target in PlayerId::all(MAX_PLAYERS) {
        every.push(Action::Kill { target: Some(target) });
        every.push(Action::Protect { target });
        every.push(Action::Investigate { target });
        every.push(Action::Vote { target: Some(target) });
    }
    every.extend((0..=HIGHEST_BID + 1).map(|amount| Action::Bid { amount }));
    for length in [0, 1, LONGEST_STATEMENT, LONGEST_STATEMENT + 1, LONGEST_THOUGHT + 1] {
        let text = Words::from("ä".repeat(length));
        for r#final in [true, false] {
            for channel in [Channel::Public, Channel::Mafia] {
                every.push(Action::Say { text: text.clone(), r#final, channel });
            }
            every.push(Action::Think { text: text.clone(), r#final });
        }
    }
    every
}

/// What is offered is exactly what is accepted, words of any length included,
/// and the moves read from the truth are those a seat knows of.
#[test]
fn options_and_asides_are_exactly_what_decide_accepts() {
    let every = every_action();
    for (name, rules) in common::tables() {
        let seats = rules.circle();
        let dice = opening::<Mafia>(&rules, seats, name).dice();
        let (log, _) = random_game::<Mafia>(&rules, seats, name);
        let mut state = parlor_mafia::State::default();
        let views = (0..seats as u8).map(|seat| View::<Mafia>::new(Viewer::Seat(Seat(seat))));
        let mut views: Vec<_> = views.collect();
        for (place, event) in log.events.iter().enumerate() {
            Mafia::apply(&mut state, event);
            for view in &mut views {
                view.witness(&state, event);
            }
            let ends_step = log.steps.iter().any(|step| step.first as usize == place + 1);
            for view in views.iter().filter(|_| ends_step) {
                let (seat, knowledge) = (view.viewer().seat().unwrap(), view.knowledge());
                let (mut offered, mut moves) = (Vec::new(), Moves::default());
                Mafia::options(knowledge, &mut offered);
                Mafia::moves(&state, seat, &mut moves);
                let in_truth: Vec<_> = (0..=moves.count()).filter_map(|n| moves.nth(n)).collect();
                assert_eq!(in_truth, offered, "{name} {place} {seat}");
                Mafia::asides(knowledge, &mut offered);
                for action in &every {
                    let taken = Mafia::decide(&state, seat, action, &dice, &mut Vec::new());
                    let is_offered = offered.contains(&Mafia::plain(knowledge, action));
                    assert_eq!(taken.is_ok(), is_offered, "{name} {place} {seat} {action:?}");
                }
            }
        }
    }
}
