//! Why a session call is refused. These calls are a boundary of their own: their
//! contract fixes the codes, and what is `ALREADY_STARTED` at any other table is
//! `GAME_STARTED` here. So an [`ApiError`] is translated, in this one place.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::api_error::{ApiError, ErrorBody};

/// The longest nickname.
pub const NICKNAME_LIMIT: usize = 20;

/// Why a session call is refused.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("there is no session '{0}'")]
    NotFound(String),
    #[error("playerCount is a whole number from {0} to {1}")]
    InvalidPlayerCount(usize, usize),
    #[error("a nickname has 1 to {NICKNAME_LIMIT} printable characters")]
    NicknameRequired,
    #[error("a nickname has at most {NICKNAME_LIMIT} characters")]
    NicknameTooLong,
    #[error("targetScore cannot be played for: {0}")]
    InvalidTargetScore(String),
    #[error("somebody in this session has that nickname already")]
    NicknameTaken,
    #[error("this session was ended")]
    Terminated,
    #[error("the game has already begun")]
    GameStarted,
    #[error("all seats are taken")]
    SessionFull,
    #[error("secretId is missing: the text you were given with your seat")]
    SecretMissing,
    #[error("this needs the header X-Secret-Id")]
    HeaderMissing,
    #[error("this secretId is of no seat in this session")]
    InvalidSecret,
    #[error("only the host may do this")]
    NotHost,
    #[error("difficulty is easy, medium or hard")]
    InvalidDifficulty,
    #[error("no seat is open for a bot")]
    NoAvailableSlots,
    #[error("no bot sits down once the game has begun")]
    CannotAddAi,
    #[error("there is no such seat in this session")]
    InvalidPlayerIndex,
    #[error("no bot sits there")]
    PlayerNotAi,
    /// What is refused at any table.
    #[error(transparent)]
    Api(ApiError),
}

impl SessionError {
    fn status(&self) -> StatusCode {
        use SessionError as S;
        match self {
            S::NotFound(_) => StatusCode::NOT_FOUND,
            S::InvalidPlayerCount(..)
            | S::NicknameRequired
            | S::NicknameTooLong
            | S::InvalidTargetScore(_)
            | S::SecretMissing
            | S::InvalidDifficulty
            | S::InvalidPlayerIndex => StatusCode::BAD_REQUEST,
            S::HeaderMissing | S::InvalidSecret => StatusCode::UNAUTHORIZED,
            S::NotHost => StatusCode::FORBIDDEN,
            S::Terminated => StatusCode::GONE,
            S::GameStarted
            | S::NicknameTaken
            | S::SessionFull
            | S::NoAvailableSlots
            | S::CannotAddAi
            | S::PlayerNotAi => StatusCode::CONFLICT,
            S::Api(error) => error.status(),
        }
    }

    fn code(&self) -> &'static str {
        use SessionError as S;
        match self {
            S::NotFound(_) => "SESSION_NOT_FOUND",
            S::InvalidPlayerCount(..) => "INVALID_PLAYER_COUNT",
            S::NicknameRequired => "NICKNAME_REQUIRED",
            S::NicknameTooLong => "NICKNAME_TOO_LONG",
            S::InvalidTargetScore(_) => "INVALID_TARGET_SCORE",
            S::NicknameTaken => "NICKNAME_TAKEN",
            S::Terminated => "SESSION_TERMINATED",
            S::GameStarted => "GAME_STARTED",
            S::SessionFull => "SESSION_FULL",
            S::SecretMissing | S::HeaderMissing => "SECRET_ID_REQUIRED",
            S::InvalidSecret => "INVALID_SECRET",
            S::NotHost => "NOT_HOST",
            S::InvalidDifficulty => "INVALID_DIFFICULTY",
            S::NoAvailableSlots => "NO_AVAILABLE_SLOTS",
            S::CannotAddAi => "CANNOT_ADD_AI_WHEN_GAME_STARTED",
            S::InvalidPlayerIndex => "INVALID_PLAYER_INDEX",
            S::PlayerNotAi => "PLAYER_NOT_AI",
            S::Api(error) => error.code(),
        }
    }
}

impl From<ApiError> for SessionError {
    fn from(error: ApiError) -> Self {
        match error {
            ApiError::NoSuchTable(code) => SessionError::NotFound(code),
            ApiError::NameTaken => SessionError::NicknameTaken,
            ApiError::AlreadyStarted => SessionError::GameStarted,
            ApiError::TableFull => SessionError::SessionFull,
            ApiError::NotHost => SessionError::NotHost,
            ApiError::NoSuchSeat => SessionError::InvalidPlayerIndex,
            ApiError::NotABot => SessionError::PlayerNotAi,
            other => SessionError::Api(other),
        }
    }
}

impl IntoResponse for SessionError {
    fn into_response(self) -> Response {
        match self {
            SessionError::Api(error) => error.into_response(),
            own => {
                metrics::counter!("parlor_refusals_total", "code" => own.code()).increment(1);
                let body = ErrorBody { error: own.to_string(), code: own.code(), reason: None };
                (own.status(), Json(body)).into_response()
            }
        }
    }
}
