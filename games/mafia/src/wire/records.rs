//! The contract's payloads that say more than the event behind them holds:
//! what follows from it is written out, and not read back.

use std::borrow::Cow;
use std::collections::BTreeMap;

use parlor_kernel::{Opening, SeedOpening};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ballot::{Choice, Choices, majority_of};
use crate::circle::{PlayerId, Players};
use crate::event::{GameCreated, GameEnded, VoteResult};
use crate::role::{Cast, Role, Team};
use crate::rules::Rules;
use crate::seen::CreatedSeen;
use crate::words::Words;

/// An event or what is seen of it is written as its record, and read back from it.
macro_rules! recorded {
    (written $kind:ty as $record:ty) => {
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$record>::from(self.clone()).serialize(serializer)
            }
        }
    };
    (read $kind:ty as $record:ty) => {
        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$record>::deserialize(deserializer).map(Into::into)
            }
        }
    };
    (described $kind:ident as $record:ty: $meaning:literal) => {
        impl JsonSchema for $kind {
            fn schema_name() -> Cow<'static, str> {
                stringify!($kind).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let mut schema = <$record>::json_schema(generator);
                schema.insert("description".to_owned(), $meaning.into());
                schema
            }
        }
    };
}

recorded!(written GameCreated as CreatedRecord);
recorded!(read GameCreated as CreatedRecord);
recorded!(written CreatedSeen as CreatedSeenRecord);
recorded!(
    described CreatedSeen as CreatedSeenRecord: "The beginning: the names for everyone, one's own \
    role, the mafia's team, and the seed for those who see all."
);
recorded!(written VoteResult as ResultRecord);
recorded!(read VoteResult as ResultRecord);
recorded!(described VoteResult as ResultRecord: "A ballot is closed.");
recorded!(written GameEnded as EndedRecord);
recorded!(read GameEnded as EndedRecord);
recorded!(described GameEnded as EndedRecord: "The game is over.");

/// How many of each role there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Config")]
pub struct RoleCounts {
    players: u8,
    mafia: u8,
    doctor: u8,
    sheriff: u8,
    villagers: u8,
}

impl RoleCounts {
    fn of(rules: &Rules) -> RoleCounts {
        RoleCounts {
            players: rules.players,
            mafia: rules.mafia,
            doctor: rules.doctor,
            sheriff: rules.sheriff,
            villagers: rules.villagers(),
        }
    }
}

/// A player and what it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Part")]
pub struct PlayerRole {
    player_id: PlayerId,
    role: Role,
}

fn parts(cast: &Cast, players: impl IntoIterator<Item = PlayerId>) -> Vec<PlayerRole> {
    let part = |player_id| PlayerRole { player_id, role: cast.role(player_id) };
    players.into_iter().map(part).collect()
}

fn cast_of(parts: &[PlayerRole]) -> Cast {
    let mut cast = Cast::default();
    for part in parts {
        cast.set(part.player_id, part.role);
    }
    cast
}

/// GAME_CREATED as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedRecord {
    game_id: String,
    seed: u64,
    config: RoleCounts,
    initial_roles: Vec<PlayerRole>,
    opening: Opening<Rules>,
}

impl From<GameCreated> for CreatedRecord {
    fn from(created: GameCreated) -> Self {
        let seed = created.seed_number();
        let GameCreated { opening, cast } = created;
        CreatedRecord {
            game_id: opening.game_id.clone(),
            seed,
            config: RoleCounts::of(&opening.rules),
            initial_roles: parts(&cast, PlayerId::all(opening.rules.circle())),
            opening,
        }
    }
}

impl From<CreatedRecord> for GameCreated {
    fn from(record: CreatedRecord) -> Self {
        GameCreated { cast: cast_of(&record.initial_roles), opening: record.opening }
    }
}

/// A player, and its role where the viewer may know it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartSeen {
    player_id: PlayerId,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
}

/// GAME_CREATED as a viewer sees it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedSeenRecord {
    game_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    config: RoleCounts,
    initial_roles: Vec<PartSeen>,
    rules: Rules,
    seed_commitment: String,
}

impl From<CreatedSeen> for CreatedSeenRecord {
    fn from(seen: CreatedSeen) -> Self {
        let CreatedSeen { table, known, cast, seed } = seen;
        let part = |player_id| PartSeen {
            player_id,
            role: known.contains(player_id).then(|| cast.role(player_id)),
        };
        CreatedSeenRecord {
            game_id: table.game_id.clone(),
            seed,
            config: RoleCounts::of(&table.rules),
            initial_roles: table.rules.everyone().iter().map(part).collect(),
            rules: table.rules.clone(),
            seed_commitment: table.commitment.clone(),
        }
    }
}

/// One vote of a ballot.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Vote {
    /// Who.
    pub voter_id: PlayerId,
    /// Against whom; none abstains.
    pub target_id: Option<PlayerId>,
}

/// The votes of these players, in seat order.
pub fn votes(voters: Players, choices: &Choices) -> Vec<Vote> {
    let vote = |voter_id| Vote { voter_id, target_id: choices.of(voter_id).target() };
    voters.iter().map(vote).collect()
}

/// VOTE_RESULT.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultRecord {
    round_number: u16,
    eliminated_player_id: Option<PlayerId>,
    votes: Vec<Vote>,
    vote_distribution: BTreeMap<PlayerId, u8>,
    majority_reached: bool,
    tie: bool,
    ballot: u8,
    votes_needed_for_majority: u8,
    #[serde(default, skip_serializing_if = "is_nobody")]
    runoff: Players,
}

pub(super) fn is_nobody(players: &Players) -> bool {
    players.is_empty()
}

impl From<VoteResult> for ResultRecord {
    fn from(result: VoteResult) -> Self {
        ResultRecord {
            round_number: result.round_number,
            eliminated_player_id: result.eliminated,
            votes: votes(result.voters, &result.choices),
            vote_distribution: result.choices.distribution(result.voters),
            majority_reached: result.majority_reached,
            tie: result.tie,
            ballot: result.ballot,
            votes_needed_for_majority: majority_of(result.voters) as u8,
            runoff: result.runoff,
        }
    }
}

impl From<ResultRecord> for VoteResult {
    fn from(record: ResultRecord) -> Self {
        let mut choices = Choices::default();
        for vote in &record.votes {
            choices.set(vote.voter_id, Choice::of(vote.target_id));
        }
        VoteResult {
            round_number: record.round_number,
            ballot: record.ballot,
            voters: record.votes.iter().map(|vote| vote.voter_id).collect(),
            choices,
            eliminated: record.eliminated_player_id,
            majority_reached: record.majority_reached,
            tie: record.tie,
            runoff: record.runoff,
        }
    }
}

/// How the game stood at its end.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinalGameState {
    day_number: u16,
    round_number: u16,
    alive_players: Players,
    dead_players: Players,
}

/// GAME_ENDED.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndedRecord {
    winner: Option<Team>,
    winning_players: Vec<PlayerRole>,
    final_game_state: FinalGameState,
    roles: Vec<PlayerRole>,
    degraded: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    called_off: Option<Words>,
    seed_opening: SeedOpening,
}

impl From<GameEnded> for EndedRecord {
    fn from(ended: GameEnded) -> Self {
        let everyone = Players::first(ended.players.into());
        let winners =
            everyone.iter().filter(|player| Some(ended.cast.role(*player).team()) == ended.winner);
        EndedRecord {
            winner: ended.winner,
            winning_players: parts(&ended.cast, winners),
            final_game_state: FinalGameState {
                day_number: ended.day_number,
                round_number: ended.round_number,
                alive_players: ended.alive,
                dead_players: everyone.without(ended.alive),
            },
            roles: parts(&ended.cast, everyone),
            degraded: ended.degraded,
            called_off: ended.reason,
            seed_opening: ended.opening,
        }
    }
}

impl From<EndedRecord> for GameEnded {
    fn from(record: EndedRecord) -> Self {
        GameEnded {
            winner: record.winner,
            reason: record.called_off,
            players: record.roles.len() as u8,
            cast: cast_of(&record.roles),
            alive: record.final_game_state.alive_players,
            day_number: record.final_game_state.day_number,
            round_number: record.final_game_state.round_number,
            degraded: record.degraded,
            opening: record.seed_opening,
        }
    }
}
