//! Koi-Koi as the house offers it.

use std::sync::Arc;

use parlor_kernel::{BotKind, Dialect, Offered, RulesError, RulesGuide, Score, SeatSet, plain};

use crate::board::State;
use crate::game::KoiKoi;
use crate::rules::Rules;
use crate::{bots, wire};

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

    fn dead_end(rules: &Rules) -> Option<String> {
        rules.dead_end()
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
}

plain!(KoiKoi: Written);
