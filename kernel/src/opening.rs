//! What a game is opened with.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::seal::Seal;

/// Who sits in a seat, as the first event tells everyone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sitting {
    /// `p1`, `p2`, … in seating order.
    pub player_id: String,
    /// The name the player goes by.
    pub name: String,
    /// The bot in this seat, by name; none for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
}

/// Everything a game is opened with. It is part of the first event, so a log
/// is enough to play the game again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opening<R> {
    /// The game's id; the dice depend on it.
    pub game_id: String,
    /// The house rules, in full.
    pub rules: R,
    /// Who sits where.
    pub seats: Arc<[Sitting]>,
    /// The sealed seed.
    pub seal: Seal,
}

impl<R> Opening<R> {
    /// The dice this game is played with.
    pub fn dice(&self) -> Dice {
        self.seal.dice(&self.game_id)
    }
}
