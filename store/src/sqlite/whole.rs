//! Whole files: checked from end to end, copied while they are in use, and put
//! in another one's place so that a crash leaves the old or the new.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::look;
use super::schema;
use crate::error::StoreError;
use crate::upkeep::Contents;

/// How many wrong logs are named.
const NAMED: usize = 5;

/// Opens a store as it is, to be looked after.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    if !path.is_file() {
        return Err(StoreError::Missing { path: path.display().to_string() });
    }
    look::look(path)?;
    // Whoever only reads may not tidy up the log beside the file.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let failed = |error| StoreError::sqlite(path, &error);
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(schema::PATIENCE).map_err(failed)?;
    look::refuse_others(&connection, path)?;
    Ok(connection)
}

/// Copies a store, also while it is in use, and checks the copy. There is a
/// file at `to` only once all of it is there, whole and durable.
pub(super) fn copy(path: &Path, to: &Path) -> Result<Contents, StoreError> {
    if to.exists() {
        return Err(StoreError::Exists { path: to.display().to_string() });
    }
    let partial = beside(to, ".partial");
    let contents = copy_unchecked(path, &partial).and_then(|()| check(&partial));
    let contents = contents.inspect_err(|_| discard(&partial))?;
    settle(&partial, to)?;
    Ok(contents)
}

pub(super) fn copy_unchecked(path: &Path, to: &Path) -> Result<(), StoreError> {
    discard(to);
    vacuum_into(&open(&super::as_name(path))?, to)
}

/// Writes all there is to a new file.
pub(super) fn vacuum_into(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    let target = to.to_str().ok_or_else(|| StoreError::io(to, "its name is no text"))?;
    // One read transaction: a moment of the store, whatever is written meanwhile.
    let copied = connection.execute("VACUUM INTO ?1", [target]);
    copied.map(drop).map_err(|error| StoreError::io(to, format!("the copy failed: {error}")))
}

/// Looks at every page, index and log of a file that was just made, and leaves
/// it as a server would: ready for write-ahead logging.
pub(super) fn check(path: &Path) -> Result<Contents, StoreError> {
    let connection = open(path)?;
    let failed = |error| StoreError::sqlite(path, &error);
    let wrong = broken_pages(&connection).map_err(failed)?;
    if !wrong.is_empty() {
        return Err(StoreError::damaged(path, wrong.join("; ")));
    }
    let wrong = broken_logs(&connection).map_err(failed)?;
    if !wrong.is_empty() {
        return Err(StoreError::damaged(path, wrong.join("; ")));
    }
    let contents = contents(&connection, path).map_err(failed)?;
    schema::turn_on_write_ahead_log(&connection).map_err(failed)?;
    Ok(contents)
}

/// What SQLite's own check finds.
pub(super) fn broken_pages(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut check = connection.prepare("PRAGMA integrity_check(5)")?;
    let lines = check.query_map([], |row| row.get::<_, String>(0))?;
    let lines: Vec<String> = lines.collect::<Result<_, _>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

/// Logs that do not count 0, 1, 2, ….
pub(super) fn broken_logs(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(
        "SELECT game_id, count(*), min(sequence), max(sequence) FROM events
         GROUP BY game_id HAVING min(sequence) <> 0 OR max(sequence) <> count(*) - 1 LIMIT ?1",
    )?;
    let logs = statement.query_map([NAMED as i64], |row| {
        let (game, count): (String, i64) = (row.get(0)?, row.get(1)?);
        let (first, last): (i64, i64) = (row.get(2)?, row.get(3)?);
        Ok(format!("the log of game '{game}' has {count} events, numbered {first} to {last}"))
    })?;
    logs.collect()
}

pub(super) fn contents(connection: &Connection, path: &Path) -> rusqlite::Result<Contents> {
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    Ok(Contents {
        bytes: path.metadata().map_or(0, |metadata| metadata.len()),
        format: schema::version(connection)?,
        events: count("SELECT count(*) FROM events")? as u64,
        games: count("SELECT count(*) FROM events WHERE sequence = 0")? as u64,
        tables: count("SELECT count(*) FROM tables")? as u64,
    })
}

/// Puts a finished file in its place: durable first, then under its name.
pub(super) fn settle(partial: &Path, to: &Path) -> Result<(), StoreError> {
    sync(partial)?;
    fs::rename(partial, to).map_err(|error| StoreError::io(to, error))?;
    sync_folder(to)
}

pub(super) fn sync(path: &Path) -> Result<(), StoreError> {
    let synced = File::open(path).and_then(|file| file.sync_all());
    synced.map_err(|error| StoreError::io(path, error))
}

/// A name is durable once its folder is.
pub(super) fn sync_folder(path: &Path) -> Result<(), StoreError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    sync(folder.unwrap_or(Path::new(".")))
}

/// Removes what was begun and not finished. Nobody misses it, so a failure
/// shows when the name is used next.
pub(super) fn discard(path: &Path) {
    for suffix in ["", "-journal", "-wal", "-shm"] {
        drop(fs::remove_file(beside(path, suffix)));
    }
}

/// The name of a file kept beside another.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
