//! The truth.

use std::sync::Arc;

use parlor_kernel::Seal;

use crate::board::Board;
use crate::cards::CardSet;
use crate::table::Table;

/// The table's truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Rules and players.
    pub table: Option<Arc<Table>>,
    /// The sealed seed.
    pub seal: Option<Arc<Seal>>,
    /// What everyone sees.
    pub board: Board,
    /// Each seat's hand.
    pub hands: [CardSet; 4],
    /// The dabb, until it is taken.
    pub dabb: CardSet,
    /// What the declarer laid away.
    pub laid_away: CardSet,
}
