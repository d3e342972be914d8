//! The waker takes up the running games that go on by themselves, each when it
//! is due: a bot moves, a clock runs out.
//!
//! However many games are running, it holds one page of due times and takes up
//! a few tables at a time, so a start waits for none of them and players are
//! served first. Tables in memory look after themselves; one that leaves it
//! has written down when it goes on, and the waker finds it there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use parlor_store::Due;
use tokio::sync::{Notify, Semaphore, oneshot};

use super::{Registry, folds_at_once};
use crate::api_error::ApiError;
use crate::table::Request;
use crate::time::now;

/// How many due times are read at a time.
const PAGE: usize = 128;

/// How many tables for each core may be in memory only because they are due.
/// Those that nobody looks at must not take the time of those that are played.
const PLACES_PER_CORE: usize = 500;

/// Whoever sleeps longer than this looks at the clock again: it may be set.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

/// After a failed look at the store.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// What others need of the waker.
pub(super) struct Waker {
    /// Places for tables that are in memory only because they are due.
    places: Arc<Semaphore>,
    /// Until when it sleeps; 0 while it is awake.
    sleeps_until: AtomicU64,
    /// Something is due before that.
    earlier: Notify,
}

impl Default for Waker {
    fn default() -> Waker {
        Waker {
            places: Arc::new(Semaphore::new(folds_at_once() * PLACES_PER_CORE)),
            sleeps_until: AtomicU64::new(0),
            earlier: Notify::new(),
        }
    }
}

/// How far the waker has come: everything up to here was looked at.
#[derive(Default)]
struct Mark(Option<(u64, String)>);

impl Mark {
    /// A clock that was set back makes it look again at what was due since.
    fn keep_behind(&mut self, now: u64) {
        if self.0.as_ref().is_some_and(|(at, _)| *at > now) {
            self.0 = Some((now, String::new()));
        }
    }

    fn after(&self) -> Option<(u64, &str)> {
        self.0.as_ref().map(|(at, id)| (*at, id.as_str()))
    }
}

impl Registry {
    /// Begins to take up running games as they fall due, those first that have
    /// waited longest. Those that wait for people are taken up when one comes.
    pub fn wake_when_due(self: &Arc<Self>) {
        let registry = Arc::clone(self);
        self.spawn(async move {
            let stop = registry.stop.clone();
            stop.run_until_cancelled(registry.wake_all()).await;
        });
    }

    /// A table leaves memory that goes on by itself at this time.
    pub fn expect_at(&self, at: u64) {
        if at < self.waker.sleeps_until.load(Ordering::SeqCst) {
            self.waker.earlier.notify_one();
        }
    }

    async fn wake_all(self: &Arc<Self>) {
        let mut mark = Mark::default();
        loop {
            mark.keep_behind(now());
            // Announced before the store is read: what is written after that
            // and is due earlier calls again.
            self.waker.sleeps_until.store(u64::MAX, Ordering::SeqCst);
            match self.store.due(mark.after(), PAGE).await {
                Ok(page) => self.wake_page(page, &mut mark).await,
                Err(error) => {
                    tracing::warn!(%error, "could not read which games are due; trying again");
                    tokio::time::sleep(LOOK_AGAIN_AFTER).await;
                }
            }
        }
    }

    /// Takes up what is due of a page. Where nothing more is, it sleeps until
    /// something is.
    async fn wake_page(self: &Arc<Self>, page: Vec<Due>, mark: &mut Mark) {
        let time = now();
        let is_due = |due: &Due| due.at.unwrap_or(0) <= time;
        let next = page.iter().find(|due| !is_due(due)).map(|due| due.at.unwrap_or(0));
        let is_whole = page.len() == PAGE && next.is_none();
        let due: Vec<_> = page.into_iter().filter(is_due).collect();
        if let Some(last) = due.last() {
            mark.0 = Some((last.at.unwrap_or(0), last.table_id.clone()));
        }
        // A player who comes waits for at most half of the folds.
        let at_once = (folds_at_once() / 2).max(1);
        stream::iter(due)
            .for_each_concurrent(at_once, async |due| self.wake(&due.table_id).await)
            .await;
        if !is_whole {
            self.sleep_until(next).await;
        }
    }

    async fn sleep_until(&self, next: Option<u64>) {
        let until = next.unwrap_or(u64::MAX);
        self.waker.sleeps_until.store(until, Ordering::SeqCst);
        let left = Duration::from_millis(until.saturating_sub(now())).min(LONGEST_SLEEP);
        tokio::select! {
            () = tokio::time::sleep(left) => {}
            () = self.waker.earlier.notified() => {}
        }
    }

    /// Takes up one game, unless it is in memory, and waits until it has been.
    pub(super) async fn wake(self: &Arc<Self>, id: &str) {
        if self.is_open(id) {
            return;
        }
        let taken_up = async {
            let places = Arc::clone(&self.waker.places);
            let place = places.acquire_owned().await.map_err(|_| ApiError::Stopping)?;
            let (reply, answer) = oneshot::channel();
            self.send(id, Request::Wake { place, reply }).await?;
            answer.await.unwrap_or_else(|_| Err(self.unanswered()))
        };
        match taken_up.await {
            Ok(()) => metrics::counter!("parlor_tables_woken_total").increment(1),
            Err(ApiError::Stopping) => {}
            Err(error) => {
                tracing::warn!(table = id, %error, "a running game cannot be taken up again");
            }
        }
    }
}
