//! How a game's events are written into logs and onto wires. A game says only
//! where it differs from the defaults.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::dialect::schema_of;
use crate::game::Game;
use crate::seat::Viewer;
use crate::tagged::payload_of;
use crate::times::Times;

/// A game as it is told.
pub trait Told: Game {
    /// Whether some viewer may not see all of this event. `state` is the truth
    /// just after it.
    fn is_private(state: &Self::State, event: &Self::Event) -> bool {
        match Self::see(state, event, Viewer::Public) {
            Some(seen) => payload_of(&seen).get() != payload_of(event).get(),
            None => true,
        }
    }

    /// The payload as it is stored. Beside the event's own fields it may tell
    /// readers of a single line what follows from the game before it, such as
    /// names beside ids and times; reading it back ignores that. `state` is the
    /// truth just after the event.
    fn payload(_state: &Self::State, event: &Self::Event, _times: &Times) -> Box<RawValue> {
        payload_of(event)
    }

    /// The same for what a viewer sees, in the canonical envelope.
    fn payload_seen(
        _knowledge: &Self::Knowledge,
        seen: &Self::Seen,
        _times: &Times,
    ) -> Box<RawValue> {
        payload_of(seen)
    }

    /// The schema of what is seen, tagged, with all that `payload_seen` tells.
    fn schema_seen() -> Value {
        schema_of::<Self::Seen>()
    }

    /// Whether a client may send this. What an agent's keeper reports about
    /// its agent is an action too, but none for a wire.
    fn is_for_clients(_action: &Self::Action) -> bool {
        true
    }
}
