//! An arena: agents against each other in rotated seats, on the same seeds.
//!
//! With k agents every seed is played k times, each time with everyone moved
//! on by one seat, so that every agent has sat in every seat of every seed as
//! often as any other.

mod html;
mod plot;
mod rate;
mod report;
mod standing;
mod tally;
mod text;

use std::time::Instant;

use parlor_kernel::{Log, Seal};
use parlor_mafia::{Mafia, Rules};

use crate::arena::tally::log_name;
use crate::clock::{Clock, WallClock};
use crate::control::Controller;
use crate::lineup::{Lineup, Roster, SeatingError, Wires};
use crate::llm::date;
use crate::runner::{AgentGame, Played, play_many};

pub use rate::{Measured, Rate};
pub use report::{AgentReport, DayReport, Group, PlaysAs, Report};
pub use standing::{MOST_FALLBACKS, Standing};
pub use tally::{AgentTally, GameRecord, LEAST_PLAYED, ROLES, Tally, VotesOfDay};

/// A game of a contest that has ended.
pub struct Ended<'a> {
    /// The name of its log, beside the report.
    pub name: String,
    /// Who played.
    pub lineup: &'a Lineup,
    /// Everything that happened.
    pub log: &'a Log<Mafia>,
}

/// Where a game stands in its contest: its seed, how far everyone has moved on,
/// and who plays.
type Place = (u64, usize, Lineup);

/// A contest to be played.
pub struct Contest {
    /// Who can be seated.
    pub roster: Roster,
    /// The house rules.
    pub rules: Rules,
    /// The agents, in the order they sit.
    pub agents: Vec<String>,
    /// How many seeds.
    pub seeds: u64,
    /// The name all seeds follow from.
    pub seed: String,
    /// How many games run at once.
    pub at_once: usize,
    /// Where models are asked.
    pub wires: Wires,
    /// How the games are led.
    pub control: Controller,
}

impl Contest {
    /// How many games it takes.
    pub fn games(&self) -> u64 {
        self.seeds * self.agents.len() as u64
    }

    /// The game on this seed with everyone moved on by so many seats.
    fn lineup(&self, seed: u64, moved: usize) -> Result<Lineup, SeatingError> {
        let mut agents = self.agents.clone();
        agents.rotate_right(moved);
        let name = format!("{}/{seed}", self.seed);
        // Keyed by the seed alone: every rotation has the same roles and lots.
        let seal = Seal::named(&name).scoped(&name);
        self.roster.lineup(&format!("{name}/{moved}"), &self.rules, seal, &agents)
    }

    fn prepared(&self, seed: u64, moved: usize) -> Result<(Place, AgentGame<Mafia>), SeatingError> {
        let lineup = self.lineup(seed, moved)?;
        let game = lineup.prepare(&self.wires, self.control.clone())?;
        Ok(((seed, moved, lineup), game))
    }

    /// Plays it all. Each game is handed over as it ends.
    pub async fn play(&self, mut ended: impl FnMut(Ended<'_>)) -> Result<Report, SeatingError> {
        let (began, began_at) = (Instant::now(), WallClock.now());
        let rotations = self.agents.len();
        let games = (0..self.seeds).flat_map(|seed| (0..rotations).map(move |moved| (seed, moved)));
        // The first game has every agent in it: whoever cannot be seated is
        // found out there.
        let mut refused = None;
        let games = games.map_while(|(seed, moved)| {
            self.prepared(seed, moved).map_err(|error| refused = Some(error)).ok()
        });
        let mut tally = Tally::default();
        play_many(games, self.at_once, |(seed, moved, lineup), Played { log, state }| {
            tally.count(seed, moved, &lineup, &log, &state);
            ended(Ended { name: log_name(seed, moved), lineup: &lineup, log: &log });
        })
        .await;
        if let Some(error) = refused {
            return Err(error);
        }
        Ok(Report::of(&tally, self, date(began_at), began.elapsed().as_secs_f64()))
    }
}
