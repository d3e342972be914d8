//! How fast games are played out at random, on one thread, typed log and all:
//! `cargo run --release -p parlor-binokel --example pace [players] [games] [preset]`.

use std::time::Instant;

use parlor_binokel::{Binokel, Random};
use parlor_kernel::{Dice, Log, Offered, Player, Seed, laws, play_out};

fn main() {
    let mut given = std::env::args().skip(1);
    let mut number = |otherwise| given.next().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (players, games) = (number(3).clamp(2, 4), number(20_000));
    let preset = given.next().unwrap_or_else(|| "contract".to_owned());
    let guide = Binokel::guide();
    let rules = match guide.preset(&preset) {
        Ok(rules) => rules,
        Err(error) => return eprintln!("{error}"),
    };
    let dice = Dice::new(&Seed::named("pace"), "players");
    let mut streams: Vec<_> =
        (0..players).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut seats: Vec<Box<dyn Player<Binokel>>> =
        (0..players).map(|_| Box::new(Random) as Box<dyn Player<Binokel>>).collect();
    let (mut rounds, mut steps) = (0, 0);
    let mut log = Log::default();
    let begun = Instant::now();
    for number in 0..games {
        let opening = laws::opening::<Binokel>(rules, players, &format!("pace {number}"));
        log.events.clear();
        log.steps.clear();
        let state = play_out(opening, &mut seats, &mut streams, &mut log);
        rounds += u64::from(state.board.rounds_played);
        steps += log.steps.len() as u64;
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{preset}, {players} players: {games} games, {:.0} rounds/s, {:.0} steps/s",
        rounds as f64 / seconds,
        steps as f64 / seconds,
    );
}
