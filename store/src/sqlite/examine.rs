//! A store looked at from end to end: what is wrong with it, and what is good
//! to know. Nothing is changed.

use std::path::Path;

use rusqlite::{Connection, Result};

use super::schema;
use super::whole::{self, beside};
use crate::error::StoreError;
use crate::upkeep::{Contents, Finding};

/// How many of a kind are named.
const NAMED: i64 = 5;

/// A log beside the file that should long have been folded in.
const LARGE_LOG: u64 = 256 * 1024 * 1024;

const FROM_A_BACKUP: &str = "put back the last good backup with `parlor restore FILE`; what came after it may be rescued \
     with sqlite3's .recover";

pub(super) fn examine(path: &Path) -> std::result::Result<(Contents, Vec<Finding>), StoreError> {
    let connection = whole::open(path)?;
    let mut findings = files(path);
    let failed = |error| StoreError::sqlite(path, &error);
    let pages = whole::broken_pages(&connection).map_err(failed)?;
    findings.extend(pages.into_iter().map(|line| wrong(line, FROM_A_BACKUP)));
    for look in [format, shape, logs, json, due] {
        findings.extend(look(&connection).map_err(failed)?);
    }
    let contents = whole::contents(&connection, path).map_err(failed)?;
    Ok((contents, findings))
}

fn wrong(says: impl Into<String>, advice: impl Into<String>) -> Finding {
    Finding { is_wrong: true, says: says.into(), advice: advice.into() }
}

fn note(says: impl Into<String>, advice: impl Into<String>) -> Finding {
    Finding { is_wrong: false, says: says.into(), advice: advice.into() }
}

/// What lies beside the file.
fn files(path: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let log = beside(path, "-wal").metadata().map_or(0, |metadata| metadata.len());
    if log > LARGE_LOG {
        let says = format!("the write-ahead log has grown to {} MB", log / 1_000_000);
        let advice = "end what reads the store for long, such as a tool that was left open; a stop \
                      and start of the server folds it in";
        findings.push(note(says, advice));
    }
    for suffix in [".shrinking", ".restoring", ".partial"] {
        let left = beside(path, suffix);
        if left.exists() {
            let says = format!("{} was begun and not finished", left.display());
            findings.push(note(says, "it is of no use; remove it, or do the same again"));
        }
    }
    findings
}

fn format(connection: &Connection) -> Result<Vec<Finding>> {
    let version = schema::version(connection)?;
    if version == schema::VERSION {
        return Ok(Vec::new());
    }
    let says = format!("the store has format {version}, the newest is {}", schema::VERSION);
    Ok(vec![note(says, "the next `parlor serve` brings it there; take a backup before")])
}

/// Tables, indexes and triggers are those of the file's format.
fn shape(connection: &Connection) -> Result<Vec<Finding>> {
    let expected = schema::shape_of(schema::version(connection)?)?;
    let found = schema::shape(connection)?;
    let mut findings = Vec::new();
    for thing in expected.iter().filter(|thing| !found.contains(thing)) {
        let (kind, name) = (&thing.kind, &thing.name);
        let is_other = found.iter().any(|other| (&other.kind, &other.name) == (kind, name));
        let (says, first) = match is_other {
            true => (format!("the {kind} '{name}' is not as it was made"), "remove it and "),
            false => (format!("the {kind} '{name}' is missing"), ""),
        };
        let sql = thing.sql.split_whitespace().collect::<Vec<_>>().join(" ");
        let advice = match kind.as_str() {
            "table" => FROM_A_BACKUP.to_owned(),
            _ => format!("stop the server, {first}make it again with sqlite3: {sql};"),
        };
        findings.push(wrong(says, advice));
    }
    let is_known = |name: &str| expected.iter().any(|thing| thing.name == name);
    for thing in found.iter().filter(|thing| !is_known(&thing.name)) {
        let says = format!("the {} '{}' is not Parlor's", thing.kind, thing.name);
        findings.push(note(says, "remove it, unless you know what it is there for"));
    }
    Ok(findings)
}

fn logs(connection: &Connection) -> Result<Vec<Finding>> {
    let broken = whole::broken_logs(connection)?;
    Ok(broken.into_iter().map(|says| wrong(says, FROM_A_BACKUP)).collect())
}

fn json(connection: &Connection) -> Result<Vec<Finding>> {
    let mut statement = connection.prepare(
        "SELECT game_id, sequence FROM events
         WHERE NOT json_valid(CAST(payload AS TEXT))
            OR (cause IS NOT NULL AND NOT json_valid(CAST(cause AS TEXT))) LIMIT ?1",
    )?;
    let broken = statement.query_map([NAMED], |row| {
        let (game, sequence): (String, i64) = (row.get(0)?, row.get(1)?);
        Ok(wrong(format!("event {sequence} of game '{game}' is no JSON"), FROM_A_BACKUP))
    })?;
    broken.collect()
}

fn due(connection: &Connection) -> Result<Vec<Finding>> {
    if schema::version(connection)? < 2 {
        return Ok(Vec::new());
    }
    let count = "SELECT count(*) FROM due WHERE table_id NOT IN (SELECT id FROM tables)";
    let orphans: i64 = connection.query_row(count, [], |row| row.get(0))?;
    if orphans == 0 {
        return Ok(Vec::new());
    }
    let says = format!("{orphans} due times are of tables that are not there");
    Ok(vec![note(says, "they do no harm: whoever looks for such a table finds none")])
}
