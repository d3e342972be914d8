//! Scenarios: a game with fixed cards and given moves in, what happens out.

use std::sync::Arc;

use parlor_kernel::{
    Awaiting, CANONICAL, Cause, Dialect, DialectView, Envelope, Game, Log, MessageError, Offered,
    Opening, Seal, Seat, Sitting, View, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::NAMED_SEEDS;
use crate::offer::{OpenError, dialect_of, typed_opening};
use crate::playing::ViewError;

/// Why a script cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// It is not a script.
    #[error("a script is one JSON object with game, seats and actions: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The fixed cards are wrong.
    #[error("{0}")]
    Stack(String),
    /// The table cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The views cannot be told like that.
    #[error(transparent)]
    Dialect(#[from] ViewError),
}

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

struct ScriptedGame<G: Game> {
    state: G::State,
    log: Log<G>,
    settled: usize,
}

impl<G: Game> ScriptedGame<G> {
    fn settle(&mut self, cause: Cause<G::Action>) {
        self.log.begin_at(self.settled, cause, 0);
        for event in &self.log.events[self.settled..] {
            G::apply(&mut self.state, event);
        }
        self.settled = self.log.events.len();
    }
}

pub(crate) fn run_script<G: Offered>(script: &Value) -> Result<Value, ScriptError> {
    let script: Script = serde_json::from_value(script.clone())?;
    let opening = typed_opening::<G>(opening_of::<G>(&script)?)?;
    let dice = opening.dice();
    let mut game =
        ScriptedGame::<G> { state: G::State::default(), log: Log::default(), settled: 0 };
    let mut refusals = Vec::new();
    G::open(opening, &dice, &mut game.log.events);
    game.settle(Cause::House);
    for index in 0..=script.actions.len() {
        while let Awaiting::House { .. } = G::awaiting(&game.state) {
            G::proceed(&game.state, &dice, &mut game.log.events);
            game.settle(Cause::House);
        }
        let Some(Move { seat, action }) = script.actions.get(index) else { break };
        let seat = Seat(*seat);
        let decided = G::script_action(action).and_then(|action| {
            G::decide(&game.state, seat, &action, &dice, &mut game.log.events)
                .map(|()| action)
                .map_err(|refusal| MessageError::refused(&refusal))
        });
        match decided {
            Ok(action) => game.settle(Cause::Seat { seat, action }),
            Err(misheard) => refusals.push(refusal_of(index, &misheard)),
        }
    }
    report::<G>(&game, &script, refusals)
}

fn refusal_of(index: usize, misheard: &MessageError) -> ScriptRefusal {
    let (code, reason) = match misheard {
        MessageError::Malformed(_) | MessageError::Unreadable { .. } => ("MALFORMED", None),
        MessageError::Refused { code, reason, .. } => (*code, *reason),
    };
    ScriptRefusal { index, code, reason, message: misheard.to_string() }
}

fn opening_of<G: Offered>(script: &Script) -> Result<Opening<Value>, ScriptError> {
    let stacked = G::stack(&script.rest).map_err(ScriptError::Stack)?;
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
    game: &ScriptedGame<G>,
    script: &Script,
    refusals: Vec<ScriptRefusal>,
) -> Result<Value, ScriptError> {
    let envelopes: Vec<Envelope> = game.log.envelopes(NAMED_SEEDS);
    let awaiting = match G::awaiting(&game.state) {
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
        .map(|viewer| (viewer.to_string(), told::<G>(&game.log, viewer, &dialect)))
        .collect();
    let mut house = View::<G>::new(Viewer::Admin);
    let mut state = G::State::default();
    for event in &game.log.events {
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
