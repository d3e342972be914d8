//! Why a store refuses or fails.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::records::Answer;

/// Why a store refused or failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The log is not where the writer thought it was; nothing was written.
    #[error(
        "game '{game_id}' has {found} events where {expected} were expected: someone else has \
         written to it; read its log again and decide anew"
    )]
    Conflict {
        /// The game.
        game_id: String,
        /// How many events the writer expected.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// The table's record is not the version the writer knew; nothing was
    /// written.
    #[error(
        "the record of table '{table_id}' has version {found} where {expected} was expected: \
         someone else has changed it; read it again and decide anew"
    )]
    Stale {
        /// The table.
        table_id: String,
        /// The version the writer knew; 0: no record yet.
        expected: u64,
        /// The version it has.
        found: u64,
    },
    /// Another table has this code; nothing was written.
    #[error("the table code '{0}' is taken; choose another")]
    CodeTaken(String),
    /// The key has been answered before; nothing was written. This is the
    /// answer it got.
    #[error(
        "seat {} of table '{}' has already been answered under the key '{}'; give that answer \
         again", .0.seat, .0.table_id, .0.key
    )]
    Answered(Box<Answer>),
    /// The batch cannot stand in any log; nothing was written.
    #[error("this cannot be stored: {0}")]
    Malformed(String),
    /// The store has been closed.
    #[error("the store is closed; open it again to go on")]
    Closed,
    /// The URL names no kind of store.
    #[error("'{0}' names no store; use sqlite:PATH for a file or memory: for none")]
    UnknownUrl(String),
    /// What is asked needs a file, and this store has none.
    #[error("'{0}' is kept in no file; name one with sqlite:PATH")]
    NoFile(String),
    /// There is no such store.
    #[error("there is no store at '{path}'; name one with sqlite:PATH")]
    Missing {
        /// Where it was looked for.
        path: String,
    },
    /// Something is there that would be lost.
    #[error("'{path}' is there already, and was left as it is; move it away or name another file")]
    Exists {
        /// What is there.
        path: String,
    },
    /// The file is ours but broken.
    #[error(
        "the store '{path}' is damaged: {reason}; restore it from a backup, or rescue what is \
         left with sqlite3's .recover"
    )]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// The file is something else; it was not touched.
    #[error("'{path}' is not a Parlor store: {reason}; it was left as it is, name another file")]
    Foreign {
        /// The file.
        path: String,
        /// What it is instead.
        reason: String,
    },
    /// The file was written by a newer Parlor; it was not touched.
    #[error(
        "the store '{path}' has format {found} and this program knows formats up to {known}; it \
         was left as it is, open it with a newer Parlor"
    )]
    Newer {
        /// The file.
        path: String,
        /// The format it has.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// Another process holds the file for too long.
    #[error("the store '{path}' is held by another process; try again, or stop that process")]
    Busy {
        /// The file.
        path: String,
    },
    /// The disk or the operating system failed.
    #[error("the store '{path}' cannot be used: {reason}; check the disk and the permissions")]
    Io {
        /// The file.
        path: String,
        /// What failed.
        reason: String,
    },
}

impl StoreError {
    /// Whether someone else was first: what is newer can be read, and the same
    /// thing decided again on it.
    pub fn is_lost_race(&self) -> bool {
        matches!(self, StoreError::Conflict { .. } | StoreError::Stale { .. })
    }

    pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: path.display().to_string(), reason: reason.into() }
    }

    pub(crate) fn foreign(path: &Path, reason: impl Into<String>) -> StoreError {
        StoreError::Foreign { path: path.display().to_string(), reason: reason.into() }
    }

    pub(crate) fn io(path: &Path, reason: impl ToString) -> StoreError {
        StoreError::Io { path: path.display().to_string(), reason: reason.to_string() }
    }

    /// What an error of SQLite means for the user.
    pub(crate) fn sqlite(path: &Path, error: &rusqlite::Error) -> StoreError {
        match error {
            // A column that does not hold what was once written to it.
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..) => StoreError::damaged(path, error.to_string()),
            _ => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    StoreError::damaged(path, error.to_string())
                }
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    StoreError::Busy { path: path.display().to_string() }
                }
                _ => StoreError::io(path, error),
            },
        }
    }
}
