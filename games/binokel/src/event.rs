//! What a seat may try, what happens, and what is seen of it.

use std::sync::Arc;

use parlor_kernel::{Opening, Seat, SeedOpening};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cards::{Card, CardSet, Suit};
use crate::holding::Holding;
use crate::rules::Rules;
use crate::score::SideScore;
use crate::seats::Each;
use crate::setup::GameSetup;
use crate::special::Special;

/// What a seat may try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Action {
    /// Bids this much.
    Bid {
        /// How much.
        amount: u16,
    },
    /// Bids no more in this round.
    Pass,
    /// Takes the dabb up.
    TakeDabb,
    /// Lays cards away, as many as were in the dabb.
    Discard {
        /// Which.
        cards: CardSet,
    },
    /// Gives the round up, naming a suit that is trump for melding.
    GoOut {
        /// The suit.
        suit: Suit,
    },
    /// Names trump.
    DeclareTrump {
        /// The suit.
        suit: Suit,
    },
    /// Announces a game without trump and melds in place of trump.
    Announce {
        /// Which.
        special: Special,
    },
    /// Lays its melds on the table.
    DeclareMelds,
    /// Plays a card.
    PlayCard {
        /// The card.
        card: Card,
    },
    /// Leaves, which ends the game for all.
    Exit,
}

/// What happened, in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "eventType", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each is documented at its payload")]
pub enum Event {
    GameStarted(Arc<GameStarted>),
    NewRoundStarted(NewRoundStarted),
    CardsDealt(CardsDealt),
    BidPlaced(BidPlaced),
    PlayerPassed(PlayerPassed),
    BiddingWon(BiddingWon),
    DabbTaken(DabbTaken),
    CardsDiscarded(CardsDiscarded),
    GoingOut(SuitNamed),
    TrumpDeclared(SuitNamed),
    SpecialAnnounced(SpecialAnnounced),
    MeldsDeclared(MeldsDeclared),
    MeldingComplete(MeldingComplete),
    CardPlayed(CardPlayed),
    TrickWon(TrickWon),
    RoundScored(RoundScored),
    GameFinished(Arc<GameFinished>),
    GameTerminated(Arc<GameTerminated>),
}

/// What a viewer sees of an event. Of cards that are hidden from it there is
/// only a number.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "eventType", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each is documented at its payload")]
pub enum Seen {
    GameStarted(Arc<GameSetup>),
    NewRoundStarted(NewRoundStarted),
    CardsDealt(DealSeen),
    BidPlaced(BidPlaced),
    PlayerPassed(PlayerPassed),
    BiddingWon(BiddingWonSeen),
    DabbTaken(DabbSeen),
    CardsDiscarded(DiscardSeen),
    GoingOut(SuitNamed),
    TrumpDeclared(SuitNamed),
    SpecialAnnounced(SpecialAnnounced),
    MeldsDeclared(MeldsDeclared),
    MeldingComplete(MeldingComplete),
    CardPlayed(CardPlayed),
    TrickWon(TrickWon),
    RoundScored(RoundScored),
    GameFinished(Arc<GameFinished>),
    GameTerminated(Arc<GameTerminated>),
}

/// The game begins, and with it round 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameStarted {
    /// Rules, seats and the sealed seed.
    #[serde(flatten)]
    pub opening: Opening<Rules>,
    /// Who deals round 1.
    pub dealer: Seat,
}

/// Another round begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewRoundStarted {
    /// The round, from 1.
    pub round: u16,
    /// Who deals it.
    pub dealer: Seat,
}

/// The cards are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardsDealt {
    /// Each seat's hand.
    pub hands: Each<CardSet>,
    /// The dabb.
    pub dabb: CardSet,
}

/// The cards are dealt, as one viewer may know it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DealSeen {
    /// Each seat's hand.
    pub hands: Each<Holding>,
    /// The dabb.
    pub dabb: Holding,
}

/// A bid is placed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BidPlaced {
    /// Who bids.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// How much.
    pub amount: u16,
}

/// A seat bids no more in this round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerPassed {
    /// Who passes.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
}

/// The bidding is won: the winner is the declarer and may look at the dabb.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BiddingWon {
    /// Who wins it.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// For how much.
    pub winning_bid: u16,
    /// The dabb.
    pub dabb: CardSet,
}

/// The bidding is won, as one viewer may know it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BiddingWonSeen {
    /// Who wins it.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// For how much.
    pub winning_bid: u16,
    /// The dabb.
    pub dabb: Holding,
}

/// The declarer takes the dabb up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DabbTaken {
    /// Who takes it.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// Its cards.
    pub dabb_cards: CardSet,
}

/// The declarer takes the dabb up, as one viewer may know it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DabbSeen {
    /// Who takes it.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// Its cards.
    pub dabb_cards: Holding,
}

/// The declarer lays cards away.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardsDiscarded {
    /// Who lays away.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// The cards.
    pub discarded_cards: CardSet,
}

/// The declarer lays cards away, as one viewer may know it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscardSeen {
    /// Who lays away.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// The cards.
    pub discarded_cards: Holding,
}

/// The declarer names a suit: trump, or the suit to go out in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuitNamed {
    /// Who names it.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// The suit.
    pub suit: Suit,
}

/// The declarer announces a game without trump and melds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpecialAnnounced {
    /// Who announces it.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// Which.
    pub special: Special,
}

/// A seat lays its melds on the table. Which they are follows from the cards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeldsDeclared {
    /// Who melds.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// Every card of a meld.
    pub cards: CardSet,
    /// What the melds give.
    pub total_points: u16,
}

/// Everyone has melded who was to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeldingComplete {
    /// Each seat's melds.
    pub meld_scores: Each<u16>,
}

/// A card is played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardPlayed {
    /// Who plays it.
    #[serde(rename = "playerIndex")]
    pub seat: Seat,
    /// The card.
    pub card: Card,
}

/// A trick is won.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrickWon {
    /// Who wins it, and leads next.
    #[serde(rename = "winnerIndex")]
    pub seat: Seat,
    /// What it counts; the last one ten more.
    pub points: u16,
}

/// A round is scored, side by side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundScored {
    /// The round.
    pub scores: Each<SideScore>,
    /// The game so far.
    pub total_scores: Each<i32>,
}

/// Why the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Ending {
    /// A side reached the target.
    TargetReached,
    /// All rounds are played.
    RoundsPlayed,
}

/// The game is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameFinished {
    /// The side that won: a seat, or with four players a team.
    pub winner: u8,
    /// Why it is over.
    pub reason: Ending,
    /// The final totals.
    pub final_scores: Each<i32>,
    /// Opens the seal on the seed.
    pub opening: SeedOpening,
}

/// The game is over before its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameTerminated {
    /// Who left; nobody if the house called it off.
    pub terminated_by: Option<Seat>,
    /// Why.
    pub reason: String,
    /// Opens the seal on the seed.
    pub opening: SeedOpening,
}
