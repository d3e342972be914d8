//! What one viewer knows.

use std::sync::Arc;

use parlor_kernel::{Seat, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::Board;
use crate::cards::CardSet;
use crate::holding::Holding;
use crate::seats::at;
use crate::setup::GameSetup;

/// One viewer's truth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Knowledge {
    /// Whose it is.
    #[serde(serialize_with = "display")]
    #[schemars(with = "String")]
    pub viewer: Viewer,
    /// Rules and players.
    pub table: Option<Arc<GameSetup>>,
    /// What everyone sees.
    pub board: Board,
    /// Each seat's hand.
    pub hands: [Holding; 4],
    /// The dabb, until it is taken.
    pub dabb: Holding,
    /// What the declarer laid away.
    pub laid_away: Holding,
    /// Cards that cannot be in a seat's hand: one of them would have been
    /// played, or they were seen elsewhere.
    pub lacks: [CardSet; 4],
    /// Cards that cannot have been laid away.
    pub not_laid_away: CardSet,
}

impl Knowledge {
    /// The viewer's own hand; none for those who have none.
    pub fn own_hand(&self) -> Option<(Seat, CardSet)> {
        let seat = self.viewer.seat().filter(|seat| seat.0 < self.board.players)?;
        Some((seat, self.hands[at(seat)].known))
    }
}

fn display<S: serde::Serializer>(viewer: &Viewer, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(viewer)
}
