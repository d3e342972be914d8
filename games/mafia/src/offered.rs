//! Mafia as the house offers it: each question to its file.

use std::sync::Arc;

use parlor_kernel::{
    AskError, Asked, BotKind, CalledOff, ClientMessage, Dialect, Imagine, MessageError, Offered,
    RulesError, RulesGuide, Score, Scripted, SeatSet, Spoken, Stacked, Stream, plain,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::action::Action;
use crate::circle::PlayerId;
use crate::game::Mafia;
use crate::role::Team;
use crate::rules::Rules;
use crate::seen::Seen;
use crate::state::{Knowledge, State};
use crate::{ask, bots, script, spoken, wire};

impl Offered for Mafia {
    const ABOUT: &'static str =
        "a town by day, its mafia by night: kill, protect, ask, argue and vote";
    const ROUND_NAME: &'static str = "days";

    /// rules §1: names tell nothing of who plays the seat.
    const NAMES: &'static [&'static str] = &[
        "Ada", "Boris", "Clara", "Dmitri", "Elsa", "Felix", "Greta", "Hugo", "Ines", "Jonas",
        "Kaya", "Leon", "Mira", "Nils", "Olga", "Pablo", "Quinn", "Rosa", "Stefan", "Tove",
    ];

    fn guide() -> RulesGuide<Rules> {
        Rules::guide()
    }

    fn check(rules: &Rules) -> Result<(), RulesError> {
        rules.check()
    }

    fn dialects() -> Vec<Arc<dyn Dialect<Mafia>>> {
        wire::dialects()
    }

    fn bots() -> Vec<BotKind<Mafia>> {
        bots::bots()
    }

    /// A point for everyone on the side that won, dead or alive.
    fn score(state: &State) -> Score {
        let everyone = state.table.as_deref().map(|table| table.players()).unwrap_or_default();
        let winner = winner(state);
        let has_won = |player: &PlayerId| Some(state.cast.role(*player).team()) == winner;
        Score {
            points: everyone.iter().map(|player| i64::from(has_won(&player))).collect(),
            winners: everyone.iter().filter(has_won).map(PlayerId::seat).collect::<SeatSet>(),
            rounds: state.board.day.into(),
        }
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        let reason = state.board.ended.as_deref()?.reason.as_ref()?;
        Some(CalledOff { by: None, reason: reason.to_string() })
    }

    fn counts(state: &State) -> Vec<(&'static str, u64)> {
        vec![
            ("town_wins", u64::from(winner(state) == Some(Team::Town))),
            ("mafia_wins", u64::from(winner(state) == Some(Team::Mafia))),
            ("degraded", u64::from(!state.faults.degraded.is_empty())),
        ]
    }
}

impl Spoken for Mafia {
    fn world(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(Self::imagine(knowledge, dice))
    }

    fn narrate(_: &Knowledge, seen: &Seen, after: &Knowledge) -> Option<String> {
        script::narrate(seen, after)
    }

    fn picture(knowledge: &Knowledge) -> String {
        script::picture(knowledge)
    }

    fn label(knowledge: &Knowledge, action: &Action) -> String {
        spoken::label(knowledge, action)
    }

    fn typing(knowledge: &Knowledge) -> Option<String> {
        spoken::typing(knowledge)
    }

    fn typed(knowledge: &Knowledge, text: &str) -> Option<Action> {
        spoken::typed(knowledge, text)
    }
}

impl Asked for Mafia {
    const QUESTIONS: &'static [&'static str] = ask::QUESTIONS;

    fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
        ask::ask(question, input)
    }
}

impl Scripted for Mafia {
    fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
        ask::stack(script)
    }

    /// Scripts may do what clients do, and what is reported about agents.
    fn script_action(action: &Value) -> Result<Action, MessageError> {
        match Action::deserialize(action) {
            Ok(report) if !report.is_for_clients() => Ok(report),
            _ => match wire::hear(action.to_string().as_bytes())? {
                ClientMessage::Act(action) => Ok(action),
                _ => Err(MessageError::Malformed("a script takes moves only".to_owned())),
            },
        }
    }
}

plain!(Mafia: Written);

fn winner(state: &State) -> Option<Team> {
    state.board.ended.as_deref().and_then(|ended| ended.winner)
}
