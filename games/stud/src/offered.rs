//! Seven Card Stud as the house offers it: each question to its file.

use std::sync::Arc;

use parlor_kernel::{
    AskError, Asked, BotKind, CalledOff, Dialect, FileFormat, FormatError, Imagine, Log, Offered,
    RulesError, RulesGuide, Score, Scripted, Spoken, Stacked, Stream, Viewer, Written,
};
use serde_json::{Map, Value};

use crate::action::Action;
use crate::event::{Ending, Seen};
use crate::game::Stud;
use crate::rules::Rules;
use crate::state::{Knowledge, State};
use crate::{ask, bots, phh, wire, words};

impl Offered for Stud {
    const ABOUT: &'static str =
        "seven card stud with fixed limits: high, razz, hi-lo eight or better, or all in turn";
    const ROUND_NAME: &'static str = "deals";

    fn guide() -> RulesGuide<Rules> {
        Rules::guide()
    }

    fn check(rules: &Rules) -> Result<(), RulesError> {
        rules.check()
    }

    fn dialects() -> Vec<Arc<dyn Dialect<Stud>>> {
        wire::dialects()
    }

    fn bots() -> Vec<BotKind<Stud>> {
        bots::bots()
    }

    /// Points are chips won or lost: the stack without what was bought.
    fn score(state: &State) -> Score {
        let board = &state.board;
        let won = |seat| {
            let player = board.player(seat);
            i64::from(player.stack) - i64::from(player.bought)
        };
        let winners = state.finished.as_deref().map_or_else(Default::default, |end| end.winners);
        Score {
            points: board.seated().map(won).collect(),
            winners: winners.iter().collect(),
            rounds: board.deals_played.into(),
        }
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        let end = state.finished.as_deref().filter(|end| end.reason == Ending::CalledOff)?;
        Some(CalledOff { by: None, reason: end.note.clone().unwrap_or_default() })
    }
}

impl Spoken for Stud {
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
        words::label(knowledge, *action)
    }

    fn typing(knowledge: &Knowledge) -> Option<String> {
        words::typing(knowledge)
    }

    fn typed(knowledge: &Knowledge, text: &str) -> Option<Action> {
        words::typed(knowledge, text)
    }
}

impl Asked for Stud {
    const QUESTIONS: &'static [&'static str] = ask::QUESTIONS;

    fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
        ask::ask(question, input)
    }
}

impl Scripted for Stud {
    fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
        ask::stack(script)
    }
}

impl Written for Stud {
    const FORMATS: &'static [FileFormat] = &[phh::FORMAT];

    fn export(
        format: &str,
        log: &Log<Stud>,
        viewer: Viewer,
        deal: Option<u32>,
    ) -> Result<String, FormatError> {
        if format != phh::FORMAT.name {
            return Err(Stud::unknown_format(format));
        }
        phh::export(log, viewer, deal)
    }

    fn import(format: &str, text: &str) -> Result<Vec<Log<Stud>>, FormatError> {
        if format != phh::FORMAT.name {
            return Err(Stud::unknown_format(format));
        }
        phh::import(text)
    }
}
