//! Language models behind an endpoint of our own, the tables they sit at, and
//! what must be true of every log they leave.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::common::*;
use super::endpoint::{Counts, Manner, Server, last_message, sensible, serve};

pub const KEY: &str = "sk-parlor-0123456789-nobody-may-read-this";

/// An endpoint with threads of its own, and the file that names it.
pub struct Endpoint {
    pub server: Server,
    pub scratch: Scratch,
    _runtime: Runtime,
}

impl Endpoint {
    pub fn open(manner: impl Fn(usize, &Value) -> Manner + Send + Sync + 'static) -> Endpoint {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a thread for the endpoint");
        let server = runtime.block_on(serve(manner));
        Endpoint { server, scratch: Scratch::new(), _runtime: runtime }
    }

    /// The file: an agent `llm` and another `large`, and `more` about both.
    pub fn file(&self, more: &str) -> String {
        let url = &self.server.base_url;
        let text = format!(
            "{more}\n[llm]\nbase_url = \"{url}\"\nmodel = \"small\"\ntimeout_s = 10\n\
             key_env = \"SEATED_KEY\"\n[agents.large]\nmodel = \"large\"\n"
        );
        self.scratch.write("agents.toml", text)
    }

    /// A house where these agents may sit.
    pub fn house(&self, more: &str, flags: &[&str]) -> House {
        let file = self.file(more);
        let flags = [&["--agents", &file, "--agents-per-day", "1000"][..], flags].concat();
        House::open_with(&flags, &[("SEATED_KEY", KEY)])
    }

    pub fn asked(&self) -> usize {
        self.server.asked()
    }

    pub fn left(&self) -> usize {
        Counts::of(&self.server.counts.left)
    }
}

/// A person, models in the next seats, and bots in the others.
pub fn lay(house: &House, seed: &str, rules: &Value, models: &[&str], bot_ms: u64) -> Table {
    let preset = rules["preset"].as_str();
    let seats = preset.map_or(10, |preset| usize::from(preset.as_bytes()[0] - b'0'));
    let mut order = vec![json!({ "name": "Zoe", "kind": "human" })];
    order.extend(models.iter().map(|model| json!({ "kind": "bot", "bot": model })));
    order.resize(seats, json!({ "kind": "bot", "bot": "bayes" }));
    house.lay(&json!({
        "game": "mafia", "rules": rules, "seed": seed, "seats": order, "bot_ms": bot_ms,
    }))
}

/// Seven models, and nobody else.
pub fn lay_models(house: &House, seed: &str, rules: &Value, bot_ms: u64) -> Table {
    let seats = vec![json!({ "kind": "bot", "bot": "llm" }); 7];
    house.lay(&json!({
        "game": "mafia", "rules": rules, "seed": seed, "seats": seats, "bot_ms": bot_ms,
    }))
}

/// The whole answer, with a pause before each piece of the first few.
pub fn slow_at_first(few: usize, pause_ms: u64) -> impl Fn(usize, &Value) -> Manner {
    move |number, asked| match number < few {
        true => Manner::Slowly(sensible(asked), Duration::from_millis(pause_ms)),
        false => Manner::Says(sensible(asked)),
    }
}

/// Seven seats without clocks; villagers take note of the night.
pub fn small() -> Value {
    json!({
        "preset": "7p2m", "acknowledge": true,
        "nightSeconds": 0, "turnSeconds": 0, "voteSeconds": 0,
    })
}

/// Plays the person's part to the end.
pub fn play_on(house: &House, table: &Table) {
    let mut chance = Chance::new(7);
    while let Some(known) = question(house, table) {
        house.command(table, PERSON, MAFIA, &answer(&known, &mut chance)).with(200);
    }
}

pub fn log(house: &House, table: &Table) -> Vec<Value> {
    lines(&house.admin_log(table))
}

pub fn of_kind<'a>(log: &'a [Value], kind: &str) -> Vec<&'a Value> {
    log.iter().filter(|event| event["eventType"] == kind).collect()
}

/// Waits for the first event like this.
pub fn wait_for(house: &House, table: &Table, is_it: impl Fn(&Value) -> bool) -> Value {
    until("the event", || log(house, table).into_iter().find(&is_it))
}

pub fn is_thought(event: &Value) -> bool {
    event["eventType"] == "AGENT_THINK_STREAM" && event["payload"]["final"] == false
}

/// Every thought and statement has one end, and nothing comes after it.
#[track_caller]
pub fn check_turns<'a>(events: impl Iterator<Item = &'a Value>) {
    let mut ended: HashMap<&str, bool> = HashMap::new();
    for event in events {
        let Some(turn) = event["payload"]["turnId"].as_str() else { continue };
        assert_ne!(ended.get(turn), Some(&true), "{turn} goes on after its end");
        ended.insert(turn, event["payload"]["final"] == true);
    }
    let open: Vec<_> = ended.iter().filter(|(_, ended)| !**ended).collect();
    assert!(open.is_empty(), "turns without an end: {open:?}");
}

/// The log is whole, plays again from its seed, and reads back elsewhere.
#[track_caller]
pub fn check_log(house: &House, table: &Table) -> Vec<Value> {
    let text = house.admin_log(table);
    let events = lines(&text);
    check_turns(events.iter());
    let file = house.scratch.write("whole.jsonl", &text);
    let verified = parlor(&["verify", &file]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    let elsewhere = format!("sqlite:{}", house.scratch.file(&format!("{}.db", table.id)));
    assert_eq!(parlor(&["import", "--store", &elsewhere, &file]).code, 0);
    let back = parlor(&["export", "--store", &elsewhere, &table.id]);
    assert_eq!(back.out, text, "what is imported is exported again");
    assert_eq!(parlor(&["verify", "--store", &elsewhere, &table.id]).code, 0);
    events
}

/// A statement in three parts for whoever has the floor, sense for others.
pub fn orator(request: &Value) -> String {
    if !last_message(request).contains("You have the floor") {
        return sensible(request);
    }
    json!({ "thought": "Now or never. I shall speak.", "statement": "One. Two. Three." })
        .to_string()
}
