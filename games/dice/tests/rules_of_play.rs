//! The rules, one by one.

mod common;

use std::time::Duration;

use common::{P1, P2, P3, Table, bid};
use parlor_dice::{Action, Event, LiarsDice, Odds, Rules, State};
use parlor_kernel::laws::{opening, random_game};
use parlor_kernel::{
    ClientMessage, Dialect, Explained, Game, Hosted, Log, LogDialect, Offered, Order, Player,
    RandomPlayer, Scripted, Seat, SeatSet, Seed, View, Viewer, play_out, schema_of,
};
use serde_json::json;

fn two() -> Table {
    let rolls = json!([[[1, 2, 3, 4, 5], [2, 2, 6, 6, 1]], [[6, 6, 6, 6], [2, 2, 2, 2, 2]]]);
    Table::rolled(Rules::default(), rolls)
}

fn small(rules: Rules, rolls: serde_json::Value) -> Table {
    let dice = rolls[0][0].as_array().map_or(0, Vec::len) as u8;
    Table::rolled(Rules { dice, ..rules }, rolls)
}

const TAME: Rules = Rules { dice: 5, wild: false, turn_seconds: 0 };

#[test]
fn a_bid_is_higher_by_more_dice_or_by_a_higher_face() {
    let mut table = two();
    assert_eq!(table.act(P1, bid(2, 4)), ["BID_PLACED"]);
    assert_eq!(table.refused(P2, bid(2, 4)), "BID_TOO_LOW");
    assert_eq!(table.refused(P2, bid(2, 3)), "BID_TOO_LOW");
    assert_eq!(table.refused(P2, bid(1, 6)), "BID_TOO_LOW");
    table.act(P2, bid(2, 5));
    table.act(P1, bid(3, 2));
}

#[test]
fn a_bid_is_at_most_all_dice_of_a_face_that_can_be_bid() {
    let table = two();
    for (quantity, face) in [(0, 2), (11, 2), (300, 2), (1, 7), (1, 0), (1, 1)] {
        assert_eq!(table.refused(P1, bid(quantity, face)), "NOT_A_BID", "{quantity} × {face}");
    }
    two().act(P1, bid(10, 6));
}

#[test]
fn ones_can_be_bid_where_they_are_not_wild() {
    let mut table = small(TAME, json!([[[1, 2], [1, 3]]]));
    table.act(P1, bid(1, 1));
    assert_eq!(table.refused(P2, bid(1, 1)), "BID_TOO_LOW");
}

#[test]
fn only_who_is_on_turn_may_act_and_nobody_challenges_nothing() {
    let table = two();
    assert_eq!(table.refused(P2, bid(1, 2)), "NOT_YOUR_TURN");
    assert_eq!(table.refused(P1, Action::Challenge), "NOTHING_TO_CHALLENGE");
}

#[test]
fn a_bid_that_holds_costs_the_challenger_a_die_and_ones_count_for_it() {
    let mut table = two();
    // Three twos and two ones.
    table.act(P1, bid(5, 2));
    assert_eq!(table.act(P2, Action::Challenge), ["CHALLENGED", "ROUND_ROLLED"]);
    let Some(Event::Challenged(shown)) = table.events.iter().rev().nth(1) else { panic!() };
    assert_eq!((shown.count, shown.loser, shown.bidder), (5, P2, P1));
    assert_eq!(shown.hands, [[1, 2, 3, 4, 5], [2, 2, 6, 6, 1]]);
    assert_eq!(table.counts(), [5, 4]);
    assert_eq!(table.board().turn, Some(P2), "the loser begins");
    assert_eq!(table.board().bid, None);
}

#[test]
fn a_bid_that_does_not_hold_costs_the_bidder_a_die() {
    let mut table = two();
    table.act(P1, bid(6, 2));
    table.act(P2, Action::Challenge);
    assert_eq!(table.counts(), [4, 5]);
    assert_eq!(table.board().turn, Some(P1));
    let hands: Vec<_> = table.board().hands.iter().map(|hand| hand.dice.clone()).collect();
    assert_eq!(hands, [Some(vec![6; 4]), Some(vec![2; 5])], "as the script says");
}

#[test]
fn ones_are_ones_where_they_are_not_wild() {
    let mut table = small(TAME, json!([[[1, 2], [1, 3]]]));
    table.act(P1, bid(2, 2));
    table.act(P2, Action::Challenge);
    assert_eq!(table.counts(), [1, 2]);
}

#[test]
fn a_seat_without_dice_is_out_and_the_next_one_begins() {
    let mut table = small(Rules::default(), json!([[[2], [3], [4]]]));
    table.act(P1, bid(1, 2));
    table.act(P2, bid(1, 6));
    // There is no six: p2 is out.
    table.act(P3, Action::Challenge);
    assert_eq!(table.counts(), [1, 0, 1]);
    assert_eq!(table.board().turn, Some(P3));
    table.act(P3, bid(1, 2));
    assert_eq!(table.board().turn, Some(P1), "p2 is passed over");
    assert_eq!(table.refused(P2, bid(1, 3)), "NOT_YOUR_TURN");
}

#[test]
fn the_last_seat_with_dice_wins_and_the_seal_is_opened() {
    let mut table = small(Rules::default(), json!([[[2], [3]]]));
    table.act(P1, bid(2, 6));
    assert_eq!(table.act(P2, Action::Challenge), ["CHALLENGED", "GAME_FINISHED"]);
    let Some(Event::GameFinished(end)) = table.events.last() else { panic!() };
    let commitment = LiarsDice::opened(&table.state).unwrap().seal.commitment();
    assert!(end.opening.opens(commitment));
    let score = LiarsDice::score(&table.state);
    assert_eq!((score.winners, score.points, score.rounds), (SeatSet::only(P2), vec![0, 1], 1));
    assert_eq!(table.refused(P1, bid(1, 2)), "GAME_OVER");
    assert_eq!(table.refused(P2, Action::Challenge), "GAME_OVER");
}

#[test]
fn the_first_bidder_is_drawn() {
    let starters: SeatSet = (0..40)
        .map(|seed| {
            let log = random_game::<LiarsDice>(&Rules::default(), 3, &seed.to_string()).0;
            let Event::RoundRolled { starter, .. } = log.events[1] else { panic!() };
            starter
        })
        .collect();
    assert_eq!(starters, [P1, P2, P3].into_iter().collect());
}

#[test]
fn the_clock_challenges_or_makes_the_lowest_bid() {
    let mut table =
        Table::rolled(Rules { dice: 1, turn_seconds: 30, ..Rules::default() }, json!([[[2], [3]]]));
    assert_eq!(LiarsDice::clock(&table.state, P1), Some(Duration::from_secs(30)));
    assert_eq!(LiarsDice::clock(&table.state, P2), None);
    assert_eq!(LiarsDice::timeout(&table.state, P1), Some(bid(1, 2)));
    table.act(P1, bid(1, 2));
    assert_eq!(LiarsDice::timeout(&table.state, P2), Some(Action::Challenge));
    assert_eq!(LiarsDice::timeout(&table.state, P1), None, "it is not their turn");
    assert_eq!(LiarsDice::clock(&two().state, P1), None, "no clock unless it is asked for");
}

#[test]
fn a_game_that_is_called_off_has_no_winner() {
    let mut table = two();
    let reason = "dinner".to_owned();
    assert_eq!(table.order(Order::Pause), [""; 0], "there is no pause");
    assert_eq!(table.order(Order::CallOff { reason: reason.clone() }), ["GAME_FINISHED"]);
    assert_eq!(LiarsDice::called_off(&table.state).map(|end| end.reason), Some(reason));
    assert!(LiarsDice::score(&table.state).winners.is_empty());
    assert_eq!(table.order(Order::CallOff { reason: String::new() }), [""; 0]);
}

#[test]
fn a_viewer_sees_its_own_dice_and_counts_the_others() {
    let table = two();
    let seen = |viewer| LiarsDice::see(&table.state, &table.events[1], viewer).unwrap();
    let hands = |viewer| serde_json::to_value(seen(viewer)).unwrap()["payload"]["hands"].clone();
    let open = |dice: &[u8]| json!({ "count": 5, "dice": dice });
    let closed = json!({ "count": 5, "dice": null });
    let (first, second) = (open(&[1, 2, 3, 4, 5]), open(&[2, 2, 6, 6, 1]));
    assert_eq!(hands(Viewer::Seat(P1)), json!([first, closed]));
    assert_eq!(hands(Viewer::Seat(P2)), json!([closed, second]));
    assert_eq!(hands(Viewer::Public), json!([closed, closed]));
    assert_eq!(hands(Viewer::Postmortem), json!([first, second]));
}

#[test]
fn options_are_challenge_first_and_then_bids_from_the_lowest_up() {
    let mut table = small(Rules::default(), json!([[[2], [3]]]));
    table.act(P1, bid(2, 4));
    let mut view = View::<LiarsDice>::new(Viewer::Seat(P2));
    let mut state = State::default();
    for event in &table.events {
        LiarsDice::apply(&mut state, event);
        view.witness(&state, event);
    }
    let mut options = Vec::new();
    LiarsDice::options(view.knowledge(), &mut options);
    assert_eq!(options, [Action::Challenge, bid(2, 5), bid(2, 6)]);
}

#[test]
fn moves_are_read_from_json() {
    let hear = |text: &str| Dialect::<LiarsDice>::hear(&LogDialect, text.as_bytes());
    let heard = hear(r#"{"type":"BID","quantity":3,"face":4}"#);
    assert_eq!(heard, Ok(ClientMessage::Act(bid(3, 4))));
    assert_eq!(hear(r#"{"type":"CHALLENGE"}"#), Ok(ClientMessage::Act(Action::Challenge)));
    for wrong in [r#"{"type":"BID","quantity":3}"#, r#"{"type":"FOLD"}"#, "7", ""] {
        assert!(hear(wrong).is_err(), "{wrong}");
    }
    assert!(schema_of::<Action>().to_string().contains("CHALLENGE"));
}

#[test]
fn rolls_of_a_script_are_checked() {
    let stack = |rolls| LiarsDice::stack(json!({ "rolls": rolls }).as_object().unwrap());
    let refused = |rolls| stack(rolls).unwrap_err();
    assert!(refused(json!(3)).starts_with("'rolls' is"));
    assert_eq!(refused(json!([[[7]]])), "the roll of round 1: a die shows 1 to 6, not 7");
    let lost = "the roll of round 2: a die is lost each round, so there are 1 dice, not 2";
    assert_eq!(refused(json!([[[1], [2]], [[1], [2]]])), lost);
    let stacked = stack(json!([[[1], [2]], [[3], []]])).unwrap();
    assert_eq!(stacked["roll/2"], [3]);
}

#[test]
fn questions_are_answered() {
    let ask = LiarsDice::ask;
    let count = |wild| json!({ "hands": [[1, 4, 4], [4, 1]], "face": 4, "wild": wild });
    assert_eq!(ask("count", &count(true)), Ok(json!({ "count": 5 })));
    assert_eq!(ask("count", &count(false)), Ok(json!({ "count": 3 })));
    let chance = json!({ "own": [1, 4], "others": 1, "quantity": 3, "face": 4 });
    let said = ask("chance", &chance).unwrap()["chance"].as_f64().unwrap();
    assert!((said - 1.0 / 3.0).abs() < 1e-12);
    assert!(ask("count", &json!({ "hands": [[9]], "face": 4 })).is_err());
    assert!(ask("count", &json!({ "hands": [[2]], "face": 1 })).is_err(), "ones are wild");
    assert!(ask("odds", &json!({})).is_err());
}

#[test]
fn rules_that_cannot_be_played_are_refused() {
    let guide = LiarsDice::guide();
    let check = |asked| LiarsDice::check(&guide.resolve(&asked).unwrap());
    assert!(check(json!({ "dice": 1, "turn_seconds": 600 })).is_ok());
    for wrong in [json!({ "dice": 0 }), json!({ "dice": 6 }), json!({ "turn_seconds": 4 })] {
        assert!(check(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn odds_beat_chance() {
    let mut won = 0;
    for game in 0..200 {
        let mut players: Vec<Box<dyn Player<LiarsDice>>> =
            vec![Box::new(Odds), Box::new(RandomPlayer)];
        let opening = opening::<LiarsDice>(&Rules::default(), 2, &game.to_string());
        let mut dice =
            parlor_kernel::Dice::new(&Seed::named(&game.to_string()), "players").stream("all");
        let state = play_out(opening, &mut players, &mut dice, &mut Log::default());
        won += u32::from(LiarsDice::score(&state).winners.contains(Seat(0)));
    }
    assert!(won > 180, "{won} of 200");
}
