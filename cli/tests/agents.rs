//! Agents at a terminal: watch a game, contest an arena.

mod common;

use common::*;

#[test]
fn a_game_of_ten_that_infer_is_told_live_and_verifies() {
    let scratch = Scratch::new();
    let file = scratch.file("game.jsonl");
    let told = parlor(&["watch", "mafia", "--seats", "bayes", "--seed", "live", "-o", &file]);
    assert_eq!(told.code, 0, "{}", told.err);
    for part in ["NIGHT 1", "DAY 1", ", thinking: ", "The town votes.", "THE END"] {
        assert!(told.out.contains(part), "no {part} in {}", told.out);
    }
    assert!(!told.out.contains('\x1b'), "no colours where nobody can see them");
    assert_eq!(parlor(&["verify", &file]).code, 0);
}

#[test]
fn a_recording_of_bots_replays_to_the_byte() {
    let scratch = Scratch::new();
    let [tape, first, second] =
        ["tape.jsonl", "first.jsonl", "second.jsonl"].map(|name| scratch.file(name));
    let rules = ["--rules", "7p2m"];
    let record = [&["watch", "mafia", "--record", &tape, "-o", &first][..], &rules].concat();
    assert_eq!(parlor(&record).code, 0);
    let replayed = parlor(&["watch", "mafia", "--replay", &tape, "-o", &second]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    let read = |path: &str| std::fs::read_to_string(path).expect("a log was written");
    assert_eq!(read(&first), read(&second));
}

#[test]
fn an_arena_reports_as_a_page_a_table_and_json() {
    let scratch = Scratch::new();
    let folder = scratch.file("report");
    let args = ["arena", "mafia", "--agents", "avoid,random", "--games", "20", "--json"];
    let contest = parlor(&[&args[..], &["--out", &folder]].concat());
    let report = contest.json();
    assert_eq!(report["games"], 40);
    assert_eq!(report["agents"].as_array().map(Vec::len), Some(2));
    for name in ["report.html", "report.csv", "report.json"] {
        let text = std::fs::read_to_string(format!("{folder}/{name}")).expect("it was written");
        assert!(text.contains("avoid"), "{name}");
    }
    let games = report["played"].as_array().expect("every game");
    assert_eq!(games.len(), 40);
    for game in [&games[0], &games[39]] {
        let log = format!("{folder}/{}", game["log"].as_str().expect("the name of its log"));
        assert_eq!(parlor(&["verify", &log]).code, 0, "{log}");
    }
}

#[test]
fn a_table_of_an_arena_says_who_when_and_under_which_rules() {
    let args = ["arena", "mafia", "--agents", "avoid,random", "--games", "5", "--rules"];
    let told = parlor(&[&args[..], &["7p2m,votes=sealed"]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    for part in ["rules 7p2m,votes=sealed", "rank  agent", "plays as", "parlor "] {
        assert!(told.out.contains(part), "no {part} in {}", told.out);
    }
}

#[test]
fn wrong_use_of_agents_exits_2_with_a_sentence() {
    for (args, says) in [
        (&["watch", "koikoi"][..], "agents play mafia"),
        (&["watch", "mafia", "--seats", "hal"], "agents are random"),
        (&["watch", "mafia", "--seats", "llm"], "base_url"),
        (&["watch", "mafia", "--models", "/nowhere.toml"], "/nowhere.toml"),
        (&["watch", "mafia", "--replay", "/nowhere.jsonl"], "/nowhere.jsonl"),
        (&["watch", "mafia", "--rules", "mafia=9"], "mafia"),
        (&["arena", "mafia"], "--agents"),
        (&["arena", "mafia", "--agents", "random", "--games", "0"], "--games"),
        (&["arena", "mafia", "--agents", "random,hal"], "agents are random"),
    ] {
        parlor(args).refused(2, says);
    }
}
