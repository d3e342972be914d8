//! `parlor doctor`: what is wrong with a store, and what to do about it.

use std::path::Path;

use parlor_server::{Record, Status};
use parlor_store::upkeep::{self, Contents, Finding};
use parlor_store::{PAGE, Store, StoreError, TableRecord};

use crate::args::StoreArg;
use crate::error::{CliError, print_line};
use crate::stored::wait;
use crate::upkeep::told;

/// How many of a kind are named.
const NAMED: usize = 5;

/// A store with less room left than this will soon refuse moves.
const LITTLE_ROOM: u64 = 200_000_000;

/// Checks a store. Exit code 1 if anything is wrong.
pub fn doctor(store: &StoreArg, deep: bool) -> Result<(), CliError> {
    let path = upkeep::file_of(&store.store).map_err(CliError::usage)?;
    if !path.exists() {
        return Err(CliError::usage(format_args!(
            "there is no store at {}; name one with --store sqlite:PATH",
            path.display()
        )));
    }
    // What cannot even be opened is an answer, not a wrong use.
    let negative = |error: StoreError| CliError::Negative(error.to_string());
    let (contents, mut findings) = upkeep::examine(&path).map_err(negative)?;
    print_line(format_args!("{}: {}", path.display(), told(&contents)))?;
    findings.extend(room(&path, &contents));
    // A file of an older format is left in it: opening it would change that.
    let is_broken = findings.iter().any(|finding| finding.is_wrong);
    if !is_broken && contents.format == upkeep::newest_format() {
        let store = wait(Store::open(&store.store))?;
        findings.extend(wait(Tables::of(&store, deep))?.findings());
    }
    report(&findings)
}

fn report(findings: &[Finding]) -> Result<(), CliError> {
    for Finding { is_wrong, says, advice } in findings {
        let kind = if *is_wrong { "WRONG" } else { "note" };
        print_line(format_args!("{kind}: {says}\n  → {advice}"))?;
    }
    match findings.iter().filter(|finding| finding.is_wrong).count() {
        0 => print_line("nothing is wrong"),
        1 => Err(CliError::Negative("one thing is wrong".to_owned())),
        count => Err(CliError::Negative(format!("{count} things are wrong"))),
    }
}

/// Whether there is room for the store to grow, and for a copy of it.
fn room(path: &Path, contents: &Contents) -> Option<Finding> {
    let disk = rustix::fs::statvfs(path).ok()?;
    let free = disk.f_bavail * disk.f_frsize;
    let megabytes = free / 1_000_000;
    if free < LITTLE_ROOM {
        let says = format!("the disk has {megabytes} MB left");
        let advice = "make room: a full disk refuses every move".to_owned();
        return Some(Finding { is_wrong: true, says, advice });
    }
    (free < contents.bytes).then(|| Finding {
        is_wrong: false,
        says: format!("the disk has {megabytes} MB left, less than the store takes"),
        advice: "a backup or an archive on this disk needs as much again".to_owned(),
    })
}

/// What is found in the records of tables and their logs.
#[derive(Default)]
struct Tables {
    unreadable: Vec<String>,
    without_log: Vec<String>,
    differing: Vec<String>,
    overdue: Vec<String>,
}

impl Tables {
    async fn of(store: &Store, deep: bool) -> Result<Tables, StoreError> {
        let mut tables = Tables::default();
        let mut last: Option<(u64, String)> = None;
        loop {
            let before = last.as_ref().map(|(time, id)| (*time, id.as_str()));
            let page = store.tables(None, before, PAGE).await?;
            for table in &page {
                tables.look_at(store, table, deep).await?;
            }
            match page.last().filter(|_| page.len() == PAGE) {
                Some(table) => last = Some((table.created_at, table.id.clone())),
                None => break,
            }
        }
        tables.look_at_due(store).await?;
        Ok(tables)
    }

    async fn look_at(
        &mut self,
        store: &Store,
        table: &TableRecord,
        deep: bool,
    ) -> Result<(), StoreError> {
        let Some(record) = Record::read(table) else {
            self.unreadable.push(table.id.clone());
            return Ok(());
        };
        let begun = matches!(record.status, Status::Playing | Status::Finished);
        if begun && store.position(&record.id).await? == 0 {
            self.without_log.push(record.id);
        } else if deep {
            let log = store.log(&record.id, 0).await?;
            if !log.is_empty() && record.game.verify(&log).is_err() {
                self.differing.push(record.id);
            }
        }
        Ok(())
    }

    /// A table that is over and still due is looked at in vain by every start.
    async fn look_at_due(&mut self, store: &Store) -> Result<(), StoreError> {
        let mut last: Option<(u64, String)> = None;
        loop {
            let after = last.as_ref().map(|(time, id)| (*time, id.as_str()));
            let page = store.due(after, PAGE).await?;
            for due in &page {
                let table = store.table(&due.table_id).await?;
                if table.is_some_and(|table| table.status != Status::Playing.name()) {
                    self.overdue.push(due.table_id.clone());
                }
            }
            match page.last().filter(|_| page.len() == PAGE) {
                Some(due) => last = Some((due.at.unwrap_or(0), due.table_id.clone())),
                None => break,
            }
        }
        Ok(())
    }

    fn findings(self) -> impl Iterator<Item = Finding> {
        let Tables { unreadable, without_log, differing, overdue } = self;
        let kinds = [
            (
                unreadable,
                true,
                "tables cannot be read: their game is not on offer here, or a \
              newer Parlor wrote them",
                "serve them with the Parlor that wrote them",
            ),
            (
                without_log,
                true,
                "tables have begun and have no log",
                "put back the last good \
              backup with `parlor restore FILE`",
            ),
            (
                differing,
                true,
                "games do not follow from their seed and moves",
                "`parlor verify \
              ID` says where; compare with a backup",
            ),
            (
                overdue,
                false,
                "tables are over and still due",
                "they do no harm: a start looks at \
              them and goes on",
            ),
        ];
        kinds.into_iter().filter(|(ids, ..)| !ids.is_empty()).map(
            |(ids, is_wrong, what, advice)| {
                let named =
                    ids.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = if ids.len() > NAMED { ", …" } else { "" };
                let says = format!("{} {what} ({named}{more})", ids.len());
                Finding { is_wrong, says, advice: advice.to_owned() }
            },
        )
    }
}
