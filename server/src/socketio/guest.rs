//! Who a socket speaks for, and what it has said.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_house::Offer;
use parlor_kernel::{Room, Seat, Viewer};
use serde_json::Value;
use socketioxide::extract::{Event, SocketRef, TryData};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::words::Complaint;
use crate::hall::Hall;
use crate::http::{bearer, origin_is_ours};
use crate::limits::{Allowance, Verdict};
use crate::refusal::Refusal;
use crate::table::{Credential, Knock};

/// How much may wait to be heard. Only a client that does not wait for
/// answers gets there, and only where limits are off.
const INBOX: usize = 256;

/// Why a socket is turned away, in the contract's words.
#[derive(Debug, thiserror::Error)]
pub enum Unwelcome {
    #[error("Missing authentication")]
    Missing,
    #[error("Invalid credentials")]
    Invalid,
    #[error("Origin not allowed")]
    Origin,
    #[error("Server unavailable")]
    Unavailable,
}

impl From<Refusal> for Unwelcome {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NoSuchTable(_) | Refusal::Unauthenticated => Unwelcome::Invalid,
            _ => Unwelcome::Unavailable,
        }
    }
}

/// Something a client has said.
pub struct Said {
    /// The event.
    pub event: String,
    /// What came with it; null if nothing did, or nothing that can be read.
    pub data: Value,
}

/// Whom a socket speaks for.
pub struct Guest {
    /// The table.
    pub table: String,
    /// The seat.
    pub seat: Seat,
    /// What is played there.
    pub game: &'static dyn Offer,
    /// And how, in rooms.
    pub room: Room,
    /// Cancelled when the socket is closed.
    pub gone: CancellationToken,
    inbox: Mutex<Inbox>,
    bell: Notify,
}

struct Inbox {
    waiting: VecDeque<Said>,
    allowance: Allowance,
}

impl Guest {
    /// Lets in a socket that proves its seat. From here on what it says is
    /// kept, so that nothing is lost that comes before it is attended to.
    pub async fn admit(
        hall: &Arc<Hall>,
        socket: &SocketRef,
        auth: &Value,
    ) -> Result<(), Unwelcome> {
        if !origin_is_ours(hall, &socket.req_parts().headers) {
            return Err(Unwelcome::Origin);
        }
        let text = |name: &str| auth[name].as_str().filter(|text| !text.is_empty());
        let (Some(secret), Some(session)) = (text("secretId"), text("sessionId")) else {
            return Err(Unwelcome::Missing);
        };
        let table = hall.table_id(session).await?;
        let who = bearer(hall, secret);
        let viewer = hall.ask(&table, |reply| Knock::WhoIs { who, reply }).await?;
        let Viewer::Seat(seat) = viewer else { return Err(Unwelcome::Invalid) };
        let info = hall.ask(&table, |reply| Knock::Info { reply }).await?;
        let game = parlor_house::game(info.game).ok_or(Unwelcome::Invalid)?;
        let guest = Arc::new(Guest {
            table,
            seat,
            game,
            room: game.room().ok_or(Unwelcome::Invalid)?,
            gone: CancellationToken::new(),
            inbox: Mutex::new(Inbox {
                waiting: VecDeque::new(),
                allowance: hall.limits.allowance(),
            }),
            bell: Notify::new(),
        });
        guest.listen_to(socket);
        socket.extensions.insert(guest);
        Ok(())
    }

    fn listen_to(self: &Arc<Self>, socket: &SocketRef) {
        let guest = Arc::clone(self);
        // Not async: each event is taken in before the next is read, so they
        // stay in order.
        socket.on_fallback(
            move |socket: SocketRef, Event(event): Event, TryData(data): TryData<Value>| {
                guest.hear(&socket, Said { event, data: data.unwrap_or_default() });
                std::future::ready(())
            },
        );
        let gone = self.gone.clone();
        socket.on_disconnect(async move || gone.cancel());
    }

    /// The guest as the table knows it.
    pub fn credential(&self) -> Credential {
        Credential::Known(Viewer::Seat(self.seat))
    }

    fn hear(&self, socket: &SocketRef, said: Said) {
        let mut inbox = self.inbox();
        let seconds = match inbox.allowance.count() {
            Verdict::Heard if inbox.waiting.len() < INBOX => {
                inbox.waiting.push_back(said);
                self.bell.notify_one();
                return;
            }
            Verdict::Heard => 1,
            Verdict::Refused(seconds) => seconds,
            Verdict::Ignored => return,
        };
        drop(inbox);
        if let Some(remark) = Complaint::of(&Refusal::RateLimited(seconds)).remark(self) {
            // A client that cannot even be told has its hands full already.
            drop(socket.emit(remark.event, &remark.payload));
        }
    }

    /// The next thing the client said.
    pub async fn next_said(&self) -> Said {
        loop {
            if let Some(said) = self.inbox().waiting.pop_front() {
                return said;
            }
            self.bell.notified().await;
        }
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        // A panic elsewhere leaves the queue as it was.
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
