//! What the writer says to SQLite.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Result, Statement, ToSql, params};
use serde_json::value::RawValue;

use super::reader::POSITION;
use super::writer::Verdict;
use crate::error::StoreError;
use crate::records::{Answer, Append, Batch, Cursor, TableRecord};

/// How many logs' lengths are remembered at most.
const REMEMBERED: usize = 100_000;

/// Everything the writer ever says to SQLite, prepared once, and what it
/// remembers of the answers.
pub(super) struct Statements<'c> {
    begin: Statement<'c>,
    commit: Statement<'c>,
    rollback: Statement<'c>,
    others: Statement<'c>,
    time: Statement<'c>,
    position: Statement<'c>,
    append: Statement<'c>,
    rival: Statement<'c>,
    table: Statement<'c>,
    answer: Statement<'c>,
    cursor: Statement<'c>,
    /// How long each log is that was written lately. True while nobody else
    /// writes to the file, which `begin` makes sure of.
    lengths: HashMap<Arc<str>, u64>,
    /// Changes when another connection has written.
    others_at: i64,
    /// The time of this transaction, as SQLite writes it. Asked for once,
    /// because the column's default would work it out for every event.
    now: String,
}

impl<'c> Statements<'c> {
    pub(super) fn prepare(connection: &'c Connection) -> Result<Statements<'c>> {
        Ok(Statements {
            begin: connection.prepare("BEGIN IMMEDIATE")?,
            commit: connection.prepare("COMMIT")?,
            rollback: connection.prepare("ROLLBACK")?,
            others: connection.prepare("PRAGMA data_version")?,
            time: connection.prepare("SELECT CURRENT_TIMESTAMP")?,
            position: connection.prepare(POSITION)?,
            append: connection.prepare(
                "INSERT INTO events
                   (game_id, sequence, event_type, payload, private, created_at, timestamp,
                    cause, v)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?,
            rival: connection.prepare("SELECT 1 FROM tables WHERE code = ?1 AND id <> ?2")?,
            table: connection.prepare(
                "INSERT INTO tables (id, code, game, status, created_at, updated_at, data)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT (id) DO UPDATE SET
                   code = excluded.code, game = excluded.game, status = excluded.status,
                   created_at = excluded.created_at, updated_at = excluded.updated_at,
                   data = excluded.data",
            )?,
            answer: connection.prepare(
                "INSERT INTO answers (table_id, seat, key, answer) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO NOTHING",
            )?,
            cursor: connection.prepare(
                "INSERT INTO cursors (table_id, seat, dialect, position, at)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE SET position = excluded.position, at = excluded.at
                 WHERE excluded.position >= position",
            )?,
            lengths: HashMap::new(),
            others_at: 0,
            now: String::new(),
        })
    }

    /// Begins a transaction. From here to its end nobody else writes.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.begin.execute([])?;
        let others_at = self.others.query_row([], |row| row.get(0))?;
        if others_at != self.others_at || self.lengths.len() > REMEMBERED {
            self.lengths.clear();
            self.others_at = others_at;
        }
        self.now = self.time.query_row([], |row| row.get(0))?;
        Ok(())
    }

    /// Makes everything since `begin` durable.
    pub(super) fn commit(&mut self) -> Result<()> {
        self.commit.execute([]).map(drop)
    }

    /// Undoes everything since `begin`, as far as SQLite has not by itself.
    pub(super) fn roll_back(&mut self, connection: &Connection) -> Result<()> {
        self.lengths.clear();
        if connection.is_autocommit() {
            return Ok(());
        }
        self.rollback.execute([]).map(drop)
    }

    /// Writes a batch, or refuses it with nothing written: whatever can be
    /// refused comes before whatever can only succeed or fail. That makes a
    /// savepoint for every batch, a tenth of the whole work, unnecessary.
    pub(super) fn write(&mut self, batch: &Batch) -> Result<Verdict> {
        if let Some(refusal) = self.refusal(batch)? {
            return Ok(Err(refusal));
        }
        if let Some(append) = &batch.append {
            self.append(append)?;
        }
        if let Some(table) = &batch.table {
            self.table(table)?;
        }
        if let Some(cursor) = &batch.cursor {
            self.cursor(cursor)?;
        }
        Ok(Ok(()))
    }

    fn refusal(&mut self, batch: &Batch) -> Result<Option<StoreError>> {
        if let Some(Append { game_id, expected, .. }) = &batch.append {
            let (found, expected) = (self.length(game_id)?, *expected);
            if found != expected {
                let game_id = game_id.to_string();
                return Ok(Some(StoreError::Conflict { game_id, expected, found }));
            }
        }
        if let Some(TableRecord { id, code, .. }) = &batch.table {
            let rival = self.rival.query_row([code, id], |_| Ok(())).optional()?;
            if rival.is_some() {
                return Ok(Some(StoreError::CodeTaken(code.clone())));
            }
        }
        // The last that can be refused, so it may already write.
        if let Some(Answer { table_id, seat, key, answer }) = &batch.answer
            && self.answer.execute(params![table_id, seat, key, answer])? == 0
        {
            let (table_id, seat, key) = (table_id.clone(), *seat, key.clone());
            return Ok(Some(StoreError::Answered { table_id, seat, key }));
        }
        Ok(None)
    }

    fn length(&mut self, game_id: &str) -> Result<u64> {
        if let Some(length) = self.lengths.get(game_id) {
            return Ok(*length);
        }
        let found: Option<i64> = self.position.query_row([game_id], |row| row.get(0)).optional()?;
        Ok(found.unwrap_or(0) as u64)
    }

    fn append(&mut self, append: &Append) -> Result<()> {
        for envelope in &append.envelopes {
            self.append.execute(params![
                append.game_id,
                signed(envelope.sequence),
                envelope.event_type,
                Json(&envelope.payload),
                envelope.private,
                self.now,
                signed(envelope.timestamp),
                envelope.cause.as_deref().map(Json),
                envelope.v,
            ])?;
        }
        let length = append.expected + append.envelopes.len() as u64;
        match self.lengths.get_mut(&append.game_id) {
            Some(known) => *known = length,
            None => drop(self.lengths.insert(Arc::clone(&append.game_id), length)),
        }
        Ok(())
    }

    fn table(&mut self, table: &TableRecord) -> Result<()> {
        let TableRecord { id, code, game, status, created_at, updated_at, data } = table;
        let (created_at, updated_at) = (signed(*created_at), signed(*updated_at));
        self.table.execute(params![id, code, game, status, created_at, updated_at, data])?;
        Ok(())
    }

    fn cursor(&mut self, cursor: &Cursor) -> Result<()> {
        let Cursor { table_id, seat, dialect, position, at } = cursor;
        self.cursor.execute(params![table_id, seat, dialect, signed(*position), signed(*at)])?;
        Ok(())
    }
}

/// `Batch::check` has refused everything larger.
fn signed(number: u64) -> i64 {
    number as i64
}

/// JSON, to be kept to the byte. SQLite takes the column type `JSON` for a
/// numeric one and would rewrite `1.0` as `1`; it leaves blobs alone.
struct Json<'a>(&'a RawValue);

impl ToSql for Json<'_> {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        let text = self.0.get().as_bytes();
        Ok(ToSqlOutput::Borrowed(match text.first() {
            Some(b'-' | b'0'..=b'9') => ValueRef::Blob(text),
            _ => ValueRef::Text(text),
        }))
    }
}
