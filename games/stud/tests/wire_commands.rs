//! What clients of `stud.events` may send, and that nothing is too strange.

use parlor_kernel::{ClientMessage, MessageError, Offered};
use parlor_stud::{Action, Stud};
use proptest::prelude::*;
use serde_json::{Value, json};

fn hear_bytes(bytes: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
    Stud::dialects().remove(0).hear(bytes)
}

fn hear(message: Value) -> Result<ClientMessage<Action>, MessageError> {
    hear_bytes(message.to_string().as_bytes())
}

#[test]
fn every_action_is_heard_by_its_name() {
    for action in Action::ALL {
        assert_eq!(hear(json!({ "type": action.name() })), Ok(ClientMessage::Act(action)));
    }
}

#[test]
fn an_acknowledgement_names_an_event() {
    let position = |id: &str| hear(json!({ "type": "ACKNOWLEDGE", "id": id }));
    assert_eq!(position("evt_7"), Ok(ClientMessage::Acknowledge { position: Some(7) }));
    assert_eq!(position("evt_presence"), Ok(ClientMessage::Acknowledge { position: None }));
    assert_eq!(position("evt_error_2"), Ok(ClientMessage::Acknowledge { position: None }));
    for strange in ["7", "evt_", "evt_-1", "evt_+1", "evt_99999999999999999999"] {
        assert!(position(strange).is_err(), "{strange}");
    }
}

#[test]
fn what_is_not_understood_is_answered_with_what_would_be() {
    for message in [json!({ "type": "SHOVE" }), json!({ "type": 3 }), json!({}), json!(["CALL"])] {
        let Err(MessageError::Malformed(sentence)) = hear(message.clone()) else {
            panic!("{message} is no command");
        };
        assert!(sentence.contains("type") || sentence.contains("CALL"), "{sentence}");
    }
    let long = "X".repeat(5_000);
    let Err(misheard) = hear(json!({ "type": long })) else { panic!("no such command") };
    assert!(misheard.to_string().len() < 300);
}

#[test]
fn schemas_take_what_is_heard() {
    let commands: Vec<_> = Stud::dialects()
        .remove(0)
        .schemas()
        .into_iter()
        .filter(|schema| schema.is_command)
        .collect();
    assert_eq!(commands.len(), Action::ALL.len() + 1);
    for command in commands {
        let message = json!({ "type": command.name, "id": "evt_7" });
        let schema = jsonschema::validator_for(&command.schema).unwrap();
        assert!(schema.is_valid(&message), "{message}");
        assert!(hear(message).is_ok());
        assert!(!schema.is_valid(&json!({})));
    }
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = hear_bytes(&bytes);
    }

    #[test]
    fn no_command_is_too_strange(
        name in "BRING_IN|COMPLETE|ACKNOWLEDGE|CALL|.{0,5}",
        id in prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::from),
            "evt_[0-9a-z_]{0,24}".prop_map(Value::from),
        ],
        cut in any::<prop::sample::Index>(),
    ) {
        let text = json!({ "type": name, "id": id }).to_string();
        let _ = hear_bytes(text.as_bytes());
        let _ = hear_bytes(&text.as_bytes()[..cut.index(text.len() + 1)]);
    }
}
