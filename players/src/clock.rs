//! The times a log tells, and where they come from.

use std::time::{SystemTime, UNIX_EPOCH};

/// Where the time of a step comes from: the wall, or a recording.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970.
    fn now(&self) -> u64;
}

/// The real time.
pub struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
    }
}
