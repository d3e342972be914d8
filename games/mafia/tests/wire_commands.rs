//! What the dialect hears: the commands, and whatever else arrives.

mod common;

use common::table::p;
use parlor_kernel::{ClientMessage, Explained, LogDialect, MessageError, Offered, Scripted};
use parlor_mafia::{Action, Channel, Mafia, Words};
use proptest::prelude::*;
use serde_json::{Value, json};

fn hear_bytes(message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
    Mafia::dialects()[0].hear(message)
}

fn hear(message: Value) -> Result<ClientMessage<Action>, MessageError> {
    hear_bytes(message.to_string().as_bytes())
}

fn act(message: Value) -> Action {
    match hear(message.clone()) {
        Ok(ClientMessage::Act(action)) => action,
        other => panic!("{message} is heard as {other:?}"),
    }
}

fn malformed(message: Value) -> String {
    match hear(message.clone()) {
        Err(MessageError::Malformed(sentence)) => sentence,
        other => panic!("{message} is heard as {other:?}"),
    }
}

#[test]
fn every_command_is_heard() {
    let say =
        |text: &str, r#final, channel| Action::Say { text: Words::from(text), r#final, channel };
    for (message, action) in [
        (json!({"type": "KILL", "target": "p5"}), Action::Kill { target: Some(p("p5")) }),
        (json!({"type": "KILL", "target": null}), Action::Kill { target: None }),
        (json!({"type": "PROTECT", "target": "p7"}), Action::Protect { target: p("p7") }),
        (json!({"type": "INVESTIGATE", "target": "p10"}), Action::Investigate { target: p("p10") }),
        (json!({"type": "ACKNOWLEDGE"}), Action::Acknowledge {}),
        (json!({"type": "VOTE", "target": "p2"}), Action::Vote { target: Some(p("p2")) }),
        (json!({"type": "VOTE", "target": null}), Action::Vote { target: None }),
        (json!({"type": "VOTE"}), Action::Vote { target: None }),
        (json!({"type": "BID", "amount": 2}), Action::Bid { amount: 2 }),
        (json!({"type": "SAY", "text": "hello"}), say("hello", true, Channel::Public)),
        (json!({"type": "SAY", "text": ""}), say("", true, Channel::Public)),
        (json!({"type": "SAY", "text": "h", "final": false}), say("h", false, Channel::Public)),
        (json!({"type": "SAY", "text": "p5", "channel": "mafia"}), say("p5", true, Channel::Mafia)),
    ] {
        assert_eq!(act(message), action);
    }
    let shown = hear(json!({"type": "SHOWN", "position": 7}));
    assert_eq!(shown, Ok(ClientMessage::Acknowledge { position: Some(7) }));
}

#[test]
fn a_target_that_is_nobody_is_refused_like_an_illegal_move() {
    for (message, expected) in [
        (json!({"type": "KILL", "target": "bob"}), "UNKNOWN_TARGET"),
        (json!({"type": "VOTE", "target": "p0"}), "UNKNOWN_TARGET"),
        (json!({"type": "VOTE", "target": "p99999999999999999999"}), "UNKNOWN_TARGET"),
        (json!({"type": "PROTECT", "target": null}), "TARGET_MISSING"),
        (json!({"type": "INVESTIGATE"}), "TARGET_MISSING"),
        (json!({"type": "BID", "amount": 300}), "BAD_BID"),
    ] {
        match hear(message.clone()) {
            Err(MessageError::Refused { code, .. }) => assert_eq!(code, expected, "{message}"),
            other => panic!("{message} is heard as {other:?}"),
        }
    }
}

#[test]
fn whatever_else_arrives_is_answered_with_what_would_be_right() {
    assert!(malformed(json!({})).contains("KILL"));
    assert!(malformed(json!([])).contains("type"));
    assert!(malformed(json!({"type": "DANCE"})).contains("DANCE"));
    assert!(malformed(json!({"type": "SAY"})).contains("text"));
    assert!(malformed(json!({"type": "VOTE", "target": 3})).contains("target"));
    assert!(malformed(json!({"type": "SAY", "text": "x", "final": 1})).contains("final"));
    assert!(malformed(json!({"type": "SAY", "text": "x", "channel": "moon"})).contains("mafia"));
    assert!(malformed(json!({"type": "x".repeat(500)})).len() < 200);
}

/// Thoughts, faults, usage: whoever keeps an agent reports them. No client can.
#[test]
fn no_client_can_report_about_an_agent() {
    for report in [
        Action::think("hm"),
        Action::FallBack { reason: Words::from("tired") },
        Action::Fault { reason: Words::from("no JSON") },
        Action::Usage(Box::default()),
        Action::Assign(Box::default()),
    ] {
        let message = serde_json::to_value(&report).expect("plain data");
        malformed(message.clone());
        let canonical: &dyn parlor_kernel::Dialect<Mafia> = &LogDialect;
        let heard = canonical.hear(message.to_string().as_bytes());
        assert!(matches!(heard, Err(MessageError::Malformed(_))), "{message}: {heard:?}");
        assert_eq!(Mafia::script_action(&message), Ok(report), "scripts may");
    }
}

#[test]
fn questions_that_cannot_be_answered_say_why() {
    let ask = |question: &str, input: Value| {
        Mafia::ask(question, &input).expect_err("no answer").to_string()
    };
    assert!(ask("weather", json!({})).contains("night, vote"));
    assert!(ask("night", json!({})).contains("roles"));
    let roles =
        json!({"p1": "mafia", "p2": "doctor", "p3": "sheriff", "p4": "villager", "p5": "villager"});
    let night = |submissions: Value| {
        ask("night", json!({ "roles": roles, "last_protected": "p2", "submissions": submissions }))
    };
    assert!(night(json!([{"by": "p2", "target": "p2"}])).contains("REPEAT_PROTECT"));
    assert!(night(json!([{"by": "p1", "target": "p1"}])).contains("TARGET_SELF"));
    assert!(night(json!([{"by": "p4", "target": "p1"}])).contains("ROLE_MISMATCH"));
    assert!(night(json!([{"by": "p9", "target": "p1"}])).contains("UNKNOWN_PLAYER"));
    let vote = |votes: Value| ask("vote", json!({ "living": ["p1", "p2"], "votes": votes }));
    assert!(vote(json!({"p1": "p1"})).contains("TARGET_SELF"));
    assert!(vote(json!({"p1": "p3"})).contains("TARGET_DEAD"));
    assert!(vote(json!({"p3": "p1"})).contains("NOT_ALIVE"));
}

#[test]
fn what_is_drawn_is_answered_with_whom_it_is_drawn_from() {
    let roles =
        json!({"p1": "mafia", "p2": "doctor", "p3": "sheriff", "p4": "villager", "p5": "villager"});
    let answer = Mafia::ask("night", &json!({ "roles": roles, "submissions": [] })).expect("one");
    assert_eq!(answer["protected"], json!({"one_of": ["p1", "p2", "p3", "p4", "p5"]}));
    assert_eq!(answer["killed"], json!({"one_of": ["p2", "p3", "p4", "p5", null]}));
    assert_eq!(answer["prevented"], json!({"one_of": [false, true]}));
    let question = json!({
        "living": ["p1", "p2", "p3"], "votes": {"p1": "p2", "p2": "p1"}, "rules": {"tieRule": "revote"},
    });
    let answer = Mafia::ask("vote", &question).expect("one");
    assert_eq!((&answer["eliminated"], &answer["runoff"]), (&Value::Null, &json!(["p1", "p2"])));
}

#[test]
fn scripts_fix_the_roles() {
    let stack = |roles: Value| {
        let script = json!({ "roles": roles });
        Mafia::stack(script.as_object().expect("an object"))
    };
    let listed =
        stack(json!(["villager", "mafia", "sheriff", "doctor", "villager"])).expect("roles");
    assert_eq!(listed["roles"], [3, 0, 2, 1, 4]);
    let named =
        json!({"p1": "villager", "p2": "mafia", "p3": "sheriff", "p4": "doctor", "p5": "villager"});
    assert_eq!(stack(named).expect("roles"), listed);
    assert!(stack(json!(["baker"])).is_err());
    assert!(stack(json!({"p2": "mafia"})).is_err());
    assert!(stack(json!(7)).is_err());
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "(KILL|VOTE|SAY|BID|p[0-9]{1,4}|.{0,12})".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let key = "(type|target|text|final|channel|amount|position|.{0,6})";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..6)
                .prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(message in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = hear_bytes(&message);
    }

    #[test]
    fn no_json_is_too_strange(message in any_json()) {
        let _ = hear(message.clone());
        let _ = Mafia::ask("night", &message);
        let _ = Mafia::ask("vote", &message);
        let _ = Mafia::script_action(&message);
        if let Some(script) = message.as_object() {
            let _ = Mafia::stack(script);
        }
        if let Ok(rules) = Mafia::guide().resolve(&message) {
            let _ = Mafia::check(&rules);
        }
    }

    #[test]
    fn a_command_without_a_flaw_is_heard(target in 1u8..=20, kind in "(KILL|PROTECT|INVESTIGATE|VOTE)") {
        let message = json!({ "type": kind, "target": format!("p{target}") });
        prop_assert!(matches!(hear(message), Ok(ClientMessage::Act(_))));
    }
}
