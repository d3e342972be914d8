//! Cases worked out by hand and by other implementations.

use std::collections::{BTreeMap, BTreeSet};

use parlor_binokel::{
    Account, CardSet, LAST_TRICK, MeldKind, Rules, SideScore, Suit, Trick, melded, melds, to_tens,
};
use parlor_kernel::{Game, Seat, Viewer};
use serde::Deserialize;

use crate::common::{Table, cards, deck, set};

#[derive(Deserialize)]
struct Cases {
    melds: Vec<MeldsCase>,
    trick: Vec<TrickCase>,
    points: Vec<PointsCase>,
    plays: Vec<PlaysCase>,
    rounding: Vec<(u16, u16)>,
    scoring: Vec<ScoringCase>,
    laid_away: Vec<LaidAwayCase>,
}

#[derive(Deserialize)]
struct MeldsCase {
    name: String,
    hand: String,
    trump: Suit,
    melds: Vec<MeldCase>,
    total: u16,
}

#[derive(Deserialize)]
struct MeldCase {
    r#type: MeldKind,
    suit: Option<Suit>,
    points: u16,
    cards: String,
}

#[derive(Deserialize)]
struct TrickCase {
    name: String,
    cards: String,
    trump: Suit,
    winner: usize,
}

#[derive(Deserialize)]
struct PointsCase {
    cards: String,
    points: u16,
}

#[derive(Deserialize)]
struct PlaysCase {
    name: String,
    hand: String,
    trick: String,
    trump: Suit,
    partner_winning: bool,
    legal: String,
}

#[derive(Deserialize)]
struct ScoringCase {
    name: String,
    players: u8,
    declarer: Seat,
    bid: u16,
    melds: Vec<u16>,
    tricks: Vec<Vec<String>>,
    laid_away: String,
    last_trick: usize,
    scores: BTreeMap<usize, SideScore>,
}

#[derive(Deserialize)]
struct LaidAwayCase {
    name: String,
    declarer: Seat,
    cards: String,
    viewer: Seat,
    trump: Suit,
    shown: String,
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("../data/cases.json")).expect("the cases can be read")
}

#[test]
fn hands_meld_what_they_should() {
    let rules = Rules::classic();
    for case in cases().melds {
        let hand = set(&case.hand);
        let found: BTreeSet<_> = melds(hand, case.trump, &rules)
            .iter()
            .map(|meld| (meld.kind, meld.suit, meld.points, format!("{:?}", meld.cards)))
            .collect();
        let wanted: BTreeSet<_> = case
            .melds
            .iter()
            .map(|meld| (meld.r#type, meld.suit, meld.points, format!("{:?}", set(&meld.cards))))
            .collect();
        assert_eq!(found, wanted, "{}", case.name);
        assert_eq!(melded(hand, case.trump, &rules).points, case.total, "{}", case.name);
    }
}

#[test]
fn tricks_are_won_by_whom_they_should() {
    for case in cases().trick {
        let trick = Trick::of(&cards(&case.cards), CardSet::of_suit(case.trump));
        assert_eq!(trick.best(), case.winner, "{}", case.name);
    }
}

#[test]
fn cards_count_what_they_should() {
    for case in cases().points {
        assert_eq!(set(&case.cards).points(), case.points, "{}", case.cards);
    }
}

#[test]
fn hands_may_play_what_they_should() {
    for case in cases().plays {
        let trick = Trick::of(&cards(&case.trick), CardSet::of_suit(case.trump));
        let legal =
            trick.legal(set(&case.hand), CardSet::of_suit(case.trump), case.partner_winning);
        assert_eq!(legal, set(&case.legal), "{}", case.name);
    }
}

#[test]
fn points_are_rounded_to_tens() {
    for (points, rounded) in cases().rounding {
        assert_eq!(to_tens(points), rounded, "{points}");
    }
}

#[test]
fn rounds_score_what_they_should() {
    for case in cases().scoring {
        let mut account = Account {
            players: case.players,
            declarer: case.declarer,
            bid: case.bid,
            melds: [0; 4],
            taken: [0; 4],
            tricks: [0; 4],
            laid_away: set(&case.laid_away).points(),
        };
        for (seat, (melds, tricks)) in case.melds.iter().zip(&case.tricks).enumerate() {
            account.melds[seat] = *melds;
            account.tricks[seat] = tricks.len() as u8;
            account.taken[seat] = tricks.iter().map(|trick| set(trick).points()).sum();
        }
        account.taken[case.last_trick] += LAST_TRICK;
        let scores = account.played_out();
        for (side, wanted) in case.scores {
            assert_eq!(scores.get(side), wanted, "{}: side {side}", case.name);
        }
    }
}

#[test]
fn of_cards_laid_away_others_see_what_they_should() {
    for case in cases().laid_away {
        // The cards stand in the declarer's hand; by `classic` trump is named first.
        let rules = Rules::classic();
        let mut hands = ["", "", ""];
        hands[case.declarer.index()] = &case.cards;
        let mut table =
            Table::scripted(rules.clone(), 3, serde_json::json!({ "deck": deck(&rules, &hands) }));
        table.bid_alone(150);
        assert_eq!(table.board().declarer(), Some(case.declarer), "{}", case.name);
        let cards = set(&case.cards);
        for action in [
            parlor_binokel::Action::TakeDabb,
            crate::common::trump(case.trump),
            parlor_binokel::Action::Discard { cards },
        ] {
            table.act(case.declarer, action);
        }
        let event = table.log.events.last().expect("cards were laid away");
        let seen = parlor_binokel::Binokel::see(&table.state, event, Viewer::Seat(case.viewer));
        let Some(parlor_binokel::Seen::CardsDiscarded(seen)) = seen else {
            panic!("{}: {seen:?}", case.name)
        };
        let shown = set(&case.shown);
        assert_eq!(seen.discarded_cards.known, shown, "{}", case.name);
        assert_eq!(u32::from(seen.discarded_cards.unknown), cards.without(shown).len());
    }
}
