//! Words: what is said and thought, shared and never copied.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text. Silence takes no memory: most turns of a simulated game are silent.
/// The pointer is a thin one, so that an action fits into two words and is
/// moved, not copied piece by piece.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Words(Option<Arc<Box<str>>>);

impl Words {
    /// No words at all.
    pub const SILENCE: Words = Words(None);

    /// The words with more after them.
    pub fn then(&self, more: &Words) -> Words {
        match (self.is_empty(), more.is_empty()) {
            (true, _) => more.clone(),
            (_, true) => self.clone(),
            _ => Words::from([&**self, &**more].concat()),
        }
    }

    /// How many characters they have.
    #[inline]
    pub fn chars_count(&self) -> usize {
        self.0.as_deref().map_or(0, |text| text.chars().count())
    }
}

impl Deref for Words {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.0.as_deref().map_or("", |text| text)
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Words((!text.is_empty()).then(|| Arc::new(text.into())))
    }
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Words((!text.is_empty()).then(|| Arc::new(text.into())))
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Words::from(String::deserialize(deserializer)?))
    }
}

impl JsonSchema for Words {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Words".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}
