//! How the bots compare, as a table: big bets per 100 deals over duplicate
//! deals, with 95 % intervals.
//! `cargo run --release -p parlor-stud --example duel [decks] [first second]`.

use std::time::Instant;

use parlor_kernel::{BotKind, Offered};
use parlor_stud::{Rules, Stud, duel::Duel};

fn main() {
    let mut given = std::env::args().skip(1);
    let decks: u32 = given.next().and_then(|count| count.parse().ok()).unwrap_or(2_000);
    let names: Vec<String> = given.collect();
    let kinds = Stud::bots();
    let named = |name: &str| kinds.iter().find(|kind| kind.name == name);
    let pairs: Vec<[&BotKind<Stud>; 2]> = match names.as_slice() {
        [first, second] => match (named(first), named(second)) {
            (Some(first), Some(second)) => vec![[first, second]],
            _ => return eprintln!("there are no bots '{first}' and '{second}'"),
        },
        // Weakest first: each against the one before it, and the last against
        // the first.
        _ => match kinds.as_slice() {
            [random, tight, equity] => vec![[tight, random], [equity, tight], [equity, random]],
            _ => return eprintln!("name two bots"),
        },
    };
    println!("| variant | seats | bots | big bets per 100 deals | deals | seconds |");
    println!("|---|---|---|---|---|---|");
    for bots in pairs {
        for (variant, rules) in
            [("studHi", Rules::stud_hi()), ("razz", Rules::razz()), ("stud8", Rules::stud8())]
        {
            for seats in [2, 6] {
                let began = Instant::now();
                let edge = Duel { bots, rules: rules.clone(), seats, seed: "duel" }.play(decks);
                println!(
                    "| {variant} | {seats} | {} against {} | {:+.1} ± {:.1} | {} | {:.0} |",
                    bots[0].name,
                    bots[1].name,
                    edge.mean,
                    edge.margin,
                    2 * decks,
                    began.elapsed().as_secs_f64()
                );
            }
        }
    }
}
