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

/// Understands a command.
pub(super) fn hear(message: &[u8]) -> Result<ClientMessage<Action>, MessageError> {
    let command = COMMANDS.read(message)?;
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
            card: card(command.text("card")?, "INVALID_CARD")?,
            target: match command.optional_text("target")? {
                Some(target) => Some(card(target, "INVALID_TARGET")?),
                None => None,
            },
        })),
        "TurnSelectTarget" => {
            let (source, target) = (command.text("source")?, command.text("target")?);
            Ok(ClientMessage::Act(Action::Select {
                source: card(source, "INVALID_SELECTION")?,
                target: card(target, "INVALID_SELECTION")?,
            }))
        }
        "RoundMakeDecision" => match command.text("decision")? {
            "KOI_KOI" => Ok(ClientMessage::Act(Action::KoiKoi)),
            "END_ROUND" => Ok(ClientMessage::Act(Action::Stop)),
            _ => Err(command.wants("decision", "KOI_KOI or END_ROUND")),
        },
        unknown => Err(COMMANDS.unknown(unknown)),
    }
}

fn card(id: &str, code: &'static str) -> Result<Card, MessageError> {
    Card::from_id(id).ok_or_else(|| MessageError::Refused {
        code,
        reason: None,
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
