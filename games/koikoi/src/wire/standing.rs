//! What both dialects say of rules, clocks, multipliers and whose turn it is.

use std::sync::Arc;

use parlor_kernel::{Moment, Seat, Setup, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::{Board, Hand, Knowledge, MatchSetup, Phase, at, opponent};
use crate::cards::{Card, CardSet};
use crate::deal::next_dealer;
use crate::event::{RoundEndedInstantly, SpecialDeal};
use crate::rules::{ExhaustedAfterKoi, FirstDealer, KoiFactor, NextDealer, Rules};
use crate::score::koi_factor;

/// Both seats, in order.
pub(super) const SEATS: [Seat; 2] = [Seat(0), Seat(1)];

/// What the table waits for while a round is under way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) enum FlowState {
    #[serde(rename = "AWAITING_HAND_PLAY")]
    HandPlay,
    #[serde(rename = "AWAITING_SELECTION")]
    Selection,
    #[serde(rename = "AWAITING_DECISION")]
    Decision,
}

/// Who is awaited, and what for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Awaited {
    pub flow: FlowState,
    pub seat: Seat,
}

impl Awaited {
    pub fn hand_play(seat: Seat) -> Awaited {
        Awaited { flow: FlowState::HandPlay, seat }
    }

    pub fn selection(seat: Seat) -> Awaited {
        Awaited { flow: FlowState::Selection, seat }
    }

    pub fn decision(seat: Seat) -> Awaited {
        Awaited { flow: FlowState::Decision, seat }
    }

    /// Who is awaited, or where no round is under way who opens: the next
    /// round, after the match the last one.
    pub fn or_opens(board: &Board, setup: &MatchSetup) -> Awaited {
        let opener = match board.phase {
            Phase::RoundOver => next_dealer(setup.rules(), board),
            _ => board.dealer.unwrap_or(setup.first_dealer),
        };
        Awaited::in_phase(&board.phase).unwrap_or(Awaited::hand_play(opener))
    }

    /// Who is awaited in this phase; nobody where no round is under way.
    pub fn in_phase(phase: &Phase) -> Option<Awaited> {
        match *phase {
            Phase::HandPlay { seat } => Some(Awaited::hand_play(seat)),
            Phase::Selection { seat, .. } => Some(Awaited::selection(seat)),
            Phase::Decision { seat, .. } => Some(Awaited::decision(seat)),
            Phase::Unopened | Phase::RoundOver | Phase::Finished => None,
        }
    }
}

/// Where the match stands; what a flow state cannot say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "Stage")]
pub(super) enum StageTold {
    Unopened,
    Playing,
    RoundOver,
    Finished,
}

impl StageTold {
    pub fn of(phase: &Phase) -> StageTold {
        match phase {
            Phase::Unopened => StageTold::Unopened,
            Phase::RoundOver => StageTold::RoundOver,
            Phase::Finished => StageTold::Finished,
            Phase::HandPlay { .. } | Phase::Selection { .. } | Phase::Decision { .. } => {
                StageTold::Playing
            }
        }
    }
}

/// Which of these it is, where the flow state is the next or the last one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum SnapshotPhase {
    Playing,
    RoundOver,
    Finished,
}

impl SnapshotPhase {
    pub fn of(phase: &Phase) -> SnapshotPhase {
        match StageTold::of(phase) {
            StageTold::Unopened | StageTold::Playing => SnapshotPhase::Playing,
            StageTold::RoundOver => SnapshotPhase::RoundOver,
            StageTold::Finished => SnapshotPhase::Finished,
        }
    }
}

/// Why a deal ended its round; the contracts know two reasons.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum InstantReason {
    Teshi,
    FieldKuttsuki,
}

/// What the contracts' reason leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum InstantDetail {
    FourPairs,
}

impl InstantReason {
    pub fn of(deal: SpecialDeal) -> (InstantReason, Option<InstantDetail>) {
        match deal {
            SpecialDeal::Teshi => (InstantReason::Teshi, None),
            SpecialDeal::FourPairs => (InstantReason::Teshi, Some(InstantDetail::FourPairs)),
            SpecialDeal::FieldKuttsuki => (InstantReason::FieldKuttsuki, None),
        }
    }
}

/// The cards that made a deal special, face up for everyone.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Shown {
    hands: [HandShown; 2],
    field: Vec<Card>,
}

/// Cards of a hand that everyone, or this viewer, may see.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HandShown {
    player_id: &'static str,
    cards: Vec<Card>,
}

impl Shown {
    pub fn of(ended: &RoundEndedInstantly) -> Shown {
        let hands = SEATS.map(|seat| HandShown::of(seat, ended.hands[at(seat)]));
        Shown { hands, field: ended.field.iter().collect() }
    }
}

impl HandShown {
    fn of(seat: Seat, cards: CardSet) -> HandShown {
        HandShown { player_id: seat.id(), cards: cards.iter().collect() }
    }
}

/// Both hands, for a viewer who sees all.
pub(super) fn open_hands(knowledge: &Knowledge) -> Option<[HandShown; 2]> {
    match knowledge.hands {
        [Hand::Open(first), Hand::Open(second)] if knowledge.viewer.sees_all() => {
            Some([HandShown::of(Seat(0), first), HandShown::of(Seat(1), second)])
        }
        _ => None,
    }
}

/// What a player decided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Decision {
    KoiKoi,
    EndRound,
}

/// The house rules that both rulesets give in the same words.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HouseRules {
    /// The match ends after this many rounds; 0: no such limit.
    total_rounds: u16,
    /// The match ends when a total reaches this; 0: no such limit.
    target_score: u32,
    /// The factor of a koi-koi call.
    koi_koi_multiplier: u32,
    /// Seven points and more count twice.
    seven_point_double: bool,
    /// Whose calls multiply.
    koi_factor: KoiFactor,
    /// How often a player may call in a round; null: as often as they like.
    koi_limit: Option<u8>,
    sake_cup_is_also_plain: bool,
    exhausted_after_koi: ExhaustedAfterKoi,
    next_dealer: NextDealer,
    first_dealer: FirstDealer,
    /// Seconds a player may think; 0: no clock.
    turn_seconds: u32,
}

impl HouseRules {
    pub fn of(rules: &Rules) -> HouseRules {
        HouseRules {
            total_rounds: rules.rounds.unwrap_or(0),
            target_score: rules.target.unwrap_or(0),
            koi_koi_multiplier: rules.koi_koi_multiplier,
            seven_point_double: rules.seven_point_double,
            koi_factor: rules.koi_factor,
            koi_limit: rules.koi_limit,
            sake_cup_is_also_plain: rules.sake_cup_is_also_plain,
            exhausted_after_koi: rules.exhausted_after_koi,
            next_dealer: rules.next_dealer,
            first_dealer: rules.first_dealer,
            turn_seconds: rules.turn_seconds,
        }
    }
}

/// The koi factor this seat would score with if it won now.
pub(super) fn koi_if_won(rules: &Rules, calls: [u8; 2], seat: Seat) -> u32 {
    koi_factor(rules, calls[at(seat)].into(), calls[at(opponent(seat))].into())
}

/// The factor that a player's own calls put on the round.
pub(super) fn koi_put(rules: &Rules, calls: u8) -> u32 {
    match rules.koi_factor {
        KoiFactor::OpponentCalled => koi_factor(rules, 0, calls.into()),
        KoiFactor::WinnerOwn | KoiFactor::AnyCalled => koi_factor(rules, calls.into(), 0),
    }
}

/// The cards of a hand as far as they are known, and how many there are.
pub(super) fn hand_told(hand: &Hand) -> (Vec<Card>, u8) {
    match *hand {
        Hand::Open(cards) => (cards.iter().collect(), cards.len() as u8),
        Hand::Closed { count } => (Vec::new(), count),
    }
}

/// The seat a viewer sits in, as an id.
pub(super) fn viewer_id(viewer: Viewer) -> Option<&'static str> {
    viewer.seat().map(Seat::id)
}

/// How the match is set up; before it is opened, in a way that promises
/// nothing: the default rules and nobody seated.
pub(super) fn setup_of(knowledge: &Knowledge, moment: &Moment) -> MatchSetup {
    let nothing = || MatchSetup {
        setup: Arc::new(Setup {
            game_id: moment.game_id.to_owned(),
            rules: Rules::protocol(),
            seats: Default::default(),
            commitment: String::new(),
        }),
        first_dealer: Seat(0),
    };
    knowledge.table.as_deref().cloned().unwrap_or_else(nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(koi_factor: KoiFactor) -> Rules {
        Rules { koi_factor, koi_koi_multiplier: 3, ..Rules::protocol() }
    }

    #[test]
    fn a_player_would_score_with_the_factor_of_the_rules() {
        for (koi_factor, calls, factors) in [
            (KoiFactor::OpponentCalled, [0, 0], [1, 1]),
            (KoiFactor::OpponentCalled, [2, 0], [1, 3]),
            (KoiFactor::WinnerOwn, [2, 1], [3, 2]),
            (KoiFactor::AnyCalled, [0, 1], [3, 3]),
        ] {
            let rules = rules(koi_factor);
            assert_eq!(SEATS.map(|seat| koi_if_won(&rules, calls, seat)), factors);
        }
    }

    #[test]
    fn a_players_calls_put_a_factor_on_the_round() {
        for (koi_factor, factors) in [
            (KoiFactor::OpponentCalled, [1, 3, 3]),
            (KoiFactor::WinnerOwn, [1, 2, 3]),
            (KoiFactor::AnyCalled, [1, 3, 3]),
        ] {
            assert_eq!([0, 1, 2].map(|calls| koi_put(&rules(koi_factor), calls)), factors);
        }
    }
}
