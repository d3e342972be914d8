//! What clients send: `{"type":"KILL","target":"p5"}` and the like.

use parlor_kernel::{ClientMessage, Command, Commands, EventSchema, MessageError};
use serde_json::{Value, json};

use crate::action::{Action, Channel, HIGHEST_BID, LONGEST_STATEMENT, Refusal};
use crate::circle::PlayerId;
use crate::words::Words;

const COMMANDS: Commands = Commands {
    named_by: "type",
    names: &["KILL", "PROTECT", "INVESTIGATE", "ACKNOWLEDGE", "BID", "SAY", "VOTE", "SHOWN"],
};

/// Understands a command.
pub(crate) fn hear(message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
    let command = COMMANDS.read(message)?;
    Ok(ClientMessage::Act(match command.name() {
        // The client has shown its player everything up to here.
        "SHOWN" => {
            return Ok(ClientMessage::Acknowledge { position: command.position("position")? });
        }
        "KILL" => Action::Kill { target: target(&command)? },
        "PROTECT" => Action::Protect { target: needed_target(&command)? },
        "INVESTIGATE" => Action::Investigate { target: needed_target(&command)? },
        "ACKNOWLEDGE" => Action::Acknowledge {},
        "BID" => Action::Bid { amount: amount(&command)? },
        "SAY" => Action::Say {
            text: Words::from(command.text("text")?),
            r#final: is_final(&command)?,
            channel: channel(&command)?,
        },
        "VOTE" => Action::Vote { target: target(&command)? },
        unknown => return Err(COMMANDS.unknown(unknown)),
    }))
}

fn target(command: &Command) -> Result<Option<PlayerId>, MessageError> {
    let named = |id: &str| id.parse().map_err(|_| MessageError::refused(&Refusal::UnknownTarget));
    command.optional_text("target")?.map(named).transpose()
}

fn needed_target(command: &Command) -> Result<PlayerId, MessageError> {
    target(command)?.ok_or_else(|| MessageError::refused(&Refusal::TargetMissing))
}

fn amount(command: &Command) -> Result<u8, MessageError> {
    let amount = command.field("amount").and_then(Value::as_u64);
    let amount = amount.ok_or_else(|| command.wants("amount", "a number"))?;
    u8::try_from(amount).map_err(|_| MessageError::refused(&Refusal::BidTooHigh))
}

fn is_final(command: &Command) -> Result<bool, MessageError> {
    match command.field("final") {
        None | Some(Value::Null) => Ok(true),
        Some(Value::Bool(is_final)) => Ok(*is_final),
        Some(_) => Err(command.wants("final", "true or false")),
    }
}

fn channel(command: &Command) -> Result<Channel, MessageError> {
    match command.optional_text("channel")? {
        None | Some("public") => Ok(Channel::Public),
        Some("mafia") => Ok(Channel::Mafia),
        Some(_) => Err(command.wants("channel", "public or mafia")),
    }
}

/// The schemas of the commands.
pub(super) fn schemas() -> Vec<EventSchema> {
    let player = || json!({ "type": "string", "pattern": "^p[1-9][0-9]*$" });
    let player_or_null = || json!({ "anyOf": [player(), { "type": "null" }] });
    let position = || json!({ "type": ["integer", "null"], "minimum": 0 });
    let command = |name, needed: &[_], optional: &[_]| COMMANDS.schema(name, needed, optional);
    vec![
        command("KILL", &[("target", player_or_null())], &[]),
        command("PROTECT", &[("target", player())], &[]),
        command("INVESTIGATE", &[("target", player())], &[]),
        command("ACKNOWLEDGE", &[], &[]),
        command(
            "BID",
            &[("amount", json!({ "type": "integer", "minimum": 0, "maximum": HIGHEST_BID }))],
            &[],
        ),
        command(
            "SAY",
            &[("text", json!({ "type": "string", "maxLength": LONGEST_STATEMENT }))],
            &[
                ("final", json!({ "type": "boolean" })),
                ("channel", json!({ "enum": ["public", "mafia"] })),
            ],
        ),
        command("VOTE", &[("target", player_or_null())], &[]),
        command("SHOWN", &[], &[("position", position())]),
    ]
}
