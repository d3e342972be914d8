//! Binokel: bid, meld and take tricks with two, three or four.
//!
//! Start with [`Binokel`], the game as the kernel plays it, and [`Rules`],
//! what a table may choose. `play` decides, `state` folds, `sight` says who
//! knows what, `imagine` deals worlds that fit it; `auction`, `melds`, `trick` and
//! `score` are the four parts of a round, `special` what may be played instead.

mod ask;
mod auction;
mod board;
mod bots;
mod cards;
mod deal;
mod event;
mod game;
mod holding;
mod imagine;
mod knowledge;
mod lawful;
mod melds;
mod offered;
mod play;
mod refusal;
mod rules;
mod score;
mod seats;
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
pub use play::PLAYER_EXIT;
pub use refusal::{Refusal, Why};
pub use rules::*;
pub use score::{Account, LAST_TRICK, SideScore, ending, to_tens};
pub use seats::{Each, side, sides};
pub use special::Special;
pub use state::State;
pub use trick::Trick;
