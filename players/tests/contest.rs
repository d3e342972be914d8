//! A contest of four that could not be more different: a bot, a model that
//! answers well, one that thinks aloud, and one whose endpoint is dead. The
//! report is right about each, and the documentation shows it.

mod common;

use std::path::Path;
use std::sync::Arc;

use common::{Manner, Server, sensible, serve};
use parlor_kernel::{Log, reexecute};
use parlor_mafia::{Mafia, Rules};
use parlor_players::arena::{AgentReport, Contest, Ended, PlaysAs, Report};
use parlor_players::llm::{AgentSettings, Endpoints};
use parlor_players::{Controller, Roster, Wires};
use serde_json::{Value, json};

/// Answers well, and counts what it takes.
fn good(_: usize, request: &Value) -> Manner {
    let usage = json!({
        "prompt_tokens": 1000, "completion_tokens": 50,
        "prompt_tokens_details": { "cached_tokens": 600 },
    });
    Manner::Counts(vec![json!({ "content": sensible(request) })], "stop", usage)
}

/// Thinks in the midst of its words, and counts nothing.
fn inline(_: usize, request: &Value) -> Manner {
    let draft = "Whom? {\"target\": \"p1\", \"statement\": \"A draft.\"}";
    let text = format!("<think>{draft}</think>{}", sensible(request));
    Manner::Counts(vec![json!({ "content": text })], "stop", Value::Null)
}

fn settings(good: &Server, inline: &Server) -> AgentSettings {
    // The port was free a moment ago, and nobody listens there now.
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let dead = format!("http://{}/v1", port.local_addr().expect("an address"));
    let (good, inline) = (&good.base_url, &inline.base_url);
    let file = format!(
        "[llm]\ntemperature = 0.7\nretries = 0\nprice_in = 1.0\nprice_out = 4.0\n\
         [agents.good]\nbase_url = \"{good}\"\nmodel = \"plain-1\"\nprice_cached = 0.1\n\
         [agents.inline]\nbase_url = \"{inline}\"\nmodel = \"thinker-2\"\ntemperature = 1.0\n\
         [agents.dead]\nbase_url = \"{dead}\"\nmodel = \"gone-3\"\n"
    );
    toml::from_str(&file).expect("the settings can be read")
}

async fn contest(settings: AgentSettings) -> (Report, Vec<(String, Log<Mafia>)>) {
    let endpoints = Endpoints::new(&settings).expect("endpoints");
    let contest = Contest {
        roster: Roster::new(settings),
        rules: Rules::sized(8, 2),
        agents: ["bayes", "good", "inline", "dead"].map(str::to_owned).to_vec(),
        seeds: 6,
        seed: "parlor".to_owned(),
        at_once: 4,
        wires: Wires::Live(endpoints),
        control: Controller::default(),
    };
    let mut logs = Vec::new();
    let keep = |game: Ended<'_>| logs.push((game.name, game.log.clone()));
    let report = contest.play(keep).await.expect("everyone can be seated");
    (report, logs)
}

fn check_bot(bayes: &AgentReport) {
    assert_eq!(bayes.plays, PlaysAs::Bot);
    assert_eq!((bayes.fallbacks, bayes.requests, bayes.cost_usd), (0, 0, Some(0.0)));
    assert!(bayes.standing.rank.is_some());
}

fn check_good(good: &AgentReport, asked: u64) {
    assert_eq!((good.fallbacks, good.invalid, good.cut_off), (0, 0, 0));
    assert_eq!((good.requests, good.prompt_tokens), (asked, asked * 1000));
    assert_eq!((good.cached_tokens, good.completion_tokens), (asked * 600, asked * 50));
    assert_eq!((good.estimated_tokens, good.reasoning_tokens), (0, 0));
    let micros = asked as f64 * (400.0 * 1.0 + 600.0 * 0.1 + 50.0 * 4.0);
    assert!((good.cost_usd.expect("a price") * 1e6 - micros).abs() < 1.0);
    assert_eq!(good.plays.told(), "plain-1, temperature 0.7");
    assert!(good.standing.rank.is_some());
}

fn check_inline(inline: &AgentReport, asked: u64) {
    assert_eq!((inline.fallbacks, inline.invalid, inline.cut_off), (0, 0, 0));
    assert_eq!(inline.requests, asked);
    let tokens = inline.prompt_tokens + inline.completion_tokens;
    assert_eq!(inline.estimated_tokens, tokens, "nobody counted, and the report says so");
    assert!(inline.reasoning_tokens > 10 * asked && inline.cost_usd > Some(0.0));
    assert_eq!(inline.plays.told(), "thinker-2, temperature 1");
    assert!(inline.standing.rank.is_some());
}

fn check_dead(dead: &AgentReport) {
    assert_eq!((dead.fallback_rate, dead.invalid), (Some(1.0), 0));
    assert_eq!((dead.prompt_tokens, dead.completion_tokens, dead.cost_usd), (0, 0, Some(0.0)));
    assert!(dead.degraded_seats > 0 && dead.requests > 0);
    assert!(dead.sides.iter().chain(&dead.roles).all(|group| group.wins.rate.is_none()));
    assert_eq!((dead.standing.rank, dead.standing.score), (None, None));
    let why = dead.standing.unranked.as_deref();
    assert_eq!(why, Some("fell back in 100 % of its decisions"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_report_is_right_about_a_bot_a_model_a_thinker_and_a_dead_one() {
    let (good, inline) = (serve(good).await, serve(inline).await);
    let (mut report, logs) = contest(settings(&good, &inline)).await;
    let [bayes, dead, well, aloud] = &report.agents[..] else { panic!("four agents") };
    check_bot(bayes);
    check_good(well, good.asked() as u64);
    check_inline(aloud, inline.asked() as u64);
    check_dead(dead);
    let mut ranks: Vec<_> = report.agents.iter().filter_map(|it| it.standing.rank).collect();
    ranks.sort_unstable();
    assert!(ranks == [1, 2, 3] || ranks.windows(2).any(|pair| pair[0] == pair[1]), "{ranks:?}");
    assert_eq!((report.games, report.unplayed), (24, 0));
    assert!(report.degraded > 12, "in most games the dead one fails five times in a row");
    assert!(report.town_wins.weight < report.town_wins.n as f64);
    // Every game's log is there, under the name the report gives it.
    let mut names: Vec<&str> = logs.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, report.played.iter().map(|game| game.log.as_str()).collect::<Vec<_>>());
    assert!(logs.iter().all(|(_, log)| reexecute(log).is_ok()));
    // Who, with what, when and under which rules: in every form of the report.
    let json = serde_json::to_value(&report).expect("a report is JSON");
    assert_eq!(json["agents"][2]["plays"]["model"], "plain-1");
    assert_eq!(json["agents"][2]["plays"]["temperature"], 0.7);
    for text in [report.text(), report.html()] {
        for part in ["plain-1, temperature 0.7", "8p2m", env!("CARGO_PKG_VERSION"), &report.date] {
            assert!(text.contains(part), "no {part} in {text}");
        }
    }
    // What is different each time is written as it was once.
    report.date = "2026-11-18".to_owned();
    report.elapsed_s = 2.5;
    for agent in &mut report.agents {
        agent.mean_latency_ms = agent.mean_latency_ms.map(|_| 3.0);
    }
    assert_documented(&report.text());
}

/// The table stands in docs/agents.md as the program prints it.
/// `PARLOR_WRITE_DOCS=1 cargo test -p parlor-players --test contest` writes it.
fn assert_documented(table: &str) {
    const FENCE: &str = "```text\n";
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/agents.md");
    let text = std::fs::read_to_string(&page).expect("the page");
    let start = text.find(FENCE).expect("a block of text") + FENCE.len();
    let end = start + text[start..].find("```").expect("its end");
    if std::env::var_os("PARLOR_WRITE_DOCS").is_some() {
        let page_anew = format!("{}{table}{}", &text[..start], &text[end..]);
        std::fs::write(&page, page_anew).expect("the page is written");
    } else {
        assert_eq!(&text[start..end], table, "PARLOR_WRITE_DOCS=1 writes it anew");
    }
}

#[tokio::test]
async fn a_contest_goes_on_with_what_was_found_out_in_its_first_game() {
    let ways = Arc::new(std::sync::Mutex::new(Vec::new()));
    let keep = Arc::clone(&ways);
    let server = serve(move |_, request| {
        let is_schema = request["response_format"]["type"] == "json_schema";
        keep.lock().expect("no test panics with it").push(is_schema);
        match is_schema {
            true => Manner::Refuses(400, "no response_format here".to_owned()),
            false => Manner::Says(sensible(request)),
        }
    })
    .await;
    let settings = common::settings(&server.base_url, "");
    let endpoints = Endpoints::new(&settings).expect("endpoints");
    let contest = Contest {
        roster: Roster::new(settings),
        rules: Rules::sized(5, 1),
        agents: ["llm", "random"].map(str::to_owned).to_vec(),
        seeds: 2,
        seed: "found out".to_owned(),
        at_once: 1,
        wires: Wires::Live(endpoints),
        control: Controller::default(),
    };
    contest.play(|_| {}).await.expect("everyone can be seated");
    let ways = ways.lock().expect("no test panics with it").clone();
    let refused = ways.iter().filter(|is_schema| **is_schema).count();
    // Those of the first night are asked before the first refusal is back.
    assert!(refused <= 3 && ways.len() > 10, "{refused} of {}", ways.len());
}
