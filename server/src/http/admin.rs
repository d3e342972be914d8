//! What only the admin may ask.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use parlor_kernel::Viewer;

use super::admission::credential;
use super::lobby::TableList;
use crate::hall::Hall;
use crate::ledger::{Ledger, Status};
use crate::refusal::{ErrorBody, Refusal};
use crate::table::{Credential, table_info};

/// The admin is shown at most this many tables of a kind.
const MOST: usize = 1000;

/// Every table that is played or waits, also those the lobby does not list.
#[utoipa::path(get, path = "/api/v1/admin/tables", tag = "house", responses(
    (status = 200, description = "The tables", body = TableList),
    (status = 401, description = "This needs the admin's token", body = ErrorBody),
), security(("seat" = [])))]
pub async fn tables(
    State(hall): State<Arc<Hall>>,
    headers: HeaderMap,
) -> Result<Json<TableList>, Refusal> {
    let Credential::Known(Viewer::Admin) = credential(&hall, &headers, None, "")? else {
        return Err(Refusal::Unauthenticated);
    };
    let mut tables = Vec::new();
    for status in [Status::Playing, Status::Waiting] {
        let records = hall.look_up(move |store| store.tables(Some(status.name()), MOST)).await?;
        let ledgers = records.iter().filter_map(Ledger::read);
        tables.extend(ledgers.map(|ledger| table_info(&ledger, |_| false)));
    }
    Ok(Json(TableList { tables }))
}
