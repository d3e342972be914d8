//! The truth.

use parlor_kernel::Opened;

use crate::board::Board;
use crate::cards::CardSet;
use crate::rules::Rules;

/// The table's truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Rules, players and the sealed seed.
    pub opened: Option<Opened<Rules>>,
    /// What everyone sees.
    pub board: Board,
    /// Each seat's hand.
    pub hands: [CardSet; 4],
    /// The dabb, until it is taken.
    pub dabb: CardSet,
    /// What the declarer laid away.
    pub laid_away: CardSet,
}

impl State {
    /// The house rules, once the game is opened.
    #[inline]
    pub fn rules(&self) -> Option<&Rules> {
        self.opened.as_ref().map(Opened::rules)
    }
}
