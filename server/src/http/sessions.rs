//! Sessions: tables as clients of the Socket.IO contract create, find and join
//! them. A session is a table like any other; its id is the table's, its
//! secrets are the seats' tokens. `docs/contracts/binokel-events.md` describes the
//! calls.

mod error;
mod shapes;

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::{Path, Request as HttpRequest, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use parlor_house::{GameInfo, HouseError};
use parlor_kernel::{Room, Seat, Viewer};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::auth::{bearer, bearer_token};
use super::request::{Caller, body, whole};
use crate::api_error::{ApiError, ErrorBody};
use crate::limits::Address;
use crate::record::{HOST, SeatEntry, Status};
use crate::registry::{NewTable, Registry};
use crate::secrets::{TokenHash, new_token};
use crate::table::{Credential, Request, TableInfo};

pub use error::NICKNAME_LIMIT;
use error::SessionError;
use shapes::nickname;
pub use shapes::{
    AddAi, AiSeated, CameBack, ComingBack, CreateSession, Joined, Joining, SessionInfo,
    SessionOpened,
};

/// Why an exported game is over.
const EXPORT: &str = "debug_export";

/// The session calls, for either prefix.
pub fn router(registry: &Arc<Registry>) -> Router<Arc<Registry>> {
    Router::new()
        .route("/", post(create))
        .route("/{code}", get(show))
        .route("/{code}/join", post(join))
        .route("/{code}/reconnect", post(reconnect))
        .route("/{code}/ai", post(seat_ai))
        .route("/{code}/ai/{seat}", delete(unseat_ai))
        .route("/{code}/events/export", get(export))
        .route_layer(from_fn_with_state(Arc::clone(registry), within_limits))
}

async fn within_limits(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    request: HttpRequest,
    next: Next,
) -> Response {
    match registry.limits.session_call(from) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// A JSON body whose fields are looked at one by one; none at all is an
/// empty one.
async fn fields<T: DeserializeOwned + Default>(request: HttpRequest) -> Result<T, SessionError> {
    let bytes = body(request, &()).await?;
    if bytes.is_empty() {
        return Ok(T::default());
    }
    // By way of a map: a list would do for a struct, too.
    let read = serde_json::from_slice::<Map<String, Value>>(&bytes);
    let read = read.and_then(|fields| serde_json::from_value(Value::Object(fields)));
    read.map_err(|error| ApiError::Malformed(format!("the body is no JSON object: {error}")).into())
}

/// A table that is played as a session.
struct Session {
    id: String,
    info: TableInfo,
    game: &'static dyn GameInfo,
    room: Room,
}

impl Session {
    async fn find(
        registry: &Arc<Registry>,
        from: Address,
        code: &str,
    ) -> Result<Session, SessionError> {
        let unknown = || SessionError::NotFound(code.to_owned());
        let id = registry.table_id(from, code).await?;
        let info = registry.ask(&id, |reply| Request::Info { reply }).await?;
        let game = parlor_house::game(info.game).ok_or_else(unknown)?;
        let room = game.room().ok_or_else(unknown)?;
        Ok(Session { id, info, game, room })
    }

    fn team(&self, seat: Seat) -> Option<u8> {
        (self.room.team)(self.info.seats.len(), seat)
    }

    async fn viewer(&self, registry: &Arc<Registry>, who: Credential) -> Result<Viewer, ApiError> {
        registry.ask(&self.id, |reply| Request::Identify { who, reply }).await
    }

    /// Lets pass whoever proves to be the host.
    async fn host(
        &self,
        registry: &Arc<Registry>,
        headers: &HeaderMap,
    ) -> Result<Credential, SessionError> {
        let who = bearer(registry, secret(headers).ok_or(SessionError::HeaderMissing)?);
        match self.viewer(registry, who).await {
            Ok(viewer) if viewer == Viewer::Seat(HOST) => Ok(who),
            Ok(_) | Err(ApiError::Unauthenticated) => Err(SessionError::NotHost),
            Err(other) => Err(other.into()),
        }
    }
}

/// The secret a request brings, in the contract's header or in the usual one.
fn secret(headers: &HeaderMap) -> Option<&str> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let own = text("x-secret-id").map(str::trim).filter(|secret| !secret.is_empty());
    own.or_else(|| bearer_token(headers))
}

/// Opens a session. Also under `/sessions`, as every call below.
#[utoipa::path(post, path = "/api/sessions", request_body = CreateSession, tag = "sessions", responses(
    (status = 201, description = "The session is open, and the host sits in it", body = SessionOpened),
    (status = 400, description = "INVALID_PLAYER_COUNT, NICKNAME_REQUIRED, NICKNAME_TOO_LONG, INVALID_TARGET_SCORE, INVALID_RULES", body = ErrorBody),
    (status = 429, description = "Too many calls", body = ErrorBody),
))]
pub async fn create(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    request: HttpRequest,
) -> Result<(StatusCode, Json<SessionOpened>), SessionError> {
    registry.limits.table(from)?;
    let order: CreateSession = fields(request).await?;
    let (game, room) = parlor_house::room_game().ok_or(ApiError::NoSuchPage)?;
    let mut rules = registry.rules_or_default(game, order.rules);
    let resolved = game.resolve_rules(&rules).map_err(ApiError::from)?;
    let allowed = game.seats(&resolved).map_err(ApiError::from)?;
    let count = whole(&order.player_count).and_then(|count| usize::try_from(count).ok());
    let count = count
        .filter(|count| allowed.contains(count))
        .ok_or(SessionError::InvalidPlayerCount(*allowed.start(), *allowed.end()))?;
    let name = nickname(&order.nickname)?;
    if !order.target_score.is_null() {
        rules = with_option(rules, room.target, order.target_score)?;
        let refuse = |error: HouseError| SessionError::InvalidTargetScore(error.to_string());
        game.resolve_rules(&rules).map_err(refuse)?;
    }
    let token = new_token();
    let mut seats = vec![SeatEntry::open(); count];
    if let Some(host) = seats.get_mut(HOST.index()) {
        host.name = Some(name);
        host.token = Some(TokenHash::of(&token).hex());
    }
    let order = NewTable {
        game,
        rules,
        seats,
        seed: None,
        unlisted: true,
        hosted: true,
        bot_pace_ms: None,
    };
    let record = registry.create(Some(from), order).await?;
    let opened = SessionOpened {
        session_code: record.code,
        session_id: record.id,
        player_id: HOST.player_id(),
        secret_id: token,
        player_index: HOST.0,
    };
    Ok((StatusCode::CREATED, Json(opened)))
}

/// Rules as they were asked for, with one option more.
fn with_option(asked: Value, option: &str, value: Value) -> Result<Value, SessionError> {
    let Some(number) = whole(&value) else {
        let sentence = format!("{value} is no whole number");
        return Err(SessionError::InvalidTargetScore(sentence));
    };
    let mut rules = match asked {
        Value::Object(rules) => rules,
        Value::String(preset) => Map::from_iter([("preset".to_owned(), Value::String(preset))]),
        _ => Map::new(),
    };
    rules.insert(option.to_owned(), number.into());
    Ok(Value::Object(rules))
}

/// A session as anyone may know it.
#[utoipa::path(get, path = "/api/sessions/{code}", tag = "sessions",
    params(("code" = String, Path, description = "The session's code, in any case, or its id")), responses(
    (status = 200, description = "The session", body = SessionInfo),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
))]
pub async fn show(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(code): Path<String>,
) -> Result<Json<SessionInfo>, SessionError> {
    let session = Session::find(&registry, from, &code).await?;
    Ok(Json(SessionInfo::of(session.info, &session.room)))
}

/// Takes a seat.
#[utoipa::path(post, path = "/api/sessions/{code}/join", request_body = Joining, tag = "sessions",
    params(("code" = String, Path, description = "The session's code, in any case, or its id")), responses(
    (status = 201, description = "A seat is taken", body = Joined),
    (status = 400, description = "NICKNAME_REQUIRED, NICKNAME_TOO_LONG", body = ErrorBody),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
    (status = 409, description = "GAME_STARTED, SESSION_FULL, NICKNAME_TAKEN", body = ErrorBody),
    (status = 410, description = "SESSION_TERMINATED", body = ErrorBody),
))]
pub async fn join(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(code): Path<String>,
    request: HttpRequest,
) -> Result<(StatusCode, Json<Joined>), SessionError> {
    registry.limits.join(from)?;
    let joining: Joining = fields(request).await?;
    let session = Session::find(&registry, from, &code).await?;
    if session.info.status == Status::Terminated {
        return Err(SessionError::Terminated);
    }
    let name = nickname(&joining.nickname)?;
    let secret_id = new_token();
    let token = TokenHash::of(&secret_id);
    let sit = |reply| Request::Sit { name: name.clone(), token, reply };
    let seat = registry.ask(&session.id, sit).await?;
    let joined = Joined {
        player_id: seat.player_id(),
        secret_id,
        player_index: seat.0,
        team: session.team(seat),
        session_id: session.id,
    };
    Ok((StatusCode::CREATED, Json(joined)))
}

/// Proves a seat again.
#[utoipa::path(post, path = "/api/sessions/{code}/reconnect", request_body = ComingBack, tag = "sessions",
    params(("code" = String, Path, description = "The session's code, in any case, or its id")), responses(
    (status = 200, description = "The seat is yours", body = CameBack),
    (status = 400, description = "SECRET_ID_REQUIRED", body = ErrorBody),
    (status = 401, description = "INVALID_SECRET", body = ErrorBody),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
))]
pub async fn reconnect(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(code): Path<String>,
    request: HttpRequest,
) -> Result<Json<CameBack>, SessionError> {
    let back: ComingBack = fields(request).await?;
    let session = Session::find(&registry, from, &code).await?;
    let secret = back.secret_id.as_str().filter(|secret| !secret.is_empty());
    let who = Credential::Token(TokenHash::of(secret.ok_or(SessionError::SecretMissing)?));
    let seat = match session.viewer(&registry, who).await {
        Ok(Viewer::Seat(seat)) => seat,
        Ok(_) | Err(ApiError::Unauthenticated) => return Err(SessionError::InvalidSecret),
        Err(other) => return Err(other.into()),
    };
    let dialect = session.room.dialect;
    let ask = |reply| Request::Snapshot { who, dialect, reply };
    let last_event_sequence = match registry.ask(&session.id, ask).await {
        Ok((position, _)) => position,
        Err(ApiError::NotStarted) => 0,
        Err(other) => return Err(other.into()),
    };
    let (player_id, player_index) = (seat.player_id(), seat.0);
    Ok(Json(CameBack { player_id, player_index, last_event_sequence }))
}

/// Seats a bot.
#[utoipa::path(post, path = "/api/sessions/{code}/ai", request_body = AddAi, tag = "sessions",
    params(("code" = String, Path, description = "The session's code, in any case, or its id"),
        ("X-Secret-Id" = Option<String>, Header, description = "The host's secret; `Authorization: Bearer` takes it too")), responses(
    (status = 201, description = "The bot sits", body = AiSeated),
    (status = 400, description = "INVALID_DIFFICULTY", body = ErrorBody),
    (status = 401, description = "SECRET_ID_REQUIRED", body = ErrorBody),
    (status = 403, description = "NOT_HOST", body = ErrorBody),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
    (status = 409, description = "NO_AVAILABLE_SLOTS, CANNOT_ADD_AI_WHEN_GAME_STARTED", body = ErrorBody),
))]
pub async fn seat_ai(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(code): Path<String>,
    headers: HeaderMap,
    request: HttpRequest,
) -> Result<(StatusCode, Json<AiSeated>), SessionError> {
    let order: AddAi = fields(request).await?;
    let session = Session::find(&registry, from, &code).await?;
    let who = session.host(&registry, &headers).await?;
    let level = order.level()?;
    let bot = session.game.bot_named(level).ok_or(SessionError::InvalidDifficulty)?;
    let sit = |reply| Request::SeatBot { who, bot: bot.to_owned(), level: Some(level), reply };
    let seat = registry.ask(&session.id, sit).await.map_err(|error| match error {
        ApiError::TableFull => SessionError::NoAvailableSlots,
        ApiError::AlreadyStarted => SessionError::CannotAddAi,
        other => other.into(),
    })?;
    let info = registry.ask(&session.id, |reply| Request::Info { reply }).await?;
    let name = info.seats.get(seat.index()).and_then(|seat| seat.name.clone());
    let seated = AiSeated {
        player_id: seat.player_id(),
        player_index: seat.0,
        nickname: name.unwrap_or_default(),
        team: session.team(seat),
        ai_difficulty: level,
    };
    Ok((StatusCode::CREATED, Json(seated)))
}

/// Takes a bot's seat away.
#[utoipa::path(delete, path = "/api/sessions/{code}/ai/{seat}", tag = "sessions",
    params(("code" = String, Path, description = "The session's code, in any case, or its id"),
        ("seat" = u8, Path, description = "The bot's playerIndex"),
        ("X-Secret-Id" = Option<String>, Header, description = "The host's secret; `Authorization: Bearer` takes it too")), responses(
    (status = 204, description = "The seat is open again"),
    (status = 400, description = "INVALID_PLAYER_INDEX", body = ErrorBody),
    (status = 401, description = "SECRET_ID_REQUIRED", body = ErrorBody),
    (status = 403, description = "NOT_HOST", body = ErrorBody),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
    (status = 409, description = "PLAYER_NOT_AI, GAME_STARTED", body = ErrorBody),
))]
pub async fn unseat_ai(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path((code, seat)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<StatusCode, SessionError> {
    let session = Session::find(&registry, from, &code).await?;
    let who = session.host(&registry, &headers).await?;
    let seat = Seat(seat.parse().map_err(|_| SessionError::InvalidPlayerIndex)?);
    registry.ask(&session.id, |reply| Request::UnseatBot { who, seat, reply }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The whole log, one event a line, for the host or the admin. A running game
/// is over with it, because the log shows every hand.
#[utoipa::path(get, path = "/api/sessions/{code}/events/export", tag = "sessions",
    params(("code" = String, Path, description = "The session's code, in any case, or its id"),
        ("X-Secret-Id" = Option<String>, Header, description = "The host's secret, or the admin's token; `Authorization: Bearer` takes it too")), responses(
    (status = 200, description = "JSONL", content_type = "application/x-ndjson"),
    (status = 401, description = "SECRET_ID_REQUIRED", body = ErrorBody),
    (status = 403, description = "NOT_HOST", body = ErrorBody),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
))]
pub async fn export(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Result<Response, SessionError> {
    let session = Session::find(&registry, from, &code).await?;
    let who = bearer(&registry, secret(&headers).ok_or(SessionError::HeaderMissing)?);
    if !matches!(who, Credential::Known(Viewer::Admin)) {
        session.host(&registry, &headers).await?;
    }
    if session.info.status == Status::Playing {
        let call_off = |reply| Request::CallOff { reason: EXPORT.to_owned(), reply };
        match registry.ask(&session.id, call_off).await {
            Ok(()) | Err(ApiError::AlreadyOver) => {}
            Err(other) => return Err(other.into()),
        }
    }
    let view = Some(Viewer::Postmortem);
    let log = |reply| Request::Log { who, from, view, dialect: None, reply };
    let lines = match registry.ask(&session.id, log).await {
        Ok(lines) => lines,
        // Nothing has happened here, and perhaps never will.
        Err(ApiError::NotStarted) => Vec::new(),
        Err(other) => return Err(other.into()),
    };
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}
