//! What the house needs to know: `guide` and `score`. The rest, a game may leave
//! out.

use parlor_kernel::{
    AskError, BotKind, Explained, Imagine, Offered, Outline, RulesError, RulesGuide, Score,
    Scripted, SeatSet, Spoken, Stacked, Stream, plain,
};
use serde_json::{Map, Value};

use crate::board::{Knowledge, State};
use crate::event::{Action, Seen};
use crate::game::LiarsDice;
use crate::rules::Rules;
use crate::{ask, bots, words};

impl Offered for LiarsDice {
    const ABOUT: &'static str = "hidden dice for two to six: bid higher, or call the liar";

    fn guide() -> RulesGuide<Rules> {
        Rules::guide()
    }

    /// Points are the dice that are left.
    fn score(state: &State) -> Score {
        let board = &state.board;
        let winner = board.finished.as_ref().and_then(|finished| finished.winner);
        Score {
            points: board.hands.iter().map(|hand| hand.count.into()).collect(),
            winners: winner.map_or(SeatSet::EMPTY, SeatSet::only),
            rounds: board.round.into(),
        }
    }

    fn check(rules: &Rules) -> Result<(), RulesError> {
        rules.check()
    }

    fn bots() -> Vec<BotKind<LiarsDice>> {
        bots::bots()
    }
}

impl Spoken for LiarsDice {
    fn narrate(_: &Knowledge, seen: &Seen, after: &Knowledge) -> Option<String> {
        Some(words::narrate(seen, &after.board))
    }

    fn picture(knowledge: &Knowledge) -> String {
        words::picture(&knowledge.board)
    }

    fn label(_: &Knowledge, action: &Action) -> String {
        words::label(action)
    }

    fn world(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(LiarsDice::imagine(knowledge, dice))
    }

    /// Whose turn it is and how many dice each has, everyone sees.
    fn outline(knowledge: &Knowledge) -> Option<Outline<State>> {
        Some(Outline::whole(State { board: knowledge.board.clone(), opened: None }))
    }
}

impl Explained for LiarsDice {
    const QUESTIONS: &'static [&'static str] = &["count", "chance"];

    fn ask(question: &str, input: &Value) -> Result<Value, AskError> {
        ask::ask(question, input)
    }
}

impl Scripted for LiarsDice {
    fn stack(script: &Map<String, Value>) -> Result<Stacked, String> {
        ask::stack(script)
    }
}

plain!(LiarsDice: Written);
