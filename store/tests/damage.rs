//! Files that are broken, foreign or fought over.

mod common;

use std::fs;
use std::path::Path;

use common::{
    Folder, answer, commit, cursor, due, event, events, open, position, read, table, wait,
};
use parlor_store::{Batch, StoreError, TableRecord};
use rusqlite::Connection;

/// A store of some pages, closed again; gives its bytes.
fn filled(folder: &Folder) -> Vec<u8> {
    let store = folder.open();
    for n in 0..20 {
        commit(&store, events(&format!("g{n}"), 0, 50)).unwrap();
    }
    wait(store.close());
    fs::read(folder.file()).unwrap()
}

/// Opens a file that must be refused, and sees to it that it stays as it was
/// and alone.
fn refused(folder: &Folder) -> StoreError {
    let before = fs::read(folder.file()).unwrap();
    let names = folder.names();
    let error = open(&folder.url()).unwrap_err();
    assert!(fs::read(folder.file()).unwrap() == before, "the file was changed: {error}");
    assert_eq!(folder.names(), names, "something was left beside the file: {error}");
    error
}

fn is_damaged(error: &StoreError) -> bool {
    matches!(error, StoreError::Damaged { .. })
}

fn is_foreign(error: &StoreError) -> bool {
    matches!(error, StoreError::Foreign { .. })
}

fn sqlite(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_file_that_is_not_sqlite_is_foreign() {
    let folder = Folder::new();
    for garbage in ["x".to_owned(), "not a database\n".repeat(1_000), "SQLite format 2".into()] {
        fs::write(folder.file(), garbage).unwrap();
        let error = refused(&folder);
        assert!(is_foreign(&error), "{error}");
    }
}

#[test]
fn a_folder_is_no_store() {
    let folder = Folder::new();
    fs::create_dir(folder.file()).unwrap();
    let error = open(&folder.url()).unwrap_err();
    assert!(is_foreign(&error), "{error}");
}

#[test]
fn a_missing_folder_is_named() {
    let folder = Folder::new();
    let error = open(&format!("{}/none/parlor.db", folder.url())).unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    assert!(error.to_string().contains("folder"), "{error}");
}

#[test]
fn a_file_cut_short_is_damaged_wherever_it_was_cut() {
    let folder = Folder::new();
    let whole = filled(&folder);
    for length in [1, 15, 16, 50, 99, 100, 4_095, 4_096, whole.len() / 2, whole.len() - 1] {
        fs::write(folder.file(), &whole[..length]).unwrap();
        let error = refused(&folder);
        assert!(is_damaged(&error), "cut to {length}: {error}");
    }
}

#[test]
fn bytes_flipped_in_the_middle_are_found_and_nothing_is_touched() {
    let folder = Folder::new();
    let whole = filled(&folder);
    let pages = whole.len() / 4_096;
    let mut found = 0;
    for page in 1..pages {
        let mut flipped = whole.clone();
        // The head of a page: its kind and the directory of its cells.
        flipped[page * 4_096..page * 4_096 + 32].iter_mut().for_each(|byte| *byte ^= 0xff);
        fs::write(folder.file(), flipped).unwrap();
        let error = refused(&folder);
        assert!(is_damaged(&error), "page {page}: {error}");
        found += 1;
    }
    assert!(found > 10, "the store has too few pages to prove anything");
}

#[test]
fn an_event_that_is_no_longer_json_is_damage() {
    let folder = Folder::new();
    let store = folder.open();
    commit(&store, events("g", 0, 1)).unwrap();
    sqlite(
        &folder.file(),
        "INSERT INTO events (game_id, sequence, event_type, payload, timestamp, v)
         VALUES ('g', 1, 'CardPlayed', '{\"card', 5, 1)",
    );
    let error = read(&store, "g").unwrap_err();
    assert!(is_damaged(&error), "{error}");
}

#[test]
fn a_gap_in_a_log_is_damage() {
    let folder = Folder::new();
    let store = folder.open();
    commit(&store, events("g", 0, 1)).unwrap();
    sqlite(
        &folder.file(),
        "INSERT INTO events (game_id, sequence, event_type, payload, timestamp, v)
         VALUES ('g', 2, 'CardPlayed', '{}', 5, 1)",
    );
    let error = read(&store, "g").unwrap_err();
    assert!(is_damaged(&error), "{error}");
}

#[test]
fn an_empty_file_whose_log_is_left_is_damaged() {
    let folder = Folder::new();
    fs::write(folder.file(), "").unwrap();
    fs::write(folder.file().with_extension("db-wal"), "frames").unwrap();
    let error = refused(&folder);
    assert!(is_damaged(&error), "{error}");
}

#[test]
fn the_database_of_another_program_is_foreign() {
    for mark in ["", "PRAGMA application_id = 77;", "PRAGMA journal_mode = WAL;"] {
        let folder = Folder::new();
        sqlite(&folder.file(), &format!("{mark} CREATE TABLE notes (text)"));
        let error = refused(&folder);
        assert!(is_foreign(&error), "{mark} {error}");
    }
}

#[test]
fn the_database_another_program_has_open_is_foreign() {
    let folder = Folder::new();
    let other = Connection::open(folder.file()).unwrap();
    other.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE notes (text)").unwrap();
    let error = refused(&folder);
    assert!(is_foreign(&error), "{error}");
    other.execute_batch("INSERT INTO notes VALUES ('still mine')").unwrap();
}

#[test]
fn the_log_of_a_foreign_database_that_crashed_is_left_alone() {
    // Copies made while the other program has it open: what a crash leaves.
    let (source, folder) = (Folder::new(), Folder::new());
    let other = Connection::open(source.file()).unwrap();
    other.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE notes (text)").unwrap();
    let log = |folder: &Folder| folder.file().with_extension("db-wal");
    fs::copy(source.file(), folder.file()).unwrap();
    fs::copy(log(&source), log(&folder)).unwrap();
    let before = fs::read(log(&folder)).unwrap();
    let error = refused(&folder);
    assert!(is_foreign(&error), "{error}");
    assert!(fs::read(log(&folder)).unwrap() == before);
}

#[test]
fn a_store_of_a_newer_parlor_is_refused() {
    let folder = Folder::new();
    filled(&folder);
    sqlite(&folder.file(), "PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)");
    let error = refused(&folder);
    assert!(matches!(error, StoreError::Newer { found: 99, known: 3, .. }), "{error}");
}

#[test]
fn a_store_whose_tables_were_dropped_is_damaged() {
    let folder = Folder::new();
    filled(&folder);
    sqlite(&folder.file(), "DROP TABLE answers");
    let error = open(&folder.url()).unwrap_err();
    assert!(is_damaged(&error), "{error}");
}

#[test]
fn an_empty_file_becomes_a_store() {
    let folder = Folder::new();
    fs::write(folder.file(), "").unwrap();
    let store = folder.open();
    commit(&store, events("g", 0, 1)).unwrap();
    assert_eq!(position(&store, "g"), 1);
}

#[test]
fn odd_file_names_are_only_names() {
    let folder = Folder::new();
    for name in ["a?b#c%20d.db", "file:x?mode=ro", ":memory:"] {
        let url = format!("sqlite:{}", folder.file().with_file_name(name).display());
        commit(&open(&url).unwrap(), events("g", 0, 1)).unwrap();
        assert_eq!(position(&open(&url).unwrap(), "g"), 1);
    }
    assert_eq!(folder.names().len(), 3);
}

#[test]
fn history_is_not_rewritten() {
    let folder = Folder::new();
    let store = folder.open();
    commit(&store, events("g", 0, 2)).unwrap();
    let tool = Connection::open(folder.file()).unwrap();
    for rewrite in ["UPDATE events SET payload = '{}'", "DELETE FROM events WHERE sequence = 1"] {
        let refusal = tool.execute(rewrite, []).unwrap_err().to_string();
        assert!(refusal.contains("append-only"), "{refusal}");
    }
    assert_eq!(read(&store, "g").unwrap(), [event("g", 0), event("g", 1)]);
}

#[test]
fn the_events_stand_in_the_columns_of_the_contract() {
    let folder = Folder::new();
    commit(&folder.open(), events("g", 0, 2)).unwrap();
    let tool = Connection::open(folder.file()).unwrap();
    let row: (i64, String, i64, String, String, bool, bool) = tool
        .query_row(
            "SELECT id, game_id, sequence, event_type, json_extract(payload, '$.card'), private,
                    created_at IS datetime(created_at)
             FROM events WHERE sequence = 1",
            [],
            |row| row.try_into(),
        )
        .unwrap();
    assert_eq!(row, (2, "g".into(), 1, "CardPlayed".into(), "0111".into(), true, true));
}

#[test]
fn reopening_keeps_everything() {
    let folder = Folder::new();
    let table = TableRecord { status: "playing".into(), ..table("t1", "CODE", 1) };
    let (answer, cursor) = (answer("key"), cursor(1, "log", 2, 3));
    let store = folder.open();
    let whole = Batch {
        table: Some(table.clone()),
        answer: Some(answer.clone()),
        cursor: Some(cursor.clone()),
        due: Some(due("t1", Some(9))),
        ..events("g", 0, 2)
    };
    commit(&store, whole).unwrap();
    drop(store);
    assert_eq!(folder.names(), ["parlor.db"], "a closed store is one file");

    let store = folder.open();
    assert_eq!(read(&store, "g").unwrap(), [event("g", 0), event("g", 1)]);
    assert_eq!(wait(store.table_by_code("CODE")).unwrap(), Some(table));
    assert_eq!(wait(store.answer("t1", 1, "key")).unwrap(), Some(answer));
    assert_eq!(wait(store.cursors("t1")).unwrap(), [cursor]);
    assert_eq!(wait(store.due(None, 10)).unwrap(), [due("t1", Some(9))]);
    commit(&store, events("g", 2, 1)).unwrap();
}

#[test]
fn what_a_crash_leaves_is_opened_whole() {
    // A copy of the files of a running server is what its death would leave.
    let (source, folder) = (Folder::new(), Folder::new());
    let store = source.open();
    commit(&store, events("g", 0, 2)).unwrap();
    for name in source.names().iter().filter(|name| !name.ends_with("-shm")) {
        let to = folder.file().with_file_name(name);
        fs::copy(source.file().with_file_name(name), to).unwrap();
    }
    assert_eq!(read(&folder.open(), "g").unwrap(), [event("g", 0), event("g", 1)]);
}

#[test]
fn two_handles_on_one_file_never_share_a_position() {
    let folder = Folder::new();
    let stores = [folder.open(), folder.open()];
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        for position in 0..50 {
            let rivals = stores.clone().map(|store| {
                tokio::spawn(async move { store.commit(events("g", position, 1)).await })
            });
            let mut winners = 0;
            for rival in rivals {
                match rival.await.unwrap() {
                    Ok(()) => winners += 1,
                    Err(StoreError::Conflict { found, .. }) => assert_eq!(found, position + 1),
                    Err(other) => panic!("{other}"),
                }
            }
            assert_eq!(winners, 1, "at position {position}");
        }
    });
    assert_eq!(read(&stores[0], "g").unwrap(), read(&stores[1], "g").unwrap());
    assert_eq!(position(&stores[0], "g"), 50);
}

#[test]
fn many_can_open_a_new_file_at_once() {
    let folder = Folder::new();
    std::thread::scope(|scope| {
        for n in 0..8 {
            let folder = &folder;
            scope.spawn(move || commit(&folder.open(), events(&format!("g{n}"), 0, 1)).unwrap());
        }
    });
    assert_eq!(wait(folder.open().games(None, 10)).unwrap().len(), 8);
}

#[test]
fn a_batch_the_file_cannot_take_does_not_harm_its_neighbours() {
    let folder = Folder::new();
    let store = folder.open();
    sqlite(
        &folder.file(),
        "CREATE TRIGGER curse BEFORE INSERT ON events WHEN NEW.game_id = 'g7' BEGIN
           SELECT RAISE(ABORT, 'cursed');
         END",
    );
    // One thread queues all of them before it waits: they share transactions.
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let commits = (0..100).map(|n| {
            let store = store.clone();
            tokio::spawn(async move { store.commit(events(&format!("g{n}"), 0, 2)).await })
        });
        for (n, commit) in commits.collect::<Vec<_>>().into_iter().enumerate() {
            assert_eq!(commit.await.unwrap().is_err(), n == 7);
        }
    });
    assert_eq!(wait(store.games(None, 200)).unwrap().len(), 99);
}
