//! Bots by name, and that the better one is better.

mod common;

use parlor_binokel::{Binokel, Rules};
use parlor_kernel::laws::Lawful;
use parlor_kernel::{Awaiting, Dice, Game, Log, Offered, Player, Seat, Seed, laws, play_out};

fn bot(name: &str) -> Box<dyn Player<Binokel>> {
    let kinds = Binokel::bots();
    let kind = kinds.iter().find(|kind| kind.name == name || kind.aliases.contains(&name));
    (kind.unwrap_or_else(|| panic!("there is a bot called {name}")).make)()
}

/// The share of games the bot in the seats of this side wins.
fn wins(rules: &Rules, seats: &[&str], hero: Seat, games: u32) -> f64 {
    let dice = Dice::new(&Seed::named("bots"), "players");
    let mut streams: Vec<_> =
        (0..seats.len()).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut players: Vec<_> = seats.iter().map(|name| bot(name)).collect();
    let mut won = 0;
    for number in 0..games {
        let opening = laws::opening::<Binokel>(rules, seats.len(), &format!("bots {number}"));
        let state = play_out(opening, &mut players, &mut streams, &mut Log::default());
        assert_eq!(Binokel::awaiting(&state), Awaiting::Nobody, "the game ends");
        won += u32::from(Binokel::score(&state).winners.contains(hero));
    }
    f64::from(won) / f64::from(games)
}

#[test]
fn every_level_has_a_bot() {
    for name in ["random", "simple", "easy", "medium", "hard"] {
        bot(name);
    }
}

#[test]
fn simple_beats_random_with_two_three_and_four_by_every_rule() {
    for (name, rules) in common::house_rules() {
        for (seats, fair) in [
            (["simple", "random"].as_slice(), 0.5),
            (["random", "simple", "random"].as_slice(), 0.34),
            (["random", "simple", "random", "simple"].as_slice(), 0.5),
        ] {
            let hero = seats.iter().position(|name| *name == "simple").expect("it sits there");
            let share = wins(&rules, seats, Seat(hero as u8), 60);
            assert!(share > fair + 0.15, "{name} {seats:?}: {share}");
        }
    }
}

#[test]
fn bots_games_keep_the_invariant_and_can_be_followed_again() {
    for (name, rules) in common::house_rules() {
        for players in 2..=4 {
            let dice = Dice::new(&Seed::named(name), "players");
            let mut streams: Vec<_> =
                (0..players).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
            let mut seats: Vec<_> =
                (0..players).map(|n| bot(if n % 2 == 0 { "simple" } else { "random" })).collect();
            let mut log = Log::default();
            let opening = laws::opening::<Binokel>(&rules, players, name);
            let state = play_out(opening, &mut seats, &mut streams, &mut log);
            assert_eq!(parlor_kernel::reexecute(&log).as_ref(), Ok(&state));
            let mut folded = parlor_binokel::State::default();
            for event in &log.events {
                Binokel::apply(&mut folded, event);
                Binokel::invariant(&folded).unwrap_or_else(|broken| panic!("{name}: {broken}"));
            }
        }
    }
}
