//! Whoever says nothing, or says it slowly.

use std::io::Write;
use std::time::{Duration, Instant};

use super::common::*;
use super::{ask, from, guarded, is_ended, read_answer, while_others_play};
use serde_json::json;

const HURRIED: &str = "head_seconds = 1\nbody_seconds = 1\nkeep_alive_seconds = 1\n";

#[test]
fn heads_that_come_byte_by_byte_and_connections_that_say_nothing_are_cut_off() {
    let house = guarded(HURRIED, &[]);
    while_others_play(&house, || {
        let mut slow: Vec<_> = (0..100).map(|_| from("127.0.0.2", &house.address)).collect();
        let silent: Vec<_> = (0..100).map(|_| from("127.0.0.2", &house.address)).collect();
        let head = b"GET /api/v1/tables HTTP/1.1\r\nHost: parlor\r\nX-Padding: ".iter();
        // Each byte alone would renew the patience of a careless server.
        for byte in head.chain(&[b'x'; 10]) {
            for stream in &mut slow {
                drop(stream.write_all(&[*byte]));
            }
            std::thread::sleep(Duration::from_millis(40));
        }
        for mut stream in slow.into_iter().chain(silent) {
            assert!(is_ended(&mut stream));
        }
    });
}

#[test]
fn a_body_that_never_comes_is_refused_with_a_sentence() {
    let house = guarded(HURRIED, &[]);
    let table = house.two_people(&json!({}));
    while_others_play(&house, || {
        for path in [table.path("/commands"), "/api/v1/tables".into(), "/api/v1/replays".into()] {
            let mut stream = from("127.0.0.2", &house.address);
            let token = table.token(0).expect("a token");
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: parlor\r\nAuthorization: Bearer {token}\r\n\
                Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).expect("a head");
            let began = Instant::now();
            while began.elapsed() < Duration::from_millis(1500) {
                drop(stream.write_all(b" "));
                std::thread::sleep(Duration::from_millis(100));
            }
            let answer = read_answer(&mut stream).expect("an answer");
            answer.refused(408, "TOO_SLOW");
            assert_eq!(answer.header("connection"), Some("close"), "{path}");
            assert!(is_ended(&mut stream), "{path}");
        }
    });
}

#[test]
fn idle_connections_end_but_streams_and_sockets_stay() {
    let house = guarded(HURRIED, &[]);
    let table = house.two_people(&json!({}));
    let mut stream = house.listen(&table, None, PROTOCOL, Some(0));
    let mut socket = house.connect(&table, 0, PROTOCOL, Some(0));
    let mut idle = from("127.0.0.2", &house.address);
    let answer = ask(&mut idle, "GET /healthz HTTP/1.1\r\nHost: parlor\r\n\r\n");
    assert_eq!(answer.expect("an answer").status, 200);
    assert!(is_ended(&mut idle), "after a second");
    std::thread::sleep(Duration::from_secs(3));
    step(&house, &table, PROTOCOL, &mut Chance::new(1));
    let told = |name: &str| name == "TurnCompleted" || name == "SelectionRequired";
    while !told(&stream.next().expect("the stream is open").name()) {}
    while !told(&socket.next().expect("the socket is open").name()) {}
}

#[test]
fn a_connection_in_use_is_not_idle() {
    let house = guarded(HURRIED, &[]);
    let mut stream = from("127.0.0.2", &house.address);
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(3) {
        let answer = ask(&mut stream, "GET /healthz HTTP/1.1\r\nHost: parlor\r\n\r\n");
        assert_eq!(answer.expect("the connection is open").status, 200);
        std::thread::sleep(Duration::from_millis(300));
    }
}

/// Upgraded, and then silent: neither a greeting of ours nor of Socket.IO's.
#[test]
fn sockets_that_never_say_who_they_are_are_closed() {
    let house = guarded("connections_per_address = 40\n", &[]);
    let table = house.two_people(&json!({}));
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    while_others_play(&house, || {
        let paths = [
            format!("/ws?table={}&dialect={PROTOCOL}", table.id),
            "/socket.io/?EIO=4&transport=websocket".to_owned(),
        ];
        let open: Vec<_> = paths
            .iter()
            .flat_map(|path| std::iter::repeat_n(path, 20))
            .map(|path| {
                let mut stream = from("127.0.0.2", &house.address);
                let head = format!("GET {path} HTTP/1.1\r\nHost: parlor\r\n{upgrade}\r\n");
                let answer = ask(&mut stream, &head).expect("an answer");
                assert_eq!(answer.status, 101, "{path}: {}", answer.text);
                stream
            })
            .collect();
        // They hold all places of their address, and no longer than they may.
        let refused = read_answer(from("127.0.0.2", &house.address)).expect("an answer");
        refused.refused(429, "TOO_MANY_CONNECTIONS");
        for mut stream in open {
            assert!(is_ended(&mut stream));
        }
        until("a free place", || {
            let stream = from("127.0.0.2", &house.address);
            ask(stream, "GET /healthz HTTP/1.1\r\nHost: parlor\r\n\r\n")
                .filter(|answer| answer.status == 200)
        });
    });
}
