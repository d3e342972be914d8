//! Deals that end their round before its first play.

mod common;

use common::{P1, P2, Table, deck, set};
use parlor_koikoi::{Phase, RoundResult, Rules, SpecialDeal};

fn instant(table: &Table) -> parlor_koikoi::RoundEndedInstantly {
    match table.board().result {
        Some(RoundResult::Instant(instant)) => instant,
        other => panic!("the deal ends the round, not {other:?}"),
    }
}

fn teshi(rules: Rules) -> Table {
    Table::dealt(rules, &[deck("0111 0131 0141 0142", "", "", "")])
}

fn field_quad(rules: Rules) -> Table {
    Table::dealt(rules, &[deck("", "", "0111 0131 0141 0142", "")])
}

fn four_pairs(rules: Rules) -> Table {
    Table::dealt(rules, &[deck("", "0111 0131 0221 0231 0311 0331 0421 0431", "", "")])
}

#[test]
fn teshi_wins_six_at_once_without_any_factor() {
    let table = teshi(Rules::protocol());
    let instant = instant(&table);
    assert_eq!((instant.reason, instant.winner), (SpecialDeal::Teshi, Some(P1)));
    assert_eq!((instant.points, instant.totals), (6, [6, 0]));
    assert_eq!(instant.hands[0], set("0111 0131 0141 0142"), "the cause is shown, no more");
    assert_eq!(table.board().phase, Phase::RoundOver);
}

#[test]
fn teshi_in_the_last_round_ends_the_match_with_the_deal() {
    let table = teshi(Rules { rounds: Some(1), ..Rules::protocol() });
    let names: Vec<_> = table.events.iter().map(parlor_kernel::event_type).collect();
    assert_eq!(names, ["GameStarted", "RoundDealt", "RoundEndedInstantly", "GameFinished"]);
}

#[test]
fn special_deals_end_later_rounds_too() {
    let deck = deck("0111 0131 0141 0142", "", "", "");
    let mut table = Table::dealt(Rules::protocol(), &[deck.clone(), deck]);
    assert_eq!(table.proceed(), ["RoundDealt", "RoundEndedInstantly"]);
    assert_eq!(table.board().totals, [12, 0]);
}

#[test]
fn two_special_hands_score_for_nobody() {
    let deck = deck("0111 0131 0141 0142", "0221 0231 0241 0242", "", "");
    let instant = instant(&Table::dealt(Rules::protocol(), &[deck]));
    assert_eq!((instant.winner, instant.points, instant.totals), (None, 0, [0, 0]));
    assert!(instant.hands.iter().all(|cards| cards.len() == 4), "both causes are shown");
}

#[test]
fn a_teshi_and_four_pairs_cancel_each_other() {
    let pairs = "0221 0231 0311 0331 0421 0431 0521 0531";
    let deck = deck("0111 0131 0141 0142", pairs, "", "");
    let rules = Rules { four_pairs: true, ..Rules::protocol() };
    let cancelled = instant(&Table::dealt(rules.clone(), std::slice::from_ref(&deck)));
    assert_eq!((cancelled.reason, cancelled.winner), (SpecialDeal::Teshi, None));
    assert_eq!((cancelled.points, cancelled.totals), (0, [0, 0]));
    assert_eq!(cancelled.hands.map(|cards| cards.len()), [4, 8], "both causes are shown");
    // Where four pairs are not played they cancel nothing.
    let plain = instant(&Table::dealt(Rules::protocol(), std::slice::from_ref(&deck)));
    assert_eq!((plain.winner, plain.hands[1].len()), (Some(P1), 0));
    // Logs from before the rule do not have it.
    let old = instant(&Table::dealt(Rules { special_hands_cancel: false, ..rules }, &[deck]));
    assert_eq!((old.winner, old.totals, old.hands[1].len()), (Some(P1), [6, 0], 0));
}

#[test]
fn rules_written_before_special_hands_cancelled_read_and_write_as_they_were() {
    let mut written = serde_json::to_value(Rules::protocol()).unwrap();
    assert_eq!(written["special_hands_cancel"], true);
    written.as_object_mut().unwrap().remove("special_hands_cancel");
    let old: Rules = serde_json::from_value(written.clone()).unwrap();
    assert!(!old.special_hands_cancel);
    assert_eq!(serde_json::to_value(old).unwrap(), written);
}

#[test]
fn four_pairs_are_an_option() {
    assert_eq!(four_pairs(Rules::protocol()).board().result, None);
    let instant = instant(&four_pairs(Rules { four_pairs: true, ..Rules::protocol() }));
    assert_eq!((instant.reason, instant.winner), (SpecialDeal::FourPairs, Some(P2)));
    assert_eq!((instant.totals, instant.hands[1].len()), ([0, 6], 8));
}

#[test]
fn a_quad_on_the_field_scores_for_nobody_and_counts_as_a_round() {
    let table = field_quad(Rules::protocol());
    let instant = instant(&table);
    assert_eq!((instant.reason, instant.winner), (SpecialDeal::FieldKuttsuki, None));
    assert_eq!(instant.field, set("0111 0131 0141 0142"));
    assert_eq!(table.board().rounds_played, 1);
}

#[test]
fn a_hand_counts_before_the_field() {
    let deck = deck("0111 0131 0141 0142", "", "0221 0231 0241 0242", "");
    assert_eq!(instant(&Table::dealt(Rules::protocol(), &[deck])).reason, SpecialDeal::Teshi);
}

#[test]
fn special_deals_can_be_switched_off() {
    let off = Rules { teshi: false, field_kuttsuki: false, ..Rules::protocol() };
    assert_eq!(teshi(off.clone()).board().result, None);
    assert_eq!(field_quad(off).board().result, None);
}

#[test]
fn the_deal_passes_after_a_scoreless_round() {
    let mut table = field_quad(Rules::protocol());
    assert_eq!(table.board().dealer, Some(P1));
    table.proceed();
    assert_eq!(table.board().dealer, Some(P2));
}

#[test]
fn equal_totals_have_no_winner() {
    let table = field_quad(Rules { rounds: Some(1), ..Rules::protocol() });
    assert_eq!(table.board().finished.as_ref().map(|finished| finished.winner), Some(None));
}
