//! The life of a socket: events down, commands up, until either side leaves.

use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::Seat;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use socketioxide::extract::SocketRef;
use socketioxide::{SendError, SocketError};

use super::handshake::{Client, Incoming};
use super::payloads::{
    ErrorEvent, Events, GameAnswer, GameState, Notice, SyncRequest, Terminated, raw,
};
use crate::api_error::ApiError;
use crate::record::HOST;
use crate::registry::{OpenStream, Registry};
use crate::table::{
    AnswerTo, Delivery, Frame, KEY_FIELD, Mailbox, Request, Subscription, Termination,
    idempotency_key,
};

/// A client that reads slowly is tried again after this time. One that is
/// gone for good is found by its missing heartbeat.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(20);

/// A socket has closed; nothing more can be sent on it.
struct Gone;

/// An open socket, with the client behind it.
pub struct Connection {
    registry: Arc<Registry>,
    socket: SocketRef,
    client: Arc<Client>,
    /// The position of the last event sent: none goes out twice.
    told: u64,
}

impl Connection {
    /// A socket that has just been let in.
    pub fn new(registry: Arc<Registry>, socket: SocketRef, client: Arc<Client>) -> Connection {
        Connection { registry, socket, client, told: 0 }
    }

    /// Attends to the socket until it closes or the room does.
    pub async fn run(mut self) {
        let (client, stop) = (Arc::clone(&self.client), self.registry.stop.clone());
        tokio::select! {
            biased;
            () = client.gone.cancelled() => {}
            () = stop.cancelled() => {}
            // Boxed: many sockets are quiet, and none should hold room for
            // the longest thing it may ever do.
            left = Box::pin(self.stay()) => drop(left),
        }
    }

    /// Subscribes, and again whenever the table has dropped a slow subscriber.
    async fn stay(&mut self) -> Result<(), Gone> {
        let mut is_new = true;
        loop {
            let stream = match self.subscribe().await {
                Ok(stream) => stream,
                Err(error) => {
                    self.complain(ErrorEvent::of("game:sync", &error)).await?;
                    return self.leave().await;
                }
            };
            let OpenStream { backlog, mut subscription, guard: _guard, .. } = stream;
            if is_new {
                self.greet(&backlog).await?;
            } else if !backlog.is_empty() {
                self.tell(&backlog).await?;
            }
            is_new = false;
            let Ok(mailbox) = self.registry.mailbox(&self.client.table).await else {
                return Err(Gone);
            };
            self.converse(mailbox, &mut subscription).await?;
        }
    }

    async fn subscribe(&self) -> Result<OpenStream, ApiError> {
        let Client { from, table, room, .. } = &*self.client;
        let (who, after) = (self.client.credential(), Some(self.told));
        self.registry.subscribe(*from, table, who, room.dialect, after, false).await
    }

    /// Sends what happens and carries out what comes in, until the table drops
    /// the subscriber.
    async fn converse(
        &mut self,
        mut mailbox: Mailbox,
        subscription: &mut Subscription,
    ) -> Result<(), Gone> {
        let client = Arc::clone(&self.client);
        loop {
            tokio::select! {
                biased;
                deliveries = subscription.next() => match deliveries {
                    Some(deliveries) => {
                        for delivery in deliveries {
                            self.deliver(&delivery).await?;
                        }
                    }
                    None => break,
                },
                said = client.next_incoming() => {
                    if let Err(error) = self.registry.blocks.check(client.from) {
                        self.complain(ErrorEvent::of(&said.event, &error)).await?;
                        return self.leave().await;
                    }
                    self.answer(&mut mailbox, said).await?;
                }
            }
        }
        if subscription.is_cut_off() {
            let message = "you were removed from this table".to_owned();
            let removed = Termination { message, by: None };
            self.emit("session:terminated", &Terminated::from(&removed)).await?;
            return self.leave().await;
        }
        Ok(())
    }

    /// Everything that happened so far, and who is there.
    async fn greet(&mut self, backlog: &[Frame]) -> Result<(), Gone> {
        let info = self.registry.ask(&self.client.table, |reply| Request::Info { reply }).await;
        let seats = info.map(|info| info.seats).unwrap_or_default();
        let named = seats.into_iter().filter_map(|one| Some((one.seat.to_string(), one.name?)));
        let state = GameState { events: raw(backlog), nicknames: named.collect() };
        self.told = backlog.last().and_then(|frame| frame.position).unwrap_or(0);
        self.emit("game:state", &state).await
    }

    async fn deliver(&mut self, delivery: &Delivery) -> Result<(), Gone> {
        match delivery {
            Delivery::Step(frames) => {
                let new = frames.iter().position(|frame| frame.position > Some(self.told));
                match new.and_then(|first| frames.get(first..)) {
                    Some(new) => self.tell(new).await,
                    None => Ok(()),
                }
            }
            Delivery::Notice(frame) => match Notice::read(&frame.text) {
                Some(notice) => self.emit(&notice.event, &notice.payload).await,
                None => Ok(()),
            },
            Delivery::Termination(termination) => {
                self.emit("session:terminated", &Terminated::from(termination)).await?;
                self.leave().await
            }
        }
    }

    async fn tell(&mut self, frames: &[Frame]) -> Result<(), Gone> {
        let last = frames.last().and_then(|frame| frame.position);
        self.told = last.map_or(self.told, |last| last.max(self.told));
        self.emit("game:events", &Events { events: raw(frames) }).await
    }

    async fn answer(&mut self, mailbox: &mut Mailbox, said: Incoming) -> Result<(), Gone> {
        let event = said.event.clone();
        let done = match event.as_str() {
            "game:start" => self.start().await,
            "game:sync" => match self.missed(&said.data).await {
                Ok(frames) => return self.tell(&frames).await,
                Err(error) => Err(error),
            },
            _ => match self.command(mailbox, said).await {
                Ok(Some((key, sequence))) => {
                    let answer = GameAnswer { idempotency_key: &key, sequence };
                    return self.emit("game:answer", &answer).await;
                }
                done => done.map(|_| ()),
            },
        };
        match done {
            Ok(()) => Ok(()),
            Err(error) => self.complain(ErrorEvent::of(&event, &error)).await,
        }
    }

    async fn start(&self) -> Result<(), ApiError> {
        if self.client.seat != HOST {
            return Err(ApiError::NotHost);
        }
        let who = Some(self.client.credential());
        self.registry.ask(&self.client.table, |reply| Request::Start { who, reply }).await
    }

    /// What came after the event a client has last.
    async fn missed(&self, data: &Value) -> Result<Vec<Frame>, ApiError> {
        let asked = SyncRequest::deserialize(data).map_err(|_| {
            let sentence = "game:sync needs data with 'lastEventSequence': a whole number";
            ApiError::Malformed(sentence.to_owned())
        })?;
        let Client { from, table, room, .. } = &*self.client;
        self.registry
            .missed(*from, table, self.client.credential(), room.dialect, asked.last_event_sequence)
            .await
    }

    /// A move, in the room's dialect. A refusal by the game comes back on the
    /// stream, on every stream of this seat. What is done under a key gives back
    /// the key and where that is in the stream.
    async fn command(
        &self,
        mailbox: &mut Mailbox,
        said: Incoming,
    ) -> Result<Option<(String, u64)>, ApiError> {
        let Client { table, seat, game, room, .. } = &*self.client;
        let key = key_in(&said.data)?;
        let message = json!({ "event": said.event, "data": said.data }).to_string();
        let (who, dialect) = (self.client.credential(), room.dialect);
        let command = game.hear(dialect, message.as_bytes());
        let (reply, answer) = tokio::sync::oneshot::channel();
        let request = Request::Command {
            who,
            dialect,
            command,
            key: key.clone(),
            is_checked: true,
            answer: AnswerTo::Caller(reply),
        };
        self.registry.send_through(mailbox, table, request).await?;
        match answer.await.unwrap_or(Err(ApiError::Stopping)) {
            Ok(done) => Ok(key.map(|key| (key, done.position))),
            Err(ApiError::Game { .. }) => Ok(None),
            Err(ApiError::NotStarted) => Err(self.too_early(*seat, &message)),
            Err(error) => Err(error),
        }
    }

    /// Before the game has begun the game itself says why not.
    fn too_early(&self, seat: Seat, message: &str) -> ApiError {
        let Client { game, room, .. } = &*self.client;
        let refused = game.too_early(room.dialect, seat, message.as_bytes());
        refused.map_or(ApiError::NotStarted, ApiError::from)
    }

    async fn complain(&self, error: ErrorEvent) -> Result<(), Gone> {
        match error.notice(&self.client) {
            Some(notice) => self.emit(&notice.event, &notice.payload).await,
            None => Ok(()),
        }
    }

    /// Sends an event. A client that does not keep up is waited for: what the
    /// table tells meanwhile is fetched from its log later.
    async fn emit(&self, event: &str, payload: &impl Serialize) -> Result<(), Gone> {
        loop {
            match self.socket.emit(event, payload) {
                Ok(()) => return Ok(()),
                Err(SendError::Socket(SocketError::InternalChannelFull)) => {
                    tokio::time::sleep(TRY_AGAIN_AFTER).await;
                }
                Err(error) => {
                    tracing::debug!(%error, "could not write to a socket");
                    return Err(Gone);
                }
            }
        }
    }

    /// Closes the socket, after everything that was sent before.
    async fn leave(&self) -> Result<(), Gone> {
        while let Err(SocketError::InternalChannelFull) = self.socket.clone().disconnect() {
            tokio::time::sleep(TRY_AGAIN_AFTER).await;
        }
        Err(Gone)
    }
}

/// The key a command brings beside its own fields. Sent again under it, the
/// command does nothing new.
fn key_in(data: &Value) -> Result<Option<String>, ApiError> {
    match &data[KEY_FIELD] {
        Value::Null => Ok(None),
        Value::String(key) => idempotency_key(key).map(Some),
        _ => Err(ApiError::InvalidKey),
    }
}
