//! What strangers can make the server do, and what they cannot: each test is an
//! attack, from addresses of its own.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::*;
use serde_json::{Value, json};

const TABLES: &str = "/api/v1/tables";
const REPLAYS: &str = "/api/v1/replays?view=public";

/// Tests ask more often than people.
const OFTEN: &str = "calls_per_second = 10000\nreads_per_minute = 100000\n";

/// A house with these limits and nothing else.
fn house(limits: &str) -> House {
    house_with(limits, &[])
}

fn house_with(limits: &str, flags: &[&str]) -> House {
    let scratch = Scratch::new();
    let file = scratch.write("limits.toml", format!("[limits]\n{OFTEN}{limits}\n"));
    let usual = ["--config", file.as_str(), "--bot-pace", "0", "--admin-token", ADMIN];
    House::bare(&[&usual[..], flags].concat(), &[])
}

fn bots_alone(game: &str, count: usize) -> Value {
    json!({ "game": game, "seats": vec![json!({ "kind": "bot", "bot": "random" }); count] })
}

fn two_people() -> Value {
    json!({ "game": "koikoi", "seats": [{ "kind": "human", "name": "Eve" }, { "kind": "human" }] })
}

/// It is refused with a sentence, a code, and when to try again.
#[track_caller]
fn refused_for_now(answer: &Answer, status: u16, code: &str) {
    answer.refused(status, code);
    let seconds = answer.header("retry-after").and_then(|it| it.parse::<u64>().ok());
    assert!(seconds.is_some_and(|seconds| seconds > 0), "{answer:?}");
}

fn path(laid: &Answer, call: &str) -> String {
    format!("{TABLES}/{}{call}", laid.json()["table_id"].as_str().expect("an id"))
}

/// A whole log of a game that bots have played.
fn whole_log() -> String {
    let house = House::open(&[]);
    let table = house.lay(&bots_alone("koikoi", 2));
    until("the end", || {
        let info = house.get(&table.path(""), None).with(200);
        (info["status"] == "finished").then_some(())
    });
    house.admin_log(&table)
}

#[test]
fn a_forged_log_is_refused_before_it_is_folded() {
    let house = house("replay_events = 5000");
    let eve = Stranger::new(&house, 2);
    let log = whole_log();
    let bring = |log: &str| eve.call("POST", REPLAYS, &[], log.as_bytes());
    bring(&log).with(200);
    let (first, rest) = log.split_once('\n').expect("lines");
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut first: Value = serde_json::from_str(first).expect("an event");
        change(&mut first);
        format!("{first}\n{rest}")
    };
    let seat = |nth: usize| json!({ "player_id": format!("p{nth}"), "name": "Eve" });
    let seats = |event: &mut Value, seats: Value| {
        let payload = &mut event["payload"];
        let there = if payload["seats"].is_array() { payload } else { &mut payload["opening"] };
        assert!(there["seats"].is_array(), "{there}");
        there["seats"] = seats;
    };
    let began = Instant::now();
    // 100,000 seats in one line are too long a line; 300 are too many seats.
    for count in [100_000, 300] {
        let crowd: Vec<Value> = (0..count).map(seat).collect();
        bring(&forged(&|event| seats(event, crowd.clone().into()))).refused(400, "MALFORMED");
    }
    let long = json!([{ "player_id": "p1", "name": "E".repeat(30_000) }, seat(2)]);
    let sentence = bring(&forged(&|event| seats(event, long.clone()))).refused(400, "MALFORMED");
    assert!(sentence.contains("name"), "{sentence}");
    let long_id = forged(&|event| event["gameId"] = "g".repeat(1000).into());
    bring(&long_id).refused(400, "MALFORMED");
    let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
    bring(&deep).refused(400, "MALFORMED");
    let deep = first.replace("\"payload\":{", &format!("\"payload\":{{\"deep\":{deep},"));
    assert!(matches!(bring(&deep).status, 200 | 400));
    let endless = log.repeat(5001 / log.lines().count() + 1);
    assert_eq!(bring(&endless).refused(413, "TOO_LARGE"), "a log may have at most 5000 events");
    bring(&" ".repeat((8 << 20) + 1)).refused(413, "TOO_LARGE");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn only_so_many_logs_are_brought_along_at_once() {
    let house = house("replays_per_address = 1\nreplays = 2");
    let log = whole_log();
    let strangers = [2, 3, 4].map(|last| Stranger::new(&house, last));
    // Two of them never finish what they send.
    let slow = [0, 1].map(|nth: usize| {
        use std::io::Write;
        let mut stream = strangers[nth].connect();
        let head = "POST /api/v1/replays HTTP/1.1\r\nHost: parlor\r\nContent-Length: 99\r\n\r\n";
        stream.write_all(head.as_bytes()).expect("a head");
        stream
    });
    let bring = |nth: usize| strangers[nth].call("POST", REPLAYS, &[], log.as_bytes());
    until("a refusal", || (bring(2).status == 503).then_some(()));
    refused_for_now(&bring(2), 503, "BUSY");
    refused_for_now(&bring(0), 429, "BUSY");
    let admin = [("Authorization", "Bearer the-house-itself")];
    strangers[2].call("POST", REPLAYS, &admin, log.as_bytes()).with(200);
    drop(slow);
    until("room again", || (bring(2).status == 200).then_some(()));
}

#[test]
fn tables_of_bots_alone_are_few_and_end_when_nobody_watches() {
    let house = house(
        "self_playing_per_address = 1\nself_playing = 2\nself_playing_unwatched_s = 2\n\
         self_playing_pace_ms = 300",
    );
    let [eve, joe, sue] = [2, 3, 4].map(|last| Stranger::new(&house, last));
    let mut order = bots_alone("koikoi", 2);
    order["bot_ms"] = 0.into();
    let first = eve.post(TABLES, &order);
    first.with(201);
    refused_for_now(&eve.post(TABLES, &order), 429, "TOO_MANY_SELF_PLAYING");
    let second = joe.post(TABLES, &order);
    second.with(201);
    refused_for_now(&sue.post(TABLES, &order), 503, "TOO_MANY_SELF_PLAYING");
    // A table with a person is another thing.
    sue.post(TABLES, &two_people()).with(201);
    // They are paced, whatever was asked for.
    std::thread::sleep(Duration::from_millis(900));
    let admin = [("Authorization", "Bearer the-house-itself")];
    let log = eve.call("GET", &path(&first, "/log?view=admin"), &admin, b"").text;
    assert!(log.lines().count() < 40, "{} events in a second", log.lines().count());
    // One of them is watched, by a stream that is never read.
    let watching = joe.watch(&path(&second, "/events"), None).expect("a stream");
    until("the end of the first", || {
        // Whoever looks at it keeps it alive; the list does not.
        let list = sue.get("/api/v1/tables?status=terminated").with(200);
        (list["tables"].as_array()?.len() == 1).then_some(())
    });
    let info = eve.get(&path(&first, "")).with(200);
    assert_eq!(info["status"], "terminated");
    assert_eq!(joe.get(&path(&second, "")).with(200)["status"], "playing");
    eve.post(TABLES, &order).with(201);
    drop(watching);
    // The admin's tables are not counted, and go on.
    let of_admin = eve.call("POST", TABLES, &admin, order.to_string().as_bytes());
    of_admin.with(201);
}

#[test]
fn a_game_of_bots_ends_at_its_longest() {
    let house = house("self_playing_events = 300\nself_playing_pace_ms = 1");
    let eve = Stranger::new(&house, 2);
    let mut order = bots_alone("stud", 2);
    order["rules"] = "open".into();
    let laid = eve.post(TABLES, &order);
    laid.with(201);
    until("the end", || {
        let info = eve.get(&path(&laid, "")).with(200);
        (info["status"] == "terminated").then_some(())
    });
    let log = eve.get(&path(&laid, "/log?view=public"));
    assert_eq!(log.status, 200);
    assert!((200..350).contains(&log.text.lines().count()), "{}", log.text.lines().count());
    assert!(log.text.contains("at most 300 events"), "everyone is told why");
}

#[test]
fn nobody_ends_a_game_by_talking() {
    let house = house("events_per_game = 120\ncommands_per_second = 1000");
    let eve = Stranger::new(&house, 2);
    let mut seats = vec![json!({ "kind": "human", "name": "Eve" })];
    seats.resize(7, json!({ "kind": "bot", "bot": "random" }));
    let order = json!({ "game": "mafia", "rules": { "preset": "7p2m", "nightSeconds": 3 }, "seats": seats });
    let laid = eve.post(TABLES, &order);
    let bearer = format!("Bearer {}", laid.with(201)["token"].as_str().expect("a token"));
    let headers = [("Authorization", bearer.as_str())];
    let talk = json!({ "type": "SAY", "text": "Hm", "final": false }).to_string();
    let path = path(&laid, "/commands?dialect=mafia.events");
    let refusal = until("a refusal of talk", || {
        let said = eve.call("POST", &path, &headers, talk.as_bytes());
        (said.json()["code"] == "TOO_LONG_FOR_TALK").then_some(said)
    });
    refusal.refused(409, "TOO_LONG_FOR_TALK");
    assert_eq!(eve.get(&self::path(&laid, "")).with(200)["status"], "playing");
}

#[test]
fn an_address_has_only_so_many_tables_however_it_asks() {
    let house = house("live_tables_per_address = 2\nlive_tables = 3");
    let [eve, joe] = [2, 3].map(|last| Stranger::new(&house, last));
    let first = eve.post(TABLES, &two_people());
    let token = first.with(201)["token"].as_str().expect("a token").to_owned();
    let quick = json!({ "game": "stud", "name": "Eve" });
    eve.post("/api/v1/tables/quick", &quick).with(201);
    refused_for_now(&eve.post(TABLES, &two_people()), 429, "TOO_MANY_TABLES");
    refused_for_now(
        &eve.post("/api/v1/tables/quick", &json!({ "game": "dice", "name": "Eve" })),
        429,
        "TOO_MANY_TABLES",
    );
    let session = json!({ "playerCount": 2, "nickname": "Eve" });
    refused_for_now(&eve.post("/sessions", &session), 429, "TOO_MANY_TABLES");
    joe.post("/sessions", &session).with(201);
    refused_for_now(&joe.post("/sessions", &session), 503, "TOO_MANY_TABLES");
    // What is over makes room; a rematch takes it.
    let bearer = format!("Bearer {token}");
    let headers = [("Authorization", bearer.as_str())];
    eve.call("POST", &path(&first, "/terminate"), &headers, b"{}").with(200);
    eve.call("POST", &path(&first, "/rematch"), &headers, b"").with(201);
    refused_for_now(&eve.post(TABLES, &two_people()), 429, "TOO_MANY_TABLES");
}

#[test]
fn whoever_has_written_enough_waits_for_tomorrow() {
    let house = house(
        "megabytes_per_address_and_day = 1\nself_playing_pace_ms = 1\n\
         self_playing_events = 100000\nevents_per_game = 100000\n\
         self_playing_per_address = 20\ntables_per_minute = 10000",
    );
    let [eve, joe] = [2, 3].map(|last| Stranger::new(&house, last));
    let mut order = bots_alone("stud", 7);
    order["rules"] = "open".into();
    let laid = eve.post(TABLES, &order);
    laid.with(201);
    // Many tables write faster than one; those that are on when it is enough end.
    until("the last byte of the day", || {
        let more = eve.post(TABLES, &order);
        (more.json()["code"] == "QUOTA_SPENT").then_some(())
    });
    until("the end", || {
        let info = eve.get(&path(&laid, "")).with(200);
        (info["status"] == "terminated").then_some(())
    });
    refused_for_now(&eve.post(TABLES, &two_people()), 429, "QUOTA_SPENT");
    joe.post(TABLES, &two_people()).with(201);
}

#[test]
fn players_get_in_where_strangers_have_filled_a_table() {
    let house = house("streams_per_table = 5\nwatching_per_address = 6\nstreams_per_seat = 2");
    let table = house.two_people(&json!({}));
    let [eve, joe] = [2, 3].map(|last| Stranger::new(&house, last));
    let events = table.path("/events?dialect=log&after=0");
    let mut crowd: Vec<_> = (0..5).map(|_| eve.watch(&events, None).expect("a place")).collect();
    refused_for_now(&eve.watch(&events, None).unwrap_err(), 429, "TOO_MANY_STREAMS");
    // Both players come, on every wire, and may open as many as they like.
    let mut ann = house.connect(&table, 0, PROTOCOL, None);
    ann.next().expect("a snapshot");
    let own: Vec<_> =
        (0..4).map(|_| eve.watch(&events, table.token(1)).expect("players get in")).collect();
    let mut own = own.into_iter();
    assert!(ends(own.next().expect("the oldest")), "it gives way to a newer one");
    assert!(ends(own.next().expect("the next")));
    step(&house, &table, PROTOCOL, &mut Chance::new(1));
    ann.next_event().expect("the game goes on");
    // Somebody else who wants to watch has a place of the crowd's.
    let joe = joe.watch(&events, None).expect("a fair share");
    assert!(ends(crowd.remove(0)));
    drop((joe, own, crowd));
}

#[test]
fn an_address_watches_only_so_much() {
    let house = house("watching_per_address = 3");
    let table = house.two_people(&json!({}));
    let eve = Stranger::new(&house, 2);
    let events = table.path("/events");
    let mut watching: Vec<_> =
        (0..3).map(|_| eve.watch(&events, None).expect("a stream")).collect();
    refused_for_now(&eve.watch(&events, None).unwrap_err(), 429, "TOO_MANY_STREAMS");
    Stranger::new(&house, 3).watch(&events, None).expect("others may");
    watching.pop();
    until("a place", || eve.watch(&events, None).ok());
}

#[test]
fn codes_are_guessed_no_faster_than_documented() {
    let house = house("guesses_per_minute = 5\nguesses_in_all_per_minute = 8");
    let table = house.two_people(&json!({}));
    let [eve, joe] = [2, 3].map(|last| Stranger::new(&house, last));
    // Whichever call she tries, they are counted together.
    let guesses = [
        "/api/v1/tables/AAAAAA",
        "/api/v1/tables/AAAAAB/snapshot",
        "/api/v1/tables/AAAAAC/log",
        "/api/sessions/still-pilz-29",
        "/api/v1/tables/AAAAAD/events",
    ];
    for guess in guesses {
        assert_eq!(eve.get(guess).status, 404, "{guess}");
    }
    let right = format!("{TABLES}/{}", table.code);
    for guess in guesses.into_iter().chain([right.as_str()]) {
        refused_for_now(&eve.get(guess), 429, "TOO_MANY_GUESSES");
    }
    let join = format!("{right}/seats");
    refused_for_now(&eve.post(&join, &json!({ "name": "Eve" })), 429, "TOO_MANY_GUESSES");
    // Ids are no codes, and others may still look.
    eve.get(&table.path("")).with(200);
    for _ in 0..20 {
        joe.get(&right).with(200);
    }
    for guess in &guesses[..3] {
        assert_eq!(joe.get(guess).status, 404);
    }
    refused_for_now(&joe.get(&right), 429, "TOO_MANY_GUESSES");
}

#[test]
fn a_socket_that_never_stops_talking_is_closed() {
    let house = house("messages_per_ten_seconds = 20");
    let table = house.two_people(&json!({}));
    let mut socket = Socket::open(&house, &table, PROTOCOL).expect("a socket");
    socket.say(&json!({ "type": "watch" }));
    socket.next().expect("a snapshot");
    let shout = json!({ "command": "Fly" }).to_string();
    for _ in 0..200 {
        if socket.say_text(&shout).is_err() {
            break;
        }
    }
    assert_eq!(socket.closing_code(), Some(1008));
}

/// What a stranger does for the so-and-so-many-th time.
type Attack<'a> = dyn Fn(&Stranger, usize) + Sync + 'a;

/// Floods from several addresses, while two pairs of people play at tables of
/// their own: how long their moves take. On a quiet machine 99 of 100 take
/// less than 50 ms; here only the order of magnitude is looked at.
#[test]
fn floods_leave_honest_players_alone() {
    // The limits as they are by default.
    let house = House::bare(&["--bot-pace", "0", "--admin-token", ADMIN], &[]);
    let log = whole_log();
    let watched = house.two_people(&json!({ "rounds": 12 }));
    let code = watched.code.clone();
    let stop = AtomicBool::new(false);
    let run = |last: u8, attack: &Attack<'_>| {
        let stranger = Stranger::new(&house, last);
        let mut nth = 0;
        while !stop.load(Ordering::Relaxed) {
            attack(&stranger, nth);
            nth += 1;
        }
        nth
    };
    let tables = |eve: &Stranger, _: usize| drop(eve.post(TABLES, &bots_alone("koikoi", 2)));
    let guesses = |eve: &Stranger, nth: usize| {
        drop(eve.get(&format!("{TABLES}/{}", format!("{:06X}", nth).replace('0', "Z"))));
    };
    let joins = |eve: &Stranger, _: usize| {
        drop(eve.post(&format!("{TABLES}/{code}/seats"), &json!({ "name": "Eve" })));
    };
    let replays = |eve: &Stranger, _: usize| drop(eve.call("POST", REPLAYS, &[], log.as_bytes()));
    let watches = |eve: &Stranger, _: usize| {
        drop(eve.watch(&watched.path("/events?dialect=words&after=0"), None));
    };
    let lists = |eve: &Stranger, _: usize| drop(eve.get("/api/v1/tables?limit=1000"));
    let attacks: [(u8, &Attack<'_>); 7] = [
        (11, &tables),
        (12, &guesses),
        (13, &joins),
        (14, &replays),
        (15, &replays),
        (16, &watches),
        (17, &lists),
    ];
    let play = |table: &Table| {
        let (mut took, mut chance) = (Vec::new(), Chance::new(5));
        let began = Instant::now();
        // Some seconds of play, and longer where the machine has other work.
        while took.len() < 15 && began.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(100));
            let moves = [0, 1].map(|seat| {
                let known = Standing::read(&house.snapshot(table, Some(seat), PROTOCOL));
                known.choose(&mut chance).map(|command| (seat, command))
            });
            // Between rounds nobody is awaited.
            let Some((seat, command)) = moves.into_iter().flatten().next() else { continue };
            let asked = Instant::now();
            let answer = house.command(table, seat, PROTOCOL, &command);
            took.push(asked.elapsed());
            assert_eq!(answer.status, 200, "{}", answer.text);
        }
        took
    };
    let other = house.two_people(&json!({ "rounds": 12 }));
    let (mut took, calls) = std::thread::scope(|scope| {
        let run = &run;
        let floods: Vec<_> = attacks
            .map(|(last, attack)| scope.spawn(move || run(last, attack)))
            .into_iter()
            .collect();
        let play = &play;
        let players = [&watched, &other].map(|table| scope.spawn(move || play(table)));
        let took: Vec<_> =
            players.into_iter().flat_map(|player| player.join().expect("a player")).collect();
        stop.store(true, Ordering::Relaxed);
        let calls: Vec<_> = floods.into_iter().map(|it| it.join().expect("a flood")).collect();
        (took, calls)
    });
    took.sort();
    let at = |share: usize| took[(took.len() * share / 100).min(took.len() - 1)];
    println!(
        "{} moves among {calls:?} hostile calls: p50 {:?}, p90 {:?}, p99 {:?}",
        took.len(),
        at(50),
        at(90),
        at(99)
    );
    assert!(took.len() > 5, "only {} moves", took.len());
    assert!(at(50) < Duration::from_secs(1), "p50 {:?}", at(50));
}
