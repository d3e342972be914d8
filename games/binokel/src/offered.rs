//! Binokel as the house offers it: each question to its file.

use std::sync::Arc;

use parlor_kernel::{
    AskError, BotKind, Dialect, Offered, RulesError, RulesGuide, Score, SeatSet, Stacked,
};
use serde_json::{Map, Value};

use crate::board::Over;
use crate::event::Seen;
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::rules::Rules;
use crate::seats::all_seats;
use crate::state::State;
use crate::{ask, bots, wire, words};

impl Offered for Binokel {
    const ABOUT: &'static str =
        "bid for the dabb, meld, and take tricks you must beat: two, three, or four in teams";
    const ROUND_NAME: &'static str = "rounds";
    const QUESTIONS: &'static [&'static str] = ask::QUESTIONS;

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

    fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
        ask::ask(question, input)
    }

    fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
        ask::stack(script)
    }

    fn narrate(before: &Knowledge, seen: &Seen, after: &Knowledge) -> Option<String> {
        words::narrate(before, seen, after)
    }

    fn picture(knowledge: &Knowledge) -> String {
        words::picture(knowledge)
    }
}
