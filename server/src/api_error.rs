//! The errors of the API: one enum, each with a status, a code and a sentence.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use parlor_house::{HouseError, NAME_LIMIT, Refusal};
use parlor_kernel::{MessageError, RulesError};
use parlor_store::StoreError;
use schemars::JsonSchema;
use serde::Serialize;
use utoipa::ToSchema;

use crate::limits::Excess;

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each is its own sentence")]
pub enum ApiError {
    #[error("there is no table '{0}'")]
    NoSuchTable(String),
    #[error("there is no such page; the calls are listed at /docs")]
    NoSuchPage,
    #[error("this address does not take that method")]
    MethodNotAllowed,
    #[error("there is no game '{0}'; games are {1}")]
    NoSuchGame(String, String),
    #[error("{0}")]
    Malformed(String),
    #[error("{message}")]
    Unreadable { game_code: &'static str, message: String },
    #[error("{0}")]
    InvalidRules(#[from] RulesError),
    #[error("{0}")]
    InvalidSeats(String),
    #[error("{0}")]
    NoSuchBot(String),
    #[error("a name has 1 to {NAME_LIMIT} printable characters")]
    InvalidName,
    #[error("somebody at this table has that name already")]
    NameTaken,
    #[error("this server does not let tables name their seed; start it with --allow-seeds")]
    SeedsNotAllowed,
    #[error("this needs the token of a seat at this table: Authorization: Bearer …")]
    Unauthenticated,
    #[error("this needs the admin's token: Authorization: Bearer …")]
    AdminOnly,
    #[error("{0}")]
    Forbidden(String),
    #[error("all seats are taken")]
    TableFull,
    #[error("the game has already begun")]
    AlreadyStarted,
    #[error("the game has not begun yet")]
    NotStarted,
    #[error("some seats are still open")]
    SeatsOpen,
    #[error("the game is not over yet")]
    NotOver,
    #[error("the game is over already")]
    AlreadyOver,
    #[error("nobody has offered another match")]
    NoRematch,
    #[error("{0} does not want another match")]
    RematchDeclined(String),
    #[error("a game of {0} cannot be called off")]
    CannotCallOff(&'static str),
    #[error("a game of {0} cannot be paused")]
    CannotPause(&'static str),
    #[error("only a paused game goes on by one decision; pause it first")]
    NotPaused,
    #[error("only the host may do this: who sits in the first seat")]
    NotHost,
    #[error("there is no such seat")]
    NoSuchSeat,
    #[error("no bot sits there")]
    NotABot,
    #[error("no such person sits there")]
    NobodyThere,
    #[error("{}", blocked(*.0))]
    Blocked(Option<u64>),
    #[error("this address is not blocked")]
    NotBlocked,
    #[error("there is no such report")]
    NoSuchReport,
    #[error("there are too many reports already; try again when the admin has seen to them")]
    TooManyReports,
    #[error("{0}")]
    UnknownDialect(String),
    #[error("the stream has not reached position {asked}; it is at {at}")]
    PositionAhead { asked: u64, at: u64 },
    #[error("too many requests; try again in {0} s")]
    RateLimited(u64),
    #[error(transparent)]
    Excess(#[from] Excess),
    #[error("this game has grown too long for talk; only moves are taken now")]
    TooLongForTalk,
    #[error("only the admin, or whoever has a key, seats language models here; see --agent-key")]
    AgentsNotAllowed,
    #[error("this address has {0} connections already; close some")]
    TooManyConnections(usize),
    #[error("the house is full; try again in a moment")]
    HouseFull,
    #[error("the rest of the request took too long to come")]
    TooSlow,
    #[error("{message}")]
    Game { code: &'static str, reason: Option<&'static str>, message: String, untimely: bool },
    #[error("this Idempotency-Key came with another command before; send a new one with a new key")]
    KeyReused,
    #[error("an idempotency key is a text of 1 to 128 printable ASCII characters")]
    InvalidKey,
    #[error("the log could not be written; nothing has changed, try again")]
    StoreUnavailable(#[source] StoreError),
    #[error("the stored log of this game cannot be read: {0}")]
    BrokenLog(String),
    #[error("this table failed and is being set up again from its log; try again in a moment")]
    Panicked,
    #[error("this table failed again and again and was set aside; its log is unharmed")]
    SetAside,
    #[error("the server is stopping; try again in a moment")]
    Stopping,
}

/// What an address that is blocked is told.
fn blocked(seconds: Option<u64>) -> String {
    match seconds {
        Some(seconds) => format!("this address is blocked for another {seconds} s"),
        None => "this address is blocked; ask whoever runs this server".to_owned(),
    }
}

impl ApiError {
    /// Whether someone else was first, and the same can be decided again.
    pub fn is_lost_race(&self) -> bool {
        matches!(self, ApiError::StoreUnavailable(error) if error.is_lost_race())
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        use ApiError as R;
        match self {
            R::NoSuchTable(_) | R::NoSuchPage | R::NotBlocked | R::NoSuchReport => {
                StatusCode::NOT_FOUND
            }
            R::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            R::NoSuchGame(..)
            | R::Malformed(_)
            | R::Unreadable { .. }
            | R::InvalidRules(_)
            | R::InvalidSeats(_)
            | R::NoSuchBot(_)
            | R::InvalidName
            | R::InvalidKey
            | R::NoSuchSeat
            | R::UnknownDialect(_) => StatusCode::BAD_REQUEST,
            R::Excess(excess) => excess.status(),
            R::Unauthenticated | R::AdminOnly => StatusCode::UNAUTHORIZED,
            R::TooSlow => StatusCode::REQUEST_TIMEOUT,
            R::Forbidden(_)
            | R::SeedsNotAllowed
            | R::AgentsNotAllowed
            | R::NotHost
            | R::Blocked(_) => StatusCode::FORBIDDEN,
            R::TableFull
            | R::AlreadyStarted
            | R::NotStarted
            | R::SeatsOpen
            | R::NotOver
            | R::AlreadyOver
            | R::NoRematch
            | R::RematchDeclined(_)
            | R::CannotCallOff(_)
            | R::CannotPause(_)
            | R::NotPaused
            | R::NameTaken
            | R::NotABot
            | R::NobodyThere
            | R::TooLongForTalk
            | R::PositionAhead { .. } => StatusCode::CONFLICT,
            R::Game { untimely: true, .. } => StatusCode::CONFLICT,
            R::Game { .. } | R::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
            R::RateLimited(_) | R::TooManyReports | R::TooManyConnections(_) => {
                StatusCode::TOO_MANY_REQUESTS
            }
            R::StoreUnavailable(_) | R::Stopping | R::Panicked | R::HouseFull => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            R::BrokenLog(_) | R::SetAside => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The code for programs.
    pub fn code(&self) -> &'static str {
        use ApiError as R;
        match self {
            R::NoSuchTable(_) => "TABLE_NOT_FOUND",
            R::NoSuchPage => "NOT_FOUND",
            R::MethodNotAllowed => "METHOD_NOT_ALLOWED",
            R::NoSuchGame(..) => "UNKNOWN_GAME",
            R::Malformed(_) | R::Unreadable { .. } | R::InvalidKey => "MALFORMED",
            R::Excess(excess) => excess.code(),
            R::TooLongForTalk => "TOO_LONG_FOR_TALK",
            R::AgentsNotAllowed => "AGENTS_NOT_ALLOWED",
            R::InvalidRules(_) => "INVALID_RULES",
            R::InvalidSeats(_) => "INVALID_SEATS",
            R::NoSuchBot(_) => "UNKNOWN_BOT",
            R::InvalidName => "INVALID_NAME",
            R::NameTaken => "NAME_TAKEN",
            R::SeedsNotAllowed => "SEEDS_NOT_ALLOWED",
            R::Unauthenticated | R::AdminOnly => "UNAUTHENTICATED",
            R::Forbidden(_) => "FORBIDDEN",
            R::TableFull => "TABLE_FULL",
            R::AlreadyStarted => "ALREADY_STARTED",
            R::NotStarted => "NOT_STARTED",
            R::SeatsOpen => "SEATS_OPEN",
            R::NotOver => "NOT_OVER",
            R::AlreadyOver => "ALREADY_OVER",
            R::NoRematch => "NO_REMATCH",
            R::RematchDeclined(_) => "REMATCH_DECLINED",
            R::CannotCallOff(_) => "CANNOT_CALL_OFF",
            R::CannotPause(_) => "CANNOT_PAUSE",
            R::NotPaused => "NOT_PAUSED",
            R::NotHost => "NOT_HOST",
            R::NoSuchSeat => "NO_SUCH_SEAT",
            R::NotABot => "NOT_A_BOT",
            R::NobodyThere => "NOBODY_THERE",
            R::Blocked(_) => "ADDRESS_BLOCKED",
            R::NotBlocked => "NOT_BLOCKED",
            R::NoSuchReport => "NO_SUCH_REPORT",
            R::TooManyReports => "TOO_MANY_REPORTS",
            R::UnknownDialect(_) => "UNKNOWN_DIALECT",
            R::PositionAhead { .. } => "POSITION_AHEAD",
            R::RateLimited(_) => "RATE_LIMITED",
            R::TooManyConnections(_) => "TOO_MANY_CONNECTIONS",
            R::HouseFull => "HOUSE_FULL",
            R::TooSlow => "TOO_SLOW",
            R::Game { code, .. } => code,
            R::KeyReused => "IDEMPOTENCY_KEY_REUSED",
            R::StoreUnavailable(_) => "STORE_UNAVAILABLE",
            R::BrokenLog(_) => "BROKEN_LOG",
            R::Panicked => "TABLE_FAILED",
            R::SetAside => "TABLE_SET_ASIDE",
            R::Stopping => "STOPPING",
        }
    }

    /// The precise reason, where the code is a coarse one.
    pub fn reason(&self) -> Option<&'static str> {
        match self {
            ApiError::Game { reason, .. } => *reason,
            _ => None,
        }
    }

    /// After how many seconds the same may be tried again, where that is known.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            ApiError::RateLimited(seconds) => Some(*seconds),
            ApiError::Excess(excess) => excess.retry_after(),
            ApiError::Blocked(seconds) => *seconds,
            ApiError::TooManyReports => Some(60 * 60),
            ApiError::TooManyConnections(_) | ApiError::HouseFull => Some(5),
            ApiError::StoreUnavailable(_) | ApiError::Stopping | ApiError::Panicked => Some(1),
            _ => None,
        }
    }

    /// The error as a text.
    pub fn text(&self) -> String {
        serde_json::to_string(&self.body()).unwrap_or_default()
    }

    /// The error as it goes over the wire.
    pub fn body(&self) -> ErrorBody {
        ErrorBody { error: self.to_string(), code: self.code(), reason: self.reason() }
    }
}

/// Every refusal looks like this.
#[derive(Debug, JsonSchema, Serialize, ToSchema)]
pub struct ErrorBody {
    /// A sentence for people.
    pub error: String,
    /// A code for programs.
    pub code: &'static str,
    /// The precise reason, where the code is a coarse one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if let ApiError::StoreUnavailable(error) = &self {
            tracing::error!(%error, "could not write the log");
        }
        metrics::counter!("parlor_refusals_total", "code" => self.code()).increment(1);
        let retry_after = self.retry_after();
        let mut response = (self.status(), Json(self.body())).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<Refusal> for ApiError {
    fn from(refused: Refusal) -> Self {
        let Refusal { code, reason, message, untimely } = refused;
        ApiError::Game { code, reason, message, untimely }
    }
}

impl From<MessageError> for ApiError {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::Malformed(sentence) => ApiError::Malformed(sentence),
            MessageError::Unreadable { code, message } => {
                ApiError::Unreadable { game_code: code, message }
            }
            MessageError::Refused { code, reason, message, untimely } => {
                ApiError::Game { code, reason, message, untimely }
            }
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Closed => ApiError::Stopping,
            error => ApiError::StoreUnavailable(error),
        }
    }
}

impl From<HouseError> for ApiError {
    fn from(error: HouseError) -> Self {
        match error {
            HouseError::Rules(rules) => ApiError::InvalidRules(rules),
            HouseError::Seats { .. } | HouseError::Namesakes(_) => {
                ApiError::InvalidSeats(error.to_string())
            }
            HouseError::Absent(_) | HouseError::UnknownBot { .. } => {
                ApiError::NoSuchBot(error.to_string())
            }
            HouseError::UnknownDialect { .. } => ApiError::UnknownDialect(error.to_string()),
            HouseError::NotOver => ApiError::NotOver,
            HouseError::NoSuchSeat(_) => ApiError::NoSuchSeat,
            HouseError::Log(log) => ApiError::BrokenLog(log.to_string()),
            other => ApiError::Malformed(other.to_string()),
        }
    }
}
