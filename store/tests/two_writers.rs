//! Two programs on one file: whoever comes second is refused, never trusted.

mod common;

use std::time::{Duration, Instant};

use common::{Folder, commit, events, next, position, table, wait, with_table};
use parlor_store::{News, StoreError, TableRecord};

#[test]
fn what_another_writer_appended_is_noticed() {
    let folder = Folder::new();
    let (here, there) = (folder.open(), folder.open());
    commit(&here, events("g", 0, 2)).unwrap();
    commit(&there, events("g", 2, 3)).unwrap();
    let conflict = StoreError::Conflict { game_id: "g".into(), expected: 2, found: 5 };
    assert_eq!(commit(&here, events("g", 2, 1)), Err(conflict));
    commit(&here, events("g", 5, 1)).unwrap();
    commit(&there, events("g", 6, 1)).unwrap();
    assert_eq!(position(&here, "g"), 7);
}

#[test]
fn rows_from_a_foreign_hand_are_noticed() {
    let folder = Folder::new();
    let store = folder.open();
    commit(&store, events("g", 0, 1)).unwrap();
    let rival = rusqlite::Connection::open(folder.file()).unwrap();
    let row = "INSERT INTO events (game_id, sequence, event_type, payload, timestamp, v)
               VALUES ('g', 2, 'Forged', '{}', 0, 1)";
    rival.execute_batch(&format!("BEGIN; {row}; COMMIT")).unwrap();
    let conflict = StoreError::Conflict { game_id: "g".into(), expected: 1, found: 3 };
    assert_eq!(commit(&store, events("g", 1, 3)), Err(conflict));
    assert_eq!(position(&store, "g"), 3);
}

#[test]
fn a_record_another_writer_changed_is_not_overwritten() {
    let folder = Folder::new();
    let (here, there) = (folder.open(), folder.open());
    let laid = table("t1", "CODE", 1);
    commit(&here, with_table(laid.clone())).unwrap();
    let seen = wait(there.table("t1")).unwrap().unwrap();
    let over = TableRecord { status: "finished".into(), ..next(&laid) };
    commit(&here, with_table(over.clone())).unwrap();
    // The other one still thinks that the table waits.
    let reopened = TableRecord { status: "playing".into(), ..next(&seen) };
    let stale = StoreError::Stale { table_id: "t1".into(), expected: 1, found: 2 };
    assert_eq!(commit(&there, with_table(reopened)), Err(stale));
    assert_eq!(wait(there.table("t1")).unwrap(), Some(over));
}

#[test]
fn a_writer_that_knows_no_versions_overwrites_nothing() {
    let folder = Folder::new();
    let store = folder.open();
    commit(&store, with_table(table("t1", "CODE", 1))).unwrap();
    let old = rusqlite::Connection::open(folder.file()).unwrap();
    let refusal = old.execute("UPDATE tables SET status = 'playing'", []).unwrap_err();
    assert!(refusal.to_string().contains("next version"), "{refusal}");
    assert_eq!(wait(store.table("t1")).unwrap(), Some(table("t1", "CODE", 1)));
}

#[test]
fn what_another_writer_wrote_is_news() {
    let folder = Folder::new();
    let (here, there) = (folder.open(), folder.open());
    wait(async {
        here.ping().await.unwrap();
        let mut news = here.news();
        there.commit(events("g", 0, 2)).await.unwrap();
        // The writer notices when it next has the file; a ping is enough.
        here.ping().await.unwrap();
        assert_eq!(news.next().await, Some(News::Missed));
        let heads = here.heads(&["g".to_owned()]).await.unwrap();
        assert_eq!(heads[0].length, 2);
        // What it wrote itself is no news of another.
        here.commit(events("g", 2, 1)).await.unwrap();
        here.ping().await.unwrap();
        here.close().await;
        assert_eq!(news.next().await, Some(News::Grown { game_id: "g".into(), length: 3 }));
        assert_eq!(news.next().await, None);
    });
}

#[test]
fn a_held_file_is_waited_for_and_then_busy() {
    let folder = Folder::new();
    let store = folder.open();
    let rival = rusqlite::Connection::open(folder.file()).unwrap();
    let hold = || rival.execute_batch("BEGIN IMMEDIATE").unwrap();
    let let_go = || rival.execute_batch("COMMIT").unwrap();
    hold();
    std::thread::scope(|scope| {
        let patient = scope.spawn(|| commit(&store, events("g", 0, 1)));
        std::thread::sleep(Duration::from_millis(300));
        let_go();
        assert_eq!(patient.join().unwrap(), Ok(()), "whoever lets go in time is waited for");
    });
    hold();
    let start = Instant::now();
    // Reading goes on; the ping tells that writing does not.
    assert_eq!(position(&store, "g"), 1);
    assert!(matches!(wait(store.ping()), Err(StoreError::Busy { .. })));
    assert!(start.elapsed() > Duration::from_secs(1), "it gave up at once");
    let_go();
    assert_eq!(wait(store.ping()), Ok(()));
    commit(&store, events("g", 1, 1)).unwrap();
}
