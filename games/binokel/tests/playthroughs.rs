//! Whole seeded games as text: the best documentation the rules have.

mod common;

use parlor_binokel::{Binokel, Event, Rules, Simple, State};
use parlor_kernel::{Dice, Game, Log, Offered, Player, Seed, View, Viewer, laws, play_out};

/// Everything that happens, in words, with the table at its turning points.
fn playthrough(rules: &Rules, players: usize, seed: &str) -> String {
    let opening = laws::opening::<Binokel>(rules, players, seed);
    let dice = Dice::new(&Seed::named(seed), "players");
    let mut streams: Vec<_> =
        (0..players).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut seats: Vec<Box<dyn Player<Binokel>>> =
        (0..players).map(|_| Box::new(Simple) as Box<dyn Player<Binokel>>).collect();
    let mut log = Log::default();
    play_out(opening, &mut seats, &mut streams, &mut log);
    let mut state = State::default();
    let mut view = View::<Binokel>::new(Viewer::Admin);
    let mut text = String::new();
    for event in &log.events {
        let before = view.knowledge().clone();
        Binokel::apply(&mut state, event);
        if let Some(seen) = view.witness(&state, event)
            && let Some(line) = Binokel::narrate(&before, &seen, view.knowledge())
        {
            text += &format!("{line}\n");
        }
        let worth_a_look = matches!(
            event,
            Event::BiddingWon(_) | Event::MeldingComplete(_) | Event::GameFinished(_)
        );
        if worth_a_look {
            text += &format!("\n{}\n\n", Binokel::picture(view.knowledge()));
        }
    }
    text
}

#[test]
fn two_by_contract() {
    let rules = Rules { rounds: Some(2), ..Rules::contract() };
    insta::assert_snapshot!(playthrough(&rules, 2, "two by contract"));
}

#[test]
fn three_by_classic() {
    let rules = Rules { rounds: Some(3), ..Rules::classic() };
    insta::assert_snapshot!(playthrough(&rules, 3, "three by classic"));
}

#[test]
fn four_by_contract() {
    let rules = Rules { rounds: Some(3), ..Rules::contract() };
    insta::assert_snapshot!(playthrough(&rules, 4, "four by contract"));
}
