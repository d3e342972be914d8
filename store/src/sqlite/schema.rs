//! The shape of the file, and how a connection that writes to it is set up.

use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

/// Marks our files: "PARL".
pub(super) const APPLICATION_ID: i64 = 0x5041_524c;

/// The newest format this program knows.
pub(super) const VERSION: i64 = STEPS.len() as i64;

/// How long to wait for another process that writes.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Every format there was, each as what leads to it from the one before. A
/// step that was released is never changed.
const STEPS: [&str; 3] = [FIRST, SECOND, THIRD];

/// Format 1. `events` has the columns of the shared contract first, then our
/// own. The triggers keep every tool, not only this one, from rewriting
/// history.
const FIRST: &str = "
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  game_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  event_type TEXT NOT NULL,
  payload JSON NOT NULL,
  private BOOLEAN DEFAULT FALSE,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  timestamp INTEGER NOT NULL,
  cause JSON,
  v INTEGER NOT NULL
);
CREATE UNIQUE INDEX idx_game_sequence ON events (game_id, sequence);
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never changed: the log is append-only');
END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never deleted: the log is append-only');
END;
CREATE TABLE tables (
  id TEXT PRIMARY KEY NOT NULL,
  code TEXT NOT NULL UNIQUE,
  game TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX idx_tables_age ON tables (created_at, id);
CREATE INDEX idx_tables_status ON tables (status, created_at, id);
CREATE TABLE answers (
  table_id TEXT NOT NULL,
  seat INTEGER NOT NULL,
  key TEXT NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (table_id, seat, key)
) WITHOUT ROWID;
CREATE TABLE cursors (
  table_id TEXT NOT NULL,
  seat INTEGER NOT NULL,
  dialect TEXT NOT NULL,
  position INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (table_id, seat, dialect)
) WITHOUT ROWID;
";

/// From format 1 to 2: versions of tables, digests of commands, due times.
/// A record written before has version 1. When a game under way is due was
/// not written down, so each is due at once and says so itself when it is
/// opened. The trigger also stops an older Parlor that still has the file
/// open: it knows no versions and would overwrite whatever is there.
const SECOND: &str = "
ALTER TABLE tables ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE TRIGGER tables_are_replaced_in_order BEFORE UPDATE ON tables
WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'a table is replaced by its next version only');
END;
ALTER TABLE answers ADD COLUMN digest BLOB;
CREATE TABLE due (
  table_id TEXT PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX idx_due ON due (at, table_id);
INSERT INTO due (table_id, at) SELECT id, 0 FROM tables WHERE status = 'playing';
";

/// From format 2 to 3: which tables anyone may list, and what the house keeps
/// beside its tables. Until now only a table's data said whether it is listed;
/// a record that says nothing is. A record stays the same version: for this once
/// the trigger that guards them steps aside.
const THIRD: &str = "
DROP TRIGGER tables_are_replaced_in_order;
ALTER TABLE tables ADD COLUMN listed BOOLEAN NOT NULL DEFAULT TRUE;
UPDATE tables SET listed = FALSE
WHERE json_valid(data) AND json_extract(data, '$.unlisted') IS TRUE;
CREATE TRIGGER tables_are_replaced_in_order BEFORE UPDATE ON tables
WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'a table is replaced by its next version only');
END;
CREATE INDEX idx_listed_age ON tables (created_at, id) WHERE listed;
CREATE INDEX idx_listed_status ON tables (status, created_at, id) WHERE listed;
CREATE TABLE house_records (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;
";

/// The mark of whoever made the file, 0 if nobody signed it.
pub(super) fn application_id(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "application_id", |row| row.get(0))
}

/// The file's format.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Whether nobody has put anything into the file yet.
pub(super) fn is_blank(connection: &Connection) -> rusqlite::Result<bool> {
    let things: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(things == 0 && application_id(connection)? == 0 && version(connection)? == 0)
}

/// Fills a blank file, in one transaction and before write-ahead logging is
/// turned on: the file itself bears our mark from its first moment.
pub(super) fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    if !is_blank(connection)? {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    // Another process may have filled it while we waited for the lock.
    if is_blank(&transaction)? {
        take_steps(&transaction, 0)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    transaction.commit()
}

/// Brings a file of an older format to the present one, in one transaction:
/// whatever stops us leaves it as it was.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it while we waited for the lock.
    let from = version(&transaction)?;
    if from < VERSION {
        take_steps(&transaction, from)?;
        tracing::info!(from, to = VERSION, "the store was brought to a newer format");
    }
    transaction.commit()
}

/// Takes every step that a file of this format has before it.
fn take_steps(connection: &Connection, from: i64) -> rusqlite::Result<()> {
    for step in STEPS.iter().skip(usize::try_from(from).unwrap_or(0)) {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "user_version", VERSION)
}

/// Sets up the connection that writes.
pub(super) fn configure(connection: &Connection) -> rusqlite::Result<()> {
    turn_on_write_ahead_log(connection)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // The last pages of a thousand running games stay at hand; the rest is
    // the system's to cache.
    connection.pragma_update(None, "cache_size", -4_096)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)
}

/// A checkpoint copies each changed page once, however often it changed, so
/// rare ones copy less; this many let the log beside the file grow to some 35 MB.
const CHECKPOINT_PAGES: i64 = 8_000;

/// SQLite does not wait for other processes here, so this does.
pub(super) fn turn_on_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && start.elapsed() < PATIENCE =>
            {
                thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
}

/// A table, an index or a trigger of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Thing {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) sql: String,
}

/// Everything that was made in a file; what SQLite makes by itself is left out.
pub(super) fn shape(connection: &Connection) -> rusqlite::Result<Vec<Thing>> {
    let mut things = connection
        .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")?;
    let rows = things.query_map([], |row| {
        Ok(Thing { kind: row.get(0)?, name: row.get(1)?, sql: row.get(2)? })
    })?;
    // Statistics that a tool has gathered belong to nobody.
    let rows = rows
        .filter(|thing| thing.as_ref().map_or(true, |thing| !thing.name.starts_with("sqlite_")));
    rows.collect()
}

/// What a file of this format has in it.
pub(super) fn shape_of(version: i64) -> rusqlite::Result<Vec<Thing>> {
    let blank = Connection::open_in_memory()?;
    for step in STEPS.iter().take(usize::try_from(version).unwrap_or(0)) {
        blank.execute_batch(step)?;
    }
    shape(&blank)
}
