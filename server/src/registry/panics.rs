//! Tables that panicked. A panic is a defect; it ends one table's task and
//! nothing else, and the next caller finds the table folded back from its log.
//! A table that panics again and again is set aside, so that nobody keeps
//! meeting the same defect and the log stays as it is.

use std::any::Any;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;

use super::Registry;
use crate::api_error::ApiError;

/// So many panics in a row set a table aside.
const SET_ASIDE_AFTER: u32 = 3;

/// Panics further apart than this are not in a row. A table that was set aside
/// is tried again after this time.
const FORGIVEN_AFTER: Duration = Duration::from_secs(10 * 60);

/// A game with clocks or bots must go on though nobody asks for it.
const TAKEN_UP_AFTER: Duration = Duration::from_millis(200);

/// How often each table panicked lately, and when it did last.
#[derive(Default)]
pub(super) struct Panics(HashMap<String, (u32, Instant)>);

impl Panics {
    fn count(&mut self, id: &str, now: Instant) -> u32 {
        self.0.retain(|_, (_, last)| now.duration_since(*last) < FORGIVEN_AFTER);
        let (count, last) = self.0.entry(id.to_owned()).or_insert((0, now));
        (*count, *last) = (count.saturating_add(1), now);
        *count
    }

    fn is_set_aside(&self, id: &str, now: Instant) -> bool {
        let lately = |(count, last): &(u32, Instant)| {
            *count >= SET_ASIDE_AFTER && now.duration_since(*last) < FORGIVEN_AFTER
        };
        self.0.get(id).is_some_and(lately)
    }
}

impl Registry {
    /// Runs a table's task to its end, whatever that is, and takes the table
    /// out of the registry.
    pub(super) async fn supervise(
        self: Arc<Self>,
        id: String,
        code: String,
        task: impl Future<Output = ()>,
    ) {
        metrics::gauge!("parlor_live_tables").increment(1);
        // What the task shared with others is behind locks that outlive a
        // panic; the rest went with it.
        let ended = AssertUnwindSafe(task).catch_unwind().await;
        metrics::gauge!("parlor_live_tables").decrement(1);
        self.forget(&id, &code);
        let Err(panic) = ended else { return };
        metrics::counter!("parlor_table_panics_total").increment(1);
        let times = self.tables().panics.count(&id, Instant::now());
        let panic = message(panic.as_ref());
        tracing::error!(table = id, times, panic, "a table panicked; this is a defect");
        if times >= SET_ASIDE_AFTER {
            tracing::error!(table = id, "the table panics again and again and is set aside");
            return;
        }
        let taken_up = async {
            tokio::time::sleep(TAKEN_UP_AFTER).await;
            self.wake(&id).await;
        };
        self.stop.run_until_cancelled(taken_up).await;
    }

    /// Refuses a table that was set aside.
    pub(super) fn check_not_set_aside(&self, id: &str) -> Result<(), ApiError> {
        match self.tables().panics.is_set_aside(id, Instant::now()) {
            true => Err(ApiError::SetAside),
            false => Ok(()),
        }
    }

    /// Why nobody answers a request that was taken.
    pub(super) fn unanswered(&self) -> ApiError {
        match self.stop.is_cancelled() {
            true => ApiError::Stopping,
            false => ApiError::Panicked,
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use parlor_store::Store;
    use serde_json::Value;

    use super::*;
    use crate::config::Config;
    use crate::record::SeatEntry;
    use crate::registry::NewTable;
    use crate::table::Request;

    async fn registry() -> Arc<Registry> {
        Registry::new(Config::default(), Store::open("memory:").await.unwrap())
    }

    async fn table(registry: &Arc<Registry>) -> String {
        let game = parlor_house::game("koikoi").unwrap();
        let seats = vec![SeatEntry::open(); 2];
        let (rules, seed, bot_pace_ms) = (Value::Null, None, None);
        let new =
            NewTable { game, rules, seats, seed, unlisted: false, hosted: false, bot_pace_ms };
        registry.create(None, new).await.unwrap().id
    }

    async fn panic(registry: &Arc<Registry>, id: &str) -> ApiError {
        let within = Duration::from_secs(10);
        let asked = registry.ask::<()>(id, |reply| Request::Panic { reply });
        tokio::time::timeout(within, asked).await.expect("a caller waits for ever").unwrap_err()
    }

    async fn answers(registry: &Arc<Registry>, id: &str) -> Result<(), ApiError> {
        registry.ask(id, |reply| Request::Info { reply }).await.map(|_| ())
    }

    #[tokio::test]
    async fn a_table_that_panicked_is_there_again_for_the_next_caller() {
        let registry = registry().await;
        let (broken, sound) = (table(&registry).await, table(&registry).await);
        answers(&registry, &sound).await.unwrap();
        assert!(matches!(panic(&registry, &broken).await, ApiError::Panicked));
        answers(&registry, &broken).await.unwrap();
        answers(&registry, &sound).await.unwrap();
    }

    #[tokio::test]
    async fn a_table_that_panics_again_and_again_is_set_aside_and_others_are_not() {
        let registry = registry().await;
        let (broken, sound) = (table(&registry).await, table(&registry).await);
        for _ in 0..SET_ASIDE_AFTER {
            assert!(matches!(panic(&registry, &broken).await, ApiError::Panicked));
        }
        let waited = async {
            while answers(&registry, &broken).await.is_ok() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), waited).await.unwrap();
        assert!(matches!(answers(&registry, &broken).await, Err(ApiError::SetAside)));
        answers(&registry, &sound).await.unwrap();
        // Nobody spins, and nothing is left of it in memory.
        assert_eq!(registry.tables().slots.len(), 1);
    }

    #[tokio::test]
    async fn a_fold_that_panics_is_told_as_a_failure() {
        let registry = registry().await;
        let folded = registry.fold::<()>(|| panic!("planted")).await;
        assert!(matches!(folded, Err(ApiError::Panicked)));
    }

    #[test]
    fn panics_long_ago_are_forgiven() {
        let (mut panics, began) = (Panics::default(), Instant::now());
        for _ in 0..SET_ASIDE_AFTER {
            panics.count("t", began);
        }
        assert!(panics.is_set_aside("t", began));
        assert!(!panics.is_set_aside("t", began + FORGIVEN_AFTER));
        assert_eq!(panics.count("t", began + FORGIVEN_AFTER), 1);
    }
}
