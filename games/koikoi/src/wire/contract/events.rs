//! The contract's events, field by field. What it does not name is marked ＋.

use parlor_kernel::{Seat, SeedOpening};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::refused::ErrorCode;
use super::super::standing::{Decision, InstantDetail, InstantReason, Shown};
use super::parts::*;
use crate::cards::{Card, CardSet};
use crate::event::{self, Ending, ScoredBy};
use crate::rules::Rules;

#[derive(Serialize, JsonSchema)]
pub(super) struct GameStarted {
    pub game_id: String,
    pub players: Vec<PlayerInfo>,
    pub ruleset: Ruleset,
    pub starting_player_id: &'static str,
    /// ＋ Null for a spectator.
    pub my_player_id: Option<&'static str>,
    /// ＋ GameFinished opens it.
    pub seed_commitment: String,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct RoundDealt {
    pub dealer_id: &'static str,
    pub field: [Card; 8],
    pub hands: [PlayerHand; 2],
    pub deck_remaining: u8,
    /// Null where the deal itself ends the round.
    pub next_state: Option<NextState>,
    /// ＋ The round, from 1.
    pub round_number: u16,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct TurnCompleted {
    pub player_id: &'static str,
    pub hand_card_play: Option<CardPlay>,
    pub draw_card_play: Option<CardPlay>,
    pub deck_remaining: u8,
    /// Null where the round is over.
    pub next_state: Option<NextState>,
    /// ＋ A yaku that came with the last chance to form one: RoundScored follows.
    pub yaku_update: Option<YakuUpdate>,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct SelectionRequired {
    pub player_id: &'static str,
    pub hand_card_play: CardPlay,
    pub drawn_card: Card,
    pub possible_targets: [Card; 2],
    pub deck_remaining: u8,
    /// ＋
    pub next_state: NextState,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct TurnProgressAfterSelection {
    pub player_id: &'static str,
    pub selection: CardSelection,
    pub draw_card_play: CardPlay,
    pub yaku_update: Option<YakuUpdate>,
    pub deck_remaining: u8,
    /// Null where the round is over.
    pub next_state: Option<NextState>,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct DecisionRequired {
    pub player_id: &'static str,
    /// Null after a selection: SelectionRequired has told it.
    pub hand_card_play: Option<CardPlay>,
    pub draw_card_play: Option<CardPlay>,
    pub yaku_update: YakuUpdate,
    pub current_multipliers: ScoreMultipliers,
    pub deck_remaining: u8,
    /// ＋
    pub next_state: NextState,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct DecisionMade {
    pub player_id: &'static str,
    pub decision: Decision,
    pub updated_multipliers: ScoreMultipliers,
    pub next_state: NextState,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct RoundScored {
    winner_id: &'static str,
    yaku_list: Vec<ActiveYaku>,
    base_score: u32,
    final_score: u32,
    /// The winner's is final_score / base_score.
    multipliers: ScoreMultipliers,
    updated_total_scores: [PlayerScore; 2],
    /// ＋ Why the round was scored now.
    by: ScoredBy,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct RoundDrawn {
    current_total_scores: [PlayerScore; 2],
}

#[derive(Serialize, JsonSchema)]
pub(super) struct RoundEndedInstantly {
    reason: InstantReason,
    winner_id: Option<&'static str>,
    awarded_points: u32,
    updated_total_scores: [PlayerScore; 2],
    /// ＋
    detail: Option<InstantDetail>,
    /// ＋ The cards that caused it.
    shown: Shown,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct GameFinished {
    /// Null on equal totals.
    winner_id: Option<&'static str>,
    final_scores: [PlayerScore; 2],
    /// ＋
    reason: Ending,
    /// ＋ What was said when the match was called off.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// ＋ What GameStarted's commitment was to.
    seed_opening: SeedOpening,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::wire) struct TurnError {
    /// Null where nobody has proved a seat.
    pub player_id: Option<&'static str>,
    pub error_code: ErrorCode,
    pub error_message: String,
    pub retry_allowed: bool,
    /// ＋ What the code leaves open, such as MALFORMED or POSITION_AHEAD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl RoundScored {
    pub fn of(
        scored: &event::RoundScored,
        captured: CardSet,
        calls: [u8; 2],
        rules: &Rules,
    ) -> RoundScored {
        let factor = scored.seven.saturating_mul(scored.koi);
        RoundScored {
            winner_id: scored.winner.id(),
            yaku_list: yaku_list(&scored.held, captured, rules),
            base_score: scored.base,
            final_score: scored.points,
            multipliers: ScoreMultipliers::of(rules, calls).won(scored.winner, factor),
            updated_total_scores: scores(scored.totals),
            by: scored.by,
        }
    }
}

impl RoundDrawn {
    pub fn of(drawn: &event::RoundDrawn) -> RoundDrawn {
        RoundDrawn { current_total_scores: scores(drawn.totals) }
    }
}

impl RoundEndedInstantly {
    pub fn of(ended: &event::RoundEndedInstantly) -> RoundEndedInstantly {
        let (reason, detail) = InstantReason::of(ended.reason);
        RoundEndedInstantly {
            reason,
            winner_id: ended.winner.map(Seat::id),
            awarded_points: ended.winner.map_or(0, |_| ended.points),
            updated_total_scores: scores(ended.totals),
            detail,
            shown: Shown::of(ended),
        }
    }
}

impl GameFinished {
    pub fn of(finished: &event::GameFinished) -> GameFinished {
        GameFinished {
            winner_id: finished.winner.map(Seat::id),
            final_scores: scores(finished.totals),
            reason: finished.reason,
            note: finished.note.clone(),
            seed_opening: finished.opening.clone(),
        }
    }
}
