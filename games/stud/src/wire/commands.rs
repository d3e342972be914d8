//! What clients send: `{"type":"COMPLETE"}` and its like, and that they have
//! shown what they were told.

use parlor_kernel::{ClientMessage, Commands, EventSchema, MessageError};
use serde_json::json;

use super::events::PRESENCE_ID;
use crate::action::Action;

const ACKNOWLEDGE: &str = "ACKNOWLEDGE";

const COMMANDS: Commands = Commands { named_by: "type", names: &NAMES };

/// Every action, and last that something was shown.
const NAMES: [&str; Action::ALL.len() + 1] = {
    let mut names = [ACKNOWLEDGE; Action::ALL.len() + 1];
    let mut place = 0;
    while place < Action::ALL.len() {
        names[place] = Action::ALL[place].name();
        place += 1;
    }
    names
};

/// Understands a command.
pub(super) fn hear(message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
    let command = COMMANDS.read(message)?;
    if command.name() == ACKNOWLEDGE {
        let position = command.event_position("id", &[PRESENCE_ID])?;
        return Ok(ClientMessage::Acknowledge { position });
    }
    let action = Action::named(command.name());
    action.map(ClientMessage::Act).ok_or_else(|| COMMANDS.unknown(command.name()))
}

/// The schemas of the commands.
pub(super) fn schemas() -> Vec<EventSchema> {
    let actions = Action::ALL.iter().map(|action| COMMANDS.schema(action.name(), &[], &[]));
    let id = json!({ "type": "string", "pattern": "^evt_" });
    actions.chain([COMMANDS.schema(ACKNOWLEDGE, &[("id", id)], &[])]).collect()
}
