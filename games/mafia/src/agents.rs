//! The agents who play, apart from the game: what they think, how they fail,
//! what they cost. Whoever keeps an agent reports it, and the log has it for
//! those who see all. Nothing here changes the game, but that a seat which
//! fails too often is not waited for any more.

use parlor_kernel::Viewer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::action::{Action, Channel, Refusal};
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::{Chunk, Event};
use crate::options::ANY_WORDS;
use crate::phases::House;
use crate::play::Turn;
use crate::seen::Seen;
use crate::state::{Knowledge, occasion};
use crate::turn::TurnKind;
use crate::words::Words;

/// The longest part of a thought, in characters.
pub const LONGEST_THOUGHT: usize = 4_000;

/// A seat that falls back so often in a row does so to the end.
pub const FALLS_TO_DEGRADE: u8 = 5;

/// Who plays a seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assignment {
    /// The kind of agent: `llm`.
    pub agent: String,
    /// The model behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The character it was asked to play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
}

/// Who plays a seat, as the log has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentAssigned {
    /// The seat.
    pub agent_id: PlayerId,
    /// Who plays it.
    #[serde(flatten)]
    pub assignment: Assignment,
}

/// What came of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Remedy {
    /// The agent is asked again.
    Retry,
    /// A fallback was played for it.
    Fallback,
}

/// A seat did not do what it had to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentFault {
    /// Whose.
    pub agent_id: PlayerId,
    /// What went wrong.
    pub reason: Words,
    /// What came of it.
    pub remedy: Remedy,
    /// How many times in a row the seat has fallen back.
    pub in_a_row: u8,
    /// Whether the seat plays fallbacks to the end.
    pub degraded: bool,
}

/// What a decision of an agent took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens read.
    #[serde(default)]
    pub prompt_tokens: u64,
    /// Tokens written.
    #[serde(default)]
    pub completion_tokens: u64,
    /// How long it took.
    #[serde(default)]
    pub latency_ms: u64,
    /// What it cost, in millionths of a dollar; none if the price is unknown.
    #[serde(default)]
    pub cost_micros: Option<u64>,
    /// How many requests it took; none in logs from before they were counted.
    #[serde(default, skip_serializing_if = "is_none")]
    pub requests: u32,
    /// Those of the tokens read that had been read before.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cached_tokens: u64,
    /// Those of the tokens written that were reasoning.
    #[serde(default, skip_serializing_if = "is_none")]
    pub reasoning_tokens: u64,
    /// Whether some of these tokens are an estimate: the endpoint did not
    /// count them.
    #[serde(default, skip_serializing_if = "is_none")]
    pub estimated: bool,
}

fn is_none<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What a decision of an agent took, as the log has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentUsage {
    /// Whose.
    pub agent_id: PlayerId,
    /// What it took.
    #[serde(flatten)]
    pub usage: Usage,
}

/// How seats have failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// How often in a row each has fallen back.
    pub in_a_row: [u8; MAX_PLAYERS],
    /// Whose fallback is being played just now.
    pub falling: Players,
    /// Who plays fallbacks to the end.
    pub degraded: Players,
}

impl Faults {
    /// A seat did not do what it had to.
    pub(crate) fn note(&mut self, fault: &AgentFault) {
        if fault.remedy == Remedy::Fallback {
            self.in_a_row[fault.agent_id.index()] = fault.in_a_row;
            self.falling.insert(fault.agent_id);
        }
        if fault.degraded {
            self.degraded.insert(fault.agent_id);
        }
    }

    /// A move of one's own ends a row of failures; a fallback does not.
    #[inline]
    pub(crate) fn moved(&mut self, player: PlayerId) {
        if self.falling.contains(player) {
            self.falling.remove(player);
        } else {
            self.in_a_row[player.index()] = 0;
        }
    }
}

impl Action {
    /// Whether it is no move of a player, but reported about an agent.
    pub const fn is_report(&self) -> bool {
        matches!(
            self,
            Action::Think { .. }
                | Action::FallBack { .. }
                | Action::Fault { .. }
                | Action::Usage(_)
                | Action::Assign(_)
        )
    }
}

/// What needs no turn, nor a living agent.
pub(crate) fn report(faults: &Faults, player: PlayerId, action: &Action) -> Option<Event> {
    Some(match action {
        Action::Fault { reason } => Event::AgentFault(AgentFault {
            agent_id: player,
            reason: reason.clone(),
            remedy: Remedy::Retry,
            in_a_row: faults.in_a_row[player.index()],
            degraded: faults.degraded.contains(player),
        }),
        Action::Usage(usage) => {
            let usage = AgentUsage { agent_id: player, usage: usage.as_ref().clone() };
            Event::AgentUsage(usage.into())
        }
        Action::Assign(assignment) => {
            let assignment = assignment.as_ref().clone();
            Event::AgentAssigned(AgentAssigned { agent_id: player, assignment }.into())
        }
        _ => return None,
    })
}

/// What an agent thinks, and how it fails, in its turn.
pub(crate) fn decide(turn: &Turn, action: &Action, out: &mut Vec<Event>) -> Result<(), Refusal> {
    match action {
        Action::Think { text, r#final } => think(turn, text, *r#final, out),
        Action::FallBack { reason } => fall_back(turn, reason, out),
        _ => Ok(()),
    }
}

fn think(turn: &Turn, text: &Words, ends: bool, out: &mut Vec<Event>) -> Result<(), Refusal> {
    let (occasion, pass) = occasion(&turn.state().board, turn.player, turn.role(), turn.rules())
        .ok_or(Refusal::WrongPhase("there is nothing to decide"))?;
    if text.is_empty() && !ends {
        return Err(Refusal::EmptyChunk);
    }
    if text.chars_count() > LONGEST_THOUGHT {
        return Err(Refusal::TooLong);
    }
    out.push(Event::AgentThinkStream(Chunk {
        agent_id: turn.player,
        chunk: text.clone(),
        turn_id: turn.id(TurnKind::Think, occasion, pass),
        r#final: ends,
        channel: Channel::Public,
    }));
    Ok(())
}

/// The failure is noted, and the seat does what is done for those who do
/// nothing.
fn fall_back(turn: &Turn, reason: &Words, out: &mut Vec<Event>) -> Result<(), Refusal> {
    let (player, state) = (turn.player, turn.state());
    if !state.awaited().contains(player) {
        return Err(Refusal::WrongPhase("nobody waits for you"));
    }
    let in_a_row = state.faults.in_a_row[player.index()].saturating_add(1);
    let degraded = in_a_row >= FALLS_TO_DEGRADE || state.faults.degraded.contains(player);
    out.push(Event::AgentFault(AgentFault {
        agent_id: player,
        reason: reason.clone(),
        remedy: Remedy::Fallback,
        in_a_row,
        degraded,
    }));
    let house = House { degraded: turn.house.degraded || degraded, ..turn.house };
    Turn { house, player }.stand_by(out)
}

/// Thoughts are one's own; the rest is for those who see all.
pub(crate) fn see(event: &Event, viewer: Viewer) -> Option<Seen> {
    let all = viewer.sees_all();
    match event {
        Event::AgentThinkStream(chunk) => {
            viewer.shares(chunk.agent_id.seat()).then(|| Seen::AgentThinkStream(chunk.clone()))
        }
        Event::AgentAssigned(assigned) => all.then(|| Seen::AgentAssigned(assigned.clone())),
        Event::AgentFault(fault) => all.then(|| Seen::AgentFault(fault.clone())),
        Event::AgentUsage(usage) => all.then(|| Seen::AgentUsage(usage.clone())),
        _ => None,
    }
}

/// What may be reported at any time about an agent in the game.
pub(crate) fn reports(out: &mut Vec<Action>) {
    out.push(Action::Fault { reason: Words::from(ANY_WORDS) });
    out.push(Action::Usage(Box::default()));
    out.push(Action::Assign(Box::default()));
}

/// What may be reported about an agent that has something to decide.
pub(crate) fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
    if knowledge.may_think() {
        out.push(Action::Think { text: Words::from(ANY_WORDS), r#final: false });
        out.push(Action::Think { text: Words::SILENCE, r#final: true });
    }
    if knowledge.asked().is_some() {
        out.push(Action::FallBack { reason: Words::from(ANY_WORDS) });
    }
}

/// A report in the form [`reports`] and [`asides`] have it.
pub(crate) fn plain(action: &Action) -> Action {
    let any = || Words::from(ANY_WORDS);
    match action {
        Action::Think { text, r#final } => match (text.chars_count(), *r#final) {
            (0, false) => action.clone(),
            (count, _) if count > LONGEST_THOUGHT => action.clone(),
            (_, true) => Action::Think { text: Words::SILENCE, r#final: true },
            (_, false) => Action::Think { text: any(), r#final: false },
        },
        Action::FallBack { .. } => Action::FallBack { reason: any() },
        Action::Fault { .. } => Action::Fault { reason: any() },
        Action::Usage(_) => Action::Usage(Box::default()),
        Action::Assign(_) => Action::Assign(Box::default()),
        other => other.clone(),
    }
}

/// What is reported, as a line of the play.
pub(crate) fn narrate(seen: &Seen, name: impl Fn(PlayerId) -> String) -> Option<String> {
    Some(match seen {
        Seen::AgentAssigned(assigned) => {
            let (agent, model) = (&assigned.assignment.agent, &assigned.assignment.model);
            let model = model.as_deref().map(|model| format!(" ({model})")).unwrap_or_default();
            format!("    [{} is played by {agent}{model}.]", name(assigned.agent_id))
        }
        Seen::AgentFault(fault) => {
            let then = match fault.remedy {
                Remedy::Retry => "is asked again",
                Remedy::Fallback => "falls back",
            };
            format!("    [{} fails ({}) and {then}.]", name(fault.agent_id), fault.reason)
        }
        Seen::AgentUsage(used) => {
            let usage = &used.usage;
            format!(
                "    [{}: {} tokens read, {} written, {} ms.]",
                name(used.agent_id),
                usage.prompt_tokens,
                usage.completion_tokens,
                usage.latency_ms
            )
        }
        _ => return None,
    })
}
