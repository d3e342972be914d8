//! Two programs on one file: whoever comes second is refused, never trusted.

mod common;

use common::{Folder, commit, events};
use parlor_store::StoreError;

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
    assert_eq!(here.position("g").unwrap(), 7);
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
    assert_eq!(store.position("g").unwrap(), 3);
}
