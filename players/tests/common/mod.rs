//! What the tests of agents share: an endpoint to ask, and games to play.
#![allow(dead_code, unused_imports, reason = "each test uses its part")]

mod decision;
mod endpoint;

pub use decision::{Decided, ask, asked_to, decide, knowledge, model};
pub use endpoint::{Counts, Manner, Server, last_message, sensible, serve, serve_all};

use parlor_kernel::{Log, Seal};
use parlor_mafia::{Event, Mafia, Rules};
use parlor_players::llm::{AgentSettings, Endpoints};
use parlor_players::{Controller, Lineup, Played, Roster, Unobserved, Wires};

/// Settings for a table at this server, with more of them in `llm`.
pub fn settings(base_url: &str, llm: &str) -> AgentSettings {
    let text = format!("[llm]\nbase_url = \"{base_url}\"\nmodel = \"test\"\n{llm}");
    toml::from_str(&text).expect("the settings can be read")
}

/// A game where these agents sit in turn.
pub fn lineup(settings: AgentSettings, agents: &[&str], rules: &Rules, seed: &str) -> Lineup {
    let agents: Vec<String> = agents.iter().map(|agent| (*agent).to_owned()).collect();
    Roster::new(settings)
        .lineup(&format!("game-{seed}"), rules, Seal::named(seed), &agents)
        .expect("everyone can be seated")
}

/// Over the network, with nothing found out yet and nothing to keep to.
pub fn live() -> Wires {
    Wires::Live(std::sync::Arc::new(Endpoints::default()))
}

/// Plays it.
pub async fn play(lineup: &Lineup, wires: &Wires) -> Played<Mafia> {
    let game = lineup.prepare(wires, Controller::default()).expect("everyone can be seated");
    game.play(&mut Unobserved).await
}

/// The log as it is exported.
pub fn jsonl(log: &Log<Mafia>, lineup: &Lineup) -> String {
    let line = |envelope| serde_json::to_string(&envelope).expect("an envelope is JSON");
    let lines: Vec<String> = log.envelopes(&lineup.opening.game_id).into_iter().map(line).collect();
    lines.join("\n")
}

/// The reasons of every fault, with what came of it.
pub fn faults(log: &Log<Mafia>) -> Vec<(String, parlor_mafia::Remedy)> {
    let fault = |event: &Event| match event {
        Event::AgentFault(fault) => Some((fault.reason.to_string(), fault.remedy)),
        _ => None,
    };
    log.events.iter().filter_map(fault).collect()
}
