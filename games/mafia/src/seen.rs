//! What one viewer sees of an event. These types have no room for what a
//! viewer may not know.

use std::sync::Arc;

use parlor_kernel::Setup;
use schemars::JsonSchema;
use serde::Serialize;

use crate::agents::{AgentAssigned, AgentFault, AgentUsage};
use crate::circle::{PlayerId, Players};
use crate::event::{
    Chunk, Fate, FloorBid, FloorGiven, GameEnded, NightAcknowledged, NightActionSubmitted,
    NightResolved, PhaseChanged, Standstill, VoteCast, VoteResult,
};
use crate::role::{Cast, Role, Team};
use crate::rules::Rules;

/// What a viewer sees of an event.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "eventType", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each is documented at its payload")]
pub enum Seen {
    GameCreated(CreatedSeen),
    PhaseChanged(PhaseChanged),
    NightActionSubmitted(NightActionSubmitted),
    NightResolved(NightResolved),
    AgentThinkStream(Chunk),
    AgentSayStream(Chunk),
    VoteCast(VoteCast),
    VoteResult(Arc<VoteResult>),
    PlayerEliminated(DeathSeen),
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

/// The beginning: the names for everyone, one's own role, the mafia's team,
/// and the seed for those who see all.
#[derive(Clone, Debug, PartialEq)]
pub struct CreatedSeen {
    /// Rules and names.
    pub table: Arc<Setup<Rules>>,
    /// Whose role is seen.
    pub known: Players,
    /// Who of them is who.
    pub cast: Cast,
    /// A number made of the seed, for those who see all.
    pub seed: Option<u64>,
}

/// Someone dies: the role only where it is flipped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeathSeen {
    /// Who.
    pub player_id: PlayerId,
    /// What they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// ＋ Which side they were on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<Team>,
    /// What they died of.
    pub eliminated_by: Fate,
    /// The round.
    pub round_number: u16,
    /// Whether everyone sees the role.
    pub flip_revealed_role: bool,
}

impl Seen {
    /// The name of the event, as `eventType` has it.
    pub const fn event_type(&self) -> &'static str {
        match self {
            Seen::GameCreated(_) => "GAME_CREATED",
            Seen::PhaseChanged(_) => "PHASE_CHANGED",
            Seen::NightActionSubmitted(_) => "NIGHT_ACTION_SUBMITTED",
            Seen::NightResolved(_) => "NIGHT_RESOLVED",
            Seen::AgentThinkStream(_) => "AGENT_THINK_STREAM",
            Seen::AgentSayStream(_) => "AGENT_SAY_STREAM",
            Seen::VoteCast(_) => "VOTE_CAST",
            Seen::VoteResult(_) => "VOTE_RESULT",
            Seen::PlayerEliminated(_) => "PLAYER_ELIMINATED",
            Seen::GameEnded(_) => "GAME_ENDED",
            Seen::NightAcknowledged(_) => "NIGHT_ACKNOWLEDGED",
            Seen::FloorBid(_) => "FLOOR_BID",
            Seen::FloorGiven(_) => "FLOOR_GIVEN",
            Seen::AgentAssigned(_) => "AGENT_ASSIGNED",
            Seen::AgentFault(_) => "AGENT_FAULT",
            Seen::AgentUsage(_) => "AGENT_USAGE",
            Seen::GamePaused(_) => "GAME_PAUSED",
            Seen::GameResumed(_) => "GAME_RESUMED",
        }
    }

    /// Whether it holds what is not for everyone.
    pub fn is_private(&self) -> bool {
        match self {
            Seen::GameCreated(created) => !created.known.is_empty(),
            Seen::NightResolved(night) => {
                night.protected_player_id.is_some() || night.investigation_result.is_some()
            }
            Seen::NightActionSubmitted(_)
            | Seen::NightAcknowledged(_)
            | Seen::AgentThinkStream(_)
            | Seen::FloorBid(_)
            | Seen::AgentAssigned(_)
            | Seen::AgentFault(_)
            | Seen::AgentUsage(_) => true,
            Seen::AgentSayStream(chunk) => chunk.turn_id.is_whispered(),
            Seen::VoteCast(vote) => vote.sealed,
            Seen::PlayerEliminated(death) => death.role.is_some() && !death.flip_revealed_role,
            Seen::PhaseChanged(_)
            | Seen::VoteResult(_)
            | Seen::GameEnded(_)
            | Seen::FloorGiven(_)
            | Seen::GamePaused(_)
            | Seen::GameResumed(_) => false,
        }
    }
}
