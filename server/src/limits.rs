//! How much anyone may ask for.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::config::Limits;
use crate::refusal::Refusal;

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

    fn check(&self, key: &K) -> Result<(), Refusal> {
        let Some(limiter) = &self.0 else { return Ok(()) };
        // Keys that have been quiet are forgotten, so that the table of
        // addresses cannot grow without end.
        if limiter.len() > 10_000 {
            limiter.retain_recent();
        }
        limiter.check_key(key).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            Refusal::RateLimited(wait.as_secs() + 1)
        })
    }
}

const TWO: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);

/// All limits of a server.
pub struct RateLimits {
    tables: Limit<IpAddr>,
    joins: Limit<IpAddr>,
    calls: Limit<IpAddr>,
    commands: Limit<(String, u64)>,
}

impl RateLimits {
    /// The limits as configured; none: off.
    pub fn new(limits: Option<&Limits>) -> RateLimits {
        let of = |count: fn(&Limits) -> u32| limits.map(count);
        RateLimits {
            tables: Limit::per_minute(of(|limits| limits.tables_per_minute)),
            joins: Limit::per_minute(of(|limits| limits.joins_per_minute)),
            calls: Limit::per_second(of(|limits| limits.calls_per_second)),
            commands: Limit::per_second(of(|limits| limits.commands_per_second)),
        }
    }

    /// May this address open another table?
    pub fn table(&self, from: IpAddr) -> Result<(), Refusal> {
        self.tables.check(&from)
    }

    /// May this address try to join again?
    pub fn join(&self, from: IpAddr) -> Result<(), Refusal> {
        self.joins.check(&from)
    }

    /// May this address make another call?
    pub fn call(&self, from: IpAddr) -> Result<(), Refusal> {
        self.calls.check(&from)
    }

    /// May this sender give another command at this table? Senders are told
    /// apart by what they prove to be.
    pub fn command(&self, table: &str, sender: u64) -> Result<(), Refusal> {
        if self.commands.0.is_none() {
            return Ok(());
        }
        self.commands.check(&(table.to_owned(), sender))
    }
}
