//! What the admin does about people: removing, blocking, hiding, erasing; and
//! what players report.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use parlor_house::same_name;
use parlor_kernel::{Seat, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::auth::credential;
use super::request::{Caller, Payload, whole_or_null};
use crate::api_error::{ApiError, ErrorBody};
use crate::blocks::Block;
use crate::limits::Address;
use crate::record::{Kind, Record};
use crate::registry::{Among, Registry};
use crate::reports::{self, REASON_LIMIT, Report};
use crate::secrets::new_table_id;
use crate::table::{Credential, Moderation, Request};
use crate::time::now;

/// Lets nobody pass but the admin.
pub fn check_admin(registry: &Registry, headers: &HeaderMap) -> Result<(), ApiError> {
    match credential(registry, headers, None, "")? {
        Credential::Known(Viewer::Admin) => Ok(()),
        _ => Err(ApiError::Unauthenticated),
    }
}

/// A reason as it is kept.
fn proper_reason(reason: &str) -> Result<String, ApiError> {
    let reason = reason.trim();
    let is_proper = !reason.contains('\0') && reason.chars().count() <= REASON_LIMIT;
    match is_proper {
        true => Ok(reason.to_owned()),
        false => {
            Err(ApiError::Malformed(format!("a reason has at most {REASON_LIMIT} characters")))
        }
    }
}

async fn moderate(
    registry: &Arc<Registry>,
    headers: &HeaderMap,
    from: Address,
    table: &str,
    order: Moderation,
) -> Result<StatusCode, ApiError> {
    check_admin(registry, headers)?;
    let id = registry.table_id(from, table).await?;
    registry.ask(&id, |reply| Request::Moderate { order: order.clone(), reply }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Why somebody is removed.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Removal {
    /// For the person to read.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: Option<String>,
}

/// Removes a person from a table: their token is void and their streams end.
/// Before the game the seat is free again; in the game its time runs out
/// whenever it is asked.
#[utoipa::path(post, path = "/api/v1/admin/tables/{table}/seats/{seat}/remove", tag = "house",
    request_body = Removal,
    params(("table" = String, Path, description = "The table's id or code"),
        ("seat" = u8, Path, description = "The seat, from 0")), responses(
    (status = 204, description = "They are gone"),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
    (status = 409, description = "NOBODY_THERE: no person sits there", body = ErrorBody),
), security(("seat" = [])))]
pub async fn remove(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path((table, seat)): Path<(String, u8)>,
    headers: HeaderMap,
    Payload(removal): Payload<Removal>,
) -> Result<StatusCode, ApiError> {
    let reason = removal.reason.as_deref().map(proper_reason).transpose()?;
    moderate(&registry, &headers, from, &table, Moderation::Remove { seat: Seat(seat), reason })
        .await
}

/// Erases the name of a person at a table from all that is shown and exported
/// from now on.
#[utoipa::path(post, path = "/api/v1/admin/tables/{table}/seats/{seat}/erase", tag = "house",
    params(("table" = String, Path, description = "The table's id or code"),
        ("seat" = u8, Path, description = "The seat, from 0")), responses(
    (status = 204, description = "The name is told no more"),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
    (status = 409, description = "NOBODY_THERE: no person sits there", body = ErrorBody),
), security(("seat" = [])))]
pub async fn erase(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path((table, seat)): Path<(String, u8)>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    moderate(&registry, &headers, from, &table, Moderation::Erase { seat: Seat(seat) }).await
}

/// A name to erase.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Erasure {
    /// The name; how it is written, in capitals say, does not count.
    name: String,
}

/// What was erased.
#[derive(Debug, Serialize, ToSchema)]
pub struct Erased {
    /// At how many tables.
    tables: usize,
}

/// Erases a name at every table a person of that name sat at.
#[utoipa::path(post, path = "/api/v1/admin/erasures", tag = "house", request_body = Erasure, responses(
    (status = 200, description = "The name is told no more", body = Erased),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
), security(("seat" = [])))]
pub async fn erase_everywhere(
    State(registry): State<Arc<Registry>>,
    headers: HeaderMap,
    Payload(Erasure { name }): Payload<Erasure>,
) -> Result<Json<Erased>, ApiError> {
    check_admin(&registry, &headers)?;
    let named = |record: &Record| seats_of(record, &name).next().is_some();
    let found = registry.find_tables(Among::All, None, usize::MAX, named).await?;
    for record in &found {
        for seat in seats_of(record, &name) {
            let order = Moderation::Erase { seat };
            let ask = |reply| Request::Moderate { order: order.clone(), reply };
            registry.ask(&record.id, ask).await?;
        }
    }
    Ok(Json(Erased { tables: found.len() }))
}

/// The seats of people who go by this name.
fn seats_of<'a>(record: &'a Record, name: &'a str) -> impl Iterator<Item = Seat> + 'a {
    let seats = (0..).map(Seat).zip(&record.seats);
    let people = seats.filter(|(_, entry)| entry.kind == Kind::Human && !entry.erased);
    let namesakes = people.filter(move |(_, entry)| {
        entry.name.as_deref().is_some_and(|known| same_name(known, name))
    });
    namesakes.map(|(seat, _)| seat)
}

/// Leaves a table out of the lobby and all lists. It goes on as before.
#[utoipa::path(post, path = "/api/v1/admin/tables/{table}/hide", tag = "house",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 204, description = "It is in no list"),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
), security(("seat" = [])))]
pub async fn hide(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    moderate(&registry, &headers, from, &table, Moderation::List(false)).await
}

/// Lists a table that was hidden, or never listed.
#[utoipa::path(post, path = "/api/v1/admin/tables/{table}/show", tag = "house",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 204, description = "It is listed"),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
), security(("seat" = [])))]
pub async fn show(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    moderate(&registry, &headers, from, &table, Moderation::List(true)).await
}

/// An address to block.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBlock {
    /// The address; of an IPv6 address its whole /64.
    #[schema(value_type = String, example = "203.0.113.7")]
    address: IpAddr,
    /// For how long; until it is lifted if it is not said.
    #[serde(default, deserialize_with = "whole_or_null")]
    seconds: Option<u64>,
    /// Why, for the admin.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: Option<String>,
}

/// The blocks that hold.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlockList {
    /// The newest first.
    blocks: Vec<Block>,
}

/// Blocks an address: it is refused at the door.
#[utoipa::path(post, path = "/api/v1/admin/blocks", tag = "house", request_body = NewBlock, responses(
    (status = 201, description = "It is blocked", body = Block),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
), security(("seat" = [])))]
pub async fn block(
    State(registry): State<Arc<Registry>>,
    headers: HeaderMap,
    Payload(order): Payload<NewBlock>,
) -> Result<(StatusCode, Json<Block>), ApiError> {
    check_admin(&registry, &headers)?;
    let reason = order.reason.as_deref().map(proper_reason).transpose()?;
    let (blocks, store) = (&registry.blocks, &registry.store);
    let block = blocks.add(store, order.address, order.seconds, reason).await?;
    Ok((StatusCode::CREATED, Json(block)))
}

/// The addresses that are blocked.
#[utoipa::path(get, path = "/api/v1/admin/blocks", tag = "house", responses(
    (status = 200, description = "The blocks", body = BlockList),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
), security(("seat" = [])))]
pub async fn blocks(
    State(registry): State<Arc<Registry>>,
    headers: HeaderMap,
) -> Result<Json<BlockList>, ApiError> {
    check_admin(&registry, &headers)?;
    Ok(Json(BlockList { blocks: registry.blocks.list() }))
}

/// Lifts a block.
#[utoipa::path(delete, path = "/api/v1/admin/blocks/{address}", tag = "house",
    params(("address" = String, Path, description = "The address")), responses(
    (status = 204, description = "It may come again"),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
    (status = 404, description = "NOT_BLOCKED", body = ErrorBody),
), security(("seat" = [])))]
pub async fn lift(
    State(registry): State<Arc<Registry>>,
    Path(address): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    check_admin(&registry, &headers)?;
    let address = address.parse().map_err(|_| ApiError::NotBlocked)?;
    match registry.blocks.lift(&registry.store, address).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::NotBlocked),
    }
}

/// What a player reports of another.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// Whose seat.
    seat: u8,
    /// What happened.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// A report that is kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reported {
    /// Its id.
    report_id: String,
}

/// Reports a player of the table to the admin, with the game as it stands.
#[utoipa::path(post, path = "/api/v1/tables/{table}/reports", tag = "play", request_body = NewReport,
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 201, description = "The admin will see it", body = Reported),
    (status = 400, description = "NO_SUCH_SEAT, or no reason", body = ErrorBody),
    (status = 401, description = "Not a player of this table", body = ErrorBody),
    (status = 409, description = "NOBODY_THERE: no other person sits there", body = ErrorBody),
    (status = 429, description = "TOO_MANY_REPORTS", body = ErrorBody),
), security(("seat" = [])))]
pub async fn report(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
    Payload(order): Payload<NewReport>,
) -> Result<(StatusCode, Json<Reported>), ApiError> {
    registry.limits.join(from)?;
    let reason = proper_reason(&order.reason)?;
    if reason.is_empty() {
        return Err(ApiError::Malformed("a report says what happened".to_owned()));
    }
    let id = registry.table_id(from, &table).await?;
    let who = credential(&registry, &headers, None, &id)?;
    let seat = Seat(order.seat);
    let (by, position) = registry.ask(&id, |reply| Request::Report { who, seat, reply }).await?;
    let game = registry.table(&id).await?.game.name().to_owned();
    let report_id = new_table_id().replacen("t-", "r-", 1);
    let (table_id, at) = (id, now());
    let report = Report { report_id, table_id, game, seat: seat.0, by: by.0, reason, position, at };
    // One at a time: the bound is looked at before it is kept.
    let _turn = registry.reporting.lock().await;
    reports::keep(&registry.store, &report).await?;
    tracing::info!(table = report.table_id, seat = report.seat, "a player was reported");
    Ok((StatusCode::CREATED, Json(Reported { report_id: report.report_id })))
}

/// The reports that wait.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportList {
    /// The oldest first.
    reports: Vec<Report>,
}

/// What players have reported.
#[utoipa::path(get, path = "/api/v1/admin/reports", tag = "house", responses(
    (status = 200, description = "The reports", body = ReportList),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
), security(("seat" = [])))]
pub async fn reports(
    State(registry): State<Arc<Registry>>,
    headers: HeaderMap,
) -> Result<Json<ReportList>, ApiError> {
    check_admin(&registry, &headers)?;
    Ok(Json(ReportList { reports: reports::all(&registry.store).await? }))
}

/// Closes a report: it is kept no longer.
#[utoipa::path(post, path = "/api/v1/admin/reports/{report}/close", tag = "house",
    params(("report" = String, Path, description = "The report's id")), responses(
    (status = 200, description = "What it was", body = Report),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
    (status = 404, description = "NO_SUCH_REPORT", body = ErrorBody),
), security(("seat" = [])))]
pub async fn close_report(
    State(registry): State<Arc<Registry>>,
    Path(report): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Report>, ApiError> {
    check_admin(&registry, &headers)?;
    let _turn = registry.reporting.lock().await;
    reports::close(&registry.store, &report).await?.map(Json).ok_or(ApiError::NoSuchReport)
}
