//! Coming back: nothing lost, nothing twice, wherever a client left off.

mod common;

use std::time::Duration;

use common::*;
use serde_json::{Value, json};

/// A match of two people, played to its end.
fn finished(house: &House) -> Table {
    let table = house.two_people(&json!({ "rounds": 1 }));
    play_out(house, &table, PROTOCOL, &mut Chance::new(3));
    table
}

/// A match of two people with some moves made.
fn running(house: &House, moves: usize) -> Table {
    let mut chance = Chance::new(5);
    loop {
        let table = house.two_people(&json!({ "rounds": 6 }));
        if (0..moves).all(|_| step(house, &table, PROTOCOL, &mut chance)) {
            return table;
        }
    }
}

fn position_now(house: &House, table: &Table, seat: usize, dialect: &str) -> u64 {
    let path = table.path(&format!("/snapshot?dialect={dialect}"));
    let snapshot = house.get(&path, table.token(seat));
    snapshot.header("parlor-position").expect("a position").parse().expect("a number")
}

#[test]
fn a_stream_without_a_position_begins_with_a_snapshot_of_the_present() {
    let house = House::open(&[]);
    for table in [running(&house, 5), finished(&house)] {
        for dialect in ["koikoi.protocol", "koikoi.contract", "log"] {
            let first = house.listen(&table, Some(1), dialect, None).next().expect("a snapshot");
            assert!(["GameSnapshotRestore", "SNAPSHOT"].contains(&first.name().as_str()));
            assert_eq!(first.position, Some(position_now(&house, &table, 1, dialect)));
        }
    }
}

#[test]
fn the_whole_stream_is_dense_and_the_same_again() {
    let house = House::open(&[]);
    let table = finished(&house);
    for dialect in ["koikoi.protocol", "koikoi.contract", "log"] {
        for seat in [Some(0), Some(1), None] {
            let once = house.listen(&table, seat, dialect, Some(0)).take_until("GameFinished");
            let again = house.listen(&table, seat, dialect, Some(0)).take_until("GameFinished");
            assert_eq!(positions(&once), (1..=once.len() as u64).collect::<Vec<_>>());
            assert_eq!(once, again);
        }
    }
}

#[test]
fn every_position_of_a_finished_game_resumes_with_exactly_the_rest() {
    let house = House::open(&[]);
    let table = finished(&house);
    for dialect in ["koikoi.protocol", "koikoi.contract", "log"] {
        let whole = house.listen(&table, Some(0), dialect, Some(0)).take_until("GameFinished");
        for after in 0..whole.len() {
            let rest = &whole[after..];
            let mut by_query = house.listen(&table, Some(0), dialect, Some(after as u64));
            assert_eq!(by_query.take(rest.len()), rest, "after={after}");
            let by_header = Hearing {
                table: &table.id,
                token: table.token(0),
                dialect,
                last_event_id: Some(after as u64),
                // The header is what a browser knows last; it wins.
                after: Some(0),
                ..Hearing::default()
            };
            let mut by_header = by_header.open(&house).expect("the stream opens");
            assert_eq!(by_header.take(rest.len()), rest, "Last-Event-ID: {after}");
        }
    }
}

#[test]
fn every_position_resumes_over_a_websocket_too() {
    let house = House::open(&[]);
    let table = finished(&house);
    for dialect in DIALECTS {
        let whole = house.listen(&table, Some(1), dialect, Some(0)).take_until("GameFinished");
        for after in 0..whole.len() {
            let rest = &whole[after..];
            let mut socket = house.connect(&table, 1, dialect, Some(after as u64));
            assert_eq!(socket.take(rest.len()), rest, "after {after}");
        }
    }
}

#[test]
fn every_position_of_a_running_game_resumes_and_goes_on_live() {
    let house = House::open(&[]);
    let table = running(&house, 9);
    for dialect in DIALECTS {
        let at = position_now(&house, &table, 0, dialect);
        let whole = house.listen(&table, Some(0), dialect, Some(0)).take(at as usize);
        let mut streams: Vec<Stream> = (0..=at)
            .map(|after| {
                let mut stream = house.listen(&table, Some(0), dialect, Some(after));
                assert_eq!(stream.take((at - after) as usize), whole[after as usize..]);
                stream
            })
            .collect();
        let mut chance = Chance::new(9);
        step(&house, &table, dialect, &mut chance);
        let fresh = streams[0].take(1);
        assert_eq!(positions(&fresh), [at + 1]);
        for stream in &mut streams[1..] {
            assert_eq!(stream.take(1), fresh);
        }
    }
}

/// A stream that resumes where nothing is left to be told.
fn at_the_present(house: &House) -> Stream {
    let table = running(house, 3);
    let at = position_now(house, &table, 0, PROTOCOL);
    house.listen(&table, Some(0), PROTOCOL, Some(at))
}

#[test]
fn a_stream_that_resumes_at_the_present_says_nothing_until_something_happens() {
    let house = House::open(&[]);
    let mut stream = at_the_present(&house);
    assert!(stream.is_silent_for(Duration::from_millis(150)));
}

/// Proxies close what is silent for longer, and clients notice a dead line.
const HEARTBEAT_WITHIN: Duration = Duration::from_secs(17);

#[test]
fn a_stream_on_which_nothing_happens_is_kept_alive_by_comments() {
    let house = House::open(&[]);
    let mut stream = at_the_present(&house);
    assert!(stream.is_silent_for(HEARTBEAT_WITHIN));
    // One comment opens the stream, one is the heartbeat.
    assert_eq!(stream.received(), b":\n\n:\n\n");
}

#[test]
fn a_position_the_stream_has_not_reached_is_refused() {
    let house = House::open(&[]);
    let (playing, over) = (running(&house, 2), finished(&house));
    let waiting = house.for_two(&json!({}));
    for (table, ahead) in [(&playing, 1), (&over, 1), (&waiting, 1), (&playing, u64::MAX - 99)] {
        let at = if table.id == waiting.id { 0 } else { position_now(&house, table, 0, PROTOCOL) };
        let hearing = Hearing {
            table: &table.id,
            token: table.token(0),
            dialect: PROTOCOL,
            after: Some(at + ahead),
            ..Hearing::default()
        };
        let refused = hearing.open(&house).err().expect("a refusal");
        refused.refused(409, "POSITION_AHEAD");
        let mut socket = house.connect(table, 0, PROTOCOL, Some(at + ahead));
        let refusal = socket.next().expect("a refusal").json();
        assert_eq!(
            (&refusal["error_code"], &refusal["reason"]),
            (&"INVALID_STATE".into(), &"POSITION_AHEAD".into())
        );
        assert_eq!(socket.next(), None, "and the socket is closed");
    }
}

#[test]
fn a_position_that_is_no_number_is_refused() {
    let house = House::open(&[]);
    let table = running(&house, 1);
    for wrong in ["x", "-1", "1.5", "99999999999999999999999", "evt_x", "evt_snapshot_"] {
        let path = table.path(&format!("/events?after={wrong}"));
        house.get(&path, table.token(0)).refused(400, "MALFORMED");
    }
}

#[test]
fn a_stream_opened_before_the_start_hears_the_whole_game() {
    let house = House::open(&[]);
    let table = house.for_two(&json!({ "rounds": 1 }));
    let mut early = house.listen(&table, Some(0), PROTOCOL, None);
    let mut socket = house.connect(&table, 1, CONTRACT, None);
    house.start(&table);
    play_out(&house, &table, PROTOCOL, &mut Chance::new(2));
    let whole = house.listen(&table, Some(0), PROTOCOL, Some(0)).take_until("GameFinished");
    assert_eq!(early.take_until("GameFinished"), whole);
    let whole = house.listen(&table, Some(1), CONTRACT, Some(0)).take_until("GameFinished");
    assert_eq!(socket.take(whole.len()), whole);
}

fn ticket(house: &House, table: &Table, seat: usize) -> String {
    let issued = house.call("POST", &table.path("/ticket"), table.token(seat), b"").with(201);
    assert_eq!(issued["expires_in"], 30);
    issued["ticket"].as_str().expect("a ticket").to_owned()
}

fn with_ticket(house: &House, table: &Table, ticket: &str) -> Result<Stream, Answer> {
    let hearing =
        Hearing { table: &table.id, dialect: PROTOCOL, ticket: Some(ticket), ..Hearing::default() };
    hearing.open(house)
}

#[test]
fn a_ticket_opens_one_stream_of_its_own_seat() {
    let house = House::open(&[]);
    let table = running(&house, 1);
    let ticket = ticket(&house, &table, 1);
    let snapshot = with_ticket(&house, &table, &ticket).expect("a stream").next();
    assert_eq!(snapshot.expect("a snapshot").json()["my_player_id"], "p2");
    let again = with_ticket(&house, &table, &ticket).err().expect("a refusal");
    again.refused(401, "UNAUTHENTICATED");
}

#[test]
fn a_ticket_of_another_table_or_of_nobody_opens_nothing() {
    let house = House::open(&[]);
    let (here, there) = (running(&house, 1), running(&house, 1));
    let foreign = ticket(&house, &there, 0);
    for wrong in [foreign.as_str(), "", "garbage", here.token(0).expect("a token")] {
        let refused = with_ticket(&house, &here, wrong).err().expect("a refusal");
        refused.refused(401, "UNAUTHENTICATED");
    }
    house.call("POST", &here.path("/ticket"), None, b"").refused(401, "UNAUTHENTICATED");
    house.call("POST", &here.path("/ticket"), there.token(0), b"").refused(401, "UNAUTHENTICATED");
}

/// A table where somebody is awaited in `flow`, and who.
fn awaiting(house: &House, dialect: &str, flow: &str) -> (Table, usize) {
    let mut chance = Chance::new(21);
    for _ in 0..100 {
        let table = house.two_people(&json!({ "rounds": 1 }));
        loop {
            for seat in 0..2 {
                let standing = Standing::read(&house.snapshot(&table, Some(seat), dialect));
                if standing.is_my_turn() && standing.flow.as_deref() == Some(flow) {
                    return (table, seat);
                }
            }
            if !step(house, &table, dialect, &mut chance) {
                break;
            }
        }
    }
    panic!("{flow} never came");
}

#[test]
fn whoever_has_only_a_snapshot_goes_on_legally_from_every_state() {
    let house = House::open(&[]);
    for dialect in DIALECTS {
        for flow in ["AWAITING_HAND_PLAY", "AWAITING_SELECTION", "AWAITING_DECISION"] {
            let (table, seat) = awaiting(&house, dialect, flow);
            let mut stream = house.listen(&table, Some(seat), dialect, None);
            let snapshot = stream.next().expect("a snapshot");
            let standing = Standing::read(&snapshot.json());
            let command = standing.choose(&mut Chance::new(1)).expect("it is my turn");
            let done = house.command(&table, seat, dialect, &command).with(200);
            let (from, to) = (snapshot.position.expect("a position"), &done["position"]);
            let to = to.as_u64().expect("a position");
            assert!(to > from, "the command made something");
            let told = stream.take((to - from) as usize);
            let mut whole = house.listen(&table, Some(seat), dialect, Some(from));
            assert_eq!(told, whole.take(told.len()), "{dialect} {flow}");
        }
    }
}

#[test]
fn a_snapshot_between_rounds_shows_the_result_and_the_next_deal_follows() {
    let house = House::open(&["--round-pause", "1500"]);
    for dialect in DIALECTS {
        let table = house.two_people(&json!({ "rounds": 2 }));
        let mut chance = Chance::new(4);
        let snapshot = loop {
            let snapshot = house.snapshot(&table, Some(0), dialect);
            if Standing::read(&snapshot).stage == "ROUND_OVER" {
                break snapshot;
            }
            step(&house, &table, dialect, &mut chance);
        };
        assert!(snapshot["last_round"].is_object(), "{snapshot}");
        assert_eq!(Standing::read(&snapshot).active, None);
        let mut stream = house.listen(&table, Some(0), dialect, None);
        let first = stream.next().expect("a snapshot");
        assert_eq!(Standing::read(&first.json()).stage, "ROUND_OVER");
        let next = stream.next().expect("the next deal");
        assert_eq!(next.name(), "RoundDealt");
        assert_eq!(next.position, first.position.map(|position| position + 1));
    }
}

#[test]
fn a_snapshot_of_a_finished_match_shows_its_result() {
    let house = House::open(&[]);
    let table = finished(&house);
    for dialect in DIALECTS {
        let mut stream = house.listen(&table, Some(0), dialect, None);
        let snapshot = stream.next().expect("a snapshot").json();
        let end = house.listen(&table, Some(0), dialect, Some(0)).take_until("GameFinished");
        let end = end.last().expect("the end").json();
        assert_eq!(Standing::read(&snapshot).stage, "FINISHED");
        assert_eq!(snapshot["finished"]["final_scores"], end["final_scores"]);
        assert!(snapshot["last_round"].is_object());
        assert!(stream.is_silent_for(Duration::from_millis(100)));
    }
}

#[test]
fn the_seconds_left_on_the_clock_are_part_of_the_snapshot() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({ "turn_seconds": 60 }));
    for dialect in DIALECTS {
        let left = Standing::read(&house.snapshot(&table, Some(0), dialect)).seconds_left;
        assert!(left.is_some_and(|left| (50..=63).contains(&left)), "{left:?}");
    }
    let public: Value = house.snapshot(&table, None, CONTRACT);
    assert_eq!(public["my_player_id"], Value::Null);
}
