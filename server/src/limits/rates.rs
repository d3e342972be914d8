//! How often anyone may ask.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::address::Address;
use crate::api_error::ApiError;
use crate::config::Limits;

/// A limit per key; none: no limit.
struct Limit<K: std::hash::Hash + Eq + Clone>(Option<DefaultKeyedRateLimiter<K>>);

impl<K: std::hash::Hash + Eq + Clone> Limit<K> {
    fn per_minute(count: Option<u32>) -> Self {
        Limit(count.and_then(NonZeroU32::new).map(|n| RateLimiter::keyed(Quota::per_minute(n))))
    }

    fn per_second(count: Option<u32>) -> Self {
        let quota = |n: NonZeroU32| Quota::per_second(n).allow_burst(n.saturating_mul(TWO));
        Limit(count.and_then(NonZeroU32::new).map(|n| RateLimiter::keyed(quota(n))))
    }

    fn check(&self, key: &K) -> Result<(), ApiError> {
        self.take(key).map_err(|wait| ApiError::RateLimited(wait.as_secs() + 1))
    }

    /// Counts one more, or says how long it has to wait.
    fn take(&self, key: &K) -> Result<(), Duration> {
        let Some(limiter) = &self.0 else { return Ok(()) };
        // Keys that have been quiet are forgotten, so that the table of
        // addresses cannot grow without end.
        if limiter.len() > 10_000 {
            limiter.retain_recent();
        }
        limiter.check_key(key).map_err(|until| until.wait_time_from(DefaultClock::default().now()))
    }

    /// Waits until this is within the limit.
    async fn wait(&self, key: &K) {
        while let Err(wait) = self.take(key) {
            tokio::time::sleep(wait).await;
        }
    }
}

const TWO: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);

/// What a socket sends is counted anew after this time.
const WINDOW: Duration = Duration::from_secs(10);

/// How much one socket may send.
pub struct Allowance {
    /// Events in a window; none: no limit.
    most: Option<NonZeroU32>,
    since: Instant,
    events: u32,
}

/// What becomes of a client's event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateCheck {
    /// It is taken.
    Accepted,
    /// It is not, and the client is told, with the seconds it should wait.
    Limited(u64),
    /// It is not, and the client has been told often enough.
    Ignored,
}

impl Allowance {
    /// Counts one event. Refusals are told as often as events are taken:
    /// whoever floods a server must not make it flood back.
    pub fn count(&mut self) -> RateCheck {
        let Some(most) = self.most.map(NonZeroU32::get) else { return RateCheck::Accepted };
        let gone = self.since.elapsed();
        if gone >= WINDOW {
            (self.since, self.events) = (Instant::now(), 0);
        }
        self.events = self.events.saturating_add(1);
        match self.events {
            events if events <= most => RateCheck::Accepted,
            events if events <= most.saturating_mul(2) => {
                RateCheck::Limited(WINDOW.saturating_sub(gone).as_secs() + 1)
            }
            _ => RateCheck::Ignored,
        }
    }
}

/// All limits of a server.
pub struct RateLimits {
    tables: Limit<Address>,
    joins: Limit<Address>,
    calls: Limit<Address>,
    polls: Limit<Address>,
    commands: Limit<(String, u64)>,
    session_calls: Limit<Address>,
    reads: Limit<Address>,
    messages_per_ten_seconds: Option<NonZeroU32>,
    events_per_ten_seconds: Option<NonZeroU32>,
}

impl RateLimits {
    /// The limits as configured; none: off.
    pub fn new(limits: Option<&Limits>) -> RateLimits {
        let of = |count: fn(&Limits) -> u32| limits.map(count);
        RateLimits {
            tables: Limit::per_minute(of(|limits| limits.tables_per_minute)),
            joins: Limit::per_minute(of(|limits| limits.joins_per_minute)),
            calls: Limit::per_second(of(|limits| limits.calls_per_second)),
            polls: Limit::per_second(of(|limits| limits.polls_per_second)),
            commands: Limit::per_second(of(|limits| limits.commands_per_second)),
            session_calls: Limit::per_minute(of(|limits| limits.session_calls_per_minute)),
            reads: Limit::per_minute(of(|limits| limits.reads_per_minute)),
            messages_per_ten_seconds: of(|limits| limits.messages_per_ten_seconds)
                .and_then(NonZeroU32::new),
            events_per_ten_seconds: of(|limits| limits.events_per_ten_seconds)
                .and_then(NonZeroU32::new),
        }
    }

    /// May this address open another table?
    pub fn table(&self, from: Address) -> Result<(), ApiError> {
        self.tables.check(&from)
    }

    /// May this address try to join again?
    pub fn join(&self, from: Address) -> Result<(), ApiError> {
        self.joins.check(&from)
    }

    /// May this address make another call?
    pub fn call(&self, from: Address) -> Result<(), ApiError> {
        self.calls.check(&from)
    }

    /// Waits until this address may make another request of a Socket.IO
    /// session that is open already.
    pub async fn poll(&self, from: Address) {
        self.polls.wait(&from).await;
    }

    /// May this address make another session call?
    pub fn session_call(&self, from: Address) -> Result<(), ApiError> {
        self.session_calls.check(&from)
    }

    /// May this address read something long again: a list, a log, a replay?
    pub fn read(&self, from: Address) -> Result<(), ApiError> {
        self.reads.check(&from)
    }

    /// What a new Socket.IO client may send.
    pub fn allowance(&self) -> Allowance {
        Allowance { most: self.events_per_ten_seconds, since: Instant::now(), events: 0 }
    }

    /// What a new WebSocket may send.
    pub fn socket_allowance(&self) -> Allowance {
        Allowance { most: self.messages_per_ten_seconds, since: Instant::now(), events: 0 }
    }

    /// May this sender give another command at this table? Senders are told
    /// apart by what they prove to be.
    pub fn command(&self, table: &str, sender: u64) -> Result<(), ApiError> {
        if self.commands.0.is_none() {
            return Ok(());
        }
        self.commands.check(&(table.to_owned(), sender))
    }
}
