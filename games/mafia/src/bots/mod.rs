//! Who plays a seat without a person: at random, by scripts that mark how good
//! others are, or by exact inference.

mod bayes;
mod evasive;
mod random;
mod sides;

use parlor_kernel::{BotKind, Stream};

use crate::circle::{PlayerId, Players};
use crate::game::Mafia;

pub use bayes::Bayes;
pub use evasive::{Evasion, Evasive};
pub use random::Random;
pub use sides::Sides;

/// The bots, weakest first. A name such as `bayes/avoid` says who plays the
/// town and who the mafia: roles fall where they will.
pub(crate) fn bots() -> Vec<BotKind<Mafia>> {
    vec![
        BotKind {
            name: "random",
            aliases: &["easy"],
            meaning: "says nothing, chooses any target, each equally likely, and never abstains",
            make: || Box::new(Random),
        },
        BotKind {
            name: "avoid",
            aliases: &["medium", "random/avoid"],
            meaning: "plays at random, but as mafia never votes for a mate",
            make: || Box::new(Evasive(Evasion::Avoid)),
        },
        BotKind {
            name: "bayes/avoid",
            aliases: &[],
            meaning: "bayes in the town; as mafia plays at random but never votes for a mate",
            make: || Box::new(against(Evasion::Avoid)),
        },
        BotKind {
            name: "bayes/bandwagon",
            aliases: &[],
            meaning: "bayes in the town; as mafia votes for the leading stranger",
            make: || Box::new(against(Evasion::Bandwagon)),
        },
        BotKind {
            name: "bayes/block",
            aliases: &[],
            meaning: "bayes in the town; as mafia votes as its mates do, for a stranger",
            make: || Box::new(against(Evasion::Block)),
        },
        BotKind {
            name: "bayes",
            aliases: &["hard"],
            meaning: "weighs every possible mafia by flips, votes, victims, checks and claims, \
                      thinks and speaks from it; as mafia plays against what the town believes",
            make: || Box::new(Bayes::default()),
        },
    ]
}

fn against(evasion: Evasion) -> Sides<Bayes, Evasive> {
    Sides { town: Bayes::default(), mafia: Evasive(evasion) }
}

/// One of the players, each equally likely.
fn pick(players: Players, dice: &mut Stream) -> Option<PlayerId> {
    crate::night::draw(players, false, dice)
}
