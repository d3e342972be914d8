//! Koi-Koi as the house offers it: each question to its file.

use std::sync::Arc;

use parlor_kernel::{
    AskError, Asked, BotKind, CalledOff, Dialect, Imagine, Offered, RulesError, RulesGuide, Score,
    Scripted, SeatSet, Spoken, Stacked, Stream, plain,
};
use serde_json::{Map, Value};

use crate::board::{Knowledge, State};
use crate::event::{Action, Ending, Seen};
use crate::game::KoiKoi;
use crate::rules::Rules;
use crate::{ask, bots, wire, words};

impl Offered for KoiKoi {
    const ABOUT: &'static str =
        "hanafuda for two: capture cards by month, make yaku, stop or dare to go on";
    const ROUND_NAME: &'static str = "rounds";

    fn guide() -> RulesGuide<Rules> {
        Rules::guide()
    }

    fn check(rules: &Rules) -> Result<(), RulesError> {
        rules.check()
    }

    fn dialects() -> Vec<Arc<dyn Dialect<KoiKoi>>> {
        wire::dialects()
    }

    fn bots() -> Vec<BotKind<KoiKoi>> {
        bots::bots()
    }

    fn score(state: &State) -> Score {
        let board = &state.board;
        let winner = board.finished.as_ref().and_then(|finished| finished.winner);
        Score {
            points: board.totals.map(i64::from).to_vec(),
            winners: winner.map_or(SeatSet::EMPTY, SeatSet::only),
            rounds: board.rounds_played.into(),
        }
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        let finished = state.board.finished.as_deref();
        let end = finished.filter(|finished| finished.reason == Ending::CalledOff)?;
        Some(CalledOff { by: None, reason: end.note.clone().unwrap_or_default() })
    }
}

impl Spoken for KoiKoi {
    fn world(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(Self::imagine(knowledge, dice))
    }

    fn narrate(_: &Knowledge, seen: &Seen, after: &Knowledge) -> Option<String> {
        Some(words::narrate(seen, after))
    }

    fn picture(knowledge: &Knowledge) -> String {
        words::picture(knowledge)
    }

    fn label(knowledge: &Knowledge, action: &Action) -> String {
        words::label(knowledge, action)
    }
}

impl Asked for KoiKoi {
    const QUESTIONS: &'static [&'static str] = ask::QUESTIONS;

    fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
        ask::ask(question, input)
    }
}

impl Scripted for KoiKoi {
    fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
        ask::stack(script)
    }
}

plain!(KoiKoi: Written);
