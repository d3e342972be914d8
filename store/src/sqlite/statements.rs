//! What the writer says to SQLite.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Result, Statement, ToSql, params};
use serde_json::value::RawValue;

use super::reader::{ANSWER, POSITION, VERSION_OF, given_answer};
use super::writer::BatchResult;
use crate::error::StoreError;
use crate::records::{Answer, Append, Batch, Cursor, Due, HouseRecord, TableRecord};

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
    version: Statement<'c>,
    rival: Statement<'c>,
    table: Statement<'c>,
    answer: Statement<'c>,
    answered: Statement<'c>,
    cursor: Statement<'c>,
    due: Statement<'c>,
    not_due: Statement<'c>,
    keep: Statement<'c>,
    drop_kept: Statement<'c>,
    /// How long each log is that was written lately. True while nobody else
    /// writes to the file, which `begin` makes sure of.
    lengths: HashMap<Arc<str>, u64>,
    /// Changes when another connection has written; none before the first
    /// transaction.
    others_at: Option<i64>,
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
            version: connection.prepare(VERSION_OF)?,
            rival: connection.prepare("SELECT 1 FROM tables WHERE code = ?1 AND id <> ?2")?,
            table: connection.prepare(
                "INSERT INTO tables
                   (id, code, game, status, created_at, updated_at, data, version, listed)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                 ON CONFLICT (id) DO UPDATE SET
                   code = excluded.code, game = excluded.game, status = excluded.status,
                   created_at = excluded.created_at, updated_at = excluded.updated_at,
                   data = excluded.data, version = excluded.version, listed = excluded.listed",
            )?,
            answer: connection.prepare(
                "INSERT INTO answers (table_id, seat, key, digest, answer)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO NOTHING",
            )?,
            answered: connection.prepare(ANSWER)?,
            cursor: connection.prepare(
                "INSERT INTO cursors (table_id, seat, dialect, position, at)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE SET position = excluded.position, at = excluded.at
                 WHERE excluded.position >= position",
            )?,
            due: connection.prepare(
                "INSERT INTO due (table_id, at) VALUES (?1, ?2)
                 ON CONFLICT DO UPDATE SET at = excluded.at",
            )?,
            not_due: connection.prepare("DELETE FROM due WHERE table_id = ?1")?,
            keep: connection.prepare(
                "INSERT INTO house_records (kind, id, data) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET data = excluded.data",
            )?,
            drop_kept: connection
                .prepare("DELETE FROM house_records WHERE kind = ?1 AND id = ?2")?,
            lengths: HashMap::new(),
            others_at: None,
            now: String::new(),
        })
    }

    /// Begins a transaction. From here to its end nobody else writes. Whether
    /// somebody else has written since the last one.
    pub(super) fn begin(&mut self) -> Result<bool> {
        self.begin.execute([])?;
        let others_at = self.others.query_row([], |row| row.get(0))?;
        let others_wrote = self.others_at.replace(others_at).is_some_and(|at| at != others_at);
        if others_wrote || self.lengths.len() > REMEMBERED {
            self.lengths.clear();
        }
        self.now = self.time.query_row([], |row| row.get(0))?;
        Ok(others_wrote)
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
    pub(super) fn write(&mut self, batch: &Batch) -> Result<BatchResult> {
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
        if let Some(due) = &batch.due {
            self.due(due)?;
        }
        if let Some(kept) = &batch.kept {
            self.keep(kept)?;
        }
        Ok(Ok(()))
    }

    fn refusal(&mut self, batch: &Batch) -> Result<Option<StoreError>> {
        // Whether the key was answered is told first and asked last: few
        // batches are refused for anything else, and writing the answer asks
        // at no cost.
        match self.misfit(batch)? {
            Some(misfit) => {
                let answered = batch.answer.as_ref().map(|answer| self.answered(answer));
                Ok(Some(answered.transpose()?.flatten().unwrap_or(misfit)))
            }
            None => match &batch.answer {
                Some(answer) if !self.answer(answer)? => self.answered(answer),
                _ => Ok(None),
            },
        }
    }

    /// Why a batch does not fit what is there.
    fn misfit(&mut self, batch: &Batch) -> Result<Option<StoreError>> {
        if let Some(Append { game_id, expected, .. }) = &batch.append {
            let (found, expected) = (self.length(game_id)?, *expected);
            if found != expected {
                let game_id = game_id.to_string();
                return Ok(Some(StoreError::Conflict { game_id, expected, found }));
            }
        }
        let Some(TableRecord { id, code, version, .. }) = &batch.table else { return Ok(None) };
        let found: Option<i64> = self.version.query_row([id], |row| row.get(0)).optional()?;
        let (expected, found) = (version - 1, found.unwrap_or(0) as u64);
        if found != expected {
            return Ok(Some(StoreError::Stale { table_id: id.clone(), expected, found }));
        }
        let rival = self.rival.query_row([code, id], |_| Ok(())).optional()?;
        Ok(rival.map(|()| StoreError::CodeTaken(code.clone())))
    }

    /// Writes an answer; false if its key has one already.
    fn answer(&mut self, answer: &Answer) -> Result<bool> {
        let Answer { table_id, seat, key, digest, answer } = answer;
        let digest = digest.as_ref().map(<[u8; 32]>::as_slice);
        Ok(self.answer.execute(params![table_id, seat, key, digest, answer])? > 0)
    }

    fn answered(&mut self, answer: &Answer) -> Result<Option<StoreError>> {
        let Answer { table_id, seat, key, .. } = answer;
        let stored = self.answered.query_row(params![table_id, seat, key], given_answer);
        Ok(stored.optional()?.map(|answer| StoreError::Answered(Box::new(answer))))
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
        let TableRecord { id, code, game, status, data, listed, .. } = table;
        let (created, updated) = (signed(table.created_at), signed(table.updated_at));
        let version = signed(table.version);
        let row = params![id, code, game, status, created, updated, data, version, listed];
        self.table.execute(row)?;
        Ok(())
    }

    fn cursor(&mut self, cursor: &Cursor) -> Result<()> {
        let Cursor { table_id, seat, dialect, position, at } = cursor;
        self.cursor.execute(params![table_id, seat, dialect, signed(*position), signed(*at)])?;
        Ok(())
    }

    fn keep(&mut self, kept: &HouseRecord) -> Result<()> {
        let HouseRecord { kind, id, data } = kept;
        match data {
            Some(data) => self.keep.execute(params![kind, id, data])?,
            None => self.drop_kept.execute(params![kind, id])?,
        };
        Ok(())
    }

    fn due(&mut self, due: &Due) -> Result<()> {
        let Due { table_id, at } = due;
        match at {
            Some(at) => self.due.execute(params![table_id, signed(*at)])?,
            None => self.not_due.execute([table_id])?,
        };
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
