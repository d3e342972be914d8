//! Where a viewer stands: the contract's DealState, as far as this viewer
//! knows it, and what belongs to it. Snapshots and stored knowledge are
//! written like this.

use std::borrow::Cow;

use parlor_kernel::{Hosted, Seat, Viewer};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::betting::LegalMoves;
use crate::board::{Board, Phase};
use crate::cards::Card;
use crate::event::{GameFinished, Street};
use crate::game::Stud;
use crate::hosted::turn_seconds;
use crate::rules::{Rules, Stakes, Variant};
use crate::seats::{Seats, at};
use crate::showdown::DealEnd;
use crate::state::Knowledge;

/// What a viewer knows. Fields the contract does not name are marked ＋.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Standing")]
pub(crate) struct TableTold<'a> {
    /// What is played for; 0 once it is paid.
    pot: u32,
    current_bet: u32,
    raise_count: u8,
    pending_response_count: u8,
    checks_this_street: u8,
    actions_this_street: Vec<ActionTold>,
    /// Null where nobody is asked.
    current_actor_index: Option<Seat>,
    /// Null before third street is dealt.
    bring_in_index: Option<Seat>,
    street: Option<Street>,
    deal_finished: bool,
    players: Vec<PlayerTold<'a>>,
    /// ＋ Whose view this is: `seat:0`, `public`, `admin`, `postmortem`.
    #[serde(serialize_with = "by_name")]
    #[schemars(with = "String")]
    viewer: Viewer,
    /// ＋
    stage: StageTold,
    /// ＋ The deal under way or just over, from 1.
    deal: u32,
    /// ＋ Deals that have ended.
    deals_played: u32,
    /// ＋
    variant: Variant,
    /// ＋ The limits of this deal.
    stakes: Stakes,
    /// ＋ When they rise next, by the schedule of the rules; null if never.
    next_stakes: Option<Rise>,
    /// ＋ Null before the match is opened.
    rules: Option<&'a Rules>,
    /// ＋
    seed_commitment: Option<&'a str>,
    /// ＋ What the actor may do, with its chips.
    legal: LegalMoves,
    /// ＋ What this viewer's seat may do whoever is asked.
    asides: Vec<&'static str>,
    /// ＋ Whom the next deal waits for, because fewer than two want to play.
    waiting_for: Seats,
    /// ＋ Seconds for the decision that is asked; null where no clock runs.
    timeout_seconds: Option<u32>,
    /// ＋ How the last deal ended, until the next begins.
    last_deal: Option<&'a DealEnd>,
    /// ＋ How the match ended.
    finished: Option<&'a GameFinished>,
    /// ＋ What is left of the deck, for those who see all.
    #[serde(skip_serializing_if = "Option::is_none")]
    deck: Option<&'a [Card]>,
}

/// Limits that come later.
#[derive(Serialize, JsonSchema)]
struct Rise {
    /// The first deal they hold for.
    deal: u32,
    stakes: Stakes,
}

impl Rise {
    fn after(rules: &Rules, deal: u32) -> Option<Rise> {
        let (deal, stakes) = rules.next_rise(deal)?;
        Some(Rise { deal, stakes })
    }
}

#[derive(Serialize, JsonSchema)]
struct ActionTold {
    seat: Seat,
    #[serde(rename = "type")]
    action: &'static str,
}

/// A seat, with what this viewer knows of its cards.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PlayerTold<'a> {
    stack: u32,
    /// Whether the seat is still in the deal.
    active: bool,
    committed_total: u32,
    committed_this_street: u32,
    /// ＋
    seat: Seat,
    /// ＋
    player_id: String,
    /// ＋
    name: &'a str,
    /// ＋
    is_bot: bool,
    /// ＋ Up cards, third street first.
    up: Vec<Card>,
    /// ＋ Down cards; null for those this viewer does not know.
    down: Vec<Option<Card>>,
    /// ＋ The last thing this seat did in this deal.
    last_action: Option<&'static str>,
    /// ＋ Whether the seat was dealt in.
    dealt_in: bool,
    /// ＋ Whether it sits out from the next deal on.
    sitting_out: bool,
    /// ＋ Time-outs in a row.
    time_outs: u8,
    /// ＋ Seconds left in its time bank.
    time_bank: u16,
    /// ＋ Chips it brought to the table, rebuys included.
    bought: u32,
}

/// Where the match stands.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum StageTold {
    Unopened,
    Dealing,
    BetweenDeals,
    Finished,
}

fn by_name<S: Serializer>(viewer: &Viewer, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(viewer)
}

impl<'a> TableTold<'a> {
    pub fn of(knowledge: &'a Knowledge) -> TableTold<'a> {
        let (board, setup) = (&knowledge.board, knowledge.setup.as_deref());
        let mut asides = Vec::new();
        Stud::asides(knowledge, &mut asides);
        TableTold {
            pot: if board.deal_finished() { 0 } else { board.pot },
            current_bet: board.current_bet,
            raise_count: board.raise_count,
            pending_response_count: board.pending_response_count,
            checks_this_street: board.checks_this_street,
            actions_this_street: actions(board),
            current_actor_index: board.actor,
            bring_in_index: board.bring_in,
            street: board.street,
            deal_finished: board.deal_finished(),
            players: board.seated().map(|seat| PlayerTold::of(knowledge, seat)).collect(),
            viewer: knowledge.viewer,
            stage: match board.phase {
                Phase::Unopened => StageTold::Unopened,
                Phase::Dealing => StageTold::Dealing,
                Phase::Between => StageTold::BetweenDeals,
                Phase::Finished => StageTold::Finished,
            },
            deal: board.deal,
            deals_played: board.deals_played,
            variant: board.variant,
            stakes: board.stakes,
            next_stakes: setup.and_then(|setup| Rise::after(&setup.rules, board.deal)),
            rules: setup.map(|setup| &setup.rules),
            seed_commitment: setup.map(|setup| setup.commitment.as_str()),
            legal: setup.map_or_else(LegalMoves::new, |setup| board.legal(setup.rules.cap)),
            asides: asides.into_iter().map(crate::action::Action::name).collect(),
            waiting_for: setup.map_or(Seats::NONE, |setup| board.missed(&setup.rules)),
            timeout_seconds: timeout(knowledge),
            last_deal: knowledge.last_deal.as_deref(),
            finished: knowledge.finished.as_deref(),
            deck: knowledge.stub.as_deref().map(|stub| stub.left()),
        }
    }
}

/// The seconds the actor has; none where no clock runs.
pub(crate) fn timeout(knowledge: &Knowledge) -> Option<u32> {
    let board = &knowledge.board;
    turn_seconds(knowledge.setup.as_deref()?, board, board.actor?)
}

/// Whether someone is asked, or waited for.
pub(crate) fn is_timed(knowledge: &Knowledge) -> bool {
    let board = &knowledge.board;
    let rules = knowledge.setup.as_deref().map(|setup| &setup.rules);
    board.actor.is_some() || rules.is_some_and(|rules| !board.missed(rules).is_empty())
}

fn actions(board: &Board) -> Vec<ActionTold> {
    let told =
        |acted: &crate::board::Acted| ActionTold { seat: acted.seat, action: acted.action.name() };
    board.actions_this_street.iter().map(told).collect()
}

impl<'a> PlayerTold<'a> {
    fn of(knowledge: &'a Knowledge, seat: Seat) -> PlayerTold<'a> {
        let board = &knowledge.board;
        let player = board.player(seat);
        let sitting = knowledge.setup.as_deref().and_then(|setup| setup.seats.get(seat.index()));
        let down = knowledge.down[at(seat)].iter().take(player.down.into());
        PlayerTold {
            stack: player.stack,
            active: board.active.contains(seat),
            committed_total: player.committed_total,
            committed_this_street: player.committed_this_street,
            seat,
            player_id: seat.player_id(),
            name: sitting.map_or("", |sitting| &sitting.name),
            is_bot: sitting.is_some_and(|sitting| sitting.bot.is_some()),
            up: player.up.iter().flatten().copied().collect(),
            down: down.copied().collect(),
            last_action: player.last.map(crate::action::Action::name),
            dealt_in: board.dealt_in.contains(seat),
            sitting_out: board.sitting_out.contains(seat),
            time_outs: player.time_outs,
            time_bank: player.bank,
            bought: player.bought,
        }
    }
}

impl Serialize for Knowledge {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TableTold::of(self).serialize(serializer)
    }
}

impl JsonSchema for Knowledge {
    fn schema_name() -> Cow<'static, str> {
        "Knowledge".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        TableTold::json_schema(generator)
    }
}
