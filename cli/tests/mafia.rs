//! Mafia at the real server: a person among nine bots, over SSE and WebSocket;
//! games that are led; logs that are read back.

mod common;

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use common::*;
use serde_json::{Value, json};

fn for_people() -> Value {
    json!({ "acknowledge": true })
}

/// A town in which the person has this role.
fn lay_as(house: &House, role: &str, rules: &Value, bot_ms: u64) -> Table {
    (0..200)
        .map(|number| lay_slow_town(house, &format!("cast {number}"), rules, bot_ms))
        .find(|table| you(house, table)["role"] == role)
        .expect("someone is dealt the role")
}

fn you(house: &House, table: &Table) -> Value {
    house.snapshot(table, Some(PERSON), MAFIA)["payload"]["you"].take()
}

fn kinds(told: &[Message]) -> HashSet<String> {
    told.iter().map(Message::name).collect()
}

/// Whatever is said or thought in a turn ends once, with its last part.
#[track_caller]
fn check_turns(told: &[Message]) {
    let mut ended: HashMap<String, bool> = HashMap::new();
    for message in told {
        let payload = &message.json()["payload"];
        let Some(turn) = payload["turnId"].as_str() else { continue };
        assert_ne!(ended.get(turn), Some(&true), "{turn} goes on after its end");
        ended.insert(turn.to_owned(), payload["final"] == true);
    }
    let open: Vec<_> = ended.iter().filter(|(_, ended)| !**ended).collect();
    assert!(open.is_empty(), "turns without an end: {open:?}");
}

#[track_caller]
fn check_stream(told: &[Message], schemas: &mut Schemas) {
    assert_eq!(positions(told), (1..=told.len() as u64).collect::<Vec<_>>(), "dense positions");
    for message in told {
        schemas.check(MAFIA, &message.name(), &message.json());
    }
    check_turns(told);
}

#[test]
fn a_person_and_nine_bots_play_to_the_end_over_sse() {
    let house = House::open(&[]);
    let mut schemas = Schemas::of(&house);
    for number in 0..4 {
        let table = lay_town(&house, &format!("over sse {number}"), &for_people());
        let mut own = house.listen(&table, Some(PERSON), MAFIA, Some(0));
        let mut town = house.listen(&table, None, MAFIA, Some(0));
        let mut chance = Chance::new(number);
        while let Some(known) = question(&house, &table) {
            house.command(&table, PERSON, MAFIA, &answer(&known, &mut chance)).with(200);
        }
        let own = own.take_until("GAME_ENDED");
        let town = town.take_until("GAME_ENDED");
        check_stream(&own, &mut schemas);
        check_stream(&town, &mut schemas);
        let public = ["GAME_CREATED", "PHASE_CHANGED", "NIGHT_RESOLVED", "PLAYER_ELIMINATED"];
        let public = public.iter().chain(&["AGENT_SAY_STREAM", "VOTE_CAST", "VOTE_RESULT"]);
        for kind in public {
            assert!(kinds(&town).contains(*kind), "no {kind}");
        }
        assert!(!kinds(&town).contains("AGENT_THINK_STREAM"));
    }
}

#[test]
fn a_person_and_nine_bots_play_to_the_end_over_websocket() {
    let house = House::open(&[]);
    let mut schemas = Schemas::of(&house);
    let table = lay_town(&house, "over websocket", &for_people());
    let [mut own, mut town] = [Some(PERSON), None].map(|seat| {
        let mut socket = Socket::open(&house, &table, MAFIA).expect("the socket opens");
        socket.enter(&table, seat);
        socket
    });
    let mut chance = Chance::new(5);
    let mut said = Value::Null;
    while let Some(known) = question(&house, &table) {
        // A command on a socket is not answered: what it made is told.
        if known != said {
            own.say(&answer(&known, &mut chance));
            said = known;
        }
    }
    for socket in [&mut own, &mut town] {
        let mut told: Vec<Message> = Vec::new();
        while told.last().is_none_or(|message| message.name() != "GAME_ENDED") {
            told.push(socket.next_event().expect("an event"));
        }
        check_stream(&told, &mut schemas);
    }
}

#[test]
fn a_spectator_hears_words_while_the_game_goes_on() {
    let house = House::open(&[]);
    let table = lay_bots(&house, "live", 30);
    let mut stream = house.listen(&table, None, MAFIA, Some(0));
    let mut socket = Socket::open(&house, &table, MAFIA).expect("the socket opens");
    socket.enter(&table, None);
    let heard = stream.take_until("AGENT_SAY_STREAM");
    let first = heard.last().expect("words").json();
    assert_eq!(first["payload"]["final"], false, "the first part of a statement: {first}");
    assert_eq!(house.get(&table.path(""), None).with(200)["status"], "playing");
    let came = Instant::now();
    let rest = stream.take_until("VOTE_CAST");
    assert!(came.elapsed() > Duration::from_millis(300), "ten turns take their time");
    let live: Vec<Message> = heard.into_iter().chain(rest).collect();
    check_turns(&live);
    assert_eq!(socket.take(live.len()), live, "the same over WebSocket");
    house.post(&table.path("/pace"), Some(ADMIN), &json!({ "bot_ms": 0 })).with(200);
    stream.take_until("GAME_ENDED");
    // Thoughts come in parts too, for those who may hear them.
    let thoughts: Vec<Value> = lines(&house.admin_log(&table));
    let parts = |last: bool| {
        let is_part = |event: &&Value| {
            event["eventType"] == "AGENT_THINK_STREAM" && event["payload"]["final"] == last
        };
        thoughts.iter().filter(is_part).count()
    };
    assert!(parts(false) > 10 && parts(true) > 10);
}

fn lead(house: &House, table: &Table, call: &str, token: Option<&str>) -> Answer {
    house.call("POST", &table.path(call), token, b"")
}

#[test]
fn a_paused_game_stands_still_and_goes_on() {
    let mut house = House::open(&[]);
    let table = lay_town(&house, "pause", &for_people());
    let host = table.token(PERSON);
    let known = question(&house, &table).expect("a question");
    let paused = lead(&house, &table, "/pause", host).with(200);
    assert_eq!((&paused["paused"], &paused["status"]), (&json!(true), &json!("playing")));
    let log = house.admin_log(&table);
    assert!(log.contains("GAME_PAUSED"));
    let command = answer(&known, &mut Chance::new(1));
    house.command(&table, PERSON, MAFIA, &command).refused(409, "PAUSED");
    lead(&house, &table, "/pause", host).with(200);
    assert_eq!(house.admin_log(&table), log, "a second pause is none");
    house.kill();
    house.reopen();
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(house.admin_log(&table), log, "nothing happens, also after a restart");
    assert_eq!(lead(&house, &table, "/resume", Some(ADMIN)).with(200)["paused"], false);
    house.command(&table, PERSON, MAFIA, &command).with(200);
    let mut chance = Chance::new(2);
    while let Some(known) = question(&house, &table) {
        house.command(&table, PERSON, MAFIA, &answer(&known, &mut chance)).with(200);
    }
    lead(&house, &table, "/pause", host).refused(409, "ALREADY_OVER");
    let file = house.scratch.write("paused.jsonl", house.admin_log(&table));
    assert_eq!(parlor(&["verify", &file]).code, 0);
}

#[test]
fn a_step_is_one_decision_that_everyone_sees() {
    let house = House::open(&[]);
    let table = lay_bots(&house, "step", 50);
    lead(&house, &table, "/step", Some(ADMIN)).refused(409, "NOT_PAUSED");
    lead(&house, &table, "/pause", Some(ADMIN)).with(200);
    house.post(&table.path("/pace"), Some(ADMIN), &json!({ "bot_ms": 0 })).with(200);
    let count = |kind: &str| {
        lines(&house.admin_log(&table)).iter().filter(|event| event["eventType"] == kind).count()
    };
    let step = || {
        let pauses = count("GAME_PAUSED");
        lead(&house, &table, "/step", Some(ADMIN)).with(200);
        until("the step is over", || (count("GAME_PAUSED") > pauses).then_some(()));
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(count("GAME_PAUSED"), pauses + 1);
    };
    // What is left of the night is one step, so that pauses do not count
    // those who act in it.
    step();
    assert_eq!(count("NIGHT_RESOLVED"), 1);
    let statements = || {
        let log = lines(&house.admin_log(&table));
        let said = log.iter().filter(|event| event["eventType"] == "AGENT_SAY_STREAM");
        said.filter(|event| event["payload"]["final"] == true).count()
    };
    for number in 1..=3 {
        step();
        assert_eq!(statements(), number);
    }
    while count("VOTE_CAST") == 0 {
        step();
    }
    assert_eq!(count("VOTE_CAST"), 1);
    lead(&house, &table, "/resume", Some(ADMIN)).with(200);
    until("the end", || (count("GAME_ENDED") == 1).then_some(()));
    let file = house.scratch.write("stepped.jsonl", house.admin_log(&table));
    assert_eq!(parlor(&["verify", &file]).code, 0);
}

#[test]
fn a_game_is_called_off_by_who_laid_it_and_by_nobody_else() {
    let house = House::open(&[]);
    let mut seats = vec![json!({ "kind": "bot" }); 8];
    seats.insert(3, json!({ "name": "Ann", "kind": "human" }));
    seats.push(json!({ "kind": "human" }));
    let mut table = house.lay(&json!({ "game": "mafia", "seats": seats }));
    let guest = house.join(&mut table, "Ben");
    lead(&house, &table, "/pause", table.token(3)).refused(409, "NOT_STARTED");
    house.call("POST", &table.path("/start"), table.token(3), b"").with(200);
    let end = |token| house.post(&table.path("/terminate"), token, &json!({ "reason": "supper" }));
    for call in ["/pause", "/resume", "/step"] {
        lead(&house, &table, call, None).refused(401, "UNAUTHENTICATED");
        lead(&house, &table, call, table.token(guest)).refused(403, "FORBIDDEN");
    }
    end(None).refused(401, "UNAUTHENTICATED");
    end(table.token(guest)).refused(403, "FORBIDDEN");
    assert_eq!(house.get(&table.path("/log?view=postmortem"), None).status, 409);
    assert_eq!(end(table.token(3)).with(200)["status"], "terminated");
    assert_eq!(house.get(&table.path(""), None).with(200)["status"], "terminated");
    let log = house.get(&table.path("/log?view=postmortem"), None);
    let last = lines(&log.text).pop().expect("the end");
    assert_eq!(last["eventType"], "GAME_ENDED");
    assert_eq!(
        (&last["payload"]["winner"], &last["payload"]["calledOff"]),
        (&Value::Null, &json!("supper"))
    );
    let koikoi = house.against_bot(&json!({}));
    lead(&house, &koikoi, "/pause", koikoi.token(0)).refused(409, "CANNOT_PAUSE");
}

#[test]
fn names_are_unique_and_do_not_tell_who_is_a_bot() {
    let house = House::open(&[]);
    let mut seats = vec![json!({ "kind": "bot" }); 8];
    seats.push(json!({ "name": "Ann", "kind": "human" }));
    seats.push(json!({ "kind": "human" }));
    let order = json!({ "game": "mafia", "seats": seats });
    let mut table = house.lay(&order);
    house.post(&table.path("/seats"), None, &json!({ "name": "ann" })).refused(409, "NAME_TAKEN");
    house.join(&mut table, "Ben");
    let shown = house.get(&table.path(""), None).with(200);
    let names: HashSet<&str> = shown["seats"]
        .as_array()
        .expect("seats")
        .iter()
        .filter_map(|seat| seat["name"].as_str())
        .collect();
    assert_eq!(names.len(), 10, "{names:?}");
    assert!(!names.contains("bayes"), "{names:?}");
    let mut twice = order;
    twice["seats"][0]["name"] = json!("ANN");
    house.post("/api/v1/tables", None, &twice).refused(409, "NAME_TAKEN");
}

#[test]
fn a_villager_takes_note_of_the_night() {
    let house = House::open(&[]);
    let table = lay_as(&house, "villager", &for_people(), 0);
    let night = until("everyone else has acted", || {
        let acted = lines(&house.admin_log(&table));
        let waits = |kind: &str| acted.iter().filter(|event| event["eventType"] == kind).count();
        (waits("NIGHT_ACTION_SUBMITTED") == 5 && waits("NIGHT_ACKNOWLEDGED") == 4).then_some(acted)
    });
    assert!(!night.iter().any(|event| event["eventType"] == "NIGHT_RESOLVED"));
    let asked = you(&house, &table);
    assert_eq!(asked["legalActions"], json!([{ "type": "ACKNOWLEDGE" }]));
    let refuse = |command: Value, code: &str| {
        assert_eq!(house.command(&table, PERSON, MAFIA, &command).json()["code"], code);
    };
    refuse(json!({ "type": "KILL", "target": "p2" }), "ROLE_MISMATCH");
    refuse(json!({ "type": "VOTE", "target": "p2" }), "WRONG_PHASE");
    refuse(json!({ "type": "SAY", "text": "hello" }), "WRONG_PHASE");
    house.command(&table, PERSON, MAFIA, &json!({ "type": "ACKNOWLEDGE" })).with(200);
    assert!(house.admin_log(&table).contains("NIGHT_RESOLVED"));
}

/// The known clock: words beside a move do not stop it, whoever says them.
#[test]
fn a_deadline_falls_whatever_is_whispered_meanwhile() {
    let house = House::open(&[]);
    let rules = json!({ "nightSeconds": 3, "mafiaChannel": true });
    let table = lay_as(&house, "mafia", &rules, 0);
    let began = Instant::now();
    let left = house.snapshot(&table, Some(PERSON), MAFIA)["secondsLeft"].as_u64();
    assert!(left.is_some_and(|left| left <= 3), "{left:?}");
    let whisper = json!({ "type": "SAY", "text": "psst ", "final": false, "channel": "mafia" });
    let fault =
        |events: &[Value]| events.iter().find(|event| event["eventType"] == "AGENT_FAULT").cloned();
    let fallen = until("the deadline", || {
        // Once the night is over there is nobody to whisper to.
        drop(house.command(&table, PERSON, MAFIA, &whisper));
        std::thread::sleep(Duration::from_millis(200));
        fault(&lines(&house.admin_log(&table)))
    });
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
    assert_eq!(fallen["payload"]["remedy"], "fallback");
    assert_eq!(fallen["payload"]["reason"], "timeout");
    assert!(!house.get(&table.path("/log"), table.token(PERSON)).text.contains("AGENT_FAULT"));
}

#[test]
fn the_same_again_is_accepted_and_makes_no_event() {
    let house = House::open(&[]);
    let table = lay_as(&house, "doctor", &for_people(), 60_000);
    let protect = json!({ "type": "PROTECT", "target": "p1" });
    let first = house.command(&table, PERSON, MAFIA, &protect).with(200);
    let log = house.admin_log(&table);
    assert_eq!(house.command(&table, PERSON, MAFIA, &protect).with(200), first);
    assert_eq!(house.admin_log(&table), log);
    let other = json!({ "type": "PROTECT", "target": "p2" });
    house.command(&table, PERSON, MAFIA, &other).with(200);
    assert_eq!(lines(&house.admin_log(&table)).len(), lines(&log).len() + 1);
}
