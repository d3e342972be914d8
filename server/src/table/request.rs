//! What can be asked of a table.

use std::sync::Arc;

use parlor_house::Act;
use parlor_kernel::{ClientMessage, MessageError, Seat, Viewer};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use utoipa::ToSchema;

use super::control::{Control, ControlState};
use super::moderation::Moderation;
use super::subscribers::{First, Subscribed};
use crate::api_error::ApiError;
use crate::limits::Address;
use crate::record::{Kind, NextTable, Status};
use crate::secrets::TokenHash;

/// Where an answer goes.
pub type Reply<T> = oneshot::Sender<Result<T, ApiError>>;

/// Where the answer to a command goes.
pub enum AnswerTo {
    /// To whoever waits for it.
    Caller(Reply<Done>),
    /// To this subscriber's stream, unless the stream carries it anyway.
    Stream(u64),
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub enum Credential {
    /// Someone without a token: the public.
    Nobody,
    /// The holder of a token.
    Token(TokenHash),
    /// Someone already known: by ticket, or the admin.
    Known(Viewer),
}

/// Something asked of a table.
pub enum Request {
    /// The table as anyone may know it.
    Info { reply: Reply<TableInfo> },
    /// Whose credential this is.
    Identify { who: Credential, reply: Reply<Viewer> },
    /// Someone who wants to play now sits down, where all who wait are there;
    /// the game begins when the table is full.
    Meet { name: String, token: TokenHash, reply: Reply<Seat> },
    /// Someone sits down in the first open seat.
    Sit { name: String, token: TokenHash, reply: Reply<Seat> },
    /// A bot takes the first open seat, at a player's wish.
    SeatBot { who: Credential, bot: String, level: Option<&'static str>, reply: Reply<Seat> },
    /// A bot gives up its seat, at a player's wish.
    UnseatBot { who: Credential, seat: Seat, reply: Reply<()> },
    /// The game begins; `who` is none when the server begins it.
    Start { who: Option<Credential>, reply: Reply<()> },
    /// A player's command.
    Command {
        who: Credential,
        dialect: &'static str,
        command: Result<ClientMessage<Act>, MessageError>,
        key: Option<String>,
        /// Whether its sender is known to be within limits, and who they claim
        /// to be.
        is_checked: bool,
        answer: AnswerTo,
    },
    /// A stream is opened, from a position on or with a snapshot.
    Subscribe {
        who: Credential,
        from: Address,
        dialect: &'static str,
        after: Option<u64>,
        /// Whether the stream carries the house's remarks too.
        remarks: bool,
        reply: Reply<Subscribed>,
    },
    /// What a subscriber has missed.
    Missed { who: Credential, dialect: &'static str, after: u64, reply: Reply<First> },
    /// A stream has ended.
    Unsubscribe { id: u64 },
    /// What the viewer knows now, and the position it reflects.
    Snapshot { who: Credential, dialect: &'static str, reply: Reply<(u64, String)> },
    /// The log as a viewer may read it, or as it was told in a dialect.
    Log {
        who: Credential,
        from: Address,
        view: Option<Viewer>,
        dialect: Option<String>,
        reply: Reply<Vec<String>>,
    },
    /// The admin or the host pauses, resumes, steps or paces the game.
    Control { who: Credential, control: Control, reply: Reply<ControlState> },
    /// The admin or the host ends the game, or a table that still waits.
    End { who: Credential, reason: Option<String>, reply: Reply<()> },
    /// The server ends the game, or a table that still waits.
    CallOff { reason: String, reply: Reply<()> },
    /// The server ends the game unless something has happened since then.
    EndIfInactive { since: u64, reply: Reply<()> },
    /// The table is in memory because it is due, and not because somebody
    /// uses it; answered once its game is taken up.
    Wake { place: OwnedSemaphorePermit, reply: Reply<()> },
    /// The server ends a table that still waits.
    CallOffWaiting { reason: String, reply: Reply<()> },
    /// The server ends a waiting table that nobody came back to.
    Lapse { reply: Reply<()> },
    /// The code of a table that is over was drawn again.
    GiveUpCode { reply: Reply<()> },
    /// The admin removes a person, hides the table or erases a name.
    Moderate { order: Moderation, reply: Reply<()> },
    /// A player reports another: who reports, and how far the game is.
    Report { who: Credential, seat: Seat, reply: Reply<(Seat, u64)> },
    /// A player wants another match.
    Rematch {
        who: Credential,
        from: Address,
        may_seat_agents: bool,
        reply: Reply<(Seat, NextTable)>,
    },
    /// A player does not want another match.
    DeclineRematch { who: Credential, reply: Reply<()> },
    /// A player of the match before takes the same seat again, with the token
    /// whose hash this is.
    SitAgain { seat: Seat, token: String, name: String, reply: Reply<()> },
    /// A defect, planted.
    #[cfg(test)]
    Panic { reply: Reply<()> },
}

/// A command that is durable.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Done {
    /// The position, in the sender's stream, of the last event it made.
    pub position: u64,
    /// What the sender knows, where the command asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub snapshot: Option<Box<serde_json::value::RawValue>>,
}

/// A seat somebody has just taken.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Seated {
    /// The table.
    pub table_id: String,
    /// Its code.
    pub code: String,
    /// The seat, from 0.
    pub seat: u8,
    /// The player's id on the wires.
    pub player_id: String,
    /// The token that proves it; shown once, kept hashed.
    pub token: String,
}

/// One seat as anyone may know it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeatInfo {
    /// The seat, from 0.
    pub seat: u8,
    /// Its player's id on the wires.
    pub player_id: String,
    /// Its player's name; null while it is open.
    pub name: Option<String>,
    /// Who it is for.
    pub kind: Kind,
    /// The bot in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// How strong a bot was asked for, where that is how it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Whether its player is connected; bots always are.
    pub connected: bool,
    /// Whether a bot plays for its player, who is away.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stand_in: bool,
}

/// A table as anyone may know it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableInfo {
    /// Its id.
    pub table_id: String,
    /// The code to read out to a friend.
    pub code: String,
    /// What is played.
    pub game: &'static str,
    /// Where it stands.
    pub status: Status,
    /// The house rules, in full.
    #[schema(value_type = Object)]
    pub rules: Arc<RawValue>,
    /// The seats.
    pub seats: Vec<SeatInfo>,
    /// The dialects its game is spoken in.
    pub dialects: Vec<&'static str>,
    /// When it was opened, in milliseconds since 1970.
    pub created_at: u64,
    /// Whether waiting has been long enough to offer a bot.
    pub bot_offered: bool,
    /// Where its players went on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rematch: Option<NextTable>,
}
