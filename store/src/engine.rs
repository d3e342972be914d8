//! What stands behind a store: the one trait every engine implements.

use std::fmt::Debug;
use std::pin::Pin;

use parlor_kernel::Envelope;

use crate::error::StoreError;
use crate::news::NewsStream;
use crate::records::{Answer, Batch, Cursor, Due, GameSummary, Head, HouseRecord, TableRecord};

/// Something that will be done soon.
pub type Soon<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The answer to a call of a store.
pub type Call<'a, T> = Soon<'a, Result<T, StoreError>>;

/// What keeps the logs. No call blocks the thread it is made on, and whatever
/// can be long is read in pages: an answer with fewer entries than its limit
/// is the last one.
///
/// `tests/conformance.rs` is what every engine must pass.
pub trait Engine: Debug + Send + Sync {
    /// Writes a batch, all of it or nothing, and answers once it is durable.
    ///
    /// A batch that cannot stand is refused with [`StoreError::Malformed`]
    /// before anything else. A key that was answered before comes next, with
    /// the stored answer: whoever sends a command again must hear it, however
    /// far the log has gone on. Then come [`StoreError::Conflict`],
    /// [`StoreError::Stale`] and [`StoreError::CodeTaken`]. A refused batch
    /// does not harm those that are written with it. [`StoreError::Busy`]
    /// means that another writer holds what is needed; nothing was written.
    ///
    /// A caller that stops waiting leaves open whether its batch is written;
    /// the log's position tells.
    fn commit(&self, batch: Batch) -> Call<'_, ()>;

    /// At most `limit` of a game's events from `from` on, in order.
    fn read<'a>(&'a self, game_id: &'a str, from: u64, limit: usize) -> Call<'a, Vec<Envelope>>;

    /// How many events a game's log has: the `expected` of the next append.
    fn position<'a>(&'a self, game_id: &'a str) -> Call<'a, u64>;

    /// How far each of these games and its table have come, in the same order:
    /// what whoever holds them in memory asks after lost news.
    fn heads<'a>(&'a self, game_ids: &'a [String]) -> Call<'a, Vec<Head>>;

    /// The table with this id.
    fn table<'a>(&'a self, id: &'a str) -> Call<'a, Option<TableRecord>>;

    /// The table with this code.
    fn table_by_code<'a>(&'a self, code: &'a str) -> Call<'a, Option<TableRecord>>;

    /// At most `limit` tables, those with this status or all, newest first.
    /// The next page is `before` the time and the id of the last one.
    fn tables<'a>(
        &'a self,
        status: Option<&'a str>,
        before: Option<(u64, &'a str)>,
        limit: usize,
    ) -> Call<'a, Vec<TableRecord>>;

    /// The same of those that anyone may list: the others do not count.
    fn listed_tables<'a>(
        &'a self,
        status: Option<&'a str>,
        before: Option<(u64, &'a str)>,
        limit: usize,
    ) -> Call<'a, Vec<TableRecord>>;

    /// At most `limit` of the house records of a kind, by id; the next page is
    /// `after` the last one.
    fn house_records<'a>(
        &'a self,
        kind: &'a str,
        after: Option<&'a str>,
        limit: usize,
    ) -> Call<'a, Vec<HouseRecord>>;

    /// At most `limit` tables that go on by themselves, the first due first.
    /// The next page is `after` the time and the id of the last one.
    fn due<'a>(&'a self, after: Option<(u64, &'a str)>, limit: usize) -> Call<'a, Vec<Due>>;

    /// The answer already given to a seat's command with this key.
    fn answer<'a>(&'a self, table_id: &'a str, seat: u8, key: &'a str) -> Call<'a, Option<Answer>>;

    /// How far each seat of a table has read, by seat and dialect.
    fn cursors<'a>(&'a self, table_id: &'a str) -> Call<'a, Vec<Cursor>>;

    /// At most `limit` games that have a log, by id; the next page is `after`
    /// the last one.
    fn games<'a>(&'a self, after: Option<&'a str>, limit: usize) -> Call<'a, Vec<GameSummary>>;

    /// What is written from now on, by whoever writes.
    fn news(&self) -> NewsStream;

    /// Whether a batch could be written right now: goes the way batches go,
    /// through the writer, and writes nothing.
    fn ping(&self) -> Call<'_, ()>;

    /// Closes the store for all its handles: waits until everything accepted
    /// is on disk and the writer has stopped. Whatever is asked afterwards is
    /// answered with [`StoreError::Closed`].
    fn close(&self) -> Soon<'_, ()>;
}
