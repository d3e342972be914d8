//! What rounds and games come to.

use parlor_binokel::{Account, Action, Each, Ending, Over, Phase, Rules, SideScore, Suit, ending};
use parlor_kernel::{Offered, Order, Seat};

use crate::common::{P1, P2, P3, P4, Table, go_out};

fn account(players: u8) -> Account {
    Account {
        players,
        declarer: P1,
        bid: 200,
        melds: [100, 40, 60, 20],
        taken: [90, 80, 30, 20],
        tricks: [4, 3, 1, 1],
        laid_away: 24,
    }
}

#[test]
fn laid_away_cards_count_for_the_declarer() {
    let score = account(3).played_out().get(0);
    assert_eq!(score, SideScore { melds: 100, tricks: 110, total: 210, bid_met: true });
}

#[test]
fn a_bid_missed_costs_twice_the_bid() {
    let missed = Account { bid: 220, ..account(3) };
    let score = missed.played_out().get(0);
    assert_eq!(score, SideScore { melds: 100, tricks: 110, total: -440, bid_met: false });
}

#[test]
fn partners_count_together_and_are_rounded_once() {
    let scores = account(4).played_out();
    assert_eq!(scores.as_slice().len(), 2);
    assert_eq!(scores.get(0), SideScore { melds: 160, tricks: 140, total: 300, bid_met: true });
    assert_eq!(scores.get(1), SideScore { melds: 60, tricks: 100, total: 160, bid_met: true });
}

#[test]
fn melds_are_void_for_a_side_without_a_trick() {
    let nothing = Account { tricks: [0, 3, 1, 0], taken: [0, 80, 30, 0], ..account(3) };
    let score = nothing.played_out().get(0);
    assert_eq!(score, SideScore { melds: 0, tricks: 20, total: -400, bid_met: false });
    let team = Account { tricks: [0, 3, 1, 0], ..account(4) };
    assert_eq!(team.played_out().get(0).melds, 160, "the partner's trick saves both");
}

#[test]
fn going_out_loses_the_bid_and_gives_each_opponent_melds_and_bonus() {
    let out = account(3).gone_out(30);
    assert_eq!(out.get(0), SideScore { total: -200, ..SideScore::default() });
    assert_eq!(out.get(1), SideScore { melds: 40, tricks: 0, total: 70, bid_met: true });
    assert_eq!(out.get(2).total, 90);
}

#[test]
fn a_team_is_given_the_bonus_once_and_the_partners_melds_are_void() {
    let out = account(4).gone_out(40);
    assert_eq!(out.get(0), SideScore { total: -200, ..SideScore::default() });
    assert_eq!(out.get(1), SideScore { melds: 60, tricks: 0, total: 100, bid_met: true });
}

#[test]
fn a_game_ends_once_the_target_is_reached() {
    let rules = Rules::contract();
    let after = |totals, declaring| ending(&rules, 5, &Each::of(3, totals), declaring);
    assert_eq!(after([990, 500, -300, 0], 0), None);
    assert_eq!(after([1000, 500, 0, 0], 1), Some((Ending::TargetReached, 0)));
    assert_eq!(after([1010, 1200, 0, 0], 0), Some((Ending::TargetReached, 1)), "the highest");
}

#[test]
fn on_equal_totals_the_declarer_wins() {
    let rules = Rules::contract();
    for declaring in 0..3 {
        let totals = Each::of(3, [1100, 1100, 1100, 0]);
        assert_eq!(
            ending(&rules, 5, &totals, declaring),
            Some((Ending::TargetReached, declaring as u8))
        );
    }
    let others = Each::of(3, [0, 1100, 1100, 0]);
    assert_eq!(ending(&rules, 5, &others, 0), Some((Ending::TargetReached, 1)));
}

#[test]
fn a_tournament_ends_after_twelve_rounds() {
    let rules = Rules::tournament();
    let totals = Each::of(2, [5000, -100, 0, 0]);
    assert_eq!(ending(&rules, 11, &totals, 1), None);
    assert_eq!(ending(&rules, 12, &totals, 1), Some((Ending::RoundsPlayed, 0)));
}

#[test]
fn the_last_card_scores_the_round_and_deals_the_next() {
    let mut table = Table::dealt(Rules::contract(), &["", "", ""]);
    table.time_out_until_scored(1);
    let (_, last) = table.log.by_step().last().expect("the round was played");
    let names: Vec<_> = last.iter().map(parlor_kernel::event_type).collect();
    assert_eq!(
        names,
        ["CARD_PLAYED", "TRICK_WON", "ROUND_SCORED", "NEW_ROUND_STARTED", "CARDS_DEALT"]
    );
}

#[test]
fn the_last_round_ends_the_game_and_opens_the_seal() {
    let mut table = Table::dealt(Rules { rounds: Some(1), ..Rules::contract() }, &["", "", ""]);
    table.time_out_until_scored(1);
    let Some(Over::Finished(finished)) = &table.board().over else { panic!("the game is over") };
    assert_eq!(finished.reason, Ending::RoundsPlayed);
    let commitment = &table.state.opened.as_ref().expect("it was played").setup.commitment;
    assert!(finished.opening.opens(commitment));
    let score = parlor_binokel::Binokel::score(&table.state);
    assert!(score.winners.contains(Seat(finished.winner)));
    assert_eq!(score.rounds, 1);
}

#[test]
fn partners_have_the_same_points_and_win_together() {
    let mut table = Table::dealt(Rules { rounds: Some(1), ..Rules::contract() }, &["", "", "", ""]);
    table.time_out_until_scored(1);
    let score = parlor_binokel::Binokel::score(&table.state);
    assert_eq!(score.points.len(), 4);
    assert_eq!(score.points[0], score.points[2]);
    assert_eq!(score.winners.contains(P1), score.winners.contains(P3));
    assert_eq!(score.winners.contains(P2), score.winners.contains(P4));
    assert_ne!(score.winners.contains(P1), score.winners.contains(P2));
}

#[test]
fn gone_out_the_round_is_scored_without_tricks() {
    let mut table = Table::dealt(Rules::contract(), &["", "", ""]);
    table.bid_alone(170);
    table.act(P1, Action::TakeDabb);
    table.act(P1, go_out(Suit::Bollen));
    table.meld_all();
    let scored = table.scored();
    assert_eq!(scored.total_scores.get(0), -170);
    for seat in [1, 2] {
        let score = scored.scores.get(seat);
        assert_eq!(score.total, score.melds as i16 + 30);
    }
}

#[test]
fn anyone_may_end_the_game_for_all_while_it_is_played() {
    let mut table = Table::dealt(Rules::contract(), &["", "", ""]);
    assert_eq!(table.act(P2, Action::Exit), ["GAME_TERMINATED"]);
    assert_eq!(table.board().phase, Phase::Terminated);
    let Some(Over::Terminated(over)) = &table.board().over else { panic!("it is over") };
    assert_eq!((over.terminated_by, over.reason.as_str()), (Some(P2), "player_exit"));
    assert!(parlor_binokel::Binokel::score(&table.state).winners.is_empty());
}

#[test]
fn the_house_may_call_a_game_off_once() {
    let mut table = Table::dealt(Rules::contract(), &["", ""]);
    let order = Order::CallOff { reason: "inactivity".to_owned() };
    assert_eq!(table.order(order.clone()), ["GAME_TERMINATED"]);
    let Some(Over::Terminated(over)) = &table.board().over else { panic!("it is over") };
    assert_eq!((over.terminated_by, over.reason.as_str()), (None, "inactivity"));
    assert!(parlor_kernel::reexecute(&table.log).is_ok(), "and it can be followed again");
    assert!(table.order(order).is_empty());
}
