//! How the bots compare, as the README's table, and how long the best of them
//! thinks: `cargo run --release -p parlor-stud --example duel [decks] [first second]`.

#[path = "../tests/common/duel.rs"]
mod duel;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use duel::{Duel, Edge};
use parlor_kernel::{BotKind, Dice, Log, Offered, Player, Seed, Stream, laws, play_out};
use parlor_stud::{Action, Knowledge, Rules, Stud};

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let decks: u32 = given.first().and_then(|decks| decks.parse().ok()).unwrap_or(5_000);
    let kinds = Stud::bots();
    let named = |name: &str| kinds.iter().find(|kind| kind.name == name);
    let pairs = match &given[..] {
        [_, first, second] => vec![[first.as_str(), second]],
        _ => vec![["equity", "tight"], ["tight", "random"]],
    };
    println!("| bots | variant | seats | deals | big bets per 100 deals |");
    println!("|---|---|---|---|---|");
    for [first, second] in pairs {
        match (named(first), named(second)) {
            (Some(first), Some(second)) => table([first, second], decks),
            _ => return eprintln!("there are no bots '{first}' and '{second}'"),
        }
    }
    if let Some(best) = kinds.last() {
        thinking(best);
    }
}

fn table(bots: [&BotKind<Stud>; 2], decks: u32) {
    let [first, second] = bots.map(|bot| bot.name);
    let variants =
        [("studHi", Rules::stud_hi()), ("razz", Rules::razz()), ("stud8", Rules::stud8())];
    for (variant, rules) in variants {
        for seats in [2, 6] {
            let Edge { mean, margin } =
                Edge::over(&Duel { bots, rules: rules.clone(), seats }.play(decks));
            let deals = 2 * decks;
            println!(
                "| {first} – {second} | {variant} | {seats} | {deals} | {mean:+.1} ± {margin:.1} |"
            );
        }
    }
}

/// A bot with a stopwatch.
struct Timed(Box<dyn Player<Stud>>, Arc<Mutex<Vec<Duration>>>);

impl Player<Stud> for Timed {
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        let began = Instant::now();
        let chosen = self.0.choose(knowledge, options, dice);
        // Nobody who held it can have panicked: it is only pushed to.
        self.1.lock().expect("the stopwatch").push(began.elapsed());
        chosen
    }
}

/// How long this bot thinks, at a full table of its like.
fn thinking(bot: &BotKind<Stud>) {
    let times = Arc::new(Mutex::new(Vec::new()));
    let dice = Dice::new(&Seed::named("thinking"), "players");
    let mut streams: Vec<Stream> =
        (0..7).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let timed = |_| Box::new(Timed((bot.make)(), Arc::clone(&times))) as Box<dyn Player<Stud>>;
    let mut players: Vec<_> = (0..7).map(timed).collect();
    let rules = Rules { deals: Some(300), rebuy: Some(2_000), last_stack: false, ..Rules::mixed() };
    let opening = laws::opening::<Stud>(&rules, 7, "thinking");
    play_out(opening, &mut players, &mut streams, &mut Log::default());
    // As above.
    let mut times = times.lock().expect("the stopwatch");
    times.sort_unstable();
    let micros =
        |tenths: usize| times.get(times.len() * tenths / 10).map_or(0, Duration::as_micros);
    println!(
        "\n`{}` at seven seats: {} decisions, half of them within {} µs, 9 of 10 within {} µs",
        bot.name,
        times.len(),
        micros(5),
        micros(9)
    );
}
