//! `parlor archive`: finished games leave the store for a compressed file.
//!
//! The order is what makes it safe: write, read back and compare, make
//! durable, and only then write the store anew without these games.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use parlor_kernel::Envelope;
use parlor_server::Record;
use parlor_store::upkeep::{Closed, file_of};
use parlor_store::{GameSummary, PAGE};

use crate::args::StoreArg;
use crate::error::{CliError, print_line};
use crate::jsonl;
use crate::upkeep::{many, told};

/// Moves games that ended before a day out of the store.
pub fn archive(store: &StoreArg, before: time::Date, output: &Path) -> Result<(), CliError> {
    let path = file_of(&store.store).map_err(CliError::usage)?;
    if output.exists() {
        return Err(CliError::usage(format_args!(
            "{} is there already; name another file",
            output.display()
        )));
    }
    let store = Closed::take(&path).map_err(CliError::usage)?;
    let partial = with_suffix(output, ".partial");
    let before = before.midnight().assume_utc().unix_timestamp_nanos() / 1_000_000;
    let moved = write(&store, before, &partial)
        .and_then(|written| written.check_read_back(&store, &partial).map(|()| written));
    let moved = moved.inspect_err(|_| drop(fs::remove_file(&partial)))?;
    if moved.games.is_empty() {
        drop(fs::remove_file(&partial));
        return print_line("no finished game is that old; nothing was changed");
    }
    settle(&partial, output)?;
    let bytes = output.metadata().map_or(0, |metadata| metadata.len());
    let count = many(moved.games.len() as u64, "game");
    let events = many(moved.events, "event");
    let contents = store.shrink(&moved.games).map_err(|error| {
        CliError::usage(format_args!(
            "{count} went to {} and did not leave the store, which is as it was: {error}",
            output.display()
        ))
    })?;
    print_line(format_args!(
        "{}: {count} with {events}, {:.1} MB, read back and compared",
        output.display(),
        bytes as f64 / 1e6
    ))?;
    print_line(format_args!("{}: {}, left", path.display(), told(&contents)))
}

/// What was written.
#[derive(Default)]
struct Written {
    games: Vec<String>,
    events: u64,
}

/// Writes every game that may go.
fn write(store: &Closed, before: i128, to: &Path) -> Result<Written, CliError> {
    let cannot = |error| cannot_write(to, &error);
    let file = File::create(to).map_err(cannot)?;
    let mut out = GzEncoder::new(BufWriter::new(file), Compression::default());
    let mut written = Written::default();
    let mut last: Option<String> = None;
    loop {
        let page = store.games(last.as_deref(), PAGE).map_err(CliError::usage)?;
        for game in page.iter().filter(|game| i128::from(game.last_at) < before) {
            let Some(log) = finished(store, game)? else { continue };
            for envelope in &log {
                let line = serde_json::to_string(envelope).map_err(CliError::usage)?;
                writeln!(out, "{line}").map_err(cannot)?;
            }
            written.events += log.len() as u64;
            written.games.push(game.game_id.clone());
        }
        match page.last().filter(|_| page.len() == PAGE) {
            Some(game) => last = Some(game.game_id.clone()),
            None => break,
        }
    }
    let file = out.finish().and_then(|file| file.into_inner().map_err(|error| error.into_error()));
    file.and_then(|file| file.sync_all()).map_err(cannot)?;
    Ok(written)
}

/// The log of a game that is over and could be read in again; others stay.
fn finished(store: &Closed, game: &GameSummary) -> Result<Option<Vec<Envelope>>, CliError> {
    let id = &game.game_id;
    let table = store.table(id).map_err(CliError::usage)?;
    let record = table.as_ref().map(Record::read);
    if record.as_ref().is_some_and(|read| read.as_ref().is_none_or(|it| !it.status.is_over())) {
        return Ok(None);
    }
    let log = store.log(id).map_err(CliError::usage)?;
    let Some(offer) = log.first().and_then(parlor_house::game_of) else { return Ok(None) };
    if let Err(error) = offer.verify(&log) {
        eprintln!("parlor: game '{id}' stays: it could not be read in again: {error}");
        return Ok(None);
    }
    // A game without a table tells by its log alone whether it is over.
    let is_over = |record: Record| record.status.is_over();
    let may_go = record.is_some() || Record::imported(offer, &log).is_some_and(is_over);
    if may_go { with_told_names(store, id, log).map(Some) } else { Ok(None) }
}

/// The log as it is archived: a name that was erased ends here.
fn with_told_names(
    store: &Closed,
    id: &str,
    log: Vec<Envelope>,
) -> Result<Vec<Envelope>, CliError> {
    let table = store.table(id).map_err(CliError::usage)?;
    match table.as_ref().and_then(Record::read) {
        Some(record) => record.told_log(log).map_err(CliError::usage),
        None => Ok(log),
    }
}

impl Written {
    /// Reads the file as `import` would, and compares it with the store.
    fn check_read_back(&self, store: &Closed, path: &Path) -> Result<(), CliError> {
        let mut read = jsonl::games(path)?;
        for id in &self.games {
            let stored = store.log(id).map_err(CliError::usage)?;
            let stored = with_told_names(store, id, stored)?;
            let game = read.next().transpose()?;
            if game.is_none_or(|game| game.log != stored) {
                return Err(CliError::usage(format_args!(
                    "{} does not read as it was written, at game '{id}'; check the disk. The \
                     store was left as it is",
                    path.display()
                )));
            }
        }
        match read.next() {
            None => Ok(()),
            Some(_) => Err(CliError::usage("the file has more in it than was written")),
        }
    }
}

/// Under its name, durably.
fn settle(partial: &Path, output: &Path) -> Result<(), CliError> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let settled = fs::rename(partial, output)
        .and_then(|()| File::open(folder))
        .and_then(|folder| folder.sync_all());
    settled.map_err(|error| cannot_write(output, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> CliError {
    CliError::usage(format_args!("{} cannot be written: {error}", path.display()))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
