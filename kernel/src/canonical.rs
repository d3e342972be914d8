//! Actions in the canonical form: how they are read, and the schemas of what
//! clients send.

use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::dialect::{ClientMessage, EventSchema, MessageError};
use crate::told::Told;

/// The game's actions as commands, one schema each, named as their `type` is.
/// What no client may send is left out where the type is declared
/// (`#[schemars(skip)]`).
pub(crate) fn commands<A: JsonSchema>() -> Vec<EventSchema> {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    let whole = settings.into_generator().into_root_schema_for::<A>().to_value();
    let mut root = match whole {
        Value::Object(root) => root,
        _ => Map::new(),
    };
    let variants = match root.remove("oneOf") {
        Some(Value::Array(variants)) => variants,
        // A game with a single kind of action.
        _ => return vec![command("Action".to_owned(), root)],
    };
    root.remove("title");
    root.remove("description");
    let own = |variant: Value| {
        let name = variant.pointer("/properties/type/const").and_then(Value::as_str);
        let name = name.unwrap_or("Action").to_owned();
        let mut schema = root.clone();
        schema.insert("title".to_owned(), Value::String(name.clone()));
        if let Value::Object(variant) = variant {
            schema.extend(variant);
        }
        command(name, schema)
    };
    variants.into_iter().map(own).collect()
}

fn command(name: String, schema: Map<String, Value>) -> EventSchema {
    EventSchema { name, is_command: true, schema: Value::Object(schema) }
}

/// Understands an action in the canonical form.
pub(crate) fn hear<G: Told>(message: &[u8]) -> Result<ClientMessage<G::Action>, MessageError> {
    let no_move = |why| MessageError::Malformed(format!("this is no move of {}: {why}", G::NAME));
    let action: G::Action =
        serde_json::from_slice(message).map_err(|error| no_move(error.to_string()))?;
    if !G::is_for_clients(&action) {
        return Err(no_move("it is not for clients to send".to_owned()));
    }
    Ok(ClientMessage::Act(action))
}
