//! What the tests of both dialects share: matches told step by step, a naive
//! client that knows nothing but wire events, and checks of what it reads.
#![allow(dead_code, reason = "each test file uses what it needs")]

pub mod client;
pub mod reading;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jsonschema::Validator;
use parlor_kernel::laws::random_game;
use parlor_kernel::{Dialect, DialectView, Game, Log, Seat, Viewer};
use parlor_koikoi::{
    Action, Card, CardSet, ExhaustedAfterKoi, Knowledge, KoiFactor, KoiKoi, RoundResult, Rules,
    State,
};
use serde_json::Value;

pub const VIEWERS: [Viewer; 3] = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Public];

/// When a step is told: from 2023-11-14T22:13:20Z on, every second and a half.
fn time_of(step: usize) -> u64 {
    1_700_000_000_000 + 1500 * step as u64
}

/// A step as one viewer is told it, with the truth beside it.
pub struct ToldStep {
    pub texts: Vec<String>,
    pub events: Vec<Value>,
    pub snapshot_text: String,
    pub knowledge: Knowledge,
    pub state: State,
}

impl ToldStep {
    pub fn snapshot(&self) -> Value {
        read(&self.snapshot_text)
    }
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("what is said is JSON")
}

/// All presets, and house rules that bring out what presets leave aside.
pub fn house_rules() -> Vec<(&'static str, Rules)> {
    vec![
        ("protocol", Rules::protocol()),
        ("contract", Rules::contract()),
        ("nintendo", Rules::nintendo()),
        (
            "unusual",
            Rules {
                rounds: Some(3),
                target: Some(30),
                four_pairs: true,
                exhausted_after_koi: ExhaustedAfterKoi::LastCaller,
                koi_factor: KoiFactor::AnyCalled,
                koi_koi_multiplier: 3,
                turn_seconds: 0,
                ..Rules::nintendo()
            },
        ),
    ]
}

pub fn dialect(name: &str) -> Arc<dyn Dialect<KoiKoi>> {
    let mut dialects = parlor_koikoi::wire::dialects().into_iter();
    dialects.find(|dialect| dialect.name() == name).expect("the dialect is offered")
}

/// Plays seeded random matches under all house rules.
pub fn matches(count: usize) -> impl Iterator<Item = (String, Log<KoiKoi>)> {
    house_rules().into_iter().flat_map(move |(name, rules)| {
        (0..count).map(move |n| {
            let seed = format!("wire/{name}/{n}");
            let (log, _) = random_game::<KoiKoi>(&rules, 2, &seed);
            (seed, log)
        })
    })
}

/// Tells a match to a viewer, step by step.
pub fn tell(
    log: &Log<KoiKoi>,
    viewer: Viewer,
    dialect: &Arc<dyn Dialect<KoiKoi>>,
) -> Vec<ToldStep> {
    let mut listener = DialectView::new(viewer, Arc::clone(dialect));
    let mut state = State::default();
    let mut told = Vec::new();
    for (number, (_, events)) in log.by_step().enumerate() {
        for event in events {
            KoiKoi::apply(&mut state, event);
            listener.witness(&state, event);
        }
        let now = time_of(number);
        let texts = listener.told("law", now);
        told.push(ToldStep {
            events: texts.iter().map(|text| read(text)).collect(),
            texts,
            snapshot_text: listener.snapshot("law", now, Some(20)),
            knowledge: listener.knowledge().clone(),
            state: state.clone(),
        });
    }
    told
}

/// The schemas of a dialect's events, ready to judge.
pub struct Schemas {
    discriminator: &'static str,
    by_name: BTreeMap<String, Validator>,
}

impl Schemas {
    pub fn of(dialect: &Arc<dyn Dialect<KoiKoi>>, discriminator: &'static str) -> Schemas {
        let ready = |schema: &Value| jsonschema::validator_for(schema).expect("a valid schema");
        let by_name =
            dialect.schemas().iter().map(|s| (s.name.clone(), ready(&s.schema))).collect();
        Schemas { discriminator, by_name }
    }

    pub fn judge(&self, event: &Value) {
        let name = event[self.discriminator].as_str().expect("a discriminator");
        let schema = self.by_name.get(name).unwrap_or_else(|| panic!("no schema for {name}"));
        if !schema.is_valid(event) {
            let error = schema.validate(event).expect_err("it was judged so already");
            panic!("{name} at {}: {error}\n{event:#}", error.instance_path());
        }
    }
}

/// Every path of the table is there; a path ends where something before its
/// end is null. `list[].field` goes through each element.
pub fn assert_named(event: &Value, name: &str, table: &[(&str, &str)]) {
    let (_, paths) = table
        .iter()
        .find(|(event_name, _)| *event_name == name)
        .unwrap_or_else(|| panic!("the contract has no event {name}"));
    for path in paths.split_whitespace() {
        assert!(has(event, path), "{name} lacks {path}: {event:#}");
    }
}

fn has(value: &Value, path: &str) -> bool {
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    let (key, each) = match step.strip_suffix("[]") {
        Some(key) => (key, true),
        None => (step, false),
    };
    match value.get(key) {
        None => false,
        Some(_) if rest.is_empty() && !each => true,
        Some(Value::Null) => true,
        Some(Value::Array(list)) if each => {
            rest.is_empty() || list.iter().all(|one| has(one, rest))
        }
        Some(inner) => !each && has(inner, rest),
    }
}

/// No id of a card that the viewer may not know stands in the text.
pub fn assert_no_secret(text: &str, step: &ToldStep, viewer: Viewer, seed: &str) {
    let state = &step.state;
    let mut hidden: CardSet = state.pile.set();
    for seat in [Seat(0), Seat(1)] {
        if !viewer.shares(seat) {
            hidden = hidden.or(state.hands[seat.index()]);
        }
    }
    if let Some(RoundResult::Instant(ended)) = &state.board.result {
        hidden = hidden.without(ended.hands[0].or(ended.hands[1]));
    }
    for card in text.split('"').filter_map(Card::from_id) {
        assert!(!hidden.contains(card), "'{seed}' {viewer} is told {card}: {text}");
    }
}

/// The commands that an honest client could send, from what the engine offers.
pub fn commands_offered(knowledge: &Knowledge) -> BTreeSet<String> {
    let mut options = Vec::new();
    KoiKoi::options(knowledge, &mut options);
    options
        .into_iter()
        .map(|action| match action {
            Action::Play { card, target } => serde_json::json!({
                "command": "TurnPlayHandCard", "card": card, "target": target,
            }),
            Action::Select { source, target } => serde_json::json!({
                "command": "TurnSelectTarget", "source": source, "target": target,
            }),
            Action::KoiKoi => serde_json::json!({
                "command": "RoundMakeDecision", "decision": "KOI_KOI",
            }),
            Action::Stop => serde_json::json!({
                "command": "RoundMakeDecision", "decision": "END_ROUND",
            }),
        })
        .map(|command| command.to_string())
        .collect()
}
