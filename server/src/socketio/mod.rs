//! Socket.IO: games that are played in rooms, for clients of their contract.
//!
//! A socket is one more way to sit at a table. Its events become commands of
//! the room's dialect and go the way of every command; what the table tells
//! its subscribers becomes events for the socket, one for each step.
//!
//! `transport` has the limits of what lies below, `handshake` proves a seat,
//! `connection` lives as long as the socket does, `payloads` has the shapes of
//! what is sent.

mod connection;
mod handshake;
mod payloads;
mod transport;

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use socketioxide::SocketIo;
use socketioxide::extract::{Extension, SocketRef, TryData};
use socketioxide::handler::ConnectHandler;
use socketioxide::layer::SocketIoLayer;

use crate::http::BODY_LIMIT;
use crate::registry::Registry;
use connection::Connection;
use handshake::Client;
use transport::ANSWER_LIMIT;

pub use payloads::{Events, GameAnswer, GameState, SyncRequest, Terminated};
pub use transport::{admit, is_for_sockets};

/// A client must authenticate within this time.
const GREETING_WITHIN: Duration = Duration::from_secs(10);
/// Commands are short; a longer one makes the buffer grow while it is read.
const READ_BUFFER: usize = 1024;
/// How many events may wait for a client that reads slowly.
const WRITE_QUEUE: usize = 64;

/// The transport, and the handle that closes all its sockets.
pub fn layer(registry: &Arc<Registry>) -> (SocketIoLayer, SocketIo) {
    let (layer, sockets) = SocketIo::builder()
        .connect_timeout(GREETING_WITHIN)
        .max_payload(ANSWER_LIMIT)
        .ws_max_message_size(BODY_LIMIT)
        .ws_max_frame_size(BODY_LIMIT)
        .ws_read_buffer_size(READ_BUFFER)
        .max_buffer_size(WRITE_QUEUE)
        .build_layer();
    let (mailbox, house) = (Arc::clone(registry), Arc::clone(registry));
    let admit = move |socket: SocketRef, TryData(auth): TryData<Value>| {
        let registry = Arc::clone(&mailbox);
        async move { Client::accept(&registry, &socket, &auth.unwrap_or_default()).await }
    };
    let attend = move |socket: SocketRef, Extension(client): Extension<Arc<Client>>| {
        Connection::new(Arc::clone(&house), socket, client).run()
    };
    sockets.ns("/", attend.with(admit));
    (layer, sockets)
}
