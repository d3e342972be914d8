//! Seven Card Stud as the house offers it: presets, bots, dialects and the score.

use std::sync::Arc;

use parlor_kernel::{BotKind, Dialect, Offered, RulesError, RulesGuide, Score};

use crate::game::Stud;
use crate::rules::Rules;
use crate::state::State;
use crate::{bots, wire};

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

    /// New matches follow the rulings of now: those of the first edition let
    /// anyone stall one for ever.
    fn dead_end(rules: &Rules) -> Option<String> {
        let sentence = "edition 1 is for matches that were begun before there was another, and \
                        lets anyone stall a match: leave 'edition' out, or set it to 2";
        (rules.edition == 1).then(|| sentence.to_owned())
    }

    fn ended_after(rules: &Rules, rounds: u32) -> Option<Rules> {
        let goes_on = rules.deals.is_none() && !rules.last_stack && rules.rebuy.is_some();
        goes_on.then(|| Rules { deals: Some(rounds), ..rules.clone() })
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
}
