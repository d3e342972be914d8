//! What the protocol's events and its snapshot are made of. What the protocol
//! does not name is marked ＋.

use parlor_kernel::{Seat, Sitting};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::standing::{Awaited, FlowState, HouseRules, SEATS};
use super::super::step::{Play, YakuTold};
use crate::board::at;
use crate::cards::{Card, CardSet};
use crate::rules::Rules;
use crate::yaku::{Yaku, YakuPoints, contributing};

#[derive(Serialize, JsonSchema)]
pub(super) struct Player {
    pub id: String,
    pub name: String,
    /// ＋
    pub is_ai: bool,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Ruleset {
    #[serde(flatten)]
    house: HouseRules,
    /// ＋ What each yaku gives; one that is not named is not played.
    yaku: YakuPoints,
    /// ＋
    teshi: bool,
    /// ＋
    four_pairs: bool,
    /// ＋ Whether a teshi and four pairs cancel each other.
    special_hands_cancel: bool,
    /// ＋
    field_kuttsuki: bool,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct NextState {
    #[serde(rename = "type")]
    flow: FlowState,
    active_player: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum DealtHand {
    Open { player_id: &'static str, cards: [Card; 8] },
    Closed { player_id: &'static str, count: u8 },
}

#[derive(Clone, Serialize, JsonSchema)]
pub(super) struct ScoredYaku {
    #[serde(rename = "type")]
    yaku: Yaku,
    base_points: u8,
    /// ＋ The captures that count for it.
    cards: Vec<Card>,
}

#[derive(Clone, Serialize, JsonSchema)]
pub(super) struct YakuUpdate {
    new: Vec<ScoredYaku>,
    total_base: u32,
    /// ＋ Everything the player holds.
    all: Vec<ScoredYaku>,
}

#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Destination {
    Field,
    Depository { player_id: &'static str },
}

#[derive(Serialize, JsonSchema)]
pub(super) struct HandPlay {
    played: Card,
    captured: Vec<Card>,
    to: Destination,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct DeckFlip {
    flipped: Card,
    captured: Vec<Card>,
    to: Destination,
    deck_remaining: u8,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct SelectedCapture {
    source: Card,
    captured: Vec<Card>,
    to: Destination,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Selection {
    pub source: Card,
    pub options: [Card; 2],
}

#[derive(Serialize, JsonSchema)]
pub(super) struct PlayerScore {
    player_id: &'static str,
    score: u32,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct ScoreChange {
    player_id: &'static str,
    change: u32,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum TurnPhase {
    DeckFlip,
}

pub(super) fn players(seats: &[Sitting]) -> Vec<Player> {
    let player = |sitting: &Sitting| Player {
        id: sitting.player_id.clone(),
        name: sitting.name.clone(),
        is_ai: sitting.bot.is_some(),
    };
    seats.iter().map(player).collect()
}

pub(super) fn dealt_hands(hands: &[Option<[Card; 8]>; 2]) -> [DealtHand; 2] {
    SEATS.map(|seat| match hands[at(seat)] {
        Some(cards) => DealtHand::Open { player_id: seat.id(), cards },
        None => DealtHand::Closed { player_id: seat.id(), count: 8 },
    })
}

pub(super) fn scores(totals: [u32; 2]) -> [PlayerScore; 2] {
    SEATS.map(|seat| PlayerScore { player_id: seat.id(), score: totals[at(seat)] })
}

pub(super) fn changes(winner: Option<Seat>, points: u32) -> [ScoreChange; 2] {
    SEATS.map(|seat| ScoreChange {
        player_id: seat.id(),
        change: if winner == Some(seat) { points } else { 0 },
    })
}

pub(super) fn yakus(points: &YakuPoints, captured: CardSet, rules: &Rules) -> Vec<ScoredYaku> {
    let scored = |(yaku, base_points)| ScoredYaku {
        yaku,
        base_points,
        cards: contributing(yaku, captured, rules).iter().collect(),
    };
    points.iter().map(scored).collect()
}

impl Ruleset {
    pub fn of(rules: &Rules) -> Ruleset {
        Ruleset {
            house: HouseRules::of(rules),
            yaku: rules.yaku,
            teshi: rules.teshi,
            four_pairs: rules.four_pairs,
            special_hands_cancel: rules.special_hands_cancel,
            field_kuttsuki: rules.field_kuttsuki,
        }
    }
}

impl NextState {
    pub fn of(next: Awaited) -> NextState {
        NextState { flow: next.flow, active_player: next.seat.id() }
    }
}

impl Destination {
    fn of(seat: Seat, play: &Play) -> Destination {
        match play.taken.as_slice() {
            [] => Destination::Field,
            _ => Destination::Depository { player_id: seat.id() },
        }
    }
}

impl HandPlay {
    pub fn of(seat: Seat, play: &Play) -> HandPlay {
        let (captured, to) = (play.taken.to_vec(), Destination::of(seat, play));
        HandPlay { played: play.card, captured, to }
    }
}

impl DeckFlip {
    pub fn of(seat: Seat, play: &Play, deck_remaining: u8) -> DeckFlip {
        let (captured, to) = (play.taken.to_vec(), Destination::of(seat, play));
        DeckFlip { flipped: play.card, captured, to, deck_remaining }
    }
}

impl SelectedCapture {
    pub fn of(seat: Seat, play: &Play) -> SelectedCapture {
        let (captured, to) = (play.taken.to_vec(), Destination::of(seat, play));
        SelectedCapture { source: play.card, captured, to }
    }
}

impl YakuUpdate {
    pub fn of(yaku: &YakuTold, rules: &Rules) -> YakuUpdate {
        YakuUpdate {
            new: yakus(&yaku.fresh, yaku.captured, rules),
            total_base: yaku.held.total(),
            all: yakus(&yaku.held, yaku.captured, rules),
        }
    }
}
