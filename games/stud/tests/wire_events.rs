//! The dialect `stud.events`: what is really sent, against its schemas, the
//! contract, a naive client that only applies events, and secrecy.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use parlor_kernel::laws::random_game;
use parlor_kernel::{
    Change, Dialect, DialectView, Game, Hosted, Log, Moment, Offered, Presence, RefusalNotice,
    Seat, Viewer,
};
use parlor_stud::{Action, Knowledge, Rules, Stacks, State, Stud, VariantChoice};
use serde_json::Value;
use std::sync::Arc;

fn dialect() -> Arc<dyn Dialect<Stud>> {
    Stud::dialects().remove(0)
}

fn schemas(commands: bool) -> BTreeMap<String, Validator> {
    let wanted = dialect().schemas().into_iter().filter(|schema| schema.is_command == commands);
    let compiled = |schema: parlor_kernel::EventSchema| {
        let validator = jsonschema::validator_for(&schema.schema).expect("a schema");
        (schema.name, validator)
    };
    wanted.map(compiled).collect()
}

fn judge(schemas: &BTreeMap<String, Validator>, message: &Value) {
    let name = message["type"].as_str().expect("a type");
    let schema = schemas.get(name).unwrap_or_else(|| panic!("{name} has a schema"));
    let errors: Vec<String> = schema.iter_errors(message).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}\n{message}");
}

/// One step as a listener is told it.
struct Step {
    events: Vec<Value>,
    texts: Vec<String>,
    snapshot: Value,
    state: State,
    knowledge: Knowledge,
}

fn tell(log: &Log<Stud>, viewer: Viewer) -> Vec<Step> {
    let mut listener = DialectView::new(viewer, dialect());
    let mut state = State::default();
    let mut steps = Vec::new();
    for (number, (_, events)) in log.by_step().enumerate() {
        for event in events {
            Stud::apply(&mut state, event);
            listener.witness(&state, event);
        }
        let now = 1_000 + number as u64;
        let mut texts = listener.told("law", now);
        let events = texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        let snapshot = listener.snapshot("law", now, Some(7));
        let told = serde_json::from_str(&snapshot).unwrap();
        texts.push(snapshot);
        let knowledge = listener.knowledge().clone();
        steps.push(Step { events, texts, snapshot: told, state: state.clone(), knowledge });
    }
    steps
}

/// Short mixed matches, told to two seats and a spectator.
fn told(matches: u32, mut check: impl FnMut(Viewer, &[Step])) {
    let rules =
        Rules { rotation_deals: 1, deals: Some(4), stacks: Stacks::Each(150), ..Rules::mixed() };
    for number in 0..matches {
        let seats = 2 + number as usize % 6;
        let (log, _) = random_game::<Stud>(&rules, seats, &format!("wire {number}"));
        for viewer in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Public] {
            check(viewer, &tell(&log, viewer));
        }
    }
}

/// The contract's ten types: whether they have a seat, a street, an amount.
const CONTRACT: [(&str, bool, bool, bool); 10] = [
    ("POST_ANTE", true, false, true),
    ("BRING_IN", true, true, true),
    ("COMPLETE", true, true, true),
    ("BET", true, true, true),
    ("RAISE", true, true, true),
    ("CALL", true, true, true),
    ("FOLD", true, true, false),
    ("CHECK", true, true, false),
    ("STREET_ADVANCE", false, true, false),
    ("DEAL_END", false, true, false),
];

#[test]
fn every_event_is_what_its_schema_and_the_contract_say() {
    let schemas = schemas(false);
    let mut heard = BTreeSet::new();
    told(36, |_, steps| {
        let mut position = 0;
        for (number, step) in steps.iter().enumerate() {
            for event in &step.events {
                position += 1;
                judge(&schemas, event);
                assert_eq!(event["id"], format!("evt_{position}"));
                assert_eq!(event["timestamp"], 1_000 + number as u64);
                let name = event["type"].as_str().unwrap();
                heard.insert(name.to_owned());
                if let Some((_, seat, street, amount)) =
                    CONTRACT.iter().find(|(known, ..)| *known == name)
                {
                    assert!(name == "DEAL_END" || event["seat"].is_number() == *seat, "{event}");
                    assert_eq!(event["street"].is_string(), *street, "{event}");
                    assert_eq!(event["amount"].is_number(), *amount, "{event}");
                    assert_eq!(event["paid"].is_number(), *amount, "{event}");
                }
            }
            judge(&schemas, &step.snapshot);
            assert_eq!(step.snapshot["id"], format!("evt_{position}"));
        }
    });
    for (name, ..) in CONTRACT {
        assert!(heard.contains(name), "{name} is heard");
    }
    for name in ["GAME_STARTED", "DEAL_STARTED", "DEAL_INIT", "DEAL_CARDS_3RD", "GAME_FINISHED"] {
        assert!(heard.contains(name), "{name} is heard");
    }
}

/// A client that does with each event what the contract says, and no more.
#[derive(Default)]
struct Client {
    players: Vec<(i64, bool, i64, i64)>,
    pot: i64,
    current_bet: i64,
    finished: bool,
}

impl Client {
    fn hear(&mut self, event: &Value) {
        let number = |field: &str| event[field].as_i64().unwrap_or(0);
        let seat = event["seat"].as_u64().unwrap_or(0) as usize;
        let paid = number("paid");
        match event["type"].as_str().unwrap() {
            "DEAL_STARTED" => {
                let stacks = event["stacks"].as_array().unwrap();
                let dealt: Vec<u64> =
                    event["seats"].as_array().unwrap().iter().flat_map(Value::as_u64).collect();
                let player = |(place, stack): (usize, &Value)| {
                    (stack.as_i64().unwrap(), dealt.contains(&(place as u64)), 0, 0)
                };
                *self = Client {
                    players: stacks.iter().enumerate().map(player).collect(),
                    ..Client::default()
                };
            }
            name @ ("POST_ANTE" | "BRING_IN" | "COMPLETE" | "BET" | "RAISE" | "CALL") => {
                let player = &mut self.players[seat];
                player.0 -= paid;
                player.2 += paid;
                if name != "POST_ANTE" {
                    player.3 += paid;
                }
                self.pot += paid;
                if !matches!(name, "POST_ANTE" | "CALL") {
                    self.current_bet = self.current_bet.max(player.3);
                }
                if name == "BRING_IN" {
                    self.current_bet = number("amount");
                }
            }
            "FOLD" => self.players[seat].1 = false,
            "STREET_ADVANCE" => {
                self.current_bet = 0;
                self.players.iter_mut().for_each(|player| player.3 = 0);
            }
            "DEAL_END" => {
                self.finished = true;
                for (player, change) in
                    self.players.iter_mut().zip(event["change"].as_array().unwrap())
                {
                    player.0 += player.2 + change.as_i64().unwrap();
                }
            }
            _ => {}
        }
    }
}

#[test]
fn a_naive_client_agrees_with_the_snapshot_of_every_moment() {
    told(18, |_, steps| {
        let mut client = Client::default();
        for step in steps {
            step.events.iter().for_each(|event| client.hear(event));
            let snapshot = &step.snapshot;
            assert_eq!(snapshot["pot"], if client.finished { 0 } else { client.pot });
            assert_eq!(snapshot["currentBet"], client.current_bet);
            assert_eq!(snapshot["dealFinished"], client.finished);
            for (told, player) in
                snapshot["players"].as_array().unwrap().iter().zip(&client.players)
            {
                assert_eq!(told["stack"], player.0);
                assert_eq!(told["active"], player.1);
                assert_eq!(told["committedTotal"], player.2);
                assert_eq!(told["committedThisStreet"], player.3);
            }
        }
    });
}

#[test]
fn who_is_asked_is_told_what_is_legal_with_its_chips() {
    told(12, |_, steps| {
        for step in steps {
            let board = &step.state.board;
            let last = step.events.last().unwrap();
            assert_eq!(last["next"]["seat"].as_u64(), board.actor.map(|seat| seat.0.into()));
            for event in &step.events[..step.events.len() - 1] {
                assert!(event["next"].is_null(), "nobody is asked within a step");
            }
            assert_eq!(step.snapshot["currentActorIndex"], last["next"]["seat"]);
            if let Some(seat) = board.actor {
                assert_eq!(step.snapshot["legal"], last["next"]["legal"]);
                for offer in last["next"]["legal"].as_array().unwrap() {
                    let action = Action::named(offer["type"].as_str().unwrap()).unwrap();
                    let command = serde_json::json!({ "type": action.name() }).to_string();
                    dialect().hear(command.as_bytes()).expect("an offer can be taken up");
                    assert!(offer["paid"].as_u64().unwrap() <= board.player(seat).stack.into());
                }
                let clock = Stud::clock(&step.state, seat).map(|clock| clock.as_secs());
                assert_eq!(last["next"]["timeoutSeconds"].as_u64(), clock);
                assert_eq!(step.snapshot["secondsLeft"], 7);
            }
        }
    });
}

#[test]
fn no_byte_tells_a_card_that_is_not_the_viewers_to_know() {
    told(18, |viewer, steps| {
        for step in steps {
            let board = &step.state.board;
            for seat in board.seated().filter(|seat| viewer.seat() != Some(*seat)) {
                for (place, card) in step.state.down[seat.index()].iter().enumerate() {
                    let Some(card) = card else { continue };
                    if step.knowledge.down[seat.index()][place].is_some() {
                        continue;
                    }
                    let quoted = format!("\"{card}\"");
                    for text in &step.texts {
                        assert!(!text.contains(&quoted), "{viewer} reads {seat}'s {card}: {text}");
                    }
                }
            }
            // The last cards of the deck are nobody's to know.
            for card in step.state.stub.left() {
                let quoted = format!("\"{card}\"");
                assert!(step.texts.iter().all(|text| !text.contains(&quoted)));
            }
        }
    });
}

#[test]
fn those_who_see_all_are_told_the_deck_and_every_hand() {
    let schemas = schemas(false);
    let (log, _) = random_game::<Stud>(&Rules { deals: Some(2), ..Rules::stud8() }, 5, "all");
    for viewer in [Viewer::Admin, Viewer::Postmortem] {
        for step in tell(&log, viewer) {
            step.events.iter().for_each(|event| judge(&schemas, event));
            judge(&schemas, &step.snapshot);
            for event in step.events.iter().filter(|event| event["type"] == "DEAL_INIT") {
                assert_eq!(event["deck"].as_array().unwrap().len(), 52);
            }
            assert_eq!(
                step.snapshot["deck"].as_array().unwrap().len(),
                step.state.stub.left().len()
            );
        }
    }
}

#[test]
fn a_snapshot_before_the_match_is_opened_still_has_every_field() {
    let listener = DialectView::new(Viewer::Public, dialect());
    let snapshot = serde_json::from_str(&listener.snapshot("law", 0, None)).unwrap();
    judge(&schemas(false), &snapshot);
    assert_eq!(snapshot["stage"], "UNOPENED");
}

#[test]
fn refusals_and_comings_and_goings_have_no_position() {
    let notice = RefusalNotice {
        reason: None,
        seat: Seat(1),
        code: "ILLEGAL_ACTION",
        message: "no",
        id: "evt_error_3",
        timestamp: 12,
        is_over: false,
    };
    let told: Value = serde_json::from_str(&dialect().refusal(&notice)).unwrap();
    judge(&schemas(false), &told);
    assert_eq!((&told["id"], &told["code"]), (&"evt_error_3".into(), &"ILLEGAL_ACTION".into()));
    assert_eq!(told["retryAllowed"], true);
    let over = RefusalNotice { is_over: true, ..notice };
    let told: Value = serde_json::from_str(&dialect().refusal(&over)).unwrap();
    assert_eq!(told["retryAllowed"], false);
    let change = Change::Leaves;
    let left = Presence { seat: Seat(1), name: "Ben", is_bot: false, change, timestamp: 12 };
    let told: Value = serde_json::from_str(&dialect().presence(&left)).unwrap();
    judge(&schemas(false), &told);
    assert_eq!((&told["seat"], &told["connected"]), (&1.into(), &false.into()));
}

#[test]
fn a_deal_end_names_hands_pots_and_changes() {
    let mut shown = 0;
    told(12, |_, steps| {
        for event in steps.iter().flat_map(|step| &step.events) {
            if event["type"] != "DEAL_END" {
                continue;
            }
            let change: i64 =
                event["change"].as_array().unwrap().iter().flat_map(Value::as_i64).sum();
            assert_eq!(change, 0, "what one wins another loses");
            for hand in event["shown"].as_array().unwrap() {
                shown += 1;
                assert_eq!(hand["cards"].as_array().unwrap().len(), 7);
                assert!(hand["high"].is_string() || hand["low"].is_string());
            }
        }
    });
    assert!(shown > 0);
}

#[test]
fn a_whole_match_reads_as_the_contract() {
    let rules = Rules {
        variant: VariantChoice::Stud8,
        stacks: Stacks::BySeat(vec![120, 400, 60]),
        deals: Some(2),
        ..Rules::stud_hi()
    };
    let (log, _) = random_game::<Stud>(&rules, 3, "golden 7");
    let steps = tell(&log, Viewer::Seat(Seat(0)));
    let mut lines: Vec<String> =
        steps.iter().flat_map(|step| step.texts[..step.texts.len() - 1].to_vec()).collect();
    lines.push(steps.last().unwrap().texts.last().unwrap().clone());
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_time_bank_and_comings_and_goings_of_seats_are_told() {
    let schemas = schemas(false);
    let mut table = common::Table::seated(Rules::open(), 3, &[]);
    let seat = table.board().actor.unwrap();
    table.act(seat, Action::TimeBank);
    table.act(Seat(0), Action::SitOut);
    table.act(Seat(0), Action::ComeBack);
    let mut listener = DialectView::new(Viewer::Public, dialect());
    let mut state = State::default();
    for event in &table.events {
        Stud::apply(&mut state, event);
        listener.witness(&state, event);
    }
    let told: Vec<Value> =
        listener.told("law", 0).iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    told.iter().for_each(|event| judge(&schemas, event));
    let last: Vec<&str> = told[told.len() - 3..].iter().flat_map(|e| e["type"].as_str()).collect();
    assert_eq!(last, ["TIME_BANK", "SAT_OUT", "CAME_BACK"]);
    assert_eq!(told[told.len() - 3]["seconds"], 15);
    assert_eq!(told.last().unwrap()["next"]["timeoutSeconds"], 15);
    let moment = Moment {
        game_id: "law",
        viewer: Viewer::Public,
        position: 0,
        timestamp: 0,
        times: Default::default(),
        seconds_left: None,
    };
    let snapshot: Value =
        serde_json::from_str(&dialect().snapshot(listener.knowledge(), &moment)).unwrap();
    assert_eq!(snapshot["players"][seat.index()]["timeBank"], 45);
}
