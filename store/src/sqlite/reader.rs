//! Reading: a small pool of connections that cannot write, so that no reader
//! ever waits for the writer nor the writer for a reader.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_kernel::Envelope;
use rusqlite::types::{FromSqlError, Type, ValueRef};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Result, Row, params};
use serde_json::value::RawValue;

use super::schema;
use crate::error::StoreError;
use crate::records::{Answer, Cursor, Due, GameSummary, Head, HouseRecord, TableRecord};

/// How many idle connections are kept; more are opened when needed.
const KEPT: usize = 8;

/// The pool; `None` once it is closed.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Option<Vec<Connection>>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Readers {
        Readers { path, idle: Mutex::new(Some(Vec::new())) }
    }

    /// Reads with a connection of the pool.
    pub(super) fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T>,
    ) -> std::result::Result<T, StoreError> {
        // The lock is held to take and to give back, never while reading.
        let idle = self.lock().as_mut().ok_or(StoreError::Closed)?.pop();
        let answer = idle.map_or_else(|| self.connect(), Ok).and_then(|connection| {
            let answer = read(&connection)?;
            // A connection that failed is not given back.
            self.give_back(connection);
            Ok(answer)
        });
        answer.map_err(|error| StoreError::sqlite(&self.path, &error))
    }

    pub(super) fn close(&self) {
        let idle = self.lock().take();
        drop(idle);
    }

    fn connect(&self) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(schema::PATIENCE)?;
        Ok(connection)
    }

    fn give_back(&self, connection: Connection) {
        if let Some(idle) = self.lock().as_mut()
            && idle.len() < KEPT
        {
            idle.push(connection);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<Connection>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn read(
    connection: &Connection,
    game_id: &str,
    from: u64,
    limit: usize,
) -> Result<Vec<Envelope>> {
    let Ok(from) = i64::try_from(from) else {
        return Ok(Vec::new());
    };
    let mut statement = connection.prepare_cached(
        "SELECT sequence, timestamp, event_type, private, payload, cause, v
         FROM events WHERE game_id = ?1 AND sequence >= ?2 ORDER BY sequence LIMIT ?3",
    )?;
    let mut rows = statement.query(params![game_id, from, at_most(limit)])?;
    let (id, mut envelopes) = (Arc::from(game_id), Vec::new());
    while let Some(row) = rows.next()? {
        let envelope = envelope(row, &id)?;
        if envelope.sequence != from as u64 + envelopes.len() as u64 {
            let reason = format!("game '{game_id}' lacks the event before {}", envelope.sequence);
            return Err(rusqlite::Error::FromSqlConversionFailure(0, Type::Integer, reason.into()));
        }
        envelopes.push(envelope);
    }
    Ok(envelopes)
}

fn envelope(row: &Row, game_id: &Arc<str>) -> Result<Envelope> {
    Ok(Envelope {
        game_id: Arc::clone(game_id),
        sequence: whole(row, 0)?,
        timestamp: whole(row, 1)?,
        event_type: row.get::<_, String>(2)?.into(),
        private: row.get::<_, Option<bool>>(3)?.unwrap_or(false),
        payload: json(row, 4)?,
        cause: match row.get_ref(5)? {
            ValueRef::Null => None,
            _ => Some(json(row, 5)?),
        },
        v: row.get(6)?,
    })
}

/// JSON exactly as it was written. Numbers alone are kept as blobs, see the
/// writer.
fn json(row: &Row, column: usize) -> Result<Box<RawValue>> {
    let value = row.get_ref(column)?;
    let broken = |reason: Box<dyn std::error::Error + Send + Sync>| {
        rusqlite::Error::FromSqlConversionFailure(column, value.data_type(), reason)
    };
    let (ValueRef::Text(bytes) | ValueRef::Blob(bytes)) = value else {
        return Err(broken(FromSqlError::InvalidType.into()));
    };
    let text = std::str::from_utf8(bytes).map_err(|error| broken(error.into()))?;
    RawValue::from_string(text.to_owned()).map_err(|error| broken(error.into()))
}

/// A number that was never negative when it was written.
fn whole(row: &Row, column: usize) -> Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

pub(super) const POSITION: &str =
    "SELECT sequence + 1 FROM events WHERE game_id = ?1 ORDER BY sequence DESC LIMIT 1";

pub(super) fn position(connection: &Connection, game_id: &str) -> Result<u64> {
    let mut statement = connection.prepare_cached(POSITION)?;
    Ok(statement.query_row([game_id], |row| whole(row, 0)).optional()?.unwrap_or(0))
}

pub(super) const VERSION_OF: &str = "SELECT version FROM tables WHERE id = ?1";

pub(super) fn heads(connection: &Connection, game_ids: Vec<String>) -> Result<Vec<Head>> {
    let mut versions = connection.prepare_cached(VERSION_OF)?;
    let heads = game_ids.into_iter().map(|game_id| {
        let length = position(connection, &game_id)?;
        let version = versions.query_row([&game_id], |row| whole(row, 0)).optional()?;
        Ok(Head { game_id, length, version: version.unwrap_or(0) })
    });
    heads.collect()
}

pub(super) fn table(connection: &Connection, id: &str) -> Result<Option<TableRecord>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, code, game, status, created_at, updated_at, data, version, listed
         FROM tables WHERE id = ?1",
    )?;
    statement.query_row([id], table_record).optional()
}

pub(super) fn table_by_code(connection: &Connection, code: &str) -> Result<Option<TableRecord>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, code, game, status, created_at, updated_at, data, version, listed
         FROM tables WHERE code = ?1",
    )?;
    statement.query_row([code], table_record).optional()
}

pub(super) fn tables(
    connection: &Connection,
    status: Option<&str>,
    before: Option<(u64, &str)>,
    limit: usize,
) -> Result<Vec<TableRecord>> {
    // Two statements, so that each is answered from its own index.
    let by_status = "SELECT id, code, game, status, created_at, updated_at, data, version, listed
         FROM tables WHERE (created_at, id) < (?1, ?2) AND status = ?4
         ORDER BY created_at DESC, id DESC LIMIT ?3";
    let by_age = "SELECT id, code, game, status, created_at, updated_at, data, version, listed
         FROM tables WHERE (created_at, id) < (?1, ?2)
         ORDER BY created_at DESC, id DESC LIMIT ?3";
    page_of_tables(connection, by_status, by_age, status, before, limit)
}

pub(super) fn listed_tables(
    connection: &Connection,
    status: Option<&str>,
    before: Option<(u64, &str)>,
    limit: usize,
) -> Result<Vec<TableRecord>> {
    let by_status = "SELECT id, code, game, status, created_at, updated_at, data, version, listed
         FROM tables WHERE listed AND (created_at, id) < (?1, ?2) AND status = ?4
         ORDER BY created_at DESC, id DESC LIMIT ?3";
    let by_age = "SELECT id, code, game, status, created_at, updated_at, data, version, listed
         FROM tables WHERE listed AND (created_at, id) < (?1, ?2)
         ORDER BY created_at DESC, id DESC LIMIT ?3";
    page_of_tables(connection, by_status, by_age, status, before, limit)
}

fn page_of_tables(
    connection: &Connection,
    by_status: &str,
    by_age: &str,
    status: Option<&str>,
    before: Option<(u64, &str)>,
    limit: usize,
) -> Result<Vec<TableRecord>> {
    let limit = at_most(limit);
    // Nothing is newer than this.
    let (time, id) = before.map_or((i64::MAX, "\u{10ffff}"), |(time, id)| (signed(time), id));
    match status {
        Some(status) => connection
            .prepare_cached(by_status)?
            .query_map(params![time, id, limit, status], table_record)?
            .collect(),
        None => connection
            .prepare_cached(by_age)?
            .query_map(params![time, id, limit], table_record)?
            .collect(),
    }
}

pub(super) fn house_records(
    connection: &Connection,
    kind: String,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<HouseRecord>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, data FROM house_records WHERE kind = ?1 AND (?2 IS NULL OR id > ?2)
         ORDER BY id LIMIT ?3",
    )?;
    let records = statement.query_map(params![kind, after, at_most(limit)], |row| {
        Ok(HouseRecord { kind: kind.clone(), id: row.get(0)?, data: Some(row.get(1)?) })
    })?;
    records.collect()
}

fn table_record(row: &Row) -> Result<TableRecord> {
    Ok(TableRecord {
        id: row.get(0)?,
        code: row.get(1)?,
        game: row.get(2)?,
        status: row.get(3)?,
        created_at: whole(row, 4)?,
        updated_at: whole(row, 5)?,
        data: row.get(6)?,
        version: whole(row, 7)?,
        listed: row.get(8)?,
    })
}

pub(super) fn due(
    connection: &Connection,
    after: Option<(u64, &str)>,
    limit: usize,
) -> Result<Vec<Due>> {
    let (at, id) = after.map_or((-1, ""), |(at, id)| (signed(at), id));
    let mut statement = connection.prepare_cached(
        "SELECT table_id, at FROM due WHERE (at, table_id) > (?1, ?2)
         ORDER BY at, table_id LIMIT ?3",
    )?;
    let due = statement.query_map(params![at, id, at_most(limit)], |row| {
        Ok(Due { table_id: row.get(0)?, at: Some(whole(row, 1)?) })
    })?;
    due.collect()
}

pub(super) const ANSWER: &str = "SELECT table_id, seat, key, digest, answer FROM answers
                                 WHERE table_id = ?1 AND seat = ?2 AND key = ?3";

pub(super) fn answer(
    connection: &Connection,
    table_id: &str,
    seat: u8,
    key: &str,
) -> Result<Option<Answer>> {
    let mut statement = connection.prepare_cached(ANSWER)?;
    statement.query_row(params![table_id, seat, key], given_answer).optional()
}

/// A row of [`ANSWER`].
pub(super) fn given_answer(row: &Row) -> Result<Answer> {
    Ok(Answer {
        table_id: row.get(0)?,
        seat: row.get(1)?,
        key: row.get(2)?,
        digest: row.get(3)?,
        answer: row.get(4)?,
    })
}

pub(super) fn cursors(connection: &Connection, table_id: &str) -> Result<Vec<Cursor>> {
    let mut statement = connection.prepare_cached(
        "SELECT table_id, seat, dialect, position, at FROM cursors
         WHERE table_id = ?1 ORDER BY seat, dialect",
    )?;
    let cursors = statement.query_map([table_id], |row| {
        Ok(Cursor {
            table_id: row.get(0)?,
            seat: row.get(1)?,
            dialect: row.get(2)?,
            position: whole(row, 3)?,
            at: whole(row, 4)?,
        })
    })?;
    cursors.collect()
}

/// Leaps from game to game through the index instead of reading every event.
pub(super) fn games(
    connection: &Connection,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<GameSummary>> {
    // The first name after this one: no text holds a NUL.
    let start = after.map_or(String::new(), |after| format!("{after}\0"));
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE names (game_id) AS (
           SELECT min(game_id) FROM events WHERE game_id >= ?1
           UNION ALL
           SELECT (SELECT min(game_id) FROM events WHERE game_id > names.game_id)
           FROM names WHERE names.game_id IS NOT NULL
           LIMIT ?2
         )
         SELECT names.game_id, last.sequence + 1, coalesce(first.timestamp, last.timestamp),
                last.timestamp, coalesce(first.event_type, ''), last.event_type
         FROM names
         LEFT JOIN events first ON first.game_id = names.game_id AND first.sequence = 0
         JOIN events last ON last.game_id = names.game_id AND last.sequence =
           (SELECT max(sequence) FROM events WHERE events.game_id = names.game_id)
         ORDER BY names.game_id",
    )?;
    let games = statement.query_map(params![start, at_most(limit)], |row| {
        Ok(GameSummary {
            game_id: row.get(0)?,
            events: whole(row, 1)?,
            first_at: whole(row, 2)?,
            last_at: whole(row, 3)?,
            first_event_type: row.get(4)?,
            last_event_type: row.get(5)?,
        })
    })?;
    games.collect()
}

/// A limit as SQLite takes it.
fn at_most(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// A number to compare with; nothing stored is larger.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
