//! Who plays a seat that is not human, weakest first.
//!
//! `judge` says what a hand looks like from a seat, and `tight` plays by it.
//! `reading` takes others for such players, `worlds` deals out what they may
//! hold, and `equity` takes what wins the most there.

mod equity;
mod judge;
mod reading;
mod shape;
mod tight;
mod worlds;

use parlor_kernel::{BotKind, RandomPlayout};

use crate::game::Stud;
use equity::Equity;
use tight::Tight;

pub(crate) fn bots() -> Vec<BotKind<Stud>> {
    vec![
        BotKind {
            name: "random",
            aliases: &["easy"],
            meaning: "takes any legal action, each equally likely",
            make: || Box::new(RandomPlayout),
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
            meaning: "deals out the hands that cards and betting allow, 200 times, and takes what \
                      wins the most chips: by value, by odds or by bluff",
            make: || Box::new(Equity),
        },
    ]
}
