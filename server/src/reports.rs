//! What players report of one another, kept for the admin until it is closed.

use parlor_store::{Batch, HouseRecord, PAGE, Store};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api_error::ApiError;

/// What a report is kept as.
const KIND: &str = "report";

/// At most so many wait for the admin.
const MOST: usize = 1_000;

/// At most so many of one seat at one table.
const MOST_OF_A_SEAT: usize = 5;

/// How long a reason may be.
pub const REASON_LIMIT: usize = 500;

/// A report. Names are told as they are now: one that was erased is not here.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Report {
    /// Its id.
    pub report_id: String,
    /// The table.
    pub table_id: String,
    /// What is played there.
    pub game: String,
    /// Who is reported.
    pub seat: u8,
    /// Who reports it.
    pub by: u8,
    /// Why, in the reporter's words.
    pub reason: String,
    /// How many events the log had then: `parlor replay TABLE --at` this less
    /// one shows the moment.
    pub position: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// All reports that wait for the admin, the oldest first.
pub async fn all(store: &Store) -> Result<Vec<Report>, ApiError> {
    let mut reports: Vec<Report> = Vec::new();
    let mut last: Option<String> = None;
    loop {
        let page = store.house_records(KIND, last.as_deref(), PAGE).await?;
        let is_last = page.len() < PAGE;
        for HouseRecord { id, data, .. } in page {
            reports.extend(data.as_deref().and_then(|data| serde_json::from_str(data).ok()));
            last = Some(id);
        }
        if is_last {
            break;
        }
    }
    reports.sort_by(|a, b| (a.at, &a.report_id).cmp(&(b.at, &b.report_id)));
    Ok(reports)
}

/// Keeps a report, if there is room for it.
pub async fn keep(store: &Store, report: &Report) -> Result<(), ApiError> {
    let known = all(store).await?;
    let is_alike = |one: &&Report| one.table_id == report.table_id && one.by == report.by;
    if known.iter().filter(is_alike).count() >= MOST_OF_A_SEAT || known.len() >= MOST {
        return Err(ApiError::TooManyReports);
    }
    let data =
        serde_json::to_string(report).map_err(|error| ApiError::Malformed(error.to_string()))?;
    write(store, &report.report_id, Some(data)).await
}

/// Closes a report: what it was; none if there is none.
pub async fn close(store: &Store, id: &str) -> Result<Option<Report>, ApiError> {
    let report = all(store).await?.into_iter().find(|report| report.report_id == id);
    if report.is_some() {
        write(store, id, None).await?;
    }
    Ok(report)
}

async fn write(store: &Store, id: &str, data: Option<String>) -> Result<(), ApiError> {
    let kept = HouseRecord { kind: KIND.to_owned(), id: id.to_owned(), data };
    Ok(store.commit(Batch { kept: Some(kept), ..Batch::default() }).await?)
}
