//! Bots by name, and that the better one is better.

mod common;

use parlor_kernel::{Dice, Log, Offered, Player, Seat, Seed, laws, play_out};
use parlor_koikoi::{KoiKoi, Rules};

fn bot(name: &str) -> Box<dyn Player<KoiKoi>> {
    let kinds = KoiKoi::bots();
    let kind = kinds.iter().find(|kind| kind.name == name || kind.aliases.contains(&name));
    (kind.unwrap_or_else(|| panic!("there is a bot called {name}")).make)()
}

/// The share of decided matches that the bot in this seat wins.
fn wins(seat: Seat, seats: [&str; 2], rules: &Rules) -> f64 {
    let dice = Dice::new(&Seed::named("bots"), "players");
    let mut streams = vec![dice.stream("bot/0"), dice.stream("bot/1")];
    let mut players = seats.map(bot);
    let (mut won, mut decided) = (0, 0);
    for number in 0..300 {
        let opening = laws::opening::<KoiKoi>(rules, 2, &format!("bots {number}"));
        let state = play_out(opening, &mut players, &mut streams, &mut Log::default());
        let score = KoiKoi::score(&state);
        decided += u32::from(!score.winners.is_empty());
        won += u32::from(score.winners.contains(seat));
    }
    f64::from(won) / f64::from(decided)
}

#[test]
fn every_level_has_a_bot() {
    for name in ["random", "greedy", "easy", "medium", "hard"] {
        bot(name);
    }
}

#[test]
fn greedy_beats_random_from_either_seat_by_every_preset() {
    for (name, rules) in common::presets() {
        for (seat, seats) in [(Seat(0), ["greedy", "random"]), (Seat(1), ["random", "greedy"])] {
            let share = wins(seat, seats, &rules);
            assert!(share > 0.6, "{name} {seats:?}: {share}");
        }
    }
}
