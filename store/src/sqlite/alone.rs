//! A store that nobody else has open: its file may be replaced by another.
//!
//! The log forbids deleting, from any tool. A store becomes smaller only by
//! being written anew without some games, into a file that takes the old
//! one's place at one stroke.

use std::path::{Path, PathBuf};

use parlor_kernel::Envelope;
use rusqlite::{Connection, ffi, params};

use super::whole::{self, beside, discard, settle, sync, sync_folder, vacuum_into};
use super::{reader, schema};
use crate::error::StoreError;
use crate::records::{GameSummary, TableRecord};
use crate::upkeep::Contents;

/// What a replaced file says its format is, so that a server which had just
/// found it under its old name does not write to it.
const REPLACED: i32 = i32::MAX;

/// A store held alone until this is dropped.
pub(crate) struct Alone {
    path: PathBuf,
    connection: Connection,
}

impl Alone {
    /// Takes a store; refused with `Busy` while anybody else has it open.
    pub(crate) fn take(path: &Path) -> Result<Alone, StoreError> {
        let path = &super::as_name(path);
        let mut connection = whole::open(path)?;
        // Where a link leads is what is replaced, not the link.
        let path = path.canonicalize().map_err(|error| StoreError::io(path, error))?;
        let failed = |error| StoreError::sqlite(&path, &error);
        schema::migrate(&mut connection).map_err(failed)?;
        hold(&connection).map_err(failed)?;
        Ok(Alone { path, connection })
    }

    /// At most `limit` games after this one, by id.
    pub(crate) fn games(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<GameSummary>, StoreError> {
        reader::games(&self.connection, after, limit).map_err(|error| self.failed(&error))
    }

    /// A game's table, if it has one.
    pub(crate) fn table(&self, id: &str) -> Result<Option<TableRecord>, StoreError> {
        reader::table(&self.connection, id).map_err(|error| self.failed(&error))
    }

    /// A game's whole log.
    pub(crate) fn log(&self, game_id: &str) -> Result<Vec<Envelope>, StoreError> {
        let log = reader::read(&self.connection, game_id, 0, usize::MAX);
        log.map_err(|error| self.failed(&error))
    }

    /// Writes the store anew without these games and everything that belongs
    /// to them, checks it, and puts it in the old one's place. Until the very
    /// last step the old file is as it was.
    pub(crate) fn shrink(self, gone: &[String]) -> Result<Contents, StoreError> {
        let fresh = beside(&self.path, ".shrinking");
        discard(&fresh);
        let made = self.write_anew(&fresh, gone).and_then(|()| self.check_anew(&fresh, gone));
        let contents = made.inspect_err(|_| discard(&fresh))?;
        self.give_place_to(&fresh)?;
        Ok(contents)
    }

    fn write_anew(&self, fresh: &Path, gone: &[String]) -> Result<(), StoreError> {
        let failed = |error: rusqlite::Error| {
            StoreError::io(fresh, format!("it cannot be written: {error}"))
        };
        let mut blank = Connection::open(fresh).map_err(failed)?;
        schema::create(&mut blank).map_err(failed)?;
        drop(blank);
        let name = fresh.to_str().ok_or_else(|| StoreError::io(fresh, "its name is no text"))?;
        self.connection.execute("ATTACH ?1 AS fresh", [name]).map_err(failed)?;
        let copied = self.copy_kept(gone);
        self.connection.execute("DETACH fresh", []).map_err(failed)?;
        copied.map_err(failed)
    }

    /// The fresh file is nobody's yet: what stops us leaves nothing of worth,
    /// so it needs no journal, and is made durable once it is whole.
    fn copy_kept(&self, gone: &[String]) -> rusqlite::Result<()> {
        let connection = &self.connection;
        connection.execute_batch(
            "PRAGMA fresh.journal_mode = OFF;
             PRAGMA fresh.synchronous = OFF;
             PRAGMA fresh.cache_size = -65536;
             CREATE TEMP TABLE gone (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
             BEGIN;",
        )?;
        let copied = self.note_gone(gone).and_then(|()| self.copy_tables());
        match copied {
            Ok(()) => connection.execute_batch("COMMIT"),
            Err(error) => {
                // The error that is told is the first one.
                drop(connection.execute_batch("ROLLBACK"));
                Err(error)
            }
        }
    }

    fn note_gone(&self, gone: &[String]) -> rusqlite::Result<()> {
        let mut note = self.connection.prepare("INSERT INTO temp.gone VALUES (?1)")?;
        gone.iter().try_for_each(|id| note.execute([id]).map(drop))
    }

    fn copy_tables(&self) -> rusqlite::Result<()> {
        let connection = &self.connection;
        let mut tables = connection.prepare(
            "SELECT name FROM main.sqlite_schema
             WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        )?;
        let names = tables.query_map([], |row| row.get::<_, String>(0))?;
        // An index is made at once from what is there in a fraction of the time
        // that row by row takes.
        connection.execute_batch("DROP INDEX fresh.idx_game_sequence")?;
        for name in names {
            let name = name?;
            let kept = match belongs_by(&name) {
                Some(column) => format!("WHERE {column} NOT IN (SELECT id FROM temp.gone)"),
                None => String::new(),
            };
            let copy = format!("INSERT INTO fresh.{name} SELECT * FROM main.{name} {kept}");
            connection.execute(&copy, [])?;
        }
        connection.execute_batch(
            "CREATE UNIQUE INDEX fresh.idx_game_sequence ON events (game_id, sequence)",
        )
    }

    /// The fresh file is whole, and has every event that was to stay.
    fn check_anew(&self, fresh: &Path, gone: &[String]) -> Result<Contents, StoreError> {
        let contents = whole::check(fresh)?;
        let count = |sql: &str, id: &str| {
            let counted = self.connection.query_row(sql, params![id], |row| row.get::<_, i64>(0));
            counted.map(|count| count as u64).map_err(|error| self.failed(&error))
        };
        let before = whole::contents(&self.connection, &self.path);
        let before = before.map_err(|error| self.failed(&error))?;
        let (mut events, mut tables) = (0, 0);
        for id in gone {
            events += count("SELECT count(*) FROM main.events WHERE game_id = ?1", id)?;
            tables += count("SELECT count(*) FROM main.tables WHERE id = ?1", id)?;
        }
        let kept = (before.events - events, before.tables - tables);
        if kept != (contents.events, contents.tables) {
            let reason = format!(
                "the new file has {} events and {} tables where {} and {} belong",
                contents.events, contents.tables, kept.0, kept.1
            );
            return Err(StoreError::damaged(fresh, reason));
        }
        Ok(contents)
    }

    /// From here on the old file is nowhere to be found. Whoever waits for its
    /// lock has it open all the same, and is told that it is not to be used.
    pub(crate) fn give_place_to(self, fresh: &Path) -> Result<(), StoreError> {
        settle(fresh, &self.path)?;
        let marked = self.connection.pragma_update(None, "user_version", REPLACED);
        marked.map_err(|error| self.failed(&error))
    }

    /// Keeps the old file under another name before it gives its place.
    pub(crate) fn keep_as(&self, name: &Path) -> Result<(), StoreError> {
        if name.exists() {
            return Err(StoreError::Exists { path: name.display().to_string() });
        }
        // Through this connection: to open the file beside it and close it
        // again would give up its lock.
        vacuum_into(&self.connection, name)?;
        sync(name)?;
        sync_folder(name)
    }

    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::sqlite(&self.path, error)
    }
}

/// The column that says which game a row belongs to; none where a table is
/// about something else, and stays whole.
fn belongs_by(table: &str) -> Option<&'static str> {
    match table {
        "events" => Some("game_id"),
        "tables" => Some("id"),
        "answers" | "cursors" | "due" => Some("table_id"),
        _ => None,
    }
}

/// Turns off write-ahead logging, which only whoever is alone can do: the file
/// is then all there is of the store. The lock stays until the end.
pub(super) fn hold(connection: &Connection) -> rusqlite::Result<()> {
    let change = |mode: &str| -> rusqlite::Result<String> {
        connection.pragma_update_and_check(None, "journal_mode", mode, |row| row.get(0))
    };
    change("DELETE")?;
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    // A journal would lie beside the file that takes this one's place, and be
    // taken for its own.
    change("OFF")?;
    connection.execute_batch("BEGIN EXCLUSIVE; COMMIT")?;
    // Somebody may have come before the lock did.
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    match mode.as_str() {
        "off" => Ok(()),
        _ => Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None)),
    }
}
