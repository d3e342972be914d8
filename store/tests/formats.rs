//! A file of an older format is opened, and nothing in it is lost.

mod common;

use std::fs;

use common::{Folder, answer, commit, due, event, events, next, open, read, wait, with_table};
use parlor_store::{Answer, StoreError};
use rusqlite::Connection;

/// Format 1 as it was written: this text is never to be changed.
const FORMAT_1: &str = "
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  game_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  event_type TEXT NOT NULL,
  payload JSON NOT NULL,
  private BOOLEAN DEFAULT FALSE,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  timestamp INTEGER NOT NULL,
  cause JSON,
  v INTEGER NOT NULL
);
CREATE UNIQUE INDEX idx_game_sequence ON events (game_id, sequence);
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never changed: the log is append-only');
END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never deleted: the log is append-only');
END;
CREATE TABLE tables (
  id TEXT PRIMARY KEY NOT NULL,
  code TEXT NOT NULL UNIQUE,
  game TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX idx_tables_age ON tables (created_at, id);
CREATE INDEX idx_tables_status ON tables (status, created_at, id);
CREATE TABLE answers (
  table_id TEXT NOT NULL,
  seat INTEGER NOT NULL,
  key TEXT NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (table_id, seat, key)
) WITHOUT ROWID;
CREATE TABLE cursors (
  table_id TEXT NOT NULL,
  seat INTEGER NOT NULL,
  dialect TEXT NOT NULL,
  position INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (table_id, seat, dialect)
) WITHOUT ROWID;
PRAGMA application_id = 0x5041524c;
PRAGMA user_version = 1;
INSERT INTO tables VALUES ('t1', 'AAAA', 'koikoi', 'playing', 1, 2, '{\"seats\":2}');
INSERT INTO tables VALUES ('t2', 'BBBB', 'koikoi', 'waiting', 2, 2, '{\"seats\":2}');
INSERT INTO tables VALUES ('t3', 'CCCC', 'koikoi', 'finished', 3, 4, '{\"seats\":2}');
INSERT INTO answers VALUES ('t1', 1, 'key', '{\"position\":3}');
INSERT INTO cursors VALUES ('t1', 1, 'log', 2, 3);
";

/// A file of each format that was ever released, with the same games in it.
fn of_every_format() -> Vec<Folder> {
    let made = |steps: &[&str]| {
        let folder = Folder::new();
        old(&folder);
        let file = Connection::open(folder.file()).unwrap();
        steps.iter().for_each(|step| file.execute_batch(step).unwrap());
        folder
    };
    vec![made(&[]), made(&[FORMAT_2])]
}

/// A file of format 1 with two games in it.
fn old(folder: &Folder) {
    let file = Connection::open(folder.file()).unwrap();
    file.execute_batch(FORMAT_1).unwrap();
    for (game, sequence) in [("t1", 0), ("t3", 0), ("t1", 1), ("t1", 2)] {
        let event = event(game, sequence);
        let row = "INSERT INTO events
                     (game_id, sequence, event_type, payload, private, timestamp, cause, v)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let columns = rusqlite::params![
            &*event.game_id,
            event.sequence as i64,
            &*event.event_type,
            event.payload.get(),
            event.private,
            event.timestamp as i64,
            event.cause.as_ref().map(|cause| cause.get()),
            event.v
        ];
        file.execute(row, columns).unwrap();
    }
}

/// Every event with every column, as SQLite has it.
fn rows(folder: &Folder) -> Vec<String> {
    let file = Connection::open(folder.file()).unwrap();
    let mut statement = file
        .prepare(
            "SELECT quote(id) || quote(game_id) || quote(sequence) || quote(event_type) ||
                    quote(payload) || quote(private) || quote(created_at) || quote(timestamp) ||
                    quote(cause) || quote(v)
             FROM events ORDER BY id",
        )
        .unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_file_of_format_1_keeps_everything() {
    let folder = Folder::new();
    old(&folder);
    let before = rows(&folder);
    let store = folder.open();
    assert_eq!(rows(&folder), before, "an event was touched");
    assert_eq!(before.len(), 4);
    let log: Vec<_> = (0..3).map(|n| event("t1", n)).collect();
    assert_eq!(read(&store, "t1").unwrap(), log);
    let table = wait(store.table_by_code("AAAA")).unwrap().unwrap();
    assert_eq!((table.id.as_str(), table.version, table.updated_at), ("t1", 1, 2));
    let given = Answer { digest: None, ..answer("key") };
    assert_eq!(wait(store.answer("t1", 1, "key")).unwrap(), Some(given));
    assert_eq!(wait(store.cursors("t1")).unwrap(), [common::cursor(1, "log", 2, 3)]);
    // Nobody wrote down when it goes on, so whoever starts looks at once.
    assert_eq!(wait(store.due(None, 10)).unwrap(), [due("t1", Some(0))]);

    commit(&store, events("t1", 3, 1)).unwrap();
    commit(&store, with_table(next(&table))).unwrap();
    drop(store);
    let store = folder.open();
    assert_eq!(wait(store.table("t1")).unwrap().unwrap().version, 2);
    assert_eq!(wait(store.position("t1")).unwrap(), 4);
    assert_eq!(rows(&folder)[..4], before);
}

#[test]
fn many_can_open_an_old_file_at_once() {
    let folder = Folder::new();
    old(&folder);
    std::thread::scope(|scope| {
        for n in 0..8 {
            let folder = &folder;
            scope.spawn(move || commit(&folder.open(), events(&format!("g{n}"), 0, 1)).unwrap());
        }
    });
    assert_eq!(wait(folder.open().games(None, 20)).unwrap().len(), 10);
}

#[test]
fn an_old_file_that_lacks_a_table_is_damaged_and_stays_as_it_is() {
    let folder = Folder::new();
    old(&folder);
    Connection::open(folder.file()).unwrap().execute_batch("DROP TABLE answers").unwrap();
    let before = fs::read(folder.file()).unwrap();
    let error = open(&folder.url()).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(fs::read(folder.file()).unwrap() == before, "the file was changed: {error}");
}

/// What made format 2 of format 1: this text is never to be changed.
const FORMAT_2: &str = "
PRAGMA user_version = 2;
ALTER TABLE tables ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE TRIGGER tables_are_replaced_in_order BEFORE UPDATE ON tables
WHEN NEW.version <> OLD.version + 1 BEGIN
  SELECT RAISE(ABORT, 'a table is replaced by its next version only');
END;
ALTER TABLE answers ADD COLUMN digest BLOB;
CREATE TABLE due (
  table_id TEXT PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX idx_due ON due (at, table_id);
INSERT INTO due VALUES ('t1', 7);
UPDATE tables SET version = 2, data = '{\"unlisted\":true}' WHERE id = 't1';
UPDATE tables SET version = 2, data = '{\"unlisted\":false}' WHERE id = 't2';
";

#[test]
fn a_file_of_format_2_keeps_everything_and_knows_what_is_listed() {
    let folder = Folder::new();
    old(&folder);
    Connection::open(folder.file()).unwrap().execute_batch(FORMAT_2).unwrap();
    let before = rows(&folder);
    let store = folder.open();
    assert_eq!(rows(&folder), before, "an event was touched");
    let listed = wait(store.listed_tables(None, None, 10)).unwrap();
    let listed: Vec<_> = listed.iter().map(|it| (it.id.as_str(), it.version)).collect();
    assert_eq!(listed, [("t3", 1), ("t2", 2)]);
    assert_eq!(wait(store.due(None, 10)).unwrap(), [due("t1", Some(7))]);
    let hidden = wait(store.table("t1")).unwrap().unwrap();
    assert_eq!((hidden.version, hidden.listed), (2, false));
    commit(&store, with_table(next(&hidden))).unwrap();
    assert!(commit(&store, with_table(next(&hidden))).is_err(), "records are still guarded");
    commit(&store, common::kept("block", "b1", Some("{}"))).unwrap();
    drop(store);
    let store = folder.open();
    assert_eq!(wait(store.house_records("block", None, 10)).unwrap().len(), 1);
}

#[test]
fn a_file_of_any_format_becomes_what_a_new_file_is() {
    let shape = |folder: &Folder| -> Vec<String> {
        let file = Connection::open(folder.file()).unwrap();
        let mut things = file
            .prepare("SELECT type || name || coalesce(sql, '') FROM sqlite_schema ORDER BY name")
            .unwrap();
        let rows = things.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    };
    let new = Folder::new();
    drop(new.open());
    for folder in of_every_format() {
        drop(folder.open());
        assert_eq!(shape(&folder), shape(&new));
        assert_eq!(parlor_store::upkeep::examine(&folder.file()).unwrap().1, []);
    }
}

#[test]
fn a_large_file_of_any_format_keeps_every_event_and_its_guards() {
    for folder in of_every_format() {
        let many = "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n LIMIT 40000)
             INSERT INTO events (game_id, sequence, event_type, payload, timestamp, v)
             SELECT 'g' || (n / 40), n % 40, 'CardPlayed', '{\"card\": ' || n || '}', n, 1 FROM n";
        Connection::open(folder.file()).unwrap().execute_batch(many).unwrap();
        let before = rows(&folder);
        let store = folder.open();
        assert!(rows(&folder) == before, "an event was touched");
        assert_eq!(wait(store.games(None, 2_000)).unwrap().len(), 1_002);
        let tool = Connection::open(folder.file()).unwrap();
        for rewrite in ["UPDATE events SET v = 2", "DELETE FROM events"] {
            let refusal = tool.execute(rewrite, []).unwrap_err().to_string();
            assert!(refusal.contains("append-only"), "{refusal}");
        }
    }
}

#[test]
fn an_old_file_is_examined_and_backed_up_without_being_changed() {
    for (folder, format) in of_every_format().into_iter().zip(1..) {
        let before = fs::read(folder.file()).unwrap();
        let (contents, findings) = parlor_store::upkeep::examine(&folder.file()).unwrap();
        assert_eq!(contents.format, format);
        assert!(findings.iter().all(|finding| !finding.is_wrong), "{findings:?}");
        let copy = folder.file().with_file_name("copy.db");
        let copied = parlor_store::upkeep::back_up(&folder.file(), &copy).unwrap();
        assert_eq!(copied.format, format);
        assert!(fs::read(folder.file()).unwrap() == before);
    }
}
