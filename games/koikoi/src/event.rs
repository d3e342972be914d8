//! What a seat may try, what happens, what is seen of it, what is refused.

use std::sync::Arc;

use parlor_kernel::{Opening, Refuse, Seat, SeedOpening};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::board::MatchSetup;
use crate::cards::{Card, CardSet, Taken};
use crate::rules::Rules;
use crate::yaku::YakuPoints;

/// What a seat may try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Action {
    /// Plays a card from the hand, naming what to take where there is a choice.
    Play {
        /// The card played.
        card: Card,
        /// The field card to take.
        #[serde(default)]
        target: Option<Card>,
    },
    /// Says which of two field cards the flipped card takes.
    Select {
        /// The flipped card.
        source: Card,
        /// The field card to take.
        target: Card,
    },
    /// Goes on for more: 來來.
    KoiKoi,
    /// Stops and scores.
    Stop,
}

/// What happened, in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "eventType", content = "payload")]
#[allow(missing_docs, reason = "each is documented at its payload")]
pub enum Event {
    GameStarted(Arc<GameStarted>),
    RoundDealt(RoundDealt),
    HandPlayed(HandPlayed),
    CardFlipped(CardFlipped),
    ChoiceOffered(ChoiceOffered),
    TargetChosen(TargetChosen),
    YakuFormed(YakuFormed),
    KoiKoiCalled(KoiKoiCalled),
    RoundScored(RoundScored),
    RoundDrawn(RoundDrawn),
    RoundEndedInstantly(RoundEndedInstantly),
    GameFinished(Arc<GameFinished>),
}

/// What a viewer sees of an event. Only the opening and the deal hide anything.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "eventType", content = "payload")]
#[allow(missing_docs, reason = "each is documented at its payload")]
pub enum Seen {
    GameStarted(Arc<MatchSetup>),
    RoundDealt(DealSeen),
    HandPlayed(HandPlayed),
    CardFlipped(CardFlipped),
    ChoiceOffered(ChoiceOffered),
    TargetChosen(TargetChosen),
    YakuFormed(YakuFormed),
    KoiKoiCalled(KoiKoiCalled),
    RoundScored(RoundScored),
    RoundDrawn(RoundDrawn),
    RoundEndedInstantly(RoundEndedInstantly),
    GameFinished(Arc<GameFinished>),
}

/// The match begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameStarted {
    /// Rules, seats and the sealed seed.
    #[serde(flatten)]
    pub opening: Opening<Rules>,
    /// Who deals, and so plays first, in round 1.
    pub first_dealer: Seat,
}

/// A round is dealt: [0..8) seat 1, [8..16) seat 2, [16..24) field, the rest pile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundDealt {
    /// The round, from 1.
    pub round: u16,
    /// Who deals and plays first.
    pub dealer: Seat,
    /// Both hands.
    pub hands: [[Card; 8]; 2],
    /// The field.
    pub field: [Card; 8],
    /// The pile, top card first.
    pub pile: [Card; 24],
}

/// A round is dealt, as one viewer may know it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DealSeen {
    /// The round, from 1.
    pub round: u16,
    /// Who deals and plays first.
    pub dealer: Seat,
    /// The hands this viewer may see.
    pub hands: [Option<[Card; 8]>; 2],
    /// The field.
    pub field: [Card; 8],
    /// The pile, top card first, for those who see all.
    pub pile: Option<[Card; 24]>,
}

/// A card from the hand meets the field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HandPlayed {
    /// Who played.
    pub seat: Seat,
    /// The card played.
    pub card: Card,
    /// The field cards it took, in field order; empty: it joined the field.
    pub taken: Taken,
}

/// The top of the pile meets the field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CardFlipped {
    /// Whose turn it is.
    pub seat: Seat,
    /// The card flipped.
    pub card: Card,
    /// The field cards it took, in field order; empty: it joined the field.
    pub taken: Taken,
}

/// The flipped card could take either of two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChoiceOffered {
    /// Who chooses.
    pub seat: Seat,
    /// The card flipped; it lies in no zone until the choice is made.
    pub card: Card,
    /// The two field cards, in field order.
    pub options: [Card; 2],
}

/// The choice is made and the pair captured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TargetChosen {
    /// Who chose.
    pub seat: Seat,
    /// The card flipped.
    pub card: Card,
    /// The field card it took.
    pub target: Card,
}

/// A yaku is new, or worth more than before: the player must decide.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct YakuFormed {
    /// Whose it is.
    pub seat: Seat,
    /// What is new or rose, with its points now.
    pub fresh: YakuPoints,
    /// Everything held now.
    pub held: YakuPoints,
}

/// The player goes on; the turn passes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KoiKoiCalled {
    /// Who called.
    pub seat: Seat,
    /// How often that player has called this round.
    pub calls: u8,
}

/// Why a round was scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ScoredBy {
    /// The player decided to stop.
    Stop,
    /// The yaku came with the player's last card: there is nothing to decide.
    LastCard,
    /// The player may not call again: there is nothing to decide.
    KoiLimit,
    /// Both hands are empty and the last caller scores what is held (option).
    Exhausted,
}

/// The round is won by yaku.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundScored {
    /// Who scores.
    pub winner: Seat,
    /// Why now.
    pub by: ScoredBy,
    /// What the winner holds.
    pub held: YakuPoints,
    /// What is new with this very turn, where no decision was asked.
    pub fresh: YakuPoints,
    /// The sum of the yaku.
    pub base: u32,
    /// The factor for seven points and more.
    pub seven: u32,
    /// The factor for koi-koi calls.
    pub koi: u32,
    /// base × seven × koi
    pub points: u32,
    /// The match so far.
    pub totals: [u32; 2],
}

/// Both hands are empty and nobody scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundDrawn {
    /// The match so far.
    pub totals: [u32; 2],
}

/// A deal that ends its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SpecialDeal {
    /// 手四: a hand holds all four cards of a month.
    Teshi,
    /// くっつき: a hand is four pairs.
    FourPairs,
    /// The field holds all four cards of a month.
    FieldKuttsuki,
}

/// The deal itself ends the round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundEndedInstantly {
    /// Which special deal it was.
    pub reason: SpecialDeal,
    /// Who scores; nobody if both hands are special or the field is.
    pub winner: Option<Seat>,
    /// What the winner scores.
    pub points: u32,
    /// The cards that caused it, by hand; shown to everyone.
    #[schemars(with = "[Vec<Card>; 2]")]
    pub hands: [CardSet; 2],
    /// The field cards that caused it.
    #[schemars(with = "Vec<Card>")]
    pub field: CardSet,
    /// The match so far.
    pub totals: [u32; 2],
}

/// Why the match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Ending {
    /// All rounds are played.
    RoundsPlayed,
    /// A player reached the target.
    TargetReached,
    /// Whoever runs the house ended it.
    CalledOff,
}

/// The match is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameFinished {
    /// Who won; nobody on equal totals, or if it was called off.
    pub winner: Option<Seat>,
    /// Why.
    pub reason: Ending,
    /// What was said when it was called off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The final totals.
    pub totals: [u32; 2],
    /// Opens the seal on the seed.
    pub opening: SeedOpening,
}

impl Action {
    /// What is tried, for a refusal's sentence.
    pub(crate) const fn tried(&self) -> &'static str {
        match self {
            Action::Play { .. } => "a card from a hand",
            Action::Select { .. } => "a choice for a flipped card",
            Action::KoiKoi | Action::Stop => "a decision",
        }
    }
}

/// Why an action is not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "each is its own sentence")]
pub enum Refusal {
    #[error("'{0}' is no card of the deck")]
    NoSuchCard(String),
    #[error("card {0} is not in your hand")]
    NotHeld(Card),
    #[error("{target} cannot be taken with {card}; it can take {}", one_of(options))]
    WrongTarget { card: Card, target: Card, options: Taken },
    #[error("{card} can take either of two cards: name one of {}", one_of(options))]
    TargetMissing { card: Card, options: Taken },
    #[error("{0} cannot be selected; choose {1} or {2} for {3}")]
    WrongSelection(Card, Card, Card, Card),
    #[error("it is not your turn")]
    NotYourTurn,
    #[error("the table waits for {waits_for}, not for {tried}")]
    WrongMoment { waits_for: &'static str, tried: &'static str },
}

fn one_of(cards: &[Card]) -> String {
    match cards {
        [] => "nothing".to_owned(),
        cards => cards.iter().map(|card| card.id()).collect::<Vec<_>>().join(" or "),
    }
}

impl Refuse for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Refusal::NoSuchCard(_) | Refusal::NotHeld(_) => "INVALID_CARD",
            Refusal::WrongTarget { .. } | Refusal::TargetMissing { .. } => "INVALID_TARGET",
            Refusal::WrongSelection(..) => "INVALID_SELECTION",
            Refusal::NotYourTurn => "WRONG_PLAYER",
            Refusal::WrongMoment { .. } => "INVALID_STATE",
        }
    }

    fn is_untimely(&self) -> bool {
        matches!(self, Refusal::NotYourTurn | Refusal::WrongMoment { .. })
    }
}
