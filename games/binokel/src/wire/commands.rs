//! What clients send: `{"event": "game:bid", "data": {"amount": 160}}`.

use parlor_kernel::{Command, Commands, EventSchema, MessageError, schema_of};
use serde_json::{Map, Value, json};

use crate::cards::{Card, CardSet, Suit};
use crate::event::Action;
use crate::refusal::{Refusal, Why};
use crate::special::Special;

const COMMANDS: Commands = Commands {
    named_by: "event",
    names: &[
        "game:bid",
        "game:pass",
        "game:takeDabb",
        "game:discard",
        "game:goOut",
        "game:declareTrump",
        "game:announce",
        "game:declareMelds",
        "game:playCard",
        "game:exit",
    ],
};

/// Understands a command. What names something that is not in the game is
/// refused as the game would refuse it.
pub(super) fn hear(message: &[u8]) -> Result<Action, MessageError> {
    let command = COMMANDS.read(message)?.inside("data");
    match command.name() {
        "game:bid" => bid(&command),
        "game:pass" => Ok(Action::Pass),
        "game:takeDabb" => Ok(Action::TakeDabb),
        "game:discard" => discard(&command),
        "game:goOut" => suit(&command).map(|suit| Action::GoOut { suit }),
        "game:declareTrump" => suit(&command).map(|suit| Action::DeclareTrump { suit }),
        "game:announce" => announce(&command),
        "game:declareMelds" => declare_melds(&command),
        "game:playCard" => play_card(&command),
        "game:exit" => Ok(Action::Exit),
        unknown => Err(COMMANDS.unknown(unknown)),
    }
}

fn bid(command: &Command) -> Result<Action, MessageError> {
    let Some(Value::Number(amount)) = command.field("amount") else {
        return Err(command.wants("amount", "a number"));
    };
    let amount = amount.as_u64().and_then(|amount| u16::try_from(amount).ok());
    let amount = amount.ok_or_else(|| refused(Why::NotABid))?;
    Ok(Action::Bid { amount })
}

fn discard(command: &Command) -> Result<Action, MessageError> {
    let ids = command.field("cardIds").and_then(Value::as_array);
    let ids: Option<Vec<&str>> = ids.and_then(|ids| ids.iter().map(Value::as_str).collect());
    let ids = ids.ok_or_else(|| command.wants("cardIds", "a list of card ids"))?;
    let mut cards = CardSet::EMPTY;
    for id in ids {
        let card = Card::from_id(id).ok_or_else(|| refused(Why::NoSuchCard))?;
        if cards.contains(card) {
            return Err(refused(Why::DuplicateCard));
        }
        cards.insert(card);
    }
    Ok(Action::Discard { cards })
}

fn suit(command: &Command) -> Result<Suit, MessageError> {
    let name = command.text_of("suit", "kreuz, schippe, herz or bollen")?;
    let going_out = command.name() == "game:goOut";
    let unknown = || MessageError::refused(&Refusal { why: Why::InvalidSuit, going_out });
    Suit::from_name(name).ok_or_else(unknown)
}

fn announce(command: &Command) -> Result<Action, MessageError> {
    let name = command.text_of("special", "durch or bettel")?;
    let special = Special::from_name(name).ok_or_else(|| refused(Why::InvalidSpecial))?;
    Ok(Action::Announce { special })
}

/// The list means "I meld now"; what is in it is not read.
fn declare_melds(command: &Command) -> Result<Action, MessageError> {
    match command.field("melds") {
        Some(Value::Array(_)) => Ok(Action::DeclareMelds),
        _ => Err(command.wants("melds", "a list, which may be empty")),
    }
}

fn play_card(command: &Command) -> Result<Action, MessageError> {
    let id = command.text_of("cardId", "a card id such as \"kreuz-ass-1\"")?;
    let card = Card::from_id(id).ok_or_else(|| refused(Why::NoSuchCard))?;
    Ok(Action::PlayCard { card })
}

fn refused(why: Why) -> MessageError {
    MessageError::refused(&Refusal::from(why))
}

/// The schemas of the commands. `game:announce` is beyond the contract.
pub(super) fn schemas() -> Vec<EventSchema> {
    let suit = || json!({ "enum": Suit::ALL.map(Suit::name) });
    let card = schema_of::<Card>();
    vec![
        with("game:bid", "amount", json!({ "type": "integer", "multipleOf": 10 })),
        bare("game:pass"),
        bare("game:takeDabb"),
        with("game:discard", "cardIds", json!({ "type": "array", "items": card })),
        with("game:goOut", "suit", suit()),
        with("game:declareTrump", "suit", suit()),
        with("game:announce", "special", json!({ "enum": Special::ALL.map(Special::name) })),
        with("game:declareMelds", "melds", json!({ "type": "array" })),
        with("game:playCard", "cardId", card),
        bare("game:exit"),
    ]
}

fn with(name: &str, field: &str, kind: Value) -> EventSchema {
    let mut properties = Map::new();
    properties.insert(field.to_owned(), kind);
    let data = json!({ "type": "object", "properties": properties, "required": [field] });
    COMMANDS.schema(name, &[("data", data)], &[])
}

fn bare(name: &str) -> EventSchema {
    COMMANDS.schema(name, &[], &[])
}
