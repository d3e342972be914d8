//! The table's truth and a viewer's truth. Both hold the board; they differ
//! in what they hold of down cards and deck.

use std::sync::Arc;

use parlor_kernel::{Opened, Setup, Viewer};

use crate::board::Board;
use crate::cards::Stub;
use crate::event::GameFinished;
use crate::rules::Rules;
use crate::showdown::{DealEnd, Downs};

/// The table's truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Rules, players and the sealed seed.
    pub opened: Option<Opened<Rules>>,
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
    /// Who sits where, under which rules, once the match is opened.
    #[inline]
    pub fn setup(&self) -> Option<&Setup<Rules>> {
        self.opened.as_ref().map(|opened| &*opened.setup)
    }

    /// Whether hands may stay closed for good at this table.
    pub fn mucks(&self) -> bool {
        self.setup().is_some_and(|setup| setup.rules.muck)
    }
}

/// One viewer's truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Knowledge {
    /// Whose it is.
    pub viewer: Viewer,
    /// Rules and players.
    pub setup: Option<Arc<Setup<Rules>>>,
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
