//! Every no: the right status and code, and nothing changed.

mod common;

use std::time::Duration;

use common::*;
use serde_json::{Value, json};

const QUIET: Duration = Duration::from_millis(150);

fn order(seats: Value) -> Value {
    json!({ "game": "koikoi", "seats": seats })
}

fn two_open() -> Value {
    json!([{ "name": "Ann", "kind": "human" }, { "kind": "human" }])
}

fn play(card: &str) -> Value {
    json!({ "command": "TurnPlayHandCard", "card": card, "target": null })
}

/// What may be refused to the player on turn, and how.
fn illegal(own: &Standing, other: &Standing) -> Vec<(Value, u16, &'static str)> {
    let card = &own.hand[0];
    let elsewhere = own.field.iter().find(|at| at[..2] != card[..2]).expect("another month");
    vec![
        (play("0999"), 422, "INVALID_CARD"),
        (play("0143"), 422, "INVALID_CARD"),
        (play(""), 422, "INVALID_CARD"),
        (play(&other.hand[0]), 422, "INVALID_CARD"),
        (play(&own.field[0]), 422, "INVALID_CARD"),
        (
            json!({ "command": "TurnPlayHandCard", "card": card, "target": elsewhere }),
            422,
            "INVALID_TARGET",
        ),
        (
            json!({ "command": "TurnPlayHandCard", "card": card, "target": "9999" }),
            422,
            "INVALID_TARGET",
        ),
        (
            json!({ "command": "TurnSelectTarget", "source": card, "target": elsewhere }),
            409,
            "INVALID_STATE",
        ),
        (
            json!({ "command": "TurnSelectTarget", "source": "x", "target": "y" }),
            422,
            "INVALID_SELECTION",
        ),
        (json!({ "command": "RoundMakeDecision", "decision": "KOI_KOI" }), 409, "INVALID_STATE"),
        (json!({ "command": "RoundMakeDecision", "decision": "MAYBE" }), 400, "MALFORMED"),
        (json!({ "command": "TurnPlayHandCard" }), 400, "MALFORMED"),
        (json!({ "command": "TurnPlayHandCard", "card": 111 }), 400, "MALFORMED"),
        (json!({ "command": "Fly" }), 400, "MALFORMED"),
        (json!({ "no": "command" }), 400, "MALFORMED"),
        (json!([]), 400, "MALFORMED"),
        (json!({ "command": "ClientAcknowledge", "event_id": "evt_999" }), 409, "POSITION_AHEAD"),
        (json!({ "command": "ClientAcknowledge", "event_id": "seven" }), 400, "MALFORMED"),
    ]
}

#[test]
fn illegal_and_malformed_commands_change_nothing() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seat, own) = awaited(&house, &table);
    let other = Standing::read(&house.snapshot(&table, Some(1 - seat), PROTOCOL));
    let before = house.admin_log(&table);
    for dialect in DIALECTS {
        for (command, status, code) in illegal(&own, &other) {
            house.command(&table, seat, dialect, &command).refused(status, code);
            assert_eq!(house.admin_log(&table), before, "{command}");
        }
        let turn = play(&other.hand[0]);
        house.command(&table, 1 - seat, dialect, &turn).refused(409, "WRONG_PLAYER");
        let path = table.path(&format!("/commands?dialect={dialect}"));
        house.call("POST", &path, table.token(seat), b"{").refused(400, "MALFORMED");
        house.call("POST", &path, table.token(seat), b"\xff\xfe").refused(400, "MALFORMED");
    }
    assert_eq!(house.admin_log(&table), before);
}

#[test]
fn the_same_command_twice_is_refused_the_second_time() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seat, own) = awaited(&house, &table);
    let command = own.choose(&mut Chance::new(1)).expect("a command");
    house.command(&table, seat, PROTOCOL, &command).with(200);
    let before = house.admin_log(&table);
    let again = house.command(&table, seat, PROTOCOL, &command);
    assert!([409, 422].contains(&again.status), "{}", again.text);
    assert_eq!(house.admin_log(&table), before);
}

#[test]
fn another_command_under_an_answered_key_is_refused() {
    let mut house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seat, own) = awaited(&house, &table);
    let command = own.choose(&mut Chance::new(1)).expect("a command");
    let send = |house: &House, command: &Value| {
        house.keyed(&table, seat, PROTOCOL, command, "once").expect("an answer")
    };
    let first = send(&house, &command).with(200);
    let log = house.admin_log(&table);
    let other = own.hand.iter().map(|card| play(card)).find(|play| *play != command);
    let other = other.expect("another card");
    for _ in 0..2 {
        let sentence = send(&house, &other).refused(422, "IDEMPOTENCY_KEY_REUSED");
        assert!(sentence.contains("new key"), "{sentence}");
        assert_eq!(send(&house, &command).with(200), first, "the same command is answered again");
        assert_eq!(house.admin_log(&table), log);
        house.kill();
        house.reopen();
    }
}

#[test]
fn a_body_over_16_kib_is_too_large() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let before = house.admin_log(&table);
    let padded = |length: usize| {
        let mut body = b"{\"command\":\"Fly\"}".to_vec();
        body.resize(length, b' ');
        body
    };
    let path = table.path("/commands");
    house.call("POST", &path, table.token(0), &padded(16 * 1024)).refused(400, "MALFORMED");
    for call in [path, table.path("/seats"), "/api/v1/tables".into()] {
        let answer = house.call("POST", &call, table.token(0), &padded(16 * 1024 + 1));
        answer.refused(413, "TOO_LARGE");
    }
    assert_eq!(house.admin_log(&table), before);
}

#[test]
fn commands_need_the_token_of_a_seat_at_this_table() {
    let house = House::open(&[]);
    let (table, other) = (house.two_people(&json!({})), house.two_people(&json!({})));
    let (seat, own) = awaited(&house, &table);
    let before = house.admin_log(&table);
    let command = own.choose(&mut Chance::new(1)).expect("a command");
    let path = table.path("/commands");
    let wrong = table.token(seat).expect("a token").to_uppercase();
    for token in [None, Some("wrong"), Some(""), other.token(seat), Some(ADMIN), Some(&wrong)] {
        house.post(&path, token, &command).refused(401, "UNAUTHENTICATED");
    }
    let basic = [("Authorization", "Basic QW5uOg==")];
    let body = command.to_string();
    let answer = house.request("POST", &path, &basic, body.as_bytes()).expect("an answer");
    answer.refused(401, "UNAUTHENTICATED");
    let stranger = json!({
        "command": "GameRequestJoin", "player_id": "p2", "session_token": table.token(0),
    });
    house.post(&path, None, &stranger).refused(403, "FORBIDDEN");
    assert_eq!(house.admin_log(&table), before);
}

#[test]
fn views_are_for_those_they_belong_to() {
    let house = House::open(&[]);
    let (table, other) = (house.two_people(&json!({})), house.two_people(&json!({})));
    let log = |view: &str| table.path(&format!("/log?view={view}"));
    house.get(&log("admin"), None).refused(401, "UNAUTHENTICATED");
    house.get(&log("admin"), table.token(0)).refused(403, "FORBIDDEN");
    house.get(&log("seat:1"), table.token(0)).refused(403, "FORBIDDEN");
    house.get(&log("seat:0"), None).refused(401, "UNAUTHENTICATED");
    house.get(&log("seat:0"), other.token(0)).refused(401, "UNAUTHENTICATED");
    house.get(&log("seat:7"), Some(ADMIN)).refused(400, "NO_SUCH_SEAT");
    house.get(&log("god"), Some(ADMIN)).refused(400, "MALFORMED");
    house.get(&log("postmortem"), table.token(0)).refused(409, "NOT_OVER");
    house.get(&log("postmortem"), Some(ADMIN)).refused(409, "NOT_OVER");
    assert_eq!(house.get(&log("seat:0"), table.token(0)).status, 200);
    assert_eq!(house.get(&log("seat:1"), Some(ADMIN)).status, 200);
    assert_eq!(house.get(&log("public"), None).status, 200);
    house.get(&table.path("/snapshot"), Some("wrong")).refused(401, "UNAUTHENTICATED");
}

#[test]
fn without_an_admin_token_there_is_no_admin() {
    let house = House::bare(&[], &[]);
    let table = house.two_people(&json!({}));
    for token in [ADMIN, "", "admin"] {
        house.get(&table.path("/log?view=admin"), Some(token)).refused(401, "UNAUTHENTICATED");
    }
}

#[test]
fn seeds_are_refused_unless_the_server_allows_them() {
    let mut seeded = order(two_open());
    seeded["seed"] = json!("spring");
    let strict = House::bare(&[], &[]);
    strict.post("/api/v1/tables", None, &seeded).refused(403, "SEEDS_NOT_ALLOWED");
    House::open(&[]).post("/api/v1/tables", None, &seeded).with(201);
}

#[test]
fn whoever_asks_too_much_is_told_when_to_come_back() {
    let house = House::bare(&[], &[]);
    let refused = (0..100)
        .map(|_| house.post("/api/v1/tables", None, &order(two_open())))
        .find(|answer| answer.status != 201)
        .expect("a limit");
    refused.refused(429, "RATE_LIMITED");
    let wait: u64 = refused.header("retry-after").expect("a time").parse().expect("seconds");
    assert!((1..=60).contains(&wait), "{wait}");
}

#[test]
fn the_lobby_says_what_is_allowed() {
    let house = House::open(&[]);
    let lay = |order: Value| house.post("/api/v1/tables", None, &order);
    let with_rules =
        |rules: Value| lay(json!({ "game": "koikoi", "rules": rules, "seats": two_open() }));
    let says = |sentence: String, words: &[&str]| {
        assert!(words.iter().all(|word| sentence.contains(word)), "{sentence}");
    };
    says(
        lay(json!({ "game": "bridge", "seats": two_open() })).refused(400, "UNKNOWN_GAME"),
        &["bridge", "koikoi"],
    );
    let rows = [
        (json!("casino"), vec!["casino", "protocol", "contract", "nintendo"]),
        (json!({ "preset": "casino" }), vec!["protocol", "contract", "nintendo"]),
        (json!({ "colour": 1 }), vec!["colour", "rounds", "koi_factor"]),
        (json!({ "rounds": 100 }), vec!["rounds", "1 to 99"]),
        (json!({ "rounds": "many" }), vec!["rounds"]),
        (json!({ "koi_factor": "all" }), vec!["koi_factor", "winner_own"]),
        (json!({ "yaku": { "ROYAL": 3 } }), vec!["ROYAL", "GOKOU"]),
        (json!({ "turn_seconds": 1 }), vec!["turn_seconds", "3 to 3600"]),
        (json!(7), vec!["preset"]),
    ];
    for (rules, words) in rows {
        says(with_rules(rules).refused(400, "INVALID_RULES"), &words);
    }
    let bot =
        |bot: &str| json!([{ "name": "Ann", "kind": "human" }, { "kind": "bot", "bot": bot }]);
    says(lay(order(bot("deep-blue"))).refused(400, "UNKNOWN_BOT"), &["deep-blue", "random"]);
    for count in [0, 1, 3, 33] {
        let seats: Vec<Value> =
            (0..count).map(|_| json!({ "name": "Ann", "kind": "human" })).collect();
        lay(order(seats.into())).refused(400, "INVALID_SEATS");
    }
    lay(json!({ "game": "koikoi", "seats": two_open(), "extra": 1 })).refused(400, "MALFORMED");
    lay(order(json!([{ "name": "Ann", "kind": "cat" }, { "kind": "human" }])))
        .refused(400, "MALFORMED");
    assert_eq!(house.get("/api/v1/tables", None).with(200)["tables"], json!([]));
}

#[test]
fn tables_do_not_take_what_does_not_fit_their_state() {
    let house = House::open(&[]);
    let mut table = house.lay(&order(two_open()));
    let calls = |call: &str, token: Option<&str>| house.call("POST", &table.path(call), token, b"");
    calls("/start", table.token(0)).refused(409, "SEATS_OPEN");
    calls("/start", None).refused(401, "UNAUTHENTICATED");
    calls("/rematch", table.token(0)).refused(409, "NOT_OVER");
    house.get(&table.path("/snapshot"), table.token(0)).refused(409, "NOT_STARTED");
    house.get(&table.path("/log"), None).refused(409, "NOT_STARTED");
    house.command(&table, 0, PROTOCOL, &play("0111")).refused(409, "NOT_STARTED");
    house.post(&table.path("/bots"), None, &json!({})).refused(401, "UNAUTHENTICATED");
    house
        .post(&table.path("/bots"), table.token(0), &json!({ "bot": "x" }))
        .refused(400, "UNKNOWN_BOT");
    house.join(&mut table, "Ben");
    let late = || house.post(&table.path("/seats"), None, &json!({ "name": "Cid" }));
    late().refused(409, "TABLE_FULL");
    house.post(&table.path("/bots"), table.token(0), &json!({})).refused(409, "TABLE_FULL");
    house.start(&table);
    late().refused(409, "ALREADY_STARTED");
    house.call("POST", &table.path("/start"), table.token(1), b"").refused(409, "ALREADY_STARTED");
}

#[test]
fn what_is_not_there_is_not_found() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    for id in ["t-nothing", "ABCDEF", "abc", "%C3%A4%C3%A4%C3%A4", "'--", "t-%00"] {
        for call in ["", "/snapshot", "/events", "/log"] {
            house.get(&format!("/api/v1/tables/{id}{call}"), None).refused(404, "TABLE_NOT_FOUND");
        }
        let join = house.post(&format!("/api/v1/tables/{id}/seats"), None, &json!({ "name": "A" }));
        join.refused(404, "TABLE_NOT_FOUND");
    }
    house.get("/nowhere", None).refused(404, "NOT_FOUND");
    house.get("/api/v1/nowhere", None).refused(404, "NOT_FOUND");
    house.get("/pages/..%2Findex.html", None).refused(404, "NOT_FOUND");
    house.get("/api/schemas/koikoi.latin/RoundDealt", None).refused(404, "NOT_FOUND");
    house.get("/api/schemas/koikoi.protocol/Nothing", None).refused(404, "NOT_FOUND");
    house.get("/api/v1/games/bridge", None).refused(404, "UNKNOWN_GAME");
    house.post(&table.path("/snapshot"), None, &json!({})).refused(405, "METHOD_NOT_ALLOWED");
    house.get(&table.path("/commands"), None).refused(405, "METHOD_NOT_ALLOWED");
    house.call("DELETE", &table.path(""), None, b"").refused(405, "METHOD_NOT_ALLOWED");
}

#[test]
fn addresses_that_cannot_be_read_are_refused_in_the_same_shape() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    house.get("/api/v1/tables?limit=many", None).refused(400, "MALFORMED");
    house.get("/api/v1/tables?status=lost", None).refused(400, "MALFORMED");
    house.get("/api/v1/tables/%FF", None).refused(400, "MALFORMED");
    let twice = table.path("/snapshot?dialect=log&dialect=log");
    house.get(&twice, None).refused(400, "MALFORMED");
    house.get("/ws?table=t-x", None).refused(400, "MALFORMED");
}

#[test]
fn a_dialect_nobody_speaks_is_refused_with_those_there_are() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let latin = |call: &str| table.path(&format!("/{call}?dialect=koikoi.latin"));
    for answer in [
        house.get(&latin("snapshot"), table.token(0)),
        house.get(&latin("events"), table.token(0)),
        house.post(&latin("commands"), table.token(0), &play("0111")),
    ] {
        let sentence = answer.refused(400, "UNKNOWN_DIALECT");
        assert!(DIALECTS.iter().all(|known| sentence.contains(known)), "{sentence}");
    }
    assert_eq!(Socket::open(&house, &table, "koikoi.latin").err(), Some(400));
    let act = json!({ "type": "PLAY", "card": "0111" });
    house.command(&table, 0, PROTOCOL, &act).refused(400, "MALFORMED");
    house.command(&table, 0, "log", &play("0111")).refused(400, "MALFORMED");
}

#[test]
fn only_the_offender_hears_of_a_refusal() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seat, _) = awaited(&house, &table);
    let other = Standing::read(&house.snapshot(&table, Some(1 - seat), PROTOCOL));
    for dialect in DIALECTS {
        let mut socket = house.connect(&table, seat, dialect, None);
        assert_eq!(socket.next().expect("a snapshot").name(), "GameSnapshotRestore");
        let mut stream = house.listen(&table, Some(seat), dialect, None);
        assert_eq!(stream.next().expect("a snapshot").name(), "GameSnapshotRestore");
        let mut opposite = house.listen(&table, Some(1 - seat), dialect, None);
        assert_eq!(opposite.next().expect("a snapshot").name(), "GameSnapshotRestore");
        // The opponent has come: everybody but them is told.
        assert_eq!(stream.next().expect("presence").name(), "PlayerConnectionChanged");
        assert_eq!(socket.next().expect("presence").name(), "PlayerConnectionChanged");
        for command in [play(&other.hand[0]), play("0999")] {
            house.command(&table, seat, dialect, &command).refused(422, "INVALID_CARD");
            socket.say(&command);
            for _ in 0..2 {
                for error in [stream.next(), socket.next()] {
                    let error = error.expect("a refusal");
                    assert_eq!((error.name().as_str(), error.position), ("TurnError", None));
                    assert_eq!(error.json()["error_code"], "INVALID_CARD");
                }
            }
        }
        assert!(opposite.is_silent_for(QUIET), "the opponent hears nothing");
        drop((socket, stream, opposite));
        until("the seats are empty", || {
            let seats = &house.get(&table.path(""), None).json()["seats"];
            let away = |seat: &Value| seat["connected"] == false;
            seats.as_array().expect("seats").iter().all(away).then_some(())
        });
    }
}
