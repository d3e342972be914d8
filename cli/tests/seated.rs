//! Language models at tables of the real server: beside people, spectators
//! and bots, over an endpoint that is slow, wrong or dead, through pauses,
//! deadlines and power cuts.

mod common;
#[path = "../../players/tests/common/endpoint.rs"]
mod endpoint;
#[path = "seated/models.rs"]
mod models;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use common::*;
use endpoint::{Counts, Manner, last_message, sensible};
use models::*;
use serde_json::{Value, json};

#[test]
fn a_person_models_and_bots_play_to_the_end() {
    let endpoint = Endpoint::open(slow_at_first(usize::MAX, 2));
    let house = endpoint.house("personas = true", &[]);
    let models = ["llm", "llm", "large", "large"];
    let table = lay(&house, "whole", &json!({ "acknowledge": true }), &models, 0);
    let mut town = house.listen(&table, None, MAFIA, Some(0));
    let mut own = house.listen(&table, Some(PERSON), MAFIA, Some(0));
    play_on(&house, &table);
    let town: Vec<Value> = town.take_until("GAME_ENDED").iter().map(Message::json).collect();
    let own: Vec<Value> = own.take_until("GAME_ENDED").iter().map(Message::json).collect();
    check_turns(town.iter());
    check_turns(own.iter());
    for view in [&town, &own] {
        for secret in ["AGENT_FAULT", "AGENT_USAGE", "AGENT_ASSIGNED"] {
            assert!(of_kind(view, secret).is_empty(), "{secret}");
        }
        let strangers = of_kind(view, "AGENT_THINK_STREAM");
        assert!(strangers.iter().all(|thought| thought["payload"]["agentId"] == "p1"));
    }
    assert!(of_kind(&town, "AGENT_THINK_STREAM").is_empty());
    let events = check_log(&house, &table);
    let assigned = of_kind(&events, "AGENT_ASSIGNED");
    let names: Vec<_> = assigned.iter().map(|it| it["payload"]["agent"].as_str()).collect();
    assert_eq!(names, [Some("llm"), Some("llm"), Some("large"), Some("large")]);
    assert!(assigned.iter().all(|it| it["payload"]["persona"].is_string()));
    let usage = of_kind(&events, "AGENT_USAGE");
    assert_eq!(usage.len(), endpoint.asked(), "every answer is accounted for");
    assert!(of_kind(&events, "AGENT_FAULT").is_empty());
    let models: HashSet<&str> = ["p2", "p3", "p4", "p5"].into();
    let said = of_kind(&events, "AGENT_SAY_STREAM");
    let of_models =
        said.iter().filter(|it| models.contains(it["payload"]["agentId"].as_str().unwrap_or("")));
    assert!(of_models.clone().any(|it| it["payload"]["final"] == false), "in several parts");
}

#[test]
fn thoughts_and_words_are_told_while_they_come() {
    let pause = Duration::from_millis(40);
    let endpoint = Endpoint::open(move |_, asked| Manner::Slowly(orator(asked), pause));
    let house = endpoint.house("", &[]);
    let table = lay_models(&house, "live", &small(), 100);
    let hearing = Hearing {
        table: &table.id,
        token: Some(ADMIN),
        dialect: MAFIA,
        after: Some(0),
        ..Hearing::default()
    };
    let mut admin = hearing.open(&house).expect("the admin listens");
    let mut town = house.listen(&table, None, MAFIA, Some(0));
    admin.take_until("AGENT_THINK_STREAM");
    assert_eq!(Counts::of(&endpoint.server.counts.done), 0, "no answer has ended yet");
    let mut part = || town.take_until("AGENT_SAY_STREAM").pop().expect("words").json();
    let first = part();
    let began = Instant::now();
    let parts = [first, part(), part()];
    assert!(began.elapsed() > Duration::from_millis(150), "sentences come one after the other");
    let chunks = [0, 1, 2].map(|place| parts[place]["payload"]["chunk"].as_str());
    assert_eq!(chunks, [Some("One. "), Some("Two. "), Some("Three.")]);
    let finals = [0, 1, 2].map(|place| parts[place]["payload"]["final"] == true);
    assert_eq!(finals, [false, false, true]);
    assert_eq!(house.get(&table.path(""), None).with(200)["status"], "playing");
}

#[test]
fn no_word_of_an_answer_that_failed_is_public() {
    let endpoint = Endpoint::open(|_, asked| {
        let asks = asked["messages"].as_array().map_or(0, Vec::len);
        let floor = last_message(asked).contains("You have the floor") || asks > 2;
        if !floor {
            return Manner::Says(sensible(asked));
        }
        let statement = format!("UNSAYABLE. {}", "Too long. ".repeat(200));
        Manner::Says(json!({ "thought": "Hm.", "statement": statement }).to_string())
    });
    let house = endpoint.house("", &[]);
    let table = lay(&house, "unsayable", &small(), &["llm"; 3], 0);
    let mut town = house.listen(&table, None, MAFIA, Some(0));
    play_on(&house, &table);
    let town = town.take_until("GAME_ENDED");
    assert!(town.iter().all(|told| !told.text.contains("UNSAYABLE")));
    let events = check_log(&house, &table);
    let remedies = |remedy: &str| {
        let faults = of_kind(&events, "AGENT_FAULT");
        faults.iter().filter(|fault| fault["payload"]["remedy"] == remedy).count()
    };
    assert!(remedies("retry") > 0 && remedies("retry") == remedies("fallback"));
    assert!(
        of_kind(&events, "AGENT_SAY_STREAM").iter().all(|it| !it.to_string().contains("UNSAYABLE"))
    );
}

#[test]
fn a_dead_endpoint_holds_up_nobody() {
    let endpoint = Endpoint::open(|_, _| Manner::Hangs);
    let house = endpoint.house("", &[]);
    let dead = endpoint.scratch.write(
        "dead.toml",
        "[llm]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"none\"\ntimeout_s = 0.3\nretries = 1\n",
    );
    let table = lay(&house, "hangs", &small(), &["llm"; 3], 0);
    until("the agents are asked", || (endpoint.asked() > 0).then_some(()));
    // The table answers at once, and so does every other.
    let began = Instant::now();
    for _ in 0..20 {
        house.snapshot(&table, Some(PERSON), MAFIA);
    }
    let koikoi = house.against_bot(&json!({}));
    house.snapshot(&koikoi, Some(0), PROTOCOL);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    let house = House::open(&["--agents", &dead, "--agents-per-day", "100"]);
    let table = lay(&house, "dead", &small(), &["llm"; 3], 0);
    play_on(&house, &table);
    let events = check_log(&house, &table);
    let faults = of_kind(&events, "AGENT_FAULT");
    assert!(faults.iter().any(|fault| fault["payload"]["remedy"] == "fallback"));
    let reason = faults[0]["payload"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("cannot be reached"), "{reason}");
}

#[test]
fn a_clock_of_the_table_cuts_an_agent_short() {
    let endpoint = Endpoint::open(slow_at_first(usize::MAX, 300));
    let house = endpoint.house("", &[]);
    let mut rules = small();
    rules["nightSeconds"] = json!(3);
    let table = lay_models(&house, "short", &rules, 0);
    let is_timeout = |event: &Value| {
        event["eventType"] == "AGENT_FAULT" && event["payload"]["reason"] == "timeout"
    };
    let fault = wait_for(&house, &table, is_timeout);
    assert_eq!(fault["payload"]["remedy"], "fallback");
    until("the endpoint is left alone", || (endpoint.left() > 0).then_some(()));
    let events = log(&house, &table);
    let by = |events: &[Value], who: &Value| -> Vec<Value> {
        events.iter().filter(|it| it["payload"]["agentId"] == *who).cloned().collect()
    };
    let own = by(&events, &fault["payload"]["agentId"]);
    let night: Vec<&Value> = own
        .iter()
        .filter(|it| it["payload"]["turnId"].as_str().is_some_and(|turn| turn.contains("night")))
        .collect();
    assert!(night.len() > 1, "it had begun to think");
    check_turns(night.into_iter());
}

#[test]
fn a_pause_holds_an_agent_and_costs_it_nothing() {
    let endpoint = Endpoint::open(slow_at_first(6, 30));
    let house = endpoint.house("", &[]);
    let table = lay(&house, "held", &small(), &["llm"; 6], 0);
    wait_for(&house, &table, is_thought);
    house.call("POST", &table.path("/pause"), Some(ADMIN), b"").with(200);
    let stood = house.admin_log(&table);
    let asked = endpoint.asked();
    until("the answers have come", || {
        (Counts::of(&endpoint.server.counts.done) >= asked).then_some(())
    });
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(house.admin_log(&table), stood, "nothing happens meanwhile");
    house.call("POST", &table.path("/resume"), Some(ADMIN), b"").with(200);
    play_on(&house, &table);
    let events = check_log(&house, &table);
    assert!(of_kind(&events, "AGENT_FAULT").is_empty());
    assert_eq!(endpoint.left(), 0, "nobody was asked twice");
}

#[test]
fn the_end_of_a_table_calls_off_what_its_agents_wait_for() {
    let endpoint = Endpoint::open(|_, _| Manner::Hangs);
    let house = endpoint.house("", &[]);
    let table = lay(&house, "called off", &small(), &["llm"; 6], 0);
    let asked = until("the agents are asked", || Some(endpoint.asked()).filter(|asked| *asked > 1));
    let end = json!({ "reason": "supper" });
    house.post(&table.path("/terminate"), Some(ADMIN), &end).with(200);
    until("all are let go", || (endpoint.left() >= asked).then_some(()));
    let file = house.scratch.write("over.jsonl", house.admin_log(&table));
    assert_eq!(parlor(&["verify", &file]).code, 0);
}

#[test]
fn a_power_cut_in_the_midst_of_a_thought_leaves_a_lawful_log() {
    let endpoint = Endpoint::open(slow_at_first(15, 30));
    let mut house = endpoint.house("", &[]);
    let table = lay(&house, "cut", &small(), &["llm"; 6], 0);
    for _ in 0..3 {
        let before = of_kind(&log(&house, &table), "AGENT_THINK_STREAM").len();
        until("a thought is under way", || {
            let events = log(&house, &table);
            let thoughts = of_kind(&events, "AGENT_THINK_STREAM");
            let last = thoughts.last()?;
            (thoughts.len() > before && last["payload"]["final"] == false).then_some(())
        });
        house.kill();
        house.reopen();
    }
    play_on(&house, &table);
    let events = check_log(&house, &table);
    assert_eq!(of_kind(&events, "AGENT_ASSIGNED").len(), 6, "each is introduced once");
    assert!(of_kind(&events, "AGENT_FAULT").is_empty());
}

#[test]
fn a_power_cut_in_the_midst_of_a_statement_is_spoken_on_from_there() {
    let endpoint = Endpoint::open(|_, asked| {
        let goes_on = last_message(asked).contains("You have begun: \"One. \". Go on from there.");
        match goes_on {
            true => Manner::Says(
                json!({ "thought": "Where was I?", "statement": "So.  Yes." }).to_string(),
            ),
            false => Manner::Says(orator(asked)),
        }
    });
    let mut house = endpoint.house("", &[]);
    let table = lay_models(&house, "cut short", &small(), 400);
    let first = wait_for(&house, &table, |event| {
        event["eventType"] == "AGENT_SAY_STREAM" && event["payload"]["chunk"] == "One. "
    });
    house.kill();
    house.reopen();
    house.post(&table.path("/pace"), Some(ADMIN), &json!({ "bot_ms": 0 })).with(200);
    wait_for(&house, &table, |event| event["eventType"] == "GAME_ENDED");
    let events = check_log(&house, &table);
    let turn = &first["payload"]["turnId"];
    let parts = events.iter().filter(|event| event["payload"]["turnId"] == *turn);
    let said: String = parts.filter_map(|event| event["payload"]["chunk"].as_str()).collect();
    assert_eq!(said, "One. So. Yes.");
}

#[test]
fn a_house_without_agents_says_so() {
    let house = House::open(&[]);
    let seats = vec![json!({ "kind": "bot", "bot": "llm" }); 10];
    let order = json!({ "game": "mafia", "seats": seats });
    let sentence = house.post("/api/v1/tables", None, &order).refused(400, "UNKNOWN_BOT");
    assert!(sentence.contains("--agents"), "{sentence}");
    let listed = house.get("/api/v1/games/mafia", None).with(200);
    let bots = listed["bots"].as_array().expect("bots");
    assert!(bots.iter().all(|bot| bot["agent"].is_null()));
}

#[test]
fn agents_are_listed_with_the_bots_of_their_game() {
    let endpoint = Endpoint::open(|_, asked| Manner::Says(sensible(asked)));
    let house = endpoint.house("", &[]);
    let names = |game: &str| -> Vec<String> {
        let listed = house.get(&format!("/api/v1/games/{game}"), None).with(200);
        let bots = listed["bots"].as_array().expect("bots").iter();
        let agents = bots.filter(|bot| bot["agent"] == true);
        agents.filter_map(|bot| Some(bot["name"].as_str()?.to_owned())).collect()
    };
    assert_eq!(names("mafia"), ["llm", "large"]);
    assert_eq!(names("koikoi"), [""; 0]);
    let seats = vec![json!({ "kind": "bot", "bot": "hal" }); 10];
    let order = json!({ "game": "mafia", "seats": seats });
    let sentence = house.post("/api/v1/tables", None, &order).refused(400, "UNKNOWN_BOT");
    assert!(sentence.contains("llm, large") && !sentence.contains("--agents"), "{sentence}");
}

#[test]
fn files_that_cannot_be_used_exit_2_with_a_sentence() {
    let scratch = Scratch::new();
    let usual = "[llm]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"none\"\n";
    for (text, says) in [
        ("", "name no language model"),
        ("[llm]\nbase_url = \"nowhere\"\nmodel = \"none\"\n", "no address"),
        (&format!("{usual}key_env = \"NOT_SET_ANYWHERE\"\n"), "NOT_SET_ANYWHERE"),
        (&format!("{usual}[agents.bayes]\nmodel = \"x\"\n"), "called like a bot"),
        (&format!("{usual}speed = 3\n"), "speed"),
    ] {
        let file = scratch.write("agents.toml", text);
        parlor(&["serve", "--store", "memory:", "--agents", &file]).refused(2, says);
    }
    parlor(&["serve", "--store", "memory:", "--agents", "/nowhere.toml"])
        .refused(2, "/nowhere.toml");
    parlor(&["serve", "--store", "memory:", "--agents-at-once", "0"])
        .refused(2, "agents_at_once is 1 to 1024, not 0");
}

#[test]
fn a_seat_whose_agent_is_away_waits_for_it() {
    let endpoint = Endpoint::open(slow_at_first(6, 30));
    let mut house = endpoint.house("", &[]);
    let table = lay(&house, "away", &small(), &["llm"; 6], 0);
    wait_for(&house, &table, is_thought);
    house.kill();
    house.reopen_with(&[]);
    let stood = house.admin_log(&table);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(house.admin_log(&table), stood, "nobody plays for an agent that is away");
    assert!(house.log_lines().contains("start the server with --agents"));
    house.kill();
    house.reopen_with(&["--agents", &endpoint.file("")]);
    play_on(&house, &table);
    check_log(&house, &table);
}

#[test]
fn a_key_is_written_down_nowhere() {
    let endpoint = Endpoint::open(|_, _| Manner::Repeats(401));
    let file = endpoint.file("");
    let house = House::open_with(
        &["--agents", &file, "--agents-per-day", "100"],
        &[("SEATED_KEY", KEY), ("PARLOR_LOG", "trace")],
    );
    let table = lay(&house, "key", &small(), &["llm"; 2], 0);
    play_on(&house, &table);
    let events = house.admin_log(&table);
    assert!(events.contains("[the key]"), "the endpoint repeated it");
    for text in [&events, &house.log_lines()] {
        assert!(!text.contains(KEY));
    }
    assert!(house.stop().success());
    for entry in std::fs::read_dir(house.scratch.path()).expect("the house's files") {
        let path = entry.expect("a file").path();
        let bytes = std::fs::read(&path).expect("its bytes");
        assert!(!bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes()), "{path:?}");
    }
}

#[test]
fn so_many_agents_are_asked_at_once_and_no_more() {
    let endpoint = Endpoint::open(slow_at_first(usize::MAX, 2));
    let house = endpoint.house("", &["--agents-at-once", "2"]);
    let tables: Vec<Table> = (0..3)
        .map(|number| lay(&house, &format!("many {number}"), &small(), &["llm"; 6], 0))
        .collect();
    for table in &tables {
        play_on(&house, table);
    }
    assert_eq!(Counts::of(&endpoint.server.counts.busiest), 2);
}

#[test]
fn a_budget_is_for_the_whole_game_also_after_a_restart() {
    let endpoint = Endpoint::open(|_, asked| Manner::Says(sensible(asked)));
    let mut house = endpoint.house("budget_tokens = 1", &[]);
    let table = lay(&house, "budget", &small(), &["llm"; 6], 0);
    // Those who act in the first night are asked at once; then it is spent.
    until("all but the person have acted", || {
        let events = log(&house, &table);
        let acted = ["NIGHT_ACTION_SUBMITTED", "NIGHT_ACKNOWLEDGED"];
        (acted.map(|kind| of_kind(&events, kind).len()).iter().sum::<usize>() == 6).then_some(())
    });
    assert!(endpoint.asked() > 0);
    let asked = endpoint.asked();
    house.kill();
    house.reopen();
    play_on(&house, &table);
    assert_eq!(endpoint.asked(), asked, "nobody is asked when nothing is left");
    let events = check_log(&house, &table);
    let spent = |fault: &&Value| fault.to_string().contains("budget of tokens is spent");
    assert!(of_kind(&events, "AGENT_FAULT").iter().any(spent));
}

#[test]
fn only_who_may_seats_language_models() {
    let endpoint = Endpoint::open(|_, asked| Manner::Says(sensible(asked)));
    let file = endpoint.file("");
    let order = |models: usize| {
        let mut seats = vec![json!({ "name": "Zoe", "kind": "human" })];
        seats.extend(vec![json!({ "kind": "bot", "bot": "llm" }); models]);
        seats.resize(7, json!({ "kind": "human" }));
        json!({ "game": "mafia", "rules": "7p2m", "seats": seats }).to_string()
    };
    let post = |house: &House, path: &str, headers: &[(&str, &str)], body: &str| {
        house.request("POST", path, headers, body.as_bytes()).expect("an answer")
    };
    let key = [("X-Agent-Key", "for-my-friends")];
    let admin = [("Authorization", "Bearer the-house-itself")];
    let flags = ["--agents", &file, "--agent-key", "for-my-friends"];
    let house = House::open_with(&flags, &[("SEATED_KEY", KEY)]);
    let tables = "/api/v1/tables";
    // By default no stranger does, in no way.
    post(&house, tables, &[], &order(1)).refused(403, "AGENTS_NOT_ALLOWED");
    post(&house, tables, &[("X-Agent-Key", "guessed-it")], &order(1))
        .refused(403, "AGENTS_NOT_ALLOWED");
    let plain = post(&house, tables, &[], &order(0)).with(201);
    let bearer = format!("Bearer {}", plain["token"].as_str().expect("a token"));
    let own = [("Authorization", bearer.as_str())];
    let at = |laid: &Value, call: &str| {
        format!("{tables}/{}{call}", laid["table_id"].as_str().expect("an id"))
    };
    let llm = r#"{"bot":"llm"}"#;
    post(&house, &at(&plain, "/bots"), &own, llm).refused(403, "AGENTS_NOT_ALLOWED");
    post(&house, &at(&plain, "/bots"), &[own[0], key[0]], llm).with(201);
    post(&house, tables, &admin, &order(1)).with(201);
    // A rematch would seat them again.
    let laid = post(&house, tables, &key, &order(1)).with(201);
    let bearer = format!("Bearer {}", laid["token"].as_str().expect("a token"));
    let own = [("Authorization", bearer.as_str())];
    post(&house, &at(&laid, "/terminate"), &own, "{}").with(200);
    post(&house, &at(&laid, "/rematch"), &own, "").refused(403, "AGENTS_NOT_ALLOWED");
    post(&house, &at(&laid, "/rematch"), &[own[0], key[0]], "").with(201);
    // Where anyone may, only so many a day.
    let flags = ["--agents", &file, "--agents-per-day", "3"];
    let house = House::open_with(&flags, &[("SEATED_KEY", KEY)]);
    post(&house, tables, &[], &order(2)).with(201);
    let spent = post(&house, tables, &[], &order(2));
    spent.refused(429, "AGENTS_SPENT");
    assert!(spent.header("retry-after").is_some());
    post(&house, tables, &[], &order(1)).with(201);
    parlor(&["serve", "--store", "memory:", "--agent-key", "short"])
        .refused(2, "at least 8 characters");
}
