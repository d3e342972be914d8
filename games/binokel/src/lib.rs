//! Binokel: bid, meld and take tricks with two, three or four.
//!
//! Start with [`Binokel`], the game as the kernel plays it, and [`Rules`],
//! what a table may choose. `game` is the rules, which `play` decides and `board`
//! folds; `sight` says what may be done and told, `secrets` what is hidden from
//! whom, `imagine` deals worlds that fit what is known; `auction`, `melds`, `trick`
//! and `score` are the four parts of a round, `special` what may be played instead.

mod ask;
mod auction;
mod board;
mod bots;
mod cards;
mod deal;
mod event;
mod game;
mod holding;
mod hosted;
mod imagine;
mod knowledge;
mod melds;
mod offered;
mod play;
mod playout;
mod refusal;
mod rules;
mod score;
mod seats;
mod secrets;
mod setup;
mod sight;
mod special;
mod spoken;
mod state;
mod trick;
pub mod wire;
mod words;

pub use auction::Auction;
pub use board::*;
pub use bots::{Novice, Random, Simple, Solid};
pub use cards::{Card, CardSet, Rank, Suit};
pub use event::*;
pub use game::Binokel;
pub use holding::Holding;
pub use knowledge::Knowledge;
pub use melds::{Meld, MeldKind, Melded, melded, melds};
pub use play::{NOBODY_BIDS, PLAYER_EXIT};
pub use refusal::{Refusal, Why};
pub use rules::*;
pub use score::{Account, LAST_TRICK, SideScore, ending, to_tens};
pub use seats::{Each, side, sides};
pub use setup::GameSetup;
pub use special::Special;
pub use state::State;
pub use trick::Trick;
