//! What a seat may try, what happens, what is seen of it, what is refused.

use std::sync::Arc;

use parlor_kernel::{Opening, Refuse, Seat, SeedOpening, Setup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::board::Hand;
use crate::rules::Rules;

/// At least so many dice on the table show this face. A bid is higher than
/// another by its quantity first and by its face second: the order of the fields.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Bid {
    /// How many, at least.
    pub quantity: u32,
    /// Of what.
    pub face: u32,
}

/// What a seat may try.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Action {
    /// Bids higher.
    Bid(Bid),
    /// Doubts the last bid.
    Challenge,
}

/// What happened, in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "eventType", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each is documented at its payload")]
pub enum Event {
    GameStarted { opening: Opening<Rules> },
    RoundRolled { round: u32, starter: Seat, hands: Vec<Vec<u8>> },
    BidPlaced(BidPlaced),
    Challenged(Challenged),
    GameFinished(GameFinished),
}

/// What a viewer sees of an event. Only the opening and the roll hide anything.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "eventType", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each is documented at its payload")]
pub enum Seen {
    GameStarted(Arc<Setup<Rules>>),
    RoundRolled { round: u32, starter: Seat, hands: Vec<Hand> },
    BidPlaced(BidPlaced),
    Challenged(Challenged),
    GameFinished(GameFinished),
}

/// A seat bids.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BidPlaced {
    /// Who.
    pub seat: Seat,
    /// What.
    pub bid: Bid,
}

/// A seat doubts the last bid, and all dice are shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Challenged {
    /// Who doubts.
    pub seat: Seat,
    /// Whose bid.
    pub bidder: Seat,
    /// The bid.
    pub bid: Bid,
    /// All dice, by seat.
    pub hands: Vec<Vec<u8>>,
    /// How many of them count for the bid.
    pub count: u32,
    /// Who loses a die.
    pub loser: Seat,
}

/// The game is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameFinished {
    /// Who won; nobody if it was called off.
    pub winner: Option<Seat>,
    /// What was said when it was called off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Opens the seal on the seed.
    pub opening: SeedOpening,
}

/// Why an action is not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "each is its own sentence")]
pub enum Refusal {
    #[error("the game is over")]
    GameOver,
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("a bid is 1 to {dice} dice of a face from {lowest} to 6")]
    NotABid { dice: u32, lowest: u32 },
    #[error("bid more than {} dice, or as many of a face above {}", .0.quantity, .0.face)]
    BidTooLow(Bid),
    #[error("there is no bid to challenge yet")]
    NothingToChallenge,
}

impl Refuse for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Refusal::GameOver => "GAME_OVER",
            Refusal::NotYourTurn => "NOT_YOUR_TURN",
            Refusal::NotABid { .. } => "NOT_A_BID",
            Refusal::BidTooLow(_) => "BID_TOO_LOW",
            Refusal::NothingToChallenge => "NOTHING_TO_CHALLENGE",
        }
    }

    fn is_untimely(&self) -> bool {
        !matches!(self, Refusal::NotABid { .. })
    }
}
