//! Every refusal, provoked: its code and its precise reason.

use parlor_binokel::{Action, CardSet, Rules, Special, Suit};
use parlor_kernel::{Order, Seat};

use crate::common::{P1, P2, P3, Table, announce, bid, go_out, play, trump};

const INVALID: &str = "INVALID_MOVE";
const TURN: &str = "NOT_YOUR_TURN";

fn at_bidding() -> Table {
    Table::dealt(Rules::contract(), &["herz-ass-0 herz-ass-1", "", ""])
}

fn at_dabb() -> Table {
    let mut table = at_bidding();
    table.bid_alone(150);
    table
}

fn at_laying_away() -> Table {
    let mut table = at_dabb();
    table.act(P1, Action::TakeDabb);
    table
}

fn at_trump() -> Table {
    let mut table = at_laying_away();
    let cards = table.hand(P1).iter().take(4).collect();
    table.act(P1, Action::Discard { cards });
    table
}

fn at_melding() -> Table {
    let mut table = at_trump();
    table.act(P1, trump(Suit::Herz));
    table
}

fn at_tricks() -> Table {
    let mut table = at_melding();
    table.meld_all();
    table
}

/// Every command, in a form that would be fine at its time.
fn commands() -> Vec<(Action, &'static str)> {
    vec![
        (bid(150), "NOT_IN_BIDDING_PHASE"),
        (Action::Pass, "NOT_IN_BIDDING_PHASE"),
        (Action::TakeDabb, "NOT_IN_DABB_PHASE"),
        (Action::Discard { cards: CardSet::EMPTY }, "NOT_IN_DABB_PHASE"),
        (go_out(Suit::Herz), "NOT_IN_DABB_PHASE"),
        (trump(Suit::Herz), "NOT_IN_TRUMP_PHASE"),
        (announce(Special::Durch), "NOT_IN_TRUMP_PHASE"),
        (Action::DeclareMelds, "NOT_IN_MELDING_PHASE"),
        (play("herz-ass-0"), "NOT_IN_TRICKS_PHASE"),
    ]
}

#[test]
fn out_of_its_phase_a_command_is_told_so() {
    let tables = [
        ("BIDDING", at_bidding()),
        ("DABB", at_dabb()),
        ("DABB", at_laying_away()),
        ("TRUMP", at_trump()),
        ("MELDING", at_melding()),
        ("TRICKS", at_tricks()),
    ];
    for (phase, table) in &tables {
        for (command, reason) in commands() {
            if *reason == format!("NOT_IN_{phase}_PHASE") {
                continue;
            }
            let out = matches!(command, Action::GoOut { .. });
            let code = if out { "GOOUT_FAILED" } else { INVALID };
            for seat in [P1, P2, P3] {
                assert_eq!(table.refused(seat, command), (code, reason), "{phase} {command:?}");
            }
        }
    }
}

#[test]
fn out_of_turn_a_command_is_told_so() {
    for command in [bid(150), Action::Pass] {
        assert_eq!(at_bidding().refused(P2, command), (TURN, "NOT_YOUR_TURN"));
    }
    assert_eq!(at_tricks().refused(P2, play("herz-ass-0")), (TURN, "NOT_YOUR_TURN"));
}

#[test]
fn what_only_the_winner_of_the_bidding_may_do_is_told_so() {
    assert_eq!(at_dabb().refused(P2, Action::TakeDabb), (TURN, "ONLY_BID_WINNER"));
    let cards = at_laying_away().hand(P2).iter().take(4).collect();
    let laying = at_laying_away();
    assert_eq!(laying.refused(P2, Action::Discard { cards }), (TURN, "ONLY_BID_WINNER"));
    assert_eq!(laying.refused(P3, go_out(Suit::Herz)), ("GOOUT_FAILED", "ONLY_BID_WINNER"));
    assert_eq!(at_trump().refused(P2, trump(Suit::Herz)), (TURN, "ONLY_BID_WINNER"));
}

#[test]
fn bids_that_are_no_bids() {
    for amount in [0, 140, 155, 10_010, u16::MAX] {
        assert_eq!(at_bidding().refused(P1, bid(amount)), (INVALID, "INVALID_BID_AMOUNT"));
    }
}

#[test]
fn the_dabb_is_taken_first_and_once() {
    let cards = at_dabb().hand(P1).iter().take(4).collect();
    let discard = Action::Discard { cards };
    assert_eq!(at_dabb().refused(P1, discard), (INVALID, "MUST_TAKE_DABB_FIRST"));
    assert_eq!(at_laying_away().refused(P1, Action::TakeDabb), (INVALID, "DABB_ALREADY_TAKEN"));
}

#[test]
fn what_is_laid_away_is_so_many_different_cards_of_the_hand() {
    let table = at_laying_away();
    for count in [0, 1, 3, 5, 16] {
        let cards = table.hand(P1).iter().take(count).collect();
        let discard = Action::Discard { cards };
        assert_eq!(table.refused(P1, discard), (INVALID, "MUST_DISCARD_EXACT_COUNT"));
    }
    let foreign = table.hand(P2).iter().take(4).collect();
    let foreign = Action::Discard { cards: foreign };
    assert_eq!(table.refused(P1, foreign), (INVALID, "CARD_NOT_IN_HAND"));
}

#[test]
fn cards_that_cannot_be_played() {
    let mut table = at_tricks();
    let foreign = table.hand(P2).first().expect("it has cards");
    let foreign = Action::PlayCard { card: foreign };
    assert_eq!(table.refused(P1, foreign), (INVALID, "CARD_NOT_IN_HAND"));
    table.act(P1, play("herz-ass-0"));
    assert_eq!(table.refused(P1, play("herz-ass-0")), (TURN, "NOT_YOUR_TURN"));
    let rules = Rules::contract();
    let legal = table.board().legal(P2, table.hand(P2), &rules);
    let card = table.hand(P2).without(legal).first().expect("it must follow or trump");
    assert_eq!(table.refused(P2, Action::PlayCard { card }), (INVALID, "INVALID_PLAY"));
}

#[test]
fn after_the_game_nothing_is_taken() {
    let mut table = at_bidding();
    table.order(Order::CallOff { reason: "over".to_owned() });
    assert_eq!(table.refused(P1, Action::Exit), (INVALID, "NOT_IN_ACTIVE_PHASE"));
    for (command, reason) in commands() {
        assert_eq!(table.refused(P1, command).1, reason);
    }
}

#[test]
fn a_seat_nobody_sits_in_can_do_nothing() {
    for table in [at_bidding(), at_laying_away(), at_melding(), at_tricks()] {
        for (command, _) in commands() {
            for seat in [3, 4, 7, 255].map(Seat) {
                table.refused(seat, command);
                table.refused(seat, Action::Exit);
            }
        }
    }
}
