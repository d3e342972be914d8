//! The report of a contest: numbers for programs, as JSON and as CSV.

use std::fmt::Write;

use parlor_kernel::{Game, Preset};
use parlor_mafia::{Mafia, Rules};
use serde::Serialize;

use crate::arena::Contest;
use crate::arena::rate::Measured;
use crate::arena::standing::{Standing, rank};
use crate::arena::tally::{AgentTally, GameRecord, ROLES, Tally};
use crate::lineup::Entrant;
use crate::llm::{Model, Way};

/// What a contest came to.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The game: `mafia`.
    pub game: &'static str,
    /// The version of its rules and events.
    pub game_version: u32,
    /// The version of Parlor that played it.
    pub parlor: &'static str,
    /// The day it was played, UTC.
    pub date: String,
    /// The name all seeds followed from.
    pub seed: String,
    /// How many seeds were played.
    pub seeds: u64,
    /// How many games: every seed once with each agent in each seat.
    pub games: u64,
    /// The house rules, as they are asked for.
    pub rules_named: String,
    /// The house rules, in full.
    pub rules: Rules,
    /// Seconds it took.
    pub elapsed_s: f64,
    /// Games in which some seat fell back to the end: they count as far as
    /// they were played.
    pub degraded: u64,
    /// Games of which less than half was played: in no rate.
    pub unplayed: u64,
    /// Games called off: in no rate.
    pub called_off: u64,
    /// Wins of the town, whoever plays it.
    pub town_wins: Measured,
    /// Agent by agent, by name.
    pub agents: Vec<AgentReport>,
    /// Game by game, with the log of each.
    pub played: Vec<GameRecord>,
}

/// Who an agent is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum PlaysAs {
    /// A bot of the game.
    Bot,
    /// A language model.
    Model {
        /// Its name at the endpoint.
        model: String,
        /// The endpoint's address.
        endpoint: String,
        /// How freely it writes; the endpoint's own choice if none.
        temperature: Option<f64>,
        /// How many tokens an answer may have.
        max_tokens: u32,
        /// In which way it is asked; none: found out.
        answers: Option<Way>,
        /// More fields of its requests.
        extra: serde_json::Map<String, serde_json::Value>,
    },
}

impl PlaysAs {
    fn of(entrant: Option<&Entrant>) -> PlaysAs {
        let Some(Entrant::Model(_, model)) = entrant else { return PlaysAs::Bot };
        let Model { model: name, base_url, temperature, answers, extra, .. } = &**model;
        PlaysAs::Model {
            model: name.clone(),
            endpoint: base_url.clone(),
            temperature: *temperature,
            max_tokens: model.cap(),
            answers: *answers,
            extra: extra.clone(),
        }
    }

    /// In a few words.
    pub fn told(&self) -> String {
        match self {
            PlaysAs::Bot => "bot".to_owned(),
            PlaysAs::Model { model, temperature: Some(temperature), .. } => {
                format!("{model}, temperature {temperature}")
            }
            PlaysAs::Model { model, .. } => model.clone(),
        }
    }
}

/// How one agent did.
#[derive(Clone, Debug, Serialize)]
pub struct AgentReport {
    /// Its name.
    pub agent: String,
    /// Who it is.
    pub plays: PlaysAs,
    /// Where it stands.
    pub standing: Standing,
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
    /// Answers that the endpoint cut off at their limit.
    pub cut_off: u64,
    /// Seats that fell back to the end.
    pub degraded_seats: u64,
    /// Tokens read.
    pub prompt_tokens: u64,
    /// Those of them that were read before.
    pub cached_tokens: u64,
    /// Tokens written.
    pub completion_tokens: u64,
    /// Those of them that were reasoning.
    pub reasoning_tokens: u64,
    /// Tokens that no endpoint counted: so many of those above are estimates.
    pub estimated_tokens: u64,
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
            let chance = (hits.weight > 0.0).then(|| votes.chance / hits.weight);
            DayReport { day: *day, hits, chance, abstained: votes.abstained }
        };
        AgentReport {
            agent: agent.to_owned(),
            plays: PlaysAs::of(tally.entrant.as_ref()),
            standing: Standing::default(),
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
            cut_off: tally.cut_off,
            degraded_seats: tally.degraded_seats,
            prompt_tokens: tally.read,
            cached_tokens: tally.cached,
            completion_tokens: tally.written,
            reasoning_tokens: tally.reasoning,
            estimated_tokens: tally.estimated,
            mean_latency_ms: ratio(tally.latency_ms as f64, tally.asked),
            cost_usd: tally.cost_micros.map(|micros| micros as f64 / 1e6),
        }
    }
}

impl Report {
    /// What the tally of a contest says.
    pub fn of(tally: &Tally, contest: &Contest, date: String, elapsed_s: f64) -> Report {
        let mut agents: Vec<AgentReport> =
            tally.agents.iter().map(|(name, it)| AgentReport::of(name, it)).collect();
        rank(&mut agents);
        Report {
            game: Mafia::NAME,
            game_version: Mafia::VERSION,
            parlor: env!("CARGO_PKG_VERSION"),
            date,
            seed: contest.seed.clone(),
            seeds: contest.seeds,
            games: tally.games,
            rules_named: named(&contest.rules),
            rules: contest.rules.clone(),
            elapsed_s,
            degraded: tally.degraded,
            unplayed: tally.unplayed,
            called_off: tally.called_off,
            town_wins: tally.town.measured(),
            agents,
            played: tally.records.values().cloned().collect(),
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
            let Standing { score, ci95, .. } = agent.standing;
            let weight = 0.0;
            let standing = Measured { n: 0, hits: 0, weight, rate: score, ci95 };
            row(name, "score", "", &standing, None);
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
                ("cut_off", plain(agent.requests), plain(agent.cut_off), None),
                ("prompt_tokens", String::new(), plain(agent.prompt_tokens), None),
                ("cached_tokens", String::new(), plain(agent.cached_tokens), None),
                ("completion_tokens", String::new(), plain(agent.completion_tokens), None),
                ("reasoning_tokens", String::new(), plain(agent.reasoning_tokens), None),
                ("estimated_tokens", String::new(), plain(agent.estimated_tokens), None),
                ("latency_ms", String::new(), String::new(), agent.mean_latency_ms),
                ("cost_usd", String::new(), String::new(), agent.cost_usd),
            ] {
                let _ = writeln!(csv, "{name},{measure},,{n},{hits},{},,,", number(value));
            }
        }
        csv
    }
}

/// House rules as they are asked for: the preset they are most like, and what
/// is different.
fn named(rules: &Rules) -> String {
    let fields = |rules: &Rules| match serde_json::to_value(rules) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let own = fields(rules);
    let told = |preset: &Preset<Rules>| {
        let usual = fields(&preset.rules);
        let differs = own.iter().filter(|(name, value)| usual.get(*name) != Some(value));
        let other = differs.map(|(name, value)| match value.as_str() {
            Some(word) => format!("{name}={word}"),
            None => format!("{name}={value}"),
        });
        [preset.name.to_owned()].into_iter().chain(other).collect::<Vec<_>>()
    };
    let nearest = Rules::guide().presets.iter().map(told).min_by_key(Vec::len);
    nearest.unwrap_or_default().join(",")
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
