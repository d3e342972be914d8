//! Random games held against exact computation.
//!
//! Everyone chooses at random and nobody speaks, so how such games end can be
//! computed exactly. Counting many of them tells whether the engine plays the
//! rules and whether its dice are fair.

use parlor_kernel::{Dice, Log, Opening, Player, Seal, Seed, laws, play_out};

use crate::bots::Random;
use crate::event::Event;
use crate::game::Mafia;
use crate::role::Team;
use crate::rules::{Rules, TieRule, VoteRule};

/// A table whose games are counted, and what must come out.
pub struct Reference {
    /// What the table is called in reports.
    pub name: &'static str,
    /// Its rules.
    pub rules: Rules,
    /// How often the town wins.
    pub town_wins: f64,
}

/// Every table with an exact number.
pub fn references() -> Vec<Reference> {
    let table = |name, rules, town_wins| Reference { name, rules, town_wins };
    let classic = Rules::classic;
    vec![
        table("10p3m", classic(), 0.0906592),
        table("10p1m", Rules::sized(10, 1), 0.5418),
        table("10p2m", Rules::sized(10, 2), 0.2517),
        table("10p4m", Rules::sized(10, 4), 0.0194),
        table("8p2m", Rules::sized(8, 2), 0.1872),
        table("7p2m", Rules::sized(7, 2), 0.1183),
        table("tieRule none", Rules { tie_rule: TieRule::None, ..classic() }, 0.0438023),
        table("majority", Rules { vote_rule: VoteRule::Majority, ..classic() }, 0.0010482),
    ]
}

/// What was counted of many games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    games: u64,
    town_wins: u64,
    quiet_first_nights: u64,
    first_day_ties: u64,
    first_day_hits: u64,
    days: u64,
    days_squared: u64,
}

/// One number counted, and the exact one.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was counted.
    pub what: String,
    /// What came out.
    pub found: f64,
    /// What must come out.
    pub expected: f64,
    /// How many standard errors lie between them.
    pub z: f64,
}

/// Plays the games of a table from `first` up to `end`, and counts them.
pub fn play(rules: &Rules, first: u64, end: u64) -> Tally {
    let seats = rules.circle();
    let dice = Dice::new(&Seed::named(&format!("reckoning {first}")), "players");
    let mut streams: Vec<_> =
        (0..seats).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut players: Vec<Box<dyn Player<Mafia>>> =
        (0..seats).map(|_| Box::new(Random) as Box<dyn Player<Mafia>>).collect();
    let model = laws::opening::<Mafia>(rules, seats, "reckoning");
    let (mut tally, mut log) = (Tally::default(), Log::default());
    for number in first..end {
        let seal = Seal::named(&format!("reckoning {number}"));
        log.events.clear();
        log.steps.clear();
        play_out(Opening { seal, ..model.clone() }, &mut players, &mut streams, &mut log);
        tally.count(&log);
    }
    tally
}

impl Tally {
    fn count(&mut self, log: &Log<Mafia>) {
        self.games += 1;
        let mut voted_out = None;
        for event in &log.events {
            match event {
                Event::NightResolved(night) if night.night_number == 1 => {
                    self.quiet_first_nights += u64::from(night.killed_player_id.is_none());
                }
                Event::VoteResult(result) if result.round_number == 1 => {
                    self.first_day_ties += u64::from(result.tie);
                    voted_out = result.eliminated;
                }
                Event::GameEnded(ended) => {
                    let day = u64::from(ended.day_number);
                    self.town_wins += u64::from(ended.winner == Some(Team::Town));
                    self.days += day;
                    self.days_squared += day * day;
                    let hit = voted_out.is_some_and(|player| ended.cast.mafia.contains(player));
                    self.first_day_hits += u64::from(hit);
                }
                _ => {}
            }
        }
    }

    /// Both counts together.
    pub fn with(self, other: Tally) -> Tally {
        Tally {
            games: self.games + other.games,
            town_wins: self.town_wins + other.town_wins,
            quiet_first_nights: self.quiet_first_nights + other.quiet_first_nights,
            first_day_ties: self.first_day_ties + other.first_day_ties,
            first_day_hits: self.first_day_hits + other.first_day_hits,
            days: self.days + other.days,
            days_squared: self.days_squared + other.days_squared,
        }
    }

    fn share(&self, what: &str, count: u64, expected: f64) -> Finding {
        let games = self.games as f64;
        let z = (count as f64 - games * expected) / (games * expected * (1.0 - expected)).sqrt();
        Finding { what: what.to_owned(), found: count as f64 / games, expected, z }
    }

    /// How often the town won, beside the exact number of its table.
    pub fn town(&self, reference: &Reference) -> Finding {
        let what = format!("the town wins, {}", reference.name);
        self.share(&what, self.town_wins, reference.town_wins)
    }

    /// What else is known exactly of the classic game.
    pub fn classic(&self) -> [Finding; 4] {
        let games = self.games as f64;
        let mean = self.days as f64 / games;
        let variance = self.days_squared as f64 / games - mean * mean;
        let expected = 3.2067;
        let last_day = Finding {
            what: "the last day".to_owned(),
            found: mean,
            expected,
            z: (mean - expected) / (variance / games).sqrt(),
        };
        [
            self.share("nobody dies on night 1", self.quiet_first_nights, 0.1),
            self.share("a tie on day 1", self.first_day_ties, 0.47138),
            self.share("the first vote hits mafia", self.first_day_hits, 0.32969),
            last_day,
        ]
    }
}
