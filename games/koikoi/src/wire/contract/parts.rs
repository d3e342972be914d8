//! What the contract's events and its snapshot are made of. What the contract
//! does not name is marked ＋.

use std::collections::BTreeMap;

use parlor_kernel::{Seat, Sitting};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::standing::{Awaited, FlowState, HouseRules, SEATS, koi_if_won};
use super::super::step::{Play, YakuTold};
use crate::board::at;
use crate::cards::{Card, CardSet};
use crate::rules::Rules;
use crate::yaku::{Yaku, YakuPoints, contributing};

#[derive(Serialize, JsonSchema)]
pub(super) struct PlayerInfo {
    player_id: String,
    player_name: String,
    is_ai: bool,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Ruleset {
    yaku_settings: Vec<YakuSetting>,
    special_rules: SpecialRules,
    #[serde(flatten)]
    house: HouseRules,
}

#[derive(Serialize, JsonSchema)]
struct YakuSetting {
    yaku_type: YakuName,
    base_points: u8,
    enabled: bool,
}

#[derive(Serialize, JsonSchema)]
struct SpecialRules {
    teshi_enabled: bool,
    field_kuttsuki_enabled: bool,
    /// ＋
    four_pairs_enabled: bool,
    /// ＋ Whether a teshi and four pairs cancel each other.
    special_hands_cancel: bool,
}

/// A yaku by its Japanese name.
#[derive(Clone, Copy, Serialize, JsonSchema)]
enum YakuName {
    #[serde(rename = "五光")]
    Gokou,
    #[serde(rename = "四光")]
    Shikou,
    #[serde(rename = "雨四光")]
    Ameshikou,
    #[serde(rename = "三光")]
    Sankou,
    #[serde(rename = "猪鹿蝶")]
    Inoshikachou,
    #[serde(rename = "赤短")]
    Akatan,
    #[serde(rename = "青短")]
    Aotan,
    #[serde(rename = "短")]
    Tanzaku,
    #[serde(rename = "種")]
    Tane,
    #[serde(rename = "かす")]
    Kasu,
    #[serde(rename = "花見酒")]
    HanamiZake,
    #[serde(rename = "月見酒")]
    TsukimiZake,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct NextState {
    state_type: FlowState,
    active_player_id: &'static str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct PlayerHand {
    pub player_id: &'static str,
    /// Empty where this viewer does not see them.
    pub cards: Vec<Card>,
    /// ＋
    pub card_count: u8,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct CardPlay {
    played_card: Card,
    /// The first card taken.
    matched_card: Option<Card>,
    /// The played card and all it took; empty: it joined the field.
    captured_cards: Vec<Card>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct CardSelection {
    source_card: Card,
    selected_target: Card,
    captured_cards: Vec<Card>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct ActiveYaku {
    yaku_type: YakuName,
    base_points: u8,
    contributing_cards: Vec<Card>,
    /// ＋ Its name in rules.
    yaku: Yaku,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct YakuUpdate {
    newly_formed_yaku: Vec<ActiveYaku>,
    all_active_yaku: Vec<ActiveYaku>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct ScoreMultipliers {
    /// The koi factor each player would score with if they won now, by the
    /// table's `koi_factor`: of the own calls under `winner_own`, of the other
    /// player's under `opponent_called`, of anybody's under `any_called`. In
    /// RoundScored the winner's is final_score / base_score.
    player_multipliers: BTreeMap<&'static str, u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct PlayerScore {
    player_id: &'static str,
    score: u32,
}

pub(super) fn players(seats: &[Sitting]) -> Vec<PlayerInfo> {
    let player = |sitting: &Sitting| PlayerInfo {
        player_id: sitting.player_id.clone(),
        player_name: sitting.name.clone(),
        is_ai: sitting.bot.is_some(),
    };
    seats.iter().map(player).collect()
}

pub(super) fn dealt_hands(hands: &[Option<[Card; 8]>; 2]) -> [PlayerHand; 2] {
    SEATS.map(|seat| PlayerHand {
        player_id: seat.id(),
        cards: hands[at(seat)].map_or_else(Vec::new, Vec::from),
        card_count: 8,
    })
}

pub(super) fn scores(totals: [u32; 2]) -> [PlayerScore; 2] {
    SEATS.map(|seat| PlayerScore { player_id: seat.id(), score: totals[at(seat)] })
}

pub(super) fn yaku_list(points: &YakuPoints, captured: CardSet, rules: &Rules) -> Vec<ActiveYaku> {
    let active = |(yaku, base_points)| ActiveYaku {
        yaku_type: YakuName::of(yaku),
        base_points,
        contributing_cards: contributing(yaku, captured, rules).iter().collect(),
        yaku,
    };
    points.iter().map(active).collect()
}

impl YakuName {
    fn of(yaku: Yaku) -> YakuName {
        match yaku {
            Yaku::Gokou => YakuName::Gokou,
            Yaku::Shikou => YakuName::Shikou,
            Yaku::Ameshikou => YakuName::Ameshikou,
            Yaku::Sankou => YakuName::Sankou,
            Yaku::Akatan => YakuName::Akatan,
            Yaku::Aotan => YakuName::Aotan,
            Yaku::Tanzaku => YakuName::Tanzaku,
            Yaku::Inoshikachou => YakuName::Inoshikachou,
            Yaku::HanamiZake => YakuName::HanamiZake,
            Yaku::TsukimiZake => YakuName::TsukimiZake,
            Yaku::Tane => YakuName::Tane,
            Yaku::Kasu => YakuName::Kasu,
        }
    }
}

impl Ruleset {
    pub fn of(rules: &Rules) -> Ruleset {
        let setting = |yaku| YakuSetting {
            yaku_type: YakuName::of(yaku),
            base_points: rules.yaku.get(yaku),
            enabled: rules.yaku.get(yaku) > 0,
        };
        Ruleset {
            yaku_settings: Yaku::ALL.into_iter().map(setting).collect(),
            special_rules: SpecialRules {
                teshi_enabled: rules.teshi,
                field_kuttsuki_enabled: rules.field_kuttsuki,
                four_pairs_enabled: rules.four_pairs,
                special_hands_cancel: rules.special_hands_cancel,
            },
            house: HouseRules::of(rules),
        }
    }
}

impl NextState {
    pub fn of(next: Awaited) -> NextState {
        NextState { state_type: next.flow, active_player_id: next.seat.id() }
    }
}

impl CardPlay {
    pub fn of(play: &Play) -> CardPlay {
        CardPlay {
            played_card: play.card,
            matched_card: play.taken.first().copied(),
            captured_cards: match play.taken.as_slice() {
                [] => Vec::new(),
                taken => [&[play.card], taken].concat(),
            },
        }
    }
}

impl CardSelection {
    pub fn of(card: Card, target: Card) -> CardSelection {
        let captured_cards = vec![card, target];
        CardSelection { source_card: card, selected_target: target, captured_cards }
    }
}

impl YakuUpdate {
    pub fn of(yaku: &YakuTold, rules: &Rules) -> YakuUpdate {
        YakuUpdate {
            newly_formed_yaku: yaku_list(&yaku.fresh, yaku.captured, rules),
            all_active_yaku: yaku_list(&yaku.held, yaku.captured, rules),
        }
    }
}

impl ScoreMultipliers {
    pub fn of(rules: &Rules, calls: [u8; 2]) -> ScoreMultipliers {
        let factor = |seat: Seat| (seat.id(), koi_if_won(rules, calls, seat));
        ScoreMultipliers { player_multipliers: SEATS.into_iter().map(factor).collect() }
    }

    /// The factors of a round that is over: the winner's is what it came to.
    pub fn won(mut self, winner: Seat, factor: u32) -> ScoreMultipliers {
        self.player_multipliers.insert(winner.id(), factor);
        self
    }
}
