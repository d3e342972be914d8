//! Telling the service manager how far the program is, as systemd asks of
//! units with `Type=notify`: a datagram to the socket it names.

use std::env;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// It serves.
pub const READY: &str = "READY=1";
/// It was told to stop.
pub const STOPPING: &str = "STOPPING=1";

/// Tells it, if somebody wants to know.
pub fn notify(state: &str) {
    let Some(socket) = env::var_os("NOTIFY_SOCKET") else { return };
    if let Err(error) = send(socket.as_bytes(), state) {
        tracing::warn!(%error, "could not notify the service manager");
    }
}

fn send(socket: &[u8], state: &str) -> io::Result<()> {
    let address = match socket.strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(std::ffi::OsStr::from_bytes(socket))?,
    };
    UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address).map(drop)
}
