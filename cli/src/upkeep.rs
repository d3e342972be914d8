//! `parlor backup` and `parlor restore`.

use std::path::Path;

use parlor_store::upkeep::{self, Contents};

use crate::args::StoreArg;
use crate::error::{CliError, print_line};

/// Copies the store.
pub fn backup(store: &StoreArg, file: &Path) -> Result<(), CliError> {
    let path = upkeep::file_of(&store.store).map_err(CliError::usage)?;
    let contents = upkeep::back_up(&path, file).map_err(CliError::usage)?;
    print_line(format_args!("{}: {}, checked", file.display(), told(&contents)))
}

/// Puts a copy in the store's place.
pub fn restore(store: &StoreArg, file: &Path, overwrite: bool) -> Result<(), CliError> {
    let path = upkeep::file_of(&store.store).map_err(CliError::usage)?;
    if path.exists() && !overwrite {
        return Err(CliError::usage(format_args!(
            "there is a store at {}; --overwrite replaces it and keeps it beside the new one",
            path.display()
        )));
    }
    let restored = upkeep::restore(file, &path, overwrite).map_err(CliError::usage)?;
    let (contents, kept) = restored;
    print_line(format_args!("{}: {}, checked", path.display(), told(&contents)))?;
    match kept {
        Some(kept) => print_line(format_args!("the store that was there is {}", kept.display())),
        None => Ok(()),
    }
}

/// What is in a store, in words.
pub fn told(contents: &Contents) -> String {
    let Contents { bytes, format, events, games, tables } = *contents;
    let (games, events, tables) =
        (many(games, "game"), many(events, "event"), many(tables, "table"));
    let megabytes = bytes as f64 / 1e6;
    format!("{games} with {events}, {tables}, {megabytes:.1} MB, format {format}")
}

/// So many of something.
pub fn many(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
