//! Stored games: list them, write them out, read them back, tell them, check them.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use parlor_house::{FromLogs, HouseError, Offer, Verified};
use parlor_kernel::{Envelope, LogError, Viewer};
use parlor_server::{Record, Status};
use parlor_store::{Append, Batch, Due, GameSummary, PAGE, Store, StoreError};
use serde_json::json;

use crate::args::{JSONL, StoreArg};
use crate::error::{CliError, print_line};
use crate::jsonl::{self, GameInFile};

/// Opens a store that must exist: reading must not leave a new file behind.
fn open(store: &StoreArg) -> Result<Store, CliError> {
    let url = &store.store;
    if url.trim_end_matches(':') == "memory" {
        return Err(CliError::usage(
            "memory: forgets everything; name a file with --store sqlite:PATH",
        ));
    }
    if let Some(path) = url.strip_prefix("sqlite:")
        && !Path::new(path).exists()
    {
        return Err(CliError::usage(format_args!(
            "there is no log at {path}; name one with --store sqlite:PATH"
        )));
    }
    wait(Store::open(url))
}

/// Waits for the store: nothing else is to be done meanwhile.
pub fn wait<T>(asked: impl Future<Output = Result<T, StoreError>>) -> Result<T, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(CliError::usage)?;
    runtime.block_on(asked).map_err(CliError::usage)
}

/// A stored log with the names that may be told.
fn read_told(store: &StoreArg, id: &str) -> Result<Vec<Envelope>, CliError> {
    let log = read_stored(store, id)?;
    let Some(first) = log.first() else { return Ok(log) };
    let record = wait(open(store)?.table(&first.game_id))?;
    match record.as_ref().and_then(Record::read) {
        Some(record) => record.told_log(log).map_err(|error| untold(&error)),
        None => Ok(log),
    }
}

/// A log as it is stored.
fn read_stored(store: &StoreArg, id: &str) -> Result<Vec<Envelope>, CliError> {
    let store = open(store)?;
    let by_code = wait(store.table_by_code(&id.to_ascii_uppercase()))?;
    let id = by_code.map_or_else(|| id.to_owned(), |table| table.id);
    let log = wait(store.log(&id, 0))?;
    if log.is_empty() {
        return Err(CliError::usage(format_args!(
            "there is no game '{id}' in this log; `parlor games` lists them"
        )));
    }
    Ok(log)
}

/// The events of a file, of which one game is expected.
fn read_file(path: &Path) -> Result<Vec<Envelope>, CliError> {
    let mut log = Vec::new();
    for game in jsonl::games(path)? {
        log.extend(game?.log);
    }
    Ok(log)
}

/// A log to be told, not checked: its lines may be in any order, and have the
/// fields of a contract alone. What cannot be read either way is refused as a
/// log of Parlor's own.
fn read_loosely(path: &Path) -> Result<Vec<Envelope>, CliError> {
    let strictly = read_file(path).and_then(|mut log: Vec<Envelope>| {
        log.sort_by_key(|envelope| envelope.sequence);
        offer_of(&log).map(|_| log)
    });
    strictly.or_else(|refused| {
        let text: Vec<String> = jsonl::lines(path)?.map_while(Result::ok).collect();
        let lines = text.iter().map(|line| serde_json::from_str(line)).collect::<Result<_, _>>();
        lines.and_then(parlor_house::arranged).map_err(|_| refused)
    })
}

fn offer_of(log: &[Envelope]) -> Result<&'static dyn Offer, CliError> {
    let first = log.first().ok_or_else(|| CliError::Negative("the log is empty".to_owned()))?;
    parlor_house::game_of(first).ok_or_else(|| {
        CliError::Negative(
            "line 1: this event opens no game known here; what a seat or the public saw of a game \
             is not enough: a whole log is exported with --view admin, or postmortem where \
             nothing stays closed"
                .to_owned(),
        )
    })
}

/// What is wrong with a log, with the line it is wrong in.
fn broken(error: &LogError) -> CliError {
    let line = match error {
        LogError::Gap { expected, .. } => expected + 1,
        LogError::Fork { sequence, .. }
        | LogError::ForeignEvent { sequence, .. }
        | LogError::NewerVersion { sequence, .. } => sequence + 1,
        LogError::Empty | LogError::NoOpening => 1,
    };
    CliError::Negative(format!("line {line}: {error}"))
}

fn untold(error: &HouseError) -> CliError {
    match error {
        HouseError::Log(error) => broken(error),
        HouseError::Differs(error) => {
            CliError::Negative(format!("line {}: {error}", error.sequence + 1))
        }
        HouseError::Format(error) => CliError::usage(error),
        other => CliError::Negative(other.to_string()),
    }
}

/// Every stored game, the latest begun first.
async fn all_games(store: &Store) -> Result<Vec<GameSummary>, StoreError> {
    let mut games = store.games(None, PAGE).await?;
    let mut is_last = games.len() < PAGE;
    while !is_last {
        let page = store.games(games.last().map(|game| game.game_id.as_str()), PAGE).await?;
        is_last = page.len() < PAGE;
        games.extend(page);
    }
    games.sort_by(|a, b| (b.first_at, &b.game_id).cmp(&(a.first_at, &a.game_id)));
    Ok(games)
}

/// Lists stored games.
pub fn games(store: &StoreArg, as_json: bool) -> Result<(), CliError> {
    let store = open(store)?;
    let games = wait(all_games(&store))?;
    if !as_json {
        print_line("game                 kind      status    events  code    players")?;
    }
    for game in games {
        let table = wait(store.table(&game.game_id))?;
        let record = table.as_ref().and_then(Record::read);
        let kind = record.as_ref().map_or("?", |record| record.game.name());
        let status = record.as_ref().map_or("imported", |record| record.status.name());
        let code = record.as_ref().map_or("", |record| &record.code);
        let players: Vec<String> = record
            .iter()
            .flat_map(|record| &record.seats)
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
) -> Result<(), CliError> {
    if format == JSONL && deal.is_some() {
        return Err(CliError::usage(
            "a log is written whole; --deal goes with a format of the game, such as --format phh",
        ));
    }
    let log = read_told(store, id)?;
    let offer = offer_of(&log)?;
    let text = if format == JSONL {
        offer.retell(&log, view).map(|lines| lines.join("\n") + "\n")
    } else {
        offer.export(format, &log, view, deal)
    };
    let text = text.map_err(|error| untold(&error))?;
    let Some(path) = output else { return print_line(text.trim_end_matches('\n')) };
    let cannot =
        |error| CliError::usage(format_args!("{} cannot be written: {error}", path.display()));
    File::create(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(cannot)
}

/// Reads games back in. All of them are checked before the first is stored.
pub fn import(store: &StoreArg, file: &Path, format: Option<&str>) -> Result<(), CliError> {
    match format_of(file, format)? {
        None => {
            let verified = jsonl::games(file)?.map(|game| check_in_file(&game?));
            let verified = verified.collect::<Result<Vec<_>, _>>()?;
            if verified.is_empty() {
                return Err(CliError::Negative("the log is empty".to_owned()));
            }
            let logs = jsonl::games(file)?.map(|game| Ok(game?.log));
            put_all_in(store, logs, &verified)
        }
        Some((offer, format)) => {
            let text = std::fs::read_to_string(file).map_err(|error| {
                CliError::usage(format_args!("{} cannot be read: {error}", file.display()))
            })?;
            let games = offer.import(format, &text);
            let games = games.map_err(|error| CliError::Negative(error.to_string()))?;
            let check_one = |log: &Vec<Envelope>| check(offer_of(log)?, log);
            let verified = games.iter().map(check_one).collect::<Result<Vec<_>, _>>()?;
            put_all_in(store, games.into_iter().map(Ok), &verified)
        }
    }
}

/// Checks one game of a file; where there are several it is said which.
fn check_in_file(GameInFile { line, log }: &GameInFile) -> Result<Verified, CliError> {
    let checked = offer_of(log).and_then(|offer| check(offer, log));
    checked.map_err(|error| match (error, log.first()) {
        (CliError::Negative(sentence), Some(first)) if *line > 1 => {
            let id = &first.game_id;
            CliError::Negative(format!("game '{id}', from line {line} on: {sentence}"))
        }
        (error, _) => error,
    })
}

fn put_all_in(
    store: &StoreArg,
    logs: impl Iterator<Item = Result<Vec<Envelope>, CliError>>,
    verified: &[Verified],
) -> Result<(), CliError> {
    let store = wait(Store::open(&store.store))?;
    for (log, verified) in logs.zip(verified) {
        put_in(&store, &log?, verified)?;
    }
    wait(async {
        store.close().await;
        Ok(())
    })
}

/// The game and its format a file is in, as it is said or as the file's name
/// ends; none for JSONL.
fn format_of(
    file: &Path,
    said: Option<&str>,
) -> Result<Option<(&'static dyn FromLogs, &'static str)>, CliError> {
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
            Err(CliError::usage(format_args!("there is no format '{name}'; formats are {known}")))
        }
    }
}

/// Puts a game into the store, as far as it is not there.
fn put_in(store: &Store, log: &[Envelope], verified: &Verified) -> Result<(), CliError> {
    let game_id = log[0].game_id.clone();
    let known = wait(store.log(&game_id, 0))?;
    if let Some(line) = known.iter().zip(log).position(|(stored, read)| stored != read) {
        return Err(CliError::Negative(format!(
            "line {}: the stored game '{game_id}' went on differently there",
            line + 1
        )));
    }
    let fresh = log.get(known.len()..).unwrap_or_default().to_vec();
    let count = fresh.len();
    if count > 0 {
        let append =
            Append { game_id: game_id.clone(), expected: known.len() as u64, envelopes: fresh };
        let record = match wait(store.table(&game_id))? {
            Some(_) => None,
            None => Record::imported(offer_of(log)?, log),
        };
        let table = record.as_ref().map(|record| record.stored(log[0].timestamp));
        // A game that is not over is due at once: whoever serves it next looks.
        let is_on = record.is_some_and(|record| record.status == Status::Playing);
        let due = is_on.then(|| Due { table_id: game_id.to_string(), at: Some(0) });
        let batch = Batch { append: Some(append), table, due, ..Batch::default() };
        wait(async { Ok(store.commit(batch).await) })?
            .map_err(|error| CliError::Negative(error.to_string()))?;
    }
    let known = known.len();
    print_line(format_args!("{game_id}: {count} events read in, {known} known already{verified}"))
}

fn check(offer: &dyn FromLogs, log: &[Envelope]) -> Result<Verified, CliError> {
    offer.verify(log).map_err(|error| untold(&error))
}

/// Tells a game.
pub fn replay(
    store: &StoreArg,
    file_or_id: &str,
    view: Viewer,
    at: Option<u64>,
    as_json: bool,
) -> Result<(), CliError> {
    let path = Path::new(file_or_id);
    let log = if path.is_file() { read_loosely(path)? } else { read_told(store, file_or_id)? };
    if let Some(at) = at
        && at >= log.len() as u64
    {
        return Err(CliError::usage(format_args!("this game has events 0 to {}", log.len() - 1)));
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

/// Plays a game again and compares; every game of an archive.
pub fn verify(store: &StoreArg, file_or_id: &str) -> Result<(), CliError> {
    let path = Path::new(file_or_id);
    let report = |log: &[Envelope], verified: &Verified| {
        let (id, events) = (&log[0].game_id, verified.events);
        print_line(format_args!(
            "{id}: all {events} events follow from the seed and the moves{verified}"
        ))
    };
    if !path.is_file() {
        let log = read_stored(store, file_or_id)?;
        return report(&log, &check(offer_of(&log)?, &log)?);
    }
    let mut is_empty = true;
    for game in jsonl::games(path)? {
        let game = game?;
        report(&game.log, &check_in_file(&game)?)?;
        is_empty = false;
    }
    if is_empty { Err(CliError::Negative("the log is empty".to_owned())) } else { Ok(()) }
}
