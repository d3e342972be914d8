//! How fast deals are played out at random, on one thread, typed log and
//! all, and how fast hands are ranked:
//! `cargo run --release -p parlor-stud --example stud_pace [matches] [preset] [seats]`.

use std::hint::black_box;
use std::time::Instant;

use parlor_kernel::{Dice, Log, Offered, Player, RandomPlayout, Seed, Stream, laws, play_out};
use parlor_stud::{Card, Rules, Stacks, Stud, ace_to_five, eight_or_better, high};

fn main() {
    let mut given = std::env::args().skip(1);
    let matches: u32 = given.next().and_then(|count| count.parse().ok()).unwrap_or(2_000);
    let preset = given.next().unwrap_or_else(|| "studHi".to_owned());
    let seats: usize = given.next().and_then(|count| count.parse().ok()).unwrap_or(6);
    let guide = Stud::guide();
    match guide.preset(&preset) {
        Ok(rules) => deals(matches, &Rules { deals: Some(100), ..rules.clone() }, &preset, seats),
        Err(error) => return eprintln!("{error}"),
    }
    let mut dice = Dice::new(&Seed::named("pace"), "hands").stream("hands");
    let hands: Vec<[Card; 7]> = (0..200_000).map(|_| hand(&mut dice)).collect();
    ranked("high", &hands, |hand| black_box(high(hand)).into_any());
    ranked("ace to five", &hands, |hand| black_box(ace_to_five(hand)).into_any());
    ranked("eight or better", &hands, |hand| black_box(eight_or_better(hand)).into_any());
}

/// Whatever a hand is worth, so that one loop measures all three orders.
trait IntoAny: Sized {
    fn into_any(self) {}
}

impl<T> IntoAny for T {}

fn deals(matches: u32, rules: &Rules, preset: &str, seats: usize) {
    // Deep enough that all seats stay to the end.
    let rules = Rules { stacks: Stacks::Each(1_000_000), ..rules.clone() };
    let dice = Dice::new(&Seed::named("pace"), "players");
    let mut streams: Vec<Stream> =
        (0..seats).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut players: Vec<Box<dyn Player<Stud>>> =
        (0..seats).map(|_| Box::new(RandomPlayout) as Box<dyn Player<Stud>>).collect();
    let (mut deals, mut events) = (0, 0);
    let mut log = Log::default();
    let begun = Instant::now();
    for number in 0..matches {
        let opening = laws::opening::<Stud>(&rules, seats, &format!("pace {number}"));
        log.events.clear();
        log.steps.clear();
        let state = play_out(opening, &mut players, &mut streams, &mut log);
        deals += u64::from(state.board.deals_played);
        events += log.events.len() as u64;
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{preset}, {seats} seats: {deals} deals in {seconds:.2} s, {:.0} deals/s, {:.1} events a deal",
        deals as f64 / seconds,
        events as f64 / deals as f64
    );
}

fn hand(dice: &mut Stream) -> [Card; 7] {
    let mut deck = Card::DECK;
    dice.shuffle(&mut deck);
    std::array::from_fn(|place| deck[place])
}

fn ranked(order: &str, hands: &[[Card; 7]], rank: impl Fn(&[Card; 7])) {
    let rounds = 100;
    let begun = Instant::now();
    for _ in 0..rounds {
        hands.iter().for_each(&rank);
    }
    let count = (rounds * hands.len()) as f64;
    println!("{order}: {:.1} million hands/s", count / begun.elapsed().as_secs_f64() / 1e6);
}
