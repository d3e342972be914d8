//! What a model thinks, nobody else hears: whole games over a real connection
//! with models that think aloud in every way there is.

#[path = "reasoning/cases.rs"]
mod cases;
mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use cases::Script;
use common::{Manner, last_message, lineup, live, play, sensible, serve, settings};
use parlor_kernel::{DialectView, Log, LogDialect, Offered, Seat, Viewer};
use parlor_mafia::{Event, Mafia, PlayerId, Rules};
use serde_json::{Value, json};

/// Begins every word that is only thought.
const VEILED: &str = "veiled-";

/// How many tokens an answer may have at first.
const ROOM: u64 = 1_000;

/// What an endpoint was asked, and what it did.
#[derive(Default)]
struct Diary {
    next: usize,
    /// How many cases there are for a statement and for other answers, and how
    /// many were played. Words and numbers are of one length, and so are they.
    cases: [usize; 2],
    begun: [usize; 2],
    /// The case each seat was answered with last.
    current: BTreeMap<PlayerId, usize>,
    /// Cases that were played, by number: the seat, and what it was to say.
    played: BTreeMap<usize, Played>,
    /// Cases that were not taken.
    corrected: BTreeSet<usize>,
    /// Every request, with the seat that asked.
    requests: Vec<(PlayerId, String)>,
}

struct Played {
    name: String,
    secret: String,
    plain: Option<String>,
    is_answered: bool,
    is_thought: bool,
}

/// The seat that asks: "You are Ann (p3)."
fn seat_of(request: &Value) -> PlayerId {
    let system = request["messages"][0]["content"].as_str().expect("a system message");
    let me = system.split("You are ").nth(1).and_then(|me| me.split(['(', ')']).nth(1));
    me.and_then(|me| me.parse().ok()).expect("the prompt says who asks")
}

/// A good answer to the request, its words given.
fn answer(request: &Value, thought: &str, words: &str) -> Value {
    let text = sensible(request);
    let json = text.trim_start_matches(|letter| letter != '{').trim_end_matches('`').trim();
    let mut fields: Value = serde_json::from_str(json).expect("a sensible answer");
    fields["thought"] = json!(thought);
    if last_message(request).contains("\"whisper\"") {
        fields["whisper"] = json!(words);
    }
    if fields.get("statement").is_some() {
        fields["statement"] = json!(words);
    }
    fields
}

fn script(request: &Value, secret: &str, plain: &str) -> Script {
    let drafted = answer(request, &format!("{secret} first."), &format!("{secret} aloud."));
    Script {
        draft: format!("Hm, {secret} it is. I could say {drafted} or not."),
        answer: answer(request, "I keep it to myself.", plain).to_string(),
        secret: secret.to_owned(),
    }
}

impl Diary {
    /// Whether there is a case that nobody has spoken with yet.
    fn is_unfinished(&self) -> bool {
        self.begun[0] <= self.cases[0]
    }

    fn manner(&mut self, request: &Value) -> Manner {
        let seat = seat_of(request);
        self.requests.push((seat, request.to_string()));
        // What was not taken is corrected; what was cut off gets more room.
        let is_correction = request["messages"].as_array().is_some_and(|it| it.len() > 2);
        let has_more_room = request["max_tokens"].as_u64() > Some(ROOM);
        if is_correction || has_more_room {
            self.corrected.extend(self.current.get(&seat));
            return Manner::AtOnce(answer_to_correction(request));
        }
        let number = self.next;
        self.next += 1;
        let (secret, plain) =
            (format!("{VEILED}{seat}-{number:05}-"), format!("Plain {number:05}!"));
        let script = script(request, &secret, &plain);
        let mut cases = script.cases();
        let kind = usize::from(!script.answer.contains("statement"));
        self.cases[kind] = cases.len();
        let case = cases.swap_remove(self.begun[kind] % cases.len());
        self.begun[kind] += 1;
        self.current.insert(seat, number);
        let manner = Manner::Streams(case.deltas(), case.finish);
        let played = Played {
            name: case.name,
            secret,
            plain: (kind == 0).then_some(plain),
            is_answered: case.is_answered,
            is_thought: case.is_thought,
        };
        self.played.insert(number, played);
        manner
    }
}

/// The legal list is in the question before.
fn answer_to_correction(request: &Value) -> String {
    let mut request = request.clone();
    let messages = request["messages"].as_array_mut().expect("messages");
    messages.truncate(2);
    answer(&request, "Once more.", "I was unclear.").to_string()
}

/// All that one viewer ever hears, in every dialect.
fn heard(log: &Log<Mafia>, viewer: Viewer) -> String {
    let mut dialects = Mafia::dialects();
    dialects.push(Arc::new(LogDialect));
    let mut bytes = String::new();
    for dialect in dialects {
        let mut told_view = DialectView::new(viewer, dialect);
        bytes += &told_view.catch_up(log, "game").join("\n");
        bytes += &told_view.snapshot("game", 0, None);
    }
    bytes
}

fn thoughts(log: &Log<Mafia>) -> String {
    let words = |event: &Event| match event {
        Event::AgentThinkStream(chunk) => Some(chunk.chunk.to_string()),
        _ => None,
    };
    log.events.iter().filter_map(words).collect()
}

/// No word that is thought by another is in these bytes.
fn assert_keeps_to_itself(bytes: &str, me: Option<PlayerId>, rules: &Rules, diary: &Diary) {
    let others = (0..rules.circle()).filter_map(PlayerId::at).filter(|id| Some(*id) != me);
    for other in others {
        let Some(at) = bytes.find(&format!("{VEILED}{other}-")) else { continue };
        let told = diary.played.values().find(|it| bytes[at..].starts_with(&it.secret));
        let name = told.map(|it| it.name.as_str()).unwrap_or_default();
        panic!("{me:?} hears what {other} thinks, in the case {name}");
    }
    // Nobody has thoughts of one's own to hear in public, not even half of one.
    assert!(me.is_some() || !bytes.contains(VEILED));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_thought_is_in_a_byte_that_others_see() {
    let diary = Arc::new(Mutex::new(Diary::default()));
    let keep = Arc::clone(&diary);
    let server = serve(move |_, request| keep.lock().expect("no panic").manner(request)).await;
    let rules = Rules { mafia_channel: true, discussion_rounds: 10, ..Rules::sized(7, 2) };
    let (mut games, mut spoken, mut kept) = (0usize, 0, 0);
    while diary.lock().expect("no panic").is_unfinished() {
        // An endpoint may answer in any way, however it is asked.
        let llm = ["", "answers = \"tools\""][games % 2];
        let settings = settings(&server.base_url, llm);
        let lineup = lineup(settings, &["llm"], &rules, &format!("veiled {games}"));
        let log = play(&lineup, &live()).await.log;
        games += 1;
        let mut diary = diary.lock().expect("no panic");
        let public = heard(&log, Viewer::Public);
        assert_keeps_to_itself(&public, None, &rules, &diary);
        for seat in (0..rules.circle() as u8).map(Seat) {
            let bytes = heard(&log, Viewer::Seat(seat));
            assert_keeps_to_itself(&bytes, PlayerId::at(seat.index()), &rules, &diary);
        }
        for (seat, request) in &diary.requests {
            assert_keeps_to_itself(request, Some(*seat), &rules, &diary);
        }
        let thoughts = thoughts(&log);
        for (number, case) in &diary.played {
            let Played { name, secret, plain, is_answered, is_thought } = case;
            assert_eq!(!diary.corrected.contains(number), *is_answered, "{name}");
            if *is_thought {
                assert!(thoughts.contains(secret), "not thought: {name}\n{thoughts}");
                kept += 1;
            }
            if let Some(plain) = plain {
                assert_eq!(public.contains(plain), *is_answered, "{name}");
                spoken += u32::from(*is_answered);
            }
        }
        diary.played.clear();
        diary.requests.clear();
    }
    assert!(spoken > 500 && kept > 2_000, "{spoken} said, {kept} thought");
}
