//! Who bids, in what order, and who wins.

use parlor_binokel::{Action, Bidding, Binokel, NOBODY_BIDS, Over, Phase, Rules};
use parlor_kernel::{Offered, Seat};

use crate::common::{P1, P2, P3, P4, Table, bid};

fn bidding(order: Bidding) -> Rules {
    Rules { bidding: order, ..Rules::contract() }
}

fn turn(table: &Table) -> Seat {
    match table.board().phase {
        Phase::Bidding { seat } => seat,
        other => panic!("nobody bids in {other:?}"),
    }
}

#[test]
fn the_last_seat_deals_first_so_that_the_host_opens() {
    for players in 2..=4u8 {
        let table = Table::dealt(Rules::contract(), &vec![""; players.into()]);
        assert_eq!(table.board().dealer, Seat(players - 1));
        assert_eq!(turn(&table), P1);
    }
}

#[test]
fn the_deal_moves_on_by_one_each_round() {
    let mut table = Table::dealt(Rules::contract(), &["", "", ""]);
    table.time_out_until_scored(1);
    assert_eq!(table.board().dealer, P1);
    assert_eq!(turn(&table), P2);
}

#[test]
fn in_a_duel_two_bid_until_one_passes_and_the_survivor_meets_the_next() {
    let mut table = Table::dealt(bidding(Bidding::Duel), &["", "", "", ""]);
    for (seat, amount) in [(P1, 150), (P2, 160), (P1, 170), (P2, 200)] {
        assert_eq!(turn(&table), seat);
        assert_eq!(table.act(seat, bid(amount)), ["BID_PLACED"]);
    }
    assert_eq!(table.act(P1, Action::Pass), ["PLAYER_PASSED"]);
    assert_eq!(turn(&table), P3);
    table.act(P3, bid(210));
    assert_eq!(turn(&table), P2, "the survivor answers the challenger");
    table.act(P2, Action::Pass);
    assert_eq!(turn(&table), P4);
    assert_eq!(table.act(P4, Action::Pass), ["PLAYER_PASSED", "BIDDING_WON"]);
    assert_eq!(table.board().highest_bid(), Some((P3, 210)));
    assert_eq!(table.board().declarer(), Some(P3));
}

#[test]
fn around_the_table_each_in_turn_bids_or_is_out() {
    let mut table = Table::dealt(bidding(Bidding::RoundRobin), &["", "", ""]);
    for (seat, amount) in [(P1, 150), (P2, 160), (P3, 170), (P1, 180)] {
        assert_eq!(turn(&table), seat);
        table.act(seat, bid(amount));
    }
    table.act(P2, Action::Pass);
    table.act(P3, bid(190));
    assert_eq!(turn(&table), P1, "who has passed is passed over");
    assert_eq!(table.act(P1, Action::Pass), ["PLAYER_PASSED", "BIDDING_WON"]);
    assert_eq!(table.board().declarer(), Some(P3));
}

#[test]
fn a_bid_may_jump_but_only_by_tens() {
    let mut table = Table::dealt(Rules::contract(), &["", ""]);
    for amount in [0, 10, 140, 155, 151, 10_010, u16::MAX] {
        assert_eq!(table.refused(P1, bid(amount)), ("INVALID_MOVE", "INVALID_BID_AMOUNT"));
    }
    table.act(P1, bid(300));
    for amount in [150, 300, 305] {
        assert_eq!(table.refused(P2, bid(amount)), ("INVALID_MOVE", "INVALID_BID_AMOUNT"));
    }
    table.act(P2, bid(310));
}

#[test]
fn above_the_highest_bid_there_is_only_passing() {
    let mut table = Table::dealt(Rules::contract(), &["", ""]);
    table.act(P1, bid(10_000));
    assert_eq!(table.refused(P2, bid(10_010)).1, "INVALID_BID_AMOUNT");
    table.act(P2, Action::Pass);
}

#[test]
fn the_opener_must_bid_while_no_bid_exists() {
    let table = Table::dealt(Rules::contract(), &["", ""]);
    assert_eq!(table.refused(P1, Action::Pass), ("INVALID_MOVE", "FIRST_BIDDER_MUST_BID"));
}

#[test]
fn where_the_opener_may_pass_and_all_do_the_next_dealer_deals() {
    for order in [Bidding::Duel, Bidding::RoundRobin] {
        let rules = Rules { opener_may_pass: true, ..bidding(order) };
        let mut table = Table::dealt(rules, &["", "", ""]);
        table.act(P1, Action::Pass);
        table.act(P2, Action::Pass);
        let thrown_in = table.act(P3, Action::Pass);
        assert_eq!(thrown_in, ["PLAYER_PASSED", "NEW_ROUND_STARTED", "CARDS_DEALT"]);
        assert_eq!((table.board().round, table.board().dealer), (2, P1));
        assert_eq!(table.board().rounds_played, 0, "nothing was played");
    }
}

#[test]
fn a_game_in_which_nobody_bids_any_more_is_called_off_where_the_house_says_so() {
    let rules = Rules { opener_may_pass: true, thrown_in: 2, ..bidding(Bidding::RoundRobin) };
    let mut table = Table::dealt(rules, &["", ""]);
    table.act(P1, Action::Pass);
    table.act(P2, Action::Pass);
    table.act(P2, Action::Pass);
    assert_eq!(table.act(P1, Action::Pass), ["PLAYER_PASSED", "GAME_TERMINATED"]);
    let Some(Over::Terminated(over)) = &table.board().over else { panic!("it goes on") };
    assert_eq!((over.terminated_by, over.reason.as_str()), (None, NOBODY_BIDS));
}

#[test]
fn bots_alone_play_no_game_without_an_end() {
    let ended = |rules: &Rules| Binokel::ended_after(rules, 1000);
    for preset in Rules::guide().presets {
        assert_eq!(ended(&preset.rules), None, "{} ends by itself", preset.name);
    }
    let passing = Rules { opener_may_pass: true, ..Rules::contract() };
    assert_eq!(ended(&passing), Some(Rules { thrown_in: 1000, ..passing }));
    let dear = Rules { minimum_bid: 1000, ..Rules::contract() };
    assert_eq!(ended(&dear), Some(Rules { rounds: Some(1000), ..dear.clone() }));
    assert_eq!(ended(&Rules { rounds: Some(3), ..dear }), None);
}

#[test]
fn the_last_who_has_not_passed_wins_with_the_first_bid() {
    for order in [Bidding::Duel, Bidding::RoundRobin] {
        let rules = Rules { opener_may_pass: true, ..bidding(order) };
        let mut table = Table::dealt(rules, &["", "", ""]);
        table.act(P1, Action::Pass);
        table.act(P2, Action::Pass);
        assert_eq!(table.act(P3, bid(150)), ["BID_PLACED", "BIDDING_WON"]);
    }
}

#[test]
fn a_pass_is_final() {
    let mut table = Table::dealt(Rules::contract(), &["", "", ""]);
    table.act(P1, bid(150));
    table.act(P2, Action::Pass);
    table.act(P3, bid(160));
    assert_eq!(table.refused(P2, bid(170)), ("NOT_YOUR_TURN", "NOT_YOUR_TURN"));
    table.act(P1, bid(170));
    assert_eq!(turn(&table), P3);
}
