//! What the calls of the lobby are asked and what they answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::http::request::whole_or_null;
use crate::record::{Kind, Status};
use crate::table::{SeatInfo, TableInfo};

/// A seat of a table to be laid.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "struct SeatOrder")]
#[schema(as = SeatOrder)]
pub struct CreateSeat {
    /// Who sits there; open seats and bots may go without, and whoever creates
    /// the table is called Guest then.
    #[serde(default)]
    pub(super) name: Option<String>,
    /// A person or a bot.
    pub(super) kind: Kind,
    /// Which bot; the strongest if it is not said.
    #[serde(default)]
    pub(super) bot: Option<String>,
}

/// A table to be laid.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "struct TableOrder")]
#[schema(as = TableOrder)]
pub struct CreateTable {
    /// What is to be played.
    pub(super) game: String,
    /// A preset's name, or an object `{"preset": NAME, option: value, …}`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub(super) rules: Value,
    /// The seats. Whoever lays the table gets the first one for a person.
    pub(super) seats: Vec<CreateSeat>,
    /// A seed to play from, where the server allows it.
    #[serde(default)]
    pub(super) seed: Option<String>,
    /// Leaves the table out of the lobby's list.
    #[serde(default)]
    pub(super) unlisted: bool,
    /// How long its bots wait before they act, in milliseconds; the server's
    /// pace if it is not said.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub(super) bot_ms: Option<u64>,
}

/// A table that has been laid.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableLaid {
    pub(super) table_id: String,
    pub(super) code: String,
    pub(super) game: &'static str,
    pub(super) seats: Vec<SeatInfo>,
    /// The token of whoever laid it; shown once, kept hashed. Null where no
    /// seat is for a person.
    pub(super) token: Option<String>,
    /// Their seat.
    pub(super) seat: Option<u8>,
    /// Their id on the wires.
    pub(super) player_id: Option<String>,
}

/// Someone who wants to sit down.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "struct Guest")]
#[schema(as = Guest)]
pub struct JoinTable {
    /// The name they go by.
    pub(super) name: String,
}

/// Someone who wants to play now.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "struct QuickGuest")]
#[schema(as = QuickGuest)]
pub struct QuickJoin {
    /// What they want to play.
    pub(super) game: String,
    /// The name they go by.
    pub(super) name: String,
    /// The house rules they want.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub(super) rules: Value,
}

/// A bot for an open seat.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "struct BotOrder")]
#[schema(as = BotOrder)]
pub struct AddBot {
    /// Which bot; the strongest if it is not said.
    #[serde(default)]
    pub(super) bot: Option<String>,
}

/// Which tables to list.
#[derive(Debug, Deserialize, IntoParams)]
pub struct TableFilter {
    /// `waiting`, `playing`, `finished` or `terminated`; all if it is not said.
    pub(super) status: Option<String>,
    /// At most how many, newest first.
    pub(super) limit: Option<u32>,
}

/// The lobby's list.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableList {
    /// Newest first.
    pub tables: Vec<TableInfo>,
}

/// A seat taken, or a bot seated.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatTaken {
    pub(super) seat: u8,
    pub(super) player_id: String,
}

/// A game begun or ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct Started {
    pub status: Status,
}
