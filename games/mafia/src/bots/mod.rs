//! Who plays a seat without a person: at random, by scripts that mark how good
//! others are, or by exact inference.

mod random;

use parlor_kernel::BotKind;

use crate::game::Mafia;

pub use random::Random;

pub(crate) fn bots() -> Vec<BotKind<Mafia>> {
    vec![BotKind {
        name: "random",
        aliases: &["easy"],
        meaning: "says nothing, chooses any target, each equally likely, and never abstains",
        make: || Box::new(Random),
    }]
}
