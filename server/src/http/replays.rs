//! Logs that a client brings along, told as the server would tell its own.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, Request, State};
use axum::http::HeaderMap;
use parlor_house::HouseError;
use parlor_kernel::{CANONICAL, Envelope, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::auth::is_admin;
use super::request::{Caller, body_of};
use crate::api_error::{ApiError, ErrorBody};
use crate::limits::{Excess, FoldFor};
use crate::record::Record;
use crate::registry::Registry;
use crate::table::{SeatInfo, stored_info};

/// No line of a log that someone brings along may be longer.
const LINE_LIMIT: usize = 64 * 1024;

/// How long a log may be where limits are off, and for the admin.
const LONGEST: usize = 64 << 20;

/// No game's id may be longer: it stands in every message.
const ID_LIMIT: usize = 128;

/// How it is to be told.
#[derive(Debug, Deserialize, IntoParams)]
pub struct ReplayQuery {
    /// `admin`, `postmortem`, `public` (or `town`) or `seat:N`; `admin` if it is not said.
    view: Option<String>,
    /// The dialect; the game's first if it is not said.
    dialect: Option<String>,
}

/// A game told from its first message to its last.
#[derive(Debug, Serialize, ToSchema)]
pub struct Replay {
    /// What was played.
    game: &'static str,
    /// Who sat where.
    seats: Vec<SeatInfo>,
    /// What the viewer was told.
    #[schema(value_type = Vec<Object>)]
    messages: Vec<Box<RawValue>>,
}

/// Tells a whole log that someone brings along, in a dialect. Nothing is kept.
#[utoipa::path(post, path = "/api/v1/replays", tag = "play", params(ReplayQuery),
    request_body(content = String, description = "A log as `parlor export` writes it", content_type = "application/x-ndjson"),
    responses(
    (status = 200, description = "The game, told", body = Replay),
    (status = 400, description = "Not a whole log of a game of this house; or UNKNOWN_DIALECT, NO_SUCH_SEAT: not of this game", body = ErrorBody),
    (status = 413, description = "TOO_LARGE: too many bytes or events", body = ErrorBody),
    (status = 429, description = "RATE_LIMITED, BUSY; Retry-After says when to try again", body = ErrorBody),
    (status = 503, description = "BUSY; Retry-After says when to try again", body = ErrorBody),
))]
pub async fn tell(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Query(query): Query<ReplayQuery>,
    headers: HeaderMap,
    request: Request,
) -> Result<Json<Replay>, ApiError> {
    let is_admin = is_admin(&registry, &headers);
    let place = match is_admin {
        true => None,
        false => {
            registry.limits.read(from)?;
            registry.accounts.bring_replay(from)?
        }
    };
    let limits = registry.config.limits.as_ref().filter(|_| !is_admin);
    let most = limits.map_or(LONGEST, |limits| limits.replay_kilobytes as usize * 1024);
    let events = limits.map_or(u32::MAX, |limits| limits.replay_events);
    let bytes = body_of(request, most).await?;
    let whom = if is_admin { FoldFor::Player(from) } else { FoldFor::Stranger(from) };
    let fold_place = registry.fold_place(whom).await?;
    registry
        .fold_in(fold_place, move || {
            let _place = place;
            told(&bytes, events, &query)
        })
        .await
        .map(Json)
}

fn told(bytes: &[u8], most: u32, query: &ReplayQuery) -> Result<Replay, ApiError> {
    let malformed = |error: &dyn std::fmt::Display| ApiError::Malformed(error.to_string());
    let text = std::str::from_utf8(bytes).map_err(|error| malformed(&error))?;
    let log = read(text, most)?;
    let game = log.first().and_then(parlor_house::game_of);
    let none = &"this is no whole log of a game of this house; `parlor export` writes one";
    let (game, first) = game.zip(log.first()).ok_or_else(|| malformed(none))?;
    if first.game_id.len() > ID_LIMIT {
        return Err(malformed(&format_args!("a game's id has at most {ID_LIMIT} bytes")));
    }
    // Every seat makes every event dearer: nobody sits there who could not.
    game.check_seats(first).map_err(|error| malformed(&error))?;
    let view = query.view.as_deref().unwrap_or("admin").parse::<Viewer>();
    let view = view.map_err(|error| malformed(&error))?;
    let spoken = game.dialects().first().copied().unwrap_or(CANONICAL);
    let dialect = game.speaks(query.dialect.as_deref().unwrap_or(spoken))?;
    let messages = game.tell(&log, view, dialect).map_err(|error| match error {
        HouseError::NoSuchSeat(_) => ApiError::NoSuchSeat,
        other => malformed(&other),
    })?;
    let messages = messages.into_iter().map(RawValue::from_string).collect::<Result<Vec<_>, _>>();
    let record = Record::imported(game, &log);
    let record = record.ok_or_else(|| malformed(&"this log names no seats"))?;
    Ok(Replay {
        game: game.name(),
        seats: stored_info(&record).seats,
        messages: messages.map_err(|error| malformed(&error))?,
    })
}

/// The events of a log, one a line. Lines are counted before any is read.
fn read(text: &str, most: u32) -> Result<Vec<Envelope>, ApiError> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    if lines().nth(most as usize).is_some() {
        return Err(Excess::Events(most).into());
    }
    if lines().any(|line| line.len() > LINE_LIMIT) {
        return Err(ApiError::Malformed(format!("an event has at most {LINE_LIMIT} bytes")));
    }
    let read = |(nth, line): (usize, &str)| {
        let envelope: Result<Envelope, _> = serde_json::from_str(line);
        envelope.map_err(|error| {
            ApiError::Malformed(format!("line {} is no event of a log: {error}", nth + 1))
        })
    };
    lines().enumerate().map(read).collect()
}
