//! How fast games are played out, on one thread, with the typed log, the way
//! `parlor sim` plays them:
//! `cargo run --release -p parlor-mafia --example pace [games] [bot] [preset]`.

use std::sync::Arc;
use std::time::Instant;

use parlor_kernel::{Log, Offered, Opening, Player, Seal, laws, play_out};
use parlor_mafia::{Mafia, Team};

fn main() {
    let mut given = std::env::args().skip(1);
    let games: u32 = given.next().and_then(|count| count.parse().ok()).unwrap_or(200_000);
    let bot = given.next().unwrap_or_else(|| "random".to_owned());
    let preset = given.next().unwrap_or_else(|| "classic".to_owned());
    let guide = Mafia::guide();
    let rules = match guide.preset(&preset) {
        Ok(rules) => rules,
        Err(error) => return eprintln!("{error}"),
    };
    let bots = Mafia::bots();
    let Some(kind) = bots.iter().find(|kind| kind.name == bot) else {
        let names: Vec<&str> = bots.iter().map(|kind| kind.name).collect();
        return eprintln!("there is no bot '{bot}'; bots are {}", names.join(", "));
    };
    let seats = rules.circle();
    let mut players: Vec<Box<dyn Player<Mafia>>> = (0..seats).map(|_| (kind.make)()).collect();
    let (mut decisions, mut events, mut town_wins) = (0, 0, 0);
    let model = laws::opening::<Mafia>(rules, seats, "pace");
    let mut log = Log::default();
    let begun = Instant::now();
    for number in 0..games {
        let seal = Seal::named(&format!("pace/{number}"));
        let mut dice = seal.dice("players").stream("bots");
        let opening = Opening {
            game_id: format!("sim-{number}"),
            rules: model.rules.clone(),
            seats: Arc::clone(&model.seats),
            seal,
        };
        log.events.clear();
        log.steps.clear();
        let state = play_out(opening, &mut players, &mut dice, &mut log);
        let ended = state.board.ended.as_deref();
        town_wins += u32::from(ended.and_then(|ended| ended.winner) == Some(Team::Town));
        decisions += log.steps.len() as u64;
        events += log.events.len() as u64;
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{preset}, {bot}: {games} games, {:.0} games/s, {:.0} steps/s, {:.0} events/s, town wins \
         {:.4}",
        f64::from(games) / seconds,
        decisions as f64 / seconds,
        events as f64 / seconds,
        f64::from(town_wins) / f64::from(games),
    );
}
