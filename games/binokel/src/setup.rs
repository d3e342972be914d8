//! Who plays under which rules.

use std::borrow::Cow;
use std::sync::Arc;

use parlor_kernel::{Seat, Setup, Sitting};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use crate::rules::Rules;

/// What does not change during a game, and everyone knows.
#[derive(Clone, Debug, PartialEq)]
pub struct GameSetup {
    /// Rules, seats and the commitment to the seed.
    pub setup: Arc<Setup<Rules>>,
    /// Who deals round 1.
    pub dealer: Seat,
}

impl GameSetup {
    /// How many play: two, three or four.
    pub fn players(&self) -> u8 {
        players(&self.setup)
    }
}

/// How many play: two, three or four.
pub(crate) fn players(setup: &Setup<Rules>) -> u8 {
    setup.seats.len().clamp(2, 4) as u8
}

/// The table as it is written. Its names are older than [`Setup`] and stay.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TableCard")]
struct Written<'a> {
    /// The game's id.
    game_id: &'a str,
    /// The house rules.
    rules: &'a Rules,
    /// Who sits where.
    seats: &'a [Sitting],
    /// The commitment to the seed.
    commitment: &'a str,
    /// Who deals round 1.
    dealer: Seat,
}

impl Serialize for GameSetup {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Setup { game_id, rules, seats, commitment } = &*self.setup;
        Written { game_id, rules, seats, commitment, dealer: self.dealer }.serialize(to)
    }
}

impl JsonSchema for GameSetup {
    fn schema_name() -> Cow<'static, str> {
        Written::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Written::json_schema(generator);
        let meaning = "What does not change during a game, and everyone knows.";
        schema.insert("description".to_owned(), meaning.into());
        schema
    }
}
