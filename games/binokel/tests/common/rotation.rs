//! Two kinds of bots against each other: the same decks from every seat, so
//! that what is left is how they play.

use parlor_binokel::{Binokel, Rules};
use parlor_kernel::{Dice, Log, Offered, Player, Seat, Seed, laws, play_out};

/// What a match of two kinds shows of the first of them.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// Games played.
    pub games: u32,
    /// The share of games won; equal bots have a half.
    pub share: Estimate,
    /// How many points a seat was ahead at the end of a game, on average.
    pub lead: Estimate,
}

/// A mean and how far the truth may lie from it, with 95 % confidence.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval.
    pub margin: f64,
}

impl Estimate {
    /// Games with the same decks go together: only the means of decks are
    /// independent, so the interval is theirs.
    fn of(decks: &[f64]) -> Estimate {
        let count = decks.len() as f64;
        let mean = decks.iter().sum::<f64>() / count;
        let squares: f64 = decks.iter().map(|one| (one - mean).powi(2)).sum();
        Estimate { mean, margin: 1.96 * (squares / (count - 1.0) / count).sqrt() }
    }
}

/// A bot by its name or level.
pub fn bot(name: &str) -> Box<dyn Player<Binokel>> {
    let kinds = Binokel::bots();
    let kind = kinds.iter().find(|kind| kind.name == name || kind.aliases.contains(&name));
    (kind.unwrap_or_else(|| panic!("there is a bot called {name}")).make)()
}

/// Where the first kind sits, once each way. Two or four: one side and then
/// the other. Three: alone in each seat, and in each pair of seats. Over all
/// of them it has half the seats.
pub fn seatings(players: usize) -> Vec<Vec<bool>> {
    let patterns: &[&[bool]] = match players {
        2 => &[&[true, false]],
        3 => &[&[true, false, false], &[true, true, false]],
        _ => &[&[true, false, true, false]],
    };
    let turns = if players == 3 { 3 } else { 2 };
    let turned = |pattern: &&[bool], by: usize| {
        let mut seating = pattern.to_vec();
        seating.rotate_right(by);
        seating
    };
    patterns.iter().flat_map(|pattern| (0..turns).map(move |by| turned(pattern, by))).collect()
}

/// Plays so many decks from every seating. A deck is a whole game's shuffles.
pub fn compare(first: &str, other: &str, players: usize, decks: u32, rules: &Rules) -> Comparison {
    let seatings = seatings(players);
    let (mut shares, mut leads) = (Vec::new(), Vec::new());
    let mut log = Log::default();
    for deck in 0..decks {
        let (mut won, mut lead) = (0.0, 0.0);
        for (number, seating) in seatings.iter().enumerate() {
            let dice = Dice::new(&Seed::named(&format!("deck {deck}/{number}")), "players");
            let mut streams: Vec<_> =
                (0..players).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
            let mut seats: Vec<_> =
                seating.iter().map(|ours| bot(if *ours { first } else { other })).collect();
            let opening = laws::opening::<Binokel>(rules, players, &format!("deck {deck}"));
            log.events.clear();
            log.steps.clear();
            let state = play_out(opening, &mut seats, &mut streams, &mut log);
            let score = Binokel::score(&state);
            // Partners win together, one game; every game has a winner.
            let winner = (0..players).find(|seat| score.winners.contains(Seat(*seat as u8)));
            let winner = winner.unwrap_or_else(|| panic!("the game with deck {deck} did not end"));
            won += f64::from(u8::from(seating[winner]));
            lead += ahead(seating, &score.points);
        }
        shares.push(won / seatings.len() as f64);
        leads.push(lead / seatings.len() as f64);
    }
    Comparison {
        games: decks * seatings.len() as u32,
        share: Estimate::of(&shares),
        lead: Estimate::of(&leads),
    }
}

/// The mean of our seats' points less the mean of theirs.
fn ahead(seating: &[bool], points: &[i64]) -> f64 {
    let mean = |of: bool| {
        let side = || seating.iter().zip(points).filter(|(ours, _)| **ours == of);
        side().map(|(_, points)| *points as f64).sum::<f64>() / side().count() as f64
    };
    mean(true) - mean(false)
}
