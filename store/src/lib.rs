//! The log on disk.
//!
//! A [`Store`] keeps every game's log of events, and beside the logs what a
//! server must not forget: its tables, the answers it has given, and how far
//! each listener has read. Everything is written in a [`Batch`], all of it or
//! nothing, and [`Store::commit`] answers only once the batch is durable.
//! Every append states how many events it expects in the log, so a second
//! writer, in this process or another, is refused instead of trusted.
//!
//! There are two backends with the same behaviour, `sqlite:PATH` and
//! `memory:`; `tests/conformance.rs` is the suite both pass. This crate knows
//! no game and no clock: events, tables and answers are opaque JSON to it.
//!
//! ```
//! use parlor_store::{Append, Batch, Store};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let store = Store::open("memory:")?;
//! let opened = serde_json::from_str(
//!     r#"{"eventType":"Opened","gameId":"g1","sequence":0,"timestamp":5,"payload":{},"v":1}"#,
//! )?;
//! let append = Append { game_id: "g1".into(), expected: 0, envelopes: vec![opened] };
//! store.commit(Batch { append: Some(append), ..Batch::default() }).await?;
//! assert_eq!(store.position("g1")?, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod error;
mod memory;
mod records;
mod sqlite;

use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::Envelope;

pub use error::StoreError;
pub use records::{Answer, Append, Batch, Cursor, GameSummary, TableRecord};

/// A handle to a store; clones share it. Dropping the last one closes it.
#[derive(Clone, Debug)]
pub struct Store(Arc<Backend>);

#[derive(Debug)]
enum Backend {
    Sqlite(sqlite::Sqlite),
    Memory(memory::Memory),
}

/// Calls the same method of whichever backend is there.
macro_rules! backend {
    ($store:expr, $backend:ident => $call:expr) => {
        match &*$store.0 {
            Backend::Sqlite($backend) => $call,
            Backend::Memory($backend) => $call,
        }
    };
}

impl Store {
    /// Opens the store a URL names: `sqlite:PATH` (made if it is not there)
    /// or `memory:` (empty, and gone with the last handle).
    ///
    /// A file that is damaged, of a newer Parlor, or not a Parlor store at all
    /// is refused before anything is written to it.
    pub fn open(url: &str) -> Result<Store, StoreError> {
        let backend = match url.split_once(':') {
            Some(("memory", "")) => Backend::Memory(memory::Memory::default()),
            Some(("sqlite", path)) => {
                // Many tools write `sqlite://PATH`; both name the same file.
                let path = path.strip_prefix("//").unwrap_or(path);
                if path.is_empty() {
                    return Err(StoreError::UnknownUrl(url.to_owned()));
                }
                Backend::Sqlite(sqlite::Sqlite::open(path)?)
            }
            _ => return Err(StoreError::UnknownUrl(url.to_owned())),
        };
        Ok(Store(Arc::new(backend)))
    }

    /// Writes a batch, all of it or nothing, and answers once it is durable.
    ///
    /// Refusals are looked for in this order: [`StoreError::Malformed`],
    /// [`StoreError::Conflict`], [`StoreError::CodeTaken`],
    /// [`StoreError::Answered`]. A caller that stops waiting leaves open
    /// whether its batch is written; the log's position tells.
    pub async fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        batch.check()?;
        match &*self.0 {
            Backend::Sqlite(sqlite) => sqlite.commit(batch).await,
            Backend::Memory(memory) => memory.commit(batch),
        }
    }

    /// A game's events from `from` on, in order. Blocks on the disk.
    pub fn read(&self, game_id: &str, from: u64) -> Result<Vec<Envelope>, StoreError> {
        backend!(self, backend => backend.read(game_id, from))
    }

    /// How many events a game's log has: the `expected` of the next append.
    pub fn position(&self, game_id: &str) -> Result<u64, StoreError> {
        backend!(self, backend => backend.position(game_id))
    }

    /// The table with this id.
    pub fn table(&self, id: &str) -> Result<Option<TableRecord>, StoreError> {
        backend!(self, backend => backend.table(id))
    }

    /// The table with this code.
    pub fn table_by_code(&self, code: &str) -> Result<Option<TableRecord>, StoreError> {
        backend!(self, backend => backend.table_by_code(code))
    }

    /// The newest tables, those with this status or all, newest first.
    pub fn tables(
        &self,
        status: Option<&str>,
        limit: usize,
    ) -> Result<Vec<TableRecord>, StoreError> {
        backend!(self, backend => backend.tables(status, limit))
    }

    /// The answer already given to a seat's command with this key.
    pub fn answer(
        &self,
        table_id: &str,
        seat: u8,
        key: &str,
    ) -> Result<Option<String>, StoreError> {
        backend!(self, backend => backend.answer(table_id, seat, key))
    }

    /// How far each seat of a table has read, by seat and dialect.
    pub fn cursors(&self, table_id: &str) -> Result<Vec<Cursor>, StoreError> {
        backend!(self, backend => backend.cursors(table_id))
    }

    /// Every game that has a log, the latest begun first.
    pub fn games(&self) -> Result<Vec<GameSummary>, StoreError> {
        backend!(self, backend => backend.games())
    }

    /// Whether the store can be read right now.
    pub fn ping(&self) -> Result<(), StoreError> {
        backend!(self, backend => backend.ping())
    }

    /// Closes the store for all its handles: waits until everything accepted
    /// is on disk and the writer has stopped. Whatever is asked afterwards is
    /// answered with [`StoreError::Closed`].
    pub fn close(&self) {
        backend!(self, backend => backend.close())
    }
}

/// Tells the metrics of one group of batches written together.
fn record_group(batches: usize, events: u64, took: Duration) {
    metrics::histogram!("parlor_append_seconds").record(took.as_secs_f64());
    metrics::histogram!("parlor_append_group_size").record(batches as f64);
    metrics::counter!("parlor_events_appended_total").increment(events);
}
