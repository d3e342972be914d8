//! What is written to a store and read from it.

use std::sync::Arc;

use parlor_kernel::Envelope;
use serde::Serialize;

use crate::error::StoreError;

/// One all-or-nothing write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Events for one game's log.
    pub append: Option<Append>,
    /// A table as it now stands.
    pub table: Option<TableRecord>,
    /// The answer to the command that made this happen.
    pub answer: Option<Answer>,
    /// How far a listener has read.
    pub cursor: Option<Cursor>,
    /// When the table goes on by itself.
    pub due: Option<Due>,
    /// What the house keeps beside its tables.
    pub kept: Option<HouseRecord>,
}

/// Events for one game's log.
#[derive(Clone, Debug, PartialEq)]
pub struct Append {
    /// The game.
    pub game_id: Arc<str>,
    /// How many events the log has, as far as the writer knows; if it has
    /// any other number, the batch is refused.
    pub expected: u64,
    /// The events, with sequences `expected`, `expected + 1`, …
    pub envelopes: Vec<Envelope>,
}

/// A table as a server remembers it. Writing one replaces the record with
/// the same id, but only the version before it: whoever has not seen the
/// latest record cannot overwrite it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRecord {
    /// The table's id.
    pub id: String,
    /// How often it has been written, this time included: 1 for a new table.
    pub version: u64,
    /// The short code people type to find it; no two tables share one.
    pub code: String,
    /// The game played there.
    pub game: String,
    /// How it stands, in the server's words.
    pub status: String,
    /// Whether it is among the tables that anyone may list.
    pub listed: bool,
    /// When it was set up, in milliseconds since 1970.
    pub created_at: u64,
    /// When it last changed, in milliseconds since 1970.
    pub updated_at: u64,
    /// Everything else, as JSON the store does not look into.
    pub data: String,
}

/// The answer a seat's command got, so that the same command sent again gets
/// the same answer. A key is answered once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The table.
    pub table_id: String,
    /// Who commanded.
    pub seat: u8,
    /// The key the command came with.
    pub key: String,
    /// A digest of the command, so that another command under the same key is
    /// told from the same one sent again. None for answers that were given
    /// before digests were kept.
    pub digest: Option<[u8; 32]>,
    /// The answer, as JSON the store does not look into.
    pub answer: String,
}

/// How far a seat has read its events in one dialect. A cursor never goes
/// backwards: writing an earlier position than the one stored changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The table.
    pub table_id: String,
    /// Whose cursor.
    pub seat: u8,
    /// The dialect it reads.
    pub dialect: String,
    /// The last position it has.
    pub position: u64,
    /// When it got there, in milliseconds since 1970.
    pub at: u64,
}

/// When a running table goes on by itself: a clock runs out, a bot moves. A
/// server that starts opens the tables that are due, and no others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The table.
    pub table_id: String,
    /// In milliseconds since 1970; none: it waits for people, or is over.
    pub at: Option<u64>,
}

/// Something the house keeps beside its tables: a blocked address, a report.
/// Writing one replaces what has the same kind and id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseRecord {
    /// What it is, in the server's words.
    pub kind: String,
    /// Tells it from others of its kind.
    pub id: String,
    /// What is kept, as JSON the store does not look into; none: nothing any
    /// more.
    pub data: Option<String>,
}

/// How far a game's log and its table have come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The game, and the table of the same id.
    pub game_id: String,
    /// How many events the log has.
    pub length: u64,
    /// The version of the table's record; 0 if there is none.
    pub version: u64,
}

/// A stored game in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameSummary {
    /// The game.
    pub game_id: String,
    /// How many events its log has.
    pub events: u64,
    /// When its first event was written, in milliseconds since 1970.
    pub first_at: u64,
    /// When its latest event was written, in milliseconds since 1970.
    pub last_at: u64,
    /// What kind of event it begins with.
    pub first_event_type: String,
    /// What kind of event it has come to: tells whoever knows the game
    /// whether it is over.
    pub last_event_type: String,
}

impl Batch {
    /// Refuses what no log can hold, before it is queued, so that every
    /// backend refuses the same.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        if let Some(append) = &self.append {
            append.check()?;
        }
        if let Some(table) = &self.table {
            table.check()?;
        }
        if let Some(answer) = &self.answer {
            for text in [&answer.table_id, &answer.key, &answer.answer] {
                writable("answer", text)?;
            }
        }
        if let Some(cursor) = &self.cursor {
            writable("cursor", &cursor.table_id)?;
            writable("cursor", &cursor.dialect)?;
            storable("position", cursor.position)?;
            storable("at", cursor.at)?;
        }
        if let Some(due) = &self.due {
            writable("due time", &due.table_id)?;
            storable("at", due.at.unwrap_or(0))?;
        }
        if let Some(HouseRecord { kind, id, data }) = &self.kept {
            for text in [Some(kind), Some(id), data.as_ref()].into_iter().flatten() {
                writable("house record", text)?;
            }
        }
        Ok(())
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        let Batch { append, table, answer, cursor, due, kept } = self;
        let is_no_move = append.is_none() && answer.is_none() && cursor.is_none();
        is_no_move && table.is_none() && due.is_none() && kept.is_none()
    }

    /// How many events it appends.
    pub(crate) fn events(&self) -> u64 {
        self.append.as_ref().map_or(0, |append| append.envelopes.len() as u64)
    }
}

impl TableRecord {
    fn check(&self) -> Result<(), StoreError> {
        for text in [&self.id, &self.code, &self.game, &self.status, &self.data] {
            writable("table", text)?;
        }
        if self.version == 0 {
            let reason = format!("table '{}' has version 0; the first is 1", self.id);
            return Err(StoreError::Malformed(reason));
        }
        storable("version", self.version)?;
        storable("created_at", self.created_at)?;
        storable("updated_at", self.updated_at)
    }
}

impl Append {
    fn check(&self) -> Result<(), StoreError> {
        writable("game", &self.game_id)?;
        storable("expected", self.expected)?;
        for (wanted, envelope) in (self.expected..).zip(&self.envelopes) {
            if envelope.game_id != self.game_id {
                return Err(StoreError::Malformed(format!(
                    "an event of game '{}' was to be appended to game '{}'",
                    envelope.game_id, self.game_id
                )));
            }
            if envelope.sequence != wanted {
                return Err(StoreError::Malformed(format!(
                    "game '{}' was to get event {} where event {wanted} belongs",
                    self.game_id, envelope.sequence
                )));
            }
            writable("event", &envelope.event_type)?;
            storable("sequence", envelope.sequence)?;
            storable("timestamp", envelope.timestamp)?;
        }
        Ok(())
    }
}

/// SQLite's integers are signed.
fn storable(what: &str, number: u64) -> Result<(), StoreError> {
    match i64::try_from(number) {
        Ok(_) => Ok(()),
        Err(_) => Err(StoreError::Malformed(format!("{what} {number} is out of range"))),
    }
}

/// Not every engine can keep a NUL in a text, so none does.
fn writable(what: &str, text: &str) -> Result<(), StoreError> {
    match text.contains('\0') {
        false => Ok(()),
        true => Err(StoreError::Malformed(format!("a text of this {what} contains NUL"))),
    }
}
