//! The store in an SQLite file: one thread writes, a small pool reads.
//!
//! The writer gathers the batches of all tables that wait into one
//! transaction, so throughput grows with load while every answer still waits
//! for its own fsync. Write-ahead logging lets readers, also those of other
//! processes, read while it writes.

mod alone;
mod examine;
mod inbox;
mod look;
mod reader;
mod restore;
mod schema;
mod statements;
mod whole;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use parlor_kernel::Envelope;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::spawn_blocking;

use crate::engine::{Call, Engine, Soon};
use crate::error::StoreError;
use crate::news::{NewsStream, Newsroom};
use crate::records::{Answer, Batch, Cursor, Due, GameSummary, Head, HouseRecord, TableRecord};
use crate::upkeep::{Contents, Finding};
pub(crate) use alone::Alone;
use inbox::Inbox;
use reader::Readers;
use writer::{Job, Writer};

/// The newest format this program knows.
pub(crate) const FORMAT: i64 = schema::VERSION;

/// See [`crate::upkeep`].
pub(crate) fn copy(path: &Path, to: &Path) -> Result<Contents, StoreError> {
    whole::copy(path, &as_name(to))
}

/// See [`crate::upkeep`].
pub(crate) fn restore(
    from: &Path,
    path: &Path,
    replaces: bool,
) -> Result<(Contents, Option<PathBuf>), StoreError> {
    restore::restore(from, &as_name(path), replaces)
}

/// See [`crate::upkeep`].
pub(crate) fn examine(path: &Path) -> Result<(Contents, Vec<Finding>), StoreError> {
    examine::examine(&as_name(path))
}

/// A leading directory keeps SQLite from reading names such as `:memory:` and
/// `file:x?mode=ro` as anything but file names.
fn as_name(path: impl AsRef<Path>) -> PathBuf {
    Path::new(".").join(path)
}

/// How many batches may wait for the writer; whoever comes then waits outside.
const QUEUE: usize = 2048;

/// A store in an SQLite file.
#[derive(Debug)]
pub(crate) struct Sqlite(Arc<OpenFile>);

/// An open file. Shared with the threads that read or close it.
#[derive(Debug)]
struct OpenFile {
    /// Room in the inbox.
    room: Arc<Semaphore>,
    inbox: Arc<Inbox>,
    writer: Mutex<Option<JoinHandle<()>>>,
    readers: Readers,
    newsroom: Arc<Newsroom>,
}

impl Sqlite {
    pub(crate) async fn open(path: String) -> Result<Sqlite, StoreError> {
        let opened = spawn_blocking(move || OpenFile::open(&path)).await;
        Ok(Sqlite(Arc::new(opened.map_err(|_| StoreError::Closed)??)))
    }

    /// Reads on a thread where waiting for the disk holds up nobody.
    fn look<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Call<'_, T> {
        let open = Arc::clone(&self.0);
        Box::pin(async move {
            let read = spawn_blocking(move || open.readers.with(read)).await;
            // Only a runtime that is going away does not run it.
            read.unwrap_or(Err(StoreError::Closed))
        })
    }
}

/// Whether this file, or one in its place, could be opened.
pub(crate) fn look(path: &str) -> Result<(), StoreError> {
    let _door = DOOR.lock().unwrap_or_else(PoisonError::into_inner);
    look::look(&as_name(path))
}

/// One at a time: a look that closes a file while another handle of this
/// process is just opening it would drop that handle's locks.
static DOOR: Mutex<()> = Mutex::new(());

impl OpenFile {
    fn open(path: &str) -> Result<OpenFile, StoreError> {
        let path = as_name(path);
        let _door = DOOR.lock().unwrap_or_else(PoisonError::into_inner);
        look::look(&path)?;
        // The real path: a link may be turned elsewhere while we run.
        let path = path.canonicalize().unwrap_or(path);
        let failed = |error| StoreError::sqlite(&path, &error);
        let mut connection = open_to_write(&path).map_err(failed)?;
        schema::create(&mut connection).map_err(failed)?;
        // Once more, in case someone came between the look and the opening.
        look::refuse_others(&connection, &path)?;
        schema::migrate(&mut connection).map_err(|error| unmigrated(&path, &error))?;
        schema::configure(&connection).map_err(failed)?;
        OpenFile::start(path, connection)
    }

    fn start(path: PathBuf, connection: Connection) -> Result<OpenFile, StoreError> {
        let room = Arc::new(Semaphore::new(QUEUE));
        let inbox = Arc::new(Inbox::default());
        let newsroom = Arc::new(Newsroom::default());
        let (to_write, told) = (inbox.clone(), newsroom.clone());
        let writer = Writer::new(path.clone(), connection, to_write, room.clone(), told)?;
        let thread = thread::Builder::new().name("parlor-store".into());
        let thread = thread.spawn(|| writer.run()).map_err(|error| StoreError::io(&path, error))?;
        tracing::debug!(path = %path.display(), "store opened");
        let readers = Readers::new(path);
        Ok(OpenFile { room, inbox, writer: Mutex::new(Some(thread)), readers, newsroom })
    }

    async fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        batch.check()?;
        // The writer makes room again when it takes the batch out.
        self.room.acquire().await.map_err(|_| StoreError::Closed)?.forget();
        let (done, outcome) = oneshot::channel();
        self.inbox.put(Job::new(batch, done)).await?;
        // An outcome that never comes is of a batch the writer never took.
        outcome.await.map_or(Err(StoreError::Closed), |outcome| outcome.verdict)
    }

    /// Blocks until the writer has stopped.
    fn close(&self) {
        self.room.close();
        // The last connection to go tidies up the log beside the file, which a
        // reading one may not do: the readers go first.
        self.readers.close();
        self.inbox.close();
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = writer.take()
            && thread.join().is_err()
        {
            tracing::error!("the store's writer has panicked");
        }
        self.newsroom.close();
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        self.close();
    }
}

impl Engine for Sqlite {
    fn commit(&self, batch: Batch) -> Call<'_, ()> {
        Box::pin(self.0.commit(batch))
    }

    fn read<'a>(&'a self, game_id: &'a str, from: u64, limit: usize) -> Call<'a, Vec<Envelope>> {
        let game_id = game_id.to_owned();
        self.look(move |connection| reader::read(connection, &game_id, from, limit))
    }

    fn position<'a>(&'a self, game_id: &'a str) -> Call<'a, u64> {
        let game_id = game_id.to_owned();
        self.look(move |connection| reader::position(connection, &game_id))
    }

    fn heads<'a>(&'a self, game_ids: &'a [String]) -> Call<'a, Vec<Head>> {
        let game_ids = game_ids.to_vec();
        self.look(move |connection| reader::heads(connection, game_ids))
    }

    fn table<'a>(&'a self, id: &'a str) -> Call<'a, Option<TableRecord>> {
        let id = id.to_owned();
        self.look(move |connection| reader::table(connection, &id))
    }

    fn table_by_code<'a>(&'a self, code: &'a str) -> Call<'a, Option<TableRecord>> {
        let code = code.to_owned();
        self.look(move |connection| reader::table_by_code(connection, &code))
    }

    fn tables<'a>(
        &'a self,
        status: Option<&'a str>,
        before: Option<(u64, &'a str)>,
        limit: usize,
    ) -> Call<'a, Vec<TableRecord>> {
        let (status, before) = (status.map(str::to_owned), owned(before));
        self.look(move |connection| {
            reader::tables(connection, status.as_deref(), lent(&before), limit)
        })
    }

    fn listed_tables<'a>(
        &'a self,
        status: Option<&'a str>,
        before: Option<(u64, &'a str)>,
        limit: usize,
    ) -> Call<'a, Vec<TableRecord>> {
        let (status, before) = (status.map(str::to_owned), owned(before));
        self.look(move |connection| {
            reader::listed_tables(connection, status.as_deref(), lent(&before), limit)
        })
    }

    fn house_records<'a>(
        &'a self,
        kind: &'a str,
        after: Option<&'a str>,
        limit: usize,
    ) -> Call<'a, Vec<HouseRecord>> {
        let (kind, after) = (kind.to_owned(), after.map(str::to_owned));
        self.look(move |connection| {
            reader::house_records(connection, kind, after.as_deref(), limit)
        })
    }

    fn due<'a>(&'a self, after: Option<(u64, &'a str)>, limit: usize) -> Call<'a, Vec<Due>> {
        let after = owned(after);
        self.look(move |connection| reader::due(connection, lent(&after), limit))
    }

    fn answer<'a>(&'a self, table_id: &'a str, seat: u8, key: &'a str) -> Call<'a, Option<Answer>> {
        let (table_id, key) = (table_id.to_owned(), key.to_owned());
        self.look(move |connection| reader::answer(connection, &table_id, seat, &key))
    }

    fn cursors<'a>(&'a self, table_id: &'a str) -> Call<'a, Vec<Cursor>> {
        let table_id = table_id.to_owned();
        self.look(move |connection| reader::cursors(connection, &table_id))
    }

    fn games<'a>(&'a self, after: Option<&'a str>, limit: usize) -> Call<'a, Vec<GameSummary>> {
        let after = after.map(str::to_owned);
        self.look(move |connection| reader::games(connection, after.as_deref(), limit))
    }

    fn news(&self) -> NewsStream {
        self.0.newsroom.listen()
    }

    fn ping(&self) -> Call<'_, ()> {
        // A batch of nothing: it waits its turn and takes the lock to write.
        self.commit(Batch::default())
    }

    fn close(&self) -> Soon<'_, ()> {
        let open = Arc::clone(&self.0);
        // A runtime that is going away drops the file, and that closes it.
        Box::pin(async move { drop(spawn_blocking(move || open.close()).await) })
    }
}

fn owned(mark: Option<(u64, &str)>) -> Option<(u64, String)> {
    mark.map(|(time, id)| (time, id.to_owned()))
}

fn lent(mark: &Option<(u64, String)>) -> Option<(u64, &str)> {
    mark.as_ref().map(|(time, id)| (*time, id.as_str()))
}

/// A file of ours that lacks what is to be changed is damaged.
fn unmigrated(path: &Path, error: &rusqlite::Error) -> StoreError {
    match StoreError::sqlite(path, error) {
        StoreError::Io { reason, .. } if reason.contains("no such table") => {
            StoreError::damaged(path, reason)
        }
        other => other,
    }
}

fn open_to_write(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(schema::PATIENCE)?;
    Ok(connection)
}
