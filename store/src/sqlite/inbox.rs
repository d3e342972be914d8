//! What waits for the writer, and the bell that calls it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tokio::task::yield_now;

use super::writer::Job;
use crate::error::StoreError;

/// A group that is large enough: its fsync is cheap for each already, and the
/// first should not wait much longer for the last.
const GROUP: usize = 512;

/// Jobs are put in by whoever wants something written; the writer takes all
/// of them at once, when the bell has rung.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    waiting: Mutex<Waiting>,
    bell: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    jobs: Vec<Job>,
    has_rung: bool,
    is_closed: bool,
}

impl Inbox {
    /// Puts a job in and sees to it that the writer hears of it.
    ///
    /// Whoever finds the inbox empty rings, but not at once: first everyone
    /// else who is ready to run is let run, for as long as that brings more
    /// jobs. A group is then what a whole round of the tables has made, and
    /// its fsync is shared by all of them; where nothing else runs it takes
    /// a microsecond.
    pub(super) async fn put(&self, job: Job) -> Result<(), StoreError> {
        let mut jobs = self.push(job)?;
        if jobs > 1 {
            return Ok(());
        }
        // Whoever stops waiting here still rings, for those who came since.
        let _ringer = Ringer(self);
        loop {
            yield_now().await;
            let now = self.look().jobs.len();
            if now <= jobs || now >= GROUP {
                return Ok(());
            }
            jobs = now;
        }
    }

    fn push(&self, job: Job) -> Result<usize, StoreError> {
        let mut waiting = self.look();
        if waiting.is_closed {
            return Err(StoreError::Closed);
        }
        waiting.jobs.push(job);
        Ok(waiting.jobs.len())
    }

    /// Takes what waits, once the bell has rung. None: the inbox is closed
    /// and empty.
    pub(super) fn take(&self) -> Option<Vec<Job>> {
        let is_quiet = |waiting: &mut Waiting| !waiting.has_rung && !waiting.is_closed;
        let waiting = self.bell.wait_while(self.look(), is_quiet);
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        waiting.has_rung = false;
        let jobs = std::mem::take(&mut waiting.jobs);
        (!jobs.is_empty() || !waiting.is_closed).then_some(jobs)
    }

    /// Takes no more jobs; those that wait are still the writer's.
    pub(super) fn close(&self) {
        self.look().is_closed = true;
        self.bell.notify_one();
    }

    /// There is no writer any more: whoever waits for it hears that it is
    /// closed, and so does whoever comes.
    pub(super) fn abandon(&self) {
        let mut waiting = self.look();
        waiting.is_closed = true;
        waiting.jobs.clear();
    }

    fn look(&self) -> MutexGuard<'_, Waiting> {
        // Nobody who holds it can panic in the middle of a change.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Ringer<'a>(&'a Inbox);

impl Drop for Ringer<'_> {
    fn drop(&mut self) {
        self.0.look().has_rung = true;
        self.0.bell.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::oneshot;

    use super::*;
    use crate::records::Batch;

    fn job() -> Job {
        Job::new(Batch::default(), oneshot::channel().0)
    }

    #[tokio::test]
    async fn what_a_round_of_tasks_puts_in_is_one_group() {
        let inbox = Arc::new(Inbox::default());
        let putting: Vec<_> = (0..20)
            .map(|_| {
                let inbox = inbox.clone();
                tokio::spawn(async move { inbox.put(job()).await })
            })
            .collect();
        for put in putting {
            put.await.unwrap().unwrap();
        }
        assert_eq!(inbox.take().unwrap().len(), 20);
        inbox.close();
        assert!(inbox.take().is_none() && inbox.put(job()).await.is_err());
    }

    #[tokio::test]
    async fn the_first_to_come_rings_even_if_it_stops_waiting() {
        let inbox = Inbox::default();
        tokio::select! {
            biased;
            _ = inbox.put(job()) => unreachable!("it lets others run first"),
            () = std::future::ready(()) => {}
        }
        assert_eq!(inbox.take().unwrap().len(), 1);
    }

    #[tokio::test]
    async fn without_a_writer_everyone_who_waits_is_let_go() {
        let inbox = Inbox::default();
        let (done, news) = oneshot::channel();
        inbox.put(Job::new(Batch::default(), done)).await.unwrap();
        inbox.abandon();
        assert!(news.await.is_err() && inbox.put(job()).await.is_err());
    }
}
