//! The store without a disk: the same answers, gone with the process.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use parlor_kernel::Envelope;

use crate::error::StoreError;
use crate::record_group;
use crate::records::{Batch, Cursor, GameSummary, TableRecord};

/// A store in memory.
#[derive(Debug)]
pub(crate) struct Memory(Mutex<Option<Shelves>>);

/// Everything there is; taken away when the store is closed.
#[derive(Debug, Default)]
struct Shelves {
    logs: HashMap<Arc<str>, Vec<Envelope>>,
    tables: HashMap<String, TableRecord>,
    codes: HashMap<String, String>,
    answers: HashMap<(String, u8, String), String>,
    cursors: HashMap<String, BTreeMap<(u8, String), Cursor>>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory(Mutex::new(Some(Shelves::default())))
    }
}

impl Memory {
    pub(crate) fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        let start = Instant::now();
        let events = batch.events();
        self.with(|shelves| {
            shelves.refuse(&batch)?;
            shelves.write(batch);
            Ok(())
        })?;
        record_group(1, events, start.elapsed());
        Ok(())
    }

    pub(crate) fn read(&self, game_id: &str, from: u64) -> Result<Vec<Envelope>, StoreError> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        self.with(|shelves| {
            let log = shelves.logs.get(game_id).and_then(|log| log.get(from..));
            Ok(log.map(<[Envelope]>::to_vec).unwrap_or_default())
        })
    }

    pub(crate) fn position(&self, game_id: &str) -> Result<u64, StoreError> {
        self.with(|shelves| Ok(shelves.position(game_id)))
    }

    pub(crate) fn table(&self, id: &str) -> Result<Option<TableRecord>, StoreError> {
        self.with(|shelves| Ok(shelves.tables.get(id).cloned()))
    }

    pub(crate) fn table_by_code(&self, code: &str) -> Result<Option<TableRecord>, StoreError> {
        self.with(|shelves| {
            Ok(shelves.codes.get(code).and_then(|id| shelves.tables.get(id)).cloned())
        })
    }

    pub(crate) fn tables(
        &self,
        status: Option<&str>,
        limit: usize,
    ) -> Result<Vec<TableRecord>, StoreError> {
        self.with(|shelves| {
            let wanted = |table: &&TableRecord| status.is_none_or(|status| table.status == status);
            let mut tables: Vec<_> = shelves.tables.values().filter(wanted).collect();
            tables.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
            Ok(tables.into_iter().take(limit).cloned().collect())
        })
    }

    pub(crate) fn answer(
        &self,
        table_id: &str,
        seat: u8,
        key: &str,
    ) -> Result<Option<String>, StoreError> {
        let name = (table_id.to_owned(), seat, key.to_owned());
        self.with(|shelves| Ok(shelves.answers.get(&name).cloned()))
    }

    pub(crate) fn cursors(&self, table_id: &str) -> Result<Vec<Cursor>, StoreError> {
        self.with(|shelves| {
            let cursors = shelves.cursors.get(table_id);
            Ok(cursors.map(|all| all.values().cloned().collect()).unwrap_or_default())
        })
    }

    pub(crate) fn games(&self) -> Result<Vec<GameSummary>, StoreError> {
        let mut games: Vec<_> = self.with(|shelves| {
            let logs = shelves.logs.iter();
            Ok(logs.filter_map(|(game_id, log)| summary(game_id, log)).collect())
        })?;
        games.sort_by(|a, b| (b.first_at, &b.game_id).cmp(&(a.first_at, &a.game_id)));
        Ok(games)
    }

    pub(crate) fn ping(&self) -> Result<(), StoreError> {
        self.with(|_| Ok(()))
    }

    pub(crate) fn close(&self) {
        self.lock().take();
    }

    fn with<T>(
        &self,
        look: impl FnOnce(&mut Shelves) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.lock().as_mut().map_or(Err(StoreError::Closed), look)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Shelves>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelves {
    fn position(&self, game_id: &str) -> u64 {
        self.logs.get(game_id).map_or(0, |log| log.len() as u64)
    }

    /// Looks for every reason to refuse before the first write: that is what
    /// makes a batch all or nothing here.
    fn refuse(&self, batch: &Batch) -> Result<(), StoreError> {
        if let Some(append) = &batch.append {
            let found = self.position(&append.game_id);
            if found != append.expected {
                let (game_id, expected) = (append.game_id.to_string(), append.expected);
                return Err(StoreError::Conflict { game_id, expected, found });
            }
        }
        if let Some(table) = &batch.table
            && self.codes.get(&table.code).is_some_and(|holder| *holder != table.id)
        {
            return Err(StoreError::CodeTaken(table.code.clone()));
        }
        if let Some(answer) = batch.answer.clone()
            && let name = (answer.table_id, answer.seat, answer.key)
            && self.answers.contains_key(&name)
        {
            let (table_id, seat, key) = name;
            return Err(StoreError::Answered { table_id, seat, key });
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
            self.answers.insert((answer.table_id, answer.seat, answer.key), answer.answer);
        }
        if let Some(cursor) = batch.cursor {
            let cursors = self.cursors.entry(cursor.table_id.clone()).or_default();
            let name = (cursor.seat, cursor.dialect.clone());
            if cursors.get(&name).is_none_or(|before| before.position <= cursor.position) {
                cursors.insert(name, cursor);
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
