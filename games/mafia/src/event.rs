//! What happens. Payloads have the fields of the contract
//! (`docs/contracts/mafia-events.md`) but names and times, which follow from what
//! is there already: they are written beside the rest.

use std::sync::Arc;

use parlor_kernel::{Opening, SeedOpening};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::action::Channel;
use crate::agents::{AgentAssigned, AgentFault, AgentUsage};
use crate::ballot::Choices;
use crate::circle::{PlayerId, Players};
use crate::role::{Cast, Role, Team};
use crate::rules::{Flip, Rules};
use crate::turn::TurnId;
use crate::words::Words;

/// What happened, in full. The ten of the contract come first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "eventType", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each is documented at its payload")]
pub enum Event {
    GameCreated(Arc<GameCreated>),
    PhaseChanged(PhaseChanged),
    NightActionSubmitted(NightActionSubmitted),
    NightResolved(NightResolved),
    AgentThinkStream(Chunk),
    AgentSayStream(Chunk),
    VoteCast(VoteCast),
    VoteResult(Arc<VoteResult>),
    PlayerEliminated(PlayerEliminated),
    GameEnded(Arc<GameEnded>),
    NightAcknowledged(NightAcknowledged),
    FloorBid(FloorBid),
    FloorGiven(FloorGiven),
    AgentAssigned(Arc<AgentAssigned>),
    AgentFault(AgentFault),
    AgentUsage(Arc<AgentUsage>),
    GamePaused(Standstill),
    GameResumed(Standstill),
}

impl Event {
    /// Whether some viewer may not see all of it.
    pub fn is_private(&self) -> bool {
        match self {
            Event::NightResolved(night) => {
                night.protected_player_id.is_some() || night.investigation_result.is_some()
            }
            Event::AgentSayStream(chunk) => chunk.turn_id.is_whispered(),
            Event::VoteCast(vote) => vote.sealed,
            Event::PlayerEliminated(death) => !death.flip_revealed_role,
            Event::GameCreated(_)
            | Event::NightActionSubmitted(_)
            | Event::NightAcknowledged(_)
            | Event::AgentThinkStream(_)
            | Event::FloorBid(_)
            | Event::AgentAssigned(_)
            | Event::AgentFault(_)
            | Event::AgentUsage(_) => true,
            Event::PhaseChanged(_)
            | Event::VoteResult(_)
            | Event::GameEnded(_)
            | Event::FloorGiven(_)
            | Event::GamePaused(_)
            | Event::GameResumed(_) => false,
        }
    }
}

/// The roles are drawn and the game begins.
#[derive(Clone, Debug, PartialEq)]
pub struct GameCreated {
    /// Rules, seats and the sealed seed.
    pub opening: Opening<Rules>,
    /// Who is who.
    pub cast: Cast,
}

impl GameCreated {
    /// The contract's seed is a number; ours is larger than any. Its first 48
    /// bits tell games apart; the whole seed is in the seal.
    pub fn seed_number(&self) -> u64 {
        let seed = self.opening.seal.open().seed;
        seed.bytes()[..6].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }
}

/// The phases of the contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "Stage")]
pub enum Phase {
    /// Before the first night.
    #[default]
    Setup,
    /// Mafia, doctor and sheriff act.
    NightActions,
    /// What the night brought.
    MorningReveal,
    /// Everyone speaks.
    DayDiscussion,
    /// Everyone votes.
    DayVoting,
    /// What the vote brought.
    Resolution,
    /// The game is over.
    End,
}

/// A phase begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PhaseChanged {
    /// The phase that ends.
    pub from: Phase,
    /// The phase that begins.
    pub to: Phase,
    /// Nights completed.
    pub day_number: u16,
    /// 2·day by night, 2·day − 1 by day.
    pub round_number: u16,
}

/// What is done at night.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NightAction {
    /// By the mafia.
    Kill,
    /// By the doctor.
    Protect,
    /// By the sheriff.
    Investigate,
}

/// Someone acts at night, or acts again: the last one counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NightActionSubmitted {
    /// Who.
    pub agent_id: PlayerId,
    /// What.
    pub action_type: NightAction,
    /// Whom; none: a kill of nobody, or silence.
    pub target_id: Option<PlayerId>,
    /// ＋ Whether a mafioso stayed silent and so has no say tonight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub silent: bool,
}

/// What the sheriff learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Investigation {
    /// Who asked.
    pub sheriff_id: PlayerId,
    /// After whom.
    pub target_id: PlayerId,
    /// What was found.
    pub is_mafia: bool,
}

/// What the night brought.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NightResolved {
    /// The night, from 1.
    pub night_number: u16,
    /// Who died.
    pub killed_player_id: Option<PlayerId>,
    /// Whom the doctor protected, attacked or not.
    pub protected_player_id: Option<PlayerId>,
    /// Whether that was the one to be killed.
    pub protection_prevents_kill: bool,
    /// What the sheriff learned.
    pub investigation_result: Option<Investigation>,
}

/// A part of what someone says or thinks. The whole is the parts put together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chunk {
    /// Who.
    pub agent_id: PlayerId,
    /// The words.
    pub chunk: Words,
    /// The turn it is part of.
    pub turn_id: TurnId,
    /// ＋ Whether it is the last part.
    pub r#final: bool,
    /// ＋ Who hears it.
    pub channel: Channel,
}

/// Someone votes, or votes anew: the last one counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VoteCast {
    /// 2·day − 1.
    pub round_number: u16,
    /// Who.
    pub voter_id: PlayerId,
    /// Against whom; none abstains.
    pub target_id: Option<PlayerId>,
    /// ＋ Which ballot of the day, from 1.
    pub ballot: u8,
    /// ＋ Whether it stays hidden until the ballot is closed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
}

/// A ballot is closed.
#[derive(Clone, Debug, PartialEq)]
pub struct VoteResult {
    /// 2·day − 1.
    pub round_number: u16,
    /// Which ballot of the day, from 1.
    pub ballot: u8,
    /// Who could vote.
    pub voters: Players,
    /// How they voted.
    pub choices: Choices,
    /// Who goes.
    pub eliminated: Option<PlayerId>,
    /// Whether the most votes were more than half of the living.
    pub majority_reached: bool,
    /// Whether several held the most votes.
    pub tie: bool,
    /// Who stands in a second ballot.
    pub runoff: Players,
}

/// What someone died of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// The town's vote.
    Vote,
    /// The mafia.
    NightKill,
}

/// Someone dies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerEliminated {
    /// Who.
    pub player_id: PlayerId,
    /// What they were.
    pub role: Role,
    /// What they died of.
    pub eliminated_by: Fate,
    /// The round.
    pub round_number: u16,
    /// Whether everyone sees the role.
    pub flip_revealed_role: bool,
    /// ＋ What everyone sees.
    pub flip: Flip,
}

/// The game is over.
#[derive(Clone, Debug, PartialEq)]
pub struct GameEnded {
    /// Who won; nobody if it was called off.
    pub winner: Option<Team>,
    /// Why it was called off.
    pub reason: Option<Words>,
    /// How many played.
    pub players: u8,
    /// Who was who.
    pub cast: Cast,
    /// Who is alive.
    pub alive: Players,
    /// Nights completed.
    pub day_number: u16,
    /// The last round.
    pub round_number: u16,
    /// Whether some seat played nothing but fallbacks.
    pub degraded: bool,
    /// Opens the seal on the seed.
    pub opening: SeedOpening,
}

/// A villager has taken note of the night.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NightAcknowledged {
    /// Who.
    pub agent_id: PlayerId,
    /// The night, from 1.
    pub night_number: u16,
}

/// Someone bids for the floor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FloorBid {
    /// Who.
    pub agent_id: PlayerId,
    /// How much.
    pub amount: u8,
    /// For which turn of the day, from 1.
    pub turn: u8,
}

/// The highest bidder has the floor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FloorGiven {
    /// Who.
    pub agent_id: PlayerId,
    /// What it took.
    pub amount: u8,
    /// Which turn of the day, from 1.
    pub turn: u8,
}

/// The game stops or goes on, in the midst of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Standstill {
    /// The phase.
    pub phase: Phase,
}
