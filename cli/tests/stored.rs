//! Stored games at a terminal: listed, written out, read back, told, checked.

mod common;

use common::*;
use serde_json::{Value, json};

/// A finished and a running game in a store, and what is known of them.
struct Shelf {
    house: House,
    over: Table,
    running: Table,
}

impl Shelf {
    fn new() -> Shelf {
        let house = House::open(&[]);
        let over = house.two_people(&json!({ "rounds": 2 }));
        play_out(&house, &over, PROTOCOL, &mut Chance::new(1));
        let running = house.against_bot(&json!({ "rounds": 12 }));
        for _ in 0..3 {
            step(&house, &running, PROTOCOL, &mut Chance::new(1));
        }
        assert!(house.stop().success());
        Shelf { house, over, running }
    }

    fn store(&self) -> String {
        self.house.scratch.store()
    }

    fn run(&self, args: &[&str]) -> Ran {
        parlor(&[args, &["--store", &self.store()]].concat())
    }

    fn export(&self, table: &Table) -> String {
        let exported = self.run(&["export", &table.id]);
        assert_eq!(exported.code, 0, "{}", exported.err);
        exported.out
    }

    /// The finished game as a file, with something done to its lines.
    fn file(&self, edit: impl FnOnce(&mut Vec<String>)) -> String {
        let mut lines: Vec<String> = self.export(&self.over).lines().map(str::to_owned).collect();
        edit(&mut lines);
        self.house.scratch.write("edited.jsonl", lines.join("\n") + "\n")
    }
}

#[test]
fn games_are_listed() {
    let shelf = Shelf::new();
    let listed = shelf.run(&["games", "--json"]).lines();
    let entry = |table: &Table| {
        let found = listed.iter().find(|game| game["game_id"] == table.id.as_str());
        found.expect("it is listed").clone()
    };
    let over = entry(&shelf.over);
    assert_eq!((&over["game"], &over["status"]), (&json!("koikoi"), &json!("finished")));
    assert_eq!(
        (&over["code"], &over["players"]),
        (&json!(shelf.over.code), &json!(["Ann", "Ben"]))
    );
    assert_eq!(over["events"], shelf.export(&shelf.over).lines().count());
    assert_eq!(entry(&shelf.running)["status"], "playing");
    let table = shelf.run(&["games"]).out;
    assert!(table.contains(&shelf.over.id) && table.contains(&shelf.running.id), "{table}");
}

#[test]
fn a_game_is_exported_as_its_viewers_may_read_it() {
    let mut shelf = Shelf::new();
    let lines = |view: &str| shelf.run(&["export", &shelf.over.id, "--view", view]).out;
    let views: Vec<String> = ["admin", "seat:0", "public"].iter().map(|view| lines(view)).collect();
    assert_eq!(lines("postmortem"), views[0]);
    assert_eq!(lines("town"), views[2]);
    shelf.run(&["export", &shelf.over.id, "--view", "seat:9"]).refused(1, "2 seats");
    shelf.run(&["export", &shelf.running.id, "--view", "postmortem"]).refused(1, "over");
    shelf.run(&["export", "t-nothing"]).refused(2, "parlor games");
    let by_code = shelf.run(&["export", &shelf.over.code.to_lowercase()]);
    assert_eq!(by_code.out, views[0]);
    let file = shelf.house.scratch.file("out.jsonl");
    assert_eq!(shelf.run(&["export", &shelf.over.id, "-o", &file]).code, 0);
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), views[0]);
    shelf.house.reopen();
    let log = |path: &str, token: Option<&str>| shelf.house.get(&shelf.over.path(path), token).text;
    assert_eq!(log("/log?view=admin", Some(ADMIN)), views[0]);
    assert_eq!(log("/log?view=seat:0", shelf.over.token(0)), views[1]);
    assert_eq!(log("/log", None), views[2]);
}

#[test]
fn a_game_read_into_an_empty_store_is_the_same_to_the_byte() {
    let shelf = Shelf::new();
    let elsewhere = Scratch::new();
    let store = elsewhere.store();
    for table in [&shelf.over, &shelf.running] {
        let text = shelf.export(table);
        let file = elsewhere.write("game.jsonl", &text);
        for known in [0, text.lines().count()] {
            let read = parlor(&["import", "--store", &store, &file]);
            assert_eq!(read.code, 0, "{}", read.err);
            assert!(read.out.contains(&format!("{known} known already")), "{}", read.out);
        }
        assert_eq!(parlor(&["export", "--store", &store, &table.id]).out, text);
        assert_eq!(parlor(&["verify", "--store", &store, &table.id]).code, 0);
    }
}

#[test]
fn the_rest_of_a_game_is_read_in_after_its_beginning() {
    let shelf = Shelf::new();
    let elsewhere = Scratch::new();
    let store = elsewhere.store();
    let text = shelf.export(&shelf.over);
    // A step is read in whole: the next one begins with a cause.
    let lines: Vec<&str> = text.lines().collect();
    let cut = (10..lines.len()).find(|at| lines[*at].contains(r#""cause":"#)).expect("a step");
    let beginning = elsewhere.write("half.jsonl", lines[..cut].join("\n") + "\n");
    let whole = elsewhere.write("whole.jsonl", &text);
    assert_eq!(parlor(&["import", "--store", &store, &beginning]).code, 0);
    let rest = parlor(&["import", "--store", &store, &whole]);
    assert!(rest.out.contains(&format!("{cut} known already")), "{} {}", rest.out, rest.err);
    assert_eq!(parlor(&["export", "--store", &store, &shelf.over.id]).out, text);
}

/// Every way to spoil a log, and the line it is spoilt in.
fn spoilt(shelf: &Shelf) -> Vec<(&'static str, String, &'static str)> {
    let other = shelf.export(&shelf.running);
    let foreign = other.lines().last().expect("a line").to_owned();
    let hand = |line: &String| line.contains(r#""eventType":"HandPlayed""#);
    let mut spoilt = Vec::new();
    let mut add = |what, says, edit: &dyn Fn(&mut Vec<String>)| {
        let file = shelf.file(|lines| edit(lines));
        let text = std::fs::read_to_string(file).expect("the file");
        spoilt.push((what, text, says));
    };
    add("a gap", "line 6", &|lines| drop(lines.remove(5)));
    add("swapped lines", "line 6", &|lines| lines.swap(5, 6));
    add("a line twice", "line 7", &|lines| lines.insert(5, lines[5].clone()));
    add("a line of another game", "line 6", &|lines| lines[5] = foreign.clone());
    add("another game behind it", "line", &|lines| lines.extend(other.lines().map(str::to_owned)));
    add("an edited seat", "line", &|lines| {
        let at = lines.iter().position(hand).expect("a move");
        lines[at] = lines[at].replacen(r#""payload":{"seat":0"#, r#""payload":{"seat":7"#, 1);
        lines[at] = lines[at].replacen(r#""payload":{"seat":1"#, r#""payload":{"seat":0"#, 1);
    });
    add("an edited time", "line 9", &|lines| {
        lines[8] = lines[8].replacen(r#""timestamp":1"#, r#""timestamp":-1"#, 1);
    });
    add("no event", "line 4", &|lines| lines[3] = "hello".to_owned());
    add("an unknown event", "line 4", &|lines| {
        lines[3] = lines[3].replacen(r#""eventType":""#, r#""eventType":"X"#, 1);
    });
    add("no beginning", "line 1", &|lines| drop(lines.remove(0)));
    add("an edited seed", "line", &|lines| {
        let at = lines[0].find(r#""seed":""#).expect("a seed") + 8;
        let other = if &lines[0][at..=at] == "0" { "1" } else { "0" };
        lines[0].replace_range(at..=at, other);
    });
    for (what, field) in [("commitment", r#""commitment":""#), ("salt", r#""salt":""#)] {
        add(what, "line 1: event 0 differs", &|lines| {
            let at = lines[0].find(field).expect("a seal") + field.len();
            let other = if &lines[0][at..=at] == "0" { "1" } else { "0" };
            lines[0].replace_range(at..=at, other);
        });
    }
    add("a field that does not belong there", "line 6", &|lines| {
        lines[5] = lines[5].replacen('{', r#"{"note":"x","#, 1);
    });
    add("another version", "line 6", &|lines| {
        lines[5] = lines[5].replacen(r#""v":1"#, r#""v":0"#, 1);
    });
    add("opened by a seat", "line 1", &|lines| {
        let pass = r#""cause":{"by":"order","order":"pause"}"#;
        lines[0] = lines[0].replacen(r#""cause":{"by":"house"}"#, pass, 1);
    });
    add("cut short within a step", "no event", &|lines| {
        let within = |line: &String| !line.contains(r#""cause":"#);
        let at = lines.iter().rposition(within).expect("a step of several");
        lines.truncate(at);
    });
    add("cards that were never drawn, swapped", "line 2", &|lines| {
        let mut deal: Value = serde_json::from_str(&lines[1]).expect("the deal");
        deal["payload"]["pile"].as_array_mut().expect("a pile").swap(22, 23);
        lines[1] = deal.to_string();
    });
    spoilt
}

#[test]
fn a_spoilt_log_is_neither_read_in_nor_verified() {
    let shelf = Shelf::new();
    let elsewhere = Scratch::new();
    let store = elsewhere.store();
    for (what, text, says) in spoilt(&shelf) {
        let file = elsewhere.write("spoilt.jsonl", &text);
        let read = parlor(&["import", "--store", &store, &file]);
        assert_eq!(read.code, 1, "{what}: {} {}", read.out, read.err);
        read.refused(1, says);
        let verified = parlor(&["verify", &file]);
        assert_eq!(verified.code, 1, "{what}: {} {}", verified.out, verified.err);
        verified.refused(1, says);
    }
    let listed = parlor(&["games", "--json", "--store", &store]);
    assert!(listed.out.is_empty(), "nothing was read in: {}", listed.out);
}

#[test]
fn a_game_that_went_on_differently_is_not_overwritten() {
    let shelf = Shelf::new();
    let text = shelf.export(&shelf.running);
    let elsewhere = Scratch::new();
    let first = text.lines().next().expect("a line");
    let fork = first.replace(r#""name":"Ann""#, r#""name":"Eve""#);
    assert_ne!(fork, first);
    let rest: Vec<&str> = text.lines().skip(1).collect();
    let file = elsewhere.write("fork.jsonl", format!("{fork}\n{}\n", rest.join("\n")));
    shelf.run(&["import", &file]).refused(1, "line 1");
    assert_eq!(shelf.export(&shelf.running), text);
}

#[test]
fn a_game_is_told_in_words_from_any_view() {
    let shelf = Shelf::new();
    let told = shelf.run(&["replay", &shelf.over.id]);
    assert_eq!(told.code, 0);
    assert!(told.out.contains("Ann and Ben sit down to Koi-Koi"), "{}", told.out);
    assert!(told.out.contains("The match is over"), "{}", told.out);
    let holds = |view: &str| {
        let told = shelf.run(&["replay", &shelf.over.id, "--view", view]).out;
        (told.contains("Ann holds"), told.contains("Ben holds"))
    };
    assert_eq!(holds("admin"), (true, true));
    assert_eq!(holds("seat:1"), (false, true));
    assert_eq!(holds("public"), (false, false));
    let file = shelf.house.scratch.write("game.jsonl", shelf.export(&shelf.over));
    assert_eq!(parlor(&["replay", &file]).out, told.out);
}

#[test]
fn words_of_players_give_no_orders_to_a_terminal() {
    let house = House::open(&[]);
    let table = house.two_people(&json!({}));
    let reason = json!({ "reason": "gone\u{1b}[2J\u{9b}2J home" });
    house.post(&table.path("/terminate"), Some(ADMIN), &reason).with(200);
    assert!(house.stop().success());
    let store = house.scratch.store();
    let told = parlor(&["replay", &table.id, "--store", &store]).out;
    assert!(told.contains("called off: gone [2J 2J home"), "{told}");
    let exported = parlor(&["export", &table.id, "--store", &store]);
    assert!(exported.out.contains("\u{9b}2J home"), "a log is written out to the byte");
}

#[test]
fn the_table_is_shown_as_it_stood_after_any_event() {
    let shelf = Shelf::new();
    let events = shelf.export(&shelf.over).lines().count();
    let at = |event: usize| {
        let event = event.to_string();
        shelf.run(&["replay", &shelf.over.id, "--at", &event, "--json"])
    };
    for event in 0..events {
        let told: Value = at(event).json();
        assert_eq!((&told["at"], &told["game"]), (&json!(event), &json!("koikoi")));
        assert!(told["table"].is_object());
        let lines = told["lines"].as_array().expect("lines");
        assert_eq!(lines.last().expect("a line")[0], event);
    }
    at(events).refused(2, &format!("0 to {}", events - 1));
    let picture = shelf.run(&["replay", &shelf.over.id, "--at", "1"]).out;
    assert!(picture.contains("24 in the pile"), "{picture}");
}

#[test]
fn a_stored_game_follows_from_its_seed() {
    let shelf = Shelf::new();
    for table in [&shelf.over, &shelf.running] {
        let verified = shelf.run(&["verify", &table.id]);
        assert_eq!(verified.code, 0, "{}", verified.err);
        assert!(verified.out.contains("follow from the seed"), "{}", verified.out);
        let is_running = table.id == shelf.running.id;
        assert_eq!(verified.out.contains("so far, the game is not over"), is_running);
        assert!(!verified.out.contains("not drawn"), "{}", verified.out);
    }
    shelf.run(&["verify", "t-nothing"]).refused(2, "t-nothing");
}

#[test]
fn what_a_viewer_saw_of_a_game_is_no_log_to_verify() {
    let shelf = Shelf::new();
    for view in ["public", "seat:0"] {
        let seen = shelf.run(&["export", &shelf.over.id, "--view", view]).out;
        let file = shelf.house.scratch.write("seen.jsonl", seen);
        parlor(&["verify", &file]).refused(1, "--view admin");
        shelf.run(&["import", &file]).refused(1, "--view admin");
    }
}

#[test]
fn a_file_that_is_no_store_is_refused_and_left_as_it_is() {
    let scratch = Scratch::new();
    let shelf = Shelf::new();
    let mut damaged = std::fs::read(shelf.house.scratch.file("parlor.db")).expect("the store");
    for byte in damaged.iter_mut().skip(100).step_by(3) {
        *byte ^= 0x5a;
    }
    for (what, content) in [("text", b"hello, this is no store\n".to_vec()), ("damaged", damaged)] {
        let path = scratch.write("some.db", &content);
        let store = format!("sqlite:{path}");
        for args in [
            &["serve", "--listen", "127.0.0.1:0", "--store", &store][..],
            &["games", "--store", &store],
            &["export", "t-x", "--store", &store],
        ] {
            let ran = parlor(args);
            assert_eq!(ran.code, 2, "{what} {args:?}: {} {}", ran.out, ran.err);
            ran.refused(2, "some.db");
        }
        assert_eq!(std::fs::read(&path).expect("the file"), content, "{what}");
    }
}

#[test]
fn reading_leaves_no_file_behind() {
    let scratch = Scratch::new();
    let store = scratch.store();
    for args in [&["games"][..], &["export", "x"], &["replay", "x"], &["verify", "x"]] {
        parlor(&[args, &["--store", &store]].concat()).refused(2, "there is no log");
    }
    assert!(!std::path::Path::new(&scratch.file("parlor.db")).exists());
}
