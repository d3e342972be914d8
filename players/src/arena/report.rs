//! The report of a contest: numbers for programs, as JSON and as CSV.

use std::fmt::Write;

use parlor_mafia::Rules;
use serde::Serialize;

use crate::arena::rate::Measured;
use crate::arena::tally::{AgentTally, ROLES, Tally};

/// What a contest came to.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The game: `mafia`.
    pub game: &'static str,
    /// The name all seeds followed from.
    pub seed: String,
    /// How many seeds were played.
    pub seeds: u64,
    /// How many games: every seed once with each agent in each seat.
    pub games: u64,
    /// The house rules.
    pub rules: Rules,
    /// Seconds it took.
    pub elapsed_s: f64,
    /// Games in which some seat played nothing but fallbacks: in no rate.
    pub degraded: u64,
    /// Games called off: in no rate.
    pub called_off: u64,
    /// Wins of the town, whoever plays it.
    pub town_wins: Measured,
    /// Agent by agent, by name.
    pub agents: Vec<AgentReport>,
}

/// How one agent did.
#[derive(Clone, Debug, Serialize)]
pub struct AgentReport {
    /// Its name.
    pub agent: String,
    /// Wins by side: town, mafia.
    pub sides: Vec<Group>,
    /// Wins by role.
    pub roles: Vec<Group>,
    /// Votes on the town's side, day by day.
    pub votes: Vec<DayReport>,
    /// Decisions that were awaited.
    pub decisions: u64,
    /// Those a fallback was played for.
    pub fallbacks: u64,
    /// Fallbacks per decision.
    pub fallback_rate: Option<f64>,
    /// Requests to a model.
    pub requests: u64,
    /// Answers that could not be taken.
    pub invalid: u64,
    /// Invalid answers per request.
    pub invalid_rate: Option<f64>,
    /// Seats that fell back to the end.
    pub degraded_seats: u64,
    /// Tokens read.
    pub prompt_tokens: u64,
    /// Tokens written.
    pub completion_tokens: u64,
    /// Milliseconds a decision of a model took, on average.
    pub mean_latency_ms: Option<f64>,
    /// Dollars; none if a price is unknown.
    pub cost_usd: Option<f64>,
}

/// Wins in one role or on one side.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Which.
    pub group: &'static str,
    /// How many.
    #[serde(flatten)]
    pub wins: Measured,
}

/// Votes of one day.
#[derive(Clone, Debug, Serialize)]
pub struct DayReport {
    /// The day, from 1.
    pub day: u16,
    /// How many votes hit mafia.
    #[serde(flatten)]
    pub hits: Measured,
    /// How many blind votes would have.
    pub chance: Option<f64>,
    /// Abstentions.
    pub abstained: u64,
}

fn ratio(part: f64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part / whole as f64)
}

impl AgentReport {
    fn of(agent: &str, tally: &AgentTally) -> AgentReport {
        let group = |group, wins| Group { group, wins };
        let roles = ROLES.iter().zip(&tally.roles);
        let day = |(day, votes): (&u16, &crate::arena::tally::VotesOfDay)| {
            let hits = votes.hits.measured();
            let chance = ratio(votes.chance, hits.n);
            DayReport { day: *day, hits, chance, abstained: votes.abstained }
        };
        AgentReport {
            agent: agent.to_owned(),
            sides: vec![
                group("town", tally.town.measured()),
                group("mafia", tally.mafia.measured()),
            ],
            roles: roles.map(|(role, wins)| group(role.name(), wins.measured())).collect(),
            votes: tally.votes.iter().map(day).collect(),
            decisions: tally.decisions,
            fallbacks: tally.fallbacks,
            fallback_rate: ratio(tally.fallbacks as f64, tally.decisions),
            requests: tally.requests,
            invalid: tally.invalid,
            invalid_rate: ratio(tally.invalid as f64, tally.requests),
            degraded_seats: tally.degraded_seats,
            prompt_tokens: tally.read,
            completion_tokens: tally.written,
            mean_latency_ms: ratio(tally.latency_ms as f64, tally.asked),
            cost_usd: tally.cost_micros.map(|micros| micros as f64 / 1e6),
        }
    }
}

impl Report {
    /// What the tally of a contest says.
    pub fn of(tally: &Tally, seed: &str, seeds: u64, rules: &Rules, elapsed_s: f64) -> Report {
        Report {
            game: "mafia",
            seed: seed.to_owned(),
            seeds,
            games: tally.games,
            rules: rules.clone(),
            elapsed_s,
            degraded: tally.degraded,
            called_off: tally.called_off,
            town_wins: tally.town.measured(),
            agents: tally.agents.iter().map(|(name, it)| AgentReport::of(name, it)).collect(),
        }
    }

    /// One row for each number, for spreadsheets.
    pub fn csv(&self) -> String {
        let mut csv = "agent,measure,group,n,hits,value,low,high,chance\n".to_owned();
        let mut row = |agent: &str, measure: &str, group: &str, it: &Measured, chance| {
            let [low, high] = it.ci95.map_or([None; 2], |ci95| ci95.map(Some));
            let cells = [it.rate, low, high, chance].map(number).join(",");
            let agent = quoted(agent);
            // Writing to a text cannot fail.
            let _ = writeln!(csv, "{agent},{measure},{group},{},{},{cells}", it.n, it.hits);
        };
        row("", "win", "town", &self.town_wins, None);
        for agent in &self.agents {
            let name = &agent.agent;
            for side in &agent.sides {
                row(name, "win_side", side.group, &side.wins, None);
            }
            for role in &agent.roles {
                row(name, "win_role", role.group, &role.wins, None);
            }
            for day in &agent.votes {
                row(name, "vote_day", &day.day.to_string(), &day.hits, day.chance);
            }
        }
        for agent in &self.agents {
            let name = quoted(&agent.agent);
            let plain = |value: u64| value.to_string();
            for (measure, n, hits, value) in [
                ("fallback", plain(agent.decisions), plain(agent.fallbacks), agent.fallback_rate),
                ("invalid", plain(agent.requests), plain(agent.invalid), agent.invalid_rate),
                ("prompt_tokens", String::new(), plain(agent.prompt_tokens), None),
                ("completion_tokens", String::new(), plain(agent.completion_tokens), None),
                ("latency_ms", String::new(), String::new(), agent.mean_latency_ms),
                ("cost_usd", String::new(), String::new(), agent.cost_usd),
            ] {
                let _ = writeln!(csv, "{name},{measure},,{n},{hits},{},,,", number(value));
            }
        }
        csv
    }
}

fn number(value: Option<f64>) -> String {
    value.map(|value| format!("{value:.6}")).unwrap_or_default()
}

fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
