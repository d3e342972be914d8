//! House rules on a command line: `nintendo,rounds=6,yaku.KASU=2`, or JSON.

use serde_json::{Map, Value};

use crate::error::CliError;

/// Reads rules as they are written on a command line.
pub fn parse(text: &str) -> Result<Value, CliError> {
    if text.trim_start().starts_with('{') {
        let wrong = |error| CliError::usage(format_args!("the rules are no JSON object: {error}"));
        return serde_json::from_str(text).map_err(wrong);
    }
    let mut rules = Map::new();
    for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        match item.split_once('=') {
            Some((key, value)) => put(&mut rules, key.trim(), value.trim())?,
            None => drop(rules.insert("preset".to_owned(), Value::from(item))),
        }
    }
    Ok(if rules.is_empty() { Value::Null } else { Value::Object(rules) })
}

/// Puts `a.b=value` where it belongs. A value that is no JSON is a word.
fn put(rules: &mut Map<String, Value>, key: &str, value: &str) -> Result<(), CliError> {
    match key.split_once('.') {
        None => {
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
            rules.insert(key.to_owned(), value);
            Ok(())
        }
        Some((outer, inner)) => {
            let nested = rules.entry(outer).or_insert_with(|| Value::Object(Map::new()));
            let Value::Object(nested) = nested else {
                return Err(CliError::usage(format_args!("'{outer}' is given twice")));
            };
            put(nested, inner, value)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_preset_and_options_make_an_object() {
        let rules = parse("nintendo,rounds=6,koi_factor=any_called,yaku.KASU=2").unwrap();
        let expected = json!({
            "preset": "nintendo", "rounds": 6, "koi_factor": "any_called", "yaku": {"KASU": 2},
        });
        assert_eq!(rules, expected);
    }

    #[test]
    fn nothing_asks_for_the_default() {
        assert_eq!(parse("").unwrap(), Value::Null);
    }

    #[test]
    fn a_broken_object_is_refused() {
        assert!(matches!(parse("{\"rounds\":"), Err(CliError::Usage(_))));
    }
}
