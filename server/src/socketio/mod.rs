//! Socket.IO: games that are played in rooms, for clients of their contract.
//!
//! A socket is one more way to sit at a table. Its events become commands of
//! the room's dialect and go the way of every command; what the table tells
//! its listeners becomes events for the socket, one for each step.
//!
//! `guest` knows who a socket speaks for and what it may send, `visit` lives
//! as long as the socket does, `words` has the shapes of what is sent.

mod guest;
mod visit;
mod words;

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use socketioxide::SocketIo;
use socketioxide::extract::{Extension, SocketRef, TryData};
use socketioxide::handler::ConnectHandler;
use socketioxide::layer::SocketIoLayer;

use crate::hall::Hall;
use crate::http::BODY_LIMIT;
use guest::Guest;
use visit::Visit;

/// Whoever connects must say who they are within this time.
const GREETING_WITHIN: Duration = Duration::from_secs(10);
/// Commands are short; a longer one makes the buffer grow while it is read.
const READ_BUFFER: usize = 1024;
/// How many events may wait for a client that reads slowly.
const WRITE_QUEUE: usize = 64;

/// The transport, and the handle that closes all its sockets.
pub fn layer(hall: &Arc<Hall>) -> (SocketIoLayer, SocketIo) {
    let (layer, sockets) = SocketIo::builder()
        .connect_timeout(GREETING_WITHIN)
        .max_payload(BODY_LIMIT as u64)
        .ws_max_message_size(BODY_LIMIT)
        .ws_max_frame_size(BODY_LIMIT)
        .ws_read_buffer_size(READ_BUFFER)
        .max_buffer_size(WRITE_QUEUE)
        .build_layer();
    let (door, house) = (Arc::clone(hall), Arc::clone(hall));
    let admit = move |socket: SocketRef, TryData(auth): TryData<Value>| {
        let hall = Arc::clone(&door);
        async move { Guest::admit(&hall, &socket, &auth.unwrap_or_default()).await }
    };
    let attend = move |socket: SocketRef, Extension(guest): Extension<Arc<Guest>>| {
        Visit::new(Arc::clone(&house), socket, guest).attend()
    };
    sockets.ns("/", attend.with(admit));
    (layer, sockets)
}
