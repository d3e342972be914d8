//! Who plays a seat that is not human, weakest first.
//!
//! `judge` says what a hand looks like from a seat: `tight` plays by it, and
//! `equity` reads others by it. `worlds` deals out what `equity` does not see.

mod equity;
mod judge;
mod shape;
mod tight;
mod worlds;

use parlor_kernel::{BotKind, RandomPlayer};

use crate::game::Stud;
use equity::Equity;
use tight::Tight;

pub(crate) fn bots() -> Vec<BotKind<Stud>> {
    vec![
        BotKind {
            name: "random",
            aliases: &["easy"],
            meaning: "takes any legal action, each equally likely",
            make: || Box::new(RandomPlayer),
        },
        BotKind {
            name: "tight",
            aliases: &["medium"],
            meaning: "plays good starting hands, bets what looks ahead of the boards, draws when \
                      the pot pays for it, and folds the rest",
            make: || Box::new(Tight),
        },
        BotKind {
            name: "equity",
            aliases: &["hard"],
            meaning: "deals out the hands that cards and betting allow, a few hundred times, and \
                      takes what wins the most chips: by value, by odds or by bluff",
            make: || Box::new(Equity),
        },
    ]
}
