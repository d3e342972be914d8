//! One decision of a language model, over a real connection: what it does when
//! the endpoint answers well, slowly, badly or not at all.

mod common;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::{Manner, Server, asked_to, decide, knowledge, last_message, sensible, serve};
use parlor_mafia::{Action, Asked, LONGEST_THOUGHT, Role};
use serde_json::{Value, json};

fn asked(server: &Server) -> usize {
    server.asked()
}

#[tokio::test]
async fn a_whole_answer_is_thought_reported_and_played() {
    let server = serve(|_, request| Manner::Says(sensible(request))).await;
    let decided = decide(&server, "", knowledge(asked_to(Asked::Vote))).await;
    assert_eq!(decided.thought(), "I look around. Someone \"quiet\" is up to something…");
    let thinks: Vec<&Action> = decided.acts.iter().map(|(_, action)| action).collect();
    assert!(matches!(thinks[0], Action::Think { r#final: false, .. }), "{thinks:?}");
    let [.., Action::Think { r#final: true, .. }, Action::Usage(usage), Action::Vote { target }] =
        &thinks[..]
    else {
        panic!("{thinks:?}");
    };
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (100, 20));
    assert_eq!(usage.cost_micros, None, "an unknown price is null");
    assert!(target.is_some());
}

#[tokio::test]
async fn a_known_price_makes_a_cost() {
    let server = serve(|_, request| Manner::Says(sensible(request))).await;
    let prices = "price_in = 2.0\nprice_out = 10.0";
    let decided = decide(&server, prices, knowledge(asked_to(Asked::Vote))).await;
    let cost = decided.acts.iter().find_map(|(_, action)| match action {
        Action::Usage(usage) => usage.cost_micros,
        _ => None,
    });
    assert_eq!(cost, Some(100 * 2 + 20 * 10));
}

#[tokio::test]
async fn the_request_carries_what_the_settings_say() {
    let seen = Arc::new(Mutex::new(Value::Null));
    let keep = Arc::clone(&seen);
    let server = serve(move |_, request| {
        *keep.lock().expect("no test panics with it") = request.clone();
        Manner::Says(sensible(request))
    })
    .await;
    let llm = "temperature = 0.25\nmax_tokens = 321\npersona = \"You are a bear.\"\n\
               extra = { top_p = 0.5 }";
    decide(&server, llm, knowledge(asked_to(Asked::Vote))).await;
    let request = seen.lock().expect("no test panics with it").clone();
    assert_eq!(request["model"], "test");
    assert_eq!(request["stream"], true);
    assert_eq!(request["temperature"], 0.25);
    assert_eq!(request["max_tokens"], 321);
    assert_eq!(request["top_p"], 0.5);
    let system = request["messages"][0]["content"].as_str().expect("a system message");
    assert!(system.contains("You are a bear."));
}

#[tokio::test]
async fn a_long_thought_in_one_piece_is_told_in_pieces_the_game_takes() {
    let long = "So many words. ".repeat(400);
    let answer = json!({ "thought": long, "target": null }).to_string();
    let server = serve(move |_, _| Manner::AtOnce(answer.clone())).await;
    let decided = decide(&server, "", knowledge(asked_to(Asked::Vote))).await;
    assert_eq!(decided.thought(), long);
    for (_, action) in &decided.acts {
        if let Action::Think { text, .. } = action {
            assert!(text.chars_count() <= LONGEST_THOUGHT);
        }
    }
    assert_eq!(decided.last(), &Action::Vote { target: None });
}

#[tokio::test]
async fn thoughts_are_told_while_a_slow_answer_is_still_coming() {
    let server =
        serve(|_, request| Manner::Slowly(sensible(request), Duration::from_millis(60))).await;
    let decided = decide(&server, "", knowledge(asked_to(Asked::Speak))).await;
    let (first, _) = decided.acts[0];
    let (last, _) = decided.acts[decided.acts.len() - 1];
    assert!(last - first > Duration::from_millis(500), "{first:?} {last:?}");
    assert_eq!(decided.said(), ["I trust nobody. ", "Who was awake last night? ", "Speak!"]);
}

#[tokio::test]
async fn an_answer_that_takes_too_long_is_a_fallback_within_the_deadline() {
    let server =
        serve(|_, request| Manner::Slowly(sensible(request), Duration::from_millis(300))).await;
    let began = Instant::now();
    let decided = decide(&server, "timeout_s = 0.7", knowledge(asked_to(Asked::Vote))).await;
    assert!(began.elapsed() < Duration::from_secs(5));
    let reason = decided.fell_back().expect("a fallback");
    assert_eq!(reason, "no answer: no whole answer within 700 ms");
    assert_eq!(asked(&server), 1);
}

#[tokio::test]
async fn an_answer_cut_off_is_asked_for_again() {
    let server = serve(|number, request| match number {
        0 => Manner::CutOff("{\"thought\": \"Half a".to_owned()),
        1 => Manner::Unfinished("{\"thought\": \"Again".to_owned()),
        _ => Manner::Says(sensible(request)),
    })
    .await;
    let decided = decide(&server, "", knowledge(asked_to(Asked::Vote))).await;
    let faults = decided.faults();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults.iter().all(|fault| fault.starts_with("no answer: the answer broke off")));
    assert!(matches!(decided.last(), Action::Vote { .. }));
}

#[tokio::test]
async fn an_endpoint_that_always_cuts_off_is_asked_three_times() {
    let server = serve(|_, _| Manner::CutOff("{\"thought\": \"Half".to_owned())).await;
    let decided = decide(&server, "", knowledge(asked_to(Asked::Vote))).await;
    assert_eq!(asked(&server), 3);
    assert_eq!(decided.faults().len(), 2);
    assert!(decided.fell_back().is_some());
}

#[tokio::test]
async fn no_json_gets_one_correction_with_the_error_and_the_legal_list() {
    let seen = Arc::new(Mutex::new(String::new()));
    let keep = Arc::clone(&seen);
    let server = serve(move |number, request| {
        if number == 0 {
            return Manner::Says("I vote for the tall one.".to_owned());
        }
        *keep.lock().expect("no test panics with it") = last_message(request).to_owned();
        Manner::Says(sensible(request))
    })
    .await;
    let decided = decide(&server, "", knowledge(asked_to(Asked::Vote))).await;
    assert_eq!(decided.faults(), ["invalid answer: there is no JSON object"]);
    assert!(matches!(decided.last(), Action::Vote { target: Some(_) }));
    let correction = seen.lock().expect("no test panics with it").clone();
    assert!(correction.contains("there is no JSON object"), "{correction}");
    assert!(correction.contains("Legal: p") && correction.contains("null (nobody)"));
}

#[tokio::test]
async fn a_second_invalid_answer_is_a_fallback() {
    let server = serve(|_, _| Manner::Says("{\"thought\": \"x\", \"target\": 7}".to_owned())).await;
    let decided = decide(&server, "", knowledge(asked_to(Asked::Vote))).await;
    assert_eq!(asked(&server), 2);
    let reason = decided.fell_back().expect("a fallback");
    assert_eq!(reason, "invalid answer: \"target\" is not a text");
    let finals = decided
        .acts
        .iter()
        .filter(|(_, action)| matches!(action, Action::Think { r#final: true, .. }));
    assert_eq!(finals.count(), 1, "a thought ends once");
}

#[tokio::test]
async fn an_illegal_target_is_refused_before_anyone_hears_of_it() {
    let mafioso = knowledge(|knowledge| {
        knowledge.asked() == Some(Asked::Act) && knowledge.role() == Some(Role::Mafia)
    });
    let mate = mafioso.mafia.but(mafioso.me().expect("a seat")).iter().next();
    let mate = mate.expect("a mate").to_string();
    let server = serve(move |number, request| match number {
        0 => Manner::Says(json!({ "thought": "oops", "target": mate }).to_string()),
        _ => Manner::Says(sensible(request)),
    })
    .await;
    let decided = decide(&server, "", mafioso).await;
    let faults = decided.faults();
    assert!(faults[0].ends_with("cannot be chosen"), "{faults:?}");
    let kills = decided.acts.iter().filter(|(_, action)| matches!(action, Action::Kill { .. }));
    assert_eq!(kills.count(), 1);
}

#[tokio::test]
async fn a_statement_is_said_only_if_the_whole_answer_passes() {
    let long = "Evil! ".repeat(200);
    let server = serve(move |number, _| {
        Manner::Says(match number {
            0 => format!("{{\"thought\": \"t\", \"statement\": \"{long}\"}}"),
            _ => "{\"statement\": \"Evil once more\", \"thought\": [1]}".to_owned(),
        })
    })
    .await;
    let decided = decide(&server, "", knowledge(asked_to(Asked::Speak))).await;
    assert!(decided.said().is_empty(), "{:?}", decided.said());
    assert!(decided.faults()[0].contains("at most 1000"), "{:?}", decided.faults());
    assert!(decided.fell_back().is_some());
}

#[tokio::test]
async fn too_many_requests_and_server_errors_pass() {
    let server = serve(|number, request| match number {
        0 => Manner::Status(429, "retry-after: 0\r\n"),
        1 => Manner::Status(500, ""),
        _ => Manner::Says(sensible(request)),
    })
    .await;
    let decided = decide(&server, "", knowledge(asked_to(Asked::Vote))).await;
    let faults = decided.faults();
    assert!(faults[0].starts_with("no answer: the endpoint answers 429"), "{faults:?}");
    assert!(faults[1].starts_with("no answer: the endpoint answers 500"), "{faults:?}");
    assert!(matches!(decided.last(), Action::Vote { .. }));
}

#[tokio::test]
async fn a_wait_beyond_the_deadline_is_not_waited() {
    let server = serve(|_, _| Manner::Status(429, "retry-after: 3600\r\n")).await;
    let began = Instant::now();
    let decided = decide(&server, "", knowledge(asked_to(Asked::Vote))).await;
    assert!(began.elapsed() < Duration::from_secs(30));
    assert!(decided.fell_back().is_some());
}

#[tokio::test]
async fn a_refused_key_is_not_tried_again() {
    let server = serve(|_, _| Manner::Status(401, "")).await;
    let decided = decide(&server, "", knowledge(asked_to(Asked::Vote))).await;
    assert_eq!(asked(&server), 1);
    assert!(decided.fell_back().expect("a fallback").contains("answers 401"));
}

#[tokio::test]
async fn endless_output_is_cut_and_corrected() {
    let server = serve(|number, request| match number {
        0 => Manner::Endless,
        _ => Manner::Says(sensible(request)),
    })
    .await;
    let decided = decide(&server, "max_tokens = 100", knowledge(asked_to(Asked::Vote))).await;
    assert_eq!(decided.faults(), ["invalid answer: the answer does not end after 800 characters"]);
    assert!(matches!(decided.last(), Action::Vote { .. }));
}

#[tokio::test]
async fn a_page_is_no_answer() {
    let server = serve(|_, _| Manner::Page).await;
    let decided = decide(&server, "retries = 0", knowledge(asked_to(Asked::Vote))).await;
    let reason = decided.fell_back().expect("a fallback");
    assert_eq!(
        reason,
        "no answer: the endpoint answers with 'text/html', not with text/event-stream"
    );
}

#[tokio::test]
async fn nobody_at_the_address_is_a_fallback_too() {
    let mut server = serve(|_, _| Manner::Page).await;
    // The port was free a moment ago, and nobody listens there now.
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    server.base_url = format!("http://{}/v1", port.local_addr().expect("an address"));
    drop(port);
    let decided = decide(&server, "retries = 0", knowledge(asked_to(Asked::Vote))).await;
    let reason = decided.fell_back().expect("a fallback");
    assert!(reason.starts_with("no answer: the endpoint cannot be reached"), "{reason}");
}
