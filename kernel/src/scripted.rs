//! A game in scripts: fixed shuffles, and moves in its own commands.

use serde_json::{Map, Value};

use crate::dialect::{ClientMessage, Dialect, LogDialect, MessageError};
use crate::dice::Stacked;
use crate::offered::Offered;
use crate::told::Told;

/// A game as scripts play it.
pub trait Scripted: Told {
    /// Reads the fixed shuffles of a script: `deck`, `decks`, `roles`, `rolls`.
    fn stack(_script: &Map<String, Value>) -> Result<Stacked, String> {
        Ok(Stacked::new())
    }

    /// An action of a script, in the game's first dialect, or as the log has it
    /// where the game has no dialect of its own.
    fn script_action(action: &Value) -> Result<Self::Action, MessageError>
    where
        Self: Offered,
    {
        let message = action.to_string();
        let heard = match Self::dialects().first() {
            Some(dialect) => dialect.hear(message.as_bytes()),
            None => Dialect::<Self>::hear(&LogDialect, message.as_bytes()),
        };
        match heard? {
            ClientMessage::Act(action) => Ok(action),
            _ => Err(MessageError::Malformed("a script takes moves only".to_owned())),
        }
    }
}
