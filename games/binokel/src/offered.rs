//! Binokel as the house offers it: each question to its file.

use std::sync::Arc;

use parlor_kernel::{
    AskError, Asked, BotKind, CalledOff, Dialect, Imagine, Offered, Room, RulesError, RulesGuide,
    Score, Scripted, SeatSet, Spoken, Stacked, Stream, plain,
};
use serde_json::{Map, Value};

use crate::board::Over;
use crate::event::{Action, Seen};
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::rules::Rules;
use crate::seats::{all_seats, team};
use crate::state::State;
use crate::{ask, bots, spoken, wire, words};

impl Offered for Binokel {
    const ABOUT: &'static str =
        "bid for the dabb, meld, and take tricks you must beat: two, three, or four in teams";
    const ROUND_NAME: &'static str = "rounds";
    const ROOM: Option<Room> = Some(Room { dialect: wire::EVENTS, target: "target", team });

    fn guide() -> RulesGuide<Rules> {
        Rules::guide()
    }

    fn check(rules: &Rules) -> Result<(), RulesError> {
        rules.check()
    }

    fn dialects() -> Vec<Arc<dyn Dialect<Binokel>>> {
        wire::dialects()
    }

    fn bots() -> Vec<BotKind<Binokel>> {
        bots::bots()
    }

    /// Partners have the same points, and win together.
    fn score(state: &State) -> Score {
        let board = &state.board;
        let winner = match &board.over {
            Some(Over::Finished(finished)) => Some(usize::from(finished.winner)),
            _ => None,
        };
        let seats = || all_seats(board.players);
        Score {
            points: seats().map(|seat| board.totals.get(board.side(seat)).into()).collect(),
            winners: seats().filter(|seat| Some(board.side(*seat)) == winner).collect::<SeatSet>(),
            rounds: board.rounds_played.into(),
        }
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        let Some(Over::Terminated(over)) = &state.board.over else { return None };
        Some(CalledOff { by: over.terminated_by, reason: over.reason.clone() })
    }
}

impl Spoken for Binokel {
    fn world(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(Self::imagine(knowledge, dice))
    }

    fn narrate(before: &Knowledge, seen: &Seen, after: &Knowledge) -> Option<String> {
        words::narrate(before, seen, after)
    }

    fn picture(knowledge: &Knowledge) -> String {
        words::picture(knowledge)
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

impl Asked for Binokel {
    const QUESTIONS: &'static [&'static str] = ask::QUESTIONS;

    fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
        ask::ask(question, input)
    }
}

impl Scripted for Binokel {
    fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
        ask::stack(script)
    }
}

plain!(Binokel: Written);
