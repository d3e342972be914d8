//! What the tests of the store share: folders that clean up, and events.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use parlor_kernel::Envelope;
use parlor_store::{
    Answer, Append, Batch, Cursor, Due, HouseRecord, Store, StoreError, TableRecord,
};
use serde_json::value::RawValue;

/// A folder of its own for one test, removed when the test is over.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("store-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self) -> PathBuf {
        self.0.join("parlor.db")
    }

    pub fn url(&self) -> String {
        format!("sqlite:{}", self.file().display())
    }

    pub fn open(&self) -> Store {
        open(&self.url()).unwrap()
    }

    /// The names of all files in the folder.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn json(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

pub fn event(game_id: &str, sequence: u64) -> Envelope {
    Envelope {
        event_type: if sequence == 0 { "Opened".into() } else { "CardPlayed".into() },
        game_id: game_id.into(),
        sequence,
        timestamp: 1_000 + sequence,
        private: sequence % 2 == 1,
        payload: json(&format!(r#"{{"card": "0111",  "n":{sequence}}}"#)),
        cause: sequence.is_multiple_of(2).then(|| json(r#"{"by":"house"}"#)),
        v: 1,
    }
}

/// The append of `count` events to a log that has `expected`.
pub fn append(game_id: &str, expected: u64, count: u64) -> Append {
    let envelopes = (expected..expected + count).map(|n| event(game_id, n)).collect();
    Append { game_id: game_id.into(), expected, envelopes }
}

pub fn events(game_id: &str, expected: u64, count: u64) -> Batch {
    Batch { append: Some(append(game_id, expected, count)), ..Batch::default() }
}

/// Asks a store from a test that is not async itself.
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

pub fn open(url: &str) -> Result<Store, StoreError> {
    wait(Store::open(url))
}

pub fn commit(store: &Store, batch: Batch) -> Result<(), StoreError> {
    wait(store.commit(batch))
}

pub fn read(store: &Store, game_id: &str) -> Result<Vec<Envelope>, StoreError> {
    wait(store.log(game_id, 0))
}

pub fn position(store: &Store, game_id: &str) -> u64 {
    wait(store.position(game_id)).unwrap()
}

pub fn table(id: &str, code: &str, created_at: u64) -> TableRecord {
    TableRecord {
        id: id.into(),
        version: 1,
        code: code.into(),
        game: "koikoi".into(),
        listed: true,
        status: "waiting".into(),
        created_at,
        updated_at: created_at,
        data: r#"{"seats":2}"#.into(),
    }
}

/// The record that follows this one.
pub fn next(table: &TableRecord) -> TableRecord {
    TableRecord { version: table.version + 1, ..table.clone() }
}

pub fn with_table(table: TableRecord) -> Batch {
    Batch { table: Some(table), ..Batch::default() }
}

pub fn answer(key: &str) -> Answer {
    Answer {
        table_id: "t1".into(),
        seat: 1,
        key: key.into(),
        digest: Some([7; 32]),
        answer: r#"{"position":3}"#.into(),
    }
}

pub fn cursor(seat: u8, dialect: &str, position: u64, at: u64) -> Cursor {
    Cursor { table_id: "t1".into(), seat, dialect: dialect.into(), position, at }
}

pub fn due(table_id: &str, at: Option<u64>) -> Due {
    Due { table_id: table_id.into(), at }
}

pub fn with_cursor(cursor: Cursor) -> Batch {
    Batch { cursor: Some(cursor), ..Batch::default() }
}

/// Something the house keeps; none: nothing any more.
pub fn kept(kind: &str, id: &str, data: Option<&str>) -> Batch {
    let (kind, id, data) = (kind.to_owned(), id.to_owned(), data.map(str::to_owned));
    Batch { kept: Some(HouseRecord { kind, id, data }), ..Batch::default() }
}
