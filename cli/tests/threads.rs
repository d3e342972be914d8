//! On a machine with many cores tables and connections run on many threads,
//! and nobody can tell.

mod common;

use common::*;
use serde_json::json;

const TABLES: u64 = 12;

/// Watches a match to its end and talks all the while: what the house answers
/// and what the table tells go out on the same socket.
fn watch_and_talk(mut socket: Socket) -> Vec<Message> {
    let mut heard: Vec<Message> = Vec::new();
    while heard.last().is_none_or(|last| last.name() != "GameFinished") {
        socket.say(&json!({ "command": "TurnPlayHandCard", "card": "0111", "target": null }));
        heard.push(socket.next_event().expect("the match goes on"));
    }
    heard
}

#[test]
fn whoever_talks_while_a_table_speaks_hears_every_event_once_and_in_order() {
    let house = &House::open(&["--threads", "4"]);
    std::thread::scope(|threads| {
        for number in 0..TABLES {
            let table = house.against_bot(&json!({ "rounds": 3 }));
            let mut socket = Socket::open(house, &table, PROTOCOL).expect("a socket");
            socket.enter(&table, None);
            let watcher = threads.spawn(|| watch_and_talk(socket));
            threads.spawn(move || {
                play_out(house, &table, CONTRACT, &mut Chance::new(number));
                let heard = watcher.join().expect("everything was heard");
                assert_eq!(positions(&heard), (1..=heard.len() as u64).collect::<Vec<_>>());
                let mut told = house.listen(&table, None, PROTOCOL, Some(0));
                assert_eq!(heard, told.take(heard.len()));
            });
        }
    });
}
