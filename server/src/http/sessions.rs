//! Sessions: tables as clients of the Socket.IO contract lay, find and join
//! them. A session is a table like any other; its id is the table's, its
//! secrets are the seats' tokens.

mod refusal;
mod shapes;

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use parlor_house::Offer;
use parlor_kernel::{Room, Seat, Viewer};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::admission::bearer;
use super::request::{Caller, body};
use crate::hall::{Hall, Order};
use crate::ledger::{HOST, SeatEntry, Status};
use crate::refusal::{ErrorBody, Refusal};
use crate::secrets::{TokenHash, new_token};
use crate::table::{Credential, Knock, TableInfo};

use refusal::SessionRefusal;
use shapes::nickname;
pub use shapes::{
    AiOrder, AiSeated, CameBack, ComingBack, Joined, Joining, SessionInfo, SessionOpened,
    SessionOrder,
};

/// Why an exported game is over.
const EXPORT: &str = "debug_export";

/// The session calls, for either prefix.
pub fn router(hall: &Arc<Hall>) -> Router<Arc<Hall>> {
    Router::new()
        .route("/", post(create))
        .route("/{code}", get(show))
        .route("/{code}/join", post(join))
        .route("/{code}/reconnect", post(reconnect))
        .route("/{code}/ai", post(seat_ai))
        .route("/{code}/ai/{seat}", delete(unseat_ai))
        .route("/{code}/events/export", get(export))
        .route_layer(from_fn_with_state(Arc::clone(hall), within_limits))
}

async fn within_limits(
    State(hall): State<Arc<Hall>>,
    Caller(from): Caller,
    request: Request,
    next: Next,
) -> Response {
    match hall.limits.session_call(from) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// A JSON body whose fields are looked at one by one; none at all is an
/// empty one.
async fn fields<T: DeserializeOwned + Default>(request: Request) -> Result<T, SessionRefusal> {
    let bytes = body(request, &()).await?;
    if bytes.is_empty() {
        return Ok(T::default());
    }
    // By way of a map: a list would do for a struct, too.
    let read = serde_json::from_slice::<Map<String, Value>>(&bytes);
    let read = read.and_then(|fields| serde_json::from_value(Value::Object(fields)));
    read.map_err(|error| Refusal::Malformed(format!("the body is no JSON object: {error}")).into())
}

/// A table that is played as a session.
struct Session {
    id: String,
    info: TableInfo,
    game: &'static dyn Offer,
    room: Room,
}

impl Session {
    async fn find(hall: &Arc<Hall>, code: &str) -> Result<Session, SessionRefusal> {
        let unknown = || SessionRefusal::NotFound(code.to_owned());
        let id = hall.table_id(code).await?;
        let info = hall.ask(&id, |reply| Knock::Info { reply }).await?;
        let game = parlor_house::game(info.game).ok_or_else(unknown)?;
        let room = game.room().ok_or_else(unknown)?;
        Ok(Session { id, info, game, room })
    }

    fn team(&self, seat: Seat) -> Option<u8> {
        (self.room.team)(self.info.seats.len(), seat)
    }

    async fn viewer(&self, hall: &Arc<Hall>, who: Credential) -> Result<Viewer, Refusal> {
        hall.ask(&self.id, |reply| Knock::WhoIs { who, reply }).await
    }

    /// Lets pass whoever proves to be the host.
    async fn host(
        &self,
        hall: &Arc<Hall>,
        headers: &HeaderMap,
    ) -> Result<Credential, SessionRefusal> {
        let who = bearer(hall, secret(headers).ok_or(SessionRefusal::HeaderMissing)?);
        match self.viewer(hall, who).await {
            Ok(viewer) if viewer == Viewer::Seat(HOST) => Ok(who),
            Ok(_) | Err(Refusal::Unauthenticated) => Err(SessionRefusal::NotHost),
            Err(other) => Err(other.into()),
        }
    }
}

/// The secret a request brings, in the contract's header or in the house's.
fn secret(headers: &HeaderMap) -> Option<&str> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let own = text("x-secret-id").map(str::trim).filter(|secret| !secret.is_empty());
    own.or_else(|| text(header::AUTHORIZATION.as_str())?.strip_prefix("Bearer ").map(str::trim))
}

/// Opens a session. Also under `/sessions`, as every call below.
#[utoipa::path(post, path = "/api/sessions", request_body = SessionOrder, tag = "sessions", responses(
    (status = 201, description = "The session is open, and the host sits in it", body = SessionOpened),
    (status = 400, description = "INVALID_PLAYER_COUNT, NICKNAME_REQUIRED, NICKNAME_TOO_LONG, INVALID_TARGET_SCORE, INVALID_RULES", body = ErrorBody),
    (status = 429, description = "Too many calls", body = ErrorBody),
))]
pub async fn create(
    State(hall): State<Arc<Hall>>,
    request: Request,
) -> Result<(StatusCode, Json<SessionOpened>), SessionRefusal> {
    let order: SessionOrder = fields(request).await?;
    let (game, room) = parlor_house::room_game().ok_or(Refusal::NoSuchPage)?;
    let mut rules = hall.rules_or_default(game, order.rules);
    let resolved = game.resolve_rules(&rules).map_err(Refusal::from)?;
    let allowed = game.seats(&resolved).map_err(Refusal::from)?;
    let count = order.player_count.as_u64().and_then(|count| usize::try_from(count).ok());
    let count = count
        .filter(|count| allowed.contains(count))
        .ok_or(SessionRefusal::InvalidPlayerCount(*allowed.start(), *allowed.end()))?;
    let name = nickname(&order.nickname)?;
    if !order.target_score.is_null() {
        rules = with_option(rules, room.target, order.target_score)?;
        let refuse = |error: parlor_kernel::RulesError| {
            SessionRefusal::InvalidTargetScore(error.to_string())
        };
        game.resolve_rules(&rules).map_err(refuse)?;
    }
    let token = new_token();
    let mut seats = vec![SeatEntry::open(); count];
    seats[HOST.index()].name = Some(name);
    seats[HOST.index()].token = Some(TokenHash::of(&token).hex());
    let order =
        Order { game, rules, seats, seed: None, unlisted: true, hosted: true, bot_pace_ms: None };
    let ledger = hall.lay(order).await?;
    let opened = SessionOpened {
        session_code: ledger.code,
        session_id: ledger.id,
        player_id: HOST.player_id(),
        secret_id: token,
        player_index: HOST.0,
    };
    Ok((StatusCode::CREATED, Json(opened)))
}

/// Rules as they were asked for, with one option more.
fn with_option(asked: Value, option: &str, value: Value) -> Result<Value, SessionRefusal> {
    if !value.is_u64() {
        let sentence = format!("{value} is no whole number");
        return Err(SessionRefusal::InvalidTargetScore(sentence));
    }
    let mut rules = match asked {
        Value::Object(rules) => rules,
        Value::String(preset) => Map::from_iter([("preset".to_owned(), Value::String(preset))]),
        _ => Map::new(),
    };
    rules.insert(option.to_owned(), value);
    Ok(Value::Object(rules))
}

/// A session as anyone may know it.
#[utoipa::path(get, path = "/api/sessions/{code}", tag = "sessions",
    params(("code" = String, Path, description = "The session's code, in any case, or its id")), responses(
    (status = 200, description = "The session", body = SessionInfo),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
))]
pub async fn show(
    State(hall): State<Arc<Hall>>,
    Path(code): Path<String>,
) -> Result<Json<SessionInfo>, SessionRefusal> {
    let session = Session::find(&hall, &code).await?;
    Ok(Json(SessionInfo::of(session.info, &session.room)))
}

/// Takes a seat.
#[utoipa::path(post, path = "/api/sessions/{code}/join", request_body = Joining, tag = "sessions",
    params(("code" = String, Path, description = "The session's code, in any case, or its id")), responses(
    (status = 201, description = "A seat is taken", body = Joined),
    (status = 400, description = "NICKNAME_REQUIRED, NICKNAME_TOO_LONG", body = ErrorBody),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
    (status = 409, description = "GAME_STARTED, SESSION_FULL", body = ErrorBody),
))]
pub async fn join(
    State(hall): State<Arc<Hall>>,
    Path(code): Path<String>,
    request: Request,
) -> Result<(StatusCode, Json<Joined>), SessionRefusal> {
    let joining: Joining = fields(request).await?;
    let session = Session::find(&hall, &code).await?;
    let name = nickname(&joining.nickname)?;
    let secret_id = new_token();
    let token = TokenHash::of(&secret_id);
    let sit = |reply| Knock::Sit { name: name.clone(), token, reply };
    let seat = hall.ask(&session.id, sit).await?;
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
    State(hall): State<Arc<Hall>>,
    Path(code): Path<String>,
    request: Request,
) -> Result<Json<CameBack>, SessionRefusal> {
    let back: ComingBack = fields(request).await?;
    let session = Session::find(&hall, &code).await?;
    let secret = back.secret_id.as_str().filter(|secret| !secret.is_empty());
    let who = Credential::Token(TokenHash::of(secret.ok_or(SessionRefusal::SecretMissing)?));
    let seat = match session.viewer(&hall, who).await {
        Ok(Viewer::Seat(seat)) => seat,
        Ok(_) | Err(Refusal::Unauthenticated) => return Err(SessionRefusal::InvalidSecret),
        Err(other) => return Err(other.into()),
    };
    let dialect = session.room.dialect;
    let ask = |reply| Knock::Snapshot { who, dialect, reply };
    let last_event_sequence = match hall.ask(&session.id, ask).await {
        Ok((position, _)) => position,
        Err(Refusal::NotStarted) => 0,
        Err(other) => return Err(other.into()),
    };
    let (player_id, player_index) = (seat.player_id(), seat.0);
    Ok(Json(CameBack { player_id, player_index, last_event_sequence }))
}

/// Seats a bot.
#[utoipa::path(post, path = "/api/sessions/{code}/ai", request_body = AiOrder, tag = "sessions",
    params(("code" = String, Path, description = "The session's code, in any case, or its id"),
        ("X-Secret-Id" = String, Header, description = "The host's secret")), responses(
    (status = 201, description = "The bot sits", body = AiSeated),
    (status = 400, description = "INVALID_DIFFICULTY", body = ErrorBody),
    (status = 401, description = "SECRET_ID_REQUIRED", body = ErrorBody),
    (status = 403, description = "NOT_HOST", body = ErrorBody),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
    (status = 409, description = "NO_AVAILABLE_SLOTS, CANNOT_ADD_AI_WHEN_GAME_STARTED", body = ErrorBody),
))]
pub async fn seat_ai(
    State(hall): State<Arc<Hall>>,
    Path(code): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<(StatusCode, Json<AiSeated>), SessionRefusal> {
    let order: AiOrder = fields(request).await?;
    let session = Session::find(&hall, &code).await?;
    let who = session.host(&hall, &headers).await?;
    let level = order.level()?;
    let bot = session.game.bot_named(level).ok_or(SessionRefusal::InvalidDifficulty)?;
    let sit = |reply| Knock::SeatBot { who, bot: bot.to_owned(), level: Some(level), reply };
    let seat = hall.ask(&session.id, sit).await.map_err(|refusal| match refusal {
        Refusal::TableFull => SessionRefusal::NoAvailableSlots,
        Refusal::AlreadyStarted => SessionRefusal::CannotAddAi,
        other => other.into(),
    })?;
    let info = hall.ask(&session.id, |reply| Knock::Info { reply }).await?;
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
        ("X-Secret-Id" = String, Header, description = "The host's secret")), responses(
    (status = 204, description = "The seat is open again"),
    (status = 400, description = "INVALID_PLAYER_INDEX", body = ErrorBody),
    (status = 401, description = "SECRET_ID_REQUIRED", body = ErrorBody),
    (status = 403, description = "NOT_HOST", body = ErrorBody),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
    (status = 409, description = "PLAYER_NOT_AI, GAME_STARTED", body = ErrorBody),
))]
pub async fn unseat_ai(
    State(hall): State<Arc<Hall>>,
    Path((code, seat)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<StatusCode, SessionRefusal> {
    let session = Session::find(&hall, &code).await?;
    let who = session.host(&hall, &headers).await?;
    let seat = Seat(seat.parse().map_err(|_| SessionRefusal::InvalidPlayerIndex)?);
    hall.ask(&session.id, |reply| Knock::UnseatBot { who, seat, reply }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The whole log, one event a line, for the host or the admin. A running game
/// is over with it, because the log shows every hand.
#[utoipa::path(get, path = "/api/sessions/{code}/events/export", tag = "sessions",
    params(("code" = String, Path, description = "The session's code, in any case, or its id"),
        ("X-Secret-Id" = String, Header, description = "The host's secret, or the admin's token")), responses(
    (status = 200, description = "JSONL", content_type = "application/x-ndjson"),
    (status = 401, description = "SECRET_ID_REQUIRED", body = ErrorBody),
    (status = 403, description = "NOT_HOST", body = ErrorBody),
    (status = 404, description = "SESSION_NOT_FOUND", body = ErrorBody),
))]
pub async fn export(
    State(hall): State<Arc<Hall>>,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> Result<Response, SessionRefusal> {
    let session = Session::find(&hall, &code).await?;
    let who = bearer(&hall, secret(&headers).ok_or(SessionRefusal::HeaderMissing)?);
    if !matches!(who, Credential::Known(Viewer::Admin)) {
        session.host(&hall, &headers).await?;
    }
    if session.info.status == Status::Playing {
        let call_off = |reply| Knock::CallOff { reason: EXPORT.to_owned(), reply };
        match hall.ask(&session.id, call_off).await {
            Ok(()) | Err(Refusal::AlreadyOver) => {}
            Err(other) => return Err(other.into()),
        }
    }
    let view = Some(Viewer::Postmortem);
    let log = |reply| Knock::Log { who, view, dialect: None, reply };
    let lines = match hall.ask(&session.id, log).await {
        Ok(lines) => lines,
        // Nothing has happened here, and perhaps never will.
        Err(Refusal::NotStarted) => Vec::new(),
        Err(other) => return Err(other.into()),
    };
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}
