//! Who knows what.

use std::sync::Arc;

use parlor_kernel::laws::{Eyes, Secrets};
use parlor_kernel::{Imagine, Opened, Seat, Setup, Stream};

use crate::board::{Hand, Knowledge, State};
use crate::event::{Event, Seen};
use crate::game::LiarsDice;

/// An event to someone who may see the dice of these seats. The seed is for
/// nobody before the game is over.
pub(crate) fn seen(event: &Event, sees: impl Fn(Seat) -> bool) -> Seen {
    match event {
        Event::GameStarted { opening } => Seen::GameStarted(Arc::new(Setup::of(opening))),
        Event::RoundRolled { round, starter, hands } => {
            let hand = |(seat, dice): (u8, &Vec<u8>)| Hand {
                count: dice.len() as u8,
                dice: sees(Seat(seat)).then(|| dice.clone()),
            };
            let hands = (0..).zip(hands).map(hand).collect();
            Seen::RoundRolled { round: *round, starter: *starter, hands }
        }
        Event::BidPlaced(placed) => Seen::BidPlaced(*placed),
        Event::Challenged(challenged) => Seen::Challenged(challenged.clone()),
        Event::GameFinished(finished) => Seen::GameFinished(finished.clone()),
    }
}

/// A die under a cup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Die {
    /// Whose.
    pub seat: Seat,
    /// Which one, from 0.
    pub place: usize,
}

/// What the laws exchange: a die is for its own seat only.
impl Secrets for LiarsDice {
    type Cell = Die;

    fn secrets(state: &State, out: &mut Vec<(Die, Eyes)>) {
        for (seat, hand) in (0..).map(Seat).zip(&state.board.hands) {
            let dice = hand.dice.iter().flatten().enumerate();
            out.extend(dice.map(|(place, _)| (Die { seat, place }, Eyes::of(seat))));
        }
    }

    fn swap(state: &mut State, one: Die, other: Die) -> bool {
        let [first, second] = [one, other].map(|die| face(state, die).copied());
        let (Some(first), Some(second)) = (first, second) else { return false };
        for (die, put) in [(one, second), (other, first)] {
            if let Some(face) = face(state, die) {
                *face = put;
            }
        }
        true
    }

    // What follows, a game may leave out.

    fn invariant(state: &State) -> Result<(), String> {
        let board = &state.board;
        for (seat, hand) in (0..).map(Seat).zip(&board.hands) {
            let rolled = hand.dice.as_ref().map(Vec::len);
            if rolled.is_some_and(|rolled| rolled != usize::from(hand.count)) {
                return Err(format!("{seat} has {} dice and rolled {rolled:?}", hand.count));
            }
            let winner = board.finished.as_ref().and_then(|finished| finished.winner);
            if winner.is_some() && (hand.count > 0) != (winner == Some(seat)) {
                return Err(format!("{seat} has {} dice, and {winner:?} has won", hand.count));
            }
        }
        Ok(())
    }

    fn imagined(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(LiarsDice::imagine(knowledge, dice))
    }
}

fn face(state: &mut State, die: Die) -> Option<&mut u8> {
    state.board.hands.get_mut(die.seat.index())?.dice.as_mut()?.get_mut(die.place)
}

/// Rolls what is covered anew: dice are independent of each other.
impl Imagine for LiarsDice {
    fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
        let mut board = knowledge.board.clone();
        if board.turn.is_some() {
            for hand in &mut board.hands {
                let rolled = || (0..hand.count).map(|_| dice.below(6) as u8 + 1).collect();
                hand.dice = Some(hand.dice.take().unwrap_or_else(rolled));
            }
        }
        State { opened: board.setup.as_ref().map(Opened::imagined), board }
    }
}
