//! Stores as a whole: copied while in use, put back, made smaller, examined.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{
    Folder, answer, commit, cursor, due, event, events, open, position, read, table, wait,
};
use parlor_store::upkeep::{self, Closed, Finding};
use parlor_store::{Batch, Store, StoreError, TableRecord};
use rusqlite::Connection;

/// A store with a finished and a running game, and everything beside them.
fn furnished(folder: &Folder) -> Store {
    let store = folder.open();
    let over = TableRecord { status: "finished".into(), ..table("t1", "AAAA", 1) };
    let on = TableRecord { status: "playing".into(), ..table("t2", "BBBB", 2) };
    let all = Batch {
        table: Some(over),
        answer: Some(answer("key")),
        cursor: Some(cursor(1, "log", 2, 3)),
        ..events("t1", 0, 30)
    };
    commit(&store, all).unwrap();
    let due = Some(due("t2", Some(9)));
    commit(&store, Batch { table: Some(on), due, ..events("t2", 0, 20) }).unwrap();
    commit(&store, events("t0", 0, 3)).unwrap();
    store
}

fn beside(folder: &Folder, name: &str) -> PathBuf {
    folder.file().with_file_name(name)
}

fn tool(folder: &Folder, sql: &str) {
    Connection::open(folder.file()).unwrap().execute_batch(sql).unwrap();
}

fn findings(folder: &Folder) -> Vec<Finding> {
    upkeep::examine(&folder.file()).unwrap().1
}

#[test]
fn a_backup_of_a_store_in_use_is_one_moment_of_it() {
    let folder = Folder::new();
    let store = furnished(&folder);
    let copy = beside(&folder, "copy.db");
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            for n in 3..200 {
                commit(&store, events("t0", n, 1)).unwrap();
            }
        });
        let contents = upkeep::back_up(&folder.file(), &copy).unwrap();
        assert_eq!((contents.games, contents.tables), (3, 2));
        writing.join().unwrap();
    });
    let kept = open(&format!("sqlite:{}", copy.display())).unwrap();
    let length = position(&kept, "t0");
    assert!((3..=200).contains(&length));
    assert_eq!(read(&kept, "t0").unwrap(), (0..length).map(|n| event("t0", n)).collect::<Vec<_>>());
    assert_eq!(read(&kept, "t1").unwrap(), read(&store, "t1").unwrap());
    assert_eq!(wait(kept.answer("t1", 1, "key")).unwrap(), Some(answer("key")));
    // The copy is a store like any other.
    commit(&kept, events("t0", length, 1)).unwrap();
}

#[test]
fn a_backup_replaces_nothing_and_leaves_nothing_half_done() {
    let folder = Folder::new();
    furnished(&folder);
    fs::write(beside(&folder, "copy.db"), "mine").unwrap();
    let error = upkeep::back_up(&folder.file(), &beside(&folder, "copy.db")).unwrap_err();
    assert!(matches!(error, StoreError::Exists { .. }), "{error}");
    let nowhere = beside(&folder, "none/copy.db");
    assert!(upkeep::back_up(&folder.file(), &nowhere).is_err());
    let error = upkeep::back_up(&beside(&folder, "no.db"), &beside(&folder, "b.db")).unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
    assert_eq!(folder.names(), ["copy.db", "parlor.db"]);
    assert_eq!(fs::read(beside(&folder, "copy.db")).unwrap(), b"mine");
}

#[test]
fn a_gap_in_a_log_fails_the_backup() {
    let folder = Folder::new();
    drop(furnished(&folder));
    tool(
        &folder,
        "INSERT INTO events (game_id, sequence, event_type, payload, timestamp, v)
         VALUES ('t2', 25, 'CardPlayed', '{}', 5, 1)",
    );
    let error = upkeep::back_up(&folder.file(), &beside(&folder, "copy.db")).unwrap_err();
    assert!(error.to_string().contains("game 't2' has 21 events, numbered 0 to 25"), "{error}");
    assert_eq!(folder.names(), ["parlor.db"]);
}

#[test]
fn a_store_is_written_anew_without_some_games_and_with_all_of_the_rest() {
    let folder = Folder::new();
    drop(furnished(&folder));
    // What a crash has left of another try.
    fs::write(beside(&folder, "parlor.db.shrinking"), "half").unwrap();
    let rows = "SELECT group_concat(id || game_id || sequence || payload || created_at)
                FROM (SELECT * FROM events WHERE game_id <> 't1' ORDER BY id)";
    let kept = |folder: &Folder| -> String {
        let file = Connection::open(folder.file()).unwrap();
        file.query_row(rows, [], |row| row.get(0)).unwrap()
    };
    let before = kept(&folder);
    let closed = Closed::take(&folder.file()).unwrap();
    assert_eq!(closed.log("t1").unwrap().len(), 30);
    let contents = closed.shrink(&["t1".to_owned()]).unwrap();
    assert_eq!((contents.events, contents.games, contents.tables), (23, 2, 1));
    assert_eq!(folder.names(), ["parlor.db"]);
    assert_eq!(kept(&folder), before, "what stays is the same to the byte");

    let store = folder.open();
    assert_eq!(position(&store, "t1"), 0);
    assert_eq!(wait(store.table("t1")).unwrap(), None);
    assert_eq!(wait(store.answer("t1", 1, "key")).unwrap(), None);
    assert_eq!(wait(store.cursors("t1")).unwrap(), []);
    assert_eq!(wait(store.due(None, 9)).unwrap(), [due("t2", Some(9))]);
    commit(&store, events("t2", 20, 1)).unwrap();
    drop(store);
    assert_eq!(findings(&folder), [], "triggers and indexes are there as before");
}

#[test]
fn a_store_in_use_is_not_replaced() {
    let folder = Folder::new();
    let store = furnished(&folder);
    let error = Closed::take(&folder.file()).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error}");
    let copy = beside(&folder, "copy.db");
    upkeep::back_up(&folder.file(), &copy).unwrap();
    let error = upkeep::restore(&copy, &folder.file(), true).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error}");
    commit(&store, events("t0", 3, 1)).unwrap();
    drop(store);
    assert_eq!(folder.names(), ["copy.db", "parlor.db"]);
    assert_eq!(position(&folder.open(), "t0"), 4);
}

#[test]
fn while_a_store_is_held_nobody_else_opens_it_and_whoever_finds_the_old_file_is_refused() {
    let folder = Folder::new();
    drop(furnished(&folder));
    let old = beside(&folder, "old.db");
    fs::hard_link(folder.file(), &old).unwrap();
    let closed = Closed::take(&folder.file()).unwrap();
    let error = open(&folder.url()).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error}");
    closed.shrink(&["t1".to_owned()]).unwrap();
    let error = open(&format!("sqlite:{}", old.display())).unwrap_err();
    assert!(matches!(error, StoreError::Newer { .. }), "{error}");
    assert_eq!(position(&folder.open(), "t2"), 20);
}

#[test]
fn a_backup_is_put_back_where_nothing_is_and_where_a_store_is_only_if_told() {
    let (folder, other) = (Folder::new(), Folder::new());
    drop(furnished(&folder));
    let copy = beside(&folder, "copy.db");
    upkeep::back_up(&folder.file(), &copy).unwrap();
    let (contents, kept) = upkeep::restore(&copy, &other.file(), false).unwrap();
    assert_eq!((contents.events, kept), (53, None));
    assert_eq!(read(&other.open(), "t1").unwrap(), read(&folder.open(), "t1").unwrap());

    commit(&other.open(), events("t9", 0, 1)).unwrap();
    let error = upkeep::restore(&copy, &other.file(), false).unwrap_err();
    assert!(matches!(error, StoreError::Exists { .. }), "{error}");
    assert_eq!(position(&other.open(), "t9"), 1);
    let (_, kept) = upkeep::restore(&copy, &other.file(), true).unwrap();
    assert_eq!(position(&other.open(), "t9"), 0);
    let kept = kept.expect("the store that was there");
    assert_eq!(position(&open(&format!("sqlite:{}", kept.display())).unwrap(), "t9"), 1);
    // What was kept once is not lost by doing it again.
    let error = upkeep::restore(&copy, &other.file(), true).unwrap_err();
    assert!(error.to_string().contains(".replaced"), "{error}");
}

#[test]
fn a_damaged_store_is_replaced_with_its_log_and_a_damaged_backup_replaces_nothing() {
    let folder = Folder::new();
    drop(furnished(&folder));
    let copy = beside(&folder, "copy.db");
    upkeep::back_up(&folder.file(), &copy).unwrap();
    let whole = fs::read(folder.file()).unwrap();
    let broken = beside(&folder, "broken.db");
    fs::write(&broken, &whole[..whole.len() / 2]).unwrap();
    assert!(upkeep::restore(&broken, &folder.file(), true).is_err());
    assert!(fs::read(folder.file()).unwrap() == whole);

    fs::write(folder.file(), &whole[..whole.len() / 2]).unwrap();
    fs::write(beside(&folder, "parlor.db-wal"), "left").unwrap();
    upkeep::restore(&copy, &folder.file(), true).unwrap();
    assert_eq!(position(&folder.open(), "t1"), 30);
    let names = folder.names();
    assert!(names.contains(&"parlor.db.replaced".to_owned()), "{names:?}");
    assert!(!names.contains(&"parlor.db-wal".to_owned()), "{names:?}");
}

#[test]
fn a_file_of_another_program_is_not_replaced() {
    let folder = Folder::new();
    drop(furnished(&folder));
    let copy = beside(&folder, "copy.db");
    upkeep::back_up(&folder.file(), &copy).unwrap();
    let foreign = beside(&folder, "notes.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    let error = upkeep::restore(&copy, &foreign, true).unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
}

#[test]
fn a_sound_store_has_no_findings_also_while_it_is_in_use() {
    let folder = Folder::new();
    let store = furnished(&folder);
    assert_eq!(findings(&folder), []);
    drop(store);
    assert_eq!(findings(&folder), []);
    assert_eq!(folder.names(), ["parlor.db"]);
}

#[test]
fn what_is_wrong_with_a_store_is_found_and_said_with_what_to_do() {
    let cases = [
        ("DROP TRIGGER events_are_never_deleted", "'events_are_never_deleted' is missing"),
        ("DROP INDEX idx_due", "the index 'idx_due' is missing"),
        (
            "INSERT INTO events (game_id, sequence, event_type, payload, timestamp, v)
             VALUES ('t0', 7, 'CardPlayed', '{}', 5, 1)",
            "game 't0' has 4 events, numbered 0 to 7",
        ),
        (
            "INSERT INTO events (game_id, sequence, event_type, payload, timestamp, v)
             VALUES ('t0', 3, 'CardPlayed', '{\"card', 5, 1)",
            "event 3 of game 't0' is no JSON",
        ),
    ];
    for (spoil, found) in cases {
        let folder = Folder::new();
        drop(furnished(&folder));
        tool(&folder, spoil);
        let findings = findings(&folder);
        let is_it = |finding: &Finding| finding.is_wrong && finding.says.contains(found);
        assert!(findings.iter().any(is_it), "{spoil}: {findings:?}");
        assert!(findings.iter().all(|finding| !finding.advice.is_empty()));
    }
}

#[test]
fn what_is_merely_odd_is_noted() {
    let folder = Folder::new();
    drop(furnished(&folder));
    tool(&folder, "CREATE TABLE mine (text); INSERT INTO due VALUES ('t77', 5)");
    fs::write(beside(&folder, "parlor.db.shrinking"), "").unwrap();
    let findings = findings(&folder);
    assert_eq!(findings.len(), 3, "{findings:?}");
    assert!(findings.iter().all(|finding| !finding.is_wrong), "{findings:?}");
}

#[test]
fn the_advice_for_a_missing_trigger_can_be_followed() {
    let folder = Folder::new();
    drop(furnished(&folder));
    tool(&folder, "DROP TRIGGER events_are_never_changed");
    let advice = findings(&folder).remove(0).advice;
    let (_, sql) = advice.split_once("sqlite3: ").expect("a statement");
    tool(&folder, sql);
    let wrong = findings(&folder).into_iter().filter(|finding| finding.says.contains("missing"));
    assert_eq!(wrong.count(), 0);
    let rewrite = Connection::open(folder.file()).unwrap().execute("UPDATE events SET v = 2", []);
    assert!(rewrite.unwrap_err().to_string().contains("append-only"));
}
