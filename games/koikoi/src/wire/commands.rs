//! What clients send: the protocol's five commands, in both dialects.

use parlor_kernel::{ClientMessage, Commands, EventSchema, MessageError, brief};
use serde_json::json;

use super::schema::as_sent;
use crate::cards::Card;
use crate::event::{Action, Refusal};

/// The id under which comings and goings are told.
pub(super) const PRESENCE_ID: &str = "evt_presence";

const COMMANDS: Commands = Commands {
    named_by: "command",
    names: &[
        "GameRequestJoin",
        "TurnPlayHandCard",
        "TurnSelectTarget",
        "RoundMakeDecision",
        "ClientAcknowledge",
    ],
};

/// Messages that are no part of the stream.
const APART: [&str; 2] = ["evt_snapshot", PRESENCE_ID];

/// Understands a command. Whatever is wrong with one has a code of the contracts.
pub(super) fn hear(message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
    read(message).map_err(|error| unreadable("INVALID_STATE", error))
}

fn read(message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
    let command = COMMANDS.read(message)?;
    let text = |field, code| command.text(field).map_err(|error| unreadable(code, error));
    match command.name() {
        "GameRequestJoin" => Ok(ClientMessage::Join {
            player_id: Some(command.text("player_id")?.to_owned()),
            token: command.text("session_token")?.to_owned(),
            after: command.position("after")?,
        }),
        "ClientAcknowledge" => {
            Ok(ClientMessage::Acknowledge { position: command.event_position("event_id", &APART)? })
        }
        "TurnPlayHandCard" => Ok(ClientMessage::Act(Action::Play {
            card: card(text("card", "INVALID_CARD")?, "INVALID_CARD")?,
            target: match command.optional_text("target") {
                Ok(Some(target)) => Some(card(target, "INVALID_TARGET")?),
                Ok(None) => None,
                Err(error) => return Err(unreadable("INVALID_TARGET", error)),
            },
        })),
        "TurnSelectTarget" => {
            let code = "INVALID_SELECTION";
            let (source, target) = (text("source", code)?, text("target", code)?);
            Ok(ClientMessage::Act(Action::Select {
                source: card(source, code)?,
                target: card(target, code)?,
            }))
        }
        "RoundMakeDecision" => match text("decision", "INVALID_SELECTION")? {
            "KOI_KOI" => Ok(ClientMessage::Act(Action::KoiKoi)),
            "END_ROUND" => Ok(ClientMessage::Act(Action::Stop)),
            _ => {
                let wanted = command.wants("decision", "KOI_KOI or END_ROUND");
                Err(unreadable("INVALID_SELECTION", wanted))
            }
        },
        unknown => Err(COMMANDS.unknown(unknown)),
    }
}

/// Puts a code on what cannot be read, unless it has one.
fn unreadable(code: &'static str, error: MessageError) -> MessageError {
    match error {
        MessageError::Malformed(message) => MessageError::Unreadable { code, message },
        coded => coded,
    }
}

/// A text that is no card is refused like an illegal move.
fn card(id: &str, code: &'static str) -> Result<Card, MessageError> {
    Card::from_id(id).ok_or_else(|| MessageError::Refused {
        code,
        reason: Some("MALFORMED"),
        message: Refusal::NoSuchCard(brief(id)).to_string(),
        untimely: false,
    })
}

/// The schemas of the five commands.
pub(super) fn schemas() -> Vec<EventSchema> {
    let text = || json!({ "type": "string" });
    let card = as_sent::<Card>;
    let card_or_null = json!({ "anyOf": [card(), { "type": "null" }] });
    let command = |name, needed: &[_], optional: &[_]| COMMANDS.schema(name, needed, optional);
    vec![
        command(
            "GameRequestJoin",
            &[("player_id", text()), ("session_token", text())],
            &[("after", json!({ "type": ["integer", "null"], "minimum": 0 }))],
        ),
        command("TurnPlayHandCard", &[("card", card())], &[("target", card_or_null)]),
        command("TurnSelectTarget", &[("source", card()), ("target", card())], &[]),
        command(
            "RoundMakeDecision",
            &[("decision", json!({ "enum": ["KOI_KOI", "END_ROUND"] }))],
            &[],
        ),
        command(
            "ClientAcknowledge",
            &[("event_id", json!({ "type": "string", "pattern": "^evt_" }))],
            &[],
        ),
    ]
}
