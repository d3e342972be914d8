//! Commands and tickets: what a seat's token is for.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, Request as HttpRequest, State};
use axum::http::{HeaderMap, StatusCode};
use parlor_kernel::{CANONICAL, ClientMessage};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::auth::{bearer, credential};
use super::request::{Caller, body};
use crate::api_error::{ApiError, ErrorBody};
use crate::limits::Address;
use crate::registry::{OpenTable, Registry};
use crate::secrets::TICKET_LIFE;
use crate::table::{AnswerTo, Credential, Done, Request, idempotency_key};

/// Which dialect to speak.
#[derive(Debug, Deserialize, IntoParams)]
pub struct DialectQuery {
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

/// The table's id, the dialect asked for or the first of its game, and the
/// table itself. Nobody is asked for that: the registry knows.
pub async fn table_and_dialect(
    registry: &Arc<Registry>,
    from: Address,
    table: &str,
    dialect: Option<String>,
) -> Result<(String, &'static str, OpenTable), ApiError> {
    let id = registry.table_id(from, table).await?;
    let open = registry.table(&id).await?;
    let dialect = match dialect {
        Some(asked) => open.game.speaks(&asked)?,
        None => open.game.dialects().first().copied().unwrap_or(CANONICAL),
    };
    Ok((id, dialect, open))
}

/// Sends a command. It is answered once what it made is on disk.
#[utoipa::path(post, path = "/api/v1/tables/{table}/commands", tag = "play",
    params(("table" = String, Path, description = "The table's id or code"), DialectQuery,
        ("Idempotency-Key" = Option<String>, Header, description = "The same command with the same key again gives the same answer and no new event; another command with that key is refused")),
    request_body(content = Object, description = "The command in its dialect; see /api/schemas"),
    responses(
    (status = 200, description = "It is durable", body = Done),
    (status = 400, description = "Not a command of this dialect", body = ErrorBody),
    (status = 401, description = "Not a player of this table", body = ErrorBody),
    (status = 409, description = "Not now: the game's own code", body = ErrorBody),
    (status = 422, description = "Not possible: the game's own code; or IDEMPOTENCY_KEY_REUSED", body = ErrorBody),
), security(("seat" = [])))]
pub async fn command(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    Query(DialectQuery { dialect }): Query<DialectQuery>,
    headers: HeaderMap,
    request: HttpRequest,
) -> Result<Json<Done>, ApiError> {
    let message = body(request, &()).await?;
    let id = registry.table_id(from, &table).await?;
    let mut who = credential(&registry, &headers, None, &id)?;
    let (id, dialect, mut table) = match table_and_dialect(&registry, from, &id, dialect).await {
        // Whoever proves nothing is told that first.
        Err(ApiError::UnknownDialect(_)) if matches!(who, Credential::Nobody) => {
            return Err(ApiError::Unauthenticated);
        }
        found => found?,
    };
    let key = key_in(&headers)?;
    let command = table.game.hear(dialect, &message);
    // A join proves who it is by itself.
    if let (Credential::Nobody, Ok(ClientMessage::Join { token, .. })) = (who, &command) {
        who = bearer(&registry, token);
    }
    let (reply, answer) = tokio::sync::oneshot::channel();
    let answer_to = AnswerTo::Caller(reply);
    let request =
        Request::Command { who, dialect, command, key, is_checked: false, answer: answer_to };
    registry.send_through(&mut table.mailbox, &id, request).await?;
    answer.await.unwrap_or(Err(ApiError::Stopping)).map(Json)
}

fn key_in(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().map_err(|_| ApiError::InvalidKey)?;
    idempotency_key(key).map(Some)
}

/// A ticket for a browser's stream: one use, 30 s, this table and viewer only.
#[utoipa::path(post, path = "/api/v1/tables/{table}/ticket", tag = "play",
    params(("table" = String, Path, description = "The table's id or code")), responses(
    (status = 201, description = "The ticket", body = TicketIssued),
    (status = 401, description = "Not a player of this table", body = ErrorBody),
), security(("seat" = [])))]
pub async fn ticket(
    State(registry): State<Arc<Registry>>,
    Caller(from): Caller,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<TicketIssued>), ApiError> {
    let id = registry.table_id(from, &table).await?;
    let who = credential(&registry, &headers, None, &id)?;
    if let Credential::Nobody = who {
        return Err(ApiError::Unauthenticated);
    }
    let viewer = registry.ask(&id, |reply| Request::Identify { who, reply }).await?;
    let ticket = registry.tickets.issue(&id, viewer);
    let expires_in = TICKET_LIFE.as_secs();
    Ok((StatusCode::CREATED, Json(TicketIssued { ticket, expires_in })))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::HeaderValue;
    use parlor_store::Store;
    use tokio::sync::mpsc;

    use super::*;
    use crate::config::Config;

    #[tokio::test]
    async fn a_command_is_one_message_to_its_table() {
        // The store knows no table: whatever is read from it is not found.
        let registry = Registry::new(Config::default(), Store::open("memory:").await.unwrap());
        let (mailbox, mut requests) = mpsc::channel(4);
        let game = parlor_house::game("koikoi").unwrap();
        registry.put("t-here", OpenTable { game, mailbox });
        let mut headers = HeaderMap::new();
        headers.insert("authorization", HeaderValue::from_static("Bearer token"));
        let message = r#"{"command":"ConfirmRoundEnd"}"#;
        let request = HttpRequest::new(Body::from(message));
        let query = Query(DialectQuery { dialect: None });
        let from = Caller(Address::of([192, 0, 2, 1].into()));
        let path = Path("t-here".to_owned());
        let sent = command(State(registry), from, path, query, headers, request);
        let table = async {
            let Some(Request::Command { answer: AnswerTo::Caller(reply), .. }) =
                requests.recv().await.map(|request| *request)
            else {
                panic!("something else than the command came first");
            };
            drop(reply.send(Ok(Done { position: 7, snapshot: None })));
            assert!(requests.recv().await.is_none(), "something came after the command");
        };
        let (Json(done), ()) = tokio::join!(async { sent.await.unwrap() }, table);
        assert_eq!(done.position, 7);
    }
}
