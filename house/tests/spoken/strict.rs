//! Schemas that let no field pass which they do not name. As they are published
//! they let more in, so that fields can be added.

use serde_json::{Value, json};

/// Keywords below which there is one schema.
const ONE: [&str; 3] = ["items", "additionalProperties", "contains"];
/// Keywords below which there are several, by name or in a list.
const SEVERAL: [&str; 3] = ["properties", "patternProperties", "prefixItems"];
/// Keywords whose schemas speak of the same value as the schema around them.
const SAME_VALUE: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// The schema, closed to every field it does not name.
pub fn strict(schema: &Value) -> Value {
    let mut schema = schema.clone();
    close(&mut schema);
    schema
}

fn close(schema: &mut Value) {
    look_below(schema);
    let Value::Object(words) = schema else { return };
    let says_fields = SAME_VALUE.iter().chain(&["properties", "$ref"]);
    if says_fields.into_iter().any(|word| words.contains_key(*word)) {
        words.insert("unevaluatedProperties".to_owned(), json!(false));
    }
}

fn look_below(schema: &mut Value) {
    for word in ONE {
        schema.get_mut(word).into_iter().for_each(close);
    }
    for word in SEVERAL {
        match schema.get_mut(word) {
            Some(Value::Object(named)) => named.values_mut().for_each(close),
            Some(Value::Array(listed)) => listed.iter_mut().for_each(close),
            _ => {}
        }
    }
    // A definition is closed where it is used: there may be more fields beside it.
    let definitions = schema.get_mut("$defs").and_then(Value::as_object_mut);
    definitions.into_iter().flat_map(|named| named.values_mut()).for_each(look_below);
    // What speaks of the same value does not name all of its fields.
    for word in SAME_VALUE {
        let parts = schema.get_mut(word).and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(look_below);
    }
}

#[test]
fn a_field_that_is_not_named_is_found_at_any_depth() {
    let schema = json!({
        "properties": { "list": { "items": { "$ref": "#/$defs/One" } } },
        "oneOf": [{ "properties": { "a": {} }, "required": ["a"] }, { "properties": { "b": {} }, "required": ["b"] }],
        "$defs": { "One": { "properties": { "inner": { "type": "integer" } } } },
    });
    let validator = jsonschema::draft202012::new(&strict(&schema)).unwrap();
    assert!(validator.is_valid(&json!({ "a": { "free": 1 }, "list": [{ "inner": 1 }] })));
    assert!(!validator.is_valid(&json!({ "a": 1, "more": 1 })));
    assert!(!validator.is_valid(&json!({ "a": 1, "list": [{ "inner": 1, "more": 1 }] })));
}
