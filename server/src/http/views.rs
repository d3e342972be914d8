//! What can be read: snapshots, logs, the games on offer.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use parlor_house::{AgentInfo, GameInfo};
use parlor_kernel::Viewer;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::auth::credential;
use super::commands::{DialectQuery, table_and_dialect};
use super::request::Caller;
use crate::api_error::{ApiError, ErrorBody};
use crate::registry::Registry;
use crate::table::Request;

/// What this viewer knows now.
#[utoipa::path(get, path = "/api/v1/tables/{table}/snapshot", tag = "play",
    params(("table" = String, Path, description = "The table's id or code"), DialectQuery), responses(
    (status = 200, description = "The snapshot in the dialect; the header `Parlor-Position` has its position", body = Object),
    (status = 409, description = "The game has not begun", body = ErrorBody),
))]
pub async fn snapshot(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    Query(DialectQuery { dialect }): Query<DialectQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (id, dialect, _) = table_and_dialect(&registry, from, &table, dialect).await?;
    let who = credential(&registry, &headers, None, &id)?;
    let ask = |reply| Request::Snapshot { who, dialect, reply };
    let (position, text) = registry.ask(&id, ask).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::HeaderName::from_static("parlor-position"), position.to_string()),
    ];
    Ok((headers, text).into_response())
}

/// Which view of a log.
#[derive(Debug, Deserialize, IntoParams)]
pub struct LogQuery {
    /// `admin`, `postmortem`, `public` (or `town`), `seat:N`; your own if it is not said.
    view: Option<String>,
    /// Tells it in this dialect, from the first message on, instead of as it is stored.
    dialect: Option<String>,
}

/// The log as a viewer may read it, one event a line.
#[utoipa::path(get, path = "/api/v1/tables/{table}/log", tag = "play",
    params(("table" = String, Path, description = "The table's id or code"), LogQuery), responses(
    (status = 200, description = "JSONL", content_type = "application/x-ndjson"),
    (status = 401, description = "This view needs a token", body = ErrorBody),
    (status = 403, description = "This view is not yours", body = ErrorBody),
    (status = 409, description = "The postmortem is open once the game is over", body = ErrorBody),
    (status = 429, description = "RATE_LIMITED, TOO_MANY_GUESSES, BUSY; Retry-After says when to try again", body = ErrorBody),
    (status = 503, description = "BUSY; Retry-After says when to try again", body = ErrorBody),
))]
pub async fn log(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    Query(query): Query<LogQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    registry.limits.read(from)?;
    let parse = |text: &str| text.parse::<Viewer>();
    let view = query.view.as_deref().map(parse).transpose();
    let view = view.map_err(|error| ApiError::Malformed(error.to_string()))?;
    let id = registry.table_id(from, &table).await?;
    let who = credential(&registry, &headers, None, &id)?;
    let log = |reply| Request::Log { who, from, view, dialect: query.dialect.clone(), reply };
    let lines = registry.ask(&id, log).await?;
    let mut text = lines.join("\n");
    text.push('\n');
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}

/// The games on offer, with their presets, options, bots and dialects.
#[utoipa::path(get, path = "/api/v1/games", tag = "games", responses(
    (status = 200, description = "The games", body = Object),
))]
pub async fn games(State(registry): State<Arc<Registry>>) -> Json<Value> {
    let games: Vec<Value> = parlor_house::games().map(|game| guide_here(&registry, game)).collect();
    Json(json!({ "games": games }))
}

/// What a game brings, with the agents this server seats among its bots.
fn guide_here(registry: &Registry, game: &dyn GameInfo) -> Value {
    let mut guide = game.guide();
    if let Some(Value::Array(bots)) = guide.get_mut("bots") {
        bots.extend(registry.config.agents.of(game.name()).iter().map(|AgentInfo { name, meaning }| {
            json!({ "name": name, "aliases": [], "meaning": meaning, "agent": true })
        }));
    }
    guide
}

/// One game: its presets, options, bots and dialects.
#[utoipa::path(get, path = "/api/v1/games/{game}", tag = "games",
    params(("game" = String, Path, description = "The game's name")), responses(
    (status = 200, description = "The game", body = Object),
    (status = 404, description = "No such game", body = ErrorBody),
))]
pub async fn game(
    State(registry): State<Arc<Registry>>,
    Path(name): Path<String>,
) -> Result<Json<Value>, (StatusCode, Json<ErrorBody>)> {
    let unknown = || ApiError::NoSuchGame(name.clone(), parlor_house::game_names());
    let game = parlor_house::game(&name);
    // A game named in the address is a page that is not there, not a bad order.
    let game = game.ok_or_else(|| (StatusCode::NOT_FOUND, Json(unknown().body())))?;
    Ok(Json(guide_here(&registry, game)))
}
