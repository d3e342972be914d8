//! The table's truth and a viewer's truth. Both hold the board; they differ
//! in what they hold of down cards and deck.

use std::sync::Arc;

use parlor_kernel::{Opening, Seal, Seat, Sitting, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::{Board, Stage};
use crate::cards::Stub;
use crate::event::GameFinished;
use crate::rules::{MOST_ON_TABLE, Rules};
use crate::seats::Seats;
use crate::showdown::{DealEnd, Downs};

/// What does not change during a match, and everyone knows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableCard {
    /// The game's id.
    pub game_id: String,
    /// The house rules.
    pub rules: Rules,
    /// Who sits where.
    pub seats: Arc<[Sitting]>,
    /// The commitment to the seed.
    pub commitment: String,
}

impl TableCard {
    /// What everyone may know of the opening.
    pub fn of(opening: &Opening<Rules>) -> TableCard {
        TableCard {
            game_id: opening.game_id.clone(),
            rules: opening.rules.clone(),
            seats: opening.seats.clone(),
            commitment: opening.seal.commitment().to_owned(),
        }
    }

    /// The seconds for a decision; none where no clock runs: it is switched
    /// off, or nobody but bots would wait.
    pub fn turn_clock(&self) -> Option<u32> {
        let people = self.seats.iter().filter(|sitting| sitting.bot.is_none()).count();
        (self.rules.turn_seconds > 0 && people > 1).then_some(self.rules.turn_seconds)
    }

    /// Whether the seat may buy chips now.
    pub(crate) fn sells_to(&self, board: &Board, seat: Seat) -> Option<u32> {
        let amount = self.rules.rebuy?;
        let fits = board.chips() + u64::from(amount) <= u64::from(MOST_ON_TABLE);
        let in_deal = board.stage == Stage::Dealing && board.active.contains(seat);
        (board.player(seat).stack == 0 && !in_deal && fits).then_some(amount)
    }

    /// Who could still join a table that waits for players.
    pub(crate) fn may_return(&self, board: &Board) -> Seats {
        let returns = |seat: &Seat| {
            self.sells_to(board, *seat).is_some()
                || board.sitting_out.contains(*seat) && board.player(*seat).stack > 0
        };
        board.seated().filter(returns).collect()
    }
}

/// The table's truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Rules and players.
    pub table: Option<Arc<TableCard>>,
    /// The sealed seed.
    pub seal: Option<Arc<Seal>>,
    /// What everyone sees.
    pub board: Board,
    /// Everyone's down cards.
    pub down: Downs,
    /// What is left of the deck.
    pub stub: Stub,
    /// How the last deal ended, until the next begins.
    pub last_deal: Option<Arc<DealEnd>>,
    /// How the match ended.
    pub finished: Option<Arc<GameFinished>>,
}

impl State {
    /// Whether hands may stay closed for good at this table.
    pub fn mucks(&self) -> bool {
        self.table.as_deref().is_some_and(|table| table.rules.muck)
    }
}

/// One viewer's truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Knowledge {
    /// Whose it is.
    pub viewer: Viewer,
    /// Rules and players.
    pub table: Option<Arc<TableCard>>,
    /// What everyone sees.
    pub board: Board,
    /// The down cards this viewer knows; `board` says how many there are.
    pub down: Downs,
    /// What is left of the deck, for those who see all.
    pub stub: Option<Box<Stub>>,
    /// How the last deal ended, until the next begins.
    pub last_deal: Option<Arc<DealEnd>>,
    /// How the match ended.
    pub finished: Option<Arc<GameFinished>>,
}
