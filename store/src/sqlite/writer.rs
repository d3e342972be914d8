//! The one thread that writes.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use rusqlite::Connection;
use tokio::sync::{Semaphore, oneshot};

use super::inbox::Inbox;
use super::statements::Statements;
use crate::error::StoreError;
use crate::news::Newsroom;
use crate::record_group;
use crate::records::Batch;

/// What became of a batch.
pub(super) type BatchResult = Result<(), StoreError>;

/// What became of a batch, and what the others of its group are to be told.
#[derive(Debug)]
pub(super) struct Written {
    /// What became of it.
    pub(super) verdict: BatchResult,
    /// It goes back to where it was made: memory is cheapest given back by
    /// the thread that took it.
    _batch: Box<Batch>,
    _others: Untold,
}

impl Written {
    /// Tells whoever waits for this batch. If nobody does any more, the news
    /// come back and are dropped here, and the others hear all the same.
    fn tell(job: Job, others: Untold) {
        let Job { batch, done, verdict } = job;
        drop(done.send(Written { verdict, _batch: batch, _others: others }));
    }
}

/// Those of a group who have not been told yet. The first to be told passes
/// the news on by dropping this: within its own runtime that is cheaper than
/// if the writer's thread woke every one of them.
#[derive(Debug)]
struct Untold(Vec<Job>);

impl Untold {
    fn tell_first(mut self) {
        if let Some(first) = self.0.pop() {
            Written::tell(first, self);
        }
    }
}

impl Drop for Untold {
    fn drop(&mut self) {
        for job in self.0.drain(..) {
            Written::tell(job, Untold(Vec::new()));
        }
    }
}

/// The one who writes.
pub(super) struct Writer {
    path: PathBuf,
    connection: Connection,
    inbox: Arc<Inbox>,
    room: Arc<Semaphore>,
    newsroom: Arc<Newsroom>,
    /// Whether the last transaction failed: to begin and end one does not show
    /// that there is room on the disk again.
    has_failed: Cell<bool>,
}

impl Writer {
    pub(super) fn new(
        path: PathBuf,
        connection: Connection,
        inbox: Arc<Inbox>,
        room: Arc<Semaphore>,
        newsroom: Arc<Newsroom>,
    ) -> Result<Writer, StoreError> {
        // A file that lacks a table of ours should fail here, not when the
        // first move is made.
        Statements::prepare(&connection)
            .map_err(|error| StoreError::damaged(&path, error.to_string()))?;
        Ok(Writer { path, connection, inbox, room, newsroom, has_failed: Cell::new(false) })
    }

    /// Writes until the inbox is closed and empty.
    pub(super) fn run(self) {
        let mut statements = match Statements::prepare(&self.connection) {
            Ok(statements) => statements,
            Err(error) => {
                tracing::error!(%error, "could not start the store's writer");
                return;
            }
        };
        while let Some(group) = self.inbox.take() {
            if !group.is_empty() {
                self.room.add_permits(group.len());
                self.write(&mut statements, group);
            }
        }
    }

    /// Writes a group in one transaction, then answers every one of it.
    fn write(&self, statements: &mut Statements, mut group: Vec<Job>) {
        let start = Instant::now();
        match self.transact(statements, &mut group) {
            // One of them could not be written, and the rest must not suffer
            // for it: each on its own then.
            Err(Failure::Batch(error)) if group.len() > 1 => {
                tracing::warn!(%error, "a batch failed; its group is written one by one");
                for job in group.chunks_mut(1) {
                    if let Err(failure) = self.transact(statements, job) {
                        fail(job, failure);
                    }
                }
            }
            Err(failure) => fail(&mut group, failure),
            Ok(()) => {}
        }
        let written = || group.iter().filter(|job| job.verdict.is_ok()).map(|job| &*job.batch);
        self.newsroom.tell(written());
        let batches = group.iter().filter(|job| !job.is_ping()).count();
        if batches > 0 {
            record_group(batches, written().map(Batch::events).sum(), start.elapsed());
        }
        Untold(group).tell_first();
    }

    /// One transaction. A refusal is the verdict of its own batch only; after
    /// a failure nothing of the group is written.
    fn transact(&self, statements: &mut Statements, group: &mut [Job]) -> Result<(), Failure> {
        let error = |error| StoreError::sqlite(&self.path, &error);
        let begun = statements.begin().map_err(|failed| Failure::Group(error(failed)));
        let result = begun.and_then(|others_wrote| {
            if others_wrote {
                self.newsroom.tell_missed();
            }
            let written = group.iter_mut().try_for_each(|job| {
                job.verdict = statements.write(&job.batch)?;
                Ok(())
            });
            written.map_err(|failed| Failure::Batch(error(failed)))?;
            if self.has_failed.get() {
                self.write_nothing_new().map_err(|failed| Failure::Group(error(failed)))?;
            }
            statements.commit().map_err(|failed| Failure::Group(error(failed)))
        });
        self.has_failed.set(result.is_err());
        if result.is_err()
            && let Err(error) = statements.roll_back(&self.connection)
        {
            tracing::error!(%error, "a failed transaction could not be rolled back");
        }
        result
    }
}

impl Writer {
    /// Writes a page as it is, so that a transaction with nothing in it fails
    /// where one with something would.
    fn write_nothing_new(&self) -> rusqlite::Result<()> {
        let version: i64 =
            self.connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        self.connection.pragma_update(None, "user_version", version)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.inbox.abandon();
    }
}

/// Why a transaction failed.
enum Failure {
    /// It could not begin, or not become durable.
    Group(StoreError),
    /// One of its batches could not be written.
    Batch(StoreError),
}

fn fail(jobs: &mut [Job], failure: Failure) {
    let (Failure::Group(error) | Failure::Batch(error)) = failure;
    tracing::error!(%error, batches = jobs.len(), "could not write batches");
    for job in jobs {
        job.verdict = Err(error.clone());
    }
}

/// A batch, who waits for it, and what became of it.
#[derive(Debug)]
pub(super) struct Job {
    batch: Box<Batch>,
    done: oneshot::Sender<Written>,
    verdict: BatchResult,
}

impl Job {
    pub(super) fn new(batch: Batch, done: oneshot::Sender<Written>) -> Job {
        Job { batch: Box::new(batch), done, verdict: Ok(()) }
    }

    /// A batch of nothing is there to see whether the writer is.
    fn is_ping(&self) -> bool {
        self.batch.is_empty()
    }
}
