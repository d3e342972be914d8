//! The protocol's snapshot: enough to draw the table and to go on.

use parlor_kernel::{Moment, Seat};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::standing::{
    Awaited, FlowState, HandShown, SEATS, SnapshotPhase, StageTold, hand_told, koi_put, open_hands,
    setup_of, viewer_id,
};
use super::super::step::YakuTold;
use super::events::{GameFinished, RoundDrawn, RoundEndedInstantly, RoundScored};
use super::parts::*;
use crate::board::{Board, Knowledge, MatchSetup, Phase, RoundResult, at, opponent};
use crate::cards::Card;
use crate::rules::Rules;

#[derive(Serialize, JsonSchema)]
pub(in crate::wire) struct GameSnapshotRestore {
    /// Null for a spectator; what is mine then speaks of the first seat.
    my_player_id: Option<&'static str>,
    game: GameTold,
    round: RoundTold,
    cards: CardsTold,
    flow_state: FlowTold,
    /// ＋ Whether `flow_state` is the present one, the next or the last.
    phase: SnapshotPhase,
    /// ＋ How the last round ended, from its end to the next deal.
    last_round: Option<LastRound>,
    /// ＋ How the match ended.
    finished: Option<GameFinished>,
    /// ＋ Both hands, for those who see all.
    #[serde(skip_serializing_if = "Option::is_none")]
    hands: Option<[HandShown; 2]>,
}

#[derive(Serialize, JsonSchema)]
struct GameTold {
    id: String,
    ruleset: Ruleset,
    cumulative_scores: [PlayerScore; 2],
    /// Rounds that have ended.
    rounds_played: u16,
    /// ＋
    players: Vec<Player>,
    /// ＋
    seed_commitment: String,
}

#[derive(Serialize, JsonSchema)]
struct RoundTold {
    dealer: &'static str,
    koi_status: [KoiStatus; 2],
    /// ＋ The round under way or just over, from 1.
    number: u16,
    /// ＋ What each player's captures are worth.
    yakus: [HeldYaku; 2],
}

#[derive(Serialize, JsonSchema)]
struct KoiStatus {
    player_id: &'static str,
    /// The factor that this player's own calls put on the round.
    multiplier: u32,
    called_count: u8,
}

#[derive(Serialize, JsonSchema)]
struct HeldYaku {
    player_id: &'static str,
    yakus: Vec<ScoredYaku>,
    total_base: u32,
}

#[derive(Serialize, JsonSchema)]
struct CardsTold {
    field: Vec<Card>,
    my_hand: Vec<Card>,
    opponent_hand_count: u8,
    my_depository: Vec<Card>,
    opponent_depository: Vec<Card>,
    deck_remaining: u8,
    /// ＋ As many as `my_hand`, but for a spectator, who does not see them.
    my_hand_count: u8,
}

#[derive(Serialize, JsonSchema)]
struct FlowTold {
    /// Between rounds the next one, after the match the last; `phase` says so.
    #[serde(rename = "type")]
    flow: FlowState,
    active_player: &'static str,
    context: Option<Context>,
    /// ＋ `phase` under its older name, which also knew UNOPENED.
    stage: StageTold,
    /// ＋
    timeout_seconds: Option<u32>,
    /// ＋ What is left of it, where that is known.
    seconds_left: Option<u32>,
}

/// What the awaited player chooses from.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Context {
    Selection { selection: Selection },
    Decision { yaku_update: YakuUpdate },
}

#[derive(Serialize, JsonSchema)]
#[serde(tag = "event")]
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
        let board = &knowledge.board;
        GameSnapshotRestore {
            my_player_id: viewer_id(knowledge.viewer),
            game: GameTold {
                id: table.setup.game_id.clone(),
                ruleset: Ruleset::of(table.rules()),
                cumulative_scores: scores(board.totals),
                rounds_played: board.rounds_played,
                players: players(&table.setup.seats),
                seed_commitment: table.setup.commitment.clone(),
            },
            round: RoundTold::of(board, &table),
            cards: CardsTold::of(knowledge),
            flow_state: FlowTold::of(board, &table, moment),
            phase: SnapshotPhase::of(&board.phase),
            last_round: board
                .result
                .as_ref()
                .map(|ended| LastRound::of(ended, board, table.rules())),
            finished: board.finished.as_deref().map(GameFinished::of),
            hands: open_hands(knowledge),
        }
    }
}

impl RoundTold {
    fn of(board: &Board, table: &MatchSetup) -> RoundTold {
        RoundTold {
            dealer: board.dealer.unwrap_or(table.first_dealer).id(),
            koi_status: SEATS.map(|seat| KoiStatus {
                player_id: seat.id(),
                multiplier: koi_put(table.rules(), board.calls[at(seat)]),
                called_count: board.calls[at(seat)],
            }),
            number: board.round,
            yakus: SEATS.map(|seat| HeldYaku {
                player_id: seat.id(),
                yakus: held(board, seat, table.rules()),
                total_base: board.held[at(seat)].total(),
            }),
        }
    }
}

fn held(board: &Board, seat: Seat, rules: &Rules) -> Vec<ScoredYaku> {
    yakus(&board.held[at(seat)], board.captured[at(seat)].set(), rules)
}

impl CardsTold {
    fn of(knowledge: &Knowledge) -> CardsTold {
        let board = &knowledge.board;
        let mine = knowledge.viewer.seat().unwrap_or(Seat(0));
        let theirs = opponent(mine);
        let (my_hand, my_hand_count) = hand_told(&knowledge.hands[at(mine)]);
        CardsTold {
            field: board.field.cards(),
            my_hand,
            opponent_hand_count: hand_told(&knowledge.hands[at(theirs)]).1,
            my_depository: board.captured[at(mine)].cards(),
            opponent_depository: board.captured[at(theirs)].cards(),
            deck_remaining: board.pile_left,
            my_hand_count,
        }
    }
}

impl FlowTold {
    fn of(board: &Board, table: &MatchSetup, moment: &Moment) -> FlowTold {
        let awaited = Awaited::in_phase(&board.phase);
        let flow = Awaited::or_opens(board, table);
        let context = match board.phase {
            Phase::Selection { card, options, .. } => {
                Some(Context::Selection { selection: Selection { source: card, options } })
            }
            Phase::Decision { seat, fresh } => {
                let yaku = YakuTold::on(board, seat, fresh);
                Some(Context::Decision { yaku_update: YakuUpdate::of(&yaku, table.rules()) })
            }
            _ => None,
        };
        FlowTold {
            flow: flow.flow,
            active_player: flow.seat.id(),
            context,
            stage: StageTold::of(&board.phase),
            timeout_seconds: awaited.and_then(|_| table.turn_clock()),
            seconds_left: awaited.and(moment.seconds_left),
        }
    }
}

impl LastRound {
    fn of(ended: &RoundResult, board: &Board, rules: &Rules) -> LastRound {
        match ended {
            RoundResult::Scored(scored) => {
                let captured = board.captured[at(scored.winner)].set();
                LastRound::Scored(RoundScored::of(scored, captured, rules))
            }
            RoundResult::Drawn(drawn) => LastRound::Drawn(RoundDrawn::of(drawn)),
            RoundResult::Instant(ended) => LastRound::Instant(RoundEndedInstantly::of(ended)),
        }
    }
}
