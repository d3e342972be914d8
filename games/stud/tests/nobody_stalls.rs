//! Nobody can stall a match: time-outs sit out, the absent ante or are skipped, and
//! a table that too few want to play at comes to an end.

mod common;

use std::time::Duration;

use common::Table;
use parlor_kernel::{Awaiting, Cause, Envelope, Game, Hosted, Log, Seat, Told, Viewer, reexecute};
use parlor_stud::{Action, Ending, Event, Rules, Schedule, Stacks, Stakes, Stud};
use serde_json::{Value, json};

const P1: Seat = Seat(0);
const P2: Seat = Seat(1);
const P3: Seat = Seat(2);

fn quick(rules: Rules) -> Rules {
    Rules { time_bank: 0, ..rules }
}

/// Whoever is asked lets its time run out.
fn lapse(table: &mut Table) -> Vec<&'static str> {
    let seat = table.board().actor.expect("someone is asked");
    let action = Stud::timeout(&table.state, seat).expect("the clock runs");
    table.act(seat, action)
}

/// The deal goes on without bets until it is over.
fn meekly(table: &mut Table) {
    while table.board().actor.is_some() {
        let meek = ["BRING_IN", "CHECK", "FOLD"];
        let name = *table.legal().iter().find(|name| meek.contains(name)).expect("a meek move");
        table.play(&[Action::named(name).expect("a move")]);
    }
}

fn seconds(table: &Table, seat: Seat) -> Option<u64> {
    Stud::clock(&table.state, seat).as_ref().map(Duration::as_secs)
}

#[test]
fn two_time_outs_in_a_row_sit_a_seat_out() {
    let mut table = Table::seated(quick(Rules::stud_hi()), 3, &[]);
    let seat = table.board().actor.unwrap();
    assert_eq!(lapse(&mut table), ["BRING_IN"], "once is no habit");
    assert_eq!(table.board().player(seat).time_outs, 1);
    table.play(&[Action::Call, Action::Complete]);
    assert_eq!(table.board().actor, Some(seat));
    assert_eq!(lapse(&mut table), ["FOLD", "SAT_OUT"]);
    assert!(table.board().sitting_out.contains(seat));
    table.play(&[Action::Fold]);
    table.proceed();
    assert!(!table.board().dealt_in.contains(seat), "elsewhere who is absent is skipped");
    table.act(seat, Action::ComeBack);
    assert_eq!(table.board().player(seat).time_outs, 0, "and begins anew");
}

#[test]
fn a_move_of_ones_own_forgives_a_time_out() {
    let mut table = Table::seated(quick(Rules::stud_hi()), 2, &[]);
    let seat = table.board().actor.unwrap();
    lapse(&mut table);
    table.play(&[Action::Complete, Action::Call]);
    assert_eq!(table.board().player(seat).time_outs, 0);
}

#[test]
fn who_sat_out_by_time_outs_is_not_waited_for_in_the_deal() {
    let mut table = Table::seated(quick(Rules::stud_hi()), 3, &[]);
    let seat = table.board().actor.unwrap();
    lapse(&mut table);
    table.play(&[Action::Call, Action::Call]);
    while table.board().actor != Some(seat) {
        table.play(&[Action::Check]);
    }
    assert_eq!(seconds(&table, seat), Some(20));
    assert!(lapse(&mut table).starts_with(&["CHECK", "SAT_OUT"]));
    while table.board().actor != Some(seat) {
        table.play(&[Action::Check]);
    }
    assert_eq!(seconds(&table, seat), Some(0), "the clock decides at once");
    table.play(&[Action::Check]);
    assert_eq!(table.board().player(seat).time_outs, 0, "unless it moves before that");
}

#[test]
fn the_clock_says_so_where_it_decided() {
    let mut table = Table::seated(quick(Rules::stud_hi()), 2, &[]);
    lapse(&mut table);
    let written = |table: &Table| serde_json::to_value(table.events.last().unwrap()).unwrap();
    assert_eq!(written(&table)["payload"]["timedOut"], true);
    table.play(&[Action::Fold]);
    let fold = table.events.iter().find(|event| matches!(event, Event::Fold(_))).unwrap();
    let fold = serde_json::to_value(fold).unwrap();
    assert_eq!(fold["payload"].get("timedOut"), None, "a player's own fold is as ever");
}

#[test]
fn no_client_can_say_that_time_is_up() {
    assert!(!Stud::is_for_clients(&Action::TimeOut));
    assert_eq!(Action::named("TIME_OUT"), None);
    let table = Table::seated(Rules::stud_hi(), 2, &[]);
    let other = if table.board().actor == Some(P1) { P2 } else { P1 };
    assert_eq!(table.refused(other, Action::TimeOut).0, "NOT_YOUR_TURN");
}

#[test]
fn in_a_freezeout_who_is_absent_antes_and_folds() {
    let rules = Rules { stacks: Stacks::Each(100), ..quick(Rules::freezeout()) };
    let mut table = Table::seated(rules, 2, &[]);
    table.act(P2, Action::SitOut);
    let mut deals = 0;
    while table.state.finished.is_none() {
        while let Some(seat) = table.board().actor {
            if seat == P2 {
                assert_eq!(seconds(&table, P2), Some(0), "nobody waits for it");
                lapse(&mut table);
            } else {
                let legal = table.legal();
                let bold = ["RAISE", "BET", "COMPLETE", "CALL"];
                let name = *bold.iter().find(|name| legal.contains(name)).unwrap_or(&legal[0]);
                table.play(&[Action::named(name).unwrap()]);
            }
        }
        deals += 1;
        assert!(deals < 200, "the absent stack is used up");
        if table.state.finished.is_none() {
            assert_eq!(Stud::awaiting(&table.state), Awaiting::House { kind: "NEXT_DEAL" });
            table.proceed();
            assert!(table.board().dealt_in.contains(P2), "it is dealt in");
            assert!(table.board().player(P2).committed_total > 0, "and antes");
        }
    }
    assert_eq!(table.state.finished.as_ref().unwrap().reason, Ending::LastStack);
}

#[test]
fn a_freezeout_of_absent_people_ends_too() {
    let mut table = Table::seated(quick(Rules::freezeout()), 3, &[]);
    for seat in [P1, P2, P3] {
        table.act(seat, Action::SitOut);
    }
    meekly(&mut table);
    let Awaiting::Seats { seats, kind } = Stud::awaiting(&table.state) else {
        panic!("nobody is there to play for the antes");
    };
    assert_eq!((seats.iter().count(), kind), (3, "AWAITING_PLAYERS"));
    assert_eq!(seconds(&table, P1), Some(120));
}

#[test]
fn a_table_with_too_few_players_ends_when_it_has_waited_long_enough() {
    let rules = Rules { wait_seconds: 30, ..Rules::stud_hi() };
    let mut table = Table::seated(rules, 2, &[]);
    table.act(P2, Action::SitOut);
    meekly(&mut table);
    let stacks = table.stacks();
    assert_eq!((seconds(&table, P2), seconds(&table, P1)), (Some(30), None));
    let action = Stud::timeout(&table.state, P2).expect("the wait is over");
    assert_eq!(table.act(P2, action), ["GAME_FINISHED"]);
    let finished = table.state.finished.as_ref().unwrap();
    assert_eq!(finished.reason, Ending::TooFewPlayers);
    assert_eq!(finished.stacks.as_slice(), stacks, "with the stacks as they are");
    assert!(finished.opening.is_some(), "and the seal is opened");
}

#[test]
fn who_is_alone_may_claim_the_match_at_once() {
    let mut table = Table::seated(Rules::stud_hi(), 3, &[]);
    table.act(P2, Action::SitOut);
    meekly(&mut table);
    assert_eq!(table.refused(P1, Action::Claim).0, "NO_CLAIM", "two want to play");
    table.act(P3, Action::SitOut);
    let mut asides = Vec::new();
    Stud::asides(&table.knowledge(Viewer::Seat(P1)), &mut asides);
    assert!(asides.contains(&Action::Claim));
    assert_eq!(table.refused(P2, Action::Claim).0, "NO_CLAIM", "it does not want to play");
    assert_eq!(table.act(P1, Action::Claim), ["GAME_FINISHED"]);
    assert_eq!(table.state.finished.as_ref().unwrap().reason, Ending::Claimed);
}

#[test]
fn sitting_out_and_back_buys_no_time() {
    for action in [Action::SitOut, Action::ComeBack, Action::Rebuy, Action::Claim] {
        assert!(Stud::is_aside(&action), "{action:?} leaves the question as it was");
    }
    assert!(!Stud::is_aside(&Action::TimeBank) && !Stud::is_aside(&Action::Fold));
}

fn stakes(ante: u32, bring_in: u32, small_bet: u32, big_bet: u32) -> Stakes {
    Stakes { ante, bring_in, small_bet, big_bet }
}

#[test]
fn stakes_rise_by_the_schedule_and_the_snapshot_says_when() {
    let levels = vec![stakes(10, 20, 40, 80), stakes(20, 40, 80, 160)];
    let schedule = Some(Schedule { every: 2, levels: levels.clone() });
    let rules = Rules { schedule, deals: Some(8), ..Rules::freezeout() };
    rules.check().expect("these are rules");
    let mut table = Table::seated(rules.clone(), 2, &[]);
    let mut played = Vec::new();
    while table.state.finished.is_none() {
        let known = serde_json::to_value(table.knowledge(Viewer::Public)).unwrap();
        played.push((table.board().stakes, known["nextStakes"]["deal"].clone()));
        assert_eq!(known["stakes"], json!(table.board().stakes));
        meekly(&mut table);
        table.proceed();
    }
    let [first, second, third] = [rules.stakes, levels[0], levels[1]];
    let null = Value::Null;
    assert_eq!(
        played,
        [
            (first, json!(3)),
            (first, json!(3)),
            (second, json!(5)),
            (second, json!(5)),
            (third, null.clone()),
            (third, null.clone()),
            (third, null.clone()),
            (third, null),
        ]
    );
}

#[test]
fn the_pot_is_nought_once_it_is_paid() {
    let mut table = Table::seated(Rules::stud_hi(), 2, &[]);
    let pot = |table: &Table| {
        let known = serde_json::to_value(table.knowledge(Viewer::Public)).unwrap();
        (known["pot"].clone(), known["lastDeal"]["pots"][0]["amount"].clone())
    };
    assert_eq!(pot(&table), (json!(10), Value::Null));
    table.play(&[Action::BringIn, Action::Fold]);
    assert_eq!(pot(&table), (json!(0), json!(20)), "the payout is in the last deal");
}

/// Written before there were editions: a seat with the bring-in left completes and
/// is raised, and the clock folds by that name.
#[test]
fn a_log_of_the_first_edition_is_played_again_to_the_byte() {
    let text = include_str!("data/first_edition.jsonl");
    let envelopes: Vec<Envelope> =
        text.lines().map(|line| serde_json::from_str(line).expect("an envelope")).collect();
    let log = Log::<Stud>::read(&envelopes).expect("a log");
    let rules = &log.opening().expect("an opening").rules;
    assert_eq!(rules.edition, 1);
    rules.check().expect("they can still be played");
    let end = reexecute(&log).expect("the same again");
    assert_eq!(Stud::awaiting(&end), Awaiting::Nobody);
    assert!(log.steps.iter().any(|step| matches!(step.cause, Cause::Clock { .. })));
    let written = log.envelopes("script");
    for (line, envelope) in text.lines().zip(&written) {
        assert_eq!(serde_json::to_string(envelope).unwrap(), line);
    }
    assert_eq!(written.len(), text.lines().count());
}

#[test]
fn a_short_opener_can_only_bring_it_in() {
    let rules = Rules { stacks: Stacks::BySeat(vec![15, 500, 500]), ..Rules::stud_hi() };
    let decks = [common::cards("KcQd2cAhAd9s7h6h8d")];
    let mut table = Table::dealt(rules.clone(), &decks);
    assert_eq!(table.legal(), ["BRING_IN"]);
    let (code, sentence) = table.refused(P1, Action::Complete);
    assert_eq!(code, "ILLEGAL_ACTION");
    assert!(sentence.contains("only bring it in"), "{sentence}");
    table.play(&[Action::BringIn]);
    assert_eq!(table.legal(), ["CALL", "FOLD", "COMPLETE"]);
    let before = Rules { stacks: rules.stacks, ..Rules::first_edition() };
    assert_eq!(Table::dealt(before, &decks).legal(), ["BRING_IN", "COMPLETE"]);
}

#[test]
fn a_short_completion_lifts_the_price_and_can_be_completed() {
    let rules = Rules { stacks: Stacks::BySeat(vec![20, 500, 500]), ..Rules::stud_hi() };
    let deck = common::cards("KcQd2cAhAd9s7h6h8d");
    let mut table = Table::dealt(rules, &[deck]);
    assert_eq!(table.legal(), ["BRING_IN", "COMPLETE"]);
    table.play(&[Action::Complete]);
    assert_eq!((table.board().current_bet, table.board().full_bet), (15, 0));
    assert_eq!(table.legal(), ["CALL", "FOLD", "COMPLETE"]);
    table.play(&[Action::Complete]);
    assert_eq!((table.board().current_bet, table.board().raise_count), (20, 0));
    assert_eq!(table.legal(), ["CALL", "FOLD", "RAISE"]);
}
