//! Whoever means no good: replays, leaks, other sites, noise.

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use common::*;
use serde_json::{Value, json};

#[test]
fn the_same_key_gives_the_same_answer_and_no_new_event_also_after_a_crash() {
    let mut house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seat, own) = awaited(&house, &table);
    let command = own.choose(&mut Chance::new(1)).expect("a command");
    let send = |house: &House, dialect: &str, key: &str| {
        house.keyed(&table, seat, dialect, &command, key).expect("an answer")
    };
    let first = send(&house, PROTOCOL, "k1").with(200);
    let in_contract = send(&house, CONTRACT, "k1").with(200);
    let log = house.admin_log(&table);
    assert_eq!(send(&house, PROTOCOL, "k1").with(200), first);
    // Others move on; the answer stays what it was.
    step(&house, &table, PROTOCOL, &mut Chance::new(2));
    let longer = house.admin_log(&table);
    assert!(longer.len() > log.len());
    assert_eq!(send(&house, PROTOCOL, "k1").with(200), first);
    house.kill();
    house.reopen();
    assert_eq!(send(&house, PROTOCOL, "k1").with(200), first);
    assert_eq!(send(&house, CONTRACT, "k1").with(200), in_contract);
    assert_eq!(house.admin_log(&table), longer);
    let other_key = send(&house, PROTOCOL, "k2");
    assert_ne!(other_key.status, 200, "another key is another try");
}

#[test]
fn a_refusal_is_not_kept_under_its_key() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seat, own) = awaited(&house, &table);
    let wrong = json!({ "command": "TurnPlayHandCard", "card": own.field[0], "target": null });
    let refused = house.keyed(&table, seat, PROTOCOL, &wrong, "k").expect("an answer");
    refused.refused(422, "INVALID_CARD");
    let right = own.choose(&mut Chance::new(1)).expect("a command");
    house.keyed(&table, seat, PROTOCOL, &right, "k").expect("an answer").with(200);
}

#[test]
fn keys_have_1_to_128_characters() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seat, own) = awaited(&house, &table);
    let command = own.choose(&mut Chance::new(1)).expect("a command");
    let long = "k".repeat(129);
    for key in ["", long.as_str()] {
        let answer = house.keyed(&table, seat, PROTOCOL, &command, key).expect("an answer");
        answer.refused(400, "MALFORMED");
    }
    let answer = house.keyed(&table, seat, PROTOCOL, &command, &long[..128]).expect("an answer");
    answer.with(200);
}

#[test]
fn a_refused_command_does_not_move_the_clock() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "turn_seconds": 20 }));
    let (seat, own) = awaited(&house, &table);
    let wrong = json!({ "command": "TurnPlayHandCard", "card": own.field[0], "target": null });
    let left = || {
        let snapshot = house.snapshot(&table, Some(seat), PROTOCOL);
        Standing::read(&snapshot).seconds_left.expect("a clock")
    };
    let (first, began) = (left(), Instant::now());
    let mut last = first;
    while began.elapsed() < Duration::from_millis(2500) {
        house.command(&table, seat, PROTOCOL, &wrong).refused(422, "INVALID_CARD");
        let now = left();
        assert!(now <= last, "the clock ran backwards from {last} to {now}");
        last = now;
    }
    assert!((2..=3).contains(&(first - last)), "from {first} to {last} in 2.5 s");
}

#[test]
fn no_token_is_written_to_the_log_lines() {
    assert_keeps_secrets("debug");
}

#[test]
fn no_token_is_written_to_the_log_lines_even_when_everything_is() {
    assert_keeps_secrets("trace");
}

fn assert_keeps_secrets(level: &str) {
    let house = House::open_with(&[], &[("PARLOR_LOG", level)]);
    let table = house.two_people(&json!({ "rounds": 1 }));
    let ticket = house.call("POST", &table.path("/ticket"), table.token(0), b"").with(201);
    let ticket = ticket["ticket"].as_str().expect("a ticket").to_owned();
    let hearing = Hearing {
        table: &table.id,
        dialect: PROTOCOL,
        ticket: Some(&ticket),
        ..Hearing::default()
    };
    drop(hearing.open(&house).expect("a stream").next());
    let mut socket = house.connect(&table, 0, PROTOCOL, None);
    drop(socket.next());
    socket.say(&json!({ "command": "Fly", "session_token": table.token(0) }));
    drop(socket.next());
    house.admin_log(&table);
    play_out(&house, &table, PROTOCOL, &mut Chance::new(1));
    let again = house.call("POST", &table.path("/rematch"), table.token(1), b"").with(201);
    let lines = house.log_lines();
    assert!(lines.contains("running games"), "something is logged: {lines}");
    let secrets = [
        table.token(0).expect("a token"),
        table.token(1).expect("a token"),
        again["token"].as_str().expect("a token"),
        ticket.as_str(),
        ADMIN,
    ];
    for secret in secrets {
        let line = lines.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "a secret was written down");
    }
}

#[test]
fn a_token_in_an_address_opens_nothing() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let token = table.token(0).expect("a token");
    let path = table.path(&format!("/snapshot?dialect={PROTOCOL}&token={token}"));
    assert_eq!(house.get(&path, None).with(200)["my_player_id"], Value::Null);
}

#[test]
fn another_site_may_neither_connect_nor_use_a_cookie() {
    let house = House::open(&["--origin", "https://friend.example"]);
    let table = house.two_people(&json!({}));
    let query = format!("table={}&dialect={PROTOCOL}", table.id);
    let own = format!("http://{}", house.address);
    for (origin, refused) in [
        ("https://evil.example", Some(403)),
        ("null", Some(403)),
        ("https://friend.example.evil.example", Some(403)),
        ("https://friend.example", None),
        (own.as_str(), None),
    ] {
        assert_eq!(Socket::open_from(&house, &query, Some(origin)).err(), refused, "{origin}");
    }
    let cookie = format!("parlor-{}={}", table.id, table.token(0).expect("a token"));
    let path = table.path("/snapshot");
    let with = |origin: &str| {
        let headers = [("Cookie", cookie.as_str()), ("Origin", origin)];
        house.request("GET", &path, &headers, b"").expect("an answer")
    };
    with("https://evil.example").refused(403, "FORBIDDEN");
    assert_eq!(with(&own).with(200)["my_player_id"], "p1");
}

#[test]
fn the_cookie_of_a_seat_is_for_its_table_only() {
    let house = House::open(&[]);
    let order = json!({ "game": "koikoi", "seats": [
        { "name": "Ann", "kind": "human" }, { "kind": "human" },
    ]});
    let laid = house.post("/api/v1/tables", None, &order);
    let cookie = laid.header("set-cookie").expect("a cookie");
    let path = format!("Path=/api/v1/tables/{}", laid.json()["table_id"].as_str().expect("an id"));
    for part in [path.as_str(), "HttpOnly", "SameSite=Strict"] {
        assert!(cookie.split("; ").any(|held| held == part), "{cookie}");
    }
}

/// Something like `seed`, but broken.
fn mutated(chance: &mut Chance, seed: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=chance.below(4) {
        let at = chance.below(bytes.len().max(1));
        match chance.below(5) {
            0 if !bytes.is_empty() => bytes[at] = chance.next() as u8,
            1 if !bytes.is_empty() => drop(bytes.remove(at)),
            2 => bytes.insert(at.min(bytes.len()), chance.next() as u8),
            3 => bytes.truncate(at),
            _ => {
                let piece = bytes[..at.min(bytes.len())].to_vec();
                bytes.extend(piece.into_iter().take(4000));
            }
        }
    }
    bytes
}

fn seeds(table: &Table) -> Vec<Vec<u8>> {
    let token = table.token(0).expect("a token");
    [
        json!({ "command": "TurnPlayHandCard", "card": "0111", "target": "0131" }),
        json!({ "command": "TurnSelectTarget", "source": "0111", "target": "0131" }),
        json!({ "command": "RoundMakeDecision", "decision": "KOI_KOI" }),
        json!({ "command": "ClientAcknowledge", "event_id": "evt_1" }),
        json!({ "command": "GameRequestJoin", "player_id": "p1", "session_token": token, "after": 1 }),
        json!({ "type": "auth", "token": token, "after": 0 }),
        json!({ "game": "koikoi", "rules": { "preset": "nintendo", "rounds": 6, "yaku": { "KASU": 2 } },
            "seats": [{ "name": "Ann", "kind": "human" }, { "kind": "bot", "bot": "random" }] }),
        json!({ "name": "Ann" }),
        json!({ "game": "koikoi", "name": "Ann", "rules": { "rounds": 99 } }),
        json!([[[[[[[[[[]]]]]]]]]]),
        json!({ "type": "PLAY", "card": "0111" }),
    ]
    .iter()
    .map(|seed| seed.to_string().into_bytes())
    .collect()
}

#[test]
fn noise_is_never_answered_with_a_fault_and_never_stops_the_server() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seeds, mut chance) = (seeds(&table), Chance::new(42));
    let calls = [
        table.path("/commands"),
        table.path("/commands?dialect=koikoi.contract"),
        table.path("/commands?dialect=log"),
        table.path("/seats"),
        table.path("/bots"),
        "/api/v1/tables".to_owned(),
        "/api/v1/tables/quick".to_owned(),
    ];
    for _ in 0..3000 {
        let seed = &seeds[chance.below(seeds.len())];
        let (body, call) = (mutated(&mut chance, seed), &calls[chance.below(calls.len())]);
        let answer = house.call("POST", call, table.token(0), &body);
        assert!(answer.status < 500, "{} to {call}: {:?}", answer.status, body);
        answer.json();
    }
    assert!(house.is_open());
    house.get("/readyz", None).with(200);
}

#[test]
fn noise_on_a_websocket_never_stops_the_server() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seeds, mut chance) = (seeds(&table), Chance::new(43));
    for _ in 0..200 {
        let mut socket = Socket::open(&house, &table, PROTOCOL).expect("a socket");
        let seed = &seeds[chance.below(seeds.len())];
        let noise = mutated(&mut chance, seed);
        match String::from_utf8(noise) {
            Ok(text) => drop(socket.say_text(&text)),
            Err(noise) => drop(socket.say_bytes(noise.as_bytes())),
        }
    }
    let mut socket = house.connect(&table, 0, PROTOCOL, None);
    drop(socket.next().expect("a snapshot"));
    for turn in 0..2000 {
        let seed = &seeds[chance.below(seeds.len())];
        let mut noise = mutated(&mut chance, seed);
        noise.truncate(16 * 1024);
        match String::from_utf8(noise) {
            Ok(text) => socket.say_text(&text).expect("the socket stays open"),
            Err(noise) => {
                socket.say_bytes(noise.as_bytes()).expect("the socket is open");
                assert_eq!(socket.closing_code(), Some(NOT_TEXT));
                socket = house.connect(&table, 0, PROTOCOL, None);
            }
        }
        // Noise that happens to be right may have no answer; this always has.
        let last = format!("Halt-{turn}");
        socket.say(&json!({ "command": last }));
        while !socket.next().expect("an answer").text.contains(&last) {}
    }
    assert!(house.is_open());
    house.get("/readyz", None).with(200);
}

#[test]
fn bytes_that_are_no_http_do_not_stop_the_server() {
    let house = House::open(&[]);
    let mut chance = Chance::new(44);
    let seed = b"GET /api/v1/tables HTTP/1.1\r\nHost: parlor\r\nContent-Length: 5\r\n\r\nhello";
    for _ in 0..300 {
        let mut socket = TcpStream::connect(&house.address).expect("a connection");
        drop(socket.write_all(&mutated(&mut chance, seed)));
        drop(socket.shutdown(std::net::Shutdown::Write));
        socket.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut answer = Vec::new();
        drop(socket.read_to_end(&mut answer));
        assert!(!answer.starts_with(b"HTTP/1.1 5"), "{}", String::from_utf8_lossy(&answer));
    }
    assert!(house.is_open());
}

#[test]
fn a_message_over_16_kib_closes_the_socket_and_nothing_else() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let before = house.admin_log(&table);
    let mut socket = house.connect(&table, 0, PROTOCOL, None);
    drop(socket.next().expect("a snapshot"));
    drop(socket.say_text(&" ".repeat(16 * 1024 + 1)));
    assert_eq!(socket.next(), None);
    assert_eq!(house.admin_log(&table), before);
}

#[test]
fn a_socket_belongs_to_whoever_its_first_message_proves() {
    let house = House::open(&[]);
    let (table, other) = (house.two_people(&json!({})), house.two_people(&json!({})));
    let greet = |first: Value| {
        let mut socket = Socket::open(&house, &table, PROTOCOL).expect("a socket");
        socket.say(&first);
        socket
    };
    let join = |player: &str, token: Option<&str>| json!({ "command": "GameRequestJoin", "player_id": player, "session_token": token });
    for (first, code) in [
        (join("p1", Some("wrong")), "UNAUTHENTICATED"),
        (join("p1", other.token(0)), "UNAUTHENTICATED"),
        (join("p2", table.token(0)), "FORBIDDEN"),
        (join("p1", None), "MALFORMED"),
        (json!({ "type": "auth", "token": "wrong" }), "UNAUTHENTICATED"),
        (json!({ "command": "RoundMakeDecision", "decision": "KOI_KOI" }), "UNAUTHENTICATED"),
        (json!("hello"), "MALFORMED"),
    ] {
        let mut socket = greet(first.clone());
        let refusal = socket.next().expect("a refusal").json();
        assert_eq!((&refusal["event"], &refusal["reason"]), (&"TurnError".into(), &code.into()));
        assert_eq!(socket.next(), None, "the socket is closed after {first}");
    }
    for (first, me) in [
        (join("p2", table.token(1)), json!("p2")),
        (json!({ "type": "auth", "token": table.token(0) }), json!("p1")),
        (json!({ "type": "watch" }), Value::Null),
    ] {
        let snapshot = greet(first).next().expect("a snapshot").json();
        assert_eq!(snapshot["my_player_id"], me);
    }
}

#[test]
fn whoever_only_watches_may_not_play() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let before = house.admin_log(&table);
    let (_, own) = awaited(&house, &table);
    let mut socket = Socket::open(&house, &table, PROTOCOL).expect("a socket");
    socket.say(&json!({ "type": "watch" }));
    drop(socket.next().expect("a snapshot"));
    socket.say(&own.choose(&mut Chance::new(1)).expect("a command"));
    assert_eq!(socket.next().expect("a refusal").json()["reason"], "UNAUTHENTICATED");
    assert_eq!(house.admin_log(&table), before);
}

#[test]
fn a_socket_on_which_nobody_says_who_they_are_is_closed() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let mut socket = Socket::open(&house, &table, PROTOCOL).expect("a socket");
    assert_eq!(socket.next(), None, "within ten seconds");
}

/// Tells a WebSocket's client that it was too slow, and may come back.
const TRY_AGAIN: u16 = 1013;
const NOT_TEXT: u16 = 1007;

#[test]
fn whoever_asks_and_never_listens_is_let_go_and_hinders_nobody() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "rounds": 12, "turn_seconds": 0 }));
    let mut deaf = house.connect(&table, 0, PROTOCOL, None);
    deaf.flood(&joining(&table, 0));
    // Its own seat may still move, and everyone goes on.
    play_out(&house, &table, PROTOCOL, &mut Chance::new(3));
    assert_eq!(deaf.closing_code(), Some(TRY_AGAIN));
    let whole = house.listen(&table, Some(0), PROTOCOL, Some(0)).take_until("GameFinished");
    let mut again = house.connect(&table, 0, PROTOCOL, Some(0));
    assert_eq!(again.take(whole.len()), whole);
}

#[test]
fn whoever_takes_nothing_for_too_long_is_cut_off() {
    let house = House::open(&["--stalled-after", "1"]);
    let table = house.two_people(&json!({ "rounds": 12, "turn_seconds": 0 }));
    let mut deaf = house.connect(&table, 0, PROTOCOL, None);
    deaf.flood(&joining(&table, 0));
    // The system looks at growing intervals whether there is room again.
    std::thread::sleep(Duration::from_secs(5));
    assert!(deaf.breaks_off_within(Duration::from_secs(5)));
    assert!(step(&house, &table, PROTOCOL, &mut Chance::new(3)), "the others go on");
}
