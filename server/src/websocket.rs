//! WebSocket: commands up, events down, on one connection.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use futures_util::SinkExt;
use parlor_house::{Act, Offer};
use parlor_kernel::{Heard, Misheard, Seat, Viewer};
use serde::Deserialize;
use tokio::time::{Instant, timeout};

use crate::hall::Hall;
use crate::http::{BODY_LIMIT, bearer, origin_is_ours, spoken};
use crate::refusal::Refusal;
use crate::streams::Attendance;
use crate::table::{Credential, Done, Door, Knock, Listening, Passage};

/// Whoever connects must say who they are within this time.
const GREETING_WITHIN: Duration = Duration::from_secs(10);
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
    State(hall): State<Arc<Hall>>,
    query: Result<Query<Connect>, axum::extract::rejection::QueryRejection>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let Query(Connect { table, dialect }) =
        query.map_err(|_| Refusal::Malformed("connect to /ws?table=…&dialect=…".to_owned()))?;
    let upgrade =
        upgrade.map_err(|_| Refusal::Malformed("this address speaks WebSocket only".to_owned()))?;
    if !origin_is_ours(&hall, &headers) {
        return Err(Refusal::Forbidden("this origin may not connect; see --origin".to_owned()));
    }
    let (table, dialect, game) = spoken(&hall, &table, dialect).await?;
    let upgrade = upgrade
        .read_buffer_size(SOCKET_BUFFER)
        .write_buffer_size(BODY_LIMIT)
        .max_write_buffer_size(1 << 20)
        .max_message_size(BODY_LIMIT)
        .max_frame_size(BODY_LIMIT);
    Ok(upgrade
        .on_upgrade(async move |socket| {
            let visit = Visit { hall, table, dialect, game, socket };
            // Boxed, as other things below: a quiet connection should not
            // hold room for what happens only once or now and then.
            if let Some((visit, who, listening)) = Box::pin(visit.greet()).await {
                visit.attend(who, listening).await;
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

struct Visit {
    hall: Arc<Hall>,
    table: String,
    dialect: &'static str,
    game: &'static dyn Offer,
    socket: WebSocket,
}

impl Visit {
    /// Lets in whoever says who they are; others are sent away.
    async fn greet(mut self) -> Option<(Visit, Credential, Listening)> {
        let stop = self.hall.stop.clone();
        let greeting = tokio::select! {
            greeting = timeout(GREETING_WITHIN, self.next_text()) => greeting,
            () = stop.cancelled() => {
                self.close(closing::GOING_AWAY, "stopping").await;
                return None;
            }
        };
        let Ok(message) = greeting else {
            self.close(closing::POLICY, "nobody said who they are").await;
            return None;
        };
        match self.admit(&message?).await {
            Ok((who, listening)) => Some((self, who, listening)),
            Err(refusal) => {
                self.say(refusal_text(&refusal)).await;
                self.close(closing::POLICY, refusal.code()).await;
                None
            }
        }
    }

    async fn next_text(&mut self) -> Option<Utf8Bytes> {
        loop {
            match self.socket.recv().await?.ok()? {
                Message::Text(text) => return Some(text),
                Message::Binary(bytes) => return Utf8Bytes::try_from(bytes).ok(),
                Message::Close(_) => return None,
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
    }

    async fn admit(&mut self, message: &str) -> Result<(Credential, Listening), Refusal> {
        let (who, after, claimed) = self.greeting(message)?;
        let dialect = self.dialect;
        let listen = |reply| Knock::Listen { who, dialect, after, reply };
        let listening = self.hall.ask(&self.table, listen).await?;
        let own = listening.viewer.seat().map(Seat::player_id);
        if claimed.is_some() && claimed != own {
            let sentence = format!("this token is not {}'s", claimed.unwrap_or_default());
            drop(Attendance::new(&self.hall, &self.table, listening.id));
            return Err(Refusal::Forbidden(sentence));
        }
        Ok((Credential::Known(listening.viewer), listening))
    }

    fn greeting(
        &self,
        message: &str,
    ) -> Result<(Credential, Option<u64>, Option<String>), Refusal> {
        match serde_json::from_str(message) {
            Ok(Greeting::Auth { token, after }) => Ok((bearer(&self.hall, &token), after, None)),
            Ok(Greeting::Watch { after }) => Ok((Credential::Nobody, after, None)),
            Err(_) => match self.hear(message)? {
                Heard::Join { player_id, token, after } => {
                    Ok((bearer(&self.hall, &token), after, player_id))
                }
                _ => Err(Refusal::Unauthenticated),
            },
        }
    }

    fn hear(&self, message: &str) -> Result<Heard<Act>, Misheard> {
        self.game.hear(self.dialect, message.as_bytes())
    }

    /// Events down and commands up, until either side has enough.
    async fn attend(mut self, who: Credential, listening: Listening) {
        let Listening { id, viewer, backlog, mut live } = listening;
        let _attendance = Attendance::new(&self.hall, &self.table, id);
        if !self.send_all([Arc::new(Passage::Step(backlog))]).await {
            return;
        }
        let Ok(mut door) = self.hall.door(&self.table).await else { return };
        let mut ping = tokio::time::interval_at(Instant::now() + PING_EVERY, PING_EVERY);
        let mut silent = 0;
        loop {
            tokio::select! {
                biased;
                passages = live.next() => match passages {
                    Some(passages) => if !self.send_all(passages).await {
                        return;
                    },
                    // A server that stops stops its tables, and they let go
                    // of everyone.
                    None if self.hall.stop.is_cancelled() => {
                        return self.close(closing::GOING_AWAY, "the server is stopping").await;
                    }
                    None => return self.close(closing::TRY_AGAIN, "too slow; resume from your position").await,
                },
                message = self.socket.recv() => {
                    silent = 0;
                    match message {
                        Some(Ok(Message::Text(text))) => {
                            Box::pin(self.obey(&mut door, who, viewer, &text)).await;
                        }
                        Some(Ok(Message::Binary(bytes))) => match Utf8Bytes::try_from(bytes) {
                            Ok(text) => Box::pin(self.obey(&mut door, who, viewer, &text)).await,
                            Err(_) => self.say(refusal_text(&not_text())).await,
                        },
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    }
                }
                _ = ping.tick() => {
                    silent += 1;
                    let pinged = self.socket.send(Message::Ping(Default::default())).await;
                    if silent > 3 || pinged.is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// Carries out a command. What it makes comes back as events, and a
    /// refusal by the game comes back on the stream too.
    async fn obey(&mut self, door: &mut Door, who: Credential, viewer: Viewer, message: &str) {
        match self.command(door, who, viewer, message).await {
            Ok(Done { snapshot: Some(snapshot), .. }) => self.say(snapshot.get().into()).await,
            Ok(_) | Err(Refusal::Game { .. }) => {}
            Err(refusal) => self.say(refusal_text(&refusal)).await,
        }
    }

    async fn command(
        &mut self,
        door: &mut Door,
        who: Credential,
        viewer: Viewer,
        message: &str,
    ) -> Result<Done, Refusal> {
        let Viewer::Seat(seat) = viewer else { return Err(Refusal::Unauthenticated) };
        self.hall.limits.command(&self.table, u64::from(seat.0))?;
        let (dialect, heard) = (self.dialect, self.hear(message));
        let (reply, answer) = tokio::sync::oneshot::channel();
        let knock = Knock::Command { who, dialect, heard, key: None, reply };
        self.hall.send_through(door, &self.table, knock).await?;
        answer.await.unwrap_or(Err(Refusal::Stopping))
    }

    async fn say(&mut self, text: Utf8Bytes) {
        // A socket that cannot be written to shows itself on the next read.
        drop(self.socket.send(Message::Text(text)).await);
    }

    async fn send_all(&mut self, passages: impl IntoIterator<Item = Arc<Passage>>) -> bool {
        for passage in passages {
            for frame in passage.frames() {
                if self.socket.feed(Message::Text(frame.text.clone())).await.is_err() {
                    return false;
                }
            }
        }
        self.socket.flush().await.is_ok()
    }

    async fn close(mut self, code: u16, reason: &str) {
        let frame = CloseFrame { code, reason: reason.into() };
        drop(self.socket.send(Message::Close(Some(frame))).await);
    }
}

fn not_text() -> Refusal {
    Refusal::Malformed("messages are JSON texts".to_owned())
}

fn refusal_text(refusal: &Refusal) -> Utf8Bytes {
    serde_json::to_string(&refusal.body()).unwrap_or_default().into()
}
