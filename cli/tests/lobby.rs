//! The lobby: laying tables, sitting down, beginning, playing again.

mod common;

use std::time::{Duration, Instant};

use common::*;
use serde_json::{Value, json};

fn order(rules: &Value) -> Value {
    json!({ "game": "koikoi", "rules": rules, "seats": [
        { "name": "Ann", "kind": "human" }, { "kind": "human" },
    ]})
}

fn info(house: &House, table: &Table) -> Value {
    house.get(&table.path(""), None).with(200)
}

fn listed(house: &House, query: &str) -> Vec<String> {
    let list = house.get(&format!("/api/v1/tables{query}"), None).with(200);
    let tables = list["tables"].as_array().expect("a list");
    tables.iter().map(|table| table["table_id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn codes_have_six_characters_that_cannot_be_mistaken() {
    let house = House::open(&[]);
    for _ in 0..100 {
        let code = house.lay(&order(&json!({}))).code;
        assert_eq!(code.len(), 6);
        let clear = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit();
        assert!(code.chars().all(|it| clear(it) && !"0O1IL".contains(it)), "{code}");
    }
}

#[test]
fn a_friend_joins_by_id_or_by_code_in_any_case() {
    let house = House::open(&[]);
    for shown in [|table: &Table| table.id.clone(), |table: &Table| table.code.to_lowercase()] {
        let table = house.lay(&order(&json!({})));
        let path = format!("/api/v1/tables/{}/seats", shown(&table));
        let seated = house.post(&path, None, &json!({ "name": "Ben" })).with(201);
        assert_eq!((&seated["seat"], &seated["player_id"]), (&json!(1), &json!("p2")));
        assert_eq!(info(&house, &table)["seats"][1]["name"], "Ben");
    }
}

#[test]
fn the_list_is_by_status_newest_first_without_unlisted_tables() {
    let house = House::open(&[]);
    let first = house.lay(&order(&json!({}))).id;
    let playing = house.two_people(&json!({})).id;
    let mut secret = order(&json!({}));
    secret["unlisted"] = json!(true);
    let secret = house.lay(&secret).id;
    let over = house.two_people(&json!({ "rounds": 1 }));
    play_out(&house, &over, PROTOCOL, &mut Chance::new(1));
    let last = house.lay(&order(&json!({}))).id;
    let waiting = listed(&house, "?status=waiting");
    assert_eq!(waiting.iter().collect::<Vec<_>>(), [&last, &first]);
    assert_eq!(listed(&house, "?status=playing"), [playing]);
    assert_eq!(listed(&house, "?status=finished"), [over.id]);
    assert_eq!(listed(&house, "").len(), 4);
    assert_eq!(listed(&house, "?limit=1"), [last]);
    assert_eq!(house.get(&format!("/api/v1/tables/{secret}"), None).status, 200);
}

#[test]
fn a_person_and_a_bot_begin_by_themselves() {
    let house = House::open(&[]);
    let table = house.against_bot(&json!({}));
    let info = info(&house, &table);
    assert_eq!(info["status"], "playing");
    assert_eq!(
        (&info["seats"][1]["kind"], &info["seats"][1]["bot"]),
        (&json!("bot"), &json!("random"))
    );
}

#[test]
fn bots_alone_play_to_the_end() {
    let house = House::open(&[]);
    let bots = json!([{ "kind": "bot", "bot": "random" }, { "kind": "bot", "bot": "hard" }]);
    let laid = json!({ "game": "koikoi", "rules": { "rounds": 2 }, "seats": bots });
    let answer = house.post("/api/v1/tables", None, &laid).with(201);
    assert_eq!((&answer["token"], &answer["seat"]), (&Value::Null, &Value::Null));
    let table = Table {
        id: answer["table_id"].as_str().expect("an id").to_owned(),
        code: String::new(),
        tokens: vec![],
    };
    house.listen(&table, None, PROTOCOL, Some(0)).take_until("GameFinished");
}

#[test]
fn a_bot_takes_the_open_seat_and_the_game_begins() {
    let house = House::open(&[]);
    let table = house.lay(&order(&json!({ "rounds": 1 })));
    let seat =
        house.post(&table.path("/bots"), table.token(0), &json!({ "bot": "easy" })).with(201);
    assert_eq!(seat["seat"], 1);
    assert_eq!(info(&house, &table)["status"], "playing");
    play_out(&house, &table, CONTRACT, &mut Chance::new(1));
}

#[test]
fn names_are_trimmed_and_have_1_to_40_printable_characters() {
    let house = House::open(&[]);
    let table = house.lay(&order(&json!({})));
    let join = |name: &str| house.post(&table.path("/seats"), None, &json!({ "name": name }));
    let long = "ä".repeat(41);
    for wrong in ["", "   ", long.as_str(), "a\nb", "a\u{0}b", "\u{7f}"] {
        join(wrong).refused(400, "INVALID_NAME");
    }
    let fits = "ä".repeat(40);
    join(&format!("  {fits} ")).with(201);
    assert_eq!(info(&house, &table)["seats"][1]["name"], fits);
}

#[test]
fn tables_that_name_no_rules_get_the_servers() {
    let house = House::open(&["--default-rules", "koikoi=nintendo,rounds=6"]);
    let mut plain = order(&json!({}));
    plain.as_object_mut().expect("an order").remove("rules");
    let rules = &info(&house, &house.lay(&plain))["rules"];
    assert_eq!((&rules["rounds"], &rules["koi_limit"]), (&json!(6), &json!(1)));
    let named = info(&house, &house.lay(&order(&json!("protocol"))));
    assert_eq!(named["rules"]["rounds"], 12);
}

#[test]
fn whoever_wants_to_play_now_meets_whoever_waits() {
    let house = House::open(&[]);
    let quick = |name: &str, rules: Value| {
        let guest = json!({ "game": "koikoi", "name": name, "rules": rules });
        house.post("/api/v1/tables/quick", None, &guest).with(201)
    };
    let ann = quick("Ann", json!({ "rounds": 1 }));
    let cid = quick("Cid", json!({ "rounds": 2 }));
    let ben = quick("Ben", json!({ "rounds": 1 }));
    assert_ne!(cid["table_id"], ann["table_id"], "other rules, another table");
    assert_eq!(ben["table_id"], ann["table_id"]);
    assert_ne!(ben["seat"], ann["seat"]);
    let path = format!("/api/v1/tables/{}", ann["table_id"].as_str().expect("an id"));
    assert_eq!(house.get(&path, None).with(200)["status"], "playing");
}

fn rematch(house: &House, table: &Table, seat: usize) -> Value {
    house.call("POST", &table.path("/rematch"), table.token(seat), b"").with(201)
}

fn played(house: &House) -> Table {
    let table = house.two_people(&json!({ "rounds": 1 }));
    play_out(house, &table, PROTOCOL, &mut Chance::new(1));
    table
}

/// The table of a rematch both have asked for.
fn together(ann: &Value, ben: &Value) -> Table {
    assert_eq!(ann["table_id"], ben["table_id"]);
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    Table {
        id: text(&ann["table_id"]),
        code: text(&ann["code"]),
        tokens: vec![Some(text(&ann["token"])), Some(text(&ben["token"]))],
    }
}

#[test]
fn a_rematch_begins_when_both_have_come_in_their_old_seats() {
    let house = House::open(&[]);
    let before = played(&house);
    let ben = rematch(&house, &before, 1);
    let next = format!("/api/v1/tables/{}", ben["table_id"].as_str().expect("an id"));
    assert_eq!(house.get(&next, None).with(200)["status"], "waiting");
    assert_eq!(info(&house, &before)["rematch"]["table_id"], ben["table_id"]);
    let ann = rematch(&house, &before, 0);
    assert_eq!((&ann["seat"], &ben["seat"]), (&json!(0), &json!(1)));
    let table = together(&ann, &ben);
    assert_eq!(info(&house, &table)["status"], "playing");
    assert_eq!(info(&house, &table)["rules"], info(&house, &before)["rules"]);
    play_out(&house, &table, PROTOCOL, &mut Chance::new(2));
}

#[test]
fn a_rematch_holds_over_a_restart() {
    let mut house = House::open(&[]);
    let before = played(&house);
    let ann = rematch(&house, &before, 0);
    house.kill();
    house.reopen();
    let ben = rematch(&house, &before, 1);
    play_out(&house, &together(&ann, &ben), PROTOCOL, &mut Chance::new(2));
}

#[test]
fn a_rematch_against_a_bot_begins_at_once() {
    let house = House::open(&[]);
    let before = house.against_bot(&json!({ "rounds": 1 }));
    play_out(&house, &before, PROTOCOL, &mut Chance::new(1));
    let again = rematch(&house, &before, 0);
    let path = format!("/api/v1/tables/{}", again["table_id"].as_str().expect("an id"));
    assert_eq!(house.get(&path, None).with(200)["status"], "playing");
}

#[test]
fn no_stranger_takes_the_seat_a_rematch_keeps() {
    let house = House::open(&[]);
    let before = played(&house);
    let ann = rematch(&house, &before, 0);
    let code = ann["code"].as_str().expect("a code");
    let stranger = json!({ "name": "Eve" });
    house.post(&format!("/api/v1/tables/{code}/seats"), None, &stranger).refused(409, "TABLE_FULL");
    let rules = info(&house, &before)["rules"].clone();
    let quick = json!({ "game": "koikoi", "name": "Eve", "rules": rules });
    let quick = house.post("/api/v1/tables/quick", None, &quick).with(201);
    assert_ne!(quick["table_id"], ann["table_id"]);
    together(&ann, &rematch(&house, &before, 1));
}

#[test]
fn the_opponent_is_told_of_a_disconnect_and_of_a_return() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    for dialect in DIALECTS {
        let mut ann = house.listen(&table, Some(0), dialect, None);
        drop(ann.next().expect("a snapshot"));
        let mut told = |connected: bool| {
            let message = ann.next().expect("presence");
            let body = message.json();
            assert_eq!(
                (message.name().as_str(), message.position),
                ("PlayerConnectionChanged", None)
            );
            assert_eq!((&body["player_id"], &body["connected"]), (&json!("p2"), &json!(connected)));
        };
        let by_sse = house.listen(&table, Some(1), dialect, None);
        told(true);
        assert_eq!(info(&house, &table)["seats"][1]["connected"], true);
        drop(by_sse);
        told(false);
        let by_socket = house.connect(&table, 1, dialect, None);
        told(true);
        drop(by_socket);
        told(false);
        assert_eq!(info(&house, &table)["seats"][1]["connected"], false);
    }
}

#[test]
fn whoever_is_away_is_played_for_when_the_time_is_up() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "turn_seconds": 3 }));
    let began = Instant::now();
    let mut stream = house.listen(&table, None, PROTOCOL, None);
    drop(stream.next().expect("a snapshot"));
    drop(stream.next_event().expect("the clock plays"));
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(2500), "{took:?}");
    assert!(took < Duration::from_secs(8), "{took:?}");
    assert!(house.admin_log(&table).contains(r#""by":"clock""#));
}

#[test]
fn what_a_client_has_shown_is_kept_over_a_restart() {
    let mut house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seat, _) = awaited(&house, &table);
    let shown = |house: &House| {
        let left = house.snapshot(&table, Some(seat), PROTOCOL);
        Standing::read(&left).seconds_left.expect("a clock")
    };
    let acknowledge = |position: u64| json!({ "command": "ClientAcknowledge", "event_id": format!("evt_{position}") });
    // A client that says what it shows, and has not shown the deal yet, has
    // three more seconds; the answer is the position it is known to be at.
    assert!(shown(&house) <= 30);
    let done = house.command(&table, seat, PROTOCOL, &acknowledge(1)).with(200);
    assert_eq!(done["position"], 1);
    assert!(shown(&house) > 30, "the clock waits for the client");
    house.kill();
    house.reopen();
    assert!(shown(&house) > 30, "and still does after a crash");
    house.command(&table, seat, PROTOCOL, &acknowledge(2)).with(200);
    assert!(shown(&house) <= 31);
    assert_eq!(house.command(&table, seat, PROTOCOL, &acknowledge(1)).with(200)["position"], 1);
}

#[test]
fn an_acknowledgement_is_no_event() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let before = house.admin_log(&table);
    for id in ["evt_2", "evt_0", "evt_snapshot"] {
        let command = json!({ "command": "ClientAcknowledge", "event_id": id });
        house.command(&table, 0, PROTOCOL, &command).with(200);
    }
    assert_eq!(house.admin_log(&table), before);
}
