//! The rules, one test each.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{P1, P2, Table, card, cards, deck, hanami_in_one_turn, play, play_for, select, set};
use parlor_kernel::laws::random_game;
use parlor_kernel::{Awaiting, Game, Hosted, Order, Seat};
use parlor_koikoi::{
    Action, Ending, Event, ExhaustedAfterKoi, KoiFactor, KoiKoi, NextDealer, Phase, RoundResult,
    Rules, ScoredBy, State, Yaku,
};

fn scored(table: &Table) -> parlor_koikoi::RoundScored {
    match table.board().result {
        Some(RoundResult::Scored(scored)) => scored,
        other => panic!("the round is scored, not {other:?}"),
    }
}

#[test]
fn a_yaku_asks_its_player_for_a_decision() {
    let mut table = hanami_in_one_turn(Rules::protocol());
    assert_eq!(table.act(P1, play("0311")), ["HandPlayed", "CardFlipped", "YakuFormed"]);
    assert!(matches!(table.board().phase, Phase::Decision { seat: P1, .. }));
    assert_eq!(table.board().held[0].get(Yaku::HanamiZake), 5);
    assert_eq!(table.board().captured[0].cards(), cards("0311 0341 0921 0941"));
}

#[test]
fn koi_koi_passes_the_turn_to_the_opponent() {
    let mut table = hanami_in_one_turn(Rules::protocol());
    table.act(P1, play("0311"));
    assert_eq!(table.act(P1, Action::KoiKoi), ["KoiKoiCalled"]);
    assert_eq!(table.board().phase, Phase::HandPlay { seat: P2 });
    assert_eq!(table.board().calls, [1, 0]);
    assert_eq!(table.board().last_caller, Some(P1));
}

#[test]
fn stopping_scores_all_yaku_and_the_house_deals_on() {
    let mut table = hanami_in_one_turn(Rules::protocol());
    table.act(P1, play("0311"));
    assert_eq!(table.act(P1, Action::Stop), ["RoundScored"]);
    assert_eq!(scored(&table).by, ScoredBy::Stop);
    assert_eq!(table.board().totals, [5, 0]);
    assert_eq!(KoiKoi::awaiting(&table.state), Awaiting::House { kind: "NEXT_ROUND" });
    assert_eq!(table.board().captured[0].cards().len(), 4, "the result panel shows the captures");
    assert_eq!(table.proceed()[0], "RoundDealt");
    assert_eq!((table.board().round, table.board().rounds_played), (2, 1));
}

#[test]
fn the_winner_deals_next() {
    let mut table = hanami_in_one_turn(Rules::protocol());
    table.act(P1, play("0311"));
    table.act(P1, Action::Stop);
    table.proceed();
    assert_eq!(table.board().dealer, Some(P1));
}

#[test]
fn the_deal_alternates_where_the_house_says_so() {
    let rules = Rules { next_dealer: NextDealer::Alternate, ..Rules::protocol() };
    let mut table = hanami_in_one_turn(rules);
    table.act(P1, play("0311"));
    table.act(P1, Action::Stop);
    table.proceed();
    assert_eq!(table.board().dealer, Some(P2));
}

#[test]
fn the_last_round_ends_the_match_in_the_same_step() {
    let mut table = hanami_in_one_turn(Rules { rounds: Some(1), ..Rules::protocol() });
    table.act(P1, play("0311"));
    assert_eq!(table.act(P1, Action::Stop), ["RoundScored", "GameFinished"]);
    let finished = table.board().finished.clone().expect("the match is over");
    assert_eq!((finished.winner, finished.reason), (Some(P1), Ending::RoundsPlayed));
    let commitment = &table.state.opened.as_ref().expect("the table is set").setup.commitment;
    assert!(finished.opening.opens(commitment), "the seal opens on the committed seed");
    assert_eq!(KoiKoi::awaiting(&table.state), Awaiting::Nobody);
    assert_eq!(table.refused(P1, play("0111")), "INVALID_STATE");
}

#[test]
fn a_match_is_called_off_at_any_time_and_nobody_wins() {
    let mut table = hanami_in_one_turn(Rules::protocol());
    let order = Order::CallOff { reason: "supper".to_owned() };
    let mut out = Vec::new();
    KoiKoi::obey(&State::default(), &order, &mut out);
    assert_eq!(out, [], "there is no match yet");
    table.act(P1, play("0311"));
    KoiKoi::obey(&table.state, &order, &mut out);
    for event in &out {
        KoiKoi::apply(&mut table.state, event);
    }
    let finished = table.board().finished.clone().expect("the match is over");
    assert_eq!((finished.winner, finished.reason), (None, Ending::CalledOff));
    assert_eq!(finished.totals, [0, 0], "the round under way counts nothing");
    let called_off = KoiKoi::called_off(&table.state).map(|end| end.reason);
    assert_eq!(called_off.as_deref(), Some("supper"));
    assert_eq!(KoiKoi::awaiting(&table.state), Awaiting::Nobody);
    assert_eq!(table.refused(P1, Action::Stop), "INVALID_STATE");
    out.clear();
    KoiKoi::obey(&table.state, &order, &mut out);
    assert_eq!(out, [], "it is over");
}

#[test]
fn reaching_the_target_ends_the_match() {
    let mut table =
        hanami_in_one_turn(Rules { rounds: None, target: Some(5), ..Rules::protocol() });
    table.act(P1, play("0311"));
    assert_eq!(table.act(P1, Action::Stop), ["RoundScored", "GameFinished"]);
    let finished = table.board().finished.clone().expect("the match is over");
    assert_eq!(finished.reason, Ending::TargetReached);
}

#[test]
fn where_no_call_is_left_a_yaku_scores_at_once() {
    let mut table = hanami_in_one_turn(Rules { koi_limit: Some(0), ..Rules::protocol() });
    assert_eq!(table.act(P1, play("0311")), ["HandPlayed", "CardFlipped", "RoundScored"]);
    assert_eq!(scored(&table).by, ScoredBy::KoiLimit);
    assert_eq!(scored(&table).fresh.get(Yaku::HanamiZake), 5);
}

#[test]
fn nobody_calls_more_often_than_the_limit() {
    let mut limited = 0;
    for seed in 0..200 {
        let (log, _) = random_game::<KoiKoi>(&Rules::nintendo(), 2, &format!("limit {seed}"));
        for event in &log.events {
            match event {
                Event::KoiKoiCalled(called) => assert_eq!(called.calls, 1),
                Event::RoundScored(scored) => limited += u32::from(scored.by == ScoredBy::KoiLimit),
                _ => {}
            }
        }
    }
    assert!(limited > 0, "the limit is met somewhere");
}

/// Rounds of random matches that ran out after a call: how many were drawn,
/// and how many the last caller scored.
fn exhausted_after_a_call(option: ExhaustedAfterKoi) -> (u32, u32) {
    let rules = Rules { exhausted_after_koi: option, ..Rules::protocol() };
    let (mut drawn, mut paid) = (0, 0);
    for seed in 0..300 {
        let (log, _) = random_game::<KoiKoi>(&rules, 2, &format!("exhausted {seed}"));
        let mut caller: Option<Seat> = None;
        for event in &log.events {
            match event {
                Event::RoundDealt(_) => caller = None,
                Event::KoiKoiCalled(called) => caller = Some(called.seat),
                Event::RoundDrawn(_) if caller.is_some() => drawn += 1,
                Event::RoundScored(scored) if scored.by == ScoredBy::Exhausted => {
                    assert_eq!(Some(scored.winner), caller);
                    paid += 1;
                }
                _ => {}
            }
        }
    }
    (drawn, paid)
}

#[test]
fn nobody_scores_when_the_hands_run_out_even_after_a_call() {
    let (drawn, paid) = exhausted_after_a_call(ExhaustedAfterKoi::Nobody);
    assert!(drawn > 0);
    assert_eq!(paid, 0);
}

#[test]
fn the_last_caller_scores_an_exhausted_round_where_the_house_says_so() {
    let (drawn, paid) = exhausted_after_a_call(ExhaustedAfterKoi::LastCaller);
    assert_eq!(drawn, 0);
    assert!(paid > 0);
}

/// A table for the matches of a hand play: one for 0111, two for 0221, three
/// for 0311, none for 0421. The first flip meets two Mays.
fn matches() -> Table {
    let deck = deck(
        "0111 0221 0311 0421 0621 0721 0811 0921",
        "",
        "0131 0231 0241 0331 0341 0342 0531 0541",
        "0521",
    );
    Table::dealt(Rules::protocol(), &[deck])
}

#[test]
fn without_a_match_no_target_may_be_named() {
    assert_eq!(matches().refused(P1, play_for("0421", "0131")), "INVALID_TARGET");
    let mut table = matches();
    table.act(P1, play("0421"));
    assert_eq!(table.board().field.cards().last(), Some(&card("0421")));
}

#[test]
fn the_only_match_may_be_named_or_not() {
    for action in [play("0111"), play_for("0111", "0131")] {
        let mut table = matches();
        table.act(P1, action);
        assert_eq!(table.board().captured[0].cards(), cards("0111 0131"));
    }
    assert_eq!(matches().refused(P1, play_for("0111", "0231")), "INVALID_TARGET");
}

#[test]
fn of_two_matches_one_must_be_named() {
    assert_eq!(matches().refused(P1, play("0221")), "INVALID_TARGET");
    assert_eq!(matches().refused(P1, play_for("0221", "0131")), "INVALID_TARGET");
    let mut table = matches();
    table.act(P1, play_for("0221", "0241"));
    assert_eq!(table.board().captured[0].cards(), cards("0221 0241"));
}

#[test]
fn of_three_matches_all_are_taken_whatever_is_named() {
    for action in [play("0311"), play_for("0311", "0331"), play_for("0311", "0131")] {
        let mut table = matches();
        table.act(P1, action);
        assert_eq!(table.board().captured[0].cards(), cards("0311 0331 0341 0342"));
    }
}

#[test]
fn a_flip_that_could_take_either_of_two_waits_for_a_choice() {
    let mut table = matches();
    assert_eq!(table.act(P1, play("0421")), ["HandPlayed", "ChoiceOffered"]);
    assert_eq!(table.board().pile_left, 23);
    assert_eq!(table.refused(P1, select("0521", "0131")), "INVALID_SELECTION");
    assert_eq!(table.refused(P1, select("0531", "0541")), "INVALID_SELECTION");
    assert_eq!(table.refused(P1, play("0111")), "INVALID_STATE");
    assert_eq!(table.refused(P2, select("0521", "0541")), "WRONG_PLAYER");
    let first = Action::Select { source: card("0521"), target: card("0531") };
    assert_eq!(KoiKoi::timeout(&table.state, P1), Some(first));
    assert_eq!(table.act(P1, select("0521", "0541")), ["TargetChosen"]);
    assert_eq!(table.board().captured[0].cards(), cards("0521 0541"));
    assert_eq!(table.board().phase, Phase::HandPlay { seat: P2 });
}

#[test]
fn a_flip_meets_the_field_as_the_hand_play_left_it() {
    let deck = deck("0421", "", "0431 0131 0231 0331 0531 0631 0731 0931", "0441");
    let mut table = Table::dealt(Rules::protocol(), &[deck]);
    table.act(P1, play("0421"));
    assert_eq!(table.board().field.cards().last(), Some(&card("0441")), "0431 is gone");
}

#[test]
fn a_flip_can_take_the_card_just_played() {
    let deck = deck("0421", "", "0131 0231 0331 0531 0631 0731 0931 1031", "0441");
    let mut table = Table::dealt(Rules::protocol(), &[deck]);
    table.act(P1, play("0421"));
    assert_eq!(table.board().captured[0].cards(), cards("0441 0421"));
}

#[test]
fn refusals_come_in_their_order() {
    let mut table = matches();
    assert_eq!(table.refused(P2, play("0111")), "WRONG_PLAYER");
    assert_eq!(table.refused(P2, Action::Stop), "WRONG_PLAYER");
    assert_eq!(table.refused(P1, Action::KoiKoi), "INVALID_STATE");
    assert_eq!(table.refused(P1, select("0521", "0531")), "INVALID_STATE");
    assert_eq!(table.refused(P1, play_for("1241", "0131")), "INVALID_CARD");
    table.act(P1, play("0111"));
    table.act(P1, select("0521", "0531"));
    table.time_out_the_round();
    assert_eq!(table.refused(P1, Action::Stop), "INVALID_STATE", "the round is over");
    assert_eq!(table.refused(P2, play("0111")), "INVALID_STATE", "the round is over");
}

#[test]
fn time_up_plays_the_lowest_class_first_in_the_deck() {
    let deck = deck(
        "0111 0731 0221 0331 0241 0142 0811 0921",
        "",
        "0231 0242 0531 0541 0631 0931 1031 1131",
        "",
    );
    let mut table = Table::dealt(Rules::protocol(), &[deck]);
    let timeout = |table: &Table| KoiKoi::timeout(&table.state, P1);
    assert_eq!(timeout(&table), Some(play("0142")), "the first plain");
    assert_eq!(KoiKoi::timeout(&table.state, P2), None, "nobody asked p2");
    table.state.hands[0].remove(card("0142"));
    assert_eq!(timeout(&table), Some(play_for("0241", "0231")), "the first of two targets");
    table.state.hands[0].remove(card("0241"));
    assert_eq!(timeout(&table), Some(play("0331")), "then ribbons");
    table.state.hands[0] = set("0111 0921");
    assert_eq!(timeout(&table), Some(play("0921")), "then animals");
}

#[test]
fn the_clock_runs_for_the_awaited_seat_of_a_table_of_people() {
    let mut table = matches();
    assert_eq!(KoiKoi::clock(&table.state, P1), Some(Duration::from_secs(30)));
    assert_eq!(KoiKoi::clock(&table.state, P2), None);
    let set = &mut table.state.opened.as_mut().expect("the table is set").setup;
    Arc::make_mut(&mut Arc::make_mut(set).seats)[1].bot = Some("greedy".to_owned());
    assert_eq!(KoiKoi::clock(&table.state, P1), None, "nobody but a bot waits");
    let set = Arc::make_mut(&mut table.state.opened.as_mut().expect("the table is set").setup);
    Arc::make_mut(&mut set.seats)[1].bot = None;
    set.rules.turn_seconds = 0;
    assert_eq!(KoiKoi::clock(&table.state, P1), None, "the house has no clock");
}

#[test]
fn the_winners_own_calls_multiply_by_the_contract() {
    let rules = Rules { koi_factor: KoiFactor::WinnerOwn, ..Rules::protocol() };
    let pay = parlor_koikoi::pay(&rules, 7, 2, 1);
    assert_eq!((pay.seven, pay.koi, pay.points), (2, 3, 42));
}

#[test]
fn the_first_dealer_is_drawn_by_seed() {
    let dealers: Vec<Seat> = (0..40)
        .map(|seed| random_game::<KoiKoi>(&Rules::protocol(), 2, &format!("dealer {seed}")).0)
        .map(|log| match &log.events[0] {
            Event::GameStarted(start) => start.first_dealer,
            other => panic!("the first event is {other:?}"),
        })
        .collect();
    assert!(dealers.contains(&P1) && dealers.contains(&P2));
}
