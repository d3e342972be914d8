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
use parlor_kernel::{Heard, Misheard, Seat, Viewer};
use serde::Deserialize;
use tokio::time::{Instant, timeout};

use crate::hall::Hall;
use crate::http::{BODY_LIMIT, bearer, origin_is_ours, spoken};
use crate::refusal::Refusal;
use crate::streams::Attendance;
use crate::table::{AnswerTo, Credential, Door, Knock, Listening, Live, Mouth, Passage};

/// Whoever connects must say who they are within this time.
const GREETING_WITHIN: Duration = Duration::from_secs(10);
/// Whoever is told to go must do so within this time.
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
            let (speaks, ears) = socket.split();
            let (visit, mouth) = (Visit { hall, table, dialect, game, ears }, Mouth::new(speaks));
            // Boxed, as other things below: a quiet connection should not
            // hold room for what happens only once or now and then.
            if let Some((visit, mouth, listening)) = Box::pin(visit.greet(mouth)).await {
                visit.attend(mouth, listening).await;
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
    ears: SplitStream<WebSocket>,
}

impl Visit {
    /// Lets in whoever says who they are; others are sent away.
    async fn greet(mut self, mut mouth: Mouth) -> Option<(Visit, Mouth, Listening)> {
        let stop = self.hall.stop.clone();
        let greeting = tokio::select! {
            greeting = timeout(GREETING_WITHIN, self.next_text()) => greeting,
            () = stop.cancelled() => {
                self.part(mouth, closing::GOING_AWAY, "stopping").await;
                return None;
            }
        };
        let Ok(message) = greeting else {
            self.part(mouth, closing::POLICY, "nobody said who they are").await;
            return None;
        };
        match self.admit(&message?).await {
            Ok(listening) => Some((self, mouth, listening)),
            Err(refusal) => {
                mouth.say(refusal.text().into()).await;
                self.part(mouth, closing::POLICY, refusal.code()).await;
                None
            }
        }
    }

    async fn next_text(&mut self) -> Option<Utf8Bytes> {
        loop {
            match self.ears.next().await?.ok()? {
                Message::Text(text) => return Some(text),
                Message::Binary(bytes) => return Utf8Bytes::try_from(bytes).ok(),
                Message::Close(_) => return None,
                Message::Ping(_) | Message::Pong(_) => {}
            }
        }
    }

    async fn admit(&mut self, message: &str) -> Result<Listening, Refusal> {
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
        Ok(listening)
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

    /// Events down and commands up, until either side has enough. While the
    /// client is silent and keeps up, the table speaks to it by itself.
    async fn attend(mut self, mut mouth: Mouth, listening: Listening) {
        let Listening { id, viewer, backlog, mut live } = listening;
        let _attendance = Attendance::new(&self.hall, &self.table, id);
        if !mouth.say_all([Arc::new(Passage::Step(backlog))]).await {
            return;
        }
        live.lend(mouth);
        let Ok(mut door) = self.hall.door(&self.table).await else { return };
        let mut ping = tokio::time::interval_at(Instant::now() + PING_EVERY, PING_EVERY);
        let mut silent = 0;
        loop {
            let turn = tokio::select! {
                biased;
                passages = live.next() => match passages {
                    Some(passages) => Turn::Tell(passages.collect()),
                    None => Turn::End,
                },
                message = self.ears.next() => Turn::Hear(message),
                _ = ping.tick() => Turn::Ping,
            };
            let goes_on = match turn {
                Turn::Tell(passages) => {
                    speak(&mut live, async |mouth| mouth.say_all(passages).await).await
                }
                Turn::Hear(Some(Ok(message))) => {
                    silent = 0;
                    match Box::pin(self.obey(&mut door, id, viewer, message)).await {
                        Ok(goes_on) => goes_on,
                        Err(refusal) => {
                            speak(&mut live, async |mouth| mouth.say(refusal.text().into()).await)
                                .await
                        }
                    }
                }
                Turn::Hear(Some(Err(_)) | None) => false,
                Turn::Ping => {
                    silent += 1;
                    silent <= 3 && speak(&mut live, Mouth::ping).await
                }
                Turn::End => {
                    let Some(mouth) = live.take_back() else { return };
                    // A server that stops stops its tables, and they let go
                    // of everyone.
                    let (code, reason) = match self.hall.stop.is_cancelled() {
                        true => (closing::GOING_AWAY, "the server is stopping"),
                        false => (closing::TRY_AGAIN, "too slow; resume from your position"),
                    };
                    return self.part(mouth, code, reason).await;
                }
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Says why, and waits a moment for the client to leave: a line on which
    /// something still comes in would break off, and the reason be lost.
    async fn part(mut self, mouth: Mouth, code: u16, reason: &str) {
        mouth.close(code, reason).await;
        let leaving = async { while let Some(Ok(_)) = self.ears.next().await {} };
        drop(timeout(PARTING_WITHIN, leaving).await);
    }

    /// Passes a command on; what comes of it the table tells on the stream.
    /// False: the client takes its leave.
    async fn obey(
        &mut self,
        door: &mut Door,
        id: u64,
        viewer: Viewer,
        message: Message,
    ) -> Result<bool, Refusal> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(bytes) => Utf8Bytes::try_from(bytes).map_err(|_| not_text())?,
            Message::Ping(_) | Message::Pong(_) => return Ok(true),
            Message::Close(_) => return Ok(false),
        };
        let Viewer::Seat(seat) = viewer else { return Err(Refusal::Unauthenticated) };
        self.hall.limits.command(&self.table, u64::from(seat.0))?;
        let (who, dialect, heard) = (Credential::Known(viewer), self.dialect, self.hear(&text));
        let answer = AnswerTo::Stream(id);
        let knock = Knock::Command { who, dialect, heard, key: None, answer };
        self.hall.send_through(door, &self.table, knock).await?;
        Ok(true)
    }
}

/// What is next on a connection.
enum Turn {
    Tell(Vec<Arc<Passage>>),
    Hear(Option<Result<Message, axum::Error>>),
    Ping,
    End,
}

/// Speaks while the table may not. False: nobody hears it any more.
async fn speak(live: &mut Live, say: impl AsyncFnOnce(&mut Mouth) -> bool) -> bool {
    let Some(mut mouth) = live.take_back() else { return false };
    let is_heard = say(&mut mouth).await;
    live.lend(mouth);
    is_heard
}

fn not_text() -> Refusal {
    Refusal::Malformed("messages are JSON texts".to_owned())
}
