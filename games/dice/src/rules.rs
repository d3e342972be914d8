//! What a table may choose.

use parlor_kernel::{OptionGuide, Preset, RulesError, RulesGuide};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The house rules of one table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How many dice each seat begins with.
    pub dice: u8,
    /// Ones count as every face, and cannot be bid.
    pub wild: bool,
    /// How long a seat may think; 0: as long as it likes.
    pub turn_seconds: u16,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { dice: 5, wild: true, turn_seconds: 0 }
    }
}

impl Rules {
    /// Presets and options with their meaning; the first preset is the default.
    pub fn guide() -> RulesGuide<Rules> {
        let preset = |name, meaning, rules| Preset { name, meaning, rules };
        let standard = Rules::default();
        RulesGuide {
            presets: vec![
                preset("standard", "five dice each; ones are wild", standard),
                preset("tame", "ones are a face like any other", Rules { wild: false, ..standard }),
                preset(
                    "quick",
                    "three dice each, and 20 seconds to think",
                    Rules { dice: 3, turn_seconds: 20, ..standard },
                ),
            ],
            options: vec![
                OptionGuide::new("dice", "how many dice each seat begins with", "1 to 5"),
                OptionGuide::new("wild", "ones count as every face", "true or false"),
                OptionGuide::new(
                    "turn_seconds",
                    "seconds a player may think",
                    "0 for no clock, or 5 to 600",
                ),
            ],
        }
    }

    pub(crate) fn check(&self) -> Result<(), RulesError> {
        let guide = Rules::guide();
        if !(1..=5).contains(&self.dice) {
            return Err(guide.refuse("dice", self.dice));
        }
        match self.turn_seconds {
            0 | 5..=600 => Ok(()),
            other => Err(guide.refuse("turn_seconds", other)),
        }
    }

    /// The faces that can be bid.
    pub(crate) fn faces(&self) -> std::ops::RangeInclusive<u32> {
        if self.wild { 2..=6 } else { 1..=6 }
    }

    /// Whether a die counts for a bid of this face.
    pub(crate) fn counts(&self, die: u8, face: u32) -> bool {
        u32::from(die) == face || (self.wild && die == 1)
    }
}
