//! What session calls are asked and what they answer.

use std::sync::Arc;

use parlor_kernel::{Room, Seat};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::error::{NICKNAME_LIMIT, SessionError};
use crate::record::{Kind, Status};
use crate::table::{SeatInfo, TableInfo};

/// A session to be opened. Every field may have any type here, so that each
/// can be refused by its own code.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = SessionOrder)]
pub struct CreateSession {
    /// How many play.
    #[schema(value_type = u8)]
    pub player_count: Value,
    /// The name the host goes by, 1 to 20 characters.
    #[schema(value_type = String)]
    pub nickname: Value,
    /// How many points are played for.
    #[schema(value_type = Option<u32>)]
    pub target_score: Value,
    /// House rules: a preset's name, or an object `{"preset": NAME, option: value, …}`.
    #[schema(value_type = Option<Object>)]
    pub rules: Value,
}

/// Someone who wants to join.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Joining {
    /// The name they go by, 1 to 20 characters.
    #[schema(value_type = String)]
    pub nickname: Value,
}

/// Someone who comes back.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ComingBack {
    /// What they were given with their seat.
    #[schema(value_type = String)]
    pub secret_id: Value,
}

/// A bot to be seated.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = AiOrder)]
pub struct AddAi {
    /// `easy`, `medium` or `hard`; medium if it is not said.
    #[schema(value_type = Option<String>)]
    pub difficulty: Value,
}

/// How strong bots may be asked for.
const LEVELS: [&str; 3] = ["easy", "medium", "hard"];

impl AddAi {
    /// The strength asked for.
    pub fn level(&self) -> Result<&'static str, SessionError> {
        match &self.difficulty {
            Value::Null => Some("medium"),
            Value::String(asked) => LEVELS.into_iter().find(|level| level == asked),
            _ => None,
        }
        .ok_or(SessionError::InvalidDifficulty)
    }
}

/// A nickname, trimmed.
pub fn nickname(asked: &Value) -> Result<String, SessionError> {
    let asked = asked.as_str().unwrap_or_default();
    if asked.trim().chars().count() > NICKNAME_LIMIT {
        return Err(SessionError::NicknameTooLong);
    }
    parlor_house::proper_name(asked).ok_or(SessionError::NicknameRequired)
}

/// A session that has been opened.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionOpened {
    pub session_code: String,
    pub session_id: String,
    pub player_id: String,
    /// Proves the seat; shown once, kept hashed.
    pub secret_id: String,
    pub player_index: u8,
}

/// A seat in a session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Joined {
    pub session_id: String,
    pub player_id: String,
    /// Proves the seat; shown once, kept hashed.
    pub secret_id: String,
    pub player_index: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<u8>,
}

/// A seat somebody came back to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CameBack {
    pub player_id: String,
    pub player_index: u8,
    /// The sequence of the last event there is for this player.
    pub last_event_sequence: u64,
}

/// A bot that has been seated.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AiSeated {
    pub player_id: String,
    pub player_index: u8,
    pub nickname: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<u8>,
    pub ai_difficulty: &'static str,
}

/// One player of a session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerInfo {
    nickname: String,
    player_index: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<u8>,
    connected: bool,
    #[serde(rename = "isAI")]
    is_ai: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ai_difficulty: Option<String>,
    /// ＋ Whether a bot plays for the player, who is away.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stand_in: bool,
}

/// A session as anyone may know it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionInfo {
    session_id: String,
    session_code: String,
    player_count: usize,
    /// `waiting`, `active`, `finished` or `terminated`.
    status: &'static str,
    /// Null where the game ends after fixed rounds.
    #[schema(value_type = Option<u32>)]
    target_score: Value,
    players: Vec<PlayerInfo>,
    /// ＋ The house rules, in full.
    #[schema(value_type = Object)]
    rules: Arc<RawValue>,
    /// Milliseconds since 1970.
    created_at: u64,
}

impl SessionInfo {
    /// A table, in the contract's words.
    pub fn of(info: TableInfo, room: &Room) -> SessionInfo {
        let rules: Value = serde_json::from_str(info.rules.get()).unwrap_or_default();
        let seats = info.seats.len();
        let player = |seat: SeatInfo| {
            let is_ai = seat.kind == Kind::Bot;
            Some(PlayerInfo {
                nickname: seat.name?,
                player_index: seat.seat,
                team: (room.team)(seats, Seat(seat.seat)),
                connected: seat.connected,
                is_ai,
                ai_difficulty: seat.level.or(seat.bot).filter(|_| is_ai),
                stand_in: seat.stand_in,
            })
        };
        SessionInfo {
            session_id: info.table_id,
            session_code: info.code,
            player_count: seats,
            status: match info.status {
                Status::Playing => "active",
                other => other.name(),
            },
            target_score: rules.get(room.target).cloned().unwrap_or_default(),
            rules: info.rules,
            players: info.seats.into_iter().filter_map(player).collect(),
            created_at: info.created_at,
        }
    }
}
