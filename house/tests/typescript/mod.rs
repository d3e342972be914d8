//! JSON Schema to TypeScript, as far as the dialects' schemas go.

use std::collections::BTreeMap;
use std::fmt::Write;

use parlor_kernel::EventSchema;
use serde_json::{Map, Value};

/// Messages of one dialect as a TypeScript module.
pub fn module(dialect: &str, schemas: &[EventSchema]) -> String {
    let mut parts = BTreeMap::new();
    let mut messages = String::new();
    for message in schemas {
        let mut schema = message.schema.clone();
        let own = take_definitions(&mut schema);
        let renamed = settle(&message.name, own, schemas, &mut parts);
        rename(&mut schema, &renamed);
        declare(&mut messages, &type_name(message, schemas), &schema);
    }
    let mut text = format!(
        "// Written from the schemas of `{dialect}` by house/tests/wire_types.rs; not to be edited.\n\n"
    );
    for (name, schema) in &parts {
        declare(&mut text, name, schema);
    }
    text.push_str(&messages);
    for (name, commands) in [("Event", false), ("Command", true)] {
        let names: Vec<_> = schemas
            .iter()
            .filter(|message| message.is_command == commands)
            .map(|message| type_name(message, schemas))
            .collect();
        let union = if names.is_empty() { "never".to_owned() } else { names.join(" | ") };
        let _ = writeln!(text, "export type {name} = {union};\n");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// A command that has an event's name is told apart from it.
fn type_name(message: &EventSchema, schemas: &[EventSchema]) -> String {
    let is_event = |one: &EventSchema| !one.is_command && one.name == message.name;
    if message.is_command && schemas.iter().any(is_event) {
        format!("{}_COMMAND", message.name)
    } else {
        message.name.replace([':', '-', '.'], "_")
    }
}

fn take_definitions(schema: &mut Value) -> Map<String, Value> {
    match schema.as_object_mut().and_then(|schema| schema.remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    }
}

/// Keeps the parts a message is made of. Messages share parts of the same
/// shape; a part that has its name from a message, or another shape than one
/// kept before, is told apart by the message it came with.
fn settle(
    message: &str,
    own: Map<String, Value>,
    schemas: &[EventSchema],
    parts: &mut BTreeMap<String, Value>,
) -> BTreeMap<String, String> {
    let clashes = |name: &str, schema: &Value| {
        schemas.iter().any(|one| one.name == name)
            || parts.get(name).is_some_and(|kept| kept != schema)
    };
    let renamed: BTreeMap<String, String> = own
        .iter()
        .filter(|(name, schema)| clashes(name, schema))
        .map(|(name, _)| (name.clone(), format!("{name}In{message}")))
        .collect();
    for (name, mut schema) in own {
        rename(&mut schema, &renamed);
        parts.insert(renamed.get(&name).cloned().unwrap_or(name), schema);
    }
    renamed
}

fn rename(schema: &mut Value, renamed: &BTreeMap<String, String>) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                let new = (key == "$ref")
                    .then(|| value.as_str()?.strip_prefix("#/$defs/"))
                    .flatten()
                    .and_then(|name| renamed.get(name));
                match new {
                    Some(new) => *value = Value::String(format!("#/$defs/{new}")),
                    None => rename(value, renamed),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, renamed)),
        _ => {}
    }
}

fn declare(out: &mut String, name: &str, schema: &Value) {
    comment(out, schema, "");
    let _ = writeln!(out, "export type {name} = {};\n", said(schema, ""));
}

fn comment(out: &mut String, schema: &Value, indent: &str) {
    if let Some(text) = schema.get("description").and_then(Value::as_str) {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "{indent}/** {line} */");
    }
}

/// A schema as a type.
fn said(schema: &Value, indent: &str) -> String {
    let Some(fields) = schema.as_object() else { return "unknown".to_owned() };
    let mut every = Vec::new();
    if let Some(name) = fields.get("$ref").and_then(Value::as_str) {
        every.push(name.rsplit('/').next().unwrap_or("unknown").to_owned());
    }
    if let Some(value) = fields.get("const") {
        return value.to_string();
    }
    if let Some(Value::Array(values)) = fields.get("enum") {
        return union(values.iter().map(Value::to_string));
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(Value::Array(variants)) = fields.get(key) {
            every.push(union(variants.iter().map(|variant| said(variant, indent))));
        }
    }
    if let Some(Value::Array(all)) = fields.get("allOf") {
        every.extend(all.iter().map(|one| said(one, indent)));
    }
    match fields.get("type") {
        Some(Value::String(kind)) => every.extend(of_kind(kind, fields, indent)),
        Some(Value::Array(kinds)) => {
            let kinds = kinds.iter().filter_map(Value::as_str);
            let types = union(kinds.filter_map(|kind| of_kind(kind, fields, indent)));
            every.push(types);
        }
        _ if fields.contains_key("properties") => every.push(object(fields, indent)),
        _ => {}
    }
    every.dedup();
    match every.as_slice() {
        [] => "unknown".to_owned(),
        [only] => only.clone(),
        _ => every.iter().map(|one| bracketed(one)).collect::<Vec<_>>().join(" & "),
    }
}

fn bracketed(one: &str) -> String {
    if one.contains(" | ") { format!("({one})") } else { one.to_owned() }
}

fn union(types: impl Iterator<Item = String>) -> String {
    let mut types: Vec<String> = types.collect();
    let mut seen = std::collections::BTreeSet::new();
    types.retain(|one| seen.insert(one.clone()));
    types.join(" | ")
}

fn of_kind(kind: &str, fields: &Map<String, Value>, indent: &str) -> Option<String> {
    Some(match kind {
        "string" => "string".to_owned(),
        "integer" | "number" => "number".to_owned(),
        "boolean" => "boolean".to_owned(),
        "null" => "null".to_owned(),
        "array" => array(fields, indent),
        // A struct that flattens an enum is an object without fields of its
        // own and the enum's variants beside it.
        "object" if !has_fields(fields) && is_composed(fields) => return None,
        "object" => object(fields, indent),
        _ => "unknown".to_owned(),
    })
}

fn has_fields(fields: &Map<String, Value>) -> bool {
    fields.contains_key("properties")
        || fields.get("additionalProperties").is_some_and(Value::is_object)
}

fn is_composed(fields: &Map<String, Value>) -> bool {
    ["$ref", "oneOf", "anyOf", "allOf"].iter().any(|key| fields.contains_key(*key))
}

fn array(fields: &Map<String, Value>, indent: &str) -> String {
    if let Some(Value::Array(items)) = fields.get("prefixItems") {
        let items: Vec<_> = items.iter().map(|item| said(item, indent)).collect();
        return format!("[{}]", items.join(", "));
    }
    let item = fields.get("items").map_or("unknown".to_owned(), |item| said(item, indent));
    let bound = |key: &str| fields.get(key).and_then(Value::as_u64);
    match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if least == most && most <= 4 => {
            format!("[{}]", vec![item; most as usize].join(", "))
        }
        _ if item.contains([' ', '{']) => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

fn object(fields: &Map<String, Value>, indent: &str) -> String {
    let Some(Value::Object(properties)) = fields.get("properties") else {
        let values = fields.get("additionalProperties").filter(|values| values.is_object());
        let values = values.map_or("unknown".to_owned(), |values| said(values, indent));
        return format!("Record<string, {values}>");
    };
    let required: Vec<&str> = match fields.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let inner = format!("{indent}  ");
    let mut out = String::from("{\n");
    for (name, schema) in properties {
        comment(&mut out, schema, &inner);
        let mark = if required.contains(&name.as_str()) { "" } else { "?" };
        let key = if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            name.clone()
        } else {
            format!("{name:?}")
        };
        let _ = writeln!(out, "{inner}{key}{mark}: {};", said(schema, &inner));
    }
    let _ = write!(out, "{indent}}}");
    out
}
