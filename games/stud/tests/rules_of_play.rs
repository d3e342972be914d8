//! Showdowns, matches, clocks and seats, one rule each.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{Table, cards};
use parlor_kernel::laws::opening;
use parlor_kernel::{Awaiting, Game, Hosted, Offered, Order, Seat, Viewer};
use parlor_stud::{Action, Ending, Rules, Stacks, Stud, Variant, VariantChoice};

const P1: Seat = Seat(0);
const P2: Seat = Seat(1);
const P3: Seat = Seat(2);

/// p1 makes aces up, p2 a flush of diamonds, p3 nothing much; p2 is low.
const FLUSH_WINS: &str = "AcAhKs 2d3d4d QsJcTh Kd5dQc 8c9d8s 7h6d5c 2c2hJs";

fn table(rules: Rules, stacks: &[u32], deck: &str) -> Table {
    let rules = Rules { stacks: Stacks::BySeat(stacks.to_vec()), ..rules };
    Table::dealt(rules, &[cards(deck)])
}

fn one_deal() -> Rules {
    Rules { deals: Some(1), ..Rules::stud_hi() }
}

fn to_the_river(table: &mut Table) {
    table.play(&[Action::BringIn, Action::Call, Action::Call]);
    table.play(&[Action::Check; 9]);
}

#[test]
fn the_last_aggressor_on_seventh_shows_first_then_clockwise() {
    let mut table = table(one_deal(), &[500; 3], FLUSH_WINS);
    to_the_river(&mut table);
    let opener = table.board().actor.unwrap();
    table.play(&[Action::Bet, Action::Raise, Action::Call, Action::Call]);
    let aggressor = Seat((opener.0 + 1) % 3);
    let order: Vec<Seat> = table.end().shown.iter().map(|shown| shown.seat).collect();
    assert_eq!(order, [aggressor, Seat((aggressor.0 + 1) % 3), opener]);
}

#[test]
fn after_checks_the_opener_of_seventh_shows_first() {
    let mut table = table(one_deal(), &[500; 3], FLUSH_WINS);
    to_the_river(&mut table);
    let opener = table.board().actor.unwrap();
    table.play(&[Action::Check; 3]);
    assert_eq!(table.end().shown[0].seat, opener);
    assert_eq!(table.end().shown.len(), 3, "everyone still in shows");
}

#[test]
fn a_hand_that_cannot_win_stays_closed_where_the_house_mucks() {
    let rules = Rules { muck: true, ..one_deal() };
    let mut table = table(rules, &[500; 3], FLUSH_WINS);
    to_the_river(&mut table);
    while table.board().actor != Some(P2) {
        table.play(&[Action::Check]);
    }
    table.play(&[Action::Bet]);
    while table.board().actor.is_some() {
        table.play(&[Action::Call]);
    }
    let shown: Vec<Seat> = table.end().shown.iter().map(|shown| shown.seat).collect();
    assert_eq!(shown, [P2], "the flush shows first and beats the rest");
    let dead = format!("\"{}\"", table.state.down[0][0].unwrap());
    for viewer in [Viewer::Seat(P2), Viewer::Public, Viewer::Postmortem] {
        let knowledge = table.knowledge(viewer);
        assert_eq!(knowledge.down[0], [None; 3], "{viewer}");
        assert!(!serde_json::to_string(&knowledge).unwrap().contains(&dead), "{viewer}");
        let finished = knowledge.finished.expect("the match is over");
        assert_eq!(finished.opening, None, "the seed would deal the hand again");
    }
    assert!(table.knowledge(Viewer::Admin).down[0][0].is_some());
}

#[test]
fn the_postmortem_sees_every_card_where_nobody_mucks() {
    let mut table = table(one_deal(), &[500; 3], FLUSH_WINS);
    table.play(&[Action::BringIn, Action::Fold, Action::Fold]);
    let known = table.knowledge(Viewer::Postmortem);
    assert!(known.down.iter().take(3).all(|down| down[0].is_some()));
    assert!(known.stub.is_some());
    let commitment = &table.state.setup().unwrap().commitment;
    let finished = table.state.finished.as_ref().unwrap();
    assert!(finished.opening.as_ref().unwrap().opens(commitment));
    assert!(table.knowledge(Viewer::Public).down.iter().flatten().all(Option::is_none));
}

#[test]
fn where_nobody_can_bet_the_hands_play_on_face_up() {
    let mut table = table(one_deal(), &[25, 25, 25], FLUSH_WINS);
    table.play(&[Action::BringIn, Action::Complete, Action::Call]);
    let names = table.play(&[Action::Call]);
    assert_eq!(
        names,
        [
            "CALL",
            "STREET_ADVANCE",
            "DEAL_CARD_4TH",
            "STREET_ADVANCE",
            "DEAL_CARD_5TH",
            "STREET_ADVANCE",
            "DEAL_CARD_6TH",
            "STREET_ADVANCE",
            "DEAL_CARD_7TH",
            "DEAL_END",
            "GAME_FINISHED"
        ]
    );
    let seen = table.knowledge(Viewer::Public);
    for seat in [P1, P2, P3] {
        assert_eq!(seen.down[seat.index()], table.state.down[seat.index()]);
    }
}

#[test]
fn side_pots_go_to_the_best_hand_that_reached_them() {
    // p2's flush is all in for 25; p1's aces beat p3 for the rest.
    let mut table = table(one_deal(), &[500, 25, 500], FLUSH_WINS);
    table.play(&[Action::BringIn, Action::Complete, Action::Raise, Action::Call, Action::Call]);
    while table.board().actor.is_some() {
        table.play(&[Action::Check]);
    }
    let pots: Vec<u32> = table.end().pots.iter().map(|pot| pot.amount).collect();
    assert_eq!(pots, [75, 40]);
    assert_eq!(table.stacks(), [495, 75, 455]);
    assert_eq!(table.end().change.as_slice(), [-5, 50, -45]);
}

#[test]
fn a_layer_only_one_seat_reached_returns_to_it() {
    // p2 is all in for 20 when p1 has put in 25.
    let mut table = table(one_deal(), &[500, 20], "AcAhKs 2d3d4d Kd5d 8c9d 7h6d 2c2h");
    table.play(&[Action::BringIn, Action::Complete, Action::Call]);
    let pots: Vec<(u32, u32)> =
        table.end().pots.iter().map(|pot| (pot.amount, pot.seats.len())).collect();
    assert_eq!(pots, [(40, 2), (5, 1)]);
}

#[test]
fn the_odd_chip_of_the_halving_goes_to_the_high() {
    // p1 makes trips, p2 a low, p3 folds its ante: 15 + 20 chips and one more.
    let rules = Rules {
        variant: VariantChoice::Stud8,
        stakes: parlor_stud::Stakes { ante: 5, bring_in: 10, small_bet: 20, big_bet: 40 },
        ..one_deal()
    };
    let deck = "KcKhKs As2d3d QsJcTh 9d4d 9h6h 8c8d TcTd";
    let mut table = table(rules, &[500; 3], deck);
    table.play(&[Action::BringIn, Action::Fold, Action::Call]);
    while table.board().actor.is_some() {
        table.play(&[Action::Check]);
    }
    let end = table.end();
    assert_eq!(end.pots[0].amount, 35);
    assert_eq!(table.stacks(), [500 - 15 + 18, 500 - 15 + 17, 495]);
}

#[test]
fn a_mixed_match_changes_its_variant_after_so_many_deals() {
    let rules = Rules { rotation_deals: 2, deals: Some(7), ..Rules::mixed() };
    let mut table = Table::seated(rules, 2, &[]);
    let mut played = Vec::new();
    loop {
        played.push(table.board().variant);
        table.play(&[Action::BringIn, Action::Fold]);
        if table.proceed().is_empty() {
            break;
        }
    }
    let [hi, razz, eight] = Variant::ALL;
    assert_eq!(played, [hi, hi, razz, razz, eight, eight, hi]);
    assert_eq!(table.state.finished.as_ref().unwrap().reason, Ending::DealsPlayed);
}

#[test]
fn between_deals_the_house_goes_on_by_itself() {
    let mut table = Table::seated(Rules::stud_hi(), 2, &[]);
    table.play(&[Action::BringIn, Action::Fold]);
    assert_eq!(Stud::awaiting(&table.state), Awaiting::House { kind: "NEXT_DEAL" });
    assert!(table.board().deal_finished());
    assert!(table.state.last_deal.is_some(), "people can see how it ended");
    assert_eq!(table.proceed()[..2], ["DEAL_STARTED", "DEAL_INIT"]);
    assert_eq!(Stud::score(&table.state).rounds, 1);
}

#[test]
fn a_seat_that_sits_out_is_not_dealt_in_until_it_comes_back() {
    let mut table = Table::seated(Rules::stud_hi(), 3, &[]);
    table.act(P1, Action::SitOut);
    assert_eq!(table.refused(P1, Action::SitOut).0, "ALREADY_SO");
    assert!(table.board().active.contains(P1), "this deal is played on");
    while !table.board().deal_finished() {
        let meek = [Action::BringIn, Action::Call, Action::Check];
        let action = meek.into_iter().find(|one| table.legal().contains(&one.name())).unwrap();
        table.play(&[action]);
    }
    table.proceed();
    assert!(!table.board().dealt_in.contains(P1));
    assert_eq!(table.board().player(P1).committed_total, 0, "no ante");
    table.act(P1, Action::ComeBack);
    while table.board().actor.is_some() {
        let action = if table.legal().contains(&"FOLD") { Action::Fold } else { Action::BringIn };
        table.play(&[action]);
    }
    table.proceed();
    assert!(table.board().dealt_in.contains(P1));
}

#[test]
fn a_table_with_too_few_ready_waits_for_whoever_could_return() {
    let mut table = Table::seated(Rules::stud_hi(), 2, &[]);
    table.act(P2, Action::SitOut);
    table.play(&[Action::BringIn, Action::Fold]);
    let Awaiting::Seats { seats, kind } = Stud::awaiting(&table.state) else {
        panic!("someone is awaited");
    };
    assert_eq!((seats.iter().collect::<Vec<_>>(), kind), (vec![P2], "AWAITING_PLAYERS"));
    assert_eq!(Stud::clock(&table.state, P2), Some(Duration::from_secs(120)));
    assert!(table.proceed().is_empty());
    table.act(P2, Action::ComeBack);
    assert_eq!(Stud::awaiting(&table.state), Awaiting::House { kind: "NEXT_DEAL" });
}

#[test]
fn a_seat_without_chips_may_buy_some_where_the_house_sells() {
    let rules = Rules { last_stack: false, rebuy: Some(300), deals: None, ..Rules::stud_hi() };
    let mut table = table(rules, &[500, 25], "2d3d4d AcThKc 5dKs 6d9c 7dJh 8d9h");
    assert_eq!(table.refused(P2, Action::Rebuy).0, "NO_REBUY");
    table.play(&[Action::BringIn, Action::Complete, Action::Call]);
    assert_eq!(table.stacks(), [525, 0]);
    let Awaiting::Seats { seats, .. } = Stud::awaiting(&table.state) else {
        panic!("the broke seat is awaited");
    };
    assert!(seats.contains(P2));
    assert_eq!(table.act(P2, Action::Rebuy), ["REBOUGHT"]);
    assert_eq!(table.stacks(), [525, 300]);
    assert_eq!(Stud::score(&table.state).points, [25, -25], "bought chips are not won");
    assert_eq!(Stud::awaiting(&table.state), Awaiting::House { kind: "NEXT_DEAL" });
}

#[test]
fn a_match_until_one_stack_is_left_ends_with_it() {
    let rules = Rules { deals: None, ..Rules::stud_hi() };
    let mut table = table(rules, &[500, 25], "2d3d4d AcThKc 5dKs 6d9c 7dJh 8d9h");
    table.play(&[Action::BringIn, Action::Complete, Action::Call]);
    let finished = table.state.finished.as_ref().expect("one stack is left");
    assert_eq!(finished.reason, Ending::LastStack);
    assert_eq!(finished.winners.iter().collect::<Vec<_>>(), [P1]);
    assert_eq!(finished.won.as_slice(), [25, -25]);
}

#[test]
fn seats_without_chips_are_not_dealt_in() {
    let rules = Rules { deals: Some(2), ..Rules::stud_hi() };
    let mut table = table(rules, &[500, 25, 500], "2d3d4d AcTh2c QsJcTd 5dKs 6d9c 7dJh 8d9h");
    table.play(&[Action::BringIn, Action::Fold, Action::Complete, Action::Call]);
    assert_eq!(table.stacks(), [530, 0, 495], "a flush takes it all");
    table.proceed();
    assert!(!table.board().dealt_in.contains(P2));
    assert!(table.board().active.contains(P1) && table.board().active.contains(P3));
}

#[test]
fn the_clock_goes_on_with_the_time_bank_slice_by_slice() {
    let rules = Rules { time_bank: 40, ..Rules::stud_hi() };
    let mut table = Table::seated(rules, 2, &[]);
    let seat = table.board().actor.unwrap();
    let seconds = |table: &Table| Stud::clock(&table.state, seat).map(|clock| clock.as_secs());
    assert_eq!(Stud::clock(&table.state, seat), Some(Duration::from_secs(20)));
    for slice in [15, 15, 10] {
        assert_eq!(Stud::timeout(&table.state, seat), Some(Action::TimeBank));
        assert_eq!(table.act(seat, Action::TimeBank), ["TIME_BANK"]);
        assert_eq!(seconds(&table), Some(slice));
    }
    assert_eq!(table.refused(seat, Action::TimeBank).0, "NO_TIME_BANK");
    assert_eq!(Stud::timeout(&table.state, seat), Some(Action::TimeOut));
    assert_eq!(table.act(seat, Action::TimeOut), ["BRING_IN"], "posted by itself");
    let other = table.board().actor.unwrap();
    assert_eq!(Stud::clock(&table.state, other), Some(Duration::from_secs(20)));
}

#[test]
fn time_out_checks_where_that_is_free_and_folds_where_it_is_not() {
    let rules = Rules { time_bank: 0, ..Rules::stud_hi() };
    let mut table = Table::seated(rules, 2, &[]);
    table.play(&[Action::BringIn]);
    let seat = table.board().actor.unwrap();
    assert_eq!(table.clone().act(seat, Action::TimeOut)[0], "FOLD");
    table.play(&[Action::Call]);
    let seat = table.board().actor.unwrap();
    assert_eq!(table.act(seat, Action::TimeOut), ["CHECK"]);
}

#[test]
fn no_clock_runs_against_bots_only() {
    let mut with_bot = opening::<Stud>(&Rules::stud_hi(), 2, "bot");
    Arc::make_mut(&mut with_bot.seats)[1].bot = Some("random".to_owned());
    let table = Table::opened(with_bot);
    let seat = table.board().actor.unwrap();
    assert_eq!(Stud::clock(&table.state, seat), None);
    assert_eq!(table.refused(seat, Action::TimeBank).0, "NO_TIME_BANK");
}

#[test]
fn a_match_called_off_in_a_deal_pays_it_back() {
    let mut table = Table::seated(Rules::stud_hi(), 3, &[]);
    table.play(&[Action::BringIn, Action::Complete]);
    let order = Order::CallOff { reason: "fire alarm".to_owned() };
    assert_eq!(table.order(&order), ["GAME_FINISHED"]);
    let finished = table.state.finished.as_ref().unwrap();
    assert_eq!(
        (finished.reason, finished.note.as_deref()),
        (Ending::CalledOff, Some("fire alarm"))
    );
    assert_eq!(table.stacks(), [2000; 3]);
    assert!(finished.winners.is_empty());
    assert!(table.order(&order).is_empty(), "once is enough");
    assert_eq!(Stud::awaiting(&table.state), Awaiting::Nobody);
}

#[test]
fn an_open_ended_match_goes_on_for_as_long_as_two_want_to_play() {
    let mut table = Table::seated(Rules::open(), 2, &[]);
    for _ in 0..60 {
        table.play(&[Action::BringIn, Action::Fold]);
        assert!(!table.proceed().is_empty());
    }
    assert_eq!(table.order(&Order::CallOff { reason: String::new() }), ["GAME_FINISHED"]);
}
