//! Games in formats of their own: written from the store, read into another.

mod common;

use common::*;
use serde_json::{Value, json};

/// A match of two deals of stud in a store, both folded, and its id.
fn shelf() -> (Scratch, String) {
    let act = |seat: u8, kind: &str| json!({ "seat": seat, "action": { "type": kind } });
    let script = json!({
        "game": "stud",
        "rules": { "preset": "studHi", "deals": 2 },
        "seats": ["Ann", "Ben"],
        "decks": ["2c3cAs 2d3d4d", "Kc3cQs 2d3d4d"],
        "actions": [
            act(1, "BRING_IN"), act(0, "COMPLETE"), act(1, "FOLD"),
            act(1, "BRING_IN"), act(0, "FOLD"),
        ],
    });
    let played = parlor_fed(&["script", "-"], &script.to_string()).json();
    assert_eq!(played["refusals"], json!([]));
    let events = played["events"].as_array().expect("events");
    let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
    let scratch = Scratch::new();
    let file = scratch.write("match.jsonl", lines);
    let read = parlor(&["import", "--store", &scratch.store(), &file]);
    assert_eq!(read.code, 0, "{}", read.err);
    let id = events[0]["gameId"].as_str().expect("an id").to_owned();
    (scratch, id)
}

#[test]
fn a_deal_goes_out_in_its_format_and_comes_back_as_a_game() {
    let (scratch, id) = shelf();
    let store = scratch.store();
    let file = scratch.file("deal.phh");
    let export = ["export", "--store", &store, &id, "--format", "phh", "--deal", "1"];
    let written = parlor(&export);
    assert!(written.out.contains("variant = \"F7S\""), "{} {}", written.out, written.err);
    assert!(written.out.contains("\"d dh p1 2c3cAs\""), "{}", written.out);
    assert_eq!(parlor(&[&export[..], &["-o", &file]].concat()).code, 0);
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), written.out);

    let elsewhere = Scratch::new();
    let store = elsewhere.store();
    let read = parlor(&["import", "--store", &store, &file]);
    assert!(read.out.contains("0 known already"), "{} {}", read.out, read.err);
    assert!(read.out.contains("the deck was given, not drawn"), "{}", read.out);
    assert!(parlor(&["import", "--store", &store, &file]).out.contains(": 0 events read in"));
    let listed = parlor(&["games", "--store", &store, "--json"]).lines();
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (&listed[0]["game"], &listed[0]["status"], &listed[0]["players"]),
        (&json!("stud"), &json!("finished"), &json!(["Ann", "Ben"]))
    );
    let read = listed[0]["game_id"].as_str().expect("an id");
    let verified = parlor(&["verify", "--store", &store, read]);
    assert_eq!(verified.code, 0, "{}", verified.err);
    assert!(verified.out.contains("the deck was given, not drawn"), "{}", verified.out);
    let again = parlor(&["export", "--store", &store, read, "--format", "phh"]).out;
    let moves = |text: &str| text.split_once("actions = ").map(|(_, moves)| moves.to_owned());
    let until = |text: String| text.split_once(']').map(|(moves, _)| moves.to_owned());
    assert_eq!(moves(&again).and_then(until), moves(&written.out).and_then(until));
    let stacks = "finishing_stacks = [2015, 1985]\n";
    assert!(written.out.contains(stacks) && again.contains(stacks), "{again}");
}

#[test]
fn a_match_goes_out_as_a_collection_of_its_deals() {
    let (scratch, id) = shelf();
    let store = scratch.store();
    let file = scratch.file("match.phhs");
    let written = parlor(&["export", "--store", &store, &id, "--format", "phh", "-o", &file]);
    assert_eq!(written.code, 0, "{}", written.err);
    let elsewhere = Scratch::new();
    let read = parlor(&["import", "--store", &elsewhere.store(), &file]);
    assert_eq!(read.out.lines().count(), 2, "{} {}", read.out, read.err);
}

#[test]
fn a_format_tells_no_more_than_the_viewer_knows() {
    let (scratch, id) = shelf();
    let told = |view: &str| {
        let store = scratch.store();
        parlor(&["export", "--store", &store, &id, "--format", "phh", "--view", view]).out
    };
    let seat = told("seat:1");
    assert!(seat.contains("\"d dh p1 ????As\"") && seat.contains("\"d dh p2 2d3d4d\""), "{seat}");
    let public = told("public");
    assert!(public.contains("????As") && public.contains("????4d"), "{public}");
}

#[test]
fn what_cannot_be_written_or_read_is_refused_with_a_sentence() {
    let (scratch, id) = shelf();
    let store = scratch.store();
    let export = |args: &[&str]| parlor(&[&["export", "--store", &store, &id][..], args].concat());
    export(&["--format", "pgn"]).refused(2, "stud has no format 'pgn'; it has phh");
    export(&["--format", "phh", "--deal", "3"]).refused(2, "deals 1 to 2 were dealt");
    export(&["--deal", "1"]).refused(2, "--format phh");
    let import = |name: &str, text: &str, args: &[&str]| {
        let file = scratch.write(name, text);
        parlor(&[&["import", "--store", &store, &file][..], args].concat())
    };
    import("bad.phh", "variant = \"NT\"\n", &[]).refused(1, "line 1: variants are F7S");
    import("bad.txt", "\n\nvariant = 3\n", &["--format", "phh"]).refused(1, "line 3");
    import("bad.txt", "", &["--format", "pgn"]).refused(2, "formats are jsonl, phh");
    parlor(&["import", "--store", &store, "nowhere.phh"]).refused(2, "cannot be read");
}

#[test]
fn formats_are_listed_with_the_rules() {
    let formats = &parlor(&["rules", "stud"]).json()["formats"];
    assert_eq!(formats[0]["name"], "phh");
    assert_eq!(formats[0]["endings"], json!(["phh", "phhs"]));
    assert_eq!(parlor(&["rules", "koikoi"]).json()["formats"], Value::Array(Vec::new()));
}
