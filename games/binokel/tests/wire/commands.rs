//! What is heard: the contract's nine commands, one more, and whatever else
//! arrives.

use parlor_binokel::{Action, Special, Suit};
use parlor_kernel::{ClientMessage, MessageError};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{card, set};
use crate::dialect;

fn hear(message: &Value) -> Result<Action, MessageError> {
    match dialect().hear(message.to_string().as_bytes())? {
        ClientMessage::Act(action) => Ok(action),
        other => panic!("{message} is heard as {other:?}"),
    }
}

fn command(event: &str, data: Value) -> Value {
    json!({ "event": event, "data": data })
}

fn malformed(message: &Value) {
    match hear(message) {
        Err(MessageError::Malformed(sentence)) => assert!(sentence.len() < 500, "{sentence}"),
        other => panic!("{message} is heard as {other:?}"),
    }
}

#[test]
fn every_command_of_the_contract_is_heard() {
    let discard = json!({ "cardIds": ["herz-ass-0", "kreuz-10-1"] });
    let melds = json!({ "melds": [{ "type": "PAAR", "cards": ["x"], "points": 9999 }] });
    for (message, action) in [
        (command("game:bid", json!({ "amount": 160 })), Action::Bid { amount: 160 }),
        (json!({ "event": "game:pass" }), Action::Pass),
        (command("game:takeDabb", Value::Null), Action::TakeDabb),
        (command("game:discard", discard), Action::Discard { cards: set("herz-ass-0 kreuz-10-1") }),
        (
            command("game:goOut", json!({ "suit": "schippe" })),
            Action::GoOut { suit: Suit::Schippe },
        ),
        (
            command("game:declareTrump", json!({ "suit": "herz" })),
            Action::DeclareTrump { suit: Suit::Herz },
        ),
        (
            command("game:announce", json!({ "special": "durch" })),
            Action::Announce { special: Special::Durch },
        ),
        (command("game:declareMelds", melds), Action::DeclareMelds),
        (
            command("game:playCard", json!({ "cardId": "kreuz-ass-1" })),
            Action::PlayCard { card: card("kreuz-ass-1") },
        ),
        (json!({ "event": "game:exit" }), Action::Exit),
    ] {
        assert_eq!(hear(&message), Ok(action), "{message}");
    }
}

#[test]
fn what_is_not_in_the_game_is_refused_for_what_it_is() {
    let refused = |message: Value, code, reason| match hear(&message) {
        Err(MessageError::Refused { code: told, reason: because, message: sentence, untimely }) => {
            assert_eq!((told, because, untimely), (code, Some(reason), false), "{message}");
            assert!(!sentence.is_empty() && sentence.len() < 200, "{sentence}");
        }
        other => panic!("{message} is heard as {other:?}"),
    };
    let invalid = |message, reason| refused(message, "INVALID_MOVE", reason);
    for amount in [json!(-10), json!(150.5), json!(1e99), json!(70_000)] {
        invalid(command("game:bid", json!({ "amount": amount })), "INVALID_BID_AMOUNT");
    }
    let four = json!({ "cardIds": ["herz-ass-0", "x", "", "herz-ass-2"] });
    invalid(command("game:discard", four), "CARD_NOT_IN_HAND");
    let twice = json!({ "cardIds": ["herz-ass-0", "herz-ass-0"] });
    invalid(command("game:discard", twice), "DUPLICATE_CARD");
    let many = json!({ "cardIds": vec!["x"; 1000] });
    invalid(command("game:discard", many), "CARD_NOT_IN_HAND");
    let karo = command("game:goOut", json!({ "suit": "karo" }));
    refused(karo, "GOOUT_FAILED", "INVALID_SUIT");
    invalid(command("game:declareTrump", json!({ "suit": "" })), "INVALID_SUIT");
    invalid(command("game:announce", json!({ "special": "ramsch" })), "INVALID_SPECIAL");
    invalid(command("game:playCard", json!({ "cardId": "hidden-0" })), "CARD_NOT_IN_HAND");
}

#[test]
fn a_missing_or_malformed_payload_is_malformed() {
    for event in [
        "game:bid",
        "game:discard",
        "game:goOut",
        "game:declareTrump",
        "game:announce",
        "game:declareMelds",
        "game:playCard",
    ] {
        malformed(&json!({ "event": event }));
        for data in [
            Value::Null,
            json!(3),
            json!("x"),
            json!([]),
            json!({}),
            json!({ "amount": "150" }),
            json!({ "cardIds": "herz-ass-0" }),
            json!({ "cardIds": [1] }),
            json!({ "suit": 1 }),
            json!({ "melds": {} }),
            json!({ "cardId": ["herz-ass-0"] }),
        ] {
            malformed(&command(event, data));
        }
    }
}

#[test]
fn what_is_no_command_is_answered_with_what_there_is() {
    for message in
        [json!({}), json!([]), json!(3), json!({ "event": 3 }), json!({ "event": "game:fold" })]
    {
        malformed(&message);
    }
    malformed(&json!({ "event": "柳".repeat(100_000) }));
    for bytes in [b"".as_slice(), b"\xff\xfe", b"{", b"nonsense"] {
        assert!(matches!(dialect().hear(bytes), Err(MessageError::Malformed(_))));
    }
}

#[test]
fn command_schemas_take_what_is_heard() {
    let example = |name: &str| match name {
        "game:bid" => json!({ "amount": 150 }),
        "game:discard" => json!({ "cardIds": ["herz-ass-0"] }),
        "game:goOut" | "game:declareTrump" => json!({ "suit": "herz" }),
        "game:announce" => json!({ "special": "bettel" }),
        "game:declareMelds" => json!({ "melds": [] }),
        "game:playCard" => json!({ "cardId": "herz-ass-0" }),
        _ => Value::Null,
    };
    let schemas = dialect().schemas();
    let commands: Vec<_> = schemas.iter().filter(|schema| schema.is_command).collect();
    assert_eq!(commands.len(), 10);
    for schema in commands {
        let validator = jsonschema::validator_for(&schema.schema).expect("it is a schema");
        let message = command(&schema.name, example(&schema.name));
        assert!(validator.is_valid(&message), "{message}");
        assert!(hear(&message).is_ok(), "{message}");
        assert!(!validator.is_valid(&json!({ "event": "game:other" })));
    }
}

fn any_data() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        "(kreuz|herz)-(ass|10|7|8)-[0-2]".prop_map(Value::from),
        proptest::collection::vec("(kreuz|herz)-(ass|10)-[0-2]", 0..7).prop_map(Value::from),
    ]
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = dialect().hear(&bytes);
    }

    #[test]
    fn no_command_is_too_strange(
        event in "game:(bid|pass|takeDabb|discard|goOut|declareTrump|declareMelds|playCard|exit|.{0,4})",
        data in proptest::collection::btree_map("amount|cardIds|suit|melds|cardId|.{0,4}", any_data(), 0..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let text = json!({ "event": event, "data": data }).to_string();
        let _ = dialect().hear(text.as_bytes());
        let _ = dialect().hear(&text.as_bytes()[..cut.index(text.len() + 1)]);
    }
}
