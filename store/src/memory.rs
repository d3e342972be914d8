//! The store without a disk: the same answers, gone with the process.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use parlor_kernel::Envelope;

use crate::engine::{Call, Engine, Soon};
use crate::error::StoreError;
use crate::news::{NewsStream, Newsroom};
use crate::record_group;
use crate::records::{Answer, Batch, Cursor, Due, GameSummary, Head, HouseRecord, TableRecord};

/// A store in memory.
#[derive(Debug)]
pub(crate) struct Memory {
    shelves: Mutex<Option<Shelves>>,
    newsroom: Newsroom,
}

/// Everything there is; taken away when the store is closed.
#[derive(Debug, Default)]
struct Shelves {
    logs: BTreeMap<Arc<str>, Vec<Envelope>>,
    tables: HashMap<String, TableRecord>,
    codes: HashMap<String, String>,
    answers: HashMap<(String, u8, String), Answer>,
    cursors: HashMap<String, BTreeMap<(u8, String), Cursor>>,
    due: BTreeSet<(u64, String)>,
    due_at: HashMap<String, u64>,
    kept: BTreeMap<(String, String), String>,
}

impl Default for Memory {
    fn default() -> Memory {
        let shelves = Mutex::new(Some(Shelves::default()));
        Memory { shelves, newsroom: Newsroom::default() }
    }
}

impl Engine for Memory {
    fn commit(&self, batch: Batch) -> Call<'_, ()> {
        Box::pin(async move {
            batch.check()?;
            let start = Instant::now();
            let events = batch.events();
            self.with(|shelves| {
                shelves.refuse(&batch)?;
                shelves.write(batch.clone());
                // Told before anyone else can write: news come in order.
                self.newsroom.tell([&batch].into_iter());
                Ok(())
            })?;
            record_group(1, events, start.elapsed());
            Ok(())
        })
    }

    fn read<'a>(&'a self, game_id: &'a str, from: u64, limit: usize) -> Call<'a, Vec<Envelope>> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        self.look(move |shelves| {
            let log = shelves.logs.get(game_id).and_then(|log| log.get(from..));
            log.unwrap_or_default().iter().take(limit).cloned().collect()
        })
    }

    fn position<'a>(&'a self, game_id: &'a str) -> Call<'a, u64> {
        self.look(|shelves| shelves.position(game_id))
    }

    fn heads<'a>(&'a self, game_ids: &'a [String]) -> Call<'a, Vec<Head>> {
        self.look(|shelves| game_ids.iter().map(|game_id| shelves.head(game_id)).collect())
    }

    fn table<'a>(&'a self, id: &'a str) -> Call<'a, Option<TableRecord>> {
        self.look(|shelves| shelves.tables.get(id).cloned())
    }

    fn table_by_code<'a>(&'a self, code: &'a str) -> Call<'a, Option<TableRecord>> {
        self.look(|shelves| shelves.codes.get(code).and_then(|id| shelves.tables.get(id)).cloned())
    }

    fn tables<'a>(
        &'a self,
        status: Option<&'a str>,
        before: Option<(u64, &'a str)>,
        limit: usize,
    ) -> Call<'a, Vec<TableRecord>> {
        self.look(move |shelves| shelves.tables(status, before, limit, |_| true))
    }

    fn listed_tables<'a>(
        &'a self,
        status: Option<&'a str>,
        before: Option<(u64, &'a str)>,
        limit: usize,
    ) -> Call<'a, Vec<TableRecord>> {
        self.look(move |shelves| shelves.tables(status, before, limit, |table| table.listed))
    }

    fn house_records<'a>(
        &'a self,
        kind: &'a str,
        after: Option<&'a str>,
        limit: usize,
    ) -> Call<'a, Vec<HouseRecord>> {
        self.look(move |shelves| {
            let first = (kind.to_owned(), after.unwrap_or_default().to_owned());
            let start =
                if after.is_some() { Bound::Excluded(first) } else { Bound::Included(first) };
            let page = shelves.kept.range((start, Bound::Unbounded));
            let page = page.take_while(|((of, _), _)| of == kind).take(limit);
            let record = |((kind, id), data): (&(String, String), &String)| HouseRecord {
                kind: kind.clone(),
                id: id.clone(),
                data: Some(data.clone()),
            };
            page.map(record).collect()
        })
    }

    fn due<'a>(&'a self, after: Option<(u64, &'a str)>, limit: usize) -> Call<'a, Vec<Due>> {
        self.look(move |shelves| {
            let start = match after {
                Some((at, id)) => Bound::Excluded((at, id.to_owned())),
                None => Bound::Unbounded,
            };
            let page = shelves.due.range((start, Bound::Unbounded)).take(limit).cloned();
            page.map(|(at, table_id)| Due { table_id, at: Some(at) }).collect()
        })
    }

    fn answer<'a>(&'a self, table_id: &'a str, seat: u8, key: &'a str) -> Call<'a, Option<Answer>> {
        let name = (table_id.to_owned(), seat, key.to_owned());
        self.look(move |shelves| shelves.answers.get(&name).cloned())
    }

    fn cursors<'a>(&'a self, table_id: &'a str) -> Call<'a, Vec<Cursor>> {
        self.look(|shelves| {
            let cursors = shelves.cursors.get(table_id);
            cursors.map(|all| all.values().cloned().collect()).unwrap_or_default()
        })
    }

    fn games<'a>(&'a self, after: Option<&'a str>, limit: usize) -> Call<'a, Vec<GameSummary>> {
        self.look(move |shelves| {
            let start = after.map_or(Bound::Unbounded, Bound::Excluded);
            let page = shelves.logs.range::<str, _>((start, Bound::Unbounded));
            page.filter_map(|(game_id, log)| summary(game_id, log)).take(limit).collect()
        })
    }

    fn news(&self) -> NewsStream {
        self.newsroom.listen()
    }

    fn ping(&self) -> Call<'_, ()> {
        self.look(|_| ())
    }

    fn close(&self) -> Soon<'_, ()> {
        Box::pin(async {
            self.lock().take();
            self.newsroom.close();
        })
    }
}

impl Memory {
    fn look<'a, T>(&'a self, look: impl FnOnce(&Shelves) -> T + Send + 'a) -> Call<'a, T> {
        Box::pin(async move { self.with(|shelves| Ok(look(shelves))) })
    }

    fn with<T>(
        &self,
        look: impl FnOnce(&mut Shelves) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.lock().as_mut().map_or(Err(StoreError::Closed), look)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Shelves>> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelves {
    fn position(&self, game_id: &str) -> u64 {
        self.logs.get(game_id).map_or(0, |log| log.len() as u64)
    }

    fn version(&self, table_id: &str) -> u64 {
        self.tables.get(table_id).map_or(0, |table| table.version)
    }

    fn tables(
        &self,
        status: Option<&str>,
        before: Option<(u64, &str)>,
        limit: usize,
        is_wanted: impl Fn(&TableRecord) -> bool,
    ) -> Vec<TableRecord> {
        let wanted = |table: &&TableRecord| {
            is_wanted(table)
                && status.is_none_or(|status| table.status == status)
                && before.is_none_or(|before| (table.created_at, table.id.as_str()) < before)
        };
        let mut tables: Vec<_> = self.tables.values().filter(wanted).collect();
        tables.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        tables.into_iter().take(limit).cloned().collect()
    }

    fn head(&self, game_id: &str) -> Head {
        let (length, version) = (self.position(game_id), self.version(game_id));
        Head { game_id: game_id.to_owned(), length, version }
    }

    /// Looks for every reason to refuse before the first write: that is what
    /// makes a batch all or nothing here.
    fn refuse(&self, batch: &Batch) -> Result<(), StoreError> {
        if let Some(Answer { table_id, seat, key, .. }) = batch.answer.clone()
            && let Some(answer) = self.answers.get(&(table_id, seat, key))
        {
            return Err(StoreError::Answered(Box::new(answer.clone())));
        }
        if let Some(append) = &batch.append {
            let found = self.position(&append.game_id);
            if found != append.expected {
                let (game_id, expected) = (append.game_id.to_string(), append.expected);
                return Err(StoreError::Conflict { game_id, expected, found });
            }
        }
        let Some(table) = &batch.table else { return Ok(()) };
        let (expected, found) = (table.version - 1, self.version(&table.id));
        if found != expected {
            return Err(StoreError::Stale { table_id: table.id.clone(), expected, found });
        }
        if self.codes.get(&table.code).is_some_and(|holder| *holder != table.id) {
            return Err(StoreError::CodeTaken(table.code.clone()));
        }
        Ok(())
    }

    fn write(&mut self, batch: Batch) {
        if let Some(append) = batch.append {
            self.logs.entry(append.game_id).or_default().extend(append.envelopes);
        }
        if let Some(table) = batch.table {
            if let Some(before) = self.tables.get(&table.id) {
                self.codes.remove(&before.code);
            }
            self.codes.insert(table.code.clone(), table.id.clone());
            self.tables.insert(table.id.clone(), table);
        }
        if let Some(answer) = batch.answer {
            let name = (answer.table_id.clone(), answer.seat, answer.key.clone());
            self.answers.insert(name, answer);
        }
        if let Some(cursor) = batch.cursor {
            let cursors = self.cursors.entry(cursor.table_id.clone()).or_default();
            let name = (cursor.seat, cursor.dialect.clone());
            if cursors.get(&name).is_none_or(|before| before.position <= cursor.position) {
                cursors.insert(name, cursor);
            }
        }
        if let Some(Due { table_id, at }) = batch.due {
            let before = match at {
                Some(at) => self.due_at.insert(table_id.clone(), at),
                None => self.due_at.remove(&table_id),
            };
            if let Some(before) = before {
                self.due.remove(&(before, table_id.clone()));
            }
            self.due.extend(at.map(|at| (at, table_id)));
        }
        if let Some(HouseRecord { kind, id, data }) = batch.kept {
            match data {
                Some(data) => drop(self.kept.insert((kind, id), data)),
                None => drop(self.kept.remove(&(kind, id))),
            }
        }
    }
}

fn summary(game_id: &str, log: &[Envelope]) -> Option<GameSummary> {
    let (first, last) = (log.first()?, log.last()?);
    Some(GameSummary {
        game_id: game_id.to_owned(),
        events: log.len() as u64,
        first_at: first.timestamp,
        last_at: last.timestamp,
        first_event_type: first.event_type.to_string(),
        last_event_type: last.event_type.to_string(),
    })
}
