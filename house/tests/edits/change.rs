//! Every way to edit one place of a JSON value.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

/// The way to a place in an envelope: names, and numbers of items.
#[derive(Clone, Debug, Default)]
pub struct Place(Vec<Value>);

impl Place {
    fn then(&self, step: impl Into<Value>) -> Place {
        Place(self.0.iter().cloned().chain([step.into()]).collect())
    }

    /// The place as the list has it: items are alike.
    pub fn field(&self) -> String {
        let steps = self.0.iter().map(|step| step.as_str().unwrap_or("*"));
        steps.collect::<Vec<_>>().join(".")
    }

    fn of<'a>(&self, root: &'a mut Value) -> &'a mut Value {
        self.0.iter().fold(root, |value, step| match step {
            Value::String(name) => &mut value[name.as_str()],
            number => &mut value[number.as_u64().expect("an index") as usize],
        })
    }

    fn within(value: &Value, here: &Place, all: &mut Vec<(Place, Value)>) {
        all.push((here.clone(), value.clone()));
        match value {
            Value::Object(fields) => {
                fields
                    .iter()
                    .for_each(|(name, value)| Place::within(value, &here.then(name.as_str()), all));
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                items.for_each(|(index, value)| Place::within(value, &here.then(index), all));
            }
            _ => {}
        }
    }
}

fn places(line: &Value) -> Vec<(Place, Value)> {
    let mut all = Vec::new();
    Place::within(line, &Place::default(), &mut all);
    all
}

/// What stands in each field somewhere in the log: `clock` where elsewhere it
/// is `seat`, one card for another.
pub fn other_values(lines: &[Value]) -> BTreeMap<String, BTreeSet<String>> {
    let mut others: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (place, value) in lines.iter().flat_map(places) {
        if let Value::String(text) = value {
            let known = others.entry(place.field()).or_default();
            // All of what can be said in a move, and some of the rest.
            if known.len() < if place.field().starts_with("cause") { 48 } else { 6 } {
                known.insert(text);
            }
        }
    }
    others
}

/// Everything that can be put in place of a value.
fn instead(value: &Value, others: Option<&BTreeSet<String>>) -> Vec<(&'static str, Value)> {
    let mut all = vec![("null", Value::Null)];
    match value {
        Value::Null => {
            all = vec![("a number", json!(1)), ("a text", json!("x"))];
            let texts = others.into_iter().flatten();
            all.extend(texts.map(|text| ("what the event tells", json!(text))));
        }
        Value::Bool(flag) => all.push(("the opposite", json!(!flag))),
        Value::Number(number) => {
            if let Some(whole) = number.as_i64() {
                let float = json!(whole as f64);
                all.extend([("one more", json!(whole + 1)), ("one less", json!(whole - 1))]);
                all.extend([("a fraction", float), ("a text", json!(number.to_string()))]);
            }
        }
        Value::String(text) => {
            let (upper, lower) = (text.to_uppercase(), text.to_lowercase());
            let digits = text.replace(['0', '7'], "1").replace(['a', 'f'], "b");
            let shorter: String = text.chars().skip(1).collect();
            let mut texts = BTreeSet::from([upper, lower, digits, shorter, format!("{text} ")]);
            texts.extend(others.into_iter().flatten().cloned());
            texts.remove(text);
            all.extend(texts.into_iter().map(|text| ("another text", json!(text))));
        }
        Value::Array(items) => {
            let longer: Vec<Value> = items.iter().chain(items.last()).cloned().collect();
            all.push(("an item more", json!(longer)));
            all.push(("an unknown item more", json!([&items[..], &[json!("x")]].concat())));
            let turned: Vec<Value> = items.iter().rev().cloned().collect();
            all.extend([("turned around", json!(turned)), ("emptied", json!([]))]);
        }
        Value::Object(fields) => {
            let mut wider = fields.clone();
            wider.insert("extra".to_owned(), json!(1));
            all.extend([("a field more", Value::Object(wider)), ("emptied", json!({}))]);
        }
    }
    all.retain(|(_, other)| other != value);
    all
}

/// Every edit of one line: where, how, and the line after it.
pub fn edits(
    line: &Value,
    others: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<(Place, &'static str, Value)> {
    let mut all = Vec::new();
    let texts: BTreeSet<String> =
        places(line).iter().filter_map(|(_, value)| value.as_str().map(str::to_owned)).collect();
    for (place, value) in places(line) {
        // Where nothing is said, what the event tells might be.
        let others = if value.is_null() { Some(&texts) } else { others.get(&place.field()) };
        for (how, other) in instead(&value, others) {
            let mut changed = line.clone();
            *place.of(&mut changed) = other;
            all.push((place.clone(), how, changed));
        }
        let Some((last, parents)) = place.0.split_last() else { continue };
        let mut changed = line.clone();
        match (Place(parents.to_vec()).of(&mut changed), last) {
            (Value::Object(fields), Value::String(name)) => drop(fields.remove(name)),
            (Value::Array(items), number) => {
                items.remove(number.as_u64().expect("an index") as usize);
            }
            _ => unreachable!("a place is in an object or a list"),
        }
        all.push((place, "removed", changed));
    }
    all
}
