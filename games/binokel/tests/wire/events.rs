//! What is said: shapes, batches, positions, secrets.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use parlor_binokel::{Action, CardSet, DabbShown, Rules, Suit};
use parlor_kernel::{Change, Order, Presence, RefusalNotice, Seat, Viewer};
use serde_json::{Value, json};

use crate::common::{P1, P2, P3, Table, bid, card, go_out, trump};
use crate::{dialect, games, read, tell, viewers};

fn validators() -> BTreeMap<String, Validator> {
    let schemas = dialect().schemas().into_iter().filter(|schema| !schema.is_command);
    schemas
        .map(|schema| {
            let validator = jsonschema::validator_for(&schema.schema).expect("it is a schema");
            (schema.name, validator)
        })
        .collect()
}

fn assert_fits(validators: &BTreeMap<String, Validator>, message: &Value) {
    let name = message["type"].as_str().expect("it has a type");
    let validator = validators.get(name).unwrap_or_else(|| panic!("{name} has no schema"));
    if let Err(error) = validator.validate(message) {
        panic!("{error}: {message}");
    }
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().expect("it has a type")).collect()
}

#[test]
fn everything_said_fits_its_schema() {
    let validators = validators();
    let mut said = BTreeSet::new();
    let mut terminated = Table::dealt(Rules::contract(), &["", ""]);
    terminated.act(P2, Action::Exit);
    let mut called_off = Table::dealt(Rules::contract(), &["", ""]);
    called_off.order(Order::CallOff { reason: "inactivity".to_owned() });
    let ended = [terminated.log, called_off.log].map(|log| ("ended".to_owned(), 2, log));
    for (_, players, log) in games(1).chain(ended) {
        for viewer in viewers(players).chain([Viewer::Admin]) {
            for step in tell(&log, viewer) {
                for event in &step.events {
                    assert_fits(&validators, event);
                    said.insert(event["type"].as_str().expect("it has a type").to_owned());
                }
                assert_fits(&validators, &step.snapshot);
            }
        }
    }
    let is_aside = |name: &&String| {
        ["SNAPSHOT", "error"].contains(&name.as_str()) || name.starts_with("player:")
    };
    for name in validators.keys().filter(|name| !is_aside(name)) {
        assert!(said.contains(name), "{name} was never said");
    }
}

#[test]
fn events_are_numbered_from_one_in_every_view() {
    for (seed, players, log) in games(1) {
        for viewer in viewers(players) {
            let told = tell(&log, viewer);
            let events = told.iter().flat_map(|step| &step.events);
            for (sequence, event) in (1..).zip(events) {
                assert_eq!(event["sequence"], sequence, "{seed} {viewer}");
                assert_eq!(event["id"], format!("evt_{sequence}"));
                assert_eq!(event["sessionId"], "still-pilz-29");
            }
        }
    }
}

#[test]
fn every_viewer_hears_the_same_events_in_the_same_batches() {
    for (seed, players, log) in games(1) {
        let heard = |viewer| -> Vec<Vec<String>> {
            let steps = tell(&log, viewer);
            let names = |events: &[Value]| types(events).into_iter().map(str::to_owned).collect();
            steps.iter().map(|step| names(&step.events)).collect()
        };
        let first = heard(Viewer::Public);
        for viewer in viewers(players) {
            assert_eq!(heard(viewer), first, "{seed} {viewer}");
        }
    }
}

#[test]
fn a_game_starts_with_its_players_and_the_deal() {
    let told = tell(&Table::dealt(Rules::contract(), &["", "", "", ""]).log, Viewer::Seat(P1));
    let joined = "PLAYER_JOINED";
    let start = [joined, joined, joined, joined, "GAME_STARTED", "CARDS_DEALT"];
    assert_eq!(types(&told[0].events), start);
    let third = &told[0].events[2]["payload"];
    assert_eq!(third["playerIndex"], 2);
    assert_eq!((&third["team"], &third["nickname"]), (&json!(0), &json!("Player 3")));
    let payload = &told[0].events[4]["payload"];
    assert_eq!((&payload["targetScore"], &payload["dealer"]), (&json!(1000), &json!(3)));
}

#[test]
fn without_teams_nobody_has_a_team() {
    let told = tell(&Table::dealt(Rules::contract(), &["", "", ""]).log, Viewer::Public);
    assert!(told[0].events[0]["payload"].get("team").is_none());
}

/// A table whose declarer has taken the dabb, laid away and named trump.
fn declared(rules: Rules) -> Table {
    let mut table = Table::dealt(rules, &["", "", ""]);
    table.bid_alone(150);
    table.declare(Suit::Herz, "");
    table
}

fn payload<'a>(told: &'a [crate::ToldStep], name: &str) -> &'a Value {
    let mut events = told.iter().flat_map(|step| &step.events);
    &events.find(|event| event["type"] == name).expect("it was said")["payload"]
}

#[test]
fn hidden_cards_are_placeholders_that_keep_the_count() {
    let table = declared(Rules::contract());
    let told = tell(&table.log, Viewer::Seat(P2));
    let hidden = |place: usize| json!({ "id": format!("hidden-{place}"), "suit": "kreuz", "rank": "buabe", "copy": 0 });
    let dealt = payload(&told, "CARDS_DEALT");
    let all_hidden = |count| Value::from((0..count).map(hidden).collect::<Vec<_>>());
    assert_eq!(dealt["hands"]["0"], all_hidden(12));
    assert_eq!(dealt["hands"]["2"], all_hidden(12));
    assert_eq!(dealt["dabb"], all_hidden(4));
    assert_eq!(dealt["hands"]["1"].as_array().map(Vec::len), Some(12));
    assert!(payload(&told, "BIDDING_WON").get("dabb").is_none());
    assert_eq!(payload(&told, "DABB_TAKEN")["dabbCards"], all_hidden(4));
    let discarded = &payload(&told, "CARDS_DISCARDED")["discardedCards"];
    assert_eq!(*discarded, json!(["hidden", "hidden", "hidden", "hidden"]));
}

#[test]
fn the_declarer_sees_the_dabb_and_what_it_laid_away() {
    let table = declared(Rules::contract());
    let told = tell(&table.log, Viewer::Seat(P1));
    let won = &payload(&told, "BIDDING_WON")["dabb"];
    assert_eq!(won.as_array().map(Vec::len), Some(4));
    assert_eq!(payload(&told, "DABB_TAKEN")["dabbCards"], *won);
    let discarded = &payload(&told, "CARDS_DISCARDED")["discardedCards"];
    assert_eq!(*discarded, json!(table.state.laid_away));
}

#[test]
fn by_classic_all_see_the_dabb_and_buried_trumps_come_first() {
    let mut table = Table::dealt(Rules::classic(), &["kreuz-ass-0 herz-ass-0", "", ""]);
    table.bid_alone(150);
    table.act(P1, Action::TakeDabb);
    table.act(P1, trump(Suit::Herz));
    let plain = table.hand(P1).without(CardSet::of_suit(Suit::Herz)).iter().take(3);
    let cards = plain.chain([card("herz-ass-0")]).collect();
    table.act(P1, Action::Discard { cards });
    let told = tell(&table.log, Viewer::Seat(P3));
    let discarded = &payload(&told, "CARDS_DISCARDED")["discardedCards"];
    assert_eq!(*discarded, json!(["herz-ass-0", "hidden", "hidden", "hidden"]));
    let won = &payload(&told, "BIDDING_WON")["dabb"];
    assert_eq!(won.as_array().map(Vec::len), Some(4));
    assert_eq!(payload(&told, "DABB_TAKEN")["dabbCards"], *won);
}

/// Every card id in a text.
fn ids_in(text: &str) -> BTreeSet<&str> {
    let words = text.split('"').filter(|word| parlor_binokel::Card::from_id(word).is_some());
    words.collect()
}

#[test]
fn no_text_names_a_card_its_viewer_may_not_know() {
    for (seed, players, log) in games(2) {
        for viewer in viewers(players) {
            // Cards face up so far in this round: played, melded, shown.
            let mut open = CardSet::EMPTY;
            for step in tell(&log, viewer) {
                let rules = step.state.rules().expect("it began");
                let board = &step.state.board;
                for (text, event) in step.texts.iter().zip(&step.events) {
                    let payload = &event["payload"];
                    let mut may = open;
                    match event["type"].as_str().expect("it has a type") {
                        "CARDS_DEALT" => {
                            open = CardSet::EMPTY;
                            let own = viewer.seat().map(|seat| step.state.hands[seat.index()]);
                            may = own.unwrap_or(CardSet::EMPTY);
                        }
                        "BIDDING_WON" | "DABB_TAKEN" | "CARDS_DISCARDED" => {
                            let own =
                                viewer.seat().is_some_and(|seat| payload["playerIndex"] == seat.0);
                            let shown = rules.dabb_shown == DabbShown::All
                                && event["type"] != "CARDS_DISCARDED";
                            if own || shown {
                                may = CardSet::WITH_SEVENS;
                            } else if let (true, Some(trump)) =
                                (rules.buried_trumps_shown, board.trump)
                            {
                                may = CardSet::of_suit(trump);
                            }
                        }
                        "MELDS_DECLARED" | "CARD_PLAYED" => {
                            open = ids_in(text).into_iter().map(card).chain(open.iter()).collect();
                            may = open;
                        }
                        _ => {}
                    }
                    for id in ids_in(text) {
                        assert!(may.contains(card(id)), "{seed} {viewer} is told of {id}: {text}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_refusal_tells_code_and_reason() {
    let notice = RefusalNotice {
        seat: Seat(1),
        code: "INVALID_MOVE",
        reason: Some("FIRST_BIDDER_MUST_BID"),
        message: "nobody has bid yet",
        id: "evt_error_1",
        timestamp: 0,
        is_over: false,
    };
    let said = read(&dialect().refusal(&notice));
    assert_fits(&validators(), &said);
    assert_eq!(
        said,
        json!({
            "type": "error", "message": "nobody has bid yet", "code": "INVALID_MOVE",
            "params": { "reason": "FIRST_BIDDER_MUST_BID" },
        })
    );
    let malformed = RefusalNotice { code: "MALFORMED", reason: None, ..notice };
    assert!(read(&dialect().refusal(&malformed)).get("params").is_none());
}

#[test]
fn comings_and_goings_are_told_in_the_contracts_words() {
    let names = [
        (Change::Joins, "player:joined"),
        (Change::Leaves, "player:left"),
        (Change::Returns, "player:reconnected"),
        (Change::IsStoodInFor, "player:substituted"),
    ];
    for (change, name) in names {
        let presence = Presence { seat: P2, name: "Ben", is_bot: false, change, timestamp: 7 };
        let said = read(&dialect().presence(&presence));
        assert_fits(&validators(), &said);
        assert_eq!((&said["type"], &said["playerIndex"]), (&json!(name), &json!(1)));
        assert_eq!((&said["nickname"], &said["isAI"]), (&json!("Ben"), &json!(false)));
    }
}

#[test]
fn going_out_is_one_batch_to_the_next_deal() {
    let mut table = Table::dealt(Rules::contract(), &["", ""]);
    table.act(P1, bid(150));
    table.act(P2, Action::Pass);
    table.act(P1, Action::TakeDabb);
    table.act(P1, go_out(Suit::Kreuz));
    table.act(P2, Action::DeclareMelds);
    let told = tell(&table.log, Viewer::Public);
    let batches: Vec<_> = told.iter().skip(1).map(|step| types(&step.events)).collect();
    assert_eq!(
        batches,
        [
            vec!["BID_PLACED"],
            vec!["PLAYER_PASSED", "BIDDING_WON"],
            vec!["DABB_TAKEN"],
            vec!["GOING_OUT"],
            vec![
                "MELDS_DECLARED",
                "MELDING_COMPLETE",
                "ROUND_SCORED",
                "NEW_ROUND_STARTED",
                "CARDS_DEALT"
            ],
        ]
    );
}

/// A round as the wire tells it, one line an event.
fn round_on_the_wire(players: usize, viewer: Viewer) -> String {
    let rules = Rules { rounds: Some(1), ..Rules::contract() };
    let mut table = Table::scripted(rules, players, json!({}));
    table.time_out_until_scored(1);
    tell(&table.log, viewer)
        .iter()
        .flat_map(|step| &step.texts)
        .map(|text| format!("{text}\n"))
        .collect()
}

#[test]
fn a_round_of_two_reads_as_the_contract() {
    insta::assert_snapshot!(round_on_the_wire(2, Viewer::Seat(P1)));
}

#[test]
fn a_round_of_three_reads_as_the_contract() {
    insta::assert_snapshot!(round_on_the_wire(3, Viewer::Seat(P2)));
}

#[test]
fn a_round_of_four_reads_as_the_contract() {
    insta::assert_snapshot!(round_on_the_wire(4, Viewer::Public));
}
