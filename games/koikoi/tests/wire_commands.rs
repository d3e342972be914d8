//! What both dialects hear: the five commands, and whatever else arrives.

mod wire;

use parlor_kernel::{ClientMessage, MessageError};
use parlor_koikoi::{Action, Card};
use proptest::prelude::*;
use serde_json::{Value, json};

fn hear(message: Value) -> Result<ClientMessage<Action>, MessageError> {
    hear_bytes(message.to_string().as_bytes())
}

fn hear_bytes(message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
    let [protocol, contract] = ["koikoi.protocol", "koikoi.contract"].map(wire::dialect);
    let heard = protocol.hear(message);
    assert_eq!(contract.hear(message), heard, "both dialects hear alike");
    heard
}

fn card(id: &str) -> Card {
    Card::from_id(id).unwrap()
}

fn refused(code: &str, message: Value) {
    match hear(message.clone()) {
        Err(MessageError::Refused { code: given, .. }) => assert_eq!(given, code, "{message}"),
        other => panic!("{message} is heard as {other:?}"),
    }
}

fn malformed(words: &[&str], message: &[u8]) {
    unreadable(None, words, message);
}

/// A message that cannot be read, under this code of the contracts if one is given.
fn unreadable(wanted: Option<&str>, words: &[&str], message: &[u8]) {
    match hear_bytes(message) {
        Err(MessageError::Unreadable { code, message: sentence }) => {
            assert!(wanted.is_none_or(|wanted| wanted == code), "{code}: {sentence}");
            for word in words {
                assert!(sentence.contains(word), "'{sentence}' does not name {word}");
            }
        }
        other => panic!("{} is heard as {other:?}", String::from_utf8_lossy(message)),
    }
}

#[test]
fn joining_names_the_player_and_the_token() {
    let join = json!({"command": "GameRequestJoin", "player_id": "p1", "session_token": "abc"});
    let (player_id, token) = (Some("p1".to_owned()), "abc".to_owned());
    assert_eq!(hear(join), Ok(ClientMessage::Join { player_id, token, after: None }));
}

#[test]
fn joining_may_ask_to_go_on_after_a_position() {
    let join = json!({
        "command": "GameRequestJoin", "player_id": "p1", "session_token": "abc", "after": 7,
    });
    assert!(matches!(hear(join), Ok(ClientMessage::Join { after: Some(7), .. })));
}

#[test]
fn a_hand_card_is_played_with_a_target_or_without() {
    let (played, taken) = (card("0341"), card("0342"));
    let play = |target| Ok(ClientMessage::Act(Action::Play { card: played, target }));
    let command = "TurnPlayHandCard";
    let with = json!({"command": command, "card": "0341", "target": "0342"});
    assert_eq!(hear(with), play(Some(taken)));
    assert_eq!(hear(json!({"command": command, "card": "0341", "target": null})), play(None));
    assert_eq!(hear(json!({"command": command, "card": "0341"})), play(None));
    assert_eq!(hear(json!({"command": command, "card": "0341", "mood": "good"})), play(None));
}

#[test]
fn a_target_is_selected_for_the_flipped_card() {
    let (source, target) = (card("0841"), card("0842"));
    let select = json!({"command": "TurnSelectTarget", "source": "0841", "target": "0842"});
    assert_eq!(hear(select), Ok(ClientMessage::Act(Action::Select { source, target })));
}

#[test]
fn a_decision_is_koi_koi_or_the_end() {
    let decide = |decision| json!({"command": "RoundMakeDecision", "decision": decision});
    assert_eq!(hear(decide("KOI_KOI")), Ok(ClientMessage::Act(Action::KoiKoi)));
    assert_eq!(hear(decide("END_ROUND")), Ok(ClientMessage::Act(Action::Stop)));
    let words = ["RoundMakeDecision", "decision", "KOI_KOI", "END_ROUND"];
    malformed(&words, decide("koi_koi").to_string().as_bytes());
}

#[test]
fn acknowledging_an_event_tells_its_position() {
    let acknowledge = |id| hear(json!({"command": "ClientAcknowledge", "event_id": id}));
    assert_eq!(acknowledge("evt_789"), Ok(ClientMessage::Acknowledge { position: Some(789) }));
    for without in ["evt_error_4", "evt_snapshot", "evt_presence"] {
        assert_eq!(acknowledge(without), Ok(ClientMessage::Acknowledge { position: None }));
    }
    let snapshot = acknowledge("evt_snapshot_12");
    assert_eq!(snapshot, Ok(ClientMessage::Acknowledge { position: Some(12) }));
    for foreign in
        ["", "evt_", "evt_x", "evt_-1", "evt_+1", "7", "evt_99999999999999999999", "evt_snapshot_"]
    {
        let heard = acknowledge(foreign);
        let is_unreadable = matches!(&heard, Err(MessageError::Unreadable { .. }));
        assert!(is_unreadable, "{foreign}: {heard:?}");
    }
}

#[test]
fn what_is_no_card_is_refused_where_it_stands() {
    for id in ["0121", "0831", "0999", "", "松"] {
        refused("INVALID_CARD", json!({"command": "TurnPlayHandCard", "card": id}));
        refused(
            "INVALID_TARGET",
            json!({"command": "TurnPlayHandCard", "card": "0111", "target": id}),
        );
        for (source, target) in [(id, "0111"), ("0111", id)] {
            refused(
                "INVALID_SELECTION",
                json!({"command": "TurnSelectTarget", "source": source, "target": target}),
            );
        }
    }
}

#[test]
fn what_is_malformed_is_answered_with_what_is_missing() {
    malformed(&["JSON"], b"");
    malformed(&["JSON"], b"\xff\xfe");
    malformed(&["JSON object"], b"[]");
    malformed(&["'command'", "GameRequestJoin"], b"{}");
    malformed(&["'command'"], br#"{"command": 3}"#);
    malformed(
        &[
            "'Fold'",
            "GameRequestJoin",
            "TurnPlayHandCard",
            "TurnSelectTarget",
            "RoundMakeDecision",
            "ClientAcknowledge",
        ],
        br#"{"command": "Fold"}"#,
    );
    for (command, field) in [
        ("GameRequestJoin", "player_id"),
        ("TurnPlayHandCard", "card"),
        ("TurnSelectTarget", "source"),
        ("RoundMakeDecision", "decision"),
        ("ClientAcknowledge", "event_id"),
    ] {
        malformed(&[command, field], json!({"command": command}).to_string().as_bytes());
        let wrong = json!({"command": command, field: 7}).to_string();
        malformed(&[command, field], wrong.as_bytes());
    }
    let play = json!({"command": "TurnPlayHandCard", "card": "0111", "target": 1}).to_string();
    malformed(&["TurnPlayHandCard", "target"], play.as_bytes());
    let join = r#"{"command":"GameRequestJoin","player_id":"p1","session_token":"t","after":-1}"#;
    malformed(&["GameRequestJoin", "after"], join.as_bytes());
}

#[test]
fn what_cannot_be_read_has_the_code_of_what_is_wrong_with_it() {
    let play = "TurnPlayHandCard";
    for (code, message) in [
        ("INVALID_CARD", json!({"command": play})),
        ("INVALID_CARD", json!({"command": play, "card": 111})),
        ("INVALID_TARGET", json!({"command": play, "card": "0111", "target": 7})),
        ("INVALID_SELECTION", json!({"command": "TurnSelectTarget", "target": "0111"})),
        ("INVALID_SELECTION", json!({"command": "TurnSelectTarget", "source": "0111"})),
        ("INVALID_SELECTION", json!({"command": "RoundMakeDecision"})),
        ("INVALID_SELECTION", json!({"command": "RoundMakeDecision", "decision": "MAYBE"})),
        ("INVALID_STATE", json!({"command": "GameRequestJoin", "player_id": "p1"})),
        ("INVALID_STATE", json!({"command": "ClientAcknowledge"})),
        ("INVALID_STATE", json!({"command": "Fold"})),
        ("INVALID_STATE", json!([])),
    ] {
        unreadable(Some(code), &[], message.to_string().as_bytes());
    }
    unreadable(Some("INVALID_STATE"), &["JSON"], b"{");
}

#[test]
fn an_answer_does_not_repeat_more_than_a_few_words() {
    let long = "柳".repeat(100_000);
    for message in [json!({"command": long}), json!({"command": "TurnPlayHandCard", "card": long})]
    {
        assert!(hear(message).unwrap_err().to_string().len() < 500);
    }
}

#[test]
fn command_schemas_take_what_is_heard() {
    let schemas = wire::dialect("koikoi.contract").schemas();
    let example = |name: &str| match name {
        "GameRequestJoin" => json!({"command": name, "player_id": "p1", "session_token": "t"}),
        "TurnPlayHandCard" => json!({"command": name, "card": "0341", "target": null}),
        "TurnSelectTarget" => json!({"command": name, "source": "0841", "target": "0842"}),
        "RoundMakeDecision" => json!({"command": name, "decision": "END_ROUND"}),
        "ClientAcknowledge" => json!({"command": name, "event_id": "evt_7"}),
        other => panic!("there is no command {other}"),
    };
    let commands: Vec<_> = schemas.iter().filter(|schema| schema.is_command).collect();
    assert_eq!(commands.len(), 5);
    for command in commands {
        let message = example(&command.name);
        let schema = jsonschema::validator_for(&command.schema).unwrap();
        assert!(schema.is_valid(&message), "{message}");
        assert!(hear(message.clone()).is_ok(), "{message}");
        assert!(!schema.is_valid(&json!({"command": command.name})));
    }
}

fn any_field() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        "evt_[0-9a-z_]{0,24}".prop_map(Value::from),
        "[01][0-9][1-4][1-4]".prop_map(Value::from),
        Just(json!({"card": []})),
    ]
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = hear_bytes(&bytes);
    }

    #[test]
    fn no_command_is_too_strange(
        command in "GameRequestJoin|TurnPlayHandCard|TurnSelectTarget|RoundMakeDecision|ClientAcknowledge|.{0,5}",
        fields in proptest::collection::btree_map(
            "player_id|session_token|after|card|target|source|decision|event_id|.{0,5}",
            any_field(),
            0..5,
        ),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut message = serde_json::to_value(fields).unwrap();
        message["command"] = command.into();
        let text = message.to_string();
        let _ = hear_bytes(text.as_bytes());
        let _ = hear_bytes(&text.as_bytes()[..cut.index(text.len() + 1)]);
    }
}
