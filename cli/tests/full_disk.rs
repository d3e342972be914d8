//! A disk that takes no more: what cannot be written does not happen, and it
//! all goes on once there is room.
#![cfg(target_os = "linux")]

mod common;

use common::*;
use serde_json::{Value, json};

/// What both players are shown of the cards.
fn cards(house: &House, table: &Table) -> [Value; 2] {
    [0, 1].map(|seat| house.snapshot(table, Some(seat), PROTOCOL)["cards"].clone())
}

#[test]
fn a_full_disk_refuses_moves_and_changes_nothing_and_they_are_made_once_there_is_room() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "rounds": 1, "turn_seconds": 0 }));
    let mut chance = Chance::new(7);
    for _ in 0..4 {
        step(&house, &table, PROTOCOL, &mut chance);
    }
    let mut streams = [0, 1].map(|seat| house.listen(&table, Some(seat), PROTOCOL, Some(0)));
    let (seat, standing) = awaited(&house, &table);
    let command = standing.choose(&mut chance).expect("a move");
    let ask = || house.keyed(&table, seat, PROTOCOL, &command, "once").expect("an answer");
    let before = (house.admin_log(&table), cards(&house, &table));

    let log_file = std::fs::metadata(house.scratch.file("parlor.db-wal")).expect("its size");
    house.limit_files(Some(log_file.len()));
    for _ in 0..3 {
        let sentence = ask().refused(503, "STORE_UNAVAILABLE");
        assert!(sentence.contains("nothing has changed"), "{sentence}");
    }
    let order = json!({ "game": "koikoi", "seats": [{ "name": "Eve", "kind": "human" }, { "kind": "human" }] });
    house.post("/api/v1/tables", None, &order).refused(503, "STORE_UNAVAILABLE");
    assert_eq!((house.admin_log(&table), cards(&house, &table)), before);

    house.limit_files(None);
    let last = ask().with(200)["position"].as_u64().expect("a position");
    assert_eq!(ask().with(200)["position"].as_u64(), Some(last), "a key is good for one move");
    // Nobody heard of a move that was not stored.
    for stream in &mut streams {
        let heard = stream.take(last as usize);
        assert_eq!(positions(&heard), (1..=last).collect::<Vec<_>>());
    }
    play_out(&house, &table, PROTOCOL, &mut chance);
    assert!(house.stop().success());
    let verified = parlor(&["verify", "--store", &house.scratch.store(), &table.id]);
    assert_eq!(verified.code, 0, "{}", verified.err);
}
