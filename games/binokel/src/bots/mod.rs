//! Who plays a seat that is not human. Each sees only what its seat knows.

mod random;
mod simple;

use parlor_kernel::BotKind;

use crate::game::Binokel;
pub use random::Random;
pub use simple::Simple;

/// The bots, weakest first.
pub(crate) fn bots() -> Vec<BotKind<Binokel>> {
    vec![
        BotKind {
            name: "random",
            aliases: &["easy"],
            meaning: "plays any legal move, each equally likely; it bids as low as it may",
            make: || Box::new(Random),
        },
        BotKind {
            name: "simple",
            aliases: &["medium", "hard"],
            meaning: "bids what its hand is worth by rule of thumb, keeps melds, lays points \
                      away, and takes tricks it can hold",
            make: || Box::new(Simple),
        },
    ]
}
