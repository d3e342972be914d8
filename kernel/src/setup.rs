//! What everyone may know of an opening: who sits where, under which rules.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::opening::{Opening, Sitting};
use crate::seat::Seat;

/// The public part of an [`Opening`]. The seed is sealed; only the commitment
/// to it is here.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Setup<R> {
    /// The game's id.
    pub game_id: String,
    /// The house rules.
    pub rules: R,
    /// Who sits where.
    pub seats: Arc<[Sitting]>,
    /// The commitment to the seed.
    pub commitment: String,
}

impl<R: Clone> Setup<R> {
    /// What everyone may know of this opening.
    pub fn of(opening: &Opening<R>) -> Setup<R> {
        Setup {
            game_id: opening.game_id.clone(),
            rules: opening.rules.clone(),
            seats: Arc::clone(&opening.seats),
            commitment: opening.seal.commitment().to_owned(),
        }
    }

    /// The name of whoever sits there.
    pub fn name(&self, seat: impl Into<Seat>) -> &str {
        self.seats.get(seat.into().index()).map_or("", |sitting| &sitting.name)
    }

    /// The seconds a player may think, of those the rules give; none where no
    /// clock runs: it is switched off, or nobody but bots would wait.
    pub fn turn_clock(&self, seconds: u32) -> Option<u32> {
        (seconds > 0 && self.people() > 1).then_some(seconds)
    }

    /// How many people sit here, and not bots.
    pub fn people(&self) -> usize {
        self.seats.iter().filter(|sitting| sitting.bot.is_none()).count()
    }
}
