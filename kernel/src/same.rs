//! Whether two JSON texts say the same.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Whether two JSON texts say the same to every reader: the same values under
/// the same names. Blanks, the order of names and the spelling of a letter do
/// not count. A text that has a name twice says nothing, as readers disagree
/// about which one holds.
pub fn same_json(one: &str, other: &str) -> bool {
    let read = |text| serde_json::from_str::<Unambiguous>(text).ok().map(|read| read.0);
    match (read(one), read(other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

struct Unambiguous(Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reading).map(Unambiguous)
    }
}

struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON without a name twice in one object")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Unambiguous(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some((name, Unambiguous(value))) = map.next_entry::<String, _>()? {
            if fields.insert(name, value).is_some() {
                return Err(A::Error::custom("a name stands twice in one object"));
            }
        }
        Ok(fields.into())
    }
}

#[cfg(test)]
mod tests {
    use super::same_json;

    #[test]
    fn spelling_does_not_count_and_values_do() {
        assert!(same_json(r#"{"a":1,"b":[null,"x"]}"#, r#" {"b": [null, "\u0078"], "a": 1}"#));
        for other in [
            r#"{"a":2}"#,
            r#"{"a":1.0}"#,
            r#"{"a":"1"}"#,
            r#"{}"#,
            r#"{"a":1,"b":1}"#,
            r#"{"a":1,"a":1}"#,
            r#"{"a":2,"a":1}"#,
            "[1]",
            "",
        ] {
            assert!(!same_json(r#"{"a":1}"#, other), "{other}");
        }
        assert!(!same_json(r#"{"a":{"b":0,"b":1}}"#, r#"{"a":{"b":1}}"#));
    }
}
