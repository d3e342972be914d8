//! How stud is spoken: the dialect `stud.events`, as a pure function of what
//! a viewer sees and knows.
//!
//! Every event is `{id, type, seat, street, timestamp}` and its own fields, as
//! the contract has them; what the contract does not name is marked ＋.
//! `docs/contracts/stud-events.md` tells of all of it, and why.

mod commands;
mod events;
mod standing;

use std::sync::Arc;

use parlor_kernel::{ClientMessage, Dialect, EventSchema, MessageError, Moment, RefusalNotice};

use crate::action::Action;
use crate::event::Seen;
use crate::game::Stud;
use crate::state::Knowledge;
use events::{Next, PRESENCE_ID, Presence, Refused, Snapshot, text, told};

/// The dialects of stud; the first is the one scripts speak.
pub fn dialects() -> Vec<Arc<dyn Dialect<Stud>>> {
    vec![Arc::new(Events)]
}

/// The dialect `stud.events`.
struct Events;

impl Dialect<Stud> for Events {
    fn name(&self) -> &'static str {
        "stud.events"
    }

    fn speak(
        &self,
        _before: &Knowledge,
        step: &[Seen],
        after: &Knowledge,
        moment: &Moment,
        out: &mut Vec<String>,
    ) {
        for (nth, seen) in step.iter().enumerate() {
            // Whoever is asked is asked after the whole step.
            let next = if nth + 1 == step.len() { Next::of(after) } else { None };
            out.push(told(seen, next, moment.event_id(nth), moment.timestamp));
        }
    }

    fn snapshot(&self, knowledge: &Knowledge, moment: &Moment) -> String {
        text(&Snapshot::of(knowledge, moment))
    }

    fn refusal(&self, notice: &RefusalNotice) -> String {
        text(&Refused::of(notice))
    }

    fn presence(&self, presence: &parlor_kernel::Presence) -> String {
        let connected = presence.is_here();
        text(&Presence::of(PRESENCE_ID, presence.seat, connected, presence.timestamp))
    }

    fn hear(&self, message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
        commands::hear(message)
    }

    fn schemas(&self) -> Vec<EventSchema> {
        let mut schemas = events::schemas();
        schemas.extend(commands::schemas());
        schemas
    }
}
