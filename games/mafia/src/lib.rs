//! Mafia: agents that think in private and speak in public.
//!
//! Start with [`Mafia`], the game as the kernel plays it, and [`Rules`], what
//! a table may choose. `play` decides, `phases` leads from one phase to the
//! next, `fold` makes the truth of the log, `sight` says who sees what,
//! `options` and `moves` what a seat may do, `imagine` which worlds it might be
//! in. `night` and `ballot` count. `bots` play, `wire` writes and speaks,
//! `script` tells a game like a play. `reckoning` holds random games against
//! exact numbers.

mod action;
mod ask;
mod ballot;
mod board;
pub mod bots;
mod circle;
mod event;
mod fold;
mod game;
mod imagine;
mod lawful;
mod moves;
mod night;
mod offered;
mod options;
mod phases;
mod play;
pub mod reckoning;
mod role;
mod rules;
mod script;
mod seen;
mod sight;
mod spoken;
mod state;
mod turn;
pub mod wire;
mod words;

pub use action::*;
pub use ballot::*;
pub use board::{Board, Death, TableCard, round_number};
pub use circle::{MAX_PLAYERS, NoPlayerId, PlayerId, Players};
pub use event::*;
pub use game::Mafia;
pub use moves::Moves;
pub use night::{Aim, Night, Whispers, aim, investigation, protected};
pub use role::*;
pub use rules::*;
pub use seen::*;
pub use state::*;
pub use turn::*;
pub use words::Words;
