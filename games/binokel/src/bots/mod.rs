//! Who plays a seat that is not human. Each sees only what its seat knows.

mod novice;
mod random;
mod simple;
mod solid;
mod special;

use parlor_kernel::BotKind;

use crate::game::Binokel;
pub use novice::Novice;
pub use random::Random;
pub use simple::Simple;
pub use solid::Solid;

/// The bots, weakest first.
pub(crate) fn bots() -> Vec<BotKind<Binokel>> {
    vec![
        BotKind {
            name: "random",
            aliases: &[],
            meaning: "plays any legal move, each equally likely; it bids as low as it may",
            make: || Box::new(Random),
        },
        BotKind {
            name: "novice",
            aliases: &["easy"],
            meaning: "bids on its melds alone, lays its lowest cards away, and plays its highest \
                      card whenever that takes the trick so far",
            make: || Box::new(Novice),
        },
        BotKind {
            name: "simple",
            aliases: &["medium"],
            meaning: "bids what its hand is worth by rule of thumb, keeps melds, lays points \
                      away, and takes tricks it can hold",
            make: || Box::new(Simple),
        },
        BotKind {
            name: "solid",
            aliases: &["hard"],
            meaning: "deals itself worlds that fit what it knows and plays each choice out in \
                      them, the last tricks exactly",
            make: || Box::new(Solid::default()),
        },
    ]
}
