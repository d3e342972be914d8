//! What only the admin may ask.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;

use super::auth::is_admin;
use super::lobby::TableList;
use crate::api_error::{ApiError, ErrorBody};
use crate::record::Status;
use crate::registry::{Among, Registry};
use crate::table::stored_info;

/// The admin is shown at most this many tables of a kind.
const MOST: usize = 1000;

/// Every table that is played or waits, also those the lobby does not list.
#[utoipa::path(get, path = "/api/v1/admin/tables", tag = "house", responses(
    (status = 200, description = "The tables", body = TableList),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
), security(("seat" = [])))]
pub async fn tables(
    State(registry): State<Arc<Registry>>,
    headers: HeaderMap,
) -> Result<Json<TableList>, ApiError> {
    if !is_admin(&registry, &headers) {
        return Err(ApiError::AdminOnly);
    }
    let mut tables = Vec::new();
    for status in [Status::Playing, Status::Waiting] {
        let found = registry.find_tables(Among::All, Some(status), MOST, |_| true).await?;
        tables.extend(found.iter().map(stored_info));
    }
    Ok(Json(TableList { tables }))
}
