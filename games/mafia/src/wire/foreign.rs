//! Logs that others have written, with the contract's fields alone: what Parlor
//! writes beside them is filled in, so that they can be told. Nothing is proved
//! by that: such a log has neither a seed nor causes.

use std::sync::Arc;

use parlor_kernel::{Opening, Seal, Seat, Sitting};
use serde_json::{Map, Value, json};

use crate::Mafia;
use crate::circle::PlayerId;
use crate::event::Phase;
use crate::rules::Rules;
use crate::turn::{Occasion, TurnId, TurnKind};

/// Fills in what a log of the contract leaves out. Its lines are in order. What
/// is there stays as it is, and so does what is no such log.
pub fn complete(lines: &mut [Value]) {
    let Some(first) = lines.first_mut() else { return };
    if first["eventType"] != "GAME_CREATED" {
        return;
    }
    let Some(opening) = opening(&first["payload"]) else { return };
    let roles = first["payload"]["initialRoles"].clone();
    fill(&mut first["payload"], "opening", opening);
    fill(first, "cause", json!({ "by": "house" }));
    let mut turns = Turns::default();
    for place in 0..lines.len() {
        let turn = turn_of(&lines[place]);
        let goes_on = |later: &Value| turn_of(later) == turn;
        let ends = turn.is_some() && !lines[place + 1..].iter().any(goes_on);
        let line = &mut lines[place];
        fill(line, "v", json!(<Mafia as parlor_kernel::Game>::VERSION));
        let kind = line["eventType"].as_str().unwrap_or_default().to_owned();
        let payload = &mut line["payload"];
        match kind.as_str() {
            "PHASE_CHANGED" => turns.change_phase(payload),
            "AGENT_THINK_STREAM" => turns.fill(TurnKind::Think, ends, payload),
            "AGENT_SAY_STREAM" => turns.fill(TurnKind::Say, ends, payload),
            "VOTE_CAST" => fill(payload, "ballot", json!(1)),
            "VOTE_RESULT" => {
                let voters = payload["votes"].as_array().map_or(0, Vec::len);
                fill(payload, "ballot", json!(1));
                fill(payload, "votesNeededForMajority", json!(voters / 2 + 1));
            }
            "PLAYER_ELIMINATED" => {
                let is_shown = payload["flipRevealedRole"] != false;
                fill(payload, "flip", json!(if is_shown { "role" } else { "none" }));
            }
            "GAME_ENDED" => {
                let unknown = "0".repeat(64);
                fill(payload, "roles", roles.clone());
                fill(payload, "degraded", json!(false));
                fill(payload, "seedOpening", json!({ "seed": unknown, "salt": unknown }));
            }
            _ => {}
        }
    }
}

fn fill(object: &mut Value, field: &str, value: Value) {
    if let Value::Object(fields) = object {
        fields.entry(field).or_insert(value);
    }
}

/// The opening that a log of the contract tells of: who sits where, and how
/// many of each role there are. The other rules are the usual ones.
fn opening(created: &Value) -> Option<Value> {
    let count = |role: &str| u8::try_from(created["config"][role].as_u64()?).ok();
    let rules = Rules {
        players: count("players")?,
        mafia: count("mafia")?,
        doctor: count("doctor")?,
        sheriff: count("sheriff")?,
        ..Rules::classic()
    };
    let names = created["initialRoles"].as_array()?.iter().map(|part| part["playerName"].as_str());
    let sitting = |(seat, name): (u8, Option<&str>)| Sitting {
        player_id: Seat(seat).player_id(),
        name: name.unwrap_or_default().to_owned(),
        bot: None,
    };
    let seats: Arc<[Sitting]> = (0..).zip(names).map(sitting).collect();
    let game_id = created["gameId"].as_str()?.to_owned();
    serde_json::to_value(Opening { game_id, rules, seats, seal: Seal::closed("") }).ok()
}

/// Which turn a line is a part of: who thinks or speaks, and how it is named.
fn turn_of(line: &Value) -> Option<(&str, &str, &str)> {
    let payload = &line["payload"];
    let turn = payload.get("turnId")?.as_str()?;
    Some((line["eventType"].as_str()?, payload["agentId"].as_str()?, turn))
}

/// Where the game stands, and the turns in it that others have named.
#[derive(Default)]
struct Turns {
    phase: Phase,
    day: u16,
    named: Map<String, Value>,
    given: Vec<TurnId>,
}

impl Turns {
    fn change_phase(&mut self, payload: &Value) {
        self.phase = serde_json::from_value(payload["to"].clone()).unwrap_or_default();
        self.day = payload["dayNumber"].as_u64().and_then(|day| day.try_into().ok()).unwrap_or(0);
    }

    fn fill(&mut self, kind: TurnKind, ends: bool, payload: &mut Value) {
        let is_whispered = kind == TurnKind::Say && self.phase == Phase::NightActions;
        fill(payload, "final", json!(ends));
        fill(payload, "channel", json!(if is_whispered { "mafia" } else { "public" }));
        let named = payload["turnId"].as_str().map(str::to_owned);
        let player = payload["agentId"].as_str().and_then(|id| id.parse::<PlayerId>().ok());
        if let (Some(named), Some(player)) = (named, player)
            && named.parse::<TurnId>().is_err()
        {
            payload["turnId"] = self.turn(kind, named, player);
        }
    }

    /// A name of ours for a turn that has another one.
    fn turn(&mut self, kind: TurnKind, named: String, player: PlayerId) -> Value {
        let occasion = match self.phase {
            Phase::Setup | Phase::NightActions => Occasion::Night(self.day.saturating_add(1)),
            Phase::DayVoting | Phase::Resolution => Occasion::Vote(self.day),
            Phase::MorningReveal | Phase::DayDiscussion | Phase::End => Occasion::Day(self.day),
        };
        let before =
            |turn: &&TurnId| (turn.kind, turn.occasion, turn.player) == (kind, occasion, player);
        let pass = self.given.iter().filter(before).count().saturating_add(1);
        let turn = TurnId { kind, occasion, pass: pass.try_into().unwrap_or(u8::MAX), player };
        let given = &mut self.given;
        let name = self.named.entry(format!("{player} {named}")).or_insert_with(|| {
            given.push(turn);
            json!(turn)
        });
        name.clone()
    }
}
