//! Nothing counts the night: what happens in the dark changes nothing that a
//! stranger can read.

use std::time::Duration;

use super::common::*;
use serde_json::{Value, json};

const NIGHT: &str = "NIGHT_ACTIONS";

/// Every path that anyone may read, for a table and in general. What is listed
/// in OpenAPI is taken from there, so that a new call is not forgotten.
fn readable(house: &House, table: &Table) -> Vec<String> {
    let openapi = house.get("/api/openapi.json", None).with(200);
    let calls = openapi["paths"].as_object().expect("paths");
    let mut paths: Vec<String> = calls
        .iter()
        .filter(|(_, call)| call.get("get").is_some())
        // A stream does not end; it is read below.
        .filter(|(path, _)| !path.ends_with("/events"))
        .map(|(path, _)| {
            let path = path.replace("{table}", &table.id).replace("{code}", &table.code);
            path.replace("{game}", "mafia")
        })
        .collect();
    let views = ["public", "town", "postmortem", "admin", "seat:0"];
    paths.extend(views.map(|view| table.path(&format!("/log?view={view}"))));
    for dialect in [MAFIA, "log", "words"] {
        paths.push(table.path(&format!("/snapshot?dialect={dialect}")));
        // A position that nobody has reached is refused with the one that is.
        paths.push(table.path(&format!("/events?dialect={dialect}&after=1000000")));
    }
    paths.extend(["/", "/admin", "/docs", "/metrics", "/readyz", "/healthz"].map(str::to_owned));
    paths.extend(["playing", "waiting"].map(|status| format!("/api/v1/tables?status={status}")));
    paths.push(format!("/t/{}", table.code));
    paths
}

/// A snapshot says when it was taken, and how long is left until the night is
/// over: the text without both, and what is left.
fn without_clocks(text: &str) -> (String, Vec<u64>) {
    let (mut rest, mut timeless, mut left) = (text, String::new(), Vec::new());
    let clocks = ["\"timestamp\":", "\"secondsLeft\":", "\"seconds_left\":"];
    while let Some((at, clock)) =
        clocks.iter().filter_map(|clock| Some((rest.find(clock)?, clock))).min()
    {
        let (before, after) = rest.split_at(at + clock.len());
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        if *clock != clocks[0] {
            left.push(after[..digits].parse().expect("seconds"));
        }
        timeless += before;
        rest = &after[digits..];
    }
    (timeless + rest, left)
}

/// What comes back: path, status, headers, body, and what is left on clocks.
type Found = (String, u16, Vec<(String, String)>, String, Vec<u64>);

/// All that comes back but for the time of day.
fn read(house: &House, paths: &[String]) -> Vec<Found> {
    let read = |path: &String| {
        let answer = house.get(path, None);
        let mut headers = answer.headers;
        headers.retain(|(name, _)| name != "date");
        let (text, left) = match path.contains("/snapshot") {
            true => without_clocks(&answer.text),
            false => (answer.text, Vec::new()),
        };
        (path.clone(), answer.status, headers, text, left)
    };
    paths.iter().map(read).collect()
}

/// Everything that a stream from the beginning holds by now.
fn streams(house: &House, table: &Table) -> Vec<Vec<u8>> {
    [MAFIA, "log", "words"]
        .map(|dialect| {
            let mut stream = house.listen(table, None, dialect, Some(0));
            while !stream.is_silent_for(Duration::from_millis(300)) {}
            stream.received().to_vec()
        })
        .to_vec()
}

/// Those who are asked in the night, with what they may do.
fn asked(house: &House, table: &Table) -> Vec<(usize, Value)> {
    let seats = 0..table.tokens.len();
    let known =
        seats.map(|seat| (seat, house.snapshot(table, Some(seat), MAFIA)["payload"].take()));
    known.filter(|(_, known)| !known["you"]["asked"].is_null()).collect()
}

/// A town of people alone, in its first night.
fn town_at_night(house: &House, rules: &str, people: usize) -> Table {
    let seats: Vec<Value> = (0..people).map(|_| json!({ "kind": "human" })).collect();
    let order = json!({ "game": "mafia", "rules": { "preset": rules, "nightSeconds": 600 }, "seed": "night", "seats": seats });
    let mut table = house.lay(&order);
    for number in 1..people {
        house.join(&mut table, &format!("Guest {number}"));
    }
    house.start(&table);
    until("the night", || {
        let public = house.snapshot(&table, None, MAFIA);
        (public["payload"]["phase"] == NIGHT).then_some(())
    });
    table
}

#[track_caller]
fn assert_nothing_counts_the_night(rules: &str, people: usize) {
    let house = House::open(&[]);
    let table = town_at_night(&house, rules, people);
    let paths = readable(&house, &table);
    assert!(paths.len() > 30, "{paths:?}");
    let mut live = house.listen(&table, None, MAFIA, Some(0));
    while !live.is_silent_for(Duration::from_millis(300)) {}
    let (before, streamed) = (read(&house, &paths), streams(&house, &table));
    let stored = || lines(&house.admin_log(&table)).len();
    let at = stored();

    // All but the last who are asked act: the night goes on, and nobody may
    // know how far it is.
    let mut acted = 0;
    while let [(seat, known), _, ..] = asked(&house, &table).as_slice() {
        let action = answer(known, &mut Chance::new(acted));
        house.command(&table, *seat, MAFIA, &action).with(200);
        acted += 1;
        assert!(acted < 100, "the night does not end");
    }
    assert!(acted >= 1 && stored() > at, "something was hidden: {acted}");
    assert_eq!(house.snapshot(&table, None, MAFIA)["payload"]["phase"], NIGHT);

    for (mut before, mut after) in before.into_iter().zip(read(&house, &paths)) {
        let [were, are] = [&mut before.4, &mut after.4].map(std::mem::take);
        assert!(are.iter().zip(&were).all(|(are, were)| are <= were), "a clock began anew");
        assert_eq!(before, after);
    }
    assert_eq!(streams(&house, &table), streamed);
    assert!(live.is_silent_for(Duration::from_millis(300)));
}

#[test]
fn a_stranger_reads_everything_and_cannot_count_what_happens_at_night() {
    assert_nothing_counts_the_night("7p2m", 7);
}

#[test]
fn nor_what_the_mafia_says_or_that_people_wait_for_the_night_to_end() {
    assert_nothing_counts_the_night("people", 10);
}
