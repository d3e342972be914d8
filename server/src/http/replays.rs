//! Logs that a client brings along, told as the server would tell its own.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, Request, State};
use parlor_house::HouseError;
use parlor_kernel::{CANONICAL, Envelope, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::request::body;
use crate::api_error::{ApiError, ErrorBody};
use crate::record::Record;
use crate::registry::Registry;
use crate::table::{SeatInfo, stored_info};

/// No log that someone brings along may be longer.
pub const LOG_LIMIT: usize = 8 << 20;

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
))]
pub async fn tell(
    State(registry): State<Arc<Registry>>,
    Query(query): Query<ReplayQuery>,
    request: Request,
) -> Result<Json<Replay>, ApiError> {
    let bytes = body(request, &()).await?;
    registry.read_out(move || told(&bytes, &query)).await.map(Json)
}

fn malformed(error: impl ToString) -> ApiError {
    ApiError::Malformed(error.to_string())
}

fn told(bytes: &[u8], query: &ReplayQuery) -> Result<Replay, ApiError> {
    let text = std::str::from_utf8(bytes).map_err(malformed)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let read = |(nth, line): (usize, &str)| {
        let envelope: Result<Envelope, _> = serde_json::from_str(line);
        envelope
            .map_err(|error| malformed(format!("line {} is no event of a log: {error}", nth + 1)))
    };
    let log = lines.enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    let game = log.first().and_then(parlor_house::game_of);
    let no_log = "this is no whole log of a game of this house; `parlor export` writes one";
    let game = game.ok_or_else(|| malformed(no_log))?;
    let view = query.view.as_deref().unwrap_or("admin").parse::<Viewer>().map_err(malformed)?;
    let first = game.dialects().first().copied().unwrap_or(CANONICAL);
    let dialect = game.speaks(query.dialect.as_deref().unwrap_or(first))?;
    let messages = game.tell(&log, view, dialect).map_err(|error| match error {
        HouseError::NoSuchSeat(_) => ApiError::NoSuchSeat,
        other => malformed(other),
    })?;
    let messages = messages.into_iter().map(RawValue::from_string).collect::<Result<Vec<_>, _>>();
    let record = Record::imported(game, &log);
    let record = record.ok_or_else(|| malformed("this log names no seats"))?;
    Ok(Replay {
        game: game.name(),
        seats: stored_info(&record).seats,
        messages: messages.map_err(malformed)?,
    })
}
