//! Who plays a seat that is not human, weakest first.

use parlor_kernel::{BotKind, RandomPlayer};

use crate::game::Stud;

pub(crate) fn bots() -> Vec<BotKind<Stud>> {
    vec![BotKind {
        name: "random",
        aliases: &["easy", "medium", "hard"],
        meaning: "takes any legal action, each equally likely",
        make: || Box::new(RandomPlayer),
    }]
}
