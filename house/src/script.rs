//! Scenarios: a game with fixed cards and given moves in, what happens out.

use std::sync::Arc;

use parlor_kernel::{
    Awaiting, CANONICAL, Dialect, DialectView, Envelope, Game, Log, MessageError, Offered, Opening,
    Run, Seal, Seat, Sitting, View, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::NAMED_SEEDS;
use crate::error::HouseError;
use crate::offer::{dialect_of, typed_opening};

#[derive(Deserialize)]
struct Script {
    #[serde(default)]
    rules: Value,
    #[serde(default)]
    seed: Value,
    #[serde(default)]
    seats: Vec<String>,
    #[serde(default)]
    actions: Vec<Move>,
    /// What the views are told in; the canonical envelope if it is not said.
    #[serde(default)]
    dialect: Option<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct Move {
    seat: u8,
    action: Value,
}

#[derive(Serialize)]
struct ScriptRefusal {
    index: usize,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    message: String,
}

pub(crate) fn run_script<G: Offered>(script: &Value) -> Result<Value, HouseError> {
    let script: Script = serde_json::from_value(script.clone())?;
    let opening = typed_opening::<G>(opening_of::<G>(&script)?)?;
    let mut run = Run::<G>::new(opening.dice());
    let mut refusals = Vec::new();
    run.open(opening, &mut ());
    run.proceed(&mut ());
    for (index, Move { seat, action }) in script.actions.iter().enumerate() {
        let taken = G::script_action(action).and_then(|action| {
            run.act(Seat(*seat), action, &mut ()).map_err(|refusal| MessageError::refused(&refusal))
        });
        if let Err(error) = taken {
            refusals.push(refusal_of(index, &error));
        }
        run.proceed(&mut ());
    }
    report::<G>(&run, &script, refusals)
}

fn refusal_of(index: usize, error: &MessageError) -> ScriptRefusal {
    let (code, reason) = match error {
        MessageError::Malformed(_) | MessageError::Unreadable { .. } => ("MALFORMED", None),
        MessageError::Refused { code, reason, .. } => (*code, *reason),
    };
    ScriptRefusal { index, code, reason, message: error.to_string() }
}

fn opening_of<G: Offered>(script: &Script) -> Result<Opening<Value>, HouseError> {
    let stacked = G::stack(&script.rest).map_err(HouseError::Stacked)?;
    let seed = match &script.seed {
        Value::String(name) => name.clone(),
        Value::Null => "script".to_owned(),
        other => other.to_string(),
    };
    let sitting = |(seat, name): (usize, &String)| Sitting {
        player_id: Seat(seat as u8).player_id(),
        name: name.clone(),
        bot: None,
    };
    Ok(Opening {
        game_id: NAMED_SEEDS.to_owned(),
        rules: script.rules.clone(),
        seats: script.seats.iter().take(32).enumerate().map(sitting).collect(),
        seal: Seal::stacked(&seed, stacked),
    })
}

fn report<G: Offered>(
    run: &Run<G>,
    script: &Script,
    refusals: Vec<ScriptRefusal>,
) -> Result<Value, HouseError> {
    let envelopes: Vec<Envelope> = run.log().envelopes(NAMED_SEEDS);
    let awaiting = match G::awaiting(run.state()) {
        Awaiting::Seats { seats, kind } => {
            json!({ "seats": seats.iter().collect::<Vec<_>>(), "kind": kind })
        }
        Awaiting::House { kind } => json!({ "seats": [], "kind": kind }),
        Awaiting::Nobody => json!({ "seats": [], "kind": "GAME_OVER" }),
    };
    let dialect = dialect_of::<G>(script.dialect.as_deref().unwrap_or(CANONICAL))?;
    let seats = (0..script.seats.len() as u8).map(|seat| Viewer::Seat(Seat(seat)));
    let views: Map<String, Value> = seats
        .chain([Viewer::Public])
        .map(|viewer| (viewer.to_string(), told::<G>(run.log(), viewer, &dialect)))
        .collect();
    let mut house = View::<G>::new(Viewer::Admin);
    let mut state = G::State::default();
    for event in &run.log().events {
        G::apply(&mut state, event);
        house.witness(&state, event);
    }
    Ok(json!({
        "events": envelopes,
        "refusals": refusals,
        "awaiting": awaiting,
        "state": house.knowledge(),
        "views": views,
    }))
}

fn told<G: Game>(log: &Log<G>, viewer: Viewer, dialect: &Arc<dyn Dialect<G>>) -> Value {
    let heard = DialectView::new(viewer, Arc::clone(dialect)).catch_up(log, NAMED_SEEDS);
    let parse = |text: &String| serde_json::from_str(text).unwrap_or(Value::Null);
    heard.iter().map(parse).collect()
}
