//! Worlds a viewer might be in, for bots that search and for the laws.

use crate::dice::Stream;
use crate::game::Game;

/// A game whose hidden part can be guessed.
pub trait Imagine: Game {
    /// A full truth that agrees with everything known: one of the worlds
    /// this viewer might be in, each equally likely as far as cards go.
    fn imagine(knowledge: &Self::Knowledge, dice: &mut Stream) -> Self::State;
}
