//! The handshake of a socket: which seat it proves to hold. From then on what
//! it sends waits in an inbox.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_house::AtTables;
use parlor_kernel::{Room, Seat, Viewer};
use serde_json::Value;
use socketioxide::extract::{Event, SocketRef, TryData};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::payloads::ErrorEvent;
use crate::api_error::ApiError;
use crate::http::{Caller, bearer, origin_is_ours};
use crate::limits::{Address, Allowance, RateCheck};
use crate::registry::Registry;
use crate::table::{Credential, Request};

/// How much may wait to be taken in. Only a client that does not wait for
/// answers gets there, and only where limits are off.
const INBOX: usize = 256;

/// The contract's words for a socket that is turned away.
const MISSING: &str = "Missing authentication";
const INVALID: &str = "Invalid credentials";
const ORIGIN: &str = "Origin not allowed";
const UNAVAILABLE: &str = "Server unavailable";

fn rejection(error: ApiError) -> &'static str {
    match error {
        ApiError::NoSuchTable(_) | ApiError::Unauthenticated => INVALID,
        _ => UNAVAILABLE,
    }
}

/// An event that came from a client.
pub struct Incoming {
    /// The event.
    pub event: String,
    /// What came with it; null if nothing did, or nothing that can be read.
    pub data: Value,
}

/// The client behind a socket, with the seat it holds.
pub struct Client {
    /// The table.
    pub table: String,
    /// The seat.
    pub seat: Seat,
    /// What proved it.
    who: Credential,
    /// Where it comes from.
    pub from: Address,
    /// What is played there.
    pub game: &'static dyn AtTables,
    /// And how, in rooms.
    pub room: Room,
    /// Cancelled when the socket is closed.
    pub gone: CancellationToken,
    inbox: Mutex<Inbox>,
    bell: Notify,
}

struct Inbox {
    waiting: VecDeque<Incoming>,
    allowance: Allowance,
}

impl Client {
    /// Accepts a socket that proves its seat. From here on what it sends is
    /// kept, so that nothing is lost that comes before the connection runs.
    pub async fn accept(
        registry: &Arc<Registry>,
        socket: &SocketRef,
        auth: &Value,
    ) -> Result<(), &'static str> {
        if !origin_is_ours(registry, &socket.req_parts().headers) {
            return Err(ORIGIN);
        }
        let text = |name: &str| auth[name].as_str().filter(|text| !text.is_empty());
        let (Some(secret), Some(session)) = (text("secretId"), text("sessionId")) else {
            return Err(MISSING);
        };
        let Caller(from) = Caller::of(socket.req_parts());
        let table = registry.table_id(from, session).await.map_err(rejection)?;
        let who = bearer(registry, secret);
        let viewer = registry.ask(&table, |reply| Request::Identify { who, reply }).await;
        let viewer = viewer.map_err(rejection)?;
        let Viewer::Seat(seat) = viewer else { return Err(INVALID) };
        let game = registry.table(&table).await.map_err(rejection)?.game;
        let client = Arc::new(Client {
            table,
            seat,
            who,
            from,
            game,
            room: game.room().ok_or(INVALID)?,
            gone: CancellationToken::new(),
            inbox: Mutex::new(Inbox {
                waiting: VecDeque::new(),
                allowance: registry.limits.allowance(),
            }),
            bell: Notify::new(),
        });
        client.receive_from(socket);
        socket.extensions.insert(client);
        Ok(())
    }

    fn receive_from(self: &Arc<Self>, socket: &SocketRef) {
        let client = Arc::clone(self);
        // Not async: each event is taken in before the next is read, so they
        // stay in order.
        socket.on_fallback(
            move |socket: SocketRef, Event(event): Event, TryData(data): TryData<Value>| {
                client.hear(&socket, Incoming { event, data: data.unwrap_or_default() });
                std::future::ready(())
            },
        );
        let gone = self.gone.clone();
        socket.on_disconnect(async move || gone.cancel());
    }

    /// The client as the table knows it.
    pub fn credential(&self) -> Credential {
        // Not by the seat alone: its player may have been removed since.
        self.who
    }

    fn hear(&self, socket: &SocketRef, said: Incoming) {
        let mut inbox = self.inbox();
        let seconds = match inbox.allowance.count() {
            RateCheck::Accepted if inbox.waiting.len() < INBOX => {
                inbox.waiting.push_back(said);
                self.bell.notify_one();
                return;
            }
            RateCheck::Accepted => 1,
            RateCheck::Limited(seconds) => seconds,
            RateCheck::Ignored => return,
        };
        drop(inbox);
        let error = ErrorEvent::of(&said.event, &ApiError::RateLimited(seconds));
        if let Some(notice) = error.notice(self) {
            // A client that cannot even be told has its hands full already.
            drop(socket.emit(notice.event, &notice.payload));
        }
    }

    /// The next event that came in.
    pub async fn next_incoming(&self) -> Incoming {
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
