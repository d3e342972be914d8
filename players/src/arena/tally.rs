//! What games come to, agent by agent: a fold of their logs.

use std::collections::BTreeMap;

use parlor_kernel::{Cause, Log};
use parlor_mafia::{
    Action, AgentFault, Channel, Choice, Event, Mafia, PlayerId, Players, Remedy, Role, State,
    Team, Usage, VoteResult,
};

use crate::arena::rate::Rate;
use crate::lineup::Lineup;
use crate::llm::INVALID_ANSWER;

/// The roles in the order they are reported.
pub const ROLES: [Role; 4] = [Role::Mafia, Role::Doctor, Role::Sheriff, Role::Villager];

/// How a town agent voted on one day of many games.
#[derive(Clone, Debug, Default)]
pub struct VotesOfDay {
    /// Votes against someone: how many hit mafia.
    pub hits: Rate,
    /// What a blind vote would have hit, summed over the votes.
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
    /// Decisions a fallback was played for.
    pub fallbacks: u64,
    /// Requests to a model.
    pub requests: u64,
    /// Answers of a model that could not be taken.
    pub invalid: u64,
    /// Decisions a model was asked for.
    pub asked: u64,
    /// Tokens read.
    pub read: u64,
    /// Tokens written.
    pub written: u64,
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
    /// Games some seat of which fell back to the end. They are in no rate of
    /// wins or votes.
    pub degraded: u64,
    /// Games called off. Neither are they.
    pub called_off: u64,
}

impl Tally {
    /// Counts a game played with this seed.
    pub fn count(&mut self, seed: u64, lineup: &Lineup, log: &Log<Mafia>, state: &State) {
        let names: Vec<&str> = lineup.entrants.iter().map(crate::lineup::Entrant::agent).collect();
        self.games += 1;
        for name in &names {
            let fresh = AgentTally { cost_micros: Some(0), ..AgentTally::default() };
            self.agents.entry((*name).to_owned()).or_insert(fresh);
        }
        let mut game = Counted { tally: self, names, seed };
        game.work(log);
        for player in state.faults.degraded {
            game.of(player, |agent| agent.degraded_seats += 1);
        }
        let winner = state.board.ended.as_deref().and_then(|ended| ended.winner);
        match winner {
            _ if !state.faults.degraded.is_empty() => self.degraded += 1,
            None => self.called_off += 1,
            Some(winner) => {
                game.wins(state, winner);
                game.votes(log, state);
            }
        }
    }
}

struct Counted<'a> {
    tally: &'a mut Tally,
    names: Vec<&'a str>,
    seed: u64,
}

impl Counted<'_> {
    fn of(&mut self, player: PlayerId, note: impl FnOnce(&mut AgentTally)) {
        let name = self.names.get(player.index());
        if let Some(agent) = name.and_then(|name| self.tally.agents.get_mut(*name)) {
            note(agent);
        }
    }

    fn wins(&mut self, state: &State, winner: Team) {
        let seed = self.seed;
        self.tally.town.note(seed, winner == Team::Town);
        for player in PlayerId::all(self.names.len()) {
            let role = state.cast.role(player);
            let won = role.team() == winner;
            self.of(player, |agent| {
                for (rate, _) in agent.roles.iter_mut().zip(ROLES).filter(|(_, it)| *it == role) {
                    rate.note(seed, won);
                }
                match role.team() {
                    Team::Town => agent.town.note(seed, won),
                    Team::Mafia => agent.mafia.note(seed, won),
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
        let seed = self.seed;
        let day = result.round_number.div_ceil(2);
        self.of(voter, |agent| {
            let votes = agent.votes.entry(day).or_default();
            match result.choices.of(voter) {
                Choice::On(target) => {
                    votes.hits.note(seed, mafia.contains(target));
                    votes.chance += among.and(mafia).len() as f64 / among.len().max(1) as f64;
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
        self.of(fault.agent_id, |agent| {
            match fault.remedy {
                // Whoever fails and is asked again makes one more request.
                Remedy::Retry => agent.requests += 1,
                Remedy::Fallback => agent.fallbacks += 1,
            }
            agent.invalid += u64::from(fault.reason.starts_with(INVALID_ANSWER));
        });
    }
}

impl AgentTally {
    fn use_up(&mut self, usage: &Usage) {
        self.asked += 1;
        self.requests += 1;
        self.read += usage.prompt_tokens;
        self.written += usage.completion_tokens;
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
