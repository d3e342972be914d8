//! JSON Schemas of messages as they are sent: what is always sent is required.

use parlor_kernel::EventSchema;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The schema of an event of type `T`, said as `Said` (its head and its
/// body), told apart by `discriminator`.
pub(super) fn event<T: JsonSchema, Said: JsonSchema>(discriminator: &str) -> EventSchema {
    let name = T::schema_name().into_owned();
    let mut schema = as_sent::<Said>();
    schema["title"] = json!(name);
    schema["properties"][discriminator] = json!({ "const": name });
    EventSchema { name, is_command: false, schema }
}

/// The schema of what serialising a type gives: a field that may be null is
/// still there, which a schema for reading would not ask for.
pub(super) fn as_sent<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}
