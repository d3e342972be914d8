//! Games without trump and melds that a declarer may announce where the house
//! plays them. The bid is not counted up to: the game itself is won or lost.

use std::fmt;

use parlor_kernel::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::Rules;
use crate::seats::side;

/// A game announced in place of trump.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Special {
    /// The declarer's side takes every trick.
    Durch,
    /// The declarer takes no trick.
    Bettel,
}

impl Special {
    /// Both.
    pub const ALL: [Special; 2] = [Special::Durch, Special::Bettel];

    /// Its name on every wire.
    pub const fn name(self) -> &'static str {
        match self {
            Special::Durch => "durch",
            Special::Bettel => "bettel",
        }
    }

    /// The game with this name.
    pub fn from_name(name: &str) -> Option<Special> {
        Special::ALL.into_iter().find(|special| special.name() == name)
    }

    /// What it gives when made, and costs when lost. Houses agree on the
    /// thousand of a Durch; a Bettel, of which more are made, gives half.
    pub const fn points(self) -> u16 {
        match self {
            Special::Durch => 1000,
            Special::Bettel => 500,
        }
    }

    /// Whether the house plays it.
    pub const fn is_played(self, rules: &Rules) -> bool {
        match self {
            Special::Durch => rules.durch,
            Special::Bettel => rules.bettel,
        }
    }

    /// Those that may be announced for this bid. It must give as much as was
    /// bid: nobody outbids the table and then loses less than the bid.
    pub fn offered(rules: &Rules, bid: u16) -> impl Iterator<Item = Special> {
        let fits = move |special: &Special| special.is_played(rules) && special.points() >= bid;
        Special::ALL.into_iter().filter(fits)
    }

    /// Whether a trick that goes to this seat loses it. Partners play on: in a
    /// Durch their tricks are the side's, in a Bettel they do no harm.
    #[inline]
    pub const fn is_lost_to(self, winner: Seat, declarer: Seat, players: u8) -> bool {
        match self {
            Special::Durch => side(winner, players) != side(declarer, players),
            Special::Bettel => winner.0 == declarer.0,
        }
    }
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Special::Durch => "Durch",
            Special::Bettel => "Bettel",
        })
    }
}
