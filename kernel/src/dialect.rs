//! Dialects: how a game is spoken on a wire.
//!
//! A dialect is a fold too: what was known before a step, what was seen of
//! it, what is known after, to the wire's events: none, one or several. It
//! gets nothing else, so it can only say what the viewer knows.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::canonical;
use crate::envelope::{Envelope, raw};
use crate::game::Game;
use crate::notice::{PlainPresence, PlainRefusal};
use crate::refusal::Refuse;
use crate::seat::{Seat, Viewer};
use crate::tagged::event_type;
use crate::times::Times;
use crate::told::Told;

/// When and where in a stream something is said.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The game spoken of.
    pub game_id: &'a str,
    /// Who listens.
    pub viewer: Viewer,
    /// The position of the last wire event already told in this view.
    pub position: u64,
    /// Milliseconds since 1970.
    pub timestamp: u64,
    /// When the game was opened, and when it began to wait for what it waited
    /// for before this step.
    pub times: Times,
    /// What is left on the clock of whoever is awaited, where that is known.
    pub seconds_left: Option<u32>,
}

impl Moment<'_> {
    /// The event id of the `nth` wire event said at this moment, from 0.
    pub fn event_id(&self, nth: usize) -> String {
        format!("evt_{}", self.position + nth as u64 + 1)
    }

    /// The event id of a message that reflects the stream so far.
    pub fn present_id(&self) -> String {
        format!("evt_{}", self.position)
    }
}

/// A message from a client, understood.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientMessage<A> {
    /// Someone takes or retakes a seat.
    Join {
        /// Who they say they are.
        player_id: Option<String>,
        /// The seat's token.
        token: String,
        /// The position after which to go on, instead of a snapshot.
        after: Option<u64>,
    },
    /// The client has shown everything up to this position.
    Acknowledge {
        /// The position; none for messages that have none.
        position: Option<u64>,
    },
    /// A move.
    Act(A),
}

/// A message that could not be understood.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum MessageError {
    /// It is not a message of this dialect.
    #[error("{0}")]
    Malformed(String),
    /// It is not, and the dialect has a code of the game for what is wrong.
    #[error("{message}")]
    Unreadable {
        /// The game's code, such as `INVALID_CARD`.
        code: &'static str,
        /// Why.
        message: String,
    },
    /// It is, but names something that is not in the game; the game refuses
    /// it like an illegal move.
    #[error("{message}")]
    Refused {
        /// The game's code, such as `INVALID_CARD`.
        code: &'static str,
        /// The precise reason, where the code is a coarse one.
        reason: Option<&'static str>,
        /// Why.
        message: String,
        /// Whether the same might be fine at another moment.
        untimely: bool,
    },
}

impl MessageError {
    /// A game's refusal of something that could not even be named.
    pub fn refused(refusal: &impl Refuse) -> MessageError {
        MessageError::Refused {
            code: refusal.code(),
            reason: refusal.reason(),
            message: refusal.to_string(),
            untimely: refusal.is_untimely(),
        }
    }
}

/// A refusal on its way to the seat that earned it. It is no part of the
/// log and has no position.
#[derive(Clone, Copy, Debug)]
pub struct RefusalNotice<'a> {
    /// Who hears it.
    pub seat: Seat,
    /// The game's code, such as `INVALID_CARD`.
    pub code: &'a str,
    /// The precise reason, where the code is a coarse one.
    pub reason: Option<&'a str>,
    /// Why, in a sentence.
    pub message: &'a str,
    /// Tells this refusal from others.
    pub id: &'a str,
    /// Milliseconds since 1970.
    pub timestamp: u64,
    /// Whether the game is over, so that no move will ever be taken again.
    pub is_over: bool,
}

/// Why the server, and not the game, does not take what a client sent: it could
/// not be read, or came from someone else, too often or too soon. It is no part
/// of the log and has no position.
#[derive(Clone, Copy, Debug)]
pub struct ErrorNotice<'a> {
    /// Who hears it, where a seat is proved.
    pub seat: Option<Seat>,
    /// The server's code, such as `MALFORMED`.
    pub code: &'a str,
    /// The game's code for it, where the dialect named one.
    pub game_code: Option<&'a str>,
    /// Why, in a sentence.
    pub message: &'a str,
    /// Tells this error from others.
    pub id: &'a str,
    /// Milliseconds since 1970.
    pub timestamp: u64,
    /// Whether the game is over, so that no move will ever be taken again.
    pub is_over: bool,
}

/// The answer to a command under an idempotency key: sent again such a command
/// makes no events, and its sender must hear what came of it. It is no part of
/// the log and has no position of its own.
#[derive(Clone, Copy, Debug)]
pub struct AnswerNotice<'a> {
    /// The key that came with the command.
    pub key: &'a str,
    /// The position, in the sender's stream, of the last event it made; none
    /// where it was refused.
    pub position: Option<u64>,
    /// The code and the sentence of a refusal.
    pub error: Option<(&'a str, &'a str)>,
    /// Milliseconds since 1970.
    pub timestamp: u64,
}

/// A player comes or goes, or a bot stands in. It is no part of the log and has no position.
#[derive(Clone, Copy, Debug)]
pub struct Presence<'a> {
    /// Who.
    pub seat: Seat,
    /// The name they go by.
    pub name: &'a str,
    /// Whether a bot sits there.
    pub is_bot: bool,
    /// What they do.
    pub change: Change,
    /// Milliseconds since 1970.
    pub timestamp: u64,
}

/// What a player who comes or goes does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Comes for the first time.
    Joins,
    /// Goes away.
    Leaves,
    /// Comes back.
    Returns,
    /// Is away, and a bot plays for them from now on.
    IsStoodInFor,
}

impl Presence<'_> {
    /// Whether the player is there now.
    pub fn is_here(&self) -> bool {
        matches!(self.change, Change::Joins | Change::Returns)
    }
}

/// The JSON Schema of one message of a dialect.
#[derive(Clone, Debug)]
pub struct EventSchema {
    /// The message's name, as its discriminator has it.
    pub name: String,
    /// Whether clients send it; otherwise the server does.
    pub is_command: bool,
    /// The schema.
    pub schema: Value,
}

/// The JSON Schema of a type as it is sent: a field that may be null is
/// still always there.
pub fn schema_of<T: JsonSchema>() -> Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// How a game is spoken on a wire.
pub trait Dialect<G: Game>: Send + Sync + 'static {
    /// The dialect's name: `koikoi.protocol`.
    fn name(&self) -> &'static str;

    /// Tells a step. Each wire event is one JSON text; the ids run on from
    /// `moment.position`.
    fn speak(
        &self,
        before: &G::Knowledge,
        step: &[G::Seen],
        after: &G::Knowledge,
        moment: &Moment,
        out: &mut Vec<String>,
    );

    /// How many wire events [`Dialect::speak`] makes of a step. Whoever only
    /// counts them, to go on after them, has no need of them.
    fn count(
        &self,
        before: &G::Knowledge,
        step: &[G::Seen],
        after: &G::Knowledge,
        moment: &Moment,
    ) -> usize {
        let mut said = Vec::new();
        self.speak(before, step, after, moment, &mut said);
        said.len()
    }

    /// Tells the present as a whole.
    fn snapshot(&self, knowledge: &G::Knowledge, moment: &Moment) -> String;

    /// Tells a seat why its move was refused.
    fn refusal(&self, notice: &RefusalNotice) -> String {
        raw(&PlainRefusal::of(notice)).get().to_owned()
    }

    /// Tells a client on a socket what the server does not take, in a dialect
    /// whose messages all look alike; none: the server says it in its own way.
    fn error(&self, _notice: &ErrorNotice) -> Option<String> {
        None
    }

    /// Tells a client what came of its command under a key; none where the
    /// dialect leaves it to the server's own words.
    fn answer(&self, _notice: &AnswerNotice) -> Option<String> {
        None
    }

    /// Tells that a player came, went away or came back.
    fn presence(&self, presence: &Presence) -> String {
        raw(&PlainPresence::of(presence)).get().to_owned()
    }

    /// Understands a client's message.
    fn hear(&self, message: &[u8]) -> Result<ClientMessage<G::Action>, MessageError>;

    /// The schemas of everything this dialect says and hears.
    fn schemas(&self) -> Vec<EventSchema>;
}

/// The name of the dialect every game is spoken in.
pub const CANONICAL: &str = "log";

/// The canonical envelope as a dialect, for every game: each event seen is
/// one wire event, numbered in the viewer's own view.
pub struct LogDialect;

/// The present as a whole.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SNAPSHOT")]
struct SnapshotEnvelope<'a, K, A> {
    event_type: SnapshotTag,
    /// The game spoken of.
    game_id: &'a str,
    /// The position in the stream.
    sequence: u64,
    /// Milliseconds since 1970.
    timestamp: u64,
    /// What the viewer knows.
    payload: &'a K,
    /// What it may do now.
    options: Vec<A>,
    /// What is left on the clock, in whole seconds; left out where none runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
enum SnapshotTag {
    #[serde(rename = "SNAPSHOT")]
    Snapshot,
}

impl<G: Told> Dialect<G> for LogDialect {
    fn name(&self) -> &'static str {
        CANONICAL
    }

    fn speak(
        &self,
        _before: &G::Knowledge,
        step: &[G::Seen],
        after: &G::Knowledge,
        moment: &Moment,
        out: &mut Vec<String>,
    ) {
        for (sequence, seen) in (moment.position..).zip(step) {
            let envelope = seen_envelope::<G>(after, moment, sequence, seen);
            out.push(raw(&envelope).get().to_owned());
        }
    }

    fn count(&self, _: &G::Knowledge, step: &[G::Seen], _: &G::Knowledge, _: &Moment) -> usize {
        step.len()
    }

    fn snapshot(&self, knowledge: &G::Knowledge, moment: &Moment) -> String {
        let snapshot = SnapshotEnvelope {
            event_type: SnapshotTag::Snapshot,
            game_id: moment.game_id,
            sequence: moment.position,
            timestamp: moment.timestamp,
            payload: knowledge,
            options: options_of::<G>(knowledge, moment.viewer),
            seconds_left: moment.seconds_left,
        };
        raw(&snapshot).get().to_owned()
    }

    fn hear(&self, message: &[u8]) -> Result<ClientMessage<G::Action>, MessageError> {
        canonical::hear::<G>(message)
    }

    fn schemas(&self) -> Vec<EventSchema> {
        let said =
            |name: &str, schema| EventSchema { name: name.to_owned(), is_command: false, schema };
        let snapshot = schema_of::<SnapshotEnvelope<'static, G::Knowledge, G::Action>>();
        let told = [
            said("Envelope", envelope_schema(G::schema_seen())),
            said("SNAPSHOT", snapshot),
            PlainRefusal::schema(),
            PlainPresence::schema(),
        ];
        told.into_iter().chain(canonical::commands::<G::Action>()).collect()
    }
}

/// What the viewer may do now, in the canonical form; nothing for those who
/// have no seat.
pub(crate) fn options_of<G: Game>(knowledge: &G::Knowledge, viewer: Viewer) -> Vec<G::Action> {
    let mut options = Vec::new();
    if viewer.seat().is_some() {
        G::options(knowledge, &mut options);
    }
    options
}

fn seen_envelope<G: Told>(
    knowledge: &G::Knowledge,
    moment: &Moment,
    sequence: u64,
    seen: &G::Seen,
) -> Envelope {
    Envelope {
        event_type: event_type(seen).into(),
        game_id: moment.game_id.into(),
        sequence,
        timestamp: moment.timestamp,
        private: false,
        payload: G::payload_seen(knowledge, seen, &moment.times),
        cause: None,
        v: G::VERSION,
    }
}

/// The envelope's own fields beside `eventType` and `payload`. Definitions
/// move to the root, where references look for them.
fn envelope_schema(mut seen: Value) -> Value {
    let definitions = seen.as_object_mut().and_then(|schema| schema.remove("$defs"));
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Envelope",
        "type": "object",
        "required": ["eventType", "gameId", "sequence", "timestamp", "payload", "v"],
        "properties": {
            "gameId": {"type": "string"},
            "sequence": {"type": "integer", "minimum": 0},
            "timestamp": {"type": "integer", "minimum": 0},
            "private": {"type": "boolean"},
            "v": {"type": "integer", "minimum": 1}
        },
        "allOf": [seen],
        "$defs": definitions.unwrap_or_else(|| Value::Object(Default::default()))
    })
}
