//! WebSockets at their edges: commands under a key, and how connections end.

mod common;

use common::*;
use serde_json::{Value, json};

const NOT_TEXT: u16 = 1007;
const TOO_LARGE: u16 = 1009;

/// A move that is legal now, in the dialect every game is spoken in.
fn a_move(house: &House, table: &Table, seat: usize) -> Value {
    house.snapshot(table, Some(seat), "log")["options"][0].clone()
}

fn under(key: &str, command: &Value) -> Value {
    let mut keyed = command.clone();
    keyed["idempotency_key"] = key.into();
    keyed
}

/// The answer to a command under a key, whatever comes before it.
#[track_caller]
fn answer_to(socket: &mut Socket, key: &str) -> Value {
    loop {
        let message = socket.next().expect("an answer").json();
        let name = ["type", "event", "event_type"].map(|field| message[field].as_str());
        if name.contains(&Some("answer")) || name.contains(&Some("CommandAnswered")) {
            assert_eq!(message["idempotency_key"], key, "{message}");
            return message;
        }
    }
}

/// A socket on the dialect of the log, in the first seat.
fn enter(house: &House, table: &Table) -> Socket {
    let mut socket = Socket::open(house, table, "log").expect("the socket opens");
    socket.enter(table, Some(0));
    socket
}

#[test]
fn a_command_under_a_key_is_done_once_on_any_socket_and_after_a_restart() {
    let mut house = House::open(&[]);
    let table = house.two_people(&json!({ "first_dealer": "first" }));
    let command = under("first", &a_move(&house, &table, 0));
    let mut socket = enter(&house, &table);
    socket.say(&command);
    let first = answer_to(&mut socket, "first");
    assert!(first["position"].as_u64() > Some(0), "{first}");
    let log = house.admin_log(&table);
    socket.say(&command);
    assert_eq!(answer_to(&mut socket, "first"), first);
    let mut other = enter(&house, &table);
    other.say(&command);
    assert_eq!(answer_to(&mut other, "first"), first);
    house.kill();
    house.reopen();
    let mut after = enter(&house, &table);
    after.say(&command);
    assert_eq!(answer_to(&mut after, "first"), first);
    assert_eq!(house.admin_log(&table), log);
}

#[test]
fn a_key_is_taken_in_the_words_of_any_dialect() {
    let house = House::open(&[]);
    for dialect in DIALECTS {
        let table = house.two_people(&json!({ "first_dealer": "first" }));
        let option = &house.snapshot(&table, Some(0), "log")["options"][0];
        let (card, target) = (&option["card"], &option["target"]);
        let command = json!({ "command": "TurnPlayHandCard", "card": card, "target": target });
        let mut socket = house.connect(&table, 0, dialect, Some(0));
        socket.say(&under("k", &command));
        let answer = answer_to(&mut socket, "k");
        assert!(answer["position"].is_u64(), "{answer}");
        let over_http = house.keyed(&table, 0, dialect, &command, "k").expect("an answer");
        assert_eq!(over_http.with(200)["position"], answer["position"]);
    }
}

#[test]
fn another_command_under_a_key_is_refused_and_nothing_is_done() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "first_dealer": "first" }));
    let options = house.snapshot(&table, Some(0), "log")["options"].clone();
    let mut socket = enter(&house, &table);
    socket.say(&under("k", &options[0]));
    answer_to(&mut socket, "k");
    let log = house.admin_log(&table);
    socket.say(&under("k", &options[1]));
    let refused = answer_to(&mut socket, "k");
    assert_eq!(refused["code"], "IDEMPOTENCY_KEY_REUSED", "{refused}");
    assert_eq!(refused.get("position"), None, "{refused}");
    let over_http = house.keyed(&table, 0, "log", &options[1], "k").expect("an answer");
    over_http.refused(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(house.admin_log(&table), log);
}

#[test]
fn a_key_that_is_none_is_refused() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "first_dealer": "first" }));
    let log = house.admin_log(&table);
    let command = a_move(&house, &table, 0);
    let mut socket = enter(&house, &table);
    for key in [json!(7), json!(""), json!("k".repeat(129)), json!("a\nb"), json!("schlüssel")] {
        let mut keyed = command.clone();
        keyed["idempotency_key"] = key.clone();
        socket.say(&keyed);
        let refused = loop {
            let message = socket.next().expect("a refusal").json();
            if message["code"].is_string() {
                break message;
            }
        };
        assert_eq!(refused["code"], "MALFORMED", "{key}: {refused}");
    }
    assert_eq!(house.admin_log(&table), log);
}

#[test]
fn a_closing_is_answered_before_and_after_the_greeting() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let mut stranger = Socket::open(&house, &table, PROTOCOL).expect("the socket opens");
    stranger.close();
    assert!(stranger.is_closed_in_order());
    let mut player = house.connect(&table, 0, PROTOCOL, Some(0));
    player.take(1);
    player.close();
    assert!(player.is_closed_in_order());
}

#[test]
fn what_is_too_large_ends_with_a_code_and_a_reason() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    for length in [16 * 1024 + 1, 100_000, 1_000_000] {
        let long = "x".repeat(length);
        let mut stranger = Socket::open(&house, &table, PROTOCOL).expect("the socket opens");
        drop(stranger.say_text(&long));
        let (code, reason) = stranger.closing().expect("a closing");
        assert_eq!(code, TOO_LARGE, "{reason}");
        let mut player = house.connect(&table, 0, PROTOCOL, Some(0));
        player.take(1);
        drop(player.say_text(&long));
        let (code, reason) = player.closing().expect("a closing");
        assert_eq!((code, reason.contains("16384")), (TOO_LARGE, true), "{reason}");
    }
}

#[test]
fn what_is_no_text_ends_with_a_code_and_a_reason() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    for greets in [false, true] {
        for is_binary in [false, true] {
            let mut socket = Socket::open(&house, &table, PROTOCOL).expect("the socket opens");
            if greets {
                socket.join(&table, 0, Some(0));
                socket.take(1);
            }
            let noise = [b'{', 0xff, 0xfe, b'}'];
            let sent =
                if is_binary { socket.say_bytes(&noise) } else { socket.say_no_text(&noise) };
            sent.expect("it is sent");
            let (code, reason) = socket.closing().expect("a closing");
            assert_eq!((code, reason.contains("UTF-8")), (NOT_TEXT, true), "{reason}");
        }
    }
}

#[test]
fn the_scheme_of_a_token_is_taken_in_any_case() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let token = table.token(0).expect("a token");
    let path = table.path("/ticket");
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
        let value = format!("{scheme} {token}");
        let answer = house.request("POST", &path, &[("Authorization", &value)], b"");
        answer.expect("an answer").with(201);
    }
    for value in [format!("Basic {token}"), token.to_owned(), format!("Bearer{token}")] {
        let answer = house.request("POST", &path, &[("Authorization", &value)], b"");
        answer.expect("an answer").refused(401, "UNAUTHENTICATED");
    }
    let session = json!({ "playerCount": 2, "nickname": "Ann" });
    let session = house.post("/api/sessions", None, &session).with(201);
    let export =
        format!("/api/sessions/{}/events/export", session["sessionCode"].as_str().unwrap());
    let value = format!("bearer {}", session["secretId"].as_str().expect("a secret"));
    let answer = house.request("GET", &export, &[("Authorization", &value)], b"");
    assert_eq!(answer.expect("an answer").status, 200);
}

#[test]
fn names_that_look_empty_or_alike_are_not_taken() {
    let house = House::open(&[]);
    let two = |name: &str| json!({ "game": "koikoi", "seats": [{ "name": name, "kind": "human" }, { "kind": "human" }] });
    for empty in ["", "\u{200b}", "\u{3164}\u{3164}", "\u{a0}\u{2003}", "\u{2800}"] {
        house.post("/api/v1/tables", None, &two(empty)).refused(400, "INVALID_NAME");
        let quick = json!({ "game": "koikoi", "name": empty });
        house.post("/api/v1/tables/quick", None, &quick).refused(400, "INVALID_NAME");
        let session = json!({ "playerCount": 2, "nickname": empty });
        house.post("/api/sessions", None, &session).refused(400, "NICKNAME_REQUIRED");
        let table = house.lay(&two("Ann"));
        let join = json!({ "name": empty });
        house.post(&table.path("/seats"), None, &join).refused(400, "INVALID_NAME");
    }
    let table = house.lay(&two(" A\u{200b}nn\u{3000} \u{a0}Lee\u{feff}"));
    let info = house.get(&table.path(""), None).with(200);
    assert_eq!(info["seats"][0]["name"], "Ann Lee");
    let mut seats = vec![json!({ "name": "Ann Lee", "kind": "human" })];
    seats.extend((0..6).map(|_| json!({ "kind": "human" })));
    let town = house.lay(&json!({ "game": "mafia", "rules": "7p2m", "seats": seats }));
    for alike in ["ann lee", "Ann\u{2009}Lee", "Ann\u{200b} Lee", "Ａｎｎ Ｌｅｅ"] {
        let join = json!({ "name": alike });
        house.post(&town.path("/seats"), None, &join).refused(409, "NAME_TAKEN");
    }
    let session = json!({ "playerCount": 3, "nickname": "Ann" });
    let session = house.post("/api/sessions", None, &session).with(201);
    let join = format!("/api/sessions/{}/join", session["sessionCode"].as_str().expect("a code"));
    for alike in ["Ann", " ann ", "A\u{200b}nn", "ＡＮＮ"] {
        let asked = json!({ "nickname": alike });
        house.post(&join, None, &asked).refused(409, "NICKNAME_TAKEN");
    }
}

#[test]
fn koi_koi_answers_a_key_in_its_own_words() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "first_dealer": "first" }));
    for (dialect, name) in [("koikoi.protocol", "event"), ("koikoi.contract", "event_type")] {
        let mut socket = Socket::open(&house, &table, dialect).expect("the socket opens");
        socket.enter(&table, Some(0));
        socket.say(&under(dialect, &json!({ "command": "TurnPlayHandCard", "card": "0000" })));
        let answer = loop {
            let message = socket.next().expect("an answer").json();
            for field in [name, "event_id", "timestamp"] {
                assert!(!message[field].is_null(), "{message} has no {field}");
            }
            if message[name] == "CommandAnswered" {
                break message;
            }
        };
        assert_eq!(answer["idempotency_key"], dialect);
        assert_eq!(answer["event_id"], format!("evt_answer_{dialect}"));
        assert_eq!(answer["position"], json!(null));
        assert_eq!(answer["code"], "INVALID_CARD");
    }
}
