//! Server-sent events: a stream that resumes with nothing lost and nothing twice.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::{BufMut, Bytes, BytesMut};
use parlor_kernel::{brief, position_of};
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;

use super::auth::credential;
use super::commands::table_and_dialect;
use super::request::Caller;
use crate::api_error::{ApiError, ErrorBody};
use crate::registry::Registry;
use crate::table::{Frame, Subscription};

/// A comment this often keeps proxies from closing a quiet stream.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Which stream, from where.
#[derive(Debug, Deserialize, IntoParams)]
pub struct StreamQuery {
    /// The dialect; the game's first if it is not said.
    dialect: Option<String>,
    /// Resumes after this position; 0 gives the whole stream. The id of an
    /// event (`evt_7`) or of a snapshot (`evt_snapshot_7`) is taken too.
    after: Option<String>,
    /// Whether each event has an `event:` line with its type, for clients that
    /// listen by name.
    event_names: Option<bool>,
    /// Whether the stream also carries what is said about the table, such as an
    /// offer of a rematch: objects with a `type`, without an id.
    remarks: Option<bool>,
    /// A ticket from `…/ticket`.
    ticket: Option<String>,
}

/// The events as they happen, after a snapshot or from a position on.
#[utoipa::path(get, path = "/api/v1/tables/{table}/events", tag = "play",
    params(("table" = String, Path, description = "The table's id or code"), StreamQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "Resumes after this position: 7, evt_7 or evt_snapshot_7")),
    responses(
    (status = 200, description = "Server-sent events; `id:` is the position", content_type = "text/event-stream"),
    (status = 401, description = "Unknown token or used ticket", body = ErrorBody),
    (status = 409, description = "The stream has not got that far", body = ErrorBody),
    (status = 429, description = "TOO_MANY_STREAMS, TOO_MANY_GUESSES, BUSY; Retry-After says when to try again", body = ErrorBody),
    (status = 503, description = "BUSY; Retry-After says when to try again", body = ErrorBody),
))]
pub async fn stream(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    Query(query): Query<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let after = resume_position(&headers, query.after.as_deref())?;
    let (id, dialect, _) = table_and_dialect(&registry, from, &table, query.dialect).await?;
    let who = credential(&registry, &headers, query.ticket.as_deref(), &id)?;
    let remarks = query.remarks.unwrap_or(false);
    let stream = registry.subscribe(from, &id, who, dialect, after, remarks).await?;
    let names = query.event_names.unwrap_or(false);
    let mut opening = BytesMut::from(&b":\n\n"[..]);
    for frame in &stream.backlog {
        write_event(&mut opening, frame, names);
    }
    let start = (Some(opening.freeze()), stream.subscription, stream.guard);
    let events = futures_util::stream::unfold(start, move |(first, mut subscription, guard)| {
        let registry = Arc::clone(&registry);
        async move {
            let chunk = match first {
                Some(opening) => opening,
                None => next_chunk(&mut subscription, names).await?,
            };
            // The stream of an address that was blocked meanwhile ends here.
            registry.blocks.check(from).ok()?;
            Some((Ok::<Bytes, std::convert::Infallible>(chunk), (None, subscription, guard)))
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(events)).into_response())
}

async fn next_chunk(subscription: &mut Subscription, names: bool) -> Option<Bytes> {
    let Ok(deliveries) = tokio::time::timeout(HEARTBEAT, subscription.next()).await else {
        return Some(Bytes::from_static(b":\n\n"));
    };
    let mut chunk = BytesMut::new();
    for delivery in deliveries? {
        delivery.frames().iter().for_each(|frame| write_event(&mut chunk, frame, names));
    }
    Some(chunk.freeze())
}

/// One event in the stream's format. The JSON has no line breaks of its own.
fn write_event(out: &mut BytesMut, frame: &Frame, names: bool) {
    if let Some(position) = frame.position {
        out.put_slice(format!("id: {position}\n").as_bytes());
    }
    if names && let Some(name) = event_name(&frame.text) {
        out.put_slice(format!("event: {name}\n").as_bytes());
    }
    out.put_slice(b"data: ");
    out.put_slice(frame.text.as_bytes());
    out.put_slice(b"\n\n");
}

/// The type of an event, which every dialect has in a field of its own.
fn event_name(text: &str) -> Option<String> {
    let event: serde_json::Map<String, Value> = serde_json::from_str(text).ok()?;
    let name = |field| event.get(field).and_then(Value::as_str).map(str::to_owned);
    ["event_type", "event", "eventType", "type"].into_iter().find_map(name)
}

/// Where the client goes on. What it has seen last counts before what it asked
/// for first; both must be positions.
fn resume_position(headers: &HeaderMap, after: Option<&str>) -> Result<Option<u64>, ApiError> {
    let last = headers.get("last-event-id").map(|value| value.to_str().unwrap_or("?"));
    let last = last.filter(|text| !text.is_empty()).map(read_position).transpose()?;
    let after = after.map(read_position).transpose()?;
    Ok(last.or(after))
}

fn read_position(text: &str) -> Result<u64, ApiError> {
    let is_number = text.bytes().all(|one| one.is_ascii_digit());
    let number = if is_number { text.parse().ok() } else { position_of(text) };
    number.ok_or_else(|| {
        let text = brief(text);
        ApiError::Malformed(format!("a position is a whole number such as 7, not '{text}'"))
    })
}
