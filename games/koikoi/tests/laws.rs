//! The laws of the kernel, kept by every preset.

mod common;

use parlor_kernel::laws::{Secrets, check_all, check_played, check_tables, opening, random_game};
use parlor_kernel::{Game, View, Viewer};
use parlor_koikoi::{Action, Card, ExhaustedAfterKoi, KoiFactor, KoiKoi, Rules, State};

#[test]
fn every_preset_keeps_all_laws() {
    check_all::<KoiKoi>(12).unwrap();
}

/// Every option is played otherwise than the presets have it.
#[test]
fn odd_house_rules_keep_all_laws() {
    let odd = Rules {
        rounds: Some(3),
        target: Some(20),
        koi_factor: KoiFactor::AnyCalled,
        koi_limit: Some(0),
        exhausted_after_koi: ExhaustedAfterKoi::LastCaller,
        four_pairs: true,
        teshi: false,
        field_kuttsuki: false,
        ..Rules::nintendo()
    };
    let daring = Rules { koi_limit: None, four_pairs: true, ..odd.clone() };
    check_tables::<KoiKoi>(&[(odd, 2), (daring, 2)], 12).unwrap();
}

#[test]
fn ten_thousand_matches_of_every_preset_end_fold_and_replay() {
    std::thread::scope(|scope| {
        for (name, rules) in common::presets() {
            scope.spawn(move || {
                for number in 0..10_000 {
                    check_played::<KoiKoi>(&rules, 2, &format!("{name} {number}")).unwrap();
                }
            });
        }
    });
}

/// Everything anybody might try, sensible or not.
fn every_action() -> Vec<Action> {
    let mut every = vec![Action::KoiKoi, Action::Stop];
    for card in Card::DECK {
        every.push(Action::Play { card, target: None });
        every.extend(Card::DECK.map(|target| Action::Play { card, target: Some(target) }));
        every.extend(Card::DECK.map(|target| Action::Select { source: card, target }));
    }
    every
}

#[test]
fn of_everything_that_can_be_tried_the_options_are_exactly_what_is_accepted() {
    let every = every_action();
    for (name, rules) in common::presets() {
        for number in 0..4 {
            let seed = format!("{name} {number}");
            let (log, _) = random_game::<KoiKoi>(&rules, 2, &seed);
            let dice = opening::<KoiKoi>(&rules, 2, &seed).dice();
            let mut state = State::default();
            let mut views =
                [common::P1, common::P2].map(|seat| View::<KoiKoi>::new(Viewer::Seat(seat)));
            for event in &log.events {
                KoiKoi::apply(&mut state, event);
                for (seat, view) in [common::P1, common::P2].into_iter().zip(&mut views) {
                    view.witness(&state, event);
                    let mut options = Vec::new();
                    KoiKoi::options(view.knowledge(), &mut options);
                    for action in &every {
                        let taken =
                            KoiKoi::decide(&state, seat, action, &dice, &mut Vec::new()).is_ok();
                        let offered = options.contains(&KoiKoi::plain(view.knowledge(), action));
                        assert_eq!(taken, offered, "'{seed}': {seat} {action:?}");
                    }
                }
            }
        }
    }
}
