//! Liar's Dice: hidden dice, bids about all of them, and someone who doubts.
//!
//! The small game to copy. Read `rules` (what a table may choose), `event` (what
//! is tried, happens and is seen), `board` (what is on the table), `game` (the
//! rules), `sight` (who knows what). All a game must have is there; `offered`,
//! `words`, `ask` and `bots` are what makes it pleasant.

mod ask;
mod board;
mod bots;
mod event;
mod game;
mod offered;
mod rules;
mod sight;
mod words;

pub use board::{Board, Hand, Knowledge, State};
pub use bots::{Odds, chance};
pub use event::*;
pub use game::LiarsDice;
pub use rules::Rules;
pub use sight::Die;
