//! A town of Mafia: one person among bots, and what the person does.

use serde_json::{Value, json};

use super::house::{House, Table};
use super::{Chance, until};

/// The dialect of Mafia.
pub const MAFIA: &str = "mafia.events";

/// The person's seat in every town here.
pub const PERSON: usize = 0;

/// Ten seats: a person, and nine bots that think and speak at once.
pub fn lay_town(house: &House, seed: &str, rules: &Value) -> Table {
    lay_slow_town(house, seed, rules, 0)
}

/// The same with bots that wait so many milliseconds before they act.
pub fn lay_slow_town(house: &House, seed: &str, rules: &Value, bot_ms: u64) -> Table {
    let mut seats = vec![json!({ "name": "Zoe", "kind": "human" })];
    seats.extend((0..9).map(|_| json!({ "kind": "bot", "bot": "bayes" })));
    house.lay(&json!({
        "game": "mafia", "rules": rules, "seed": seed, "seats": seats, "bot_ms": bot_ms,
    }))
}

/// Ten bots that think and speak, so many milliseconds apart.
pub fn lay_bots(house: &House, seed: &str, bot_ms: u64) -> Table {
    let seats = vec![json!({ "kind": "bot", "bot": "bayes" }); 10];
    house.lay(&json!({ "game": "mafia", "seed": seed, "seats": seats, "bot_ms": bot_ms }))
}

/// What the person knows as soon as it is asked something; none once the
/// game is over.
pub fn question(house: &House, table: &Table) -> Option<Value> {
    until("a question or the end", || {
        let mut known = house.snapshot(table, Some(PERSON), MAFIA)["payload"].take();
        if known["phase"] == "END" {
            return Some(None);
        }
        (!known["you"]["asked"].is_null()).then(|| Some(known.take()))
    })
}

/// Any of the legal actions; when it is to speak, words.
pub fn answer(known: &Value, chance: &mut Chance) -> Value {
    if known["you"]["asked"] == "SPEAK" {
        return json!({ "type": "SAY", "text": "I was at home all night. And you?" });
    }
    let legal = known["you"]["legalActions"].as_array().expect("legal actions");
    legal[chance.below(legal.len())].clone()
}

/// The envelopes of a log.
pub fn lines(log: &str) -> Vec<Value> {
    log.lines().map(|line| serde_json::from_str(line).expect("an envelope")).collect()
}
