//! The log on disk.
//!
//! A [`Store`] keeps every game's log of events, and beside the logs what a
//! server must not forget: its tables, the answers it has given, and how far
//! each listener has read. Everything is written in a [`Batch`], all of it or
//! nothing, and [`commit`](Engine::commit) answers only once the batch is durable.
//! Every append states how many events it expects in the log, so a second
//! writer, in this process or another, is refused instead of trusted.
//!
//! [`Engine`] is what an engine must do. There are two with the same
//! behaviour, `sqlite:PATH` and `memory:`; `tests/conformance.rs` is the suite
//! both pass. This crate knows no game and no clock: events, tables and
//! answers are opaque JSON to it.
//!
//! ```
//! use parlor_store::{Append, Batch, Store};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let store = Store::open("memory:").await?;
//! let opened = serde_json::from_str(
//!     r#"{"eventType":"Opened","gameId":"g1","sequence":0,"timestamp":5,"payload":{},"v":1}"#,
//! )?;
//! let append = Append { game_id: "g1".into(), expected: 0, envelopes: vec![opened] };
//! store.commit(Batch { append: Some(append), ..Batch::default() }).await?;
//! assert_eq!(store.position("g1").await?, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod engine;
mod error;
mod memory;
mod news;
mod records;
mod sqlite;
pub mod upkeep;

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::Envelope;

pub use engine::{Call, Engine, Soon};
pub use error::StoreError;
pub use news::{News, NewsStream};
pub use records::{
    Answer, Append, Batch, Cursor, Due, GameSummary, Head, HouseRecord, TableRecord,
};

/// How many entries are read at a time where all of them are wanted.
pub const PAGE: usize = 1_000;

/// A handle to a store; clones share it. Everything an [`Engine`] does can be
/// asked of it. Dropping the last one closes it and waits for the writer.
#[derive(Clone, Debug)]
pub struct Store(Arc<dyn Engine>);

impl Store {
    /// Opens the store a URL names: `sqlite:PATH` (made if it is not there)
    /// or `memory:` (empty, and gone with the last handle).
    ///
    /// A file that is damaged, of a newer Parlor, or not a Parlor store at all
    /// is refused before anything is written to it. A file of an older format
    /// is brought to the present one; its events stay as they are.
    pub async fn open(url: &str) -> Result<Store, StoreError> {
        match location(url)? {
            Location::Memory => Ok(Store::on(memory::Memory::default())),
            Location::Sqlite(path) => Ok(Store::on(sqlite::Sqlite::open(path.to_owned()).await?)),
        }
    }

    /// Whether a store could be opened there. Nothing is written: what is not
    /// there yet is not made, and what is old stays as it is.
    pub fn look(url: &str) -> Result<(), StoreError> {
        match location(url)? {
            Location::Memory => Ok(()),
            Location::Sqlite(path) => sqlite::look(path),
        }
    }

    /// A store on an engine of any kind.
    pub fn on(engine: impl Engine + 'static) -> Store {
        Store(Arc::new(engine))
    }

    /// A game's whole log from `from` on, page by page.
    pub async fn log(&self, game_id: &str, from: u64) -> Result<Vec<Envelope>, StoreError> {
        let mut log = self.read(game_id, from, PAGE).await?;
        let mut is_last = log.len() < PAGE;
        while !is_last {
            let page = self.read(game_id, from + log.len() as u64, PAGE).await?;
            is_last = page.len() < PAGE;
            log.extend(page);
        }
        Ok(log)
    }
}

/// Where a store lies.
enum Location<'a> {
    Memory,
    Sqlite(&'a str),
}

fn location(url: &str) -> Result<Location<'_>, StoreError> {
    match url.split_once(':') {
        Some(("memory", "")) => Ok(Location::Memory),
        // Many tools write `sqlite://PATH`; both name the same file.
        Some(("sqlite", path)) => match path.strip_prefix("//").unwrap_or(path) {
            "" => Err(StoreError::UnknownUrl(url.to_owned())),
            path => Ok(Location::Sqlite(path)),
        },
        _ => Err(StoreError::UnknownUrl(url.to_owned())),
    }
}

impl Deref for Store {
    type Target = dyn Engine;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

/// Tells the metrics of one group of batches written together.
fn record_group(batches: usize, events: u64, took: Duration) {
    metrics::histogram!("parlor_append_seconds").record(took.as_secs_f64());
    metrics::histogram!("parlor_append_group_size").record(batches as f64);
    metrics::counter!("parlor_events_appended_total").increment(events);
}
