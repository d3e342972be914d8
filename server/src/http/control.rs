//! Control of a running game: by the admin, or by whoever created the table.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use serde::Deserialize;
use utoipa::ToSchema;

use super::auth::credential;
use super::lobby::Started;
use super::request::{Caller, Payload, whole_number};
use crate::api_error::{ApiError, ErrorBody};
use crate::limits::Address;
use crate::record::Status;
use crate::registry::Registry;
use crate::table::{Control, ControlState, Request};

/// Whoever leads a game counts apart from its seats.
const BY_CONTROL: u64 = u64::MAX;

/// The longest a bot may be told to wait, in milliseconds.
pub const SLOWEST: u64 = 60_000;

async fn control(
    registry: &Arc<Registry>,
    from: Address,
    table: &str,
    headers: &HeaderMap,
    control: Control,
) -> Result<Json<ControlState>, ApiError> {
    let id = registry.table_id(from, table).await?;
    let who = credential(registry, headers, None, &id)?;
    // Pauses are written down like moves.
    registry.limits.command(&id, BY_CONTROL)?;
    registry.ask(&id, |reply| Request::Control { who, control, reply }).await.map(Json)
}

/// Lets nobody act, and no clock run, until the game is resumed.
#[utoipa::path(post, path = "/api/v1/tables/{table}/pause", tag = "lead",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 200, description = "The game stands still", body = ControlState),
    (status = 401, description = "This needs the token of the admin or of whoever laid the table", body = ErrorBody),
    (status = 403, description = "Another player's token", body = ErrorBody),
    (status = 409, description = "Not begun, over, or no game that can be paused", body = ErrorBody),
), security(("seat" = [])))]
pub async fn pause(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Json<ControlState>, ApiError> {
    control(&registry, from, &table, &headers, Control::Pause).await
}

/// Lets a paused game go on.
#[utoipa::path(post, path = "/api/v1/tables/{table}/resume", tag = "lead",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 200, description = "The game goes on", body = ControlState),
    (status = 401, description = "This needs the token of the admin or of whoever laid the table", body = ErrorBody),
    (status = 403, description = "Another player's token", body = ErrorBody),
    (status = 409, description = "Not begun, or over", body = ErrorBody),
), security(("seat" = [])))]
pub async fn resume(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Json<ControlState>, ApiError> {
    control(&registry, from, &table, &headers, Control::Resume).await
}

/// Lets a paused game go on by one decision that everyone sees, with the
/// words that lead to it. What is decided in secret, such as a night, is one.
#[utoipa::path(post, path = "/api/v1/tables/{table}/step", tag = "lead",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 200, description = "One decision is under way", body = ControlState),
    (status = 401, description = "This needs the token of the admin or of whoever laid the table", body = ErrorBody),
    (status = 403, description = "Another player's token", body = ErrorBody),
    (status = 409, description = "Not paused, not begun, or over", body = ErrorBody),
), security(("seat" = [])))]
pub async fn step(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<Json<ControlState>, ApiError> {
    control(&registry, from, &table, &headers, Control::Step).await
}

/// How fast a game goes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Tempo {
    /// How long a bot waits before it acts, in milliseconds; 0: not at all.
    #[schema(maximum = 60_000)]
    #[serde(deserialize_with = "whole_number")]
    bot_ms: u64,
}

/// Sets how fast the bots of a table act.
#[utoipa::path(post, path = "/api/v1/tables/{table}/pace", tag = "lead", request_body = Tempo,
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 200, description = "From now on", body = ControlState),
    (status = 400, description = "Slower than once a minute", body = ErrorBody),
    (status = 401, description = "This needs the token of the admin or of whoever laid the table", body = ErrorBody),
    (status = 403, description = "Another player's token", body = ErrorBody),
    (status = 409, description = "Over", body = ErrorBody),
), security(("seat" = [])))]
pub async fn pace(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
    Payload(Tempo { bot_ms }): Payload<Tempo>,
) -> Result<Json<ControlState>, ApiError> {
    if bot_ms > SLOWEST {
        return Err(ApiError::Malformed(format!("bots wait at most {SLOWEST} ms")));
    }
    control(&registry, from, &table, &headers, Control::Pace { bot_ms }).await
}

/// Why a game is ended.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// For everyone to read.
    #[serde(default)]
    reason: Option<String>,
}

/// Ends a game before its time, or a table that still waits.
#[utoipa::path(post, path = "/api/v1/tables/{table}/terminate", tag = "lead", request_body = Ending,
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 200, description = "It is over", body = Started),
    (status = 401, description = "This needs the token of the admin or of whoever laid the table", body = ErrorBody),
    (status = 403, description = "Another player's token", body = ErrorBody),
    (status = 409, description = "It is over already, or its game cannot be called off", body = ErrorBody),
), security(("seat" = [])))]
pub async fn terminate(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
    Payload(ending): Payload<Ending>,
) -> Result<Json<Started>, ApiError> {
    let id = registry.table_id(from, &table).await?;
    let who = credential(&registry, &headers, None, &id)?;
    let reason = ending.reason;
    if reason.as_deref().is_some_and(|reason| reason.chars().count() > 200) {
        return Err(ApiError::Malformed("a reason has at most 200 characters".to_owned()));
    }
    registry.ask(&id, |reply| Request::End { who, reason: reason.clone(), reply }).await?;
    Ok(Json(Started { status: Status::Terminated }))
}
