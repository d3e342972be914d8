//! How an endpoint is asked and what it is taken at: structured answers, caps,
//! addresses of every kind, and what is worth a second try.

mod common;

use std::sync::{Arc, Mutex};

use common::{
    Decided, Manner, Server, ask, asked_to, decide, knowledge, model, sensible, serve, serve_all,
};
use parlor_mafia::{Action, Asked, Knowledge};
use parlor_players::llm::{AgentSettings, ModelOptions};
use serde_json::{Value, json};

/// What an endpoint was sent.
type Requests = Arc<Mutex<Vec<Value>>>;

fn kept(requests: &Requests) -> Vec<Value> {
    requests.lock().expect("no test panics with it").clone()
}

/// A server that keeps what it is asked.
async fn listener(
    manner: impl Fn(usize, &Value) -> Manner + Send + Sync + 'static,
) -> (Server, Requests) {
    let requests = Requests::default();
    let keep = Arc::clone(&requests);
    let server = serve(move |number, request| {
        keep.lock().expect("no test panics with it").push(request.clone());
        manner(number, request)
    })
    .await;
    (server, requests)
}

fn voter() -> Knowledge {
    knowledge(asked_to(Asked::Vote))
}

/// In which way a request asks for its answer.
fn way(request: &Value) -> &str {
    match (request["response_format"]["type"].as_str(), request["tools"].is_array()) {
        (Some(kind), _) => kind,
        (None, true) => "tools",
        (None, false) => "text",
    }
}

/// The answer as a call of the tool, in pieces.
fn called(answer: &str) -> Vec<Value> {
    let (one, other) = answer.split_at(answer.len() / 2);
    let first = json!({ "index": 0, "id": "c1", "type": "function",
        "function": { "name": "answer", "arguments": one } });
    let then = json!({ "index": 0, "function": { "arguments": other } });
    vec![json!({ "tool_calls": [first] }), json!({ "tool_calls": [then] })]
}

fn is_vote(decided: &Decided) -> bool {
    matches!(decided.last(), Action::Vote { target: Some(_) })
}

#[tokio::test]
async fn the_schema_names_every_legal_target() {
    let (server, requests) = listener(|_, request| Manner::Says(sensible(request))).await;
    assert!(is_vote(&decide(&server, "", voter()).await));
    let request = &kept(&requests)[0];
    let format = &request["response_format"];
    assert_eq!(format["type"], "json_schema");
    let schema = &format["json_schema"]["schema"];
    let targets = schema["properties"]["target"]["enum"].as_array().expect("targets");
    assert!(targets.contains(&Value::Null) && targets.iter().any(Value::is_string));
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(
        schema["properties"].as_object().and_then(|it| it.keys().next()).map(String::as_str),
        Some("thought"),
        "a model thinks before it decides"
    );
}

#[tokio::test]
async fn a_refusal_moves_on_to_the_next_way_and_is_remembered() {
    let (server, requests) = listener(|_, request| match way(request) {
        "json_schema" => Manner::Refuses(400, "response_format json_schema: unknown".to_owned()),
        "tools" => Manner::Refuses(422, "this model cannot call tools".to_owned()),
        _ => Manner::Says(sensible(request)),
    })
    .await;
    let mut model = model(&server, "");
    for _ in 0..2 {
        let decided = ask(&mut model, voter()).await;
        assert!(is_vote(&decided));
        assert_eq!(decided.faults(), [""; 0], "finding out is no failure");
        assert_eq!(decided.usage().map(|usage| usage.requests), Some(1));
    }
    let requests = kept(&requests);
    let ways: Vec<&str> = requests.iter().map(way).collect();
    assert_eq!(ways, ["json_schema", "tools", "json_object", "json_object"]);
}

#[tokio::test]
async fn a_refusal_that_says_nothing_is_tried_in_every_way_and_not_remembered() {
    let (server, requests) = listener(|_, _| Manner::Refuses(400, "{}".to_owned())).await;
    let mut model = model(&server, "");
    for _ in 0..2 {
        let decided = ask(&mut model, voter()).await;
        assert!(decided.fell_back().expect("a fallback").contains("answers 400"));
    }
    let requests = kept(&requests);
    let ways: Vec<&str> = requests.iter().map(way).collect();
    assert_eq!(ways, ["json_schema", "tools", "json_object", "text"].repeat(2));
}

#[tokio::test]
async fn a_way_that_is_set_in_the_file_is_kept_to() {
    for (set, asked) in [
        ("json_schema", "json_schema"),
        ("tools", "tools"),
        ("json", "json_object"),
        ("text", "text"),
    ] {
        let (server, requests) =
            listener(|_, _| Manner::Refuses(400, "response_format, tools".to_owned())).await;
        let decided = decide(&server, &format!("answers = \"{set}\""), voter()).await;
        assert!(decided.fell_back().is_some());
        let requests = kept(&requests);
        assert_eq!(requests.iter().map(way).collect::<Vec<_>>(), [asked]);
    }
}

#[tokio::test]
async fn an_answer_may_come_as_a_call_of_the_tool() {
    let (server, _) = listener(|_, _| {
        let mut deltas = vec![json!({ "content": "Let me see. {\"target\": \"p99\"}" })];
        deltas.extend(called(r#"{"thought": "It is late.", "target": null}"#));
        Manner::Streams(deltas, "tool_calls")
    })
    .await;
    let decided = decide(&server, "answers = \"tools\"", voter()).await;
    assert_eq!(decided.last(), &Action::Vote { target: None });
    assert_eq!(decided.thought(), "Let me see. {\"target\": \"p99\"} It is late.");
}

#[tokio::test]
async fn a_call_of_another_tool_is_no_answer() {
    let (server, _) = listener(|number, request| match number {
        0 => {
            let call = json!({ "index": 0, "id": "c", "function": {
                "name": "think", "arguments": "{\"target\": null}" } });
            Manner::Streams(vec![json!({ "tool_calls": [call] })], "tool_calls")
        }
        _ => Manner::Says(sensible(request)),
    })
    .await;
    let decided = decide(&server, "answers = \"tools\"", voter()).await;
    assert_eq!(decided.faults(), ["invalid answer: there is no JSON object"]);
    assert!(is_vote(&decided));
}

#[tokio::test]
async fn an_endpoint_that_does_not_stream_is_understood() {
    let (server, _) = listener(|_, request| {
        let message = json!({ "role": "assistant", "content": sensible(request) });
        Manner::Whole(json!({
            "choices": [{ "message": message, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 70, "completion_tokens": 7 },
        }))
    })
    .await;
    let decided = decide(&server, "", voter()).await;
    assert!(is_vote(&decided));
    let usage = decided.usage().expect("usage");
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (70, 7));
}

#[tokio::test]
async fn an_answer_cut_off_at_its_limit_gets_a_larger_one() {
    let (server, requests) = listener(|number, request| match number {
        0 => Manner::Streams(vec![json!({ "content": "{\"thought\": \"Hm" })], "length"),
        _ => Manner::Says(sensible(request)),
    })
    .await;
    let mut model = model(&server, "max_tokens = 50");
    let decided = ask(&mut model, voter()).await;
    assert_eq!(decided.faults(), ["cut off: the answer did not end within 50 tokens"]);
    assert!(is_vote(&decided));
    ask(&mut model, voter()).await;
    let requests = kept(&requests);
    let caps: Vec<&Value> = requests.iter().map(|it| &it["max_tokens"]).collect();
    assert_eq!(caps, [50, 100, 50], "the next decision begins anew");
    let messages: Vec<_> =
        requests.iter().map(|it| it["messages"].as_array().map(Vec::len)).collect();
    assert_eq!(messages, [Some(2); 3], "there is nothing to correct");
}

#[tokio::test]
async fn a_newer_cap_is_the_cap_and_is_found_out() {
    let cut = |number: usize, request: &Value| match number {
        0 => Manner::Streams(vec![json!({ "content": "{" })], "length"),
        _ => Manner::Says(sensible(request)),
    };
    let (server, requests) = listener(cut).await;
    let set = "extra = { max_completion_tokens = 300 }";
    assert!(is_vote(&decide(&server, set, voter()).await));
    let sent = kept(&requests);
    let caps: Vec<&Value> = sent.iter().map(|it| &it["max_completion_tokens"]).collect();
    assert_eq!(caps, [300, 600]);
    assert!(sent.iter().all(|it| it["max_tokens"].is_null()));
    let (server, requests) = listener(|_, request| match request["max_tokens"].is_null() {
        true => Manner::Says(sensible(request)),
        false => Manner::Refuses(400, "use 'max_completion_tokens' instead".to_owned()),
    })
    .await;
    assert!(is_vote(&decide(&server, "max_tokens = 77", voter()).await));
    assert_eq!(kept(&requests)[1]["max_completion_tokens"], 77);
}

#[tokio::test]
async fn answer_and_reasoning_have_a_bound_each() {
    let think = |length: usize| json!({ "reasoning_content": "Hm, well. ".repeat(length / 10) });
    let (server, _) = listener(move |_, request| {
        Manner::Streams(vec![think(5_000), json!({ "content": sensible(request) })], "stop")
    })
    .await;
    let decided = decide(&server, "max_tokens = 100", voter()).await;
    assert!(is_vote(&decided), "much thought about a short answer: {:?}", decided.faults());
    let (server, _) = listener(move |number, request| match number {
        0 => Manner::Streams(vec![think(5_000)], "stop"),
        _ => Manner::Says(sensible(request)),
    })
    .await;
    let bounds = "max_tokens = 100\nmax_reasoning_tokens = 200";
    let decided = decide(&server, bounds, voter()).await;
    let endless = "invalid answer: the reasoning does not end after 1600 characters";
    assert_eq!(decided.faults(), [endless]);
}

#[tokio::test]
async fn the_newer_cap_bounds_the_answer_too() {
    let long = "So many words. ".repeat(200);
    let (server, _) = listener(move |_, _| {
        Manner::AtOnce(json!({ "thought": long, "target": null }).to_string())
    })
    .await;
    let wide = "max_tokens = 100\nextra = { max_completion_tokens = 1000 }";
    assert_eq!(decide(&server, wide, voter()).await.faults(), [""; 0]);
    let narrow = decide(&server, "max_tokens = 100", voter()).await;
    assert!(narrow.faults()[0].contains("does not end after 800"), "{:?}", narrow.faults());
}

#[tokio::test]
async fn what_cannot_help_is_not_tried() {
    for (status, body) in [
        (401, "wrong key"),
        (403, "not for you"),
        (404, "the model `x` does not exist"),
        (400, "unknown model: x"),
        (402, "pay first"),
        (429, "You exceeded your current quota: insufficient_quota"),
        (501, "streams, response_format and tools are not there; nor is text"),
    ] {
        let (server, requests) =
            listener(move |_, _| Manner::Refuses(status, body.to_owned())).await;
        let decided = decide(&server, "answers = \"text\"", voter()).await;
        assert_eq!(kept(&requests).len(), 1, "{status} {body}");
        assert!(decided.faults().is_empty() && decided.fell_back().is_some());
    }
    let (server, requests) = listener(|_, _| Manner::Page).await;
    assert!(decide(&server, "", voter()).await.fell_back().is_some());
    assert_eq!(kept(&requests).len(), 1, "a page stays a page");
}

#[tokio::test]
async fn a_target_may_be_named_as_the_prompt_names_it() {
    let voter = voter();
    let table = voter.table.clone().expect("a table");
    let target = voter.board.alive.but(voter.me().expect("a seat")).iter().next().expect("another");
    let name = table.name(target).to_owned();
    for named in [
        format!("{name} ({target})"),
        format!("{target} ({name})"),
        format!("  {} ", name.to_uppercase()),
        format!("{target}"),
        format!("Nobody of that name ({target})"),
        format!("**{name} ({target})**."),
    ] {
        let answer = json!({ "thought": "So.", "target": named }).to_string();
        let (server, _) = listener(move |_, _| Manner::AtOnce(answer.clone())).await;
        let decided = decide(&server, "", voter.clone()).await;
        assert_eq!(decided.last(), &Action::Vote { target: Some(target) }, "{named}");
    }
    let other = voter.board.alive.but(target).iter().next().expect("another");
    let doubtful = json!({ "thought": "", "target": format!("{name} ({other})") }).to_string();
    let (server, _) = listener(move |_, _| Manner::AtOnce(doubtful.clone())).await;
    let decided = decide(&server, "", voter).await;
    assert!(decided.faults()[0].contains("there is no player"), "{:?}", decided.faults());
}

#[tokio::test]
async fn headers_query_and_path_reach_the_endpoint_and_secrets_stay_in_the_environment() {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&heads);
    let server = serve_all(move |_, head, _| {
        keep.lock().expect("no test panics with it").push(head.to_owned());
        Manner::Refuses(403, format!("go away with your {head}"))
    })
    .await;
    // The variable is there in every test's environment, and no secret.
    let home = std::env::var("CARGO_MANIFEST_DIR").expect("cargo runs the tests");
    let root = server.base_url.trim_end_matches("/v1");
    let file = format!(
        "[llm]\nbase_url = \"{root}/openai/deployments/d?api-version=7\"\nmodel = \"m\"\n\
         query = {{ tier = \"a b\" }}\n\
         headers = {{ api-key = {{ env = \"CARGO_MANIFEST_DIR\" }}, x-title = \"Parlor\" }}\n"
    );
    let settings: AgentSettings = toml::from_str(&file).expect("settings");
    let usual = settings.model("llm", &ModelOptions::default()).expect("a model");
    let http = parlor_players::llm::Http::new(&usual.address).expect("an endpoint");
    let mut agent = parlor_players::llm::LanguageModel::new("llm", usual.clone(), Arc::new(http));
    let decided = ask(&mut agent, voter()).await;
    let head = heads.lock().expect("no test panics with it")[0].clone();
    let first = "POST /openai/deployments/d/chat/completions?api-version=7&tier=a+b HTTP/1.1";
    assert_eq!(head.lines().next(), Some(first));
    assert!(head.contains(&format!("api-key: {home}")) && head.contains("x-title: Parlor"));
    let reason = decided.fell_back().expect("a fallback");
    assert!(reason.contains("[the key]") && !reason.contains(&home), "{reason}");
    let recorded = serde_json::to_string(&usual).expect("JSON");
    for hidden in ["api-version", "x-title", "CARGO_MANIFEST_DIR", &home] {
        assert!(!recorded.contains(hidden), "a recording holds {hidden}: {recorded}");
    }
    // An address of its own gets nothing that was meant for another.
    let own = ModelOptions { base_url: Some("http://elsewhere/v1".into()), ..Default::default() };
    let own = settings.model("own", &own).expect("a model").address;
    assert!(own.headers.is_empty() && own.query.is_empty());
}
