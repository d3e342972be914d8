//! WebSocket: commands up, events down, on one connection.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::SplitStream;
use parlor_house::{Act, AtTables};
use parlor_kernel::{ClientMessage, MessageError, Seat, Viewer, brief};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::{Instant, timeout};
use tungstenite::error::ProtocolError;

use crate::api_error::ApiError;
use crate::http::{BODY_LIMIT, Caller, bearer, origin_is_ours, table_and_dialect};
use crate::limits::{Address, RateCheck};
use crate::registry::{OpenStream, Registry};
use crate::socket_error::socket_error;
use crate::table::{
    AnswerTo, Credential, Delivery, DirectSink, Mailbox, Request, Subscription, take_key,
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
    pub const PROTOCOL: u16 = 1002;
    pub const NOT_TEXT: u16 = 1007;
    pub const POLICY: u16 = 1008;
    pub const TOO_LARGE: u16 = 1009;
    pub const TRY_AGAIN: u16 = 1013;
}

/// Which table, in which dialect.
#[derive(Debug, Deserialize)]
pub struct Connect {
    table: String,
    dialect: Option<String>,
    remarks: Option<bool>,
}

/// Upgrades to a WebSocket.
pub async fn upgrade(
    State(registry): State<Arc<Registry>>,
    query: Result<Query<Connect>, axum::extract::rejection::QueryRejection>,
    Caller(from): Caller,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let Query(Connect { table, dialect, remarks }) =
        query.map_err(|_| ApiError::Malformed("connect to /ws?table=…&dialect=…".to_owned()))?;
    let upgrade = upgrade
        .map_err(|_| ApiError::Malformed("this address speaks WebSocket only".to_owned()))?;
    if !origin_is_ours(&registry, &headers) {
        return Err(ApiError::Forbidden("this origin may not connect; see --origin".to_owned()));
    }
    let (table, dialect, open) = table_and_dialect(&registry, from, &table, dialect).await?;
    let (game, remarks) = (open.game, remarks.unwrap_or(false));
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
                Connection {
                    registry,
                    table,
                    dialect,
                    remarks,
                    game,
                    who: Credential::Nobody,
                    from,
                    incoming,
                },
                DirectSink::new(outgoing),
            );
            // Boxed, as other things below: a quiet connection should not
            // hold memory for what happens only once or now and then.
            if let Some((connection, sink, stream)) = Box::pin(connection.authenticate(sink)).await
            {
                connection.run(sink, stream).await;
            }
        })
        .into_response())
}

/// The first message of a client that does not join in the game's own way.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Greeting {
    /// Takes the seat of a token.
    Auth {
        /// The token of a seat, or the admin's.
        token: String,
        /// The position after which to go on; with a snapshot if it is not said.
        #[serde(default)]
        after: Option<u64>,
    },
    /// Watches as the public does.
    Watch {
        /// The position after which to go on; with a snapshot if it is not said.
        #[serde(default)]
        after: Option<u64>,
    },
}

struct Connection {
    registry: Arc<Registry>,
    table: String,
    dialect: &'static str,
    remarks: bool,
    game: &'static dyn AtTables,
    /// What the first message proved itself with.
    who: Credential,
    from: Address,
    incoming: SplitStream<WebSocket>,
}

impl Connection {
    /// Takes the first message, which authenticates the client.
    async fn authenticate(
        mut self,
        mut sink: DirectSink,
    ) -> Option<(Connection, DirectSink, OpenStream)> {
        let stop = self.registry.stop.clone();
        let greeting = tokio::select! {
            greeting = timeout(GREETING_WITHIN, self.next_text()) => greeting,
            () = stop.cancelled() => {
                self.close(sink, closing::GOING_AWAY, "stopping").await;
                return None;
            }
        };
        let message = match greeting {
            Ok(Ok(message)) => message,
            Ok(Err(parting)) => {
                self.part(sink, parting).await;
                return None;
            }
            Err(_) => {
                self.close(sink, closing::POLICY, "nobody said who they are").await;
                return None;
            }
        };
        match self.subscribe(&message).await {
            Ok(stream) => Some((self, sink, stream)),
            Err(error) => {
                sink.send(self.told(None, &error)).await;
                self.close(sink, closing::POLICY, error.code()).await;
                None
            }
        }
    }

    async fn next_text(&mut self) -> Result<Utf8Bytes, Parting> {
        loop {
            if let Some(text) = text_of(self.incoming.next().await)? {
                return Ok(text);
            }
        }
    }

    async fn subscribe(&mut self, message: &str) -> Result<OpenStream, ApiError> {
        let (who, after, claimed) = self.greeting(message)?;
        let (registry, table) = (&self.registry, &self.table);
        let (dialect, remarks) = (self.dialect, self.remarks);
        let stream = registry.subscribe(self.from, table, who, dialect, after, remarks).await?;
        self.who = who;
        let own = stream.viewer.seat().map(Seat::player_id);
        if claimed.is_some() && claimed != own {
            let sentence = format!("this token is not {}'s", claimed.unwrap_or_default());
            return Err(ApiError::Forbidden(sentence));
        }
        Ok(stream)
    }

    /// A join on an open socket proves the same seat as the first message did.
    async fn prove_again(
        &self,
        seat: Seat,
        claimed: Option<&str>,
        token: &str,
    ) -> Result<(), ApiError> {
        let who = bearer(&self.registry, token);
        let identify = |reply| Request::Identify { who, reply };
        let viewer = self.registry.ask(&self.table, identify).await?;
        let own = seat.player_id();
        match claimed {
            Some(other) if other != own => {
                Err(ApiError::Forbidden(format!("this socket is {own}'s, not {}'s", brief(other))))
            }
            _ if viewer != Viewer::Seat(seat) => {
                Err(ApiError::Forbidden(format!("this token is not {own}'s")))
            }
            _ => Ok(()),
        }
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
    async fn run(mut self, mut sink: DirectSink, stream: OpenStream) {
        let OpenStream { id, viewer, backlog, mut subscription, guard } = stream;
        let mut allowance = self.registry.limits.socket_allowance();
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
                Wakeup::Received(message) => {
                    silent = 0;
                    let message = match allowance.count() {
                        RateCheck::Ignored => Err(TOO_MANY),
                        _ => text_of(message),
                    };
                    match message {
                        Ok(None) => true,
                        Ok(Some(text)) => {
                            match Box::pin(self.forward(&mut mailbox, id, viewer, &text)).await {
                                Ok(()) => true,
                                Err(error) => {
                                    let text = self.told(viewer.seat(), &error);
                                    let send = async |sink: &mut DirectSink| sink.send(text).await;
                                    write(&mut subscription, send).await
                                }
                            }
                        }
                        Err(parting) => {
                            let Some(sink) = subscription.take_back() else { return };
                            drop(guard);
                            return Box::pin(self.part(sink, parting)).await;
                        }
                    }
                }
                Wakeup::Ping if self.registry.blocks.check(self.from).is_err() => {
                    let Some(sink) = subscription.take_back() else { return };
                    drop(guard);
                    return self.close(sink, closing::POLICY, "this address is blocked").await;
                }
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
                        false if subscription.is_cut_off() => {
                            (closing::POLICY, "removed from this table")
                        }
                        false => (closing::TRY_AGAIN, "too slow; resume from your position"),
                    };
                    return Box::pin(self.close(sink, code, reason)).await;
                }
            };
            if !goes_on {
                return;
            }
        }
    }

    /// An error as this client is told it.
    fn told(&self, seat: Option<Seat>, error: &ApiError) -> Utf8Bytes {
        socket_error(self.game, self.dialect, seat, false, error).into()
    }

    /// Closes the socket and waits a moment for the client to leave: on a
    /// connection that is reset while something comes in the reason is lost.
    async fn close(mut self, sink: DirectSink, code: u16, reason: &str) {
        sink.close(code, reason).await;
        let leaving = async { while let Some(Ok(_)) = self.incoming.next().await {} };
        drop(timeout(PARTING_WITHIN, leaving).await);
    }

    /// Ends a connection that the client has ended, or that cannot go on.
    async fn part(mut self, sink: DirectSink, parting: Parting) {
        match parting {
            // What is still to be read is nothing but the answer to the
            // client's own closing, which goes out meanwhile.
            Parting::Closed => {
                let leaving = async { while let Some(Ok(_)) = self.incoming.next().await {} };
                drop(timeout(PARTING_WITHIN, leaving).await);
            }
            Parting::Broken => {}
            Parting::Because(code, reason) => {
                sink.close(code, reason).await;
                // Nothing more can be read. A connection closed at once would
                // be reset by what still comes in, and the reason lost.
                tokio::time::sleep(PARTING_WITHIN).await;
            }
        }
    }

    /// Passes a command on to the table, which answers on the stream.
    async fn forward(
        &mut self,
        mailbox: &mut Mailbox,
        id: u64,
        viewer: Viewer,
        text: &str,
    ) -> Result<(), ApiError> {
        let Viewer::Seat(seat) = viewer else { return Err(ApiError::Unauthenticated) };
        self.registry.blocks.check(self.from)?;
        self.registry.limits.command(&self.table, u64::from(seat.0))?;
        let (key, message) = take_key(text)?;
        // Not by the seat alone: its player may have been removed since.
        let (who, dialect, command) = (self.who, self.dialect, self.hear(&message));
        if let Ok(ClientMessage::Join { player_id, token, .. }) = &command {
            self.prove_again(seat, player_id.as_deref(), token).await?;
        }
        let answer = AnswerTo::Stream(id);
        let request = Request::Command { who, dialect, command, key, is_checked: true, answer };
        self.registry.send_through(mailbox, &self.table, request).await
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
    let is_open = Box::pin(send(&mut sink)).await;
    subscription.lend(sink);
    is_open
}

/// Why a connection ends that the client has written to.
enum Parting {
    /// The client closes it.
    Closed,
    /// It is gone.
    Broken,
    /// What came cannot be read, and nothing after it can.
    Because(u16, &'static str),
}

/// Commands beyond what a seat may send are refused one by one. Whoever goes on
/// and on is not answered any more.
const TOO_MANY: Parting = Parting::Because(closing::POLICY, "too many messages");

const NOT_TEXT: Parting = Parting::Because(closing::NOT_TEXT, "messages are texts in UTF-8");

/// The text that came, if it is one; pings and the like are none.
fn text_of(received: Option<Result<Message, axum::Error>>) -> Result<Option<Utf8Bytes>, Parting> {
    match received {
        None => Err(Parting::Broken),
        Some(Ok(Message::Text(text))) => Ok(Some(text)),
        Some(Ok(Message::Binary(bytes))) => {
            Utf8Bytes::try_from(bytes).map(Some).map_err(|_| NOT_TEXT)
        }
        Some(Ok(Message::Close(_))) => Err(Parting::Closed),
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(None),
        Some(Err(error)) => Err(parting_for(error)),
    }
}

fn parting_for(error: axum::Error) -> Parting {
    use tungstenite::Error as E;
    match error.into_inner().downcast_ref::<E>() {
        Some(E::Capacity(_)) => {
            Parting::Because(closing::TOO_LARGE, "a message has at most 16384 bytes")
        }
        Some(E::Utf8(_)) => NOT_TEXT,
        Some(E::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => Parting::Broken,
        Some(E::Protocol(_)) => Parting::Because(closing::PROTOCOL, "this is no WebSocket frame"),
        _ => Parting::Broken,
    }
}
