//! The life of a socket: events down, commands up, until either side leaves.

use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::Seat;
use serde::Serialize;
use serde_json::{Value, json};
use socketioxide::extract::SocketRef;
use socketioxide::{SendError, SocketError};

use super::guest::{Guest, Said};
use super::words::{Complaint, Events, GameState, Remark, Terminated, raw};
use crate::hall::Hall;
use crate::ledger::HOST;
use crate::refusal::Refusal;
use crate::streams::Attendance;
use crate::table::{AnswerTo, Door, Frame, Knock, Listening, Live, Passage};

/// A client that reads slowly is tried again after this time. One that is
/// gone for good is found by its missing heartbeat.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(20);

/// A socket has closed; nothing more can be said on it.
struct Gone;

/// A socket and the seat it speaks for.
pub struct Visit {
    hall: Arc<Hall>,
    socket: SocketRef,
    guest: Arc<Guest>,
    /// The position of the last event sent: none goes out twice.
    told: u64,
}

impl Visit {
    /// A socket that has just been let in.
    pub fn new(hall: Arc<Hall>, socket: SocketRef, guest: Arc<Guest>) -> Visit {
        Visit { hall, socket, guest, told: 0 }
    }

    /// Attends to the socket until it closes or the room does.
    pub async fn attend(mut self) {
        let (guest, stop) = (Arc::clone(&self.guest), self.hall.stop.clone());
        tokio::select! {
            biased;
            () = guest.gone.cancelled() => {}
            () = stop.cancelled() => {}
            // Boxed: many sockets are quiet, and none should hold room for
            // the longest thing it may ever do.
            left = Box::pin(self.stay()) => drop(left),
        }
    }

    /// Once at the table; again whenever the table has let a slow listener go.
    async fn stay(&mut self) -> Result<(), Gone> {
        let mut is_new = true;
        loop {
            let listening = match self.listen().await {
                Ok(listening) => listening,
                Err(refusal) => {
                    self.complain(Complaint::of(&refusal)).await?;
                    return self.leave().await;
                }
            };
            let Listening { id, backlog, mut live, .. } = listening;
            let _attendance = Attendance::new(&self.hall, &self.guest.table, id);
            if is_new {
                self.greet(&backlog).await?;
            } else if !backlog.is_empty() {
                self.tell(&backlog).await?;
            }
            is_new = false;
            let Ok(door) = self.hall.door(&self.guest.table).await else { return Err(Gone) };
            self.converse(door, &mut live).await?;
        }
    }

    async fn listen(&self) -> Result<Listening, Refusal> {
        let (who, dialect) = (self.guest.credential(), self.guest.room.dialect);
        let after = Some(self.told);
        let listen = |reply| Knock::Listen { who, dialect, after, reply };
        self.hall.ask(&self.guest.table, listen).await
    }

    /// Passes on what happens and carries out what is said, until the table
    /// lets go of the listener.
    async fn converse(&mut self, mut door: Door, live: &mut Live) -> Result<(), Gone> {
        let guest = Arc::clone(&self.guest);
        loop {
            tokio::select! {
                biased;
                passages = live.next() => match passages {
                    Some(passages) => {
                        for passage in passages {
                            self.pass_on(&passage).await?;
                        }
                    }
                    None => return Ok(()),
                },
                said = guest.next_said() => self.answer(&mut door, said).await?,
            }
        }
    }

    /// Everything that happened so far, and who is there.
    async fn greet(&mut self, backlog: &[Frame]) -> Result<(), Gone> {
        let info = self.hall.ask(&self.guest.table, |reply| Knock::Info { reply }).await;
        let seats = info.map(|info| info.seats).unwrap_or_default();
        let named = seats.into_iter().filter_map(|one| Some((one.seat.to_string(), one.name?)));
        let state = GameState { events: raw(backlog), nicknames: named.collect() };
        self.told = backlog.last().and_then(|frame| frame.position).unwrap_or(0);
        self.emit("game:state", &state).await
    }

    async fn pass_on(&mut self, passage: &Passage) -> Result<(), Gone> {
        match passage {
            Passage::Step(frames) => {
                let new = frames.iter().position(|frame| frame.position > Some(self.told));
                match new {
                    Some(first) => self.tell(&frames[first..]).await,
                    None => Ok(()),
                }
            }
            Passage::Remark(frame) => match Remark::read(&frame.text) {
                Some(remark) => self.emit(&remark.event, &remark.payload).await,
                None => Ok(()),
            },
            Passage::Farewell(farewell) => {
                self.emit("session:terminated", &Terminated::from(farewell)).await?;
                self.leave().await
            }
        }
    }

    async fn tell(&mut self, frames: &[Frame]) -> Result<(), Gone> {
        let last = frames.last().and_then(|frame| frame.position);
        self.told = last.map_or(self.told, |last| last.max(self.told));
        self.emit("game:events", &Events { events: raw(frames) }).await
    }

    async fn answer(&mut self, door: &mut Door, said: Said) -> Result<(), Gone> {
        let complaint = match said.event.as_str() {
            "game:start" => self.start().await.map_err(|refusal| Complaint::of(&refusal)),
            "game:sync" => match self.missed(&said.data).await {
                Ok(frames) => return self.tell(&frames).await,
                Err(refusal) => Err(Complaint::of(&refusal).under("SYNC_FAILED")),
            },
            _ => self.command(door, said).await.map_err(|refusal| Complaint::of(&refusal)),
        };
        match complaint {
            Ok(()) => Ok(()),
            Err(complaint) => self.complain(complaint).await,
        }
    }

    async fn start(&self) -> Result<(), Refusal> {
        if self.guest.seat != HOST {
            return Err(Refusal::NotHost);
        }
        let who = Some(self.guest.credential());
        self.hall.ask(&self.guest.table, |reply| Knock::Start { who, reply }).await
    }

    /// What came after the event a client has last.
    async fn missed(&self, data: &Value) -> Result<Vec<Frame>, Refusal> {
        let after = data["lastEventSequence"].as_u64().ok_or_else(|| {
            let sentence = "game:sync needs data with 'lastEventSequence': a whole number";
            Refusal::Malformed(sentence.to_owned())
        })?;
        let (who, dialect) = (self.guest.credential(), self.guest.room.dialect);
        let ask = |reply| Knock::Past { who, dialect, after, reply };
        self.hall.ask(&self.guest.table, ask).await
    }

    /// A move, in the room's dialect. A refusal by the game comes back on the
    /// stream, to everyone who listens from this seat.
    async fn command(&self, door: &mut Door, said: Said) -> Result<(), Refusal> {
        let Guest { table, seat, game, room, .. } = &*self.guest;
        let message = json!({ "event": said.event, "data": said.data }).to_string();
        let (who, dialect) = (self.guest.credential(), room.dialect);
        let heard = game.hear(dialect, message.as_bytes());
        let (reply, answer) = tokio::sync::oneshot::channel();
        let knock =
            Knock::Command { who, dialect, heard, key: None, answer: AnswerTo::Caller(reply) };
        self.hall.send_through(door, table, knock).await?;
        match answer.await.unwrap_or(Err(Refusal::Stopping)) {
            Ok(_) | Err(Refusal::Game { .. }) => Ok(()),
            Err(Refusal::NotStarted) => Err(self.too_early(*seat, &message)),
            Err(refusal) => Err(refusal),
        }
    }

    /// Before the game has begun the game itself says why not.
    fn too_early(&self, seat: Seat, message: &str) -> Refusal {
        let Guest { game, room, .. } = &*self.guest;
        let refused = game.too_early(room.dialect, seat, message.as_bytes());
        refused.map_or(Refusal::NotStarted, Refusal::from)
    }

    async fn complain(&self, complaint: Complaint) -> Result<(), Gone> {
        match complaint.remark(&self.guest) {
            Some(remark) => self.emit(&remark.event, &remark.payload).await,
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
                    tracing::debug!(%error, "a socket cannot be written to");
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
