//! The program at a terminal: every command, right use and wrong use.

mod common;

use common::*;
use serde_json::{Value, json};

const COMMANDS: [&str; 14] = [
    "serve",
    "sim",
    "play",
    "watch",
    "arena",
    "script",
    "ask",
    "rules",
    "games",
    "export",
    "import",
    "replay",
    "verify",
    "completions",
];

#[test]
fn every_command_has_help() {
    let whole = parlor(&["--help"]);
    assert_eq!(whole.code, 0);
    for command in COMMANDS {
        assert!(whole.out.contains(command), "{}", whole.out);
        let help = parlor(&[command, "--help"]);
        assert_eq!(help.code, 0);
        assert!(help.out.contains("Usage: parlor"), "{}", help.out);
    }
    assert!(parlor(&["--version"]).out.starts_with("parlor "));
}

#[test]
fn completions_are_printed_for_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let printed = parlor(&["completions", shell]);
        assert_eq!(printed.code, 0);
        assert!(printed.out.contains("parlor"));
    }
}

#[test]
fn wrong_use_exits_2_with_a_sentence() {
    for (args, says) in [
        (&[][..], "Usage"),
        (&["fly"], "fly"),
        (&["serve", "--listen", "nowhere"], "nowhere"),
        (&["serve", "--limits", "maybe"], "maybe"),
        (&["serve", "--admin-token", "short"], "at least 8 characters"),
        (&["serve", "--origin", "games.example.org"], "https://games.example.org"),
        (&["serve", "--store", "oracle:db"], "sqlite:PATH"),
        (&["serve", "--default-rules", "koikoi"], "GAME=PRESET"),
        (&["serve", "--default-rules", "bridge=x"], "games are koikoi"),
        (&["serve", "--default-rules", "koikoi=casino"], "protocol"),
        (&["serve", "--config", "/nowhere.toml"], "/nowhere.toml"),
        (&["sim", "bridge"], "games are koikoi"),
        (&["sim", "koikoi", "--seats", "random,ace"], "bots are random"),
        (&["sim", "koikoi", "--seats", "random"], "seat"),
        (&["sim", "koikoi", "--games", "0"], "0"),
        (&["sim", "koikoi", "--rules", "rounds=0"], "1 to 99"),
        (&["script", "/nowhere.json"], "/nowhere.json"),
        (&["ask", "bridge", "yaku"], "games are koikoi"),
        (&["ask", "koikoi", "weather"], "yaku, score, match"),
        (&["rules", "bridge"], "games are koikoi"),
        (&["replay", "x", "--view", "god"], "seat:N"),
        (&["games", "--store", "memory:"], "sqlite:PATH"),
        (&["completions", "dos"], "bash"),
    ] {
        parlor(args).refused(2, says);
    }
}

/// A report without the times it took.
fn timeless(mut report: Value) -> Value {
    let fields = report.as_object_mut().expect("an object");
    for time in ["elapsed_s", "games_per_s", "decisions_per_s"] {
        assert!(fields.remove(time).is_some_and(|value| value.is_number()), "{time}");
    }
    let extra = fields["extra"].as_object_mut().expect("an object");
    assert!(extra.remove("rounds_per_s").is_some_and(|value| value.is_number()));
    report
}

fn sim(args: &[&str]) -> Value {
    parlor(&[&["sim", "koikoi", "--json", "--games", "300"], args].concat()).json()
}

#[test]
fn a_simulation_reports_what_it_promises() {
    let report = sim(&["--seats", "random,greedy", "--seed", "spring"]);
    assert_eq!(report["game"], "koikoi");
    assert_eq!((&report["games"], &report["seed"]), (&json!(300), &json!("spring")));
    let seats = report["seats"].as_array().expect("seats");
    assert_eq!((&seats[0]["bot"], &seats[1]["bot"]), (&json!("random"), &json!("greedy")));
    let wins: u64 = seats.iter().map(|seat| seat["wins"].as_u64().expect("wins")).sum();
    assert_eq!(wins + report["draws"].as_u64().expect("draws"), 300);
    for seat in seats {
        let number = |value: &Value| value.as_f64().expect("a number");
        let (low, high) = (number(&seat["ci95"][0]), number(&seat["ci95"][1]));
        assert!((low..=high).contains(&number(&seat["win_rate"])));
        number(&seat["mean_score"]);
    }
    assert_eq!(report["extra"]["rounds"], 3600);
}

#[test]
fn a_seed_plays_the_same_games_on_any_number_of_threads() {
    let once = timeless(sim(&["--seed", "a", "--threads", "1"]));
    assert_eq!(timeless(sim(&["--seed", "a", "--threads", "1"])), once);
    assert_eq!(timeless(sim(&["--seed", "a", "--threads", "2"])), once);
    assert_ne!(timeless(sim(&["--seed", "b", "--threads", "1"]))["seats"], once["seats"]);
}

#[test]
fn a_simulation_of_rules_without_an_end_stops_and_says_so() {
    let open = ["sim", "stud", "--games", "2", "--rules", "open"];
    let report = parlor(&[&open[..], &["--json"]].concat()).json();
    assert_eq!(report["stopped_after"], 1000);
    assert_eq!(report["extra"]["deals"], 2000);
    let table = parlor(&open);
    assert!(table.out.contains("each game was stopped after 1000 rounds"), "{}", table.out);
    assert_eq!(sim(&[]).get("stopped_after"), None, "Koi-Koi has an end");
    // Nobody bids, and where they must, nobody makes it.
    for rules in ["opener_may_pass=true,minimum_bid=1000", "minimum_bid=1000"] {
        let args = ["sim", "binokel", "--games", "1", "--seats", "simple,simple", "--json"];
        let report = parlor(&[&args[..], &["--rules", rules]].concat()).json();
        assert_eq!(report["stopped_after"], 1000, "{rules}");
    }
}

#[test]
fn a_simulation_takes_rules_and_prints_a_table() {
    let short = sim(&["--rules", "nintendo,rounds=1"]);
    assert_eq!(short["extra"]["rounds"], 300);
    let table = parlor(&["sim", "koikoi", "--games", "10"]);
    assert_eq!(table.code, 0);
    assert!(table.out.contains("95 %") && table.out.contains("random"), "{}", table.out);
}

fn script(script: &Value) -> Value {
    parlor_fed(&["script", "-"], &script.to_string()).json()
}

#[test]
fn a_script_plays_fixed_cards_and_reports_refusals_with_their_index() {
    let deck = whole_deck(&[
        "0111", "0221", "0311", "0421", "0521", "0621", "0721", "0811", // seat 1
        "0231", "0331", "0431", "0531", "0631", "0731", "0821", "0931", // seat 2
        "0131", "0921", "1021", "1111", "1211", "0241", "1031", "1131", // field
        "1241", // the first flip
    ]);
    let play = |seat: usize, card: &str| json!({ "seat": seat, "action": { "command": "TurnPlayHandCard", "card": card, "target": null } });
    let played = script(&json!({
        "game": "koikoi", "rules": { "first_dealer": "first" }, "deck": deck,
        "seats": ["Ann", "Ben"],
        "actions": [play(1, "0231"), play(0, "0231"), play(0, "0111"), { "seat": 0, "action": {} }],
    }));
    let refusals = played["refusals"].as_array().expect("refusals");
    let told: Vec<_> =
        refusals.iter().map(|it| (it["index"].clone(), it["code"].clone())).collect();
    assert_eq!(
        told,
        [
            (json!(0), json!("WRONG_PLAYER")),
            (json!(1), json!("INVALID_CARD")),
            (json!(3), json!("MALFORMED")),
        ]
    );
    let events = played["events"].as_array().expect("events");
    let kinds: Vec<_> = events.iter().filter_map(|event| event["eventType"].as_str()).collect();
    assert_eq!(kinds, ["GameStarted", "RoundDealt", "HandPlayed", "CardFlipped"]);
    assert_eq!(events[2]["payload"]["taken"], json!(["0131"]));
    assert_eq!(events[3]["payload"]["card"], "1241");
    assert_eq!(played["awaiting"]["seats"], json!([1]));
    let views = played["views"].as_object().expect("views");
    let mut names: Vec<&str> = views.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["public", "seat:0", "seat:1"]);
    assert!(!views["seat:0"].to_string().contains("0931"), "Ben's card");
}

#[test]
fn a_script_with_the_same_seed_deals_the_same_cards() {
    let with = |seed: &str| {
        script(&json!({ "game": "koikoi", "seed": seed, "seats": ["Ann", "Ben"], "actions": [] }))
    };
    assert_eq!(with("spring"), with("spring"));
    assert_ne!(with("spring")["events"][1], with("autumn")["events"][1]);
}

#[test]
fn a_script_that_is_none_exits_2() {
    for (text, says) in [
        ("", "cannot be read"),
        ("[]", "games are koikoi"),
        (r#"{"game":"bridge"}"#, "games are koikoi"),
        (r#"{"game":"koikoi","seats":["Ann"],"actions":[]}"#, "seat"),
        (r#"{"game":"koikoi","seats":["Ann","Ben"],"deck":["0111"],"actions":[]}"#, "48"),
        (r#"{"game":"koikoi","seats":["Ann","Ben"],"rules":"casino"}"#, "protocol"),
        (r#"{"game":"koikoi","seats":["Ann","Ben"],"actions":[{"seat":300}]}"#, "script"),
    ] {
        parlor_fed(&["script", "-"], text).refused(2, says);
    }
}

fn ask(question: &str, input: &str) -> Vec<Value> {
    parlor_fed(&["ask", "koikoi", question], input).lines()
}

#[test]
fn questions_about_yaku_are_answered_a_line_each() {
    let answers = ask(
        "yaku",
        r#"{"cards":["0111","0311","0811"]}
           {"cards":["0111","0311","1111"]}

           garbage
           {"cards":["0143"]}
           {"cards":["0311","0921"],"rules":"nintendo"}"#,
    );
    assert_eq!(answers.len(), 5, "{answers:?}");
    assert_eq!(
        (&answers[0]["base"], &answers[0]["yaku"][0]["type"]),
        (&json!(6), &json!("SANKOU"))
    );
    assert_eq!(answers[1], json!({ "yaku": [], "base": 0 }));
    assert!(answers[2]["error"].is_string() && answers[3]["error"].is_string());
    assert_eq!(
        (&answers[4]["base"], &answers[4]["yaku"][0]["type"]),
        (&json!(5), &json!("HANAMI_ZAKE"))
    );
}

#[test]
fn questions_about_scores_and_matches_are_answered() {
    let scores = ask(
        "score",
        r#"{"base":7,"winner_calls":0,"opponent_calls":1}
           {"base":5,"winner_calls":2,"opponent_calls":0,"rules":"contract"}
           {"base":-1,"winner_calls":0,"opponent_calls":0}"#,
    );
    assert_eq!(scores[0], json!({ "final": 28, "seven": 2, "koi": 2 }));
    assert_eq!(scores[1], json!({ "final": 15, "seven": 1, "koi": 3 }));
    assert!(scores[2]["error"].is_string());
    let matches = ask("match", r#"{"card":"0111","field":["0131","0221","0141"]}"#);
    assert_eq!(matches[0], json!({ "matches": ["0131", "0141"] }));
}

#[test]
fn the_rules_of_a_game_are_told_with_their_meaning() {
    let guide = parlor(&["rules", "koikoi"]).json();
    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list").iter();
        list.map(|entry| entry["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names(&guide["presets"]), ["protocol", "contract", "nintendo"]);
    assert!(names(&guide["options"]).contains(&"koi_factor".to_owned()));
    assert!(names(&guide["bots"]).contains(&"random".to_owned()));
    let all = parlor(&["rules"]).json();
    assert!(all.as_array().expect("a list").contains(&guide), "{all}");
    let house = House::bare(&[], &[]);
    assert_eq!(house.get("/api/v1/games/koikoi", None).with(200), guide);
}

/// The rounds a table gets that names no rules.
fn rounds_at(house: &House) -> Value {
    let order = json!({ "game": "koikoi", "seats": [
        { "name": "Ann", "kind": "human" }, { "kind": "human" },
    ]});
    let table = house.lay(&order);
    house.get(&table.path(""), None).with(200)["rules"]["rounds"].clone()
}

#[test]
fn a_flag_wins_over_the_environment_and_the_environment_over_the_file() {
    let scratch = Scratch::new();
    let file = scratch.write("parlor.toml", "[default_rules]\nkoikoi = \"protocol,rounds=1\"\n");
    let env = ("PARLOR_DEFAULT_RULES", "koikoi=rounds=2");
    let flag = "koikoi=rounds=6";
    assert_eq!(rounds_at(&House::bare(&["--config", &file], &[])), 1);
    assert_eq!(rounds_at(&House::bare(&["--config", &file], &[env])), 2);
    assert_eq!(rounds_at(&House::bare(&["--config", &file, "--default-rules", flag], &[env])), 6);
    let from_env = ("PARLOR_CONFIG", file.as_str());
    assert_eq!(rounds_at(&House::bare(&[], &[from_env])), 1);
}

#[test]
fn the_file_has_a_key_for_every_flag() {
    let scratch = Scratch::new();
    let text = "admin_token = \"from-the-file\"\nallow_seeds = true\nbot_pace = 0\n\
                round_pause = 0\norigin = [\"https://friend.example\"]\n\
                [limits]\ntables_per_minute = 2\n";
    let file = scratch.write("parlor.toml", text);
    let house = House::bare(&["--config", &file], &[]);
    let order = json!({ "game": "koikoi", "seed": "s", "rules": { "rounds": 1 }, "seats": [
        { "kind": "bot" }, { "kind": "bot" },
    ]});
    let laid = house.post("/api/v1/tables", None, &order).with(201);
    let path = format!("/api/v1/tables/{}/log", laid["table_id"].as_str().expect("an id"));
    assert_eq!(house.get(&format!("{path}?view=admin"), Some("from-the-file")).status, 200);
    house.post("/api/v1/tables", None, &order).with(201);
    house.post("/api/v1/tables", None, &order).refused(429, "RATE_LIMITED");
}

#[test]
fn a_file_with_an_unknown_key_is_refused() {
    let scratch = Scratch::new();
    for (text, says) in [
        ("colour = 1", "colour"),
        ("listen = 7", "listen"),
        ("[limits]\nwishes = 3", "limits"),
        ("limits = \"maybe\"", "maybe"),
        ("not toml at all", "parlor.toml"),
    ] {
        let file = scratch.write("parlor.toml", text);
        parlor(&["serve", "--config", &file]).refused(2, says);
    }
}

#[test]
fn numbers_that_make_no_sense_are_refused_with_those_that_do() {
    let scratch = Scratch::new();
    for (name, allowed) in [("threads", "1 to 1024"), ("stalled_after", "1 to 86400")] {
        let flag = format!("--{}", name.replace('_', "-"));
        let file = scratch.write("parlor.toml", format!("{name} = 0"));
        let sentence = format!("{name} is {allowed}, not 0");
        parlor(&["serve", &flag, "0"]).refused(2, &sentence);
        parlor(&["serve", "--config", &file]).refused(2, &sentence);
    }
}
