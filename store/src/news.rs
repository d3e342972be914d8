//! What has been written, for those who want to hear of it.

use std::sync::{Mutex, PoisonError};

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::records::Batch;

/// How many news wait for a slow listener before some are lost to it.
const KEPT: usize = 4_096;

/// Something has been written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A log has grown.
    Grown {
        /// The game.
        game_id: std::sync::Arc<str>,
        /// How many events it has now.
        length: u64,
    },
    /// A table's record has changed.
    Changed {
        /// The table.
        table_id: String,
        /// The version of its record now.
        version: u64,
    },
    /// Some news are lost: anything may have been written. Whoever holds
    /// games in memory compares them with [`heads`](crate::Engine::heads).
    Missed,
}

/// The news from the moment it was asked for.
#[derive(Debug)]
pub struct NewsStream(Option<broadcast::Receiver<News>>);

impl NewsStream {
    /// The next news; none once the store is closed.
    pub async fn next(&mut self) -> Option<News> {
        match self.0.as_mut()?.recv().await {
            Ok(news) => Some(news),
            Err(RecvError::Lagged(_)) => Some(News::Missed),
            Err(RecvError::Closed) => None,
        }
    }
}

/// Where an engine tells its news.
#[derive(Debug)]
pub(crate) struct Newsroom(Mutex<Option<broadcast::Sender<News>>>);

impl Default for Newsroom {
    fn default() -> Newsroom {
        Newsroom(Mutex::new(Some(broadcast::Sender::new(KEPT))))
    }
}

impl Newsroom {
    pub(crate) fn listen(&self) -> NewsStream {
        NewsStream(self.sender().as_ref().map(broadcast::Sender::subscribe))
    }

    /// Tells of batches that are durable.
    pub(crate) fn tell<'a>(&self, batches: impl Iterator<Item = &'a Batch>) {
        let Some(sender) = self.heard() else { return };
        for batch in batches {
            if let Some(append) = batch.append.as_ref().filter(|it| !it.envelopes.is_empty()) {
                let length = append.expected + append.envelopes.len() as u64;
                let game_id = append.game_id.clone();
                // Whoever listened may have gone in the meantime.
                drop(sender.send(News::Grown { game_id, length }));
            }
            if let Some(table) = &batch.table {
                let (table_id, version) = (table.id.clone(), table.version);
                drop(sender.send(News::Changed { table_id, version }));
            }
        }
    }

    /// Tells that something was written, and not what.
    pub(crate) fn tell_missed(&self) {
        if let Some(sender) = self.heard() {
            drop(sender.send(News::Missed));
        }
    }

    /// There will be no more news.
    pub(crate) fn close(&self) {
        self.sender().take();
    }

    /// The sender, if anybody listens.
    fn heard(&self) -> Option<broadcast::Sender<News>> {
        self.sender().as_ref().filter(|sender| sender.receiver_count() > 0).cloned()
    }

    fn sender(&self) -> std::sync::MutexGuard<'_, Option<broadcast::Sender<News>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
