//! The protocol's events, field by field. What it does not name is marked ＋.

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
    /// Null for a spectator.
    pub my_player_id: Option<&'static str>,
    pub players: Vec<Player>,
    pub ruleset: Ruleset,
    /// ＋
    pub game_id: String,
    /// ＋ Who deals, and so plays first, in round 1.
    pub starting_player: &'static str,
    /// ＋ GameFinished opens it.
    pub seed_commitment: String,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct RoundDealt {
    pub dealer: &'static str,
    pub field: [Card; 8],
    pub hands: [DealtHand; 2],
    pub deck_remaining: u8,
    pub first_player: &'static str,
    /// Null where the deal itself ends the round.
    pub next_state: Option<NextState>,
    /// ＋ The round, from 1.
    pub round: u16,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct RoundEndedInstantly {
    reason: InstantReason,
    winner: Option<&'static str>,
    score_changes: [ScoreChange; 2],
    cumulative_scores: [PlayerScore; 2],
    /// ＋
    detail: Option<InstantDetail>,
    /// ＋ The cards that caused it.
    shown: Shown,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct RoundScored {
    winner: &'static str,
    yakus: Vec<ScoredYaku>,
    base_total: u32,
    multipliers: Multipliers,
    final_points: u32,
    score_changes: [ScoreChange; 2],
    cumulative_scores: [PlayerScore; 2],
    /// ＋ Why the round was scored now.
    by: ScoredBy,
}

#[derive(Serialize, JsonSchema)]
struct Multipliers {
    /// The factor for seven points and more: 2, or 1.
    seven_plus: u32,
    /// The factor for koi-koi calls by the table's `koi_factor`. Under
    /// `opponent_called` it is for the loser's calls, as the name says; under
    /// `winner_own` it is one more than the winner's own calls; under
    /// `any_called` it is for anybody's.
    opponent_koi: u32,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum DrawnReason {
    NoYaku,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct RoundDrawn {
    reason: DrawnReason,
    score_changes: [ScoreChange; 2],
    /// ＋
    cumulative_scores: [PlayerScore; 2],
}

#[derive(Serialize, JsonSchema)]
pub(super) struct GameFinished {
    final_scores: [PlayerScore; 2],
    /// Null on equal totals.
    winner: Option<&'static str>,
    /// ＋
    reason: Ending,
    /// ＋ What was said when the match was called off.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// ＋ What GameStarted's commitment was to.
    seed_opening: SeedOpening,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct TurnCompleted {
    pub player: &'static str,
    pub hand_play: HandPlay,
    pub deck_flip: DeckFlip,
    /// A yaku that came with the last chance to form one: RoundScored follows.
    pub yaku_update: Option<YakuUpdate>,
    /// Null where the round is over.
    pub next_state: Option<NextState>,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct HandPlayCompleted {
    pub hand_play: HandPlay,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct SelectionRequired {
    pub player: &'static str,
    pub phase: TurnPhase,
    pub completed: HandPlayCompleted,
    pub selection: Selection,
    pub next_state: NextState,
    /// ＋ After the flip.
    pub deck_remaining: u8,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct TurnProgressAfterSelection {
    pub selected_capture: SelectedCapture,
    pub deck_remaining: u8,
    pub yaku_update: Option<YakuUpdate>,
    /// Null where the round is over.
    pub next_state: Option<NextState>,
    /// ＋
    pub player: &'static str,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

/// What the turn did; null where an earlier event has told it.
#[derive(Serialize, JsonSchema)]
pub(super) struct Completed {
    pub hand_play: Option<HandPlay>,
    pub deck_flip: Option<DeckFlip>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct DecisionRequired {
    pub player: &'static str,
    pub yaku_update: YakuUpdate,
    pub next_state: NextState,
    /// ＋
    pub completed: Completed,
    /// ＋
    pub deck_remaining: u8,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct DecisionMade {
    pub player: &'static str,
    pub decision: Decision,
    /// The factor that this player's own calls put on the round.
    pub koi_multiplier_update: u32,
    /// Null where the round is over.
    pub next_state: Option<NextState>,
    /// ＋ The player's calls this round.
    pub called_count: u8,
    /// ＋
    pub timeout_seconds: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::wire) struct TurnError {
    pub error_code: ErrorCode,
    pub message: String,
    pub retry_allowed: bool,
    /// ＋ Whose command was refused; null where nobody has proved a seat.
    pub player: Option<&'static str>,
    /// ＋ What the code leaves open, such as MALFORMED or POSITION_AHEAD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl RoundScored {
    pub fn of(scored: &event::RoundScored, captured: CardSet, rules: &Rules) -> RoundScored {
        RoundScored {
            winner: scored.winner.id(),
            yakus: yakus(&scored.held, captured, rules),
            base_total: scored.base,
            multipliers: Multipliers { seven_plus: scored.seven, opponent_koi: scored.koi },
            final_points: scored.points,
            score_changes: changes(Some(scored.winner), scored.points),
            cumulative_scores: scores(scored.totals),
            by: scored.by,
        }
    }
}

impl RoundDrawn {
    pub fn of(drawn: &event::RoundDrawn) -> RoundDrawn {
        RoundDrawn {
            reason: DrawnReason::NoYaku,
            score_changes: changes(None, 0),
            cumulative_scores: scores(drawn.totals),
        }
    }
}

impl RoundEndedInstantly {
    pub fn of(ended: &event::RoundEndedInstantly) -> RoundEndedInstantly {
        let (reason, detail) = InstantReason::of(ended.reason);
        RoundEndedInstantly {
            reason,
            winner: ended.winner.map(Seat::id),
            score_changes: changes(ended.winner, ended.points),
            cumulative_scores: scores(ended.totals),
            detail,
            shown: Shown::of(ended),
        }
    }
}

impl GameFinished {
    pub fn of(finished: &event::GameFinished) -> GameFinished {
        GameFinished {
            final_scores: scores(finished.totals),
            winner: finished.winner.map(Seat::id),
            reason: finished.reason,
            note: finished.note.clone(),
            seed_opening: finished.opening.clone(),
        }
    }
}
