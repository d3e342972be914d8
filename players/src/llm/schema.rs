//! What an answer must look like, as a JSON schema: with the legal targets by
//! name, so that an endpoint that keeps to it cannot answer anything else.

use parlor_mafia::{Action, Asked, HIGHEST_BID, Knowledge};
use serde_json::{Map, Value, json};

use crate::llm::answer::{may_whisper, target_of};

/// The schema of the answer to what a seat is asked. It follows from what the
/// seat knows, like the prompt. Nothing, if nothing is asked.
pub fn schema(knowledge: &Knowledge, options: &[Action]) -> Value {
    let text = |meaning: &str| json!({ "type": "string", "description": meaning });
    let mut fields = Map::new();
    // First, so that a model thinks before it decides.
    let thought = text("Your reasoning, which nobody else will see; conclusions last.");
    fields.insert("thought".to_owned(), thought);
    match knowledge.asked() {
        Some(Asked::Act) => {
            if may_whisper(knowledge) {
                let meaning = "A word to the others of the mafia, or empty.";
                fields.insert("whisper".to_owned(), text(meaning));
            }
            fields.insert("target".to_owned(), targets(options));
        }
        Some(Asked::Vote) => {
            fields.insert("target".to_owned(), targets(options));
        }
        Some(Asked::Bid) => {
            let amounts: Vec<u8> = (0..=HIGHEST_BID).collect();
            fields.insert("amount".to_owned(), json!({ "type": "integer", "enum": amounts }));
        }
        Some(Asked::Speak) => {
            let meaning = "What you say to everyone; empty passes.";
            fields.insert("statement".to_owned(), text(meaning));
        }
        None => return Value::Null,
    }
    let required: Vec<&String> = fields.keys().collect();
    json!({
        "type": "object",
        "required": required,
        "properties": fields,
        "additionalProperties": false,
    })
}

fn targets(options: &[Action]) -> Value {
    let targets: Vec<Value> = options
        .iter()
        .map(|option| target_of(option).map_or(Value::Null, |target| json!(target.to_string())))
        .collect();
    let kind = match targets.contains(&Value::Null) {
        true => json!(["string", "null"]),
        false => json!("string"),
    };
    json!({ "type": kind, "enum": targets })
}
