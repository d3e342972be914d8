//! What models are said to have taken: what the endpoint counted, an estimate
//! that says that it is one, or nothing.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{Manner, ask, asked_to, decide, knowledge, sensible, serve, settings};
use parlor_mafia::{Asked, Knowledge, Usage};
use parlor_players::llm::{BudgetLimits, Endpoints, LanguageModel, ModelOptions};
use serde_json::{Value, json};

const PRICES: &str = "price_in = 2.0\nprice_out = 10.0\n";

fn voter() -> Knowledge {
    knowledge(asked_to(Asked::Vote))
}

/// What one decision took at an endpoint like this.
async fn usage(
    llm: &str,
    manner: impl Fn(usize, &Value) -> Manner + Send + Sync + 'static,
) -> Usage {
    let server = serve(manner).await;
    let decided = decide(&server, &format!("{PRICES}{llm}"), voter()).await;
    decided.usage().expect("every decision is accounted for").clone()
}

fn counted(request: &Value, usage: Value) -> Manner {
    Manner::Counts(vec![json!({ "content": sensible(request) })], "stop", usage)
}

#[tokio::test]
async fn what_the_endpoint_counts_is_booked_as_it_says() {
    let told = json!({
        "prompt_tokens": 1000, "completion_tokens": 300, "total_tokens": 1300,
        "prompt_tokens_details": { "cached_tokens": 600 },
        "completion_tokens_details": { "reasoning_tokens": 200 },
    });
    let again = told.clone();
    let used = usage("", move |_, request| counted(request, told.clone())).await;
    assert_eq!((used.prompt_tokens, used.completion_tokens), (1000, 300));
    assert_eq!((used.cached_tokens, used.reasoning_tokens), (600, 200));
    assert_eq!((used.requests, used.estimated), (1, false));
    let as_any_other = Some(1000 * 2 + 300 * 10);
    assert_eq!(used.cost_micros, as_any_other, "without prices of their own");
    let own = "price_cached = 0.5\nprice_reasoning = 4.0";
    let used = usage(own, move |_, request| counted(request, again.clone())).await;
    assert_eq!(used.cost_micros, Some(400 * 2 + 300 + 100 * 10 + 200 * 4));
}

#[tokio::test]
async fn an_estimate_says_that_it_is_one() {
    let used = usage("", |_, request| counted(request, Value::Null)).await;
    assert!(used.estimated);
    assert!(used.prompt_tokens > 300 && used.completion_tokens > 10, "{used:?}");
    let zeros = json!({ "prompt_tokens": 0, "completion_tokens": 0 });
    let used = usage("", move |_, request| counted(request, zeros.clone())).await;
    assert!(used.estimated && used.prompt_tokens > 300, "nobody answers for nothing: {used:?}");
    let half = "{\"thought\": \"Half a thought";
    let used = usage("retries = 0", move |_, _| Manner::CutOff(half.to_owned())).await;
    assert!(used.estimated && used.completion_tokens == (half.len() as u64).div_ceil(4));
    let thinks = |_: usize, request: &Value| {
        let reasoning = json!({ "reasoning_content": "Hm. ".repeat(100) });
        let answer = json!({ "content": sensible(request) });
        Manner::Counts(vec![reasoning, answer], "stop", Value::Null)
    };
    let used = usage("", thinks).await;
    assert_eq!(used.reasoning_tokens, 100);
    assert!(used.completion_tokens > 100);
}

#[tokio::test]
async fn one_estimate_among_many_counts_marks_the_sum() {
    let used = usage("", |number, request| match number {
        0 => Manner::CutOff("{".to_owned()),
        _ => Manner::Says(sensible(request)),
    })
    .await;
    assert!(used.estimated && used.requests == 2, "{used:?}");
}

#[tokio::test]
async fn an_answer_that_nobody_waits_for_any_more_is_paid_for() {
    let long = "So many words. ".repeat(50);
    let server = serve(move |_, _| Manner::Slowly(long.clone(), Duration::from_millis(20))).await;
    let mut settings = settings(&server.base_url, "");
    settings.budget_tokens_day = Some(1);
    let endpoints = Endpoints::new(&settings).expect("endpoints");
    let agent = || {
        let model = settings.model("test", &ModelOptions::default()).expect("a model");
        let http = Arc::new(endpoints.at(&model.address).expect("an endpoint"));
        let wire = endpoints.budgets(BudgetLimits::default()).metered("test", &model, http);
        LanguageModel::new("test", model, wire)
    };
    let mut first = agent();
    let cut_short = tokio::time::timeout(Duration::from_millis(300), ask(&mut first, voter()));
    assert!(cut_short.await.is_err(), "the table's clock was faster");
    let decided = ask(&mut agent(), voter()).await;
    let reason = decided.fell_back().expect("a fallback");
    assert_eq!(reason, "no answer: the day's budget of tokens is spent");
    assert_eq!((server.asked(), decided.usage()), (1, None), "nobody was asked");
}

#[tokio::test]
async fn a_call_that_never_arrived_books_nothing() {
    let mut server = serve(|_, _| Manner::Page).await;
    // The port was free a moment ago, and nobody listens there now.
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    server.base_url = format!("http://{}/v1", port.local_addr().expect("an address"));
    drop(port);
    let decided = decide(&server, &format!("{PRICES}retries = 1"), voter()).await;
    let nothing = |used: &Usage| {
        let tokens = [used.prompt_tokens, used.completion_tokens];
        tokens == [0, 0] && used.cost_micros == Some(0) && !used.estimated
    };
    let used = decided.usage().expect("every decision is accounted for");
    assert!(nothing(used) && used.requests == 2, "{used:?}");
    for status in [401, 500] {
        let used = usage("retries = 0", move |_, _| Manner::Status(status, "")).await;
        assert!(nothing(&used) && used.requests == 1, "{status}: {used:?}");
    }
    let used = usage("retries = 0\ntimeout_s = 0.3", |_, _| Manner::Hangs).await;
    assert!(nothing(&used) && used.latency_ms >= 300, "{used:?}");
}
