//! What a game keeps of its opening for as long as it is played.

use std::sync::Arc;

use crate::opening::Opening;
use crate::seal::Seal;
use crate::setup::Setup;

/// What the truth keeps of an [`Opening`]: the setup, which everyone knows, and
/// the sealed seed, which nobody does. Neither changes during a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened<R> {
    /// Who sits where, under which rules.
    pub setup: Arc<Setup<R>>,
    /// The sealed seed, which the last event opens.
    pub seal: Arc<Seal>,
}

impl<R: Clone> Opened<R> {
    /// A game is opened like this.
    pub fn of(opening: &Opening<R>) -> Opened<R> {
        Opened { setup: Arc::new(Setup::of(opening)), seal: Arc::new(opening.seal.clone()) }
    }

    /// What it was opened with, to play it again.
    pub fn opening(&self) -> Opening<R> {
        let Setup { game_id, rules, seats, .. } = (*self.setup).clone();
        Opening { game_id, rules, seats, seal: (*self.seal).clone() }
    }
}

impl<R> Opened<R> {
    /// As whoever knows the setup imagines it: nobody knows what is sealed.
    pub fn imagined(setup: &Arc<Setup<R>>) -> Opened<R> {
        let seal = Arc::new(Seal::closed(&setup.commitment));
        Opened { setup: Arc::clone(setup), seal }
    }

    /// The house rules.
    #[inline]
    pub fn rules(&self) -> &R {
        &self.setup.rules
    }
}
