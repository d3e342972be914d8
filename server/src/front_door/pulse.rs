//! What a connection is at, and how long it may be at it.
//!
//! Everything that moves it on happens while the connection is polled: bytes
//! that come in, a request that is passed on, an answer that is done. So whoever
//! polls it can look here afterwards, and needs a timer only where a time limit
//! runs.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::places::Place;
use crate::config::Limits;

/// How long a client may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For its first words, a TLS handshake, and each request's head.
    pub head: Duration,
    /// For a request's body, beside the time its length allows.
    pub body: Duration,
    /// From one request to the next.
    pub idle: Duration,
}

impl Patience {
    /// As the limits say; without them nobody is hurried.
    pub fn new(limits: Option<&Limits>) -> Patience {
        let seconds = |count: fn(&Limits) -> u32| {
            limits.map_or(Duration::from_secs(86_400), |limits| {
                Duration::from_secs(count(limits).into())
            })
        };
        Patience {
            head: seconds(|limits| limits.head_seconds),
            body: seconds(|limits| limits.body_seconds),
            idle: seconds(|limits| limits.keep_alive_seconds),
        }
    }
}

impl Patience {
    /// A proxy keeps connections for whoever comes next. Closed by us while it
    /// sends, one would fail a request that it may not send again.
    pub fn with_proxies(self) -> Patience {
        Patience { idle: self.idle.max(Duration::from_secs(60 * 60)), ..self }
    }
}

/// It waits for the next request.
const WAITS: u8 = 0;
/// A head comes in.
const READS_HEAD: u8 = 1;
/// A request is being answered, or a stream is open.
const ANSWERS: u8 = 2;

/// What one connection is at.
#[derive(Debug)]
pub struct Pulse {
    began: Instant,
    at: AtomicU8,
    /// Since when, in milliseconds after it began.
    since: AtomicU64,
    is_slow: AtomicBool,
    /// Where a proxy brings clients, the place of the present one.
    client: Mutex<Option<Place>>,
}

impl Pulse {
    /// A connection that is there but has not said anything: its first words
    /// have the time of a head.
    pub fn new() -> Pulse {
        Pulse {
            began: Instant::now(),
            at: AtomicU8::new(READS_HEAD),
            since: AtomicU64::new(0),
            is_slow: AtomicBool::new(false),
            client: Mutex::default(),
        }
    }

    fn now_at(&self, at: u8) {
        self.since.store(self.began.elapsed().as_millis() as u64, Ordering::Relaxed);
        self.at.store(at, Ordering::Relaxed);
    }

    /// Something came in.
    pub fn read(&self) {
        if self.at.load(Ordering::Relaxed) == WAITS {
            self.now_at(READS_HEAD);
        }
    }

    /// Something went out: whoever still takes an answer is not idle.
    pub fn wrote(&self) {
        if self.at.load(Ordering::Relaxed) == WAITS {
            self.now_at(WAITS);
        }
    }

    /// A request begins.
    pub fn answer(&self) {
        self.now_at(ANSWERS);
    }

    /// Its answer is done.
    pub fn wait(&self) {
        self.now_at(WAITS);
        self.set_client(None);
    }

    /// A body took too long.
    pub fn slow(&self) {
        self.is_slow.store(true, Ordering::Relaxed);
    }

    /// Whether a body took too long.
    pub fn is_slow(&self) -> bool {
        self.is_slow.load(Ordering::Relaxed)
    }

    /// Keeps the place of whoever is answered.
    pub fn set_client(&self, place: Option<Place>) {
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }

    /// When it has taken too long; none while it may take as long as it likes.
    pub fn deadline(&self, patience: Patience) -> Option<Instant> {
        let since = self.began + Duration::from_millis(self.since.load(Ordering::Relaxed));
        match self.at.load(Ordering::Relaxed) {
            WAITS => Some(since + patience.idle),
            READS_HEAD => Some(since + patience.head),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Patience = Patience {
        head: Duration::from_secs(1),
        body: Duration::from_secs(2),
        idle: Duration::from_secs(100),
    };

    #[test]
    fn a_head_has_its_time_from_its_first_byte_on_and_no_more_with_each() {
        let pulse = Pulse::new();
        assert_eq!(pulse.deadline(PATIENCE), Some(pulse.began + PATIENCE.head), "first words");
        pulse.answer();
        assert_eq!(pulse.deadline(PATIENCE), None, "an answer takes what it takes");
        pulse.wait();
        assert!(pulse.deadline(PATIENCE) >= Some(pulse.began + PATIENCE.idle));
        pulse.read();
        let deadline = pulse.deadline(PATIENCE);
        assert!(deadline < Some(pulse.began + PATIENCE.idle));
        std::thread::sleep(Duration::from_millis(5));
        pulse.read();
        assert_eq!(pulse.deadline(PATIENCE), deadline);
    }
}
