//! What is secret in a game, and from whom.

use std::fmt::Debug;

use crate::dice::Stream;
use crate::game::Game;
use crate::seat::{Seat, SeatSet, Viewer};

/// Who may look into a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eyes {
    /// These seats, from now on.
    pub seats: SeatSet,
    /// Anyone, once the game is over.
    pub afterwards: bool,
}

impl Eyes {
    /// Nobody before the game is over, such as a card in the pile.
    pub const NOBODY: Eyes = Eyes { seats: SeatSet::EMPTY, afterwards: true };

    /// One seat, and anyone once the game is over: a card in a hand.
    pub const fn of(seat: Seat) -> Eyes {
        Eyes { seats: SeatSet::only(seat), afterwards: true }
    }

    /// Whether this viewer may look.
    pub fn are(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Seat(seat) => self.seats.contains(seat),
            Viewer::Public => false,
            Viewer::Admin => true,
            Viewer::Postmortem => self.afterwards,
        }
    }
}

/// A game says once, beside its state, what is secret and from whom. What is
/// closed to a viewer before and after a step must not change what that viewer
/// is told of it, offered or answered: the laws exchange two closed cells,
/// repeat the step and compare bytes.
pub trait Secrets: Game {
    /// A place that holds something secret: a die in a hand, a card in a pile.
    /// It keeps its name as long as what is in it stays the same.
    type Cell: Copy + Debug + PartialEq;

    /// The cells that someone may not look into now, with the eyes that may.
    fn secrets(state: &Self::State, out: &mut Vec<(Self::Cell, Eyes)>);

    /// Exchanges what is in two cells. False where the two hold things that
    /// cannot stand in for each other; the state is then left alone.
    fn swap(state: &mut Self::State, one: Self::Cell, other: Self::Cell) -> bool;

    /// The cell that what was drawn under this label at this place, from 0, lies
    /// in, where a game can tell. Else the laws look for two cells that make the
    /// difference, and pass over a draw that changed anything beside them.
    fn drawn(_state: &Self::State, _label: &str, _place: usize) -> Option<Self::Cell> {
        None
    }

    /// Empties a cell that may be empty, such as a vote that is not cast yet.
    /// False where there is always something in it. Who may not look into such
    /// a cell may not learn either that it was filled.
    fn clear(_state: &mut Self::State, _cell: Self::Cell) -> bool {
        false
    }

    /// What must hold of every state, such as all cards being somewhere once.
    fn invariant(_state: &Self::State) -> Result<(), String> {
        Ok(())
    }

    /// A world this viewer might be in, for games that
    /// [`Imagine`](crate::Imagine) one.
    fn imagined(_knowledge: &Self::Knowledge, _dice: &mut Stream) -> Option<Self::State> {
        None
    }

    /// The action in the form that `options` uses, where `decide` takes it in
    /// others too.
    fn plain(_knowledge: &Self::Knowledge, action: &Self::Action) -> Self::Action {
        action.clone()
    }

    /// The action, taken in this state, as it is where two of its cells were
    /// exchanged: who lays a hidden card face down lays down what is in its
    /// place there. Actions that others see stay as they are.
    fn carried(
        _state: &Self::State,
        action: &Self::Action,
        _one: Self::Cell,
        _other: Self::Cell,
    ) -> Self::Action {
        action.clone()
    }
}

/// Everything that is secret in this state.
pub(super) fn listed<G: Secrets>(state: &G::State) -> Vec<(G::Cell, Eyes)> {
    let mut cells = Vec::new();
    G::secrets(state, &mut cells);
    cells
}

/// Whether the cell is listed and this viewer may not look into it. What is
/// not listed may be known to all.
pub(super) fn is_closed<C: PartialEq>(cells: &[(C, Eyes)], cell: &C, viewer: Viewer) -> bool {
    cells.iter().any(|(known, eyes)| known == cell && !eyes.are(viewer))
}
