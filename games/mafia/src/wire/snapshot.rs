//! The present as a whole: what a viewer knows, in one message.

use std::borrow::Cow;

use parlor_kernel::Game;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::names::{add_names, add_names_to_schema};
use super::records::{Vote, is_nobody, votes};
use crate::Mafia;
use crate::action::Action;
use crate::circle::{PlayerId, Players};
use crate::event::{Fate, NightAction, Phase, VoteResult};
use crate::role::{Role, Team};
use crate::rules::Rules;
use crate::state::Knowledge;
use crate::turn::{TurnId, TurnKind};
use crate::words::Words;

/// What a viewer knows.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Snapshot {
    game_id: String,
    view: String,
    rules: Option<Rules>,
    seed_commitment: Option<String>,
    phase: Phase,
    day_number: u16,
    round_number: u16,
    ballot: u8,
    paused: bool,
    you: Option<You>,
    players: Vec<PlayerRecord>,
    speaker_id: Option<PlayerId>,
    /// The votes of the ballot under way, as far as they are seen.
    votes: Vec<Vote>,
    /// Every ballot that was closed.
    results: Vec<VoteResult>,
    /// The nights on which someone was saved.
    saves: Vec<u16>,
    /// What is known to have been chosen tonight.
    tonight: Vec<Submission>,
    protections: Vec<ProtectionRecord>,
    investigations: Vec<InquiryRecord>,
    transcript: Vec<LineRecord>,
    #[serde(skip_serializing_if = "is_nobody")]
    degraded: Players,
    winner: Option<Team>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct You {
    player_id: PlayerId,
    role: Option<Role>,
    alive: bool,
    /// What the game waits for from this seat; nothing if it does not.
    asked: Option<&'static str>,
    /// The moves open to it, each as a command.
    legal_actions: Vec<Value>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlayerRecord {
    player_id: PlayerId,
    alive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<Team>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eliminated_by: Option<Fate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eliminated_in_round: Option<u16>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Submission {
    agent_id: PlayerId,
    action_type: Option<NightAction>,
    target_id: Option<PlayerId>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ProtectionRecord {
    night_number: u16,
    target_id: PlayerId,
    saved: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct InquiryRecord {
    night_number: u16,
    target_id: PlayerId,
    is_mafia: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LineRecord {
    agent_id: PlayerId,
    turn_id: TurnId,
    private: bool,
    text: Words,
}

impl Snapshot {
    pub(super) fn of(knowledge: &Knowledge) -> Snapshot {
        let (board, table) = (&knowledge.board, knowledge.table.as_deref());
        let everyone = table.map_or(Players::NOBODY, |table| table.rules.everyone());
        Snapshot {
            game_id: table.map(|table| table.game_id.clone()).unwrap_or_default(),
            view: knowledge.viewer.to_string(),
            rules: table.map(|table| table.rules.clone()),
            seed_commitment: table.map(|table| table.commitment.clone()),
            phase: board.phase,
            day_number: board.day,
            round_number: board.round(),
            ballot: board.ballot,
            paused: board.paused,
            you: knowledge.me().map(|me| You::of(knowledge, me)),
            players: everyone.iter().map(|player| PlayerRecord::of(knowledge, player)).collect(),
            speaker_id: board.speaker,
            votes: votes(board.voted, &board.votes),
            results: board.results.iter().map(|result| (**result).clone()).collect(),
            saves: board.saves.clone(),
            tonight: knowledge
                .night
                .acted
                .iter()
                .map(|player| Submission::of(knowledge, player))
                .collect(),
            protections: knowledge
                .protections
                .iter()
                .map(|protection| ProtectionRecord {
                    night_number: protection.night,
                    target_id: protection.target,
                    saved: protection.saved,
                })
                .collect(),
            investigations: knowledge
                .inquiries
                .iter()
                .map(|inquiry| InquiryRecord {
                    night_number: inquiry.night,
                    target_id: inquiry.found.target_id,
                    is_mafia: inquiry.found.is_mafia,
                })
                .collect(),
            transcript: knowledge
                .transcript
                .iter()
                .map(|line| LineRecord {
                    agent_id: line.turn.player,
                    turn_id: line.turn,
                    private: line.turn.kind == TurnKind::Think || line.turn.is_whispered(),
                    text: line.words.clone(),
                })
                .collect(),
            degraded: knowledge.degraded,
            winner: board.ended.as_deref().and_then(|ended| ended.winner),
        }
    }

    /// The schema, with names.
    pub(super) fn schema() -> Value {
        let mut schema = parlor_kernel::schema_of::<Snapshot>();
        add_names_to_schema(&mut schema);
        schema
    }
}

impl You {
    fn of(knowledge: &Knowledge, me: PlayerId) -> You {
        let mut options: Vec<Action> = Vec::new();
        Mafia::options(knowledge, &mut options);
        You {
            player_id: me,
            role: knowledge.role(),
            alive: knowledge.board.alive.contains(me),
            asked: knowledge.asked().map(|asked| asked.kind()),
            // An action is plain data: it can always be written.
            legal_actions: options
                .iter()
                .map(|option| serde_json::to_value(option).unwrap_or_default())
                .collect(),
        }
    }
}

impl PlayerRecord {
    fn of(knowledge: &Knowledge, player_id: PlayerId) -> PlayerRecord {
        let (hint, death) =
            (knowledge.hints[player_id.index()], knowledge.board.deaths[player_id.index()]);
        PlayerRecord {
            player_id,
            alive: knowledge.board.alive.contains(player_id),
            role: hint.role(),
            team: hint.team(),
            eliminated_by: death.map(|death| death.by),
            eliminated_in_round: death.map(|death| death.round),
        }
    }
}

impl Submission {
    fn of(knowledge: &Knowledge, agent_id: PlayerId) -> Submission {
        Submission {
            agent_id,
            action_type: match knowledge.hints[agent_id.index()].role() {
                Some(Role::Mafia) => Some(NightAction::Kill),
                Some(Role::Doctor) => Some(NightAction::Protect),
                Some(Role::Sheriff) => Some(NightAction::Investigate),
                Some(Role::Villager) | None => None,
            },
            target_id: knowledge.night.choices.of(agent_id).target(),
        }
    }
}

/// What is known is written as the snapshot tells it.
impl Serialize for Knowledge {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let snapshot = serde_json::to_value(Snapshot::of(self));
        let mut snapshot = snapshot.map_err(serde::ser::Error::custom)?;
        if let Some(table) = self.table.as_deref() {
            add_names(&mut snapshot, table);
        }
        snapshot.serialize(serializer)
    }
}

impl JsonSchema for Knowledge {
    fn schema_name() -> Cow<'static, str> {
        "Knowledge".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Snapshot::schema();
        // References look for definitions at the root of what is generated.
        if let Value::Object(fields) = &mut schema {
            fields.remove("$schema");
            if let Some(Value::Object(definitions)) = fields.remove("$defs") {
                generator.definitions_mut().extend(definitions);
            }
        }
        Schema::try_from(schema).unwrap_or_default()
    }
}
