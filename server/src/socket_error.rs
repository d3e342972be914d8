//! What a client on a socket is told when the server does not take what it sent.

use std::sync::atomic::{AtomicU64, Ordering};

use parlor_house::AtTables;
use parlor_kernel::{ErrorNotice, Seat};

use crate::api_error::ApiError;
use crate::time::now;

/// The number of the last error told, on any socket.
static LAST: AtomicU64 = AtomicU64::new(0);

/// An id that no other error has.
pub fn error_id(at: u64) -> String {
    let next = |last: u64| last.saturating_add(1).max(at);
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(next(last)));
    // It always gives a next one, so this is never an error.
    format!("evt_error_{}", next(last.unwrap_or_default()))
}

/// The error in the dialect of the socket, or in the server's own words where
/// the dialect has none.
pub fn socket_error(
    game: &dyn AtTables,
    dialect: &str,
    seat: Option<Seat>,
    is_over: bool,
    error: &ApiError,
) -> String {
    let (timestamp, message) = (now(), error.to_string());
    let game_code = match error {
        ApiError::Unreadable { game_code, .. } => Some(*game_code),
        _ => None,
    };
    let notice = ErrorNotice {
        seat,
        code: error.code(),
        game_code,
        message: &message,
        id: &error_id(timestamp),
        timestamp,
        is_over,
    };
    game.error(dialect, &notice).unwrap_or_else(|| error.text())
}
