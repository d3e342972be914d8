//! Who sees what of Mafia, at the real server: every view holds exactly what
//! it may, live, resumed, as snapshot and as export, before the end and after.
//!
//! `Truth` tells the views from the stored log by a reading of the rules that
//! is independent of the game's own.

mod common;

use std::collections::{HashMap, HashSet};

use common::*;
use serde_json::{Value, json};

/// Everything that happened, and who is who.
struct Truth {
    events: Vec<Value>,
    roles: HashMap<String, String>,
    secrets: Vec<String>,
}

/// Whose eyes: a seat's, or the town's.
type Eyes = Option<usize>;

const TOWN: Eyes = None;

impl Truth {
    fn read(log: &str) -> Truth {
        let events = lines(log);
        let created = &events[0]["payload"];
        let parts = created["initialRoles"].as_array().expect("roles");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let secret = |name: &str| text(&created["opening"]["seal"][name]);
        Truth {
            roles: parts
                .iter()
                .map(|part| (text(&part["playerId"]), text(&part["role"])))
                .collect(),
            secrets: vec![secret("seed"), secret("salt"), created["seed"].to_string()],
            events,
        }
    }

    fn is_over(&self) -> bool {
        self.events.last().is_some_and(|event| event["eventType"] == "GAME_ENDED")
    }

    fn is(&self, eyes: Eyes, role: &str) -> bool {
        eyes.is_some_and(|seat| self.roles[&id(seat)] == role)
    }

    /// Whether the role of a player is known from the beginning.
    fn knows(&self, eyes: Eyes, player: &str) -> bool {
        let mates = self.is(eyes, "mafia") && self.roles[player] == "mafia";
        eyes.is_some_and(|seat| id(seat) == player) || mates
    }

    /// Whether the role of a player has come out since: by a flip, or because
    /// only mafia is on the mafia's side, by a flip of the side or a finding.
    fn has_shown(&self, eyes: Eyes, player: &str) -> bool {
        let is_mafia = self.roles[player] == "mafia";
        self.events.iter().any(|event| {
            let payload = &event["payload"];
            let found = &payload["investigationResult"]["targetId"];
            match event["eventType"].as_str() {
                Some("PLAYER_ELIMINATED") if payload["playerId"] == player => {
                    payload["flip"] == "role" || (payload["flip"] == "team" && is_mafia)
                }
                Some("NIGHT_RESOLVED") => is_mafia && found == player && self.is(eyes, "sheriff"),
                _ => false,
            }
        })
    }

    /// Section 6, row by row: what these eyes see of an event.
    fn seen(&self, event: &Value, eyes: Eyes) -> Option<Value> {
        let kind = event["eventType"].as_str().expect("a type");
        let mut payload = event["payload"].clone();
        let own = |field: &str| eyes.is_some_and(|seat| payload[field] == json!(id(seat)));
        let sees = match kind {
            "PHASE_CHANGED" | "VOTE_RESULT" | "GAME_ENDED" => true,
            "GAME_PAUSED" | "GAME_RESUMED" | "FLOOR_GIVEN" => true,
            "GAME_CREATED" | "NIGHT_RESOLVED" | "PLAYER_ELIMINATED" => true,
            "NIGHT_ACTION_SUBMITTED" => {
                own("agentId") || (payload["actionType"] == "KILL" && self.is(eyes, "mafia"))
            }
            "AGENT_THINK_STREAM" | "NIGHT_ACKNOWLEDGED" => own("agentId"),
            "AGENT_SAY_STREAM" => payload["channel"] == "public" || self.is(eyes, "mafia"),
            "VOTE_CAST" => payload["sealed"] != true || own("voterId"),
            "AGENT_ASSIGNED" | "AGENT_FAULT" | "AGENT_USAGE" => false,
            other => panic!("{other} is no event of this game"),
        };
        match kind {
            "GAME_CREATED" => self.veil_roles(&mut payload, eyes),
            "NIGHT_RESOLVED" => {
                if !self.is(eyes, "doctor") {
                    payload["protectedPlayerId"] = Value::Null;
                    payload["protectedPlayerName"] = Value::Null;
                }
                if !self.is(eyes, "sheriff") {
                    payload["investigationResult"] = Value::Null;
                }
            }
            "PLAYER_ELIMINATED" => {
                let team = if payload["role"] == "mafia" { "mafia" } else { "town" };
                let flip = payload["flip"].take();
                if flip != "none" {
                    payload["team"] = json!(team);
                }
                if flip != "role" {
                    payload["role"] = Value::Null;
                }
            }
            _ => {}
        }
        sees.then(|| without_nulls(json!({ "eventType": kind, "payload": payload })))
    }

    fn veil_roles(&self, payload: &mut Value, eyes: Eyes) {
        let seal = payload["opening"]["seal"]["commitment"].take();
        let rules = payload["opening"]["rules"].take();
        let fields = payload.as_object_mut().expect("fields");
        fields.remove("seed");
        fields.remove("opening");
        fields.insert("rules".to_owned(), rules);
        fields.insert("seedCommitment".to_owned(), seal);
        for part in payload["initialRoles"].as_array_mut().expect("roles") {
            let player = part["playerId"].as_str().expect("an id").to_owned();
            if !self.knows(eyes, &player) {
                part["role"] = Value::Null;
            }
        }
    }

    /// What these eyes have been told so far.
    fn told(&self, eyes: Eyes) -> Vec<Value> {
        self.events.iter().filter_map(|event| self.seen(event, eyes)).collect()
    }

    /// No view has the seed before it is opened in the last event.
    #[track_caller]
    fn check_sealed(&self, text: &str) {
        for secret in &self.secrets {
            assert!(!text.contains(secret.as_str()), "the seal is broken: {text}");
        }
    }
}

fn id(seat: usize) -> String {
    format!("p{}", seat + 1)
}

/// A field that is absent and one that is null say the same: nothing.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let said = fields.into_iter().filter(|(_, value)| !value.is_null());
            said.map(|(name, value)| (name, without_nulls(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// What an envelope says, whatever its place and time.
fn said(envelope: &Value) -> Value {
    let (kind, payload) = (&envelope["eventType"], &envelope["payload"]);
    without_nulls(json!({ "eventType": kind, "payload": payload }))
}

/// A snapshot holds no role, deed or thought that these eyes may not see.
#[track_caller]
fn check_snapshot(truth: &Truth, eyes: Eyes, snapshot: &Value) {
    let list = |name: &str| snapshot[name].as_array().expect(name).clone();
    for player in list("players") {
        let name = player["playerId"].as_str().expect("an id");
        let open = truth.is_over() || truth.knows(eyes, name) || truth.has_shown(eyes, name);
        assert_eq!(!player["role"].is_null(), open, "{eyes:?} of {player}");
    }
    for deed in list("tonight") {
        let by = deed["agentId"].as_str().expect("an id");
        assert!(truth.knows(eyes, by), "{eyes:?} sees {deed}");
    }
    for (list_name, role) in [("protections", "doctor"), ("investigations", "sheriff")] {
        assert!(list(list_name).is_empty() || truth.is(eyes, role), "{eyes:?}: {list_name}");
    }
    for line in list("transcript") {
        let own = eyes.is_some_and(|seat| line["agentId"] == json!(id(seat)));
        assert!(line["private"] == false || own || truth.is(eyes, "mafia"), "{eyes:?}: {line}");
        let thinks = line["turnId"].as_str().is_some_and(|turn| turn.starts_with("think"));
        assert!(own || !thinks, "{eyes:?} reads the thought {line}");
    }
}

/// Everything these eyes can get hold of now is exactly what they may see.
fn check_view(house: &House, table: &Table, truth: &Truth, eyes: Eyes, chance: &mut Chance) {
    let told = truth.told(eyes);
    let token = eyes.and_then(|seat| table.token(seat));
    let mut whole = house.listen(table, eyes, MAFIA, Some(0));
    let messages = whole.take(told.len());
    for (message, expected) in messages.iter().zip(&told) {
        assert_eq!(said(&message.json()), *expected, "{eyes:?}");
        if expected["eventType"] != "GAME_ENDED" {
            truth.check_sealed(&message.text);
        }
    }
    let from = chance.below(told.len());
    let resumed = house.listen(table, eyes, MAFIA, Some(from as u64)).take(told.len() - from);
    assert_eq!(resumed, messages[from..], "resumed after {from}");
    let log = house.get(&table.path("/log"), token).text;
    let exported: Vec<Value> = lines(&log).iter().map(said).collect();
    assert_eq!(exported, told, "{eyes:?}");
    let snapshot = house.snapshot(table, eyes, MAFIA);
    assert_eq!(snapshot["sequence"], told.len());
    check_snapshot(truth, eyes, &snapshot["payload"]);
    if !truth.is_over() {
        truth.check_sealed(&log);
        truth.check_sealed(&snapshot.to_string());
    }
}

/// Plays a game with the person, stopping it now and then to look closely.
fn watch(house: &House, table: &Table, seed: u64) -> Truth {
    let mut chance = Chance::new(seed);
    let mut live = [Some(PERSON), TOWN].map(|eyes| house.listen(table, eyes, MAFIA, Some(0)));
    while let Some(known) = question(house, table) {
        if chance.below(3) == 0 {
            house.call("POST", &table.path("/pause"), Some(ADMIN), b"").with(200);
            let truth = Truth::read(&house.admin_log(table));
            for eyes in [Some(PERSON), TOWN] {
                check_view(house, table, &truth, eyes, &mut chance);
            }
            house.get(&table.path("/log?view=postmortem"), None).refused(409, "NOT_OVER");
            house.get(&table.path("/log?view=admin"), None).refused(401, "UNAUTHENTICATED");
            let own = table.token(PERSON);
            house.get(&table.path("/log?view=seat:1"), own).refused(403, "FORBIDDEN");
            house.call("POST", &table.path("/resume"), Some(ADMIN), b"").with(200);
        }
        house.command(table, PERSON, MAFIA, &answer(&known, &mut chance)).with(200);
    }
    let truth = Truth::read(&house.admin_log(table));
    for (eyes, stream) in [Some(PERSON), TOWN].into_iter().zip(&mut live) {
        let heard = stream.take_until("GAME_ENDED");
        let heard: Vec<Value> = heard.iter().map(|message| said(&message.json())).collect();
        assert_eq!(heard, truth.told(eyes), "{eyes:?} live");
        check_view(house, table, &truth, eyes, &mut chance);
    }
    truth
}

fn rules(number: u64) -> Value {
    let flips = ["role", "team", "none"];
    json!({
        "acknowledge": true,
        "votes": if number.is_multiple_of(2) { "open" } else { "sealed" },
        "flip": flips[number as usize % 3],
        "mafiaChannel": true,
    })
}

#[test]
fn every_view_holds_exactly_what_it_may() {
    let mut house = House::open(&[]);
    let mut met = HashSet::new();
    let mut games = Vec::new();
    for number in 0..8 {
        let table = lay_town(&house, &format!("views {number}"), &rules(number));
        let truth = watch(&house, &table, number);
        met.insert(truth.roles[&id(PERSON)].clone());
        games.push((table, truth));
    }
    assert!(met.len() >= 3, "the person plays several roles: {met:?}");
    // The same from the store, for every seat, and once the server is gone.
    let (table, truth) = games.pop().expect("a game");
    let admin = house.admin_log(&table);
    assert_eq!(house.get(&table.path("/log?view=postmortem"), None).text, admin);
    house.stop();
    let export = |view: &str| {
        let store = house.scratch.store();
        parlor(&["export", &table.id, "--view", view, "--store", &store]).out
    };
    assert_eq!(export("admin"), admin);
    assert_eq!(export("postmortem"), admin);
    for eyes in (0..10).map(Some).chain([TOWN]) {
        let view = eyes.map_or("town".to_owned(), |seat| format!("seat:{seat}"));
        let told: Vec<Value> = lines(&export(&view)).iter().map(said).collect();
        assert_eq!(told, truth.told(eyes), "{view}");
    }
    house.reopen();
    check_view(&house, &table, &truth, Some(PERSON), &mut Chance::new(9));
}

#[test]
fn a_seats_time_left_does_not_tell_who_acts_at_night() {
    let house = House::open(&[]);
    let table = lay_slow_town(&house, "clock", &json!({ "nightSeconds": 60 }), 60_000);
    let left = |eyes: Eyes| house.snapshot(&table, eyes, MAFIA)["secondsLeft"].clone();
    let before = left(TOWN);
    assert!(before.as_u64().is_some_and(|left| (55..=60).contains(&left)), "{before}");
    house.post(&table.path("/pace"), Some(ADMIN), &json!({ "bot_ms": 1_500 })).with(200);
    until("somebody acts", || {
        house.admin_log(&table).contains("NIGHT_ACTION_SUBMITTED").then_some(())
    });
    let after = left(TOWN).as_u64().expect("a clock");
    assert!(after < before.as_u64().expect("a clock"), "{after} after {before}");
}

/// Every way to spoil an export, and the line it is spoilt in.
fn spoilt(log: &str) -> Vec<(&'static str, String, usize)> {
    let whole: Vec<String> = log.lines().map(str::to_owned).collect();
    let first = |kind: &str| {
        let named = format!(r#""eventType":"{kind}""#);
        whole.iter().position(|line| line.contains(&named)).expect("it happened")
    };
    let spoil = |edit: &dyn Fn(&mut Vec<String>)| {
        let mut lines = whole.clone();
        edit(&mut lines);
        assert_ne!(lines, whole, "something is spoilt");
        lines.join("\n") + "\n"
    };
    let edit = |kind: &str, from: &str, to: &str| {
        let at = first(kind);
        (spoil(&|lines| lines[at] = lines[at].replacen(from, to, 1)), at + 1)
    };
    let mut all = vec![
        ("a gap", spoil(&|lines| drop(lines.remove(7))), 8),
        ("swapped lines", spoil(&|lines| lines.swap(8, 9)), 9),
        ("a line twice", spoil(&|lines| lines.insert(4, lines[4].clone())), 6),
        ("no beginning", spoil(&|lines| drop(lines.remove(0))), 1),
    ];
    let mut add = |what, (text, line): (String, usize)| all.push((what, text, line));
    add(
        "another speaker",
        edit("AGENT_SAY_STREAM", r#""payload":{"agentId":"p1""#, r#""payload":{"agentId":"p2""#),
    );
    add("an added field", edit("VOTE_RESULT", r#""tie":"#, r#""tie":true,"was":"#));
    add(
        "another death",
        edit("PLAYER_ELIMINATED", r#""eliminatedBy":"night_kill""#, r#""eliminatedBy":"vote""#),
    );
    add("another winner", edit("GAME_ENDED", r#""winner":"town""#, r#""winner":"mafia""#));
    all
}

#[test]
fn an_export_is_read_back_and_a_spoilt_one_is_refused_with_its_line() {
    let house = House::open(&[]);
    let mut chance = Chance::new(3);
    // A game the town wins, with a death at night and words by the first seat.
    let (table, log) = (0..40)
        .map(|number| {
            let table = lay_town(&house, &format!("export {number}"), &json!({}));
            while let Some(known) = question(&house, &table) {
                house.command(&table, PERSON, MAFIA, &answer(&known, &mut chance)).with(200);
            }
            let log = house.admin_log(&table);
            (table, log)
        })
        .find(|(_, log)| {
            let first = log.lines().find(|line| line.contains("AGENT_SAY_STREAM"));
            let death = log.lines().find(|line| line.contains("PLAYER_ELIMINATED"));
            log.contains(r#""winner":"town""#)
                && first.is_some_and(|line| line.contains(r#""agentId":"p1""#))
                && death.is_some_and(|line| line.contains("night_kill"))
        })
        .expect("such a game");
    let elsewhere = Scratch::new();
    let store = elsewhere.store();
    for (what, text, line) in spoilt(&log) {
        let file = elsewhere.write("spoilt.jsonl", text);
        for args in [&["import", "--store", &store, &file][..], &["verify", &file]] {
            let ran = parlor(args);
            assert!(ran.err.contains(&format!("line {line}: ")), "{what}, {line}: {}", ran.err);
            assert_eq!(ran.code, 1, "{what}");
        }
    }
    let file = elsewhere.write("game.jsonl", &log);
    assert_eq!(parlor(&["import", "--store", &store, &file]).code, 0);
    assert_eq!(parlor(&["export", "--store", &store, &table.id]).out, log);
    assert_eq!(parlor(&["verify", "--store", &store, &table.id]).code, 0);
    let last = (log.lines().count() - 1).to_string();
    let state = |args: &[&str]| {
        parlor(&[&["replay", "--json", "--at", &last], args].concat()).json()["table"].take()
    };
    let here = house.scratch.store();
    assert_eq!(state(&[&table.id, "--store", &store]), state(&[&table.id, "--store", &here]));
}

/// The fields that the contract names, of an envelope and of its payload.
fn of_the_contract(line: &str) -> String {
    let mut line: Value = serde_json::from_str(line).expect("JSON");
    let fields = line.as_object_mut().expect("an object");
    fields.retain(|field, _| !["cause", "v"].contains(&field.as_str()));
    let more = [
        "opening",
        "final",
        "channel",
        "ballot",
        "sealed",
        "silent",
        "votesNeededForMajority",
        "runoff",
        "flip",
        "roles",
        "degraded",
        "seedOpening",
    ];
    let payload = line["payload"].as_object_mut().expect("an object");
    payload.retain(|field, _| !more.contains(&field.as_str()));
    line.to_string()
}

#[test]
fn a_log_of_the_contracts_fields_alone_is_replayed_in_any_order() {
    let house = House::open(&[]);
    let table = lay_town(&house, "contract", &json!({}));
    let mut chance = Chance::new(4);
    while let Some(known) = question(&house, &table) {
        house.command(&table, PERSON, MAFIA, &answer(&known, &mut chance)).with(200);
    }
    let log = house.admin_log(&table);
    let elsewhere = Scratch::new();
    let whole = elsewhere.write("whole.jsonl", &log);
    let told = |file: &str| parlor(&["replay", "--json", file]).json();
    let mut lines: Vec<String> = log.lines().map(of_the_contract).collect();
    lines.reverse();
    let middle = lines.len() / 2;
    lines.swap(0, middle);
    let shuffled = elsewhere.write("contract.jsonl", lines.join("\n"));
    assert_eq!(told(&shuffled)["lines"], told(&whole)["lines"]);
    assert_eq!(told(&shuffled)["table"]["winner"], told(&whole)["table"]["winner"]);
    let store = elsewhere.store();
    for args in [&["import", "--store", &store, &shuffled][..], &["verify", &shuffled]] {
        assert_eq!(parlor(args).code, 1, "{args:?} stays strict");
    }
    let mut own: Vec<&str> = log.lines().collect();
    own.reverse();
    let reversed = elsewhere.write("reversed.jsonl", own.join("\n"));
    assert_eq!(told(&reversed), told(&whole));
    assert_eq!(parlor(&["verify", &reversed]).code, 1, "verify takes no other order");
    lines.remove(3);
    let gap = elsewhere.write("gap.jsonl", lines.join("\n"));
    let ran = parlor(&["replay", &gap]);
    assert_eq!(ran.code, 1, "an event is missing: {}", ran.err);
}
