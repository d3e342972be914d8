//! What games come to, agent by agent: a fold of their logs.

use std::collections::BTreeMap;

use parlor_kernel::{Cause, Log};
use parlor_mafia::{
    Action, AgentFault, Channel, Choice, Event, Mafia, PlayerId, Players, Remedy, Role, State,
    Team, Usage, VoteResult,
};

use serde::Serialize;

use crate::arena::rate::Rate;
use crate::lineup::{Entrant, Lineup};
use crate::llm::{CUT_OFF, INVALID_ANSWER};

/// The roles in the order they are reported.
pub const ROLES: [Role; 4] = [Role::Mafia, Role::Doctor, Role::Sheriff, Role::Villager];

/// How a town agent voted on one day of many games.
#[derive(Clone, Debug, Default)]
pub struct VotesOfDay {
    /// Votes against someone: how many hit mafia.
    pub hits: Rate,
    /// What a blind vote would have hit, summed over the votes by weight.
    pub chance: f64,
    /// Abstentions.
    pub abstained: u64,
}

/// What one agent's games come to.
#[derive(Clone, Debug, Default)]
pub struct AgentTally {
    /// Wins by role, in the order of [`ROLES`].
    pub roles: [Rate; 4],
    /// Wins on the town's side.
    pub town: Rate,
    /// Wins on the mafia's side.
    pub mafia: Rate,
    /// Votes of the town's side, by day from 1.
    pub votes: BTreeMap<u16, VotesOfDay>,
    /// Decisions that were awaited.
    pub decisions: u64,
    /// Who it is: a bot, or a model with its settings.
    pub entrant: Option<Entrant>,
    /// Decisions a fallback was played for.
    pub fallbacks: u64,
    /// Requests to a model.
    pub requests: u64,
    /// Answers of a model that could not be taken.
    pub invalid: u64,
    /// Answers that the endpoint cut off at their limit.
    pub cut_off: u64,
    /// Decisions a model was asked for.
    pub asked: u64,
    /// Tokens read.
    pub read: u64,
    /// Those of them that were read before.
    pub cached: u64,
    /// Tokens written.
    pub written: u64,
    /// Those of them that were reasoning.
    pub reasoning: u64,
    /// Tokens that nobody counted, read or written.
    pub estimated: u64,
    /// Time models took, in milliseconds.
    pub latency_ms: u64,
    /// What it cost, in millionths of a dollar; none once a price is unknown.
    pub cost_micros: Option<u64>,
    /// Seats that fell back to the end.
    pub degraded_seats: u64,
}

/// What many games come to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By agent.
    pub agents: BTreeMap<String, AgentTally>,
    /// Wins of the town, whoever plays it.
    pub town: Rate,
    /// Games played.
    pub games: u64,
    /// Games some seat of which fell back to the end.
    pub degraded: u64,
    /// Games of which too little was played. They are in no rate of wins or
    /// votes.
    pub unplayed: u64,
    /// Games called off. Neither are they.
    pub called_off: u64,
    /// Every game, in the order of seeds and rotations.
    pub records: BTreeMap<(u64, usize), GameRecord>,
}

/// What one game came to.
#[derive(Clone, Debug, Serialize)]
pub struct GameRecord {
    /// Its log, beside the report.
    pub log: String,
    /// Who sat there, seat by seat.
    pub seats: Vec<String>,
    /// Who won; none if it was called off.
    pub winner: Option<Team>,
    /// The share of its decisions that were made, and not fallen back from.
    pub played: f64,
    /// Whether some seat fell back to the end.
    pub degraded: bool,
    /// Whether it is in the rates.
    pub counts: bool,
}

/// A game of which less was played is in no rate.
pub const LEAST_PLAYED: f64 = 0.5;

impl Tally {
    /// Counts a game played with this seed, everyone moved on by so many seats.
    pub fn count(
        &mut self,
        seed: u64,
        moved: usize,
        lineup: &Lineup,
        log: &Log<Mafia>,
        state: &State,
    ) {
        let names: Vec<&str> = lineup.entrants.iter().map(Entrant::agent).collect();
        self.games += 1;
        for entrant in &lineup.entrants {
            self.agents.entry(entrant.agent().to_owned()).or_insert_with(|| AgentTally {
                cost_micros: Some(0),
                entrant: Some(entrant.clone()),
                ..AgentTally::default()
            });
        }
        let work = vec![Work::default(); names.len()];
        let seats = names.iter().map(|name| (*name).to_owned()).collect();
        let mut game = Counted { tally: self, names, seed, work };
        game.work(log);
        for player in state.faults.degraded {
            game.of(player, |agent| agent.degraded_seats += 1);
        }
        let played = Work::played(&game.work);
        let degraded = !state.faults.degraded.is_empty();
        let winner = state.board.ended.as_deref().and_then(|ended| ended.winner);
        let counts = winner.is_some() && played >= LEAST_PLAYED;
        if let Some(winner) = winner.filter(|_| counts) {
            game.wins(state, winner);
            game.votes(log, state);
        }
        self.degraded += u64::from(degraded);
        self.called_off += u64::from(winner.is_none());
        self.unplayed += u64::from(winner.is_some() && !counts);
        let log = log_name(seed, moved);
        let record = GameRecord { log, seats, winner, played, degraded, counts };
        self.records.insert((seed, moved), record);
    }
}

/// The name of a game's log, beside the report.
pub fn log_name(seed: u64, moved: usize) -> String {
    format!("games/{seed:05}-{moved}.jsonl")
}

/// What one seat decided in a game.
#[derive(Clone, Copy, Default)]
struct Work {
    decisions: u64,
    fallbacks: u64,
}

impl Work {
    /// The share of decisions that were made and not fallen back from. Who was
    /// asked nothing failed in nothing.
    fn played(seats: &[Work]) -> f64 {
        let decisions: u64 = seats.iter().map(|seat| seat.decisions).sum();
        let fallbacks: u64 = seats.iter().map(|seat| seat.fallbacks).sum();
        if decisions == 0 { 1.0 } else { 1.0 - fallbacks as f64 / decisions as f64 }
    }
}

struct Counted<'a> {
    tally: &'a mut Tally,
    names: Vec<&'a str>,
    seed: u64,
    work: Vec<Work>,
}

impl Counted<'_> {
    /// What a result of this seat counts for: as much as its agent played
    /// itself in this game, in as much of a game as all played. A model that
    /// was asked nothing has shown nothing.
    fn weight(&self, player: PlayerId) -> f64 {
        let Some(name) = self.names.get(player.index()) else { return 0.0 };
        let of_agent = self.names.iter().zip(&self.work).filter(|(other, _)| *other == name);
        let own: Vec<Work> = of_agent.map(|(_, work)| *work).collect();
        let entrant = self.tally.agents.get(*name).and_then(|agent| agent.entrant.as_ref());
        let is_unknown = matches!(entrant, Some(Entrant::Model(..)))
            && own.iter().all(|work| work.decisions == 0);
        if is_unknown { 0.0 } else { Work::played(&own) * Work::played(&self.work) }
    }

    fn of(&mut self, player: PlayerId, note: impl FnOnce(&mut AgentTally)) {
        let name = self.names.get(player.index());
        if let Some(agent) = name.and_then(|name| self.tally.agents.get_mut(*name)) {
            note(agent);
        }
    }

    fn wins(&mut self, state: &State, winner: Team) {
        let seed = self.seed;
        self.tally.town.note(seed, winner == Team::Town, Work::played(&self.work));
        for player in PlayerId::all(self.names.len()) {
            let role = state.cast.role(player);
            let (won, weight) = (role.team() == winner, self.weight(player));
            self.of(player, |agent| {
                for (rate, _) in agent.roles.iter_mut().zip(ROLES).filter(|(_, it)| *it == role) {
                    rate.note(seed, won, weight);
                }
                match role.team() {
                    Team::Town => agent.town.note(seed, won, weight),
                    Team::Mafia => agent.mafia.note(seed, won, weight),
                }
            });
        }
    }

    /// Every closed ballot: how the town's side voted, against blind chance.
    fn votes(&mut self, log: &Log<Mafia>, state: &State) {
        let mafia = state.cast.mafia;
        let mut runoff = Players::NOBODY;
        for event in &log.events {
            let Event::VoteResult(result) = event else { continue };
            let candidates = if result.ballot > 1 { runoff } else { result.voters };
            runoff = result.runoff;
            for voter in result.voters.without(mafia) {
                self.vote(voter, result, candidates.but(voter), mafia);
            }
        }
    }

    fn vote(&mut self, voter: PlayerId, result: &VoteResult, among: Players, mafia: Players) {
        let (seed, weight) = (self.seed, self.weight(voter));
        if weight <= 0.0 {
            return;
        }
        let day = result.round_number.div_ceil(2);
        self.of(voter, |agent| {
            let votes = agent.votes.entry(day).or_default();
            match result.choices.of(voter) {
                Choice::On(target) => {
                    votes.hits.note(seed, mafia.contains(target), weight);
                    let chance = among.and(mafia).len() as f64 / among.len().max(1) as f64;
                    votes.chance += weight * chance;
                }
                Choice::Nobody | Choice::Open => votes.abstained += 1,
            }
        });
    }

    /// Decisions, failures and what they took.
    fn work(&mut self, log: &Log<Mafia>) {
        for step in &log.steps {
            if let Cause::Seat { seat, action } | Cause::Clock { seat, action } = &step.cause
                && is_decision(action)
                && let Some(player) = PlayerId::at(seat.index())
            {
                self.of(player, |agent| agent.decisions += 1);
                self.seat(player, |work| work.decisions += 1);
            }
        }
        for event in &log.events {
            match event {
                Event::AgentFault(fault) => self.fault(fault),
                Event::AgentUsage(used) => {
                    self.of(used.agent_id, |agent| agent.use_up(&used.usage));
                }
                _ => {}
            }
        }
    }

    fn fault(&mut self, fault: &AgentFault) {
        let is_fallback = fault.remedy == Remedy::Fallback;
        self.of(fault.agent_id, |agent| {
            agent.fallbacks += u64::from(is_fallback);
            agent.invalid += u64::from(fault.reason.starts_with(INVALID_ANSWER));
            agent.cut_off += u64::from(fault.reason.starts_with(CUT_OFF));
        });
        self.seat(fault.agent_id, |work| work.fallbacks += u64::from(is_fallback));
    }

    fn seat(&mut self, player: PlayerId, note: impl FnOnce(&mut Work)) {
        if let Some(work) = self.work.get_mut(player.index()) {
            note(work);
        }
    }
}

impl AgentTally {
    fn use_up(&mut self, usage: &Usage) {
        self.asked += 1;
        self.requests += u64::from(usage.requests);
        self.read += usage.prompt_tokens;
        self.cached += usage.cached_tokens;
        self.written += usage.completion_tokens;
        self.reasoning += usage.reasoning_tokens;
        if usage.estimated {
            self.estimated += usage.prompt_tokens + usage.completion_tokens;
        }
        self.latency_ms += usage.latency_ms;
        self.cost_micros = self.cost_micros.zip(usage.cost_micros).map(|(sum, cost)| sum + cost);
    }
}

fn is_decision(action: &Action) -> bool {
    match action {
        Action::Say { r#final, channel, .. } => *r#final && *channel == Channel::Public,
        Action::FallBack { .. } => true,
        other => !other.is_report(),
    }
}
