//! Two servers on one store: neither undoes what the other has done.

mod common;

use common::*;
use serde_json::json;

fn seats() -> serde_json::Value {
    json!({ "game": "koikoi", "rules": { "rounds": 1, "teshi": false, "field_kuttsuki": false },
        "seats": [{ "name": "Ann", "kind": "human" }, { "kind": "human" }] })
}

#[test]
fn a_seat_taken_at_one_server_is_not_given_away_at_the_other() {
    let here = House::open(&[]);
    let there = here.beside(&[]);
    let mut table = here.lay(&seats());
    // The other one has the table in memory, with a seat open.
    there.get(&table.path(""), None).with(200);
    here.join(&mut table, "Ben");
    let late = there.post(&table.path("/seats"), None, &json!({ "name": "Cleo" }));
    late.refused(409, "TABLE_FULL");
    // Ben's token is still good, at both.
    there.start(&table);
    play_out(&there, &table, PROTOCOL, &mut Chance::new(1));
    let again = here.call("POST", &table.path("/start"), table.token(0), b"");
    again.refused(409, "ALREADY_STARTED");
    assert_eq!(here.admin_log(&table), there.admin_log(&table));
}

#[test]
fn a_game_begins_once_and_is_played_at_both() {
    let here = House::open(&[]);
    let there = here.beside(&[]);
    let table = here.for_two(&json!({ "rounds": 1, "turn_seconds": 0 }));
    let mut waiting = there.listen(&table, Some(1), PROTOCOL, Some(0));
    here.start(&table);
    let again = there.call("POST", &table.path("/start"), table.token(0), b"");
    again.refused(409, "ALREADY_STARTED");
    // Whoever waited at the other server hears that it has begun.
    assert_eq!(waiting.next_event().expect("an event").position, Some(1));
    play_out(&there, &table, PROTOCOL, &mut Chance::new(2));
    // The first one has not heard of the end, and cannot take it back.
    let paced = here.post(&table.path("/pace"), table.token(0), &json!({ "bot_ms": 5 }));
    paced.refused(409, "ALREADY_OVER");
    assert_eq!(there.get(&table.path(""), None).with(200)["status"], "finished");
}

#[test]
fn a_key_answered_at_one_server_is_answered_at_the_other() {
    let here = House::open(&[]);
    let there = here.beside(&[]);
    let table = here.two_people(&json!({ "turn_seconds": 0 }));
    let (seat, own) = awaited(&there, &table);
    let command = own.choose(&mut Chance::new(1)).expect("a move");
    let send = |house: &House| house.keyed(&table, seat, PROTOCOL, &command, "once");
    let answer = send(&here).expect("an answer").with(200);
    let log = here.admin_log(&table);
    assert_eq!(send(&there).expect("an answer").with(200), answer);
    assert_eq!(there.admin_log(&table), log, "one effect for one key");
}
