//! Binokel as the house offers it.

use std::sync::Arc;

use parlor_kernel::{
    BotKind, Dialect, Offered, Room, RulesError, RulesGuide, Score, SeatSet, plain,
};

use crate::board::Over;
use crate::game::Binokel;
use crate::rules::Rules;
use crate::seats::{all_seats, team};
use crate::state::State;
use crate::{bots, wire};

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

    fn ended_after(rules: &Rules, rounds: u32) -> Option<Rules> {
        rules.ended_after(rounds)
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
}

plain!(Binokel: Written);
