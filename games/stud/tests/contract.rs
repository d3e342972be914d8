//! The contract's test points (section 7), by name, and what its sections 2
//! to 6 say of each event.

mod common;

use common::{Table, cards};
use parlor_kernel::Seat;
use parlor_stud::{Action, Rules, Stacks, Street};

const P1: Seat = Seat(0);
const P2: Seat = Seat(1);
const P3: Seat = Seat(2);

/// Three seats; the second is low on third street, and the first shows best
/// on every later one.
fn three_seats(stacks: [u32; 3]) -> Table {
    let rules =
        Rules { stacks: Stacks::BySeat(stacks.to_vec()), deals: Some(1), ..Rules::stud_hi() };
    Table::dealt(rules, &[cards("2d3dAs 2h3h2c 2s3sKd AhQcKc AdJdTd 4h5h6h 7h8h9h")])
}

#[test]
fn from_fourth_street_on_all_checks_end_the_street() {
    let mut table = three_seats([500; 3]);
    table.play(&[Action::BringIn, Action::Call, Action::Call]);
    assert_eq!(table.board().street, Some(Street::Fourth));
    table.play(&[Action::Check, Action::Check]);
    assert_eq!(table.board().checks_this_street, 2);
    assert_eq!(table.play(&[Action::Check]), ["CHECK", "STREET_ADVANCE", "DEAL_CARD_5TH"]);
    let last_check = table.events_told.iter().rposition(|told| told.starts_with("CHECK"));
    assert_eq!(table.counters[last_check.unwrap()], "45 0 0 0 3 -", "as many checks as are in");
    assert_eq!(table.board().checks_this_street, 0);
}

#[test]
fn bet_raise_complete_and_bring_in_set_pending_to_active_minus_one_and_checks_to_zero() {
    let mut table = three_seats([500; 3]);
    let attacked = |table: &Table| {
        let board = table.board();
        assert_eq!((board.pending_response_count, board.checks_this_street), (2, 0));
    };
    table.play(&[Action::BringIn]);
    attacked(&table);
    table.play(&[Action::Complete]);
    attacked(&table);
    table.play(&[Action::Raise]);
    attacked(&table);
    table.play(&[Action::Call, Action::Call, Action::Check, Action::Bet]);
    attacked(&table);
}

#[test]
fn call_and_fold_lower_pending_and_zero_ends_the_street() {
    let mut table = three_seats([500; 3]);
    table.play(&[Action::BringIn, Action::Complete]);
    assert_eq!(table.board().pending_response_count, 2);
    assert_eq!(table.play(&[Action::Call]), ["CALL"]);
    assert_eq!(table.board().pending_response_count, 1);
    assert_eq!(table.play(&[Action::Fold]), ["FOLD", "STREET_ADVANCE", "DEAL_CARD_4TH"]);
}

#[test]
fn nobody_checks_on_third_street() {
    let mut table = three_seats([500; 3]);
    assert_eq!(table.legal(), ["BRING_IN", "COMPLETE"]);
    let (code, sentence) = table.refused(P2, Action::Check);
    assert_eq!(code, "ILLEGAL_ACTION");
    assert!(sentence.contains("bring it in for 10"), "{sentence}");
    table.play(&[Action::BringIn]);
    assert_eq!(table.refused(P3, Action::Check).0, "ILLEGAL_ACTION");
}

#[test]
fn a_bring_in_called_round_gives_its_seat_no_option() {
    let mut table = three_seats([500; 3]);
    table.play(&[Action::BringIn, Action::Call]);
    assert_eq!(table.play(&[Action::Call]), ["CALL", "STREET_ADVANCE", "DEAL_CARD_4TH"]);
}

#[test]
fn only_a_seat_without_chips_in_this_street_completes() {
    let mut table = three_seats([500; 3]);
    table.play(&[Action::BringIn, Action::Call, Action::Complete]);
    assert_eq!(table.board().actor, Some(P2));
    assert_eq!(table.legal(), ["CALL", "FOLD", "RAISE"], "completed: now it is raised");
    assert_eq!(table.refused(P2, Action::Complete).0, "ILLEGAL_ACTION");
}

#[test]
fn the_last_fold_ends_the_deal_before_the_street() {
    let mut table = three_seats([500; 3]);
    table.play(&[Action::BringIn, Action::Fold]);
    assert_eq!(table.play(&[Action::Fold])[..2], ["FOLD", "DEAL_END"]);
    assert_eq!(table.end().seat, Some(P2));
    assert!(table.end().shown.is_empty(), "an uncontested winner shows nothing");
    assert_eq!(table.stacks(), [495, 510, 495]);
}

#[test]
fn seventh_street_ends_with_the_deal_and_no_street_advance() {
    let mut table = three_seats([500; 3]);
    table.play(&[Action::BringIn, Action::Call, Action::Call]);
    let names = table.play(&[Action::Check; 12]);
    assert_eq!(names.iter().filter(|name| **name == "STREET_ADVANCE").count(), 3);
    assert_eq!(names[names.len() - 2..], ["DEAL_END", "GAME_FINISHED"]);
    assert_eq!(table.end().seat, None);
}

#[test]
fn a_street_advance_resets_the_streets_counters() {
    let mut table = three_seats([500; 3]);
    table.play(&[Action::BringIn, Action::Complete, Action::Raise, Action::Call, Action::Call]);
    let board = table.board();
    assert_eq!((board.current_bet, board.raise_count, board.pending_response_count), (0, 0, 0));
    assert!(board.actions_this_street.is_empty());
    assert!(board.players.iter().all(|player| player.committed_this_street == 0));
    assert_eq!(board.players[0].committed_total, 45);
}

#[test]
fn amount_is_nominal_and_paid_is_what_left_the_stack() {
    let mut table = three_seats([500; 3]);
    table.play(&[Action::BringIn, Action::Complete, Action::Raise]);
    assert!(table.events_told.ends_with(&[
        "BRING_IN 1 3rd 10 10".to_owned(),
        "COMPLETE 2 3rd 10 20".to_owned(),
        "RAISE 0 3rd 20 40".to_owned(),
    ]));
}

#[test]
fn the_cap_is_four_raises_also_heads_up() {
    let mut table = three_seats([500; 3]);
    table.play(&[Action::BringIn, Action::Complete]);
    table.play(&[Action::Raise; 4]);
    assert_eq!(table.legal(), ["CALL", "FOLD"]);
    let (_, sentence) = table.refused(table.board().actor.unwrap(), Action::Raise);
    assert_eq!(sentence, "the betting is capped at 4 raises");
}

#[test]
fn an_all_in_of_less_than_half_a_bet_only_lifts_the_price() {
    // p3 has 29 left on fourth street: 9 above the bet of 20.
    let mut table = three_seats([500, 500, 44]);
    table.play(&[Action::BringIn, Action::Call, Action::Call]);
    table.play(&[Action::Bet, Action::Call, Action::Raise]);
    let board = table.board();
    assert_eq!((board.current_bet, board.raise_count, board.full_bet), (29, 0, 20));
    assert_eq!(table.legal(), ["CALL", "FOLD"], "whoever bet may not raise");
    table.play(&[Action::Call]);
    assert_eq!(table.legal(), ["CALL", "FOLD"], "nor whoever called");
    let (_, sentence) = table.refused(P2, Action::Raise);
    assert!(sentence.contains("nobody has made a full raise since"), "{sentence}");
}

#[test]
fn an_all_in_of_half_a_bet_counts_as_a_full_raise() {
    // p3 has 30 left on fourth street: 10 above the bet of 20.
    let mut table = three_seats([500, 500, 45]);
    table.play(&[Action::BringIn, Action::Call, Action::Call]);
    table.play(&[Action::Bet, Action::Call, Action::Raise]);
    let board = table.board();
    assert_eq!((board.current_bet, board.raise_count, board.full_bet), (30, 1, 30));
    assert_eq!(table.legal(), ["CALL", "FOLD", "RAISE"], "it reopens the betting");
    assert_eq!(board.legal(4)[2].paid, 30, "to 50, one bet above the all-in");
}

#[test]
fn a_short_bet_is_raised_to_a_full_one_also_by_whoever_checked() {
    // p2 has 8 left on fourth street, less than half of 20.
    let mut table = three_seats([500, 23, 500]);
    table.play(&[Action::BringIn, Action::Call, Action::Call]);
    table.play(&[Action::Check, Action::Bet]);
    let board = table.board();
    assert_eq!((board.current_bet, board.full_bet), (8, 0));
    assert_eq!(table.legal(), ["CALL", "FOLD", "RAISE"]);
    assert_eq!(board.legal(4)[2].paid, 20, "to the full bet");
    table.play(&[Action::Call]);
    assert_eq!(table.board().actor, Some(P1));
    assert_eq!(table.legal(), ["CALL", "FOLD", "RAISE"], "a check is no answer to the bet");
}

#[test]
fn nobody_raises_where_nobody_could_call_more() {
    // p2 and p3 are all in; p1 is alone with chips.
    let mut table = three_seats([500, 45, 45]);
    table.play(&[Action::BringIn, Action::Complete, Action::Call, Action::Raise, Action::Call]);
    assert_eq!(table.board().actor, Some(P1));
    assert_eq!(table.legal(), ["CALL", "FOLD"]);
    let (_, sentence) = table.refused(P1, Action::Raise);
    assert_eq!(sentence, "nobody could call more: call or fold");
}

#[test]
fn a_bring_in_posted_short_keeps_its_price() {
    let mut table = three_seats([500, 9, 500]);
    table.play(&[Action::BringIn]);
    let board = table.board();
    assert_eq!((board.player(P2).stack, board.current_bet), (0, 10));
    assert_eq!(board.pending_response_count, 2);
    assert_eq!(table.legal(), ["CALL", "FOLD", "COMPLETE"]);
}

#[test]
fn a_short_bring_in_leaves_the_price() {
    let mut table = three_seats([500, 9, 500]);
    table.play(&[Action::BringIn]);
    assert_eq!(table.events_told.last().unwrap(), "BRING_IN 1 3rd 10 4");
    assert_eq!((table.board().current_bet, table.board().full_bet), (10, 0));
    assert_eq!(table.legal(), ["CALL", "FOLD", "COMPLETE"]);
}

#[test]
fn the_seat_left_of_an_all_in_low_card_opens_and_may_fold() {
    let mut table = three_seats([500, 5, 500]);
    assert_eq!(table.board().bring_in, Some(P2));
    assert_eq!(table.board().actor, Some(P3));
    assert_eq!(table.legal(), ["BRING_IN", "COMPLETE", "FOLD"]);
    // With one seat left that could bet, nobody is asked: the cards run out.
    let names = table.play(&[Action::Fold]);
    assert_eq!(names[..2], ["FOLD", "STREET_ADVANCE"]);
    assert_eq!(names[names.len() - 2..], ["DEAL_END", "GAME_FINISHED"]);
}

#[test]
fn a_first_actor_without_chips_passes_to_the_left() {
    let mut table = three_seats([15, 500, 500]);
    table.play(&[Action::BringIn, Action::Call, Action::Call]);
    assert_eq!(table.board().player(P1).stack, 0);
    assert_eq!(table.board().actor, Some(P2), "p1 shows aces and is all in");
}

#[test]
fn out_of_turn_and_between_deals_nothing_is_taken() {
    let mut table = three_seats([500; 3]);
    assert_eq!(table.refused(P1, Action::Call).0, "NOT_YOUR_TURN");
    assert_eq!(table.refused(P2, Action::Call).1, "there is nothing to call: nobody has bet");
    assert_eq!(table.refused(P2, Action::Fold).1, "the bring-in is yours: bring it in or complete");
    table.play(&[Action::BringIn, Action::Fold, Action::Fold]);
    assert_eq!(table.refused(P1, Action::Check).0, "GAME_OVER");
}
