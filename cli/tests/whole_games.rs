//! Whole games over the real wires: both dialects, both transports, every event.

mod common;

use std::collections::BTreeSet;

use common::*;
use serde_json::{Value, json};

/// The twelve events of the protocol and its snapshot, and the thirteen of
/// the contract: the same names.
const EVENTS: [&str; 13] = [
    "DecisionMade",
    "DecisionRequired",
    "GameFinished",
    "GameSnapshotRestore",
    "GameStarted",
    "RoundDealt",
    "RoundDrawn",
    "RoundEndedInstantly",
    "RoundScored",
    "SelectionRequired",
    "TurnCompleted",
    "TurnError",
    "TurnProgressAfterSelection",
];

/// Plays by what the stream says, as a client does: whenever an event awaits
/// this seat, look at the snapshot and answer.
fn follow_by_http(house: &House, table: &Table, seat: usize, dialect: &str) -> Vec<Message> {
    let mut chance = Chance::new(7 + seat as u64);
    let mut stream = house.listen(table, Some(seat), dialect, Some(0));
    let mut heard = Vec::new();
    loop {
        let message = stream.next_event().expect("the match goes on");
        let (position, over) = (message.position, message.name() == "GameFinished");
        let mine = message.next_state().is_some_and(|(_, who)| who == format!("p{}", seat + 1));
        heard.push(message);
        if over {
            return heard;
        }
        if mine {
            let snapshot = house.snapshot(table, Some(seat), dialect);
            // A step may be told in several events; the last one is answered.
            if snapshot["event_id"] == format!("evt_snapshot_{}", position.unwrap_or(0)) {
                let command = Standing::read(&snapshot).choose(&mut chance).expect("my turn");
                house.command(table, seat, dialect, &command).with(200);
            }
        }
    }
}

/// The same over one WebSocket; the snapshot is asked for by joining again.
fn follow_by_socket(house: &House, table: &Table, seat: usize, dialect: &str) -> Vec<Message> {
    let mut chance = Chance::new(11 + seat as u64);
    let mut socket = house.connect(table, seat, dialect, Some(0));
    let (mut heard, mut answered) = (Vec::new(), 0);
    loop {
        let message = socket.next_event().expect("the match goes on");
        if message.name() == "GameSnapshotRestore" {
            let position = message.position.unwrap_or(0);
            let command = Standing::read(&message.json()).choose(&mut chance);
            if let Some(command) = command.filter(|_| position > answered) {
                socket.say(&command);
                answered = position;
            }
            continue;
        }
        let over = message.name() == "GameFinished";
        let mine = message.next_state().is_some_and(|(_, who)| who == format!("p{}", seat + 1));
        heard.push(message);
        if over {
            return heard;
        }
        if mine {
            socket.join(table, seat, None);
        }
    }
}

fn assert_whole(messages: &[Message]) {
    assert_eq!(positions(messages), (1..=messages.len() as u64).collect::<Vec<_>>());
    let names: Vec<String> = messages.iter().map(Message::name).collect();
    assert_eq!((names[0].as_str(), names[1].as_str()), ("GameStarted", "RoundDealt"));
    for message in messages {
        let id = format!("evt_{}", message.position.unwrap_or(0));
        assert_eq!(message.json()["event_id"], id, "{}", message.text);
    }
}

#[test]
fn a_match_against_a_bot_is_played_by_http_and_sse_in_each_dialect() {
    let house = House::open(&[]);
    for dialect in DIALECTS {
        let table = house.against_bot(&json!({ "rounds": 2 }));
        assert_whole(&follow_by_http(&house, &table, 0, dialect));
    }
}

#[test]
fn a_match_against_a_bot_is_played_over_a_websocket_in_each_dialect() {
    let house = House::open(&[]);
    for dialect in DIALECTS {
        let table = house.against_bot(&json!({ "rounds": 2 }));
        assert_whole(&follow_by_socket(&house, &table, 0, dialect));
    }
}

/// What a match was, whatever it was told in: the cards each round in the
/// order they met the field, and the totals after it.
fn facts(messages: &[Message]) -> Vec<Value> {
    let (mut cards, mut facts) = (Vec::<String>::new(), Vec::new());
    for message in messages {
        let body = message.json();
        let (done, sel) = (&body["completed"], &body["selection"]);
        let played = [
            &body["hand_play"]["played"],
            &body["hand_card_play"]["played_card"],
            &done["hand_play"]["played"],
            &body["deck_flip"]["flipped"],
            &done["deck_flip"]["flipped"],
            &body["draw_card_play"]["played_card"],
            &body["drawn_card"],
            &sel["source"],
        ];
        for card in played.into_iter().filter_map(Value::as_str) {
            if !cards.iter().any(|known| known == card) {
                cards.push(card.to_owned());
            }
        }
        let totals = ["cumulative_scores", "updated_total_scores", "current_total_scores"];
        if let Some(totals) = totals.iter().map(|name| &body[*name]).find(|list| list.is_array()) {
            facts.push(json!({ "cards": std::mem::take(&mut cards), "totals": totals }));
        }
    }
    facts.push(messages.last().expect("an event").json()["final_scores"].clone());
    facts
}

#[test]
fn two_people_on_different_wires_and_dialects_see_the_same_game() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "rounds": 3 }));
    let (ann, ben) = std::thread::scope(|both| {
        let ann = both.spawn(|| follow_by_http(&house, &table, 0, PROTOCOL));
        let ben = both.spawn(|| follow_by_socket(&house, &table, 1, CONTRACT));
        (ann.join().expect("Ann plays"), ben.join().expect("Ben plays"))
    });
    assert_whole(&ann);
    assert_whole(&ben);
    assert_eq!(facts(&ann).len(), 4, "three rounds and the end");
    assert_eq!(facts(&ann), facts(&ben));
}

/// Plays one match and holds every message against its schema; what was said.
fn check_a_match(house: &House, schemas: &mut Schemas, dialect: &str, seed: u64) -> Vec<String> {
    let mut chance = Chance::new(seed);
    let table = house.two_people(&json!({ "rounds": 2 }));
    let mut stream = house.listen(&table, Some(0), dialect, Some(0));
    let refused = json!({ "command": "TurnSelectTarget", "source": "0111", "target": "0131" });
    assert_ne!(house.command(&table, 0, dialect, &refused).status, 200);
    'match_: loop {
        for seat in 0..2 {
            let snapshot = house.snapshot(&table, Some(seat), dialect);
            schemas.check(dialect, "GameSnapshotRestore", &snapshot);
            let standing = Standing::read(&snapshot);
            if standing.stage == "FINISHED" {
                break 'match_;
            }
            if let Some(command) = standing.choose(&mut chance) {
                schemas.check(dialect, command["command"].as_str().expect("a name"), &command);
                house.command(&table, seat, dialect, &command).with(200);
            }
        }
    }
    let mut names = vec!["GameSnapshotRestore".to_owned()];
    while names.last().is_none_or(|name| name != "GameFinished") {
        let message = stream.next().expect("an event");
        schemas.check(dialect, &message.name(), &message.json());
        names.push(message.name());
    }
    names
}

/// A rigged deal, imported and told in public.
fn check_a_rigged_deal(house: &mut House, rules: &Value, deal: &[&str]) -> Vec<(String, Value)> {
    let lines = rigged_game(rules, deal);
    let file = house.scratch.write("rigged.jsonl", &lines);
    assert!(house.stop().success());
    let store = house.scratch.store();
    drop(std::fs::remove_file(house.scratch.file("parlor.db")));
    assert_eq!(parlor(&["import", "--store", &store, &file]).code, 0);
    let listed = parlor(&["games", "--json", "--store", &store]).lines();
    house.reopen();
    let mut schemas = Schemas::of(house);
    let mut told = Vec::new();
    for dialect in DIALECTS {
        let table = listed[0]["code"].as_str().expect("a code");
        let hearing = Hearing { table, dialect, after: Some(0), ..Hearing::default() };
        let mut stream = hearing.open(house).expect("the stream opens");
        for message in stream.take_until("GameFinished") {
            schemas.check(dialect, &message.name(), &message.json());
            told.push((message.name(), message.json()));
        }
    }
    told.retain(|(name, _)| name == "RoundEndedInstantly");
    told
}

#[test]
fn special_deals_end_the_round_at_once_in_each_dialect() {
    let mut house = House::open(&[]);
    for (deal, rules, reason, winner) in [
        (deals::TESHI, json!({ "rounds": 1 }), "TESHI", json!("p1")),
        (deals::FOUR_PAIRS, json!({ "rounds": 1, "four_pairs": true }), "TESHI", json!("p1")),
        (deals::FIELD_KUTTSUKI, json!({ "rounds": 1 }), "FIELD_KUTTSUKI", Value::Null),
    ] {
        let told = check_a_rigged_deal(&mut house, &rules, &deal);
        assert_eq!(told.len(), 2, "once in each dialect");
        for (_, body) in &told {
            let named = body.get("winner").or_else(|| body.get("winner_id"));
            assert_eq!((body["reason"].as_str(), named), (Some(reason), Some(&winner)), "{body}");
        }
    }
}

#[test]
fn every_event_is_spoken_in_each_dialect_and_is_as_its_schema_says() {
    let house = House::open(&[]);
    let mut schemas = Schemas::of(&house);
    for dialect in DIALECTS {
        // Special deals are rare; they have a test of their own.
        let mut missing: BTreeSet<&str> = EVENTS.into_iter().collect();
        missing.remove("RoundEndedInstantly");
        for seed in 1.. {
            for name in check_a_match(&house, &mut schemas, dialect, seed) {
                missing.remove(name.as_str());
            }
            if missing.is_empty() && seed >= 3 {
                break;
            }
            assert!(seed < 60, "never said in {dialect}: {missing:?}");
        }
        let index = house.get("/api/schemas", None).with(200);
        let listed: BTreeSet<&str> = index["dialects"][dialect]["events"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert!(EVENTS.iter().all(|name| listed.contains(name)), "{listed:?}");
    }
}

#[test]
fn the_canonical_log_is_as_its_schema_says() {
    let house = House::open(&[]);
    let mut schemas = Schemas::of(&house);
    let table = house.two_people(&json!({ "rounds": 2 }));
    play_out(&house, &table, PROTOCOL, &mut Chance::new(1));
    for seat in [Some(0), None] {
        for message in house.listen(&table, seat, "log", Some(0)).take_until("GameFinished") {
            schemas.check("koikoi.log", "Envelope", &message.json());
        }
    }
}

#[test]
fn a_match_is_played_in_the_canonical_moves_too() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "rounds": 1 }));
    let mut chance = Chance::new(1);
    loop {
        let standing =
            [0, 1].map(|seat| Standing::read(&house.snapshot(&table, Some(seat), PROTOCOL)));
        if standing[0].stage == "FINISHED" {
            break;
        }
        for (seat, standing) in standing.iter().enumerate() {
            let Some(command) = standing.choose(&mut chance) else { continue };
            let act = match command["command"].as_str() {
                Some("TurnPlayHandCard") => {
                    json!({ "type": "PLAY", "card": command["card"], "target": command["target"] })
                }
                Some("TurnSelectTarget") => json!({
                    "type": "SELECT", "source": command["source"], "target": command["target"],
                }),
                _ if command["decision"] == "KOI_KOI" => json!({ "type": "KOI_KOI" }),
                _ => json!({ "type": "STOP" }),
            };
            house.command(&table, seat, "log", &act).with(200);
        }
    }
}
