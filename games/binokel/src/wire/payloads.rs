//! The shapes of what is said. What the contract does not name is marked ＋.

use std::borrow::Cow;
use std::collections::BTreeMap;

use parlor_kernel::{Change, RefusalNotice, Seat, SeedOpening, Sitting};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cards::{Card, CardSet, Rank, Suit};
use crate::event::Ending;
use crate::holding::Holding;
use crate::melds::{Meld, MeldKind};
use crate::rules::Rules;
use crate::score::SideScore;
use crate::seats::{Each, team};
use crate::special::Special;

/// A payload, and the type its event is told apart by.
pub(super) trait Payload: Serialize + JsonSchema {
    const TYPE: &'static str;
}

macro_rules! payloads {
    ($($payload:ident => $name:literal),+ $(,)?) => {
        $(impl Payload for $payload {
            const TYPE: &'static str = $name;
        })+
    };
}

payloads! {
    PlayerJoined => "PLAYER_JOINED",
    GameStarted => "GAME_STARTED",
    CardsDealt => "CARDS_DEALT",
    BidPlaced => "BID_PLACED",
    PlayerPassed => "PLAYER_PASSED",
    BiddingWon => "BIDDING_WON",
    DabbTaken => "DABB_TAKEN",
    CardsDiscarded => "CARDS_DISCARDED",
    GoingOut => "GOING_OUT",
    TrumpDeclared => "TRUMP_DECLARED",
    SpecialAnnounced => "SPECIAL_ANNOUNCED",
    MeldsDeclared => "MELDS_DECLARED",
    MeldingComplete => "MELDING_COMPLETE",
    CardPlayed => "CARD_PLAYED",
    TrickWon => "TRICK_WON",
    RoundScored => "ROUND_SCORED",
    NewRoundStarted => "NEW_ROUND_STARTED",
    GameFinished => "GAME_FINISHED",
    GameTerminated => "GAME_TERMINATED",
}

/// A card, or the placeholder of one that is hidden.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Card")]
pub(super) struct CardObject {
    id: Cow<'static, str>,
    suit: Suit,
    rank: Rank,
    copy: u8,
}

impl CardObject {
    pub fn of(card: Card) -> CardObject {
        CardObject { id: card.id().into(), suit: card.suit(), rank: card.rank(), copy: card.copy() }
    }

    fn hidden(place: usize) -> CardObject {
        let id = format!("hidden-{place}").into();
        CardObject { id, suit: Suit::Kreuz, rank: Rank::Buabe, copy: 0 }
    }

    /// What is known comes first, so that the place of a placeholder says
    /// nothing about what it stands for.
    pub fn all(holding: &Holding) -> Vec<CardObject> {
        let known = holding.known.iter().map(CardObject::of);
        let first = holding.known.len() as usize;
        let hidden = first..first + usize::from(holding.unknown);
        known.chain(hidden.map(CardObject::hidden)).collect()
    }

    pub fn row(cards: &[Card]) -> Vec<CardObject> {
        cards.iter().copied().map(CardObject::of).collect()
    }
}

/// Each seat's hand, by seat.
#[derive(Serialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Hands(BTreeMap<String, Vec<CardObject>>);

impl Hands {
    pub fn of(hands: &Each<Holding>) -> Hands {
        let by_seat = hands.as_slice().iter().enumerate();
        Hands(by_seat.map(|(seat, hand)| (seat.to_string(), CardObject::all(hand))).collect())
    }
}

/// The ids of cards laid away, `hidden` for those that are.
pub(super) fn ids(holding: &Holding) -> Vec<Cow<'static, str>> {
    let known = holding.known.iter().map(|card| Cow::from(card.id()));
    known.chain((0..holding.unknown).map(|_| "hidden".into())).collect()
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Meld")]
pub(super) struct MeldObject {
    #[serde(rename = "type")]
    kind: MeldKind,
    cards: CardSet,
    points: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    suit: Option<Suit>,
}

impl From<Meld> for MeldObject {
    fn from(meld: Meld) -> Self {
        let Meld { kind, suit, cards, points } = meld;
        MeldObject { kind, cards, points, suit }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlayerJoined {
    player_id: String,
    player_index: Seat,
    nickname: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<u8>,
    /// ＋ Whether a bot sits there.
    #[serde(rename = "isAI")]
    is_ai: bool,
}

impl PlayerJoined {
    pub fn all(seats: &[Sitting]) -> impl Iterator<Item = PlayerJoined> {
        (0u8..).zip(seats).map(move |(seat, sitting)| PlayerJoined {
            player_id: sitting.player_id.clone(),
            player_index: Seat(seat),
            nickname: sitting.name.clone(),
            team: team(seats.len(), Seat(seat)),
            is_ai: sitting.bot.is_some(),
        })
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GameStarted {
    pub player_count: u8,
    /// None where the game ends after fixed rounds.
    pub target_score: Option<u32>,
    pub dealer: Seat,
    /// ＋ The house rules in full.
    pub rules: Rules,
    /// ＋ The commitment to the seed.
    pub seed_commitment: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardsDealt {
    pub hands: Hands,
    pub dabb: Vec<CardObject>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BidPlaced {
    pub player_index: Seat,
    pub amount: u16,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlayerPassed {
    pub player_index: Seat,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BiddingWon {
    pub player_index: Seat,
    pub winning_bid: u16,
    /// Only for those who may see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dabb: Option<Vec<CardObject>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct DabbTaken {
    pub player_index: Seat,
    pub dabb_cards: Vec<CardObject>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardsDiscarded {
    pub player_index: Seat,
    pub discarded_cards: Vec<Cow<'static, str>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GoingOut {
    pub player_index: Seat,
    pub suit: Suit,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TrumpDeclared {
    pub player_index: Seat,
    pub suit: Suit,
}

/// ＋ A game without trump and melds, where the house plays it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SpecialAnnounced {
    pub player_index: Seat,
    pub special: Special,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MeldsDeclared {
    pub player_index: Seat,
    pub melds: Vec<MeldObject>,
    pub total_points: u16,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MeldingComplete {
    pub meld_scores: Each<u16>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardPlayed {
    pub player_index: Seat,
    pub card: CardObject,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TrickWon {
    pub winner_index: Seat,
    pub cards: Vec<CardObject>,
    /// The last trick's ten included.
    pub points: u16,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RoundScored {
    pub scores: Each<SideScore>,
    pub total_scores: Each<i32>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewRoundStarted {
    pub round: u16,
    pub dealer: Seat,
}

#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GameFinished {
    /// A seat, or with four players a team.
    pub winner: u8,
    pub final_scores: Each<i32>,
    /// ＋ Why it is over.
    pub reason: Ending,
    /// ＋ What the commitment was to.
    pub seed: SeedOpening,
}

#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GameTerminated {
    /// The seat that left; null if the house called the game off.
    pub terminated_by: Option<Seat>,
    pub reason: String,
    /// ＋ What the commitment was to.
    pub seed: SeedOpening,
}

/// A refusal. It is no part of the stream.
#[derive(Serialize, JsonSchema)]
pub(super) struct Error {
    /// ＋ Tells it from events where both come on one line.
    #[serde(rename = "type")]
    kind: &'static str,
    message: String,
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<Params>,
}

#[derive(Serialize, JsonSchema)]
struct Params {
    reason: String,
}

impl Error {
    pub const TYPE: &'static str = "error";

    pub fn of(notice: &RefusalNotice) -> Error {
        Error {
            kind: Error::TYPE,
            message: notice.message.to_owned(),
            code: notice.code.to_owned(),
            params: notice.reason.map(|reason| Params { reason: reason.to_owned() }),
        }
    }
}

/// A player came, went away or came back. It is no part of the stream.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Presence {
    #[serde(rename = "type")]
    kind: &'static str,
    player_index: Seat,
    nickname: String,
    /// ＋ Whether a bot sits there.
    #[serde(rename = "isAI")]
    is_ai: bool,
    /// ＋ When, in milliseconds since 1970.
    timestamp: u64,
}

impl Presence {
    pub const CAME: &'static str = "player:joined";
    pub const LEFT: &'static str = "player:left";
    pub const BACK: &'static str = "player:reconnected";
    /// ＋ A bot plays for a player who is away.
    pub const STOOD_IN_FOR: &'static str = "player:substituted";

    pub fn of(presence: &parlor_kernel::Presence) -> Presence {
        Presence {
            kind: match presence.change {
                Change::Joins => Presence::CAME,
                Change::Leaves => Presence::LEFT,
                Change::Returns => Presence::BACK,
                Change::IsStoodInFor => Presence::STOOD_IN_FOR,
            },
            player_index: presence.seat,
            nickname: presence.name.to_owned(),
            is_ai: presence.is_bot,
            timestamp: presence.timestamp,
        }
    }
}
