//! What happens at the table, and what is seen of it.
//!
//! Names and fields are the contract's (`POST_ANTE`, `BRING_IN` …; see
//! docs/contracts/stud-events.md), with
//! `paid` beside `amount`: the contract's `amount` is nominal, `paid` is what
//! left the stack.

use std::sync::Arc;

use arrayvec::ArrayVec;
use parlor_kernel::{Opening, Seat, SeedOpening, Setup, Sitting};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::cards::{Card, Deck};
use crate::each_seat::EachSeat;
use crate::rules::{Rules, Stakes, Variant};
use crate::seats::{SEATS, Seats};
use crate::showdown::DealEnd;

/// A round of betting, named after the card it follows.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum Street {
    /// Two down, one up.
    #[serde(rename = "3rd")]
    Third,
    /// The second up card.
    #[serde(rename = "4th")]
    Fourth,
    /// The third up card; bets double.
    #[serde(rename = "5th")]
    Fifth,
    /// The last up card.
    #[serde(rename = "6th")]
    Sixth,
    /// The last down card.
    #[serde(rename = "7th")]
    Seventh,
}

impl Street {
    /// The street that follows; none after the seventh.
    pub const fn next(self) -> Option<Street> {
        match self {
            Street::Third => Some(Street::Fourth),
            Street::Fourth => Some(Street::Fifth),
            Street::Fifth => Some(Street::Sixth),
            Street::Sixth => Some(Street::Seventh),
            Street::Seventh => None,
        }
    }

    /// How the contract writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Street::Third => "3rd",
            Street::Fourth => "4th",
            Street::Fifth => "5th",
            Street::Sixth => "6th",
            Street::Seventh => "7th",
        }
    }
}

/// What happened, in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "eventType", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each is documented at its payload")]
pub enum Event {
    GameStarted(Arc<Opening<Rules>>),
    DealStarted(Arc<DealStarted>),
    DealInit(DealInit),
    PostAnte(Ante),
    #[serde(rename = "DEAL_CARDS_3RD")]
    DealCards3rd(ThirdDealt),
    #[serde(rename = "DEAL_CARD_4TH")]
    DealCard4th(StreetDealt),
    #[serde(rename = "DEAL_CARD_5TH")]
    DealCard5th(StreetDealt),
    #[serde(rename = "DEAL_CARD_6TH")]
    DealCard6th(StreetDealt),
    #[serde(rename = "DEAL_CARD_7TH")]
    DealCard7th(StreetDealt),
    BringIn(Wager),
    Complete(Wager),
    Bet(Wager),
    Raise(Wager),
    Call(Wager),
    Fold(Turn),
    Check(Turn),
    StreetAdvance(StreetAdvance),
    DealEnd(Arc<DealEnd>),
    TimeBank(TimeBank),
    SatOut(Aside),
    CameBack(Aside),
    Rebought(Rebought),
    GameFinished(Arc<GameFinished>),
}

/// What a viewer sees of an event. Only the opening, the shuffle, down cards
/// and, where hands may stay closed for good, the seed hide anything.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "eventType", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each is documented at its payload")]
pub enum Seen {
    #[serde(serialize_with = "setup_told")]
    GameStarted(#[schemars(with = "SetupTold")] Arc<Setup<Rules>>),
    DealStarted(Arc<DealStarted>),
    DealInit(DealInitSeen),
    PostAnte(Ante),
    #[serde(rename = "DEAL_CARDS_3RD")]
    DealCards3rd(ThirdDealt),
    #[serde(rename = "DEAL_CARD_4TH")]
    DealCard4th(StreetDealt),
    #[serde(rename = "DEAL_CARD_5TH")]
    DealCard5th(StreetDealt),
    #[serde(rename = "DEAL_CARD_6TH")]
    DealCard6th(StreetDealt),
    #[serde(rename = "DEAL_CARD_7TH")]
    DealCard7th(StreetDealt),
    BringIn(Wager),
    Complete(Wager),
    Bet(Wager),
    Raise(Wager),
    Call(Wager),
    Fold(Turn),
    Check(Turn),
    StreetAdvance(StreetAdvance),
    DealEnd(Arc<DealEnd>),
    TimeBank(TimeBank),
    SatOut(Aside),
    CameBack(Aside),
    Rebought(Rebought),
    GameFinished(Arc<GameFinished>),
}

/// The setup with its fields named as all others of this game.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SetupTold<'a> {
    /// The game's id.
    game_id: &'a str,
    /// The house rules.
    rules: &'a Rules,
    /// Who sits where.
    seats: &'a [Sitting],
    /// The commitment to the seed.
    commitment: &'a str,
}

fn setup_told<S: Serializer>(setup: &Setup<Rules>, serializer: S) -> Result<S::Ok, S::Error> {
    let Setup { game_id, rules, seats, commitment } = setup;
    SetupTold { game_id, rules, seats, commitment }.serialize(serializer)
}

/// A number for each seat of the table, in seat order.
pub type BySeat<T> = ArrayVec<T, SEATS>;

/// A deal begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DealStarted {
    /// Which deal of the match, from 1.
    pub deal: u32,
    /// What is played.
    pub variant: Variant,
    /// The limits.
    pub stakes: Stakes,
    /// Who is dealt in: seats with chips that do not sit out.
    pub seats: Seats,
    /// Every stack, dealt in or not.
    pub stacks: BySeat<u32>,
}

/// The deck is shuffled. It is dealt from the left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DealInit {
    /// All 52 cards.
    pub deck: Deck,
}

/// The deck is shuffled, as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DealInitSeen {
    /// All 52 cards, for those who see all.
    pub deck: Option<Box<Deck>>,
}

/// A seat pays the ante.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ante {
    /// Who.
    pub seat: Seat,
    /// The ante, or all that a short stack has.
    pub amount: u32,
    /// What left the stack.
    pub paid: u32,
}

/// Two down cards and the door card of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DealtThree {
    /// Whose.
    pub seat: Seat,
    /// The down cards; null for those who may not see them.
    pub down: [Option<Card>; 2],
    /// The door card.
    pub up: Card,
}

/// Third street is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ThirdDealt {
    /// Seat by seat.
    pub hands: EachSeat<DealtThree>,
    /// Whose door card must bring it in.
    pub bring_in: Option<Seat>,
}

/// One more card for one seat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DealtCard {
    /// Whose.
    pub seat: Seat,
    /// The card; null for those who may not see it.
    pub card: Option<Card>,
}

/// A later street is dealt: one card up, on seventh street down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StreetDealt {
    /// Seat by seat, those still in.
    pub cards: EachSeat<DealtCard>,
    /// Whose showing hand is best and opens.
    pub opener: Option<Seat>,
}

/// Chips go in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wager {
    /// Whose.
    pub seat: Seat,
    /// When.
    pub street: Street,
    /// The nominal amount of the contract.
    pub amount: u32,
    /// What left the stack.
    pub paid: u32,
    /// Whether the clock decided, because the seat's time was up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not", rename = "timedOut")]
    pub timed_out: bool,
}

/// A decision without chips.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// Whose.
    pub seat: Seat,
    /// When.
    pub street: Street,
    /// Whether the clock decided, because the seat's time was up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not", rename = "timedOut")]
    pub timed_out: bool,
}

/// The down cards of one seat, turned up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TurnedUp {
    /// Whose.
    pub seat: Seat,
    /// The down cards.
    pub down: [Card; 2],
}

/// A street is over.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StreetAdvance {
    /// The street that ended.
    pub street: Street,
    /// The hands that play on face up, because nobody can bet any more.
    pub turned_up: EachSeat<TurnedUp>,
}

/// A seat takes more time from its bank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimeBank {
    /// Whose.
    pub seat: Seat,
    /// How many seconds.
    pub seconds: u16,
}

/// A seat sits out from the next deal on, or is back for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Aside {
    /// Who.
    pub seat: Seat,
}

/// A seat without chips buys some, in play money.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rebought {
    /// Who.
    pub seat: Seat,
    /// How many chips.
    pub amount: u32,
}

/// Why the match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Ending {
    /// All deals are played.
    DealsPlayed,
    /// One stack is left.
    LastStack,
    /// Fewer than two wanted to play for as long as the table waits.
    TooFewPlayers,
    /// The only one who wanted to play claimed it.
    Claimed,
    /// Whoever runs the house ended it.
    CalledOff,
}

/// The match is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameFinished {
    /// Why.
    pub reason: Ending,
    /// What was said when it was called off.
    pub note: Option<String>,
    /// The final stacks; a deal that was called off is paid back.
    pub stacks: BySeat<u32>,
    /// What each seat won or lost: its stack without what it bought.
    pub won: BySeat<i64>,
    /// Who won most; nobody if all are equal.
    pub winners: Seats,
    /// Opens the seal on the seed; null where hands stay closed for good.
    pub opening: Option<SeedOpening>,
}
