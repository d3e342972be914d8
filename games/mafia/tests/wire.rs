//! The dialect `mafia.events` and the stored envelope, against the contract.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use parlor_kernel::{
    Cause, Dialect, DialectView, Dice, Game, Hosted, Log, LogError, Offered, Order, Player,
    RefusalNotice, Seat, Seed, Spoken, Timekeeper, Viewer, laws, play_out, reexecute,
};
use parlor_mafia::{Action, Event, Mafia, Rules, State, wire};
use serde_json::{Value, json};

fn events() -> Arc<dyn Dialect<Mafia>> {
    wire::dialects().remove(0)
}

/// A game played by bots that think and speak.
fn game(rules: &Rules, seed: &str) -> Log<Mafia> {
    let bots = Mafia::bots();
    let kind = bots.iter().find(|kind| kind.name == "bayes").expect("a bot");
    let seats = rules.circle();
    let mut players: Vec<Box<dyn Player<Mafia>>> = (0..seats).map(|_| (kind.make)()).collect();
    let dice = Dice::new(&Seed::named(seed), "players");
    let mut streams: Vec<_> =
        (0..seats).map(|seat| dice.stream(format_args!("bot/{seat}"))).collect();
    let mut log = Log::default();
    play_out(laws::opening::<Mafia>(rules, seats, seed), &mut players, &mut streams, &mut log);
    // A second between any two steps, so that times are told.
    for (number, step) in (0..).zip(&mut log.steps) {
        step.timestamp = 1_700_000_000_000 + 1_000 * number;
    }
    log
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("what is said is JSON")
}

fn told(log: &Log<Mafia>, viewer: Viewer) -> Vec<Value> {
    let mut listener = DialectView::new(viewer, events());
    listener.catch_up(log, "law").iter().map(|text| parse(text)).collect()
}

fn stored(log: &Log<Mafia>) -> Vec<Value> {
    let envelopes = log.envelopes("law");
    envelopes.iter().map(|envelope| serde_json::to_value(envelope).expect("plain data")).collect()
}

/// The fields that the contract names, copied from it by hand.
const NAMED: &[(&str, &str)] = &[
    (
        "GAME_CREATED",
        "gameId seed config.players config.mafia config.doctor config.sheriff config.villagers \
         initialRoles[].playerId initialRoles[].playerName initialRoles[].role",
    ),
    ("PHASE_CHANGED", "from to dayNumber roundNumber"),
    ("NIGHT_ACTION_SUBMITTED", "agentId agentName actionType targetId targetName"),
    (
        "NIGHT_RESOLVED",
        "nightNumber killedPlayerId killedPlayerName protectedPlayerId protectedPlayerName \
         protectionPreventsKill investigationResult",
    ),
    ("AGENT_THINK_STREAM", "agentId agentName chunk turnId"),
    ("AGENT_SAY_STREAM", "agentId agentName chunk turnId"),
    ("VOTE_CAST", "roundNumber voterId voterName targetId targetName voteTime"),
    (
        "VOTE_RESULT",
        "roundNumber eliminatedPlayerId eliminatedPlayerName votes[].voterId votes[].voterName \
         votes[].targetId votes[].targetName voteDistribution majorityReached tie",
    ),
    ("PLAYER_ELIMINATED", "playerId playerName role eliminatedBy roundNumber flipRevealedRole"),
    (
        "GAME_ENDED",
        "winner winningPlayers[].playerId winningPlayers[].playerName winningPlayers[].role \
         finalGameState.dayNumber finalGameState.roundNumber finalGameState.alivePlayers[] \
         finalGameState.deadPlayers[] durationMs",
    ),
];

fn has(value: &Value, path: &str) -> bool {
    let (head, rest) = path.split_once('.').unwrap_or((path, ""));
    match head.strip_suffix("[]") {
        Some(list) => match value.get(list).and_then(Value::as_array) {
            Some(items) => rest.is_empty() || items.iter().all(|item| has(item, rest)),
            None => false,
        },
        None => match value.get(head) {
            Some(found) => rest.is_empty() || has(found, rest),
            None => false,
        },
    }
}

#[test]
fn stored_events_have_every_field_of_the_contract() {
    let mut met = BTreeMap::new();
    for envelope in stored(&game(&Rules::classic(), "stored")) {
        for field in ["eventType", "gameId", "sequence", "timestamp", "payload"] {
            assert!(envelope.get(field).is_some(), "{field}: {envelope}");
        }
        let kind = envelope["eventType"].as_str().expect("a name").to_owned();
        let named = NAMED.iter().find(|(name, _)| *name == kind);
        let (_, fields) = named.unwrap_or_else(|| panic!("{kind} is not of the contract"));
        for field in fields.split_whitespace() {
            assert!(has(&envelope["payload"], field), "{kind} has no {field}: {envelope}");
        }
        if kind == "AGENT_THINK_STREAM" {
            assert_eq!(envelope["private"], true);
        }
        *met.entry(kind).or_insert(0) += 1;
    }
    assert_eq!(met.len(), NAMED.len(), "every kind of event happens: {met:?}");
}

#[test]
fn names_and_times_are_those_of_the_game() {
    let log = game(&Rules::classic(), "names");
    let lines = stored(&log);
    let mut vote_began = 0;
    for line in &lines {
        let (now, payload) = (line["timestamp"].as_u64().expect("a time"), &line["payload"]);
        match line["eventType"].as_str() {
            Some("PHASE_CHANGED") if payload["to"] == "DAY_VOTING" => vote_began = now,
            Some("VOTE_CAST") => {
                assert_eq!(payload["voteTime"], now - vote_began, "{line}");
                let id = payload["voterId"].as_str().expect("an id");
                let name = format!("Player {}", &id[1..]);
                assert_eq!(payload["voterName"], name);
            }
            Some("GAME_ENDED") => {
                let began = lines[0]["timestamp"].as_u64().expect("a time");
                assert_eq!(payload["durationMs"], now - began);
            }
            _ => {}
        }
    }
}

#[test]
fn what_each_viewer_is_told_fits_its_schema() {
    let dialect = events();
    let validators: BTreeMap<String, jsonschema::Validator> = dialect
        .schemas()
        .into_iter()
        .filter(|schema| !schema.is_command)
        .map(|schema| {
            let validator = jsonschema::validator_for(&schema.schema);
            (schema.name, validator.expect("a schema is a schema"))
        })
        .collect();
    let check = |message: &Value| {
        let kind = message["eventType"].as_str().expect("a name");
        let validator = validators.get(kind).unwrap_or_else(|| panic!("{kind} has a schema"));
        let errors: Vec<String> =
            validator.iter_errors(message).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{message}: {errors:?}");
    };
    for (name, rules) in common::tables() {
        let log = game(&rules, name);
        for viewer in [Viewer::Admin, Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(3))]
        {
            let mut listener = DialectView::new(viewer, events());
            for text in listener.catch_up(&log, "law") {
                check(&parse(&text));
            }
            check(&parse(&listener.snapshot("law", 0, Some(7))));
        }
    }
    let notice = RefusalNotice {
        seat: Seat(2),
        code: "NOT_ALIVE",
        reason: None,
        message: "the dead neither act nor speak",
        id: "evt_error_1",
        timestamp: 5,
        is_over: false,
    };
    check(&parse(&dialect.refusal(&notice)));
}

#[test]
fn the_canonical_envelope_of_a_view_fits_its_schema() {
    let schemas =
        <parlor_kernel::LogDialect as Dialect<Mafia>>::schemas(&parlor_kernel::LogDialect);
    let validator = jsonschema::validator_for(&schemas[0].schema).expect("a schema");
    for (name, rules) in common::tables() {
        let log = game(&rules, name);
        for viewer in [Viewer::Admin, Viewer::Public, Viewer::Seat(Seat(1))] {
            let mut listener =
                DialectView::<Mafia>::new(viewer, Arc::new(parlor_kernel::LogDialect));
            for text in listener.catch_up(&log, "law") {
                let message = parse(&text);
                let errors: Vec<String> =
                    validator.iter_errors(&message).map(|error| error.to_string()).collect();
                assert!(errors.is_empty(), "{message}: {errors:?}");
            }
        }
    }
}

#[test]
fn sequences_are_dense_in_every_view_and_the_town_is_told_nothing_private() {
    let log = game(&Rules::classic(), "dense");
    for viewer in [Viewer::Admin, Viewer::Public, Viewer::Seat(Seat(4))] {
        for (expected, message) in (0..).zip(told(&log, viewer)) {
            assert_eq!(message["sequence"], json!(expected), "{viewer}");
            let is_private = message.get("private").is_some();
            assert!(!(is_private && viewer == Viewer::Public), "{message}");
        }
    }
}

#[test]
fn the_town_reads_no_secret_before_the_end() {
    for (name, rules) in common::tables() {
        let log = game(&rules, name);
        let told = told(&log, Viewer::Public);
        let running = &told[..told.len() - 1];
        for message in running {
            let kind = message["eventType"].as_str().expect("a name");
            let hidden = [
                "NIGHT_ACTION_SUBMITTED",
                "AGENT_THINK_STREAM",
                "AGENT_FAULT",
                "AGENT_USAGE",
                "FLOOR_BID",
                "NIGHT_ACKNOWLEDGED",
            ];
            assert!(!hidden.contains(&kind), "{name}: {message}");
            if kind == "NIGHT_RESOLVED" {
                assert_eq!(message["payload"]["protectedPlayerId"], Value::Null);
                assert_eq!(message["payload"]["investigationResult"], Value::Null);
            }
        }
    }
}

#[test]
fn a_log_with_an_event_twice_missing_or_after_the_end_is_no_log() {
    let log = game(&Rules::sized(5, 1), "broken");
    let envelopes = log.envelopes("law");
    let mut doubled = envelopes.clone();
    doubled.insert(3, envelopes[2].clone());
    assert!(matches!(Log::<Mafia>::read(&doubled), Err(LogError::Gap { expected: 3, found: 2 })));
    let mut short = envelopes.clone();
    short.remove(3);
    assert!(matches!(Log::<Mafia>::read(&short), Err(LogError::Gap { expected: 3, .. })));
    let mut long = log.clone();
    let vote = log.events.iter().find(|event| matches!(event, Event::VoteCast(_)));
    let seat = Seat(0);
    long.begin(Cause::Seat { seat, action: Action::Vote { target: None } }, 0);
    long.events.extend(vote.cloned());
    let difference = reexecute(&long).expect_err("nothing follows the end");
    assert!(difference.expected.contains("GAME_OVER"), "{difference}");
}

#[test]
fn times_and_the_cutting_of_words_do_not_change_the_fold() {
    let log = game(&Rules::classic(), "folded");
    let state = log.fold();
    let mut envelopes = log.envelopes("law");
    for envelope in &mut envelopes {
        envelope.timestamp += 5;
        let mut payload: Value = serde_json::from_str(envelope.payload.get()).expect("JSON");
        for field in ["voteTime", "durationMs"] {
            if payload.get(field).is_some() {
                payload[field] = json!(77);
            }
        }
        envelope.payload = serde_json::value::to_raw_value(&payload).expect("JSON");
    }
    assert_eq!(Log::<Mafia>::read(&envelopes).expect("a log").fold(), state);
    let mut cut = Vec::new();
    for event in log.events {
        match event {
            Event::AgentSayStream(chunk) if chunk.chunk.len() > 1 => {
                let (one, other) = chunk.chunk.split_at(1);
                let (one, other) = (one.into(), other.into());
                let first = parlor_mafia::Chunk { chunk: one, r#final: false, ..chunk.clone() };
                cut.push(Event::AgentSayStream(first));
                cut.push(Event::AgentSayStream(parlor_mafia::Chunk { chunk: other, ..chunk }));
            }
            other => cut.push(other),
        }
    }
    assert_eq!(Log::<Mafia> { events: cut, steps: Vec::new() }.fold(), state);
}

#[test]
fn a_game_of_five_as_each_view_is_told() {
    let rules = Rules { sheriff: 0, ..Rules::sized(5, 1) };
    let log = game(&rules, "told");
    let mut text = String::new();
    for viewer in [Viewer::Public, Viewer::Seat(Seat(0)), Viewer::Admin] {
        text += &format!("{viewer}\n");
        let mut listener = DialectView::new(viewer, events());
        for message in listener.catch_up(&log, "law") {
            text += &format!("{message}\n");
        }
        text += &format!("{}\n\n", listener.snapshot("law", 0, None));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_state_of_a_view_is_told_with_its_legal_moves() {
    let rules = Rules::classic();
    let log = game(&rules, "legal");
    let upto = log.steps[1].first as usize;
    let opening =
        Log::<Mafia> { events: log.events[..upto].to_vec(), steps: log.steps[..1].to_vec() };
    let cast = opening.fold().cast;
    let sheriff = cast.sheriff.iter().next().expect("a sheriff");
    let mut listener = DialectView::new(Viewer::Seat(sheriff.seat()), events());
    listener.catch_up(&opening, "law");
    let you = &parse(&listener.snapshot("law", 0, None))["payload"]["you"];
    assert_eq!((&you["role"], &you["asked"]), (&json!("sheriff"), &json!("NIGHT_ACTION")));
    let legal = you["legalActions"].as_array().expect("moves");
    assert_eq!(legal.len(), 9);
    for action in legal {
        let heard = events().hear(action.to_string().as_bytes());
        assert!(matches!(heard, Ok(parlor_kernel::ClientMessage::Act(_))), "{action}");
    }
    let state = Mafia::picture(listener.knowledge());
    assert!(state.contains("sheriff") && state.contains("Night 1"), "{state}");
}

const HOUR: u64 = 3_600_000;

/// The same game with a pause of an hour in the midst of its first vote.
fn paused(log: &Log<Mafia>) -> Log<Mafia> {
    let mut state = State::default();
    let mut there = Log::<Mafia>::default();
    let (mut voted, mut rested) = (0, 0);
    for (step, events) in log.by_step() {
        if voted >= 3 && rested == 0 {
            for order in [Order::Pause, Order::Resume] {
                let mut out = Vec::new();
                Mafia::obey(&state, &order, &mut out);
                out.iter().for_each(|event| Mafia::apply(&mut state, event));
                there.begin(Cause::Order { order }, step.timestamp + rested);
                there.events.extend(out);
                rested = HOUR;
            }
        }
        there.begin(step.cause.clone(), step.timestamp + rested);
        there.events.extend_from_slice(events);
        events.iter().for_each(|event| Mafia::apply(&mut state, event));
        voted += events.iter().filter(|event| matches!(event, Event::VoteCast(_))).count();
    }
    there
}

#[test]
fn vote_time_counts_from_the_beginning_of_the_vote_without_pauses() {
    let log = game(&Rules::classic(), "paused");
    let times = |log: &Log<Mafia>| -> Vec<Value> {
        let votes = stored(log).into_iter().filter(|line| line["eventType"] == "VOTE_CAST");
        votes.map(|mut vote| vote["payload"]["voteTime"].take()).collect()
    };
    let there = paused(&log);
    assert_eq!(there.steps.len(), log.steps.len() + 2, "the game is paused once");
    assert_eq!(times(&there), times(&log));
    let former = there.envelopes_timed("law", Timekeeper::that_begins_anew());
    assert!(former != there.envelopes("law"), "it was told otherwise before");
    assert!(Log::read(&former).is_ok_and(|read| read == there), "and reads back alike");
}
