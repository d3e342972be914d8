//! Where things stand, as one viewer knows it.

use std::borrow::Cow;

use parlor_kernel::{Moment, Seat};
use schemars::JsonSchema;
use serde::Serialize;

use super::payloads::{
    CardObject, GameFinished, GameTerminated, Hands, MeldObject, Payload, PlayerJoined, ids,
};
use crate::board::{Board, Over, Phase};
use crate::cards::{CardSet, Suit};
use crate::event::RoundScored;
use crate::knowledge::Knowledge;
use crate::melds::melds;
use crate::rules::{HIGHEST_BID, Rules};
use crate::seats::{Each, after, all_seats, at};
use crate::special::Special;
use crate::trick::Trick;

/// ＋ Where things stand.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Snapshot {
    /// The position this reflects.
    last_event_sequence: u64,
    /// Whose view this is; null for spectators.
    player_index: Option<Seat>,
    /// waiting, bidding, dabb, trump, melding, tricks, finished or terminated.
    phase: &'static str,
    /// The rest is null before the game begins.
    table: Option<Table>,
    round: Option<Round>,
    /// How the last round was scored.
    last_round: Option<RoundScored>,
    /// The game so far, by seat, or by team with four players.
    total_scores: Each<i32>,
    /// What the viewer may do now.
    may: May,
    finished: Option<GameFinished>,
    terminated: Option<GameTerminated>,
    /// What is left on the clock of whoever is awaited, where one runs.
    seconds_left: Option<u32>,
}

impl Payload for Snapshot {
    const TYPE: &'static str = "SNAPSHOT";
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Table {
    player_count: u8,
    players: Vec<PlayerJoined>,
    target_score: Option<u32>,
    rules: Rules,
    seed_commitment: String,
}

/// The round under way.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Round {
    round: u16,
    dealer: Seat,
    /// Whom the table waits for.
    awaiting: Vec<Seat>,
    /// Each hand, as far as the viewer knows it.
    hands: Hands,
    /// The dabb, until it is taken.
    dabb: Vec<CardObject>,
    /// What was laid away.
    discarded_cards: Vec<Cow<'static, str>>,
    /// The highest bid; null while there is none.
    bid: Option<u16>,
    /// Whose it is.
    bidder: Option<Seat>,
    passed: Vec<Seat>,
    trump: Option<Suit>,
    /// The game announced in place of trump.
    special: Option<Special>,
    going_out: bool,
    /// What each seat laid out; null for those who have not melded.
    melds: Vec<Option<Melds>>,
    trick: TrickObject,
    last_trick: Option<TrickObject>,
    /// How many tricks each seat has won.
    tricks: Each<u8>,
    /// What they count.
    tricks_points: Each<u16>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Melds {
    melds: Vec<MeldObject>,
    total_points: u16,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Trick")]
struct TrickObject {
    leader_index: Seat,
    cards: Vec<PlayedCard>,
    /// Who holds or won it; null while nobody has played.
    winner_index: Option<Seat>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlayedCard {
    player_index: Seat,
    card: CardObject,
}

impl TrickObject {
    fn of(trick: &Trick, players: u8) -> TrickObject {
        let card = |(nth, card)| PlayedCard {
            player_index: after(trick.leader, nth, players),
            card: CardObject::of(card),
        };
        TrickObject {
            leader_index: trick.leader,
            cards: (0u8..).zip(trick.cards().iter().copied()).map(card).collect(),
            winner_index: trick.holder(players),
        }
    }
}

/// What the viewer may do now; what is null or false it may not.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct May {
    bid: Option<BidRange>,
    pass: bool,
    take_dabb: bool,
    discard: Option<Discard>,
    go_out: Option<Vec<Suit>>,
    declare_trump: Option<Vec<Suit>>,
    announce: Option<Vec<Special>>,
    declare_melds: bool,
    play_card: Option<CardSet>,
    exit: bool,
}

/// A multiple of ten in this range.
#[derive(Serialize, JsonSchema)]
struct BidRange {
    minimum: u16,
    maximum: u16,
}

/// So many of the hand's cards.
#[derive(Serialize, JsonSchema)]
struct Discard {
    count: u8,
}

impl May {
    fn of(knowledge: &Knowledge, rules: &Rules) -> May {
        let board = &knowledge.board;
        let Some((seat, hand)) = knowledge.own_hand() else { return May::default() };
        let mut may = May { exit: board.phase.is_active(), ..May::default() };
        if !board.awaited().contains(seat) {
            return may;
        }
        match board.phase {
            Phase::Bidding { .. } => {
                let range = |minimum| BidRange { minimum, maximum: HIGHEST_BID };
                may.bid = board.auction.least(rules).map(range);
                may.pass = board.auction.may_pass(rules);
            }
            Phase::TakingDabb => may.take_dabb = true,
            Phase::LayingAway => {
                may.discard = Some(Discard { count: rules.dabb(board.players) });
                may.go_out = some(board.ways_out().collect());
            }
            Phase::NamingTrump => {
                may.declare_trump = Some(Suit::ALL.to_vec());
                may.announce = some(board.specials(rules).collect());
            }
            Phase::Melding { .. } => may.declare_melds = true,
            Phase::Tricks { .. } => may.play_card = Some(board.legal(seat, hand, rules)),
            Phase::Unopened | Phase::RoundOver | Phase::Finished | Phase::Terminated => {}
        }
        may
    }
}

/// A list, where there is anything on it.
fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

pub(super) fn snapshot(knowledge: &Knowledge, moment: &Moment) -> Snapshot {
    let (board, table) = (&knowledge.board, knowledge.table.as_deref());
    let (finished, terminated) = match &board.over {
        Some(Over::Finished(finished)) => (Some(GameFinished::from(&**finished)), None),
        Some(Over::Terminated(over)) => (None, Some(GameTerminated::from(&**over))),
        None => (None, None),
    };
    Snapshot {
        last_event_sequence: moment.position,
        player_index: moment.viewer.seat(),
        phase: board.phase.name(),
        table: table.map(Table::of),
        round: table.map(|table| Round::of(knowledge, &table.setup.rules)),
        last_round: board.scored,
        total_scores: board.totals,
        may: table.map_or_else(May::default, |table| May::of(knowledge, &table.setup.rules)),
        finished,
        terminated,
        seconds_left: moment.seconds_left,
    }
}

impl Table {
    fn of(table: &crate::setup::GameSetup) -> Table {
        Table {
            player_count: table.players(),
            players: PlayerJoined::all(&table.setup.seats).collect(),
            target_score: table.setup.rules.target,
            rules: table.setup.rules.clone(),
            seed_commitment: table.setup.commitment.clone(),
        }
    }
}

impl Round {
    fn of(knowledge: &Knowledge, rules: &Rules) -> Round {
        let board = &knowledge.board;
        Round {
            round: board.round,
            dealer: board.dealer,
            awaiting: board.awaited().iter().collect(),
            hands: Hands::of(&Each::of(board.players, knowledge.hands)),
            dabb: CardObject::all(&knowledge.dabb),
            discarded_cards: ids(&knowledge.laid_away),
            bid: board.highest_bid().map(|(_, bid)| bid),
            bidder: board.highest_bid().map(|(seat, _)| seat),
            passed: board.auction.passed.iter().collect(),
            trump: board.trump,
            special: board.special,
            going_out: board.going_out,
            melds: all_seats(board.players).map(|seat| laid_out(board, seat, rules)).collect(),
            trick: TrickObject::of(&board.trick, board.players),
            last_trick: board.last_trick.map(|(trick, _)| TrickObject::of(&trick, board.players)),
            tricks: Each::of(board.players, board.tricks),
            tricks_points: Each::of(board.players, board.taken),
        }
    }
}

fn laid_out(board: &Board, seat: Seat, rules: &Rules) -> Option<Melds> {
    let (laid, trump) = (board.melds[at(seat)]?, board.trump?);
    let melds = melds(laid.cards, trump, rules).into_iter().map(MeldObject::from).collect();
    Some(Melds { melds, total_points: laid.points })
}
