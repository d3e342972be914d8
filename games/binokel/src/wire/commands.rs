//! What clients send: `{"event": "game:bid", "data": {"amount": 160}}`.

use parlor_kernel::{Command, Commands, EventSchema, MessageError, schema_of};
use serde_json::{Map, Value, json};

use crate::cards::{Card, CardSet, Suit};
use crate::event::{Absurdity, Action};
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
/// understood too, so that it can be refused in its turn for what it is.
pub(super) fn hear(message: &[u8]) -> Result<Action, MessageError> {
    let command = COMMANDS.read(message)?.inside("data");
    match command.name() {
        "game:bid" => bid(&command),
        "game:pass" => Ok(Action::Pass),
        "game:takeDabb" => Ok(Action::TakeDabb),
        "game:discard" => discard(&command),
        "game:goOut" => suit(&command, Absurdity::GoOut, |suit| Action::GoOut { suit }),
        "game:declareTrump" => {
            suit(&command, Absurdity::DeclareTrump, |suit| Action::DeclareTrump { suit })
        }
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
    Ok(amount.map_or(absurd(Absurdity::Bid), |amount| Action::Bid { amount }))
}

fn discard(command: &Command) -> Result<Action, MessageError> {
    let ids = command.field("cardIds").and_then(Value::as_array);
    let ids: Option<Vec<&str>> = ids.and_then(|ids| ids.iter().map(Value::as_str).collect());
    let ids = ids.ok_or_else(|| command.wants("cardIds", "a list of card ids"))?;
    let named = u8::try_from(ids.len()).unwrap_or(u8::MAX);
    let mut cards = CardSet::EMPTY;
    for card in ids.into_iter().map(Card::from_id) {
        match card {
            None => return Ok(absurd(Absurdity::Discard { named })),
            Some(card) if cards.contains(card) => {
                return Ok(absurd(Absurdity::DiscardTwice { named }));
            }
            Some(card) => cards.insert(card),
        }
    }
    Ok(Action::Discard { cards })
}

fn suit(
    command: &Command,
    otherwise: Absurdity,
    action: impl Fn(Suit) -> Action,
) -> Result<Action, MessageError> {
    let name = command.text_of("suit", "kreuz, schippe, herz or bollen")?;
    Ok(Suit::from_name(name).map_or(absurd(otherwise), action))
}

fn announce(command: &Command) -> Result<Action, MessageError> {
    let name = command.text_of("special", "durch or bettel")?;
    let announce = |special| Action::Announce { special };
    Ok(Special::from_name(name).map_or(absurd(Absurdity::Announce), announce))
}

/// rules §4: the list means "I meld now"; what is in it is not read.
fn declare_melds(command: &Command) -> Result<Action, MessageError> {
    match command.field("melds") {
        Some(Value::Array(_)) => Ok(Action::DeclareMelds),
        _ => Err(command.wants("melds", "a list, which may be empty")),
    }
}

fn play_card(command: &Command) -> Result<Action, MessageError> {
    let id = command.text_of("cardId", "a card id such as \"kreuz-ass-1\"")?;
    Ok(Card::from_id(id).map_or(absurd(Absurdity::PlayCard), |card| Action::PlayCard { card }))
}

const fn absurd(what: Absurdity) -> Action {
    Action::Absurd { what }
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
