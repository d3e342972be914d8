//! Whole seeded games as plays: the best documentation the rules have.

mod common;

use std::sync::Arc;

use parlor_kernel::{
    Dice, Game, Log, Offered, Opening, Player, Seed, Sitting, Spoken, View, Viewer,
};
use parlor_kernel::{laws, play_out};
use parlor_mafia::{Mafia, Rules};

const NAMES: [&str; 10] =
    ["Alice", "Bob", "Diana", "Eve", "Charlie", "Frank", "Grace", "Henry", "Iris", "Jack"];

/// A game of the ten, every seat played by this bot.
fn game(bot: &str, rules: &Rules, seed: &str) -> Log<Mafia> {
    let bots = Mafia::bots();
    let kind = bots.iter().find(|kind| kind.name == bot).expect("a bot");
    let seats = rules.circle();
    let mut players: Vec<Box<dyn Player<Mafia>>> = (0..seats).map(|_| (kind.make)()).collect();
    let dice = Dice::new(&Seed::named(seed), "players");
    let mut streams: Vec<_> =
        (0..seats).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut opening: Opening<Rules> = laws::opening::<Mafia>(rules, seats, seed);
    for (sitting, name) in Arc::make_mut(&mut opening.seats).iter_mut().zip(NAMES) {
        *sitting = Sitting { name: name.to_owned(), ..sitting.clone() };
    }
    let mut log = Log::default();
    play_out(opening, &mut players, &mut streams, &mut log);
    log
}

/// Everything a viewer sees, in words, and the circle at the end.
fn play(log: &Log<Mafia>, viewer: Viewer) -> String {
    let mut state = parlor_mafia::State::default();
    let mut view = View::<Mafia>::new(viewer);
    let mut text = String::new();
    for event in &log.events {
        let before = view.knowledge().clone();
        Mafia::apply(&mut state, event);
        if let Some(seen) = view.witness(&state, event)
            && let Some(line) = Mafia::narrate(&before, &seen, view.knowledge())
        {
            text += &format!("{line}\n");
        }
    }
    text + "\n" + &Mafia::picture(view.knowledge())
}

#[test]
fn a_random_game_as_the_house_sees_it() {
    let log = game("random", &Rules::classic(), "a random play");
    insta::assert_snapshot!(play(&log, Viewer::Admin));
}

#[test]
fn a_game_of_inference_as_the_house_sees_it() {
    let log = game("bayes", &Rules::sized(7, 2), "a play of inference");
    insta::assert_snapshot!(play(&log, Viewer::Admin));
}

#[test]
fn a_game_of_inference_as_the_town_sees_it() {
    let log = game("bayes", &Rules::sized(7, 2), "a play of inference");
    insta::assert_snapshot!(play(&log, Viewer::Public));
}
