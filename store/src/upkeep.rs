//! What is done to a store as a whole, by whoever runs it: copied, checked,
//! put back, made smaller. Nothing of it is a statement on the live log.

use std::path::{Path, PathBuf};

use parlor_kernel::Envelope;

use crate::error::StoreError;
use crate::records::{GameSummary, TableRecord};
use crate::sqlite;
use crate::{Location, location};

/// What is in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// How large its file is.
    pub bytes: u64,
    /// Its format.
    pub format: i64,
    /// Events, of all games.
    pub events: u64,
    /// Games that have a log.
    pub games: u64,
    /// Tables.
    pub tables: u64,
}

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether something is broken; otherwise it is only good to know.
    pub is_wrong: bool,
    /// What was found.
    pub says: String,
    /// What to do about it.
    pub advice: String,
}

/// The file that a URL names; a store without one cannot be looked after.
pub fn file_of(url: &str) -> Result<PathBuf, StoreError> {
    match location(url)? {
        Location::Sqlite(path) => Ok(PathBuf::from(path)),
        Location::Memory => Err(StoreError::NoFile(url.to_owned())),
    }
}

/// The format a store has once it was opened by this program.
pub fn newest_format() -> i64 {
    sqlite::FORMAT
}

/// Copies a store to a file that is not there yet, also while it is in use,
/// and checks the copy page by page and log by log.
pub fn back_up(store: &Path, to: &Path) -> Result<Contents, StoreError> {
    sqlite::copy(store, to)
}

/// Puts a checked copy of `from` in a store's place. A store that is there is
/// replaced only if `replaces`, while nobody has it open, and is kept beside
/// it; the answer says where.
pub fn restore(
    from: &Path,
    store: &Path,
    replaces: bool,
) -> Result<(Contents, Option<PathBuf>), StoreError> {
    sqlite::restore(from, store, replaces)
}

/// Looks at everything there is of a store: what is wrong, or good to know.
/// Changes nothing.
pub fn examine(store: &Path) -> Result<(Contents, Vec<Finding>), StoreError> {
    sqlite::examine(store)
}

/// A store that nobody else has open, until this is dropped.
pub struct Closed(sqlite::Alone);

impl Closed {
    /// Takes a store; refused with [`StoreError::Busy`] while it is in use.
    pub fn take(store: &Path) -> Result<Closed, StoreError> {
        sqlite::Alone::take(store).map(Closed)
    }

    /// At most `limit` games that have a log, by id, after this one.
    pub fn games(&self, after: Option<&str>, limit: usize) -> Result<Vec<GameSummary>, StoreError> {
        self.0.games(after, limit)
    }

    /// The table with this id.
    pub fn table(&self, id: &str) -> Result<Option<TableRecord>, StoreError> {
        self.0.table(id)
    }

    /// A game's whole log.
    pub fn log(&self, game_id: &str) -> Result<Vec<Envelope>, StoreError> {
        self.0.log(game_id)
    }

    /// Writes the store anew without these games and whatever belongs to them,
    /// into a file that takes the old one's place once it is checked.
    pub fn shrink(self, gone: &[String]) -> Result<Contents, StoreError> {
        self.0.shrink(gone)
    }
}
