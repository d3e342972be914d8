//! How fast matches are played out at random, on one thread, typed log and
//! all: `cargo run --release -p parlor-koikoi --example koikoi_pace [matches] [preset]`.

use std::time::Instant;

use parlor_kernel::{Dice, Log, Offered, Player, RandomPlayout, Seed, laws, play_out};
use parlor_koikoi::KoiKoi;

fn main() {
    let mut given = std::env::args().skip(1);
    let matches: u32 = given.next().and_then(|count| count.parse().ok()).unwrap_or(50_000);
    let preset = given.next().unwrap_or_else(|| "protocol".to_owned());
    let guide = KoiKoi::guide();
    let rules = match guide.preset(&preset) {
        Ok(rules) => rules,
        Err(error) => return eprintln!("{error}"),
    };
    let mut dice = Dice::new(&Seed::named("pace"), "players").stream("bots");
    let mut players: [Box<dyn Player<KoiKoi>>; 2] =
        [Box::new(RandomPlayout), Box::new(RandomPlayout)];
    let (mut rounds, mut decisions) = (0, 0);
    let mut log = Log::default();
    let begun = Instant::now();
    for number in 0..matches {
        let opening = laws::opening::<KoiKoi>(rules, 2, &format!("pace {number}"));
        log.events.clear();
        log.steps.clear();
        let state = play_out(opening, &mut players, &mut dice, &mut log);
        rounds += u64::from(state.board.rounds_played);
        decisions += log.steps.len() as u64;
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{preset}: {matches} matches, {:.0} rounds/s, {:.0} steps/s",
        rounds as f64 / seconds,
        decisions as f64 / seconds,
    );
}
