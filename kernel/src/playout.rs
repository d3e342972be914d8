//! Playing games out fast. Nothing here changes what happens in a game, and a
//! game that nobody simulates by the million needs none of it.

use crate::dice::Stream;
use crate::envelope::Cause;
use crate::game::Game;
use crate::log::Step;
use crate::player::{Player, RandomPlayer};
use crate::put::Put;
use crate::seat::{Seat, SeatSet};

/// What spares work when a game is played out in process.
pub trait Quick: Game {
    /// What everyone sees alike of an event; none where it depends on the
    /// viewer, or that is not worth telling. `see` says the same to each.
    #[inline]
    fn see_alike(_event: &Self::Event) -> Option<Self::Seen> {
        None
    }

    /// Seats that are never asked again, such as those of the dead: nobody
    /// need keep their views.
    #[inline]
    fn retired(_state: &Self::State) -> SeatSet {
        SeatSet::EMPTY
    }

    /// Someone who plays at random.
    fn random() -> Box<dyn Player<Self>> {
        Box::new(RandomPlayer)
    }
}

/// A game whose moves can be read from the truth, for players who never look:
/// no view is kept for them, which is a third of the time of a random game.
pub trait Playout: Quick {
    /// The moves of one seat; a `Vec` of them where nothing shorter says it.
    type Moves: Moves<Self::Action> + Send + Sync;

    /// The same as [`Game::options`] for this seat, read from the truth, in
    /// place of what `out` held.
    fn moves(state: &Self::State, seat: Seat, out: &mut Self::Moves);
}

/// The moves of a seat, in the order of [`Game::options`]. Who picks one by its
/// number has no need of the others, so they need not be laid out.
pub trait Moves<A>: Default {
    /// How many there are.
    fn count(&self) -> usize;

    /// The one with this number, from 0.
    fn nth(&self, number: usize) -> Option<A>;
}

impl<A: Clone> Moves<A> for Vec<A> {
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn nth(&self, number: usize) -> Option<A> {
        self.get(number).cloned()
    }
}

/// Someone who moves by the dice alone.
pub trait Blind<G: Game> {
    /// Adds a step by this seat to the steps of a log whose next event is
    /// `first`. It is written where it stays.
    fn step(
        &mut self,
        state: &G::State,
        seat: Seat,
        dice: &mut Stream,
        first: u32,
        steps: &mut Vec<Step<G::Action>>,
    );
}

/// Takes a move by its number.
pub struct ByLot<G: Playout> {
    moves: G::Moves,
    choose: Choose<G>,
}

/// Says which of the moves to play. It may first add others that are as good,
/// where they are only the plainest.
pub type Choose<G> = fn(&mut <G as Playout>::Moves, &mut Stream) -> usize;

impl<G: Playout> ByLot<G> {
    /// Someone who chooses like this.
    pub fn boxed(choose: Choose<G>) -> Option<Box<dyn Blind<G>>> {
        Some(Box::new(ByLot { moves: G::Moves::default(), choose }))
    }
}

impl<G: Playout> Blind<G> for ByLot<G> {
    #[inline]
    fn step(
        &mut self,
        state: &G::State,
        seat: Seat,
        dice: &mut Stream,
        first: u32,
        steps: &mut Vec<Step<G::Action>>,
    ) {
        G::moves(state, seat, &mut self.moves);
        let chosen = (self.choose)(&mut self.moves, dice);
        let cause = || match self.moves.nth(chosen) {
            Some(action) => Cause::Seat { seat, action },
            // No such move: then there is nothing to take.
            None => Cause::House,
        };
        steps.put(|| Step { first, cause: cause(), timestamp: 0 });
    }
}

/// Plays any of its options, each equally likely, and does not look.
pub struct RandomPlayout;

impl<G: Playout> Player<G> for RandomPlayout {
    fn choose(&mut self, _: &G::Knowledge, options: &[G::Action], dice: &mut Stream) -> usize {
        dice.below(options.len() as u32) as usize
    }

    fn blind(&self) -> Option<Box<dyn Blind<G>>> {
        ByLot::<G>::boxed(|moves, dice| dice.below(moves.count() as u32) as usize)
    }
}
