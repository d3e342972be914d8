//! What the writer says to SQLite.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Result, Statement, ToSql, params};
use serde_json::value::RawValue;

use super::reader::POSITION;
use super::writer::Verdict;
use crate::error::StoreError;
use crate::records::{Answer, Append, Batch, Cursor, TableRecord};

/// Everything the writer ever says to SQLite, prepared once.
pub(super) struct Statements<'c> {
    pub(super) begin: Statement<'c>,
    pub(super) commit: Statement<'c>,
    pub(super) rollback: Statement<'c>,
    position: Statement<'c>,
    append: Statement<'c>,
    rival: Statement<'c>,
    table: Statement<'c>,
    answer: Statement<'c>,
    cursor: Statement<'c>,
}

impl<'c> Statements<'c> {
    pub(super) fn prepare(connection: &'c Connection) -> Result<Statements<'c>> {
        Ok(Statements {
            begin: connection.prepare("BEGIN IMMEDIATE")?,
            commit: connection.prepare("COMMIT")?,
            rollback: connection.prepare("ROLLBACK")?,
            position: connection.prepare(POSITION)?,
            append: connection.prepare(
                "INSERT INTO events
                   (game_id, sequence, event_type, payload, private, timestamp, cause, v)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
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
        })
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
            let found: Option<i64> =
                self.position.query_row([game_id], |row| row.get(0)).optional()?;
            let (found, expected) = (found.unwrap_or(0) as u64, *expected);
            if found != expected {
                let game_id = game_id.clone();
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

    fn append(&mut self, append: &Append) -> Result<()> {
        for envelope in &append.envelopes {
            self.append.execute(params![
                append.game_id,
                signed(envelope.sequence),
                envelope.event_type,
                Json(&envelope.payload),
                envelope.private,
                signed(envelope.timestamp),
                envelope.cause.as_deref().map(Json),
                envelope.v,
            ])?;
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
