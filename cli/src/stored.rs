//! Stored games: list them, write them out, read them back, tell them, check them.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use parlor_house::{Offer, RetellError};
use parlor_kernel::{Envelope, EnvelopeError, LogError, Viewer};
use parlor_server::Ledger;
use parlor_store::{Append, Batch, Store};
use serde_json::json;

use crate::args::{JSONL, StoreArg};
use crate::failure::{Failure, print_line};

/// Opens a store that must exist: reading must not leave a new file behind.
fn open(store: &StoreArg) -> Result<Store, Failure> {
    let url = &store.store;
    if url.trim_end_matches(':') == "memory" {
        return Err(Failure::wrong(
            "memory: forgets everything; name a file with --store sqlite:PATH",
        ));
    }
    if let Some(path) = url.strip_prefix("sqlite:")
        && !Path::new(path).exists()
    {
        return Err(Failure::wrong(format_args!(
            "there is no log at {path}; name one with --store sqlite:PATH"
        )));
    }
    Store::open(url).map_err(Failure::wrong)
}

fn read_stored(store: &StoreArg, id: &str) -> Result<Vec<Envelope>, Failure> {
    let store = open(store)?;
    let by_code = store.table_by_code(&id.to_ascii_uppercase()).map_err(Failure::wrong)?;
    let id = by_code.map_or_else(|| id.to_owned(), |table| table.id);
    let log = store.read(&id, 0).map_err(Failure::wrong)?;
    if log.is_empty() {
        return Err(Failure::wrong(format_args!(
            "there is no game '{id}' in this log; `parlor games` lists them"
        )));
    }
    Ok(log)
}

fn read_file(path: &Path) -> Result<Vec<Envelope>, Failure> {
    let named = |error: &dyn std::fmt::Display| {
        Failure::wrong(format_args!("{} cannot be read: {error}", path.display()))
    };
    let file = File::open(path).map_err(|error| named(&error))?;
    let mut log = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.map_err(|error| named(&error))?;
        let envelope = serde_json::from_str(&line);
        log.push(envelope.map_err(|error| {
            Failure::No(format!("line {number}: this is no event in its envelope: {error}"))
        })?);
    }
    Ok(log)
}

/// A game from a file if there is one of that name, else from the store.
fn read(store: &StoreArg, file_or_id: &str) -> Result<Vec<Envelope>, Failure> {
    let path = Path::new(file_or_id);
    if path.is_file() { read_file(path) } else { read_stored(store, file_or_id) }
}

fn offer_of(log: &[Envelope]) -> Result<&'static dyn Offer, Failure> {
    let first = log.first().ok_or_else(|| Failure::No("the log is empty".to_owned()))?;
    parlor_house::game_of(first).ok_or_else(|| {
        Failure::No(
            "line 1: this event opens no game known here; a whole log is exported with \
             --view admin or postmortem"
                .to_owned(),
        )
    })
}

/// What is wrong with a log, with the line it is wrong in.
fn broken(error: &LogError) -> Failure {
    let line = match error {
        LogError::Gap { expected, .. } => expected + 1,
        LogError::Fork { sequence, .. } => sequence + 1,
        LogError::Envelope(
            EnvelopeError::ForeignEvent { sequence, .. }
            | EnvelopeError::NewerVersion { sequence, .. },
        ) => sequence + 1,
        LogError::Empty | LogError::NoOpening => 1,
    };
    Failure::No(format!("line {line}: {error}"))
}

fn untold(error: &RetellError) -> Failure {
    match error {
        RetellError::Log(error) => broken(error),
        RetellError::Format(error) => Failure::wrong(error),
        other => Failure::No(other.to_string()),
    }
}

/// Lists stored games.
pub fn games(store: &StoreArg, as_json: bool) -> Result<(), Failure> {
    let store = open(store)?;
    let games = store.games().map_err(Failure::wrong)?;
    if !as_json {
        print_line("game                 kind      status    events  code    players")?;
    }
    for game in games {
        let table = store.table(&game.game_id).map_err(Failure::wrong)?;
        let ledger = table.as_ref().and_then(Ledger::read);
        let kind = ledger.as_ref().map_or("?", |ledger| ledger.game.name());
        let status = ledger.as_ref().map_or("imported", |ledger| ledger.status.name());
        let code = ledger.as_ref().map_or("", |ledger| &ledger.code);
        let players: Vec<String> = ledger
            .iter()
            .flat_map(|ledger| &ledger.seats)
            .filter_map(|seat| seat.name.clone())
            .collect();
        if as_json {
            print_line(json!({
                "game_id": game.game_id, "game": kind, "status": status, "events": game.events,
                "code": code, "players": players, "first_at": game.first_at, "last_at": game.last_at,
            }))?;
        } else {
            let (id, events, players) = (&game.game_id, game.events, players.join(", "));
            print_line(format_args!(
                "{id:<20} {kind:<9} {status:<9} {events:>6}  {code:<6}  {players}"
            ))?;
        }
    }
    Ok(())
}

/// Writes a game out.
pub fn export(
    store: &StoreArg,
    id: &str,
    format: &str,
    deal: Option<u32>,
    view: Viewer,
    output: Option<&Path>,
) -> Result<(), Failure> {
    if format == JSONL && deal.is_some() {
        return Err(Failure::wrong(
            "a log is written whole; --deal goes with a format of the game, such as --format phh",
        ));
    }
    let log = read_stored(store, id)?;
    let offer = offer_of(&log)?;
    let text = if format == JSONL {
        offer.retell(&log, view).map(|lines| lines.join("\n") + "\n")
    } else {
        offer.export(format, &log, view, deal)
    };
    let text = text.map_err(|error| untold(&error))?;
    let Some(path) = output else { return print_line(text.trim_end_matches('\n')) };
    let cannot =
        |error| Failure::wrong(format_args!("{} cannot be written: {error}", path.display()));
    File::create(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(cannot)
}

/// Reads games back in.
pub fn import(store: &StoreArg, file: &Path, format: Option<&str>) -> Result<(), Failure> {
    let games = match format_of(file, format)? {
        None => vec![read_file(file)?],
        Some((offer, format)) => {
            let text = std::fs::read_to_string(file).map_err(|error| {
                Failure::wrong(format_args!("{} cannot be read: {error}", file.display()))
            })?;
            offer.import(format, &text).map_err(|error| Failure::No(error.to_string()))?
        }
    };
    for log in &games {
        check(offer_of(log)?, log)?;
    }
    let store = Store::open(&store.store).map_err(Failure::wrong)?;
    games.iter().try_for_each(|log| put_in(&store, log))?;
    store.close();
    Ok(())
}

/// The game and its format a file is in, as it is said or as the file's name
/// ends; none for JSONL.
fn format_of(
    file: &Path,
    said: Option<&str>,
) -> Result<Option<(&'static dyn Offer, &'static str)>, Failure> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let found = parlor_house::formats().find(|(_, format)| match said {
        Some(name) => format.name == name,
        None => format.endings.contains(&ending),
    });
    match (found, said) {
        (Some((offer, format)), _) => Ok(Some((offer, format.name))),
        (None, None | Some(JSONL)) => Ok(None),
        (None, Some(name)) => {
            let known = parlor_house::formats().map(|(_, format)| format.name);
            let known = [JSONL].into_iter().chain(known).collect::<Vec<_>>().join(", ");
            Err(Failure::wrong(format_args!("there is no format '{name}'; formats are {known}")))
        }
    }
}

/// Puts a game into the store, as far as it is not there.
fn put_in(store: &Store, log: &[Envelope]) -> Result<(), Failure> {
    let game_id = log[0].game_id.clone();
    let known = store.read(&game_id, 0).map_err(Failure::wrong)?;
    if let Some(line) = known.iter().zip(log).position(|(stored, read)| stored != read) {
        return Err(Failure::No(format!(
            "line {}: the stored game '{game_id}' went on differently there",
            line + 1
        )));
    }
    let fresh = log.get(known.len()..).unwrap_or_default().to_vec();
    let count = fresh.len();
    if count > 0 {
        let append =
            Append { game_id: game_id.clone(), expected: known.len() as u64, envelopes: fresh };
        let table = match store.table(&game_id).map_err(Failure::wrong)? {
            Some(_) => None,
            None => {
                Ledger::imported(offer_of(log)?, log).map(|ledger| ledger.record(log[0].timestamp))
            }
        };
        let batch = Batch { append: Some(append), table, ..Batch::default() };
        let runtime =
            tokio::runtime::Builder::new_current_thread().build().map_err(Failure::wrong)?;
        runtime.block_on(store.commit(batch)).map_err(|error| Failure::No(error.to_string()))?;
    }
    print_line(format_args!("{game_id}: {count} events read in, {} known already", known.len()))
}

fn check(offer: &dyn Offer, log: &[Envelope]) -> Result<u64, Failure> {
    match offer.verify(log) {
        Ok(Ok(events)) => Ok(events),
        Ok(Err(difference)) => {
            Err(Failure::No(format!("line {}: {difference}", difference.sequence + 1)))
        }
        Err(error) => Err(broken(&error)),
    }
}

/// Tells a game.
pub fn replay(
    store: &StoreArg,
    file_or_id: &str,
    view: Viewer,
    at: Option<u64>,
    as_json: bool,
) -> Result<(), Failure> {
    let log = read(store, file_or_id)?;
    if let Some(at) = at
        && at >= log.len() as u64
    {
        return Err(Failure::wrong(format_args!("this game has events 0 to {}", log.len() - 1)));
    }
    let offer = offer_of(&log)?;
    let told = offer.transcribe(&log, view, at).map_err(|error| untold(&error))?;
    if as_json {
        return print_line(json!({
            "game": offer.name(), "game_id": log[0].game_id, "view": view.to_string(),
            "lines": told.lines, "at": at.unwrap_or(log.len() as u64 - 1), "table": told.knowledge,
        }));
    }
    if at.is_none() {
        for (sequence, line) in &told.lines {
            print_line(format_args!("{sequence:>5}  {}", printable(line)))?;
        }
        print_line("")?;
    }
    print_line(printable(told.picture.trim_end()))
}

/// What players wrote is told as it is, but gives no orders to a terminal.
fn printable(text: &str) -> String {
    text.replace(|letter: char| letter.is_control() && letter != '\n', " ")
}

/// Plays a game again and compares.
pub fn verify(store: &StoreArg, file_or_id: &str) -> Result<(), Failure> {
    let log = read(store, file_or_id)?;
    let offer = offer_of(&log)?;
    let events = check(offer, &log)?;
    print_line(format_args!(
        "{}: all {events} events follow from the seed and the moves",
        log[0].game_id
    ))
}
