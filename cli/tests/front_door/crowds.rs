//! Whoever comes with too many.

use std::time::Duration;

use super::common::*;
use super::{ask, from, guarded, is_ended, read_answer, while_others_play};
use serde_json::json;

const ALIVE: &str = "GET /healthz HTTP/1.1\r\nHost: parlor\r\n\r\n";

#[test]
fn thousands_of_connections_from_one_address_leave_room_for_others() {
    let house = guarded("connections_per_address = 100\n", &[]);
    while_others_play(&house, || {
        let mut held = Vec::new();
        let mut refused = 0;
        for _ in 0..3000 {
            let mut stream = from("127.0.0.2", &house.address);
            if held.len() < 100 {
                assert_eq!(ask(&mut stream, ALIVE).expect("an answer").status, 200);
                held.push(stream);
            } else if let Some(answer) = read_answer(&mut stream) {
                let sentence = answer.refused(429, "TOO_MANY_CONNECTIONS");
                assert!(sentence.contains("100 connections"), "{sentence}");
                assert!(answer.header("retry-after").is_some());
                refused += 1;
            }
        }
        assert!(refused > 1000, "most are told why: {refused}");
        let other = from("127.0.0.3", &house.address);
        assert_eq!(ask(other, ALIVE).expect("an answer").status, 200);
        drop(held);
        until("a free place", || {
            let stream = from("127.0.0.2", &house.address);
            ask(stream, ALIVE).filter(|answer| answer.status == 200)
        });
    });
}

#[test]
fn a_full_house_says_so_and_has_room_again_when_someone_leaves() {
    let house = guarded("connections = 20\nkeep_alive_seconds = 600\n", &[]);
    let mut held: Vec<_> = (0..20)
        .map(|number| {
            let mut stream = from(&format!("127.0.1.{number}"), &house.address);
            assert_eq!(ask(&mut stream, ALIVE).expect("an answer").status, 200);
            stream
        })
        .collect();
    let answer = read_answer(from("127.0.0.9", &house.address)).expect("an answer");
    answer.refused(503, "HOUSE_FULL");
    assert!(answer.header("retry-after").is_some());
    held.pop();
    until("a free place", || {
        let stream = from("127.0.0.9", &house.address);
        ask(stream, ALIVE).filter(|answer| answer.status == 200)
    });
}

#[test]
fn running_out_of_files_is_survived_and_said_once() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "rounds": 1 }));
    let mut sockets = [0, 1].map(|seat| house.connect(&table, seat, PROTOCOL, Some(0)));
    step(&house, &table, PROTOCOL, &mut Chance::new(1));
    house.limit_open_files(64);
    // They connect, since the system takes them; nobody lets them in.
    let crowd: Vec<_> = (0..100).map(|_| from("127.0.0.2", &house.address)).collect();
    until("the shortage", || {
        house.log_lines().contains("no connection can be accepted").then_some(())
    });
    std::thread::sleep(Duration::from_secs(1));
    // Whoever is in plays on.
    for (seat, socket) in sockets.iter_mut().enumerate() {
        socket.join(&table, seat, None);
        while !socket.next().expect("an answer").name().contains("Snapshot") {}
    }
    drop(crowd);
    house.get("/readyz", None).with(200);
    play_out(&house, &table, PROTOCOL, &mut Chance::new(2));
    let said = house.log_lines().matches("no connection can be accepted").count();
    assert_eq!(said, 1, "{}", house.log_lines());
}

#[test]
fn a_stop_ends_streams_and_idle_connections_in_order() {
    let house = guarded("", &[]);
    let table = house.two_people(&json!({}));
    let mut stream = house.listen(&table, None, PROTOCOL, Some(0));
    let mut idle = from("127.0.0.2", &house.address);
    assert_eq!(ask(&mut idle, ALIVE).expect("an answer").status, 200);
    let mut silent = from("127.0.0.2", &house.address);
    house.ask_to_stop();
    while stream.next().is_some() {}
    assert!(is_ended(&mut idle));
    assert!(is_ended(&mut silent));
    assert!(house.stopped().success());
    assert!(!house.log_lines().contains("did not close in time"), "{}", house.log_lines());
}
