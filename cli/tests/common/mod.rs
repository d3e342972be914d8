//! What the tests of the real program share: a house to visit, and clients
//! that know no more than what they are told.

#![allow(dead_code, unused_imports, reason = "each test file uses its own part of this")]

mod house;
mod node;
mod player;
mod program;
mod schemas;
mod scratch;
mod socket;
mod stranger;
mod stream;
mod town;

pub use house::{ADMIN, Answer, House, Table};
pub use node::{node, packages};
pub use player::{CONTRACT, DIALECTS, PROTOCOL, Standing, awaited, play_out, positions, step};
pub use program::{Ran, command, deals, parlor, parlor_fed, rigged_game, whole_deck};
pub use schemas::Schemas;
pub use scratch::Scratch;
pub use socket::{Socket, joining};
pub use stranger::{Stranger, ends};
pub use stream::{Hearing, Message, Stream};
pub use town::{MAFIA, PERSON, answer, lay_bots, lay_slow_town, lay_town, lines, question};

use std::time::{Duration, Instant};

/// Nothing a test waits for takes longer.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Numbers that look random and are the same every time.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Asks again until the answer is there; fails after a while.
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(began.elapsed() < PATIENCE, "{what} did not happen within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
