//! The store in an SQLite file: one thread writes, a small pool reads.
//!
//! The writer gathers the batches of all tables that wait into one
//! transaction, so throughput grows with load while every answer still waits
//! for its own fsync. Write-ahead logging lets readers, also those of other
//! processes, read while it writes.

mod inbox;
mod look;
mod reader;
mod schema;
mod statements;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use parlor_kernel::Envelope;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::{Semaphore, oneshot};

use crate::error::StoreError;
use crate::records::{Batch, Cursor, GameSummary, TableRecord};
use inbox::Inbox;
use reader::Readers;
use writer::{Job, Writer};

/// How many batches may wait for the writer; whoever comes then waits outside.
const QUEUE: usize = 2048;

/// A store in an SQLite file.
#[derive(Debug)]
pub(crate) struct Sqlite {
    /// Room in the inbox.
    room: Arc<Semaphore>,
    inbox: Arc<Inbox>,
    writer: Mutex<Option<JoinHandle<()>>>,
    readers: Readers,
}

impl Sqlite {
    pub(crate) fn open(path: &str) -> Result<Sqlite, StoreError> {
        // A leading directory keeps SQLite from reading names such as
        // `:memory:` and `file:x?mode=ro` as anything but file names.
        let path = Path::new(".").join(path);
        // One at a time: a look that closes a file while another handle of
        // this process is just opening it would drop that handle's locks.
        static DOOR: Mutex<()> = Mutex::new(());
        let _door = DOOR.lock().unwrap_or_else(PoisonError::into_inner);
        look::look(&path)?;
        // The real path: a link may be turned elsewhere while we run.
        let path = path.canonicalize().unwrap_or(path);
        let failed = |error| StoreError::sqlite(&path, &error);
        let mut connection = open_to_write(&path).map_err(failed)?;
        schema::create(&mut connection).map_err(failed)?;
        // Once more, in case someone came between the look and the opening.
        look::refuse_others(&connection, &path)?;
        schema::configure(&connection).map_err(failed)?;
        Sqlite::start(path, connection)
    }

    fn start(path: PathBuf, connection: Connection) -> Result<Sqlite, StoreError> {
        let room = Arc::new(Semaphore::new(QUEUE));
        let inbox = Arc::new(Inbox::default());
        let writer = Writer::new(path.clone(), connection, inbox.clone(), room.clone())?;
        let thread = thread::Builder::new().name("parlor-store".into());
        let thread = thread.spawn(|| writer.run()).map_err(|error| StoreError::io(&path, error))?;
        tracing::debug!(path = %path.display(), "store opened");
        let readers = Readers::new(path);
        Ok(Sqlite { room, inbox, writer: Mutex::new(Some(thread)), readers })
    }

    pub(crate) async fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        // The writer makes room again when it takes the batch out.
        self.room.acquire().await.map_err(|_| StoreError::Closed)?.forget();
        let (done, news) = oneshot::channel();
        self.inbox.put(Job::new(batch, done)).await?;
        // News that never comes is of a batch the writer never took.
        news.await.map_or(Err(StoreError::Closed), |news| news.verdict)
    }

    pub(crate) fn close(&self) {
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
    }

    pub(crate) fn read(&self, game_id: &str, from: u64) -> Result<Vec<Envelope>, StoreError> {
        self.readers.with(|connection| reader::read(connection, game_id, from))
    }

    pub(crate) fn position(&self, game_id: &str) -> Result<u64, StoreError> {
        self.readers.with(|connection| reader::position(connection, game_id))
    }

    pub(crate) fn table(&self, id: &str) -> Result<Option<TableRecord>, StoreError> {
        self.readers.with(|connection| reader::table(connection, id))
    }

    pub(crate) fn table_by_code(&self, code: &str) -> Result<Option<TableRecord>, StoreError> {
        self.readers.with(|connection| reader::table_by_code(connection, code))
    }

    pub(crate) fn tables(
        &self,
        status: Option<&str>,
        limit: usize,
    ) -> Result<Vec<TableRecord>, StoreError> {
        self.readers.with(|connection| reader::tables(connection, status, limit))
    }

    pub(crate) fn answer(
        &self,
        table_id: &str,
        seat: u8,
        key: &str,
    ) -> Result<Option<String>, StoreError> {
        self.readers.with(|connection| reader::answer(connection, table_id, seat, key))
    }

    pub(crate) fn cursors(&self, table_id: &str) -> Result<Vec<Cursor>, StoreError> {
        self.readers.with(|connection| reader::cursors(connection, table_id))
    }

    pub(crate) fn games(&self) -> Result<Vec<GameSummary>, StoreError> {
        self.readers.with(reader::games)
    }

    pub(crate) fn ping(&self) -> Result<(), StoreError> {
        self.readers.with(reader::ping)
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.close();
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
