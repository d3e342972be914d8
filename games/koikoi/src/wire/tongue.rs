//! What the two dialects do alike: tell a step thing by thing, put a head on
//! whatever is said, list the schemas. A tongue has the words.

use std::borrow::Cow;
use std::marker::PhantomData;

use parlor_kernel::{
    AnswerNotice, ClientMessage, Dialect, ErrorNotice, EventSchema, MessageError, Moment, Presence,
    RefusalNotice,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::refused::Refused;
use super::standing::Awaited;
use super::step::{Told, read};
use super::{commands, schema};
use crate::KoiKoi;
use crate::board::{Knowledge, MatchSetup};
use crate::event::{Action, Seen};

/// What an event says below its head; the type's name is the event's.
pub(super) trait Body: Serialize + JsonSchema {}

impl<T: Serialize + JsonSchema> Body for T {}

/// The words of one dialect.
pub(super) trait Tongue: Send + Sync + Sized + 'static {
    /// The dialect's name.
    const NAME: &'static str;
    /// The field that tells events apart.
    const DISCRIMINATOR: &'static str;

    /// What every event begins with.
    type Head: Body;
    type Refusal: Body;
    type Snapshot: Body;

    fn head(event: Cow<'static, str>, event_id: String, timestamp: u64) -> Self::Head;

    fn tell(speaker: &mut Speaker<Self>, told: Told);

    fn refusal(refused: Refused) -> Self::Refusal;

    fn snapshot(knowledge: &Knowledge, moment: &Moment) -> Self::Snapshot;

    /// The schemas of what `tell` says.
    fn told_schemas() -> Vec<EventSchema>;
}

/// ＋ A player went away or came back.
#[derive(Serialize, JsonSchema)]
struct PlayerConnectionChanged {
    player_id: &'static str,
    connected: bool,
}

/// ＋ What came of a command that brought an idempotency key.
#[derive(Serialize, JsonSchema)]
struct CommandAnswered {
    idempotency_key: String,
    /// The position of the last event it made; null where it was refused.
    position: Option<u64>,
    /// Why it was refused, as a code; null where it was not.
    code: Option<String>,
    /// The same in a sentence.
    error: Option<String>,
}

/// A head and a body, as one object. Flattening them by serde would lead
/// every field through a map, which costs as much as all the rest of a step.
fn said<T: Tongue, B: Body>(event_id: String, timestamp: u64, body: &B) -> String {
    let head = T::head(B::schema_name(), event_id, timestamp);
    // Room for most events, so that the text need not be moved while it grows.
    let mut text = Vec::with_capacity(768);
    // Plain data with string keys always becomes JSON, and JSON is UTF-8.
    serde_json::to_writer(&mut text, &head).expect("a head is plain data");
    text.pop();
    let join = text.len();
    serde_json::to_writer(&mut text, body).expect("an event is plain data");
    text[join] = b',';
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// An event with its head, for its schema.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is wanted; `said` writes the text")]
struct Said<H, B> {
    #[schemars(flatten)]
    head: H,
    #[schemars(flatten)]
    body: B,
}

pub(super) fn schema_of<T: Tongue, B: Body>() -> EventSchema {
    schema::event::<B, Said<T::Head, B>>(T::DISCRIMINATOR)
}

/// Koi-Koi spoken in a tongue.
pub(super) struct Spoken<T>(pub T);

impl<T: Tongue> Dialect<KoiKoi> for Spoken<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn speak(
        &self,
        before: &Knowledge,
        step: &[Seen],
        after: &Knowledge,
        moment: &Moment,
        out: &mut Vec<String>,
    ) {
        let Some(table) = after.table.as_deref() else { return };
        let mut speaker = Speaker { table, moment, first: out.len(), out, tongue: PhantomData };
        for told in read(&before.board, step) {
            T::tell(&mut speaker, told);
        }
    }

    fn snapshot(&self, knowledge: &Knowledge, moment: &Moment) -> String {
        let body = T::snapshot(knowledge, moment);
        // An id of its own: whoever drops known ids must not drop it.
        let event_id = format!("evt_snapshot_{}", moment.position);
        said::<T, _>(event_id, moment.timestamp, &body)
    }

    fn refusal(&self, notice: &RefusalNotice) -> String {
        let body = T::refusal(Refused::by_game(notice));
        said::<T, _>(notice.id.to_owned(), notice.timestamp, &body)
    }

    fn error(&self, notice: &ErrorNotice) -> Option<String> {
        let body = T::refusal(Refused::by_server(notice));
        Some(said::<T, _>(notice.id.to_owned(), notice.timestamp, &body))
    }

    fn answer(&self, notice: &AnswerNotice) -> Option<String> {
        let (code, error) = notice.error.unzip();
        let body = CommandAnswered {
            idempotency_key: notice.key.to_owned(),
            position: notice.position,
            code: code.map(str::to_owned),
            error: error.map(str::to_owned),
        };
        Some(said::<T, _>(format!("evt_answer_{}", notice.key), notice.timestamp, &body))
    }

    fn presence(&self, presence: &Presence) -> String {
        let (player_id, connected) = (presence.seat.id(), presence.is_here());
        let body = PlayerConnectionChanged { player_id, connected };
        said::<T, _>(commands::PRESENCE_ID.to_owned(), presence.timestamp, &body)
    }

    fn hear(&self, message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
        commands::hear(message)
    }

    fn schemas(&self) -> Vec<EventSchema> {
        let mut schemas = T::told_schemas();
        schemas.push(schema_of::<T, T::Refusal>());
        schemas.push(schema_of::<T, T::Snapshot>());
        schemas.push(schema_of::<T, PlayerConnectionChanged>());
        schemas.push(schema_of::<T, CommandAnswered>());
        schemas.extend(commands::schemas());
        schemas
    }
}

/// Tells one step to one viewer.
pub(super) struct Speaker<'a, T> {
    pub table: &'a MatchSetup,
    pub moment: &'a Moment<'a>,
    /// How much was said before this step.
    first: usize,
    out: &'a mut Vec<String>,
    tongue: PhantomData<T>,
}

impl<T: Tongue> Speaker<'_, T> {
    pub fn say<B: Body>(&mut self, body: B) {
        let event_id = self.moment.event_id(self.out.len() - self.first);
        self.out.push(said::<T, B>(event_id, self.moment.timestamp, &body));
    }

    /// The clock that runs for whoever is awaited next.
    pub fn clock(&self, next: Option<Awaited>) -> Option<u32> {
        next.and_then(|_| self.table.turn_clock())
    }
}
