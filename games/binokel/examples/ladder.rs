//! How much stronger each bot is than the one below it, as the README's table:
//! `cargo run --release -p parlor-binokel --example ladder [games] [first other]`.

#[path = "../tests/common/rotation.rs"]
mod rotation;

use std::time::Instant;

use parlor_binokel::Rules;

const RUNGS: [(&str, &str); 3] = [("hard", "medium"), ("medium", "easy"), ("easy", "random")];

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let games: u32 = given.first().and_then(|games| games.parse().ok()).unwrap_or(2_000);
    let rungs = match &given[..] {
        [_, first, other] => vec![(first.as_str(), other.as_str())],
        _ => RUNGS.to_vec(),
    };
    println!("| players | pairing | games | games won | points ahead | ms a game |");
    println!("|---|---|---|---|---|---|");
    for (first, other) in rungs {
        for players in 2..=4 {
            let decks = games.div_ceil(rotation::seatings(players).len() as u32);
            let begun = Instant::now();
            let standing = rotation::compare(first, other, players, decks, &Rules::contract());
            let pace = begun.elapsed().as_secs_f64() * 1000.0 / f64::from(standing.games);
            let (share, lead) = (standing.share, standing.lead);
            println!(
                "| {players} | {first} – {other} | {} | {:.1} % ± {:.1} | {:+.0} ± {:.0} | {pace:.1} |",
                standing.games,
                100.0 * share.mean,
                100.0 * share.margin,
                lead.mean,
                lead.margin,
            );
        }
    }
}
