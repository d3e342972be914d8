//! Commands and tickets: what a seat's token is for.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode};
use parlor_house::Offer;
use parlor_kernel::{CANONICAL, Heard, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::admission::{bearer, credential};
use super::request::body;
use crate::hall::Hall;
use crate::refusal::{ErrorBody, Refusal};
use crate::secrets::TICKET_LIFE;
use crate::table::{AnswerTo, Credential, Done, Knock};

/// Which dialect to speak.
#[derive(Debug, Deserialize, IntoParams)]
pub struct Spoken {
    /// The dialect; the game's first if it is not said.
    pub dialect: Option<String>,
}

/// A ticket for one stream.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketIssued {
    /// To be passed as `?ticket=`; good once.
    ticket: String,
    /// For how many seconds.
    expires_in: u64,
}

/// The table's id, the dialect asked for or the first of its game, and the game.
pub async fn spoken(
    hall: &Arc<Hall>,
    table: &str,
    dialect: Option<String>,
) -> Result<(String, &'static str, &'static dyn Offer), Refusal> {
    let id = hall.table_id(table).await?;
    let info = hall.ask(&id, |reply| Knock::Info { reply }).await?;
    let game = parlor_house::game(info.game).ok_or(Refusal::NoSuchPage)?;
    let dialect = match dialect {
        Some(asked) => game.speaks(&asked)?,
        None => info.dialects.first().copied().unwrap_or(CANONICAL),
    };
    Ok((id, dialect, game))
}

/// Sends a command. It is answered once what it made is on disk.
#[utoipa::path(post, path = "/api/v1/tables/{table}/commands", tag = "play",
    params(("table" = String, Path, description = "The table's id or code"), Spoken,
        ("Idempotency-Key" = Option<String>, Header, description = "The same key again gives the same answer and no new event")),
    request_body(content = Object, description = "The command in its dialect; see /api/schemas"),
    responses(
    (status = 200, description = "It is durable", body = Done),
    (status = 400, description = "Not a command of this dialect", body = ErrorBody),
    (status = 401, description = "Not a player of this table", body = ErrorBody),
    (status = 409, description = "Not now: the game's own code", body = ErrorBody),
    (status = 422, description = "Not possible: the game's own code", body = ErrorBody),
), security(("seat" = [])))]
pub async fn command(
    State(hall): State<Arc<Hall>>,
    Path(table): Path<String>,
    Query(Spoken { dialect }): Query<Spoken>,
    headers: HeaderMap,
    request: Request,
) -> Result<Json<Done>, Refusal> {
    let message = body(request, &()).await?;
    let (id, dialect, game) = spoken(&hall, &table, dialect).await?;
    let mut who = credential(&hall, &headers, None, &id)?;
    let key = idempotency_key(&headers)?;
    let heard = game.hear(dialect, &message);
    // A join proves who it is by itself; anything else needs a token before
    // it is even read.
    if let (Credential::Nobody, Ok(Heard::Join { token, .. })) = (who, &heard) {
        who = bearer(&hall, token);
    }
    let viewer = hall.ask(&id, |reply| Knock::WhoIs { who, reply }).await?;
    let Viewer::Seat(seat) = viewer else { return Err(Refusal::Unauthenticated) };
    hall.limits.command(&id, u64::from(seat.0))?;
    if let Ok(Heard::Join { player_id: Some(player), .. }) = &heard
        && *player != seat.player_id()
    {
        return Err(Refusal::Forbidden(format!("this token is not {player}'s")));
    }
    let (reply, answer) = tokio::sync::oneshot::channel();
    hall.send(&id, Knock::Command { who, dialect, heard, key, answer: AnswerTo::Caller(reply) })
        .await?;
    answer.await.unwrap_or(Err(Refusal::Stopping)).map(Json)
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    match value.to_str() {
        Ok(key) if (1..=128).contains(&key.len()) => Ok(Some(key.to_owned())),
        _ => Err(Refusal::Malformed("an Idempotency-Key has 1 to 128 printable characters".into())),
    }
}

/// A ticket for a browser's stream: one use, 30 s, this table and viewer only.
#[utoipa::path(post, path = "/api/v1/tables/{table}/ticket", tag = "play",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 201, description = "The ticket", body = TicketIssued),
    (status = 401, description = "Not a player of this table", body = ErrorBody),
), security(("seat" = [])))]
pub async fn ticket(
    State(hall): State<Arc<Hall>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<TicketIssued>), Refusal> {
    let id = hall.table_id(&table).await?;
    let who = credential(&hall, &headers, None, &id)?;
    if let Credential::Nobody = who {
        return Err(Refusal::Unauthenticated);
    }
    let viewer = hall.ask(&id, |reply| Knock::WhoIs { who, reply }).await?;
    let ticket = hall.tickets.issue(&id, viewer);
    let expires_in = TICKET_LIFE.as_secs();
    Ok((StatusCode::CREATED, Json(TicketIssued { ticket, expires_in })))
}
