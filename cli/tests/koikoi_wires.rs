//! The two contracts of Koi-Koi to the letter, on the real program's sockets
//! and streams.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use common::*;
use serde_json::{Value, json};

const QUIET: Duration = Duration::from_millis(150);

/// The names of a TurnError's fields in a dialect: what it is told apart by,
/// the sentence, the player.
fn names(dialect: &str) -> [&'static str; 3] {
    match dialect {
        CONTRACT => ["event_type", "error_message", "player_id"],
        _ => ["event", "message", "player"],
    }
}

/// A refusal with all that its contract names; its code and reason.
fn refusal(dialect: &str, message: &Value) -> (String, String) {
    let [event, sentence, player] = names(dialect);
    assert_eq!(message[event], "TurnError", "{message}");
    assert!(message["event_id"].as_str().is_some_and(|id| id.starts_with("evt_error_")));
    assert!(!message["timestamp"].is_null(), "{message}");
    assert!(!message[sentence].as_str().unwrap_or_default().is_empty(), "{message}");
    assert!(message["retry_allowed"].is_boolean(), "{message}");
    assert!(message.get(player).is_some(), "{message}");
    let text = |field: &str| message[field].as_str().unwrap_or_default().to_owned();
    (text("error_code"), text("reason"))
}

#[test]
fn what_cannot_be_read_is_answered_on_a_socket_by_the_dialects_own_refusal() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let before = house.admin_log(&table);
    let play = "TurnPlayHandCard";
    for dialect in DIALECTS {
        let mut socket = house.connect(&table, 0, dialect, None);
        drop(socket.next().expect("a snapshot"));
        for (message, code) in [
            ("{".to_owned(), "INVALID_STATE"),
            (json!([]).to_string(), "INVALID_STATE"),
            (json!({ "command": "Fly" }).to_string(), "INVALID_STATE"),
            (json!({ "command": play }).to_string(), "INVALID_CARD"),
            (json!({ "command": play, "card": "0999" }).to_string(), "INVALID_CARD"),
            (json!({ "command": play, "card": "0111", "target": 7 }).to_string(), "INVALID_TARGET"),
            (json!({ "command": "TurnSelectTarget" }).to_string(), "INVALID_SELECTION"),
            (
                json!({ "command": "RoundMakeDecision", "decision": "MAYBE" }).to_string(),
                "INVALID_SELECTION",
            ),
            (json!({ "command": "ClientAcknowledge" }).to_string(), "INVALID_STATE"),
        ] {
            socket.say_text(&message).expect("the message is sent");
            let answer = socket.next().expect("a refusal").json();
            assert_eq!(refusal(dialect, &answer), (code.into(), "MALFORMED".into()), "{message}");
            assert_eq!(answer[names(dialect)[2]], "p1");
        }
    }
    assert_eq!(house.admin_log(&table), before);
}

#[test]
fn an_acknowledgement_ahead_of_the_stream_is_refused() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    for dialect in DIALECTS {
        let mut socket = house.connect(&table, 0, dialect, None);
        drop(socket.next().expect("a snapshot"));
        for id in ["evt_999", "evt_snapshot_999"] {
            socket.say(&json!({ "command": "ClientAcknowledge", "event_id": id }));
            let answer = socket.next().expect("a refusal").json();
            let told = refusal(dialect, &answer);
            assert_eq!(told, ("INVALID_STATE".into(), "POSITION_AHEAD".into()));
        }
        for id in ["evt_2", "evt_snapshot_2"] {
            socket.say(&json!({ "command": "ClientAcknowledge", "event_id": id }));
            assert!(socket.is_silent_for(QUIET), "{id} is taken");
        }
    }
}

#[test]
fn a_join_on_an_open_socket_proves_itself_like_the_first_one() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let before = house.admin_log(&table);
    let join = |player: &str, token: Option<&str>| json!({ "command": "GameRequestJoin", "player_id": player, "session_token": token });
    for dialect in DIALECTS {
        let mut socket = house.connect(&table, 0, dialect, None);
        drop(socket.next().expect("a snapshot"));
        for (again, code, reason) in [
            (join("p1", Some("wrong")), "INVALID_STATE", "UNAUTHENTICATED"),
            (join("p1", table.token(1)), "WRONG_PLAYER", "FORBIDDEN"),
            (join("p2", table.token(0)), "WRONG_PLAYER", "FORBIDDEN"),
            (join("p2", table.token(1)), "WRONG_PLAYER", "FORBIDDEN"),
        ] {
            socket.say(&again);
            let answer = socket.next().expect("a refusal").json();
            assert_eq!(refusal(dialect, &answer), (code.into(), reason.into()), "{again}");
        }
        socket.say(&join("p1", table.token(0)));
        let snapshot = socket.next().expect("a snapshot").json();
        assert_eq!(snapshot[names(dialect)[0]], "GameSnapshotRestore");
        assert_eq!(snapshot["my_player_id"], "p1", "the seat is still the first one's");
    }
    assert_eq!(house.admin_log(&table), before);
}

/// The lines of a stream of events, as they come, up to the second empty one
/// after the opening comment.
fn first_event(house: &House, path: &str, headers: &str) -> Vec<String> {
    let mut stream = TcpStream::connect(&house.address).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", house.address)
        .expect("asked");
    let lines = BufReader::new(stream).lines().map(|line| line.expect("a line"));
    let body = lines.skip_while(|line| !line.starts_with("id:"));
    body.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn the_id_of_an_event_or_a_snapshot_says_where_to_resume() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    for dialect in DIALECTS {
        let path = table.path(&format!("/events?dialect={dialect}"));
        for id in ["1", "evt_1", "evt_snapshot_1"] {
            let resumed = first_event(&house, &path, &format!("Last-Event-ID: {id}\r\n"));
            assert_eq!(resumed[0], "id: 2", "{id}");
            let asked = first_event(&house, &format!("{path}&after={id}"), "");
            assert_eq!(asked[0], "id: 2", "{id}");
        }
        let snapshot = first_event(&house, &path, "");
        assert_eq!(snapshot[0], "id: 2");
        assert!(snapshot.iter().any(|line| line.contains(r#""event_id":"evt_snapshot_2""#)));
    }
}

#[test]
fn events_have_names_for_those_who_listen_by_name() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    for (dialect, name) in [
        (PROTOCOL, "GameStarted"),
        (CONTRACT, "GameStarted"),
        ("log", "GameStarted"),
        ("words", "step"),
    ] {
        let path = table.path(&format!("/events?after=0&dialect={dialect}"));
        let named = first_event(&house, &format!("{path}&event_names=true"), "");
        assert_eq!(named[1], format!("event: {name}"), "{dialect}");
        let plain = first_event(&house, &path, "");
        assert!(plain[1].starts_with("data: "), "{dialect}");
    }
}

#[test]
fn acknowledgements_delay_the_clock_by_three_seconds_in_all() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let (seat, _) = awaited(&house, &table);
    let began = std::time::Instant::now();
    let acknowledge = |dialect: &str, id: &str| {
        let command = json!({ "command": "ClientAcknowledge", "event_id": id });
        house.command(&table, seat, dialect, &command).with(200);
    };
    // Whatever is acknowledged, in whatever order and dialect, one question
    // never has more than its thirty seconds and three.
    for round in 0..4 {
        for (dialect, id) in [(PROTOCOL, "evt_1"), (CONTRACT, "evt_1"), (PROTOCOL, "evt_2")] {
            acknowledge(dialect, id);
            let left = Standing::read(&house.snapshot(&table, Some(seat), PROTOCOL)).seconds_left;
            let most = 34_u64.saturating_sub(began.elapsed().as_secs());
            assert!(left.is_some_and(|left| left <= most), "{round}: {left:?} of {most}");
        }
        std::thread::sleep(Duration::from_millis(1100));
    }
}
