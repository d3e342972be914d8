//! A copy put in a store's place.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::alone::{Alone, hold};
use super::whole::{beside, check, copy_unchecked, discard, settle};
use crate::error::StoreError;
use crate::upkeep::Contents;

/// The file a store is kept as that had to give its place.
const REPLACED: &str = ".replaced";

/// Puts a checked copy of `from` at `path`.
pub(super) fn restore(
    from: &Path,
    path: &Path,
    replaces: bool,
) -> Result<(Contents, Option<PathBuf>), StoreError> {
    // Where a link leads is what is replaced.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let kept = beside(path, REPLACED);
    let is_there = path.exists();
    // A log that is left of another file would be taken for the new one's.
    let orphan = beside(path, "-wal");
    if is_there && !replaces {
        return Err(StoreError::Exists { path: path.display().to_string() });
    }
    for in_the_way in [Some(&kept).filter(|_| is_there), Some(&orphan).filter(|_| !is_there)] {
        if let Some(name) = in_the_way.filter(|name| name.exists()) {
            return Err(StoreError::Exists { path: name.display().to_string() });
        }
    }
    let fresh = beside(path, ".restoring");
    let copied = copy_unchecked(from, &fresh).and_then(|()| check(&fresh));
    let contents = copied.inspect_err(|_| discard(&fresh))?;
    let placed = if is_there { replace(path, &fresh, &kept) } else { settle(&fresh, path) };
    placed.inspect_err(|_| discard(&fresh))?;
    Ok((contents, is_there.then_some(kept)))
}

fn replace(path: &Path, fresh: &Path, kept: &Path) -> Result<(), StoreError> {
    match Alone::take(path) {
        Ok(old) => {
            old.keep_as(kept)?;
            old.give_place_to(fresh)
        }
        // What another program wrote is none of ours to replace.
        Err(error @ (StoreError::Busy { .. } | StoreError::Foreign { .. })) => Err(error),
        // Damaged, or of a newer Parlor: that may be why a copy is put back.
        Err(_) => {
            let held = hold_any(path)?;
            set_aside(path, kept)?;
            // Whoever lets go of a file tidies up beside its name: before the
            // new one has that name.
            drop(held);
            settle(fresh, path)
        }
    }
}

/// Holds a file that cannot be read as a store, as far as it can be held.
fn hold_any(path: &Path) -> Result<Option<Connection>, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let Ok(connection) = Connection::open_with_flags(path, flags) else { return Ok(None) };
    match hold(&connection).map_err(|error| StoreError::sqlite(path, &error)) {
        Err(error @ StoreError::Busy { .. }) => Err(error),
        _ => Ok(Some(connection)),
    }
}

/// The log beside the file goes first: alone it harms nobody.
fn set_aside(path: &Path, kept: &Path) -> Result<(), StoreError> {
    for suffix in ["-wal", "-journal", ""] {
        let (from, to) = (beside(path, suffix), beside(kept, suffix));
        if from.exists() {
            fs::rename(&from, &to).map_err(|error| StoreError::io(&from, error))?;
        }
    }
    drop(fs::remove_file(beside(path, "-shm")));
    Ok(())
}
