//! What is on the table. The truth and what a viewer knows are the same board,
//! and one function folds both: the truth has all dice open.

use std::sync::Arc;

use parlor_kernel::{Opened, Seat, Setup};
use schemars::JsonSchema;
use serde::Serialize;

use crate::event::{Action, Bid, BidPlaced, GameFinished, Refusal, Seen};
use crate::rules::Rules;

/// The dice of one seat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Hand {
    /// How many there are.
    pub count: u8,
    /// What they show; none to those who may not know.
    pub dice: Option<Vec<u8>>,
}

/// The table as someone knows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Board {
    /// Who sits where, under which rules.
    pub setup: Option<Arc<Setup<Rules>>>,
    /// The round, from 1.
    pub round: u32,
    /// The dice, by seat.
    pub hands: Vec<Hand>,
    /// The last bid of this round.
    pub bid: Option<BidPlaced>,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// How it ended.
    pub finished: Option<GameFinished>,
}

/// The table's truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The board with all dice open.
    pub board: Board,
    /// How it was opened, with the sealed seed.
    pub opened: Option<Opened<Rules>>,
}

/// A viewer's truth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Knowledge {
    /// The seat of the viewer, if it has one.
    pub me: Option<Seat>,
    /// The board with the dice open that the viewer may see.
    pub board: Board,
}

impl Board {
    /// Folds what was seen.
    pub(crate) fn learn(&mut self, seen: &Seen) {
        match seen {
            Seen::GameStarted(setup) => {
                let count = setup.rules.dice;
                self.hands = setup.seats.iter().map(|_| Hand { count, dice: None }).collect();
                self.setup = Some(setup.clone());
            }
            Seen::RoundRolled { round, starter, hands } => {
                self.round = *round;
                self.turn = Some(*starter);
                self.hands.clone_from(hands);
            }
            Seen::BidPlaced(placed) => {
                self.bid = Some(*placed);
                self.turn = self.next_in(placed.seat);
            }
            Seen::Challenged(challenged) => {
                for (place, hand) in self.hands.iter_mut().enumerate() {
                    let lost = u8::from(place == challenged.loser.index());
                    *hand = Hand { count: hand.count.saturating_sub(lost), dice: None };
                }
                (self.bid, self.turn) = (None, None);
            }
            Seen::GameFinished(finished) => {
                self.finished = Some(finished.clone());
                self.turn = None;
            }
        }
    }

    /// The rules of the table; before there is one, the usual ones.
    pub(crate) fn rules(&self) -> Rules {
        self.setup.as_ref().map(|setup| setup.rules).unwrap_or_default()
    }

    /// How many dice are on the table.
    pub fn total(&self) -> u32 {
        self.hands.iter().map(|hand| u32::from(hand.count)).sum()
    }

    /// The next seat after this one that still has dice.
    pub(crate) fn next_in(&self, seat: Seat) -> Option<Seat> {
        let seats = self.hands.len();
        let mut after = (1..=seats).map(|step| (seat.index() + step) % seats);
        after.find(|place| self.hands[*place].count > 0).map(|place| Seat(place as u8))
    }

    /// What this seat may do. The first one is what the clock plays.
    pub(crate) fn options(&self, seat: Seat, out: &mut Vec<Action>) {
        if self.turn == Some(seat) {
            out.extend(self.bid.map(|_| Action::Challenge));
            out.extend(self.bids().map(Action::Bid));
        }
    }

    /// Every bid that can be made now, the lowest first.
    pub fn bids(&self) -> impl Iterator<Item = Bid> {
        let faces = self.rules().faces();
        let last = self.bid.map(|placed| placed.bid);
        (1..=self.total())
            .flat_map(move |quantity| faces.clone().map(move |face| Bid { quantity, face }))
            .filter(move |bid| last.is_none_or(|last| *bid > last))
    }

    /// Why this cannot be bid now.
    pub(crate) fn refuse(&self, bid: Bid) -> Result<(), Refusal> {
        let (dice, faces) = (self.total(), self.rules().faces());
        if !(1..=dice).contains(&bid.quantity) || !faces.contains(&bid.face) {
            return Err(Refusal::NotABid { dice, lowest: *faces.start() });
        }
        match self.bid {
            Some(last) if bid <= last.bid => Err(Refusal::BidTooLow(last.bid)),
            _ => Ok(()),
        }
    }
}
