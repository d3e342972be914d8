//! The contract's snapshot: enough to draw the table and to go on.

use parlor_kernel::Moment;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::standing::{
    Awaited, FlowState, HandShown, SEATS, SnapshotPhase, StageTold, hand_told, koi_put, open_hands,
    setup_of, viewer_id,
};
use super::super::step::YakuTold;
use super::events::{GameFinished, RoundDrawn, RoundEndedInstantly, RoundScored};
use super::parts::*;
use crate::board::{Board, Knowledge, Phase, RoundResult, at};
use crate::cards::Card;
use crate::rules::Rules;

#[derive(Serialize, JsonSchema)]
pub(in crate::wire) struct GameSnapshotRestore {
    game_id: String,
    players: Vec<PlayerInfo>,
    ruleset: Ruleset,
    field_cards: Vec<Card>,
    deck_remaining: u8,
    player_hands: [PlayerHand; 2],
    player_depositories: [PlayerDepository; 2],
    player_scores: [PlayerScore; 2],
    /// Between rounds the next one, after the match the last; `phase` says so.
    current_flow_stage: FlowState,
    active_player_id: &'static str,
    koi_statuses: [KoiStatus; 2],
    /// ＋ Null for a spectator.
    my_player_id: Option<&'static str>,
    /// ＋
    phase: SnapshotPhase,
    /// ＋ `phase` under its older name, which also knew UNOPENED.
    stage: StageTold,
    /// ＋
    dealer_id: &'static str,
    /// ＋ The round under way or just over, from 1.
    round_number: u16,
    /// ＋ Rounds that have ended.
    rounds_played: u16,
    /// ＋ What the flipped card may take.
    pending_selection: Option<PendingSelection>,
    /// ＋ The yaku that ask for a decision.
    yaku_update: Option<YakuUpdate>,
    /// ＋ What each player's captures are worth.
    active_yaku: [PlayerYaku; 2],
    /// ＋
    current_multipliers: ScoreMultipliers,
    /// ＋
    timeout_seconds: Option<u32>,
    /// ＋ What is left of it, where that is known.
    seconds_left: Option<u32>,
    /// ＋
    seed_commitment: String,
    /// ＋ How the last round ended, from its end to the next deal.
    last_round: Option<LastRound>,
    /// ＋ How the match ended.
    finished: Option<GameFinished>,
    /// ＋ Both hands, for those who see all.
    #[serde(skip_serializing_if = "Option::is_none")]
    hands: Option<[HandShown; 2]>,
}

#[derive(Serialize, JsonSchema)]
struct PlayerDepository {
    player_id: &'static str,
    cards: Vec<Card>,
}

#[derive(Serialize, JsonSchema)]
struct KoiStatus {
    player_id: &'static str,
    /// The factor that this player's own calls put on the round.
    koi_multiplier: u32,
    times_continued: u8,
}

#[derive(Serialize, JsonSchema)]
struct PendingSelection {
    drawn_card: Card,
    possible_targets: [Card; 2],
}

#[derive(Serialize, JsonSchema)]
struct PlayerYaku {
    player_id: &'static str,
    yaku: Vec<ActiveYaku>,
}

#[derive(Serialize, JsonSchema)]
#[serde(tag = "event_type")]
enum LastRound {
    #[serde(rename = "RoundScored")]
    Scored(RoundScored),
    #[serde(rename = "RoundDrawn")]
    Drawn(RoundDrawn),
    #[serde(rename = "RoundEndedInstantly")]
    Instant(RoundEndedInstantly),
}

impl GameSnapshotRestore {
    pub fn of(knowledge: &Knowledge, moment: &Moment) -> GameSnapshotRestore {
        let table = setup_of(knowledge, moment);
        let (board, rules) = (&knowledge.board, table.rules());
        let awaited = Awaited::in_phase(&board.phase);
        let flow = Awaited::or_opens(board, &table);
        let (pending_selection, yaku_update) = choices(board, rules);
        GameSnapshotRestore {
            game_id: table.setup.game_id.clone(),
            players: players(&table.setup.seats),
            ruleset: Ruleset::of(rules),
            field_cards: board.field.cards(),
            deck_remaining: board.pile_left,
            player_hands: hands(knowledge),
            player_depositories: SEATS.map(|seat| PlayerDepository {
                player_id: seat.id(),
                cards: board.captured[at(seat)].cards(),
            }),
            player_scores: scores(board.totals),
            current_flow_stage: flow.flow,
            active_player_id: flow.seat.id(),
            koi_statuses: SEATS.map(|seat| KoiStatus {
                player_id: seat.id(),
                koi_multiplier: koi_put(rules, board.calls[at(seat)]),
                times_continued: board.calls[at(seat)],
            }),
            my_player_id: viewer_id(knowledge.viewer),
            phase: SnapshotPhase::of(&board.phase),
            stage: StageTold::of(&board.phase),
            dealer_id: board.dealer.unwrap_or(table.first_dealer).id(),
            round_number: board.round,
            rounds_played: board.rounds_played,
            pending_selection,
            yaku_update,
            active_yaku: SEATS.map(|seat| PlayerYaku {
                player_id: seat.id(),
                yaku: yaku_list(&board.held[at(seat)], board.captured[at(seat)].set(), rules),
            }),
            current_multipliers: ScoreMultipliers::of(rules, board.calls),
            timeout_seconds: awaited.and_then(|_| table.turn_clock()),
            seconds_left: awaited.and(moment.seconds_left),
            seed_commitment: table.setup.commitment.clone(),
            last_round: board.result.as_ref().map(|ended| LastRound::of(ended, board, rules)),
            finished: board.finished.as_deref().map(GameFinished::of),
            hands: open_hands(knowledge),
        }
    }
}

fn hands(knowledge: &Knowledge) -> [PlayerHand; 2] {
    SEATS.map(|seat| {
        let (cards, card_count) = hand_told(&knowledge.hands[at(seat)]);
        PlayerHand { player_id: seat.id(), cards, card_count }
    })
}

/// What the awaited player chooses from, if it is not a card from the hand.
fn choices(board: &Board, rules: &Rules) -> (Option<PendingSelection>, Option<YakuUpdate>) {
    match board.phase {
        Phase::Selection { card, options, .. } => {
            let pending = PendingSelection { drawn_card: card, possible_targets: options };
            (Some(pending), None)
        }
        Phase::Decision { seat, fresh } => {
            (None, Some(YakuUpdate::of(&YakuTold::on(board, seat, fresh), rules)))
        }
        _ => (None, None),
    }
}

impl LastRound {
    fn of(ended: &RoundResult, board: &Board, rules: &Rules) -> LastRound {
        match ended {
            RoundResult::Scored(scored) => {
                let captured = board.captured[at(scored.winner)].set();
                LastRound::Scored(RoundScored::of(scored, captured, board.calls, rules))
            }
            RoundResult::Drawn(drawn) => LastRound::Drawn(RoundDrawn::of(drawn)),
            RoundResult::Instant(ended) => LastRound::Instant(RoundEndedInstantly::of(ended)),
        }
    }
}
