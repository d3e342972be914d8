//! House rules by name: presets, options with their meaning, and one way to
//! read what a table asks for.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A named set of house rules.
#[derive(Clone, Debug, Serialize)]
pub struct Preset<R> {
    /// What it is called.
    pub name: &'static str,
    /// What it is for, in a sentence.
    pub meaning: &'static str,
    /// The rules in full.
    pub rules: R,
}

/// One option of the house rules.
#[derive(Clone, Debug, Serialize)]
pub struct OptionGuide {
    /// Its name in the rules object.
    pub name: &'static str,
    /// What it changes, in a sentence.
    pub meaning: &'static str,
    /// The values it takes, in words.
    pub allowed: &'static str,
    /// Other names it answers to.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub aliases: &'static [&'static str],
}

impl OptionGuide {
    /// An option with one name.
    pub const fn new(
        name: &'static str,
        meaning: &'static str,
        allowed: &'static str,
    ) -> OptionGuide {
        OptionGuide { name, meaning, allowed, aliases: &[] }
    }

    /// The option, known by other names too.
    pub const fn known_as(self, aliases: &'static [&'static str]) -> OptionGuide {
        OptionGuide { aliases, ..self }
    }
}

/// Everything a table may choose.
#[derive(Clone, Debug, Serialize)]
pub struct RulesGuide<R> {
    /// The presets; the first is the default.
    pub presets: Vec<Preset<R>>,
    /// The options.
    pub options: Vec<OptionGuide>,
}

/// Rules that cannot be played, said so that the reader can mend them.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize)]
pub enum RulesError {
    /// The preset has no such name.
    #[error("there is no preset '{0}'; presets are {1}")]
    UnknownPreset(String, String),
    /// The option has no such name.
    #[error("there is no option '{0}'; options are {1}")]
    UnknownOption(String, String),
    /// The option does not take this value.
    #[error("option '{option}' is {allowed}; {value} is not")]
    BadValue {
        /// The option.
        option: String,
        /// What it takes.
        allowed: String,
        /// What was asked for.
        value: String,
    },
    /// The options do not go together.
    #[error("{0}")]
    Contradiction(String),
    /// Neither a name nor an object.
    #[error("rules are a preset's name or an object such as {{\"preset\":\"{0}\",…}}")]
    NotRules(String),
}

impl<R: Clone + Serialize + DeserializeOwned> RulesGuide<R> {
    /// The rules of the preset with this name.
    pub fn preset(&self, name: &str) -> Result<&R, RulesError> {
        self.presets
            .iter()
            .find(|preset| preset.name == name)
            .map(|preset| &preset.rules)
            .ok_or_else(|| {
                let names = list(self.presets.iter().map(|preset| preset.name));
                RulesError::UnknownPreset(name.to_owned(), names)
            })
    }

    /// Reads `null`, a preset's name, or `{"preset": NAME, option: value, …}`.
    /// An option that is an object itself is laid over the preset's, key by key.
    pub fn resolve(&self, asked: &Value) -> Result<R, RulesError> {
        match asked {
            Value::Null => Ok(self.presets[0].rules.clone()),
            Value::String(name) => self.preset(name).cloned(),
            Value::Object(options) => self.overlay(options),
            _ => Err(RulesError::NotRules(self.presets[0].name.to_owned())),
        }
    }

    fn overlay(&self, asked: &Map<String, Value>) -> Result<R, RulesError> {
        let base = match asked.get("preset") {
            None => &self.presets[0].rules,
            Some(Value::String(name)) => self.preset(name)?,
            Some(_) => return Err(RulesError::NotRules(self.presets[0].name.to_owned())),
        };
        let mut rules = base.clone();
        for (key, value) in asked.iter().filter(|(key, _)| *key != "preset") {
            let option = self.option(key)?;
            // Rules are plain data: they become a JSON object without fail.
            let mut object = serde_json::to_value(&rules).expect("rules are plain data");
            lay_over(&mut object[option.name], value);
            rules = serde_json::from_value(object).map_err(|error| RulesError::BadValue {
                option: option.name.to_owned(),
                allowed: option.allowed.to_owned(),
                value: format!("{value} ({error})"),
            })?;
        }
        Ok(rules)
    }

    fn option(&self, name: &str) -> Result<&OptionGuide, RulesError> {
        self.options
            .iter()
            .find(|option| option.name == name || option.aliases.contains(&name))
            .ok_or_else(|| {
                let names = list(self.options.iter().map(|option| option.name));
                RulesError::UnknownOption(name.to_owned(), names)
            })
    }

    /// The error for a value that this option does not take.
    pub fn refuse(&self, option: &str, value: impl Serialize) -> RulesError {
        RulesError::BadValue {
            option: option.to_owned(),
            allowed: self.option(option).map_or(String::new(), |known| known.allowed.to_owned()),
            value: serde_json::to_string(&value).unwrap_or_default(),
        }
    }
}

fn lay_over(under: &mut Value, over: &Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                lay_over(under.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (under, over) => *under = over.clone(),
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
