//! Every field of a log, edited one at a time: each edit is found, or the
//! field stands on the list of what cannot be proven, in ARCHITECTURE.md.

#[path = "edits/change.rs"]
mod change;
#[path = "edits/games.rs"]
mod games;

use std::collections::{BTreeMap, BTreeSet};

use change::{Place, edits, other_values};
use games::{agents, binokel, dice, koikoi, koikoi_from, mafia, rolled, stacked, stud};
use parlor_house::{Verified, game_of};
use parlor_kernel::{Envelope, Seal};
use serde_json::Value;

/// The fields that cannot be proven, as the table in ARCHITECTURE.md has them.
fn unprovable() -> BTreeSet<String> {
    let text = include_str!("../../ARCHITECTURE.md");
    let (_, list) = text.split_once("| cannot be proven |").expect("the list");
    let rows = list.lines().skip(2).take_while(|line| line.starts_with("| `"));
    let fields = rows.flat_map(|row| {
        let (_, cell) = row.split_once("| ").expect("a cell");
        let (cell, _) = cell.split_once(" |").expect("a cell");
        cell.split(", ").map(|field| field.trim_matches('`').to_owned()).collect::<Vec<_>>()
    });
    let fields: BTreeSet<String> = fields.collect();
    assert!(fields.contains("timestamp"), "the list is read");
    fields
}

/// What `parlor verify` and `parlor import` say to these lines.
fn check(log: &[Envelope]) -> Result<Verified, String> {
    let game = log.first().and_then(game_of).ok_or("it opens no game")?;
    game.verify(log).map_err(|error| error.to_string())
}

fn read(line: &Value) -> Result<Envelope, String> {
    serde_json::from_str(&line.to_string()).map_err(|error| error.to_string())
}

/// Whether the event is the only one of its step: its time is the step's.
fn is_whole_step(lines: &[Value], at: usize) -> bool {
    let begins = |at: usize| lines.get(at).is_none_or(|line| line.get("cause").is_some());
    begins(at) && begins(at + 1)
}

/// The name on the list for what was edited, given that nothing was found.
fn listed(
    list: &BTreeSet<String>,
    lines: &[Value],
    at: usize,
    place: &Place,
    changed: &Value,
) -> Option<String> {
    let field = place.field();
    let under = |listed: &&String| {
        field == **listed
            || field.strip_prefix(listed.as_str()).is_some_and(|rest| rest.starts_with('.'))
    };
    let found = list.iter().find(under)?.clone();
    match found.as_str() {
        // A move made by a seat or for it by the clock, but by nobody else.
        "cause.by" => {
            let by = |line: &Value| matches!(line["cause"]["by"].as_str(), Some("seat" | "clock"));
            (by(&lines[at]) && by(changed)).then_some(found)
        }
        // The one card that can be taken, said or not said: never another one.
        "cause.action.target" => {
            let taken = lines[at]["payload"]["taken"].as_array()?;
            let said = [&lines[at], changed].map(|line| &line["cause"]["action"]["target"]);
            said.iter().all(|card| card.is_null() || taken.contains(card)).then_some(found)
        }
        "timestamp" => is_whole_step(lines, at).then_some(found),
        _ => Some(found),
    }
}

/// Edits everything in the log and gives back what of the list was needed.
fn edit_everything(log: &[Envelope]) -> BTreeSet<String> {
    let before = check(log).expect("the log is as it was written");
    assert_eq!(before.events, log.len() as u64);
    let list = unprovable();
    let lines: Vec<Value> =
        log.iter().map(|event| serde_json::to_value(event).expect("JSON")).collect();
    let others = other_values(&lines);
    let mut edited = log.to_vec();
    let (mut needed, mut tried, mut passed) = (BTreeSet::new(), 0, BTreeMap::new());
    for (at, line) in lines.iter().enumerate() {
        for (place, how, changed) in edits(line, &others) {
            tried += 1;
            let Ok(envelope) = read(&changed) else { continue };
            edited[at] = envelope;
            if check(&edited).is_ok() {
                match listed(&list, &lines, at, &place, &changed) {
                    Some(field) => drop(needed.insert(field)),
                    None => {
                        let kind = &line["eventType"];
                        let told = format!("event {at} {kind}, {how}: {changed}");
                        passed.entry(place.field()).or_insert_with(Vec::new).push(told);
                    }
                }
            }
        }
        edited[at] = log[at].clone();
    }
    assert!(tried > 500, "only {tried} edits were tried");
    let told = |(field, edits): (&String, &Vec<String>)| {
        let first: String = edits[0].chars().take(900).collect();
        format!("{field}: {} edits pass, such as {first}", edits.len())
    };
    let told: Vec<String> = passed.iter().map(told).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    needed
}

#[test]
fn every_edit_of_koikoi_is_found() {
    edit_everything(&koikoi());
}

#[test]
fn every_edit_of_stud_is_found() {
    edit_everything(&stud());
}

#[test]
fn every_edit_of_binokel_is_found() {
    edit_everything(&binokel());
}

#[test]
fn every_edit_of_mafia_is_found() {
    edit_everything(&mafia());
}

#[test]
fn every_edit_of_dice_is_found() {
    edit_everything(&dice());
}

#[test]
fn every_edit_of_given_rolls_is_found() {
    let log = rolled();
    let verified = check(&log).expect("it is as it was written");
    assert!(verified.stacked && verified.over);
    edit_everything(&log);
}

#[test]
fn every_edit_of_a_stacked_game_is_found() {
    let log = stacked();
    let verified = check(&log).expect("it is as it was written");
    assert!(verified.stacked && verified.over);
    assert!(verified.to_string().contains("the deck was given, not drawn"));
    edit_everything(&log);
}

#[test]
fn every_edit_of_what_agents_do_is_found() {
    let log = agents();
    assert!(check(&log).expect("it is as it was written").stacked, "the roles were given");
    edit_everything(&log);
}

#[test]
fn every_field_on_the_list_is_needed() {
    let logs = [koikoi(), stud(), binokel(), mafia(), dice()];
    let needed: BTreeSet<String> = logs.iter().flat_map(|log| edit_everything(log)).collect();
    assert_eq!(needed, unprovable());
}

#[test]
fn a_verdict_says_what_must_be_known_beside_it() {
    let says = |log: &[Envelope]| check(log).expect("it is as it was written").to_string();
    let drawn = koikoi_from(Seal::fresh());
    assert_eq!(says(&drawn), "");
    let last = drawn.iter().rposition(|event| event.cause.is_some()).expect("a step");
    assert_eq!(says(&drawn[..last]), "; these are the events so far, the game is not over");
    assert_eq!(says(&koikoi_from(Seal::named("edits"))), "; the seed was named, not drawn");
    let scoped = says(&koikoi_from(Seal::fresh().scoped("evening")));
    assert_eq!(scoped, "; the dice depend on \"evening\" in place of the game's id");
}

#[test]
fn a_log_cut_short_within_a_step_is_found() {
    let log = koikoi();
    let inner = (1..log.len()).filter(|at| log[*at].cause.is_none());
    for cut in inner {
        let finding = check(&log[..cut]).expect_err("the step is not whole");
        assert!(finding.contains("no event"), "{finding}");
    }
}

#[test]
fn a_clock_that_was_set_back_is_told() {
    let mut log = koikoi();
    let second = log.iter().rposition(|event| event.cause.is_some()).expect("a step");
    for event in &mut log[second..] {
        event.timestamp = 1_600_000_000_000;
    }
    let verified = check(&log).expect("whole steps keep their times");
    assert_eq!(verified.set_back, Some(second as u64));
    assert!(verified.to_string().contains(&format!("line {}: ", second + 1)), "{verified}");
}

#[test]
fn a_name_twice_in_one_object_is_found() {
    let mut log = koikoi();
    let line = serde_json::to_string(&log[1]).expect("JSON");
    let twice = line.replacen("\"payload\":{", "\"payload\":{\"pile\":[],", 1);
    assert_ne!(twice, line);
    if let Ok(envelope) = serde_json::from_str(&twice) {
        log[1] = envelope;
        check(&log).expect_err("readers would disagree about the pile");
    }
    let twice = line.replacen("\"v\":", "\"v\":0,\"v\":", 1);
    serde_json::from_str::<Envelope>(&twice).expect_err("an envelope has one version");
}
