//! How Binokel is spoken: the contract's events and commands
//! (`docs/contracts/binokel-events.md`), as pure functions of what a viewer sees
//! and knows.
//!
//! `payloads` has the shapes of what is said, `events` says it, `snapshot`
//! says where things stand, `commands` understands what clients send. Cards
//! that a viewer does not know become placeholders here and nowhere else:
//! what is spoken from only has their number.

mod commands;
mod events;
mod payloads;
mod snapshot;

use std::sync::Arc;

use parlor_kernel::{
    ClientMessage, Dialect, EventSchema, MessageError, Moment, Presence, RefusalNotice,
};

use crate::event::{Action, Seen};
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use events::{Envelope, Speaker, text};

/// The dialects of Binokel.
pub fn dialects() -> Vec<Arc<dyn Dialect<Binokel>>> {
    vec![Arc::new(Events)]
}

/// The name of the dialect that clients of the contract speak.
pub const EVENTS: &str = "binokel.events";

/// The dialect `binokel.events`.
struct Events;

impl Dialect<Binokel> for Events {
    fn name(&self) -> &'static str {
        EVENTS
    }

    fn speak(
        &self,
        before: &Knowledge,
        step: &[Seen],
        after: &Knowledge,
        moment: &Moment,
        out: &mut Vec<String>,
    ) {
        Speaker::new(before, after, moment, out).tell(step);
    }

    fn snapshot(&self, knowledge: &Knowledge, moment: &Moment) -> String {
        text(&Envelope::present(moment, snapshot::snapshot(knowledge, moment)))
    }

    fn refusal(&self, notice: &RefusalNotice) -> String {
        text(&payloads::Error::of(notice))
    }

    fn presence(&self, presence: &Presence) -> String {
        text(&payloads::Presence::of(presence))
    }

    fn hear(&self, message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
        commands::hear(message).map(ClientMessage::Act)
    }

    fn schemas(&self) -> Vec<EventSchema> {
        let mut schemas = events::schemas();
        schemas.extend(commands::schemas());
        schemas
    }
}
