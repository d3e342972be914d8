//! WebSocket: commands up, events down, on one connection.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::SplitStream;
use parlor_house::{Act, Offer};
use parlor_kernel::{ClientMessage, MessageError, Seat, Viewer};
use serde::Deserialize;
use tokio::time::{Instant, timeout};

use crate::api_error::ApiError;
use crate::http::{BODY_LIMIT, bearer, origin_is_ours, table_and_dialect};
use crate::registry::Registry;
use crate::subscription_guard::SubscriptionGuard;
use crate::table::{
    AnswerTo, Credential, Delivery, DirectSink, Mailbox, Request, Subscribed, Subscription,
};

/// A client must authenticate within this time.
const GREETING_WITHIN: Duration = Duration::from_secs(10);
/// A client whose connection is closed must leave within this time.
const PARTING_WITHIN: Duration = Duration::from_secs(1);
/// A ping this often; a client silent for three of them is gone.
const PING_EVERY: Duration = Duration::from_secs(20);
/// Tungstenite would keep 128 KiB for reading and for writing, per socket.
/// Commands are short; a longer one makes the buffer grow while it is read.
const SOCKET_BUFFER: usize = 1024;

/// What goes wrong for good, as WebSocket close codes.
mod closing {
    pub const GOING_AWAY: u16 = 1001;
    pub const POLICY: u16 = 1008;
    pub const TRY_AGAIN: u16 = 1013;
}

/// Which table, in which dialect.
#[derive(Debug, Deserialize)]
pub struct Connect {
    table: String,
    dialect: Option<String>,
}

/// Upgrades to a WebSocket.
pub async fn upgrade(
    State(registry): State<Arc<Registry>>,
    query: Result<Query<Connect>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let Query(Connect { table, dialect }) =
        query.map_err(|_| ApiError::Malformed("connect to /ws?table=…&dialect=…".to_owned()))?;
    let upgrade = upgrade
        .map_err(|_| ApiError::Malformed("this address speaks WebSocket only".to_owned()))?;
    if !origin_is_ours(&registry, &headers) {
        return Err(ApiError::Forbidden("this origin may not connect; see --origin".to_owned()));
    }
    let (table, dialect, open) = table_and_dialect(&registry, &table, dialect).await?;
    let game = open.game;
    let upgrade = upgrade
        .read_buffer_size(SOCKET_BUFFER)
        .write_buffer_size(BODY_LIMIT)
        .max_write_buffer_size(1 << 20)
        .max_message_size(BODY_LIMIT)
        .max_frame_size(BODY_LIMIT);
    Ok(upgrade
        .on_upgrade(async move |socket| {
            let (outgoing, incoming) = socket.split();
            let (connection, sink) = (
                Connection { registry, table, dialect, game, incoming },
                DirectSink::new(outgoing),
            );
            // Boxed, as other things below: a quiet connection should not
            // hold memory for what happens only once or now and then.
            if let Some((connection, sink, subscribed)) =
                Box::pin(connection.authenticate(sink)).await
            {
                connection.run(sink, subscribed).await;
            }
        })
        .into_response())
}

/// The first message of a client that does not join in the game's own way.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Greeting {
    Auth {
        token: String,
        #[serde(default)]
        after: Option<u64>,
    },
    Watch {
        #[serde(default)]
        after: Option<u64>,
    },
}

struct Connection {
    registry: Arc<Registry>,
    table: String,
    dialect: &'static str,
    game: &'static dyn Offer,
    incoming: SplitStream<WebSocket>,
}

impl Connection {
    /// Takes the first message, which authenticates the client.
    async fn authenticate(
        mut self,
        mut sink: DirectSink,
    ) -> Option<(Connection, DirectSink, Subscribed)> {
        let stop = self.registry.stop.clone();
        let greeting = tokio::select! {
            greeting = timeout(GREETING_WITHIN, self.next_text()) => greeting,
            () = stop.cancelled() => {
                self.close(sink, closing::GOING_AWAY, "stopping").await;
                return None;
            }
        };
        let Ok(message) = greeting else {
            self.close(sink, closing::POLICY, "nobody said who they are").await;
            return None;
        };
        match self.subscribe(&message?).await {
            Ok(subscribed) => Some((self, sink, subscribed)),
            Err(refusal) => {
                sink.send(refusal.text().into()).await;
                self.close(sink, closing::POLICY, refusal.code()).await;
                None
            }
        }
    }

    async fn next_text(&mut self) -> Option<Utf8Bytes> {
        loop {
            match self.incoming.next().await?.ok()? {
                Message::Text(text) => return Some(text),
                Message::Binary(bytes) => return Utf8Bytes::try_from(bytes).ok(),
                Message::Close(_) => return None,
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
    }

    async fn subscribe(&mut self, message: &str) -> Result<Subscribed, ApiError> {
        let (who, after, claimed) = self.greeting(message)?;
        let dialect = self.dialect;
        let request = |reply| Request::Subscribe { who, dialect, after, reply };
        let subscribed = self.registry.ask(&self.table, request).await?;
        let own = subscribed.viewer.seat().map(Seat::player_id);
        if claimed.is_some() && claimed != own {
            let sentence = format!("this token is not {}'s", claimed.unwrap_or_default());
            drop(SubscriptionGuard::new(&self.registry, &self.table, subscribed.id));
            return Err(ApiError::Forbidden(sentence));
        }
        Ok(subscribed)
    }

    fn greeting(
        &self,
        message: &str,
    ) -> Result<(Credential, Option<u64>, Option<String>), ApiError> {
        match serde_json::from_str(message) {
            Ok(Greeting::Auth { token, after }) => {
                Ok((bearer(&self.registry, &token), after, None))
            }
            Ok(Greeting::Watch { after }) => Ok((Credential::Nobody, after, None)),
            Err(_) => match self.hear(message)? {
                ClientMessage::Join { player_id, token, after } => {
                    Ok((bearer(&self.registry, &token), after, player_id))
                }
                _ => Err(ApiError::Unauthenticated),
            },
        }
    }

    fn hear(&self, message: &str) -> Result<ClientMessage<Act>, MessageError> {
        self.game.hear(self.dialect, message.as_bytes())
    }

    /// Events down and commands up, until either side has enough. While the
    /// client is silent and keeps up, the table writes to the socket itself.
    async fn run(mut self, mut sink: DirectSink, subscribed: Subscribed) {
        let Subscribed { id, viewer, backlog, mut subscription } = subscribed;
        let _guard = SubscriptionGuard::new(&self.registry, &self.table, id);
        if !sink.send_all([Arc::new(Delivery::Step(backlog))]).await {
            return;
        }
        subscription.lend(sink);
        let Ok(mut mailbox) = self.registry.mailbox(&self.table).await else { return };
        let mut ping = tokio::time::interval_at(Instant::now() + PING_EVERY, PING_EVERY);
        let mut silent = 0;
        loop {
            let wakeup = tokio::select! {
                biased;
                deliveries = subscription.next() => match deliveries {
                    Some(deliveries) => Wakeup::Deliver(deliveries.collect()),
                    None => Wakeup::End,
                },
                message = self.incoming.next() => Wakeup::Received(message),
                _ = ping.tick() => Wakeup::Ping,
            };
            let goes_on = match wakeup {
                Wakeup::Deliver(deliveries) => {
                    write(&mut subscription, async |sink| sink.send_all(deliveries).await).await
                }
                Wakeup::Received(Some(Ok(message))) => {
                    silent = 0;
                    match Box::pin(self.forward(&mut mailbox, id, viewer, message)).await {
                        Ok(goes_on) => goes_on,
                        Err(refusal) => {
                            write(&mut subscription, async |sink| {
                                sink.send(refusal.text().into()).await
                            })
                            .await
                        }
                    }
                }
                Wakeup::Received(Some(Err(_)) | None) => false,
                Wakeup::Ping => {
                    silent += 1;
                    silent <= 3 && write(&mut subscription, DirectSink::ping).await
                }
                Wakeup::End => {
                    let Some(sink) = subscription.take_back() else { return };
                    // A server that stops stops its tables, and they drop
                    // all subscribers.
                    let (code, reason) = match self.registry.stop.is_cancelled() {
                        true => (closing::GOING_AWAY, "the server is stopping"),
                        false => (closing::TRY_AGAIN, "too slow; resume from your position"),
                    };
                    return self.close(sink, code, reason).await;
                }
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Closes the socket and waits a moment for the client to leave: on a
    /// connection that is reset while something comes in the reason is lost.
    async fn close(mut self, sink: DirectSink, code: u16, reason: &str) {
        sink.close(code, reason).await;
        let leaving = async { while let Some(Ok(_)) = self.incoming.next().await {} };
        drop(timeout(PARTING_WITHIN, leaving).await);
    }

    /// Passes a command on to the table, which answers on the stream. False: the
    /// client closes.
    async fn forward(
        &mut self,
        mailbox: &mut Mailbox,
        id: u64,
        viewer: Viewer,
        message: Message,
    ) -> Result<bool, ApiError> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(bytes) => Utf8Bytes::try_from(bytes).map_err(|_| not_text())?,
            Message::Ping(_) | Message::Pong(_) => return Ok(true),
            Message::Close(_) => return Ok(false),
        };
        let Viewer::Seat(seat) = viewer else { return Err(ApiError::Unauthenticated) };
        self.registry.limits.command(&self.table, u64::from(seat.0))?;
        let (who, dialect, heard) = (Credential::Known(viewer), self.dialect, self.hear(&text));
        let answer = AnswerTo::Stream(id);
        let request = Request::Command { who, dialect, heard, key: None, is_checked: true, answer };
        self.registry.send_through(mailbox, &self.table, request).await?;
        Ok(true)
    }
}

/// What is next on a connection.
enum Wakeup {
    Deliver(Vec<Arc<Delivery>>),
    Received(Option<Result<Message, axum::Error>>),
    Ping,
    End,
}

/// Writes while the table may not. False: the socket is closed.
async fn write(
    subscription: &mut Subscription,
    send: impl AsyncFnOnce(&mut DirectSink) -> bool,
) -> bool {
    let Some(mut sink) = subscription.take_back() else { return false };
    let is_open = send(&mut sink).await;
    subscription.lend(sink);
    is_open
}

fn not_text() -> ApiError {
    ApiError::Malformed("messages are JSON texts".to_owned())
}
