//! Many games in process: who wins, how often, how fast.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use parlor_kernel::{BotKind, Cause, Log, Offered, Opening, Player, Seal, Seat, Sitting, play_out};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::error::HouseError;
use crate::offer::{ROUNDS_AMONG_BOTS, bot_of, ended, typed_opening};

/// What to play.
#[derive(Clone, Debug)]
pub struct SimSpec {
    /// How many games.
    pub games: u64,
    /// The bot in each seat.
    pub seats: Vec<String>,
    /// The name all seeds follow from.
    pub seed: String,
    /// How many threads.
    pub threads: usize,
    /// The house rules asked for.
    pub rules: Value,
}

/// How one seat did.
#[derive(Clone, Debug, Serialize)]
pub struct SeatReport {
    /// The bot that sat there.
    pub bot: String,
    /// Games won.
    pub wins: u64,
    /// Wins per game.
    pub win_rate: f64,
    /// The 95 % interval of the win rate (Wilson).
    pub ci95: [f64; 2],
    /// The mean final score.
    pub mean_score: f64,
    /// The 95 % interval of the mean score.
    pub score_ci95: [f64; 2],
}

/// How it went.
#[derive(Clone, Debug, Serialize)]
pub struct SimReport {
    /// The game.
    pub game: &'static str,
    /// Games played.
    pub games: u64,
    /// The name all seeds followed from.
    pub seed: String,
    /// Seconds it took.
    pub elapsed_s: f64,
    /// Games per second.
    pub games_per_s: f64,
    /// Decisions of players per second.
    pub decisions_per_s: f64,
    /// The rounds after which each game was stopped, because its rules have no end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_after: Option<u32>,
    /// Games nobody won.
    pub draws: u64,
    /// Seat by seat.
    pub seats: Vec<SeatReport>,
    /// The game's own counts.
    pub extra: Map<String, Value>,
}

#[derive(Clone, Default)]
struct Tally {
    wins: Vec<u64>,
    sums: Vec<f64>,
    squares: Vec<f64>,
    draws: u64,
    rounds: u64,
    decisions: u64,
    counts: BTreeMap<&'static str, u64>,
    unfinished: Option<u64>,
}

impl Tally {
    fn of(seats: usize) -> Tally {
        Tally {
            wins: vec![0; seats],
            sums: vec![0.0; seats],
            squares: vec![0.0; seats],
            ..Tally::default()
        }
    }

    fn with(mut self, other: Tally) -> Tally {
        for seat in 0..self.wins.len() {
            self.wins[seat] += other.wins[seat];
            self.sums[seat] += other.sums[seat];
            self.squares[seat] += other.squares[seat];
        }
        self.draws += other.draws;
        self.rounds += other.rounds;
        self.decisions += other.decisions;
        for (name, count) in other.counts {
            *self.counts.entry(name).or_default() += count;
        }
        self.unfinished = self.unfinished.or(other.unfinished);
        self
    }
}

/// Games are dealt out to threads in runs of this many.
const RUN: u64 = 64;

pub(crate) fn simulate<G: Offered>(
    spec: &SimSpec,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<SimReport, HouseError> {
    let kinds = G::bots();
    let bot = |name: &String| bot_of(&kinds, name);
    let bots = spec.seats.iter().map(bot).collect::<Result<Vec<_>, _>>()?;
    let sitting = |(seat, bot): (usize, &&BotKind<G>)| Sitting {
        player_id: Seat(seat as u8).player_id(),
        name: format!("{} {}", bot.name, seat + 1),
        bot: Some(bot.name.to_owned()),
    };
    let model = typed_opening::<G>(Opening {
        game_id: String::new(),
        rules: spec.rules.clone(),
        seats: bots.iter().enumerate().map(sitting).collect(),
        seal: Seal::named(&spec.seed),
    })?;
    let stopped_after = ended::<G>(&spec.rules)?.map(|_| ROUNDS_AMONG_BOTS);
    let began = Instant::now();
    let play_run = |run: u64| {
        let games = run * RUN..((run + 1) * RUN).min(spec.games);
        let count = games.end - games.start;
        let tally = play_games::<G>(&model, &bots, &spec.seed, games);
        progress(count);
        tally
    };
    let runs = 0..spec.games.div_ceil(RUN);
    let none = || Tally::of(bots.len());
    let tally = if spec.threads == 1 {
        runs.map(play_run).fold(none(), Tally::with)
    } else {
        rayon::ThreadPoolBuilder::new()
            .num_threads(spec.threads)
            .build()
            .map_err(|error| HouseError::Threads(error.to_string()))?
            .install(|| runs.into_par_iter().map(play_run).reduce(none, Tally::with))
    };
    if let Some(game) = tally.unfinished {
        return Err(HouseError::Unfinished(game));
    }
    let report = report::<G>(spec, &bots, &tally, began.elapsed().as_secs_f64());
    Ok(SimReport { stopped_after, ..report })
}

fn play_games<G: Offered>(
    model: &Opening<G::Rules>,
    bots: &[&BotKind<G>],
    seed: &str,
    games: std::ops::Range<u64>,
) -> Tally {
    let mut tally = Tally::of(bots.len());
    let mut players: Vec<Box<dyn Player<G>>> = bots.iter().map(|bot| (bot.make)()).collect();
    let mut log = Log::<G>::default();
    for game in games {
        let seal = Seal::named(&format!("{seed}/{game}"));
        let mut dice = seal.dice("players").stream("bots");
        let opening = Opening {
            game_id: format!("sim-{game}"),
            rules: model.rules.clone(),
            seats: Arc::clone(&model.seats),
            seal,
        };
        log.events.clear();
        log.steps.clear();
        let state = play_out(opening, &mut players, &mut dice, &mut log);
        if G::awaiting(&state) != parlor_kernel::Awaiting::Nobody {
            tally.unfinished = tally.unfinished.or(Some(game));
        }
        count::<G>(&mut tally, &state, &log);
    }
    tally
}

fn count<G: Offered>(tally: &mut Tally, state: &G::State, log: &Log<G>) {
    let score = G::score(state);
    for (seat, points) in score.points.iter().enumerate() {
        tally.wins[seat] += u64::from(score.winners.contains(Seat(seat as u8)));
        tally.sums[seat] += *points as f64;
        tally.squares[seat] += (*points as f64).powi(2);
    }
    tally.draws += u64::from(score.winners.is_empty());
    tally.rounds += score.rounds;
    for (name, count) in G::counts(state) {
        *tally.counts.entry(name).or_default() += count;
    }
    let decides = |cause: &Cause<G::Action>| match cause {
        Cause::Seat { action, .. } => !G::is_aside(action),
        _ => false,
    };
    let decided = log.steps.iter().filter(|step| decides(&step.cause));
    tally.decisions += decided.count() as u64;
}

fn report<G: Offered>(
    spec: &SimSpec,
    bots: &[&BotKind<G>],
    tally: &Tally,
    elapsed_s: f64,
) -> SimReport {
    let games = spec.games as f64;
    let per_s = |count: f64| if elapsed_s > 0.0 { count / elapsed_s } else { 0.0 };
    let seat = |(seat, bot): (usize, &&BotKind<G>)| {
        let mean = tally.sums[seat] / games;
        let variance = (tally.squares[seat] / games - mean * mean).max(0.0);
        let margin = 1.96 * (variance / games).sqrt();
        SeatReport {
            bot: bot.name.to_owned(),
            wins: tally.wins[seat],
            win_rate: tally.wins[seat] as f64 / games,
            ci95: wilson(tally.wins[seat] as f64, games),
            mean_score: mean,
            score_ci95: [mean - margin, mean + margin],
        }
    };
    let mut extra = Map::new();
    extra.insert(G::ROUND_NAME.to_owned(), json!(tally.rounds));
    extra.insert(format!("{}_per_s", G::ROUND_NAME), json!(per_s(tally.rounds as f64)));
    extra.extend(tally.counts.iter().map(|(name, count)| ((*name).to_owned(), json!(count))));
    SimReport {
        game: G::NAME,
        games: spec.games,
        seed: spec.seed.clone(),
        elapsed_s,
        games_per_s: per_s(games),
        decisions_per_s: per_s(tally.decisions as f64),
        stopped_after: None,
        draws: tally.draws,
        seats: bots.iter().enumerate().map(seat).collect(),
        extra,
    }
}

/// The Wilson score interval: honest also near 0 and 1.
fn wilson(wins: f64, games: f64) -> [f64; 2] {
    let z = 1.96f64;
    let rate = wins / games;
    let centre = (rate + z * z / (2.0 * games)) / (1.0 + z * z / games);
    let margin = z / (1.0 + z * z / games)
        * (rate * (1.0 - rate) / games + z * z / (4.0 * games * games)).sqrt();
    [(centre - margin).max(0.0), (centre + margin).min(1.0)]
}
