//! What is spoken in every game: the canonical log with its commands, and the
//! table in words. And whatever is told, in these dialects and in a game's own,
//! is as its schema says.

#[path = "spoken/strict.rs"]
mod strict;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jsonschema::Validator;
use parlor_binokel::Binokel;
use parlor_dice::LiarsDice;
use parlor_kernel::laws::random_game;
use parlor_kernel::{
    AnswerNotice, Awaiting, Change, Dialect, DialectView, ErrorNotice, EventSchema, LogDialect,
    Offered, Presence, RefusalNotice, Seat, Viewer, WordsDialect,
};
use parlor_koikoi::KoiKoi;
use parlor_mafia::Mafia;
use parlor_stud::Stud;
use serde_json::{Value, json};
use strict::strict;

/// Presets of matches that players at random may never bring to an end.
const ENDLESS: [&str; 2] = ["freezeout", "open"];

/// Every preset that ends, at its smallest table.
fn tables<G: Offered>() -> Vec<(G::Rules, usize)> {
    let presets = G::guide().presets.into_iter();
    let presets = presets.filter(|preset| !ENDLESS.contains(&preset.name));
    let table = |rules: G::Rules| (rules.clone(), *G::seats(&rules).start());
    presets.map(|preset| table(preset.rules)).collect()
}

fn validators(schemas: Vec<EventSchema>, commands: bool) -> BTreeMap<String, Validator> {
    let wanted = schemas.into_iter().filter(|schema| schema.is_command == commands);
    let validator = |schema: EventSchema| {
        let validator = jsonschema::draft202012::new(&strict(&schema.schema)).expect("a schema");
        (schema.name, validator)
    };
    wanted.map(validator).collect()
}

fn fits(commands: &BTreeMap<String, Validator>, command: &Value) -> bool {
    let name = command["type"].as_str().unwrap_or_default();
    commands.get(name).is_some_and(|schema| schema.is_valid(command))
}

/// Plays a game and hands over every moment of it as each viewer is told it.
fn follow<G: Offered>(
    dialect: &Arc<dyn Dialect<G>>,
    mut each: impl FnMut(&G::State, &DialectView<G>, Vec<String>, String),
) {
    for (rules, seats) in tables::<G>() {
        let (log, _) = random_game::<G>(&rules, seats, "spoken");
        let places = (0..seats as u8).map(|seat| Viewer::Seat(Seat(seat)));
        for viewer in places.chain([Viewer::Public, Viewer::Admin]) {
            let mut told_view = DialectView::new(viewer, Arc::clone(dialect));
            let mut state = G::State::default();
            for (step, events) in log.by_step() {
                for event in events {
                    G::apply(&mut state, event);
                    told_view.witness(&state, event);
                }
                let told = told_view.told("spoken", step.timestamp);
                let snapshot = told_view.snapshot("spoken", step.timestamp, Some(7));
                each(&state, &told_view, told, snapshot);
            }
        }
    }
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// `every`: actions that anybody might try, sensible or not.
fn canonical_options<G: Offered>(every: Vec<G::Action>) {
    let dialect: Arc<dyn Dialect<G>> = Arc::new(LogDialect);
    let commands = validators(dialect.schemas(), true);
    let mut offered = 0;
    follow::<G>(&dialect, |state, told_view, _, snapshot| {
        let options = &read(&snapshot)["options"];
        let options = options.as_array().expect("every snapshot lists the options");
        let seat = told_view.viewer().seat();
        let awaited = seat.is_some_and(|seat| G::awaiting(state).includes(seat));
        assert_eq!(!options.is_empty(), awaited, "{} {:?}", G::NAME, told_view.viewer());
        for option in options {
            assert!(fits(&commands, option), "{}: {option}", G::NAME);
            offered += 1;
        }
    });
    assert!(offered > 0);
    for action in every {
        let command = serde_json::to_value(&action).expect("plain data");
        let is_heard = dialect.hear(command.to_string().as_bytes()).is_ok();
        assert_eq!(is_heard, G::is_for_clients(&action), "{command}");
        assert_eq!(fits(&commands, &command), is_heard, "{}: {command}", G::NAME);
    }
    assert!(!fits(&commands, &json!({ "type": "NOTHING_LIKE_IT" })));
}

#[test]
fn the_log_lists_the_options_of_a_seat_as_its_schema_says() {
    let cards = parlor_koikoi::Card::DECK;
    let plays = cards.map(|card| parlor_koikoi::Action::Play { card, target: Some(cards[0]) });
    canonical_options::<KoiKoi>(plays.to_vec());
    let clock = parlor_stud::Action::TimeOut;
    canonical_options::<Stud>(parlor_stud::Action::ALL.into_iter().chain([clock]).collect());
    let bids = [0, 155, u16::MAX].map(|amount| parlor_binokel::Action::Bid { amount });
    let deck = parlor_binokel::CardSet::WITH_SEVENS;
    let leads = deck.iter().map(|card| parlor_binokel::Action::PlayCard { card });
    let all = parlor_binokel::Action::Discard { cards: deck };
    canonical_options::<Binokel>(leads.chain(bids).chain([all]).collect());
    canonical_options::<Mafia>(mafia_actions());
}

/// Moves, words, and what is reported about agents, which no client may send.
fn mafia_actions() -> Vec<parlor_mafia::Action> {
    use parlor_mafia::{Action, Channel, PlayerId, Words};
    let (target, words) = (PlayerId::FIRST, || Words::from("hm"));
    vec![
        Action::Kill { target: None },
        Action::Kill { target: Some(target) },
        Action::Protect { target },
        Action::Investigate { target },
        Action::Acknowledge {},
        Action::Bid { amount: 1 },
        Action::say("good morning"),
        Action::Say { text: words(), r#final: false, channel: Channel::Mafia },
        Action::Vote { target: Some(target) },
        Action::Vote { target: None },
        Action::think("hm"),
        Action::FallBack { reason: words() },
        Action::Fault { reason: words() },
        Action::Usage(Box::default()),
        Action::Assign(Box::default()),
    ]
}

/// Whether the table in words says the truth about whom it waits for: it does
/// in every game but those whose turns are secret.
fn in_words<G: Offered>(has_secret_turns: bool) {
    let dialect: Arc<dyn Dialect<G>> = Arc::new(WordsDialect);
    let (said, commands) =
        (validators(dialect.schemas(), false), validators(dialect.schemas(), true));
    let (mut lines, mut scored) = (0, 0);
    follow::<G>(&dialect, |state, told_view, told, snapshot| {
        let (game, viewer) = (G::NAME, told_view.viewer());
        assert!(told.len() <= 1, "{game}: one step is one message at most");
        let snapshot = read(&snapshot);
        let fault = said["snapshot"].validate(&snapshot).err().map(|error| error.to_string());
        assert_eq!(fault, None, "{game}: {snapshot}");
        assert_eq!(snapshot["position"], told_view.position());
        assert_eq!(snapshot["seconds_left"], 7);
        assert_eq!(snapshot["picture"], G::picture(told_view.knowledge()));
        for message in told.iter().map(|told| read(told)) {
            let fault = said["step"].validate(&message).err().map(|error| error.to_string());
            assert_eq!(fault, None, "{game}: {message}");
            lines += message["lines"].as_array().map_or(0, Vec::len);
            for same in ["position", "picture", "turn", "options", "asides", "score", "over"] {
                assert_eq!(message[same], snapshot[same], "{game}: {same}");
            }
        }
        let choices = [&snapshot["options"], &snapshot["asides"]];
        for choice in choices.iter().filter_map(|list| list.as_array()).flatten() {
            assert!(fits(&commands, &choice["command"]), "{game}: {choice}");
        }
        let awaiting = G::awaiting(state);
        assert_eq!(snapshot["over"], awaiting == Awaiting::Nobody, "{game} for {viewer}");
        let turn = snapshot["turn"].as_array().expect("seats");
        if let Some(seat) = viewer.seat() {
            let own = turn.contains(&json!(seat.0));
            assert_eq!(own, awaiting.includes(seat), "{game}: {viewer} knows its own turn");
            assert_eq!(own, snapshot["options"] != json!([]), "{game}");
        }
        if !has_secret_turns {
            let awaited: Vec<u8> = match awaiting {
                Awaiting::Seats { seats, .. } => seats.iter().map(|seat| seat.0).collect(),
                Awaiting::House { .. } | Awaiting::Nobody => Vec::new(),
            };
            assert_eq!(json!(turn), json!(awaited), "{game} for {viewer}");
            let clock = awaited.first().and_then(|seat| G::clock(state, Seat(*seat)));
            assert_eq!(snapshot["seconds"], json!(clock.map(|limit| limit.as_secs())), "{game}");
        }
        if let Some(points) = snapshot["score"].get("points") {
            assert_eq!(*points, json!(G::score(state).points), "{game} for {viewer}");
            scored += 1;
        }
    });
    assert!(lines > 0 && scored > 0, "{}: {lines} lines, {scored} scores", G::NAME);
}

#[test]
fn the_table_in_words_is_what_the_viewer_knows() {
    in_words::<KoiKoi>(false);
    in_words::<Stud>(false);
    in_words::<Binokel>(false);
    in_words::<Mafia>(true);
    in_words::<LiarsDice>(false);
}

/// The messages a dialect was heard to say, each held against its schema.
struct Heard {
    dialect: &'static str,
    schemas: BTreeMap<String, Validator>,
    names: BTreeSet<String>,
}

impl Heard {
    fn by<G: Offered>(dialect: &dyn Dialect<G>) -> Heard {
        let schemas = validators(dialect.schemas(), false);
        Heard { dialect: dialect.name(), schemas, names: BTreeSet::new() }
    }

    fn hear(&mut self, text: &str) {
        let message = read(text);
        let fields = ["event", "event_type", "eventType", "type"];
        let name = fields.iter().find_map(|field| message[*field].as_str());
        let name = match name.expect("a message has a name") {
            own if self.schemas.contains_key(own) => own,
            _ => "Envelope",
        };
        let schema = self.schemas.get(name);
        let schema = schema.unwrap_or_else(|| panic!("{}: no schema: {text}", self.dialect));
        let faults: Vec<String> =
            schema.iter_errors(&message).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{} {name}: {faults:?}\n{text}", self.dialect);
        self.names.insert(name.to_owned());
    }
}

/// Whatever is no part of the log: refusals, comings and goings, answers.
fn notices<G: Offered>(dialect: &dyn Dialect<G>, heard: &mut Heard) {
    let (seat, timestamp, id) = (Seat(1), 1_700_000_000_000, "evt_error_1");
    let (code, message) = ("NOT_YOUR_TURN", "it is not your turn");
    for (reason, is_over) in [(None, false), (Some("NOT_YET"), true)] {
        let notice = RefusalNotice { seat, code, reason, message, id, timestamp, is_over };
        heard.hear(&dialect.refusal(&notice));
        for (seat, game_code) in [(None, None), (Some(seat), Some("INVALID_CARD"))] {
            let code = "MALFORMED";
            let notice = ErrorNotice { seat, code, game_code, message, id, timestamp, is_over };
            dialect.error(&notice).into_iter().for_each(|told| heard.hear(&told));
        }
    }
    for (position, error) in [(Some(7), None), (None, Some((code, message)))] {
        let notice = AnswerNotice { key: "key-1", position, error, timestamp };
        dialect.answer(&notice).into_iter().for_each(|told| heard.hear(&told));
    }
    for change in [Change::Joins, Change::Leaves, Change::Returns] {
        for is_bot in [false, true] {
            let presence = Presence { seat, name: "Ada", is_bot, change, timestamp };
            heard.hear(&dialect.presence(&presence));
        }
    }
}

/// Everything a dialect says in whole games, to every viewer.
fn as_described<G: Offered>(dialect: Arc<dyn Dialect<G>>) {
    let mut heard = Heard::by(&*dialect);
    notices(&*dialect, &mut heard);
    follow::<G>(&dialect, |_, told_view, told, snapshot| {
        told.iter().for_each(|message| heard.hear(message));
        heard.hear(&snapshot);
        heard.hear(&told_view.snapshot("spoken", 1_700_000_000_000, None));
    });
    let heard_of = heard.names.len();
    assert!(heard_of >= 4, "{} in {}: {:?}", G::NAME, heard.dialect, heard.names);
}

/// The log and the game's own dialects; the table in words is followed above.
fn all_as_described<G: Offered>() {
    let words: Arc<dyn Dialect<G>> = Arc::new(WordsDialect);
    notices(&*words, &mut Heard::by(&*words));
    as_described::<G>(Arc::new(LogDialect));
    G::dialects().into_iter().for_each(as_described);
}

#[test]
fn whatever_is_told_is_as_its_schema_says_and_has_no_other_field() {
    all_as_described::<KoiKoi>();
    all_as_described::<Stud>();
    all_as_described::<Binokel>();
    all_as_described::<Mafia>();
    all_as_described::<LiarsDice>();
}
