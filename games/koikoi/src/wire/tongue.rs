//! What the two dialects do alike: tell a step thing by thing, put a head on
//! whatever is said, list the schemas. A tongue has the words.

use std::marker::PhantomData;

use parlor_kernel::{Dialect, EventSchema, Heard, Misheard, Moment, Rebuff, Seat};
use schemars::JsonSchema;
use serde::Serialize;

use super::standing::Awaited;
use super::step::{Told, read};
use super::{commands, schema};
use crate::KoiKoi;
use crate::board::{Knowledge, TableCard};
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

    /// An event with its head.
    type Said<B: Body>: Body;
    type Refusal: Body;
    type Snapshot: Body;

    fn said<B: Body>(event_id: String, timestamp: u64, body: B) -> Self::Said<B>;

    fn tell(speaker: &mut Speaker<Self>, told: Told);

    fn refusal(rebuff: &Rebuff) -> Self::Refusal;

    fn snapshot(knowledge: &Knowledge, moment: &Moment) -> Self::Snapshot;

    /// The schemas of what `tell` says.
    fn told_schemas() -> Vec<EventSchema>;
}

/// ＋ A player went away or came back.
#[derive(Serialize, JsonSchema)]
struct PlayerConnectionChanged {
    player_id: String,
    connected: bool,
}

fn said<T: Tongue>(event_id: String, timestamp: u64, body: impl Body) -> String {
    // Plain data with string keys always becomes JSON.
    serde_json::to_string(&T::said(event_id, timestamp, body)).expect("an event is plain data")
}

pub(super) fn schema_of<T: Tongue, B: Body>() -> EventSchema {
    schema::event::<B, T::Said<B>>(T::DISCRIMINATOR)
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
        said::<T>(moment.present_id(), moment.timestamp, body)
    }

    fn refusal(&self, rebuff: &Rebuff) -> String {
        said::<T>(rebuff.id.to_owned(), rebuff.timestamp, T::refusal(rebuff))
    }

    fn presence(&self, seat: Seat, connected: bool, timestamp: u64) -> String {
        let body = PlayerConnectionChanged { player_id: seat.player_id(), connected };
        said::<T>(commands::PRESENCE_ID.to_owned(), timestamp, body)
    }

    fn hear(&self, message: &[u8]) -> Result<Heard<Action>, Misheard> {
        commands::hear(message)
    }

    fn schemas(&self) -> Vec<EventSchema> {
        let mut schemas = T::told_schemas();
        schemas.push(schema_of::<T, T::Refusal>());
        schemas.push(schema_of::<T, T::Snapshot>());
        schemas.push(schema_of::<T, PlayerConnectionChanged>());
        schemas.extend(commands::schemas());
        schemas
    }
}

/// Tells one step to one listener.
pub(super) struct Speaker<'a, T> {
    pub table: &'a TableCard,
    pub moment: &'a Moment<'a>,
    /// How much was said before this step.
    first: usize,
    out: &'a mut Vec<String>,
    tongue: PhantomData<T>,
}

impl<T: Tongue> Speaker<'_, T> {
    pub fn say(&mut self, body: impl Body) {
        let event_id = self.moment.event_id(self.out.len() - self.first);
        self.out.push(said::<T>(event_id, self.moment.timestamp, body));
    }

    /// The clock that runs for whoever is awaited next.
    pub fn clock(&self, next: Option<Awaited>) -> Option<u32> {
        next.and_then(|_| self.table.turn_clock())
    }
}
