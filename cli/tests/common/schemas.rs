//! The schemas the server publishes, to hold its messages against.

use std::collections::HashMap;

use jsonschema::Validator;
use serde_json::Value;

use super::house::House;

/// Compiled schemas, fetched when they are first needed.
pub struct Schemas<'a> {
    house: &'a House,
    known: HashMap<(String, String), Validator>,
}

impl<'a> Schemas<'a> {
    pub fn of(house: &'a House) -> Schemas<'a> {
        Schemas { house, known: HashMap::new() }
    }

    /// A message is as its schema says.
    #[track_caller]
    pub fn check(&mut self, dialect: &str, name: &str, message: &Value) {
        let key = (dialect.to_owned(), name.to_owned());
        let house = self.house;
        let schema = self.known.entry(key).or_insert_with(|| {
            let schema = house.get(&format!("/api/schemas/{dialect}/{name}"), None).with(200);
            jsonschema::validator_for(&schema).expect("a schema")
        });
        let wrong: Vec<String> =
            schema.iter_errors(message).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{name} in {dialect}: {wrong:?}\n{message}");
    }
}
