//! Mafia: agents that think in private and speak in public.
//!
//! Start with [`Mafia`], the game as the kernel plays it, and [`Rules`], what
//! a table may choose. `play` has what a player may do in its turn, `phases`
//! leads from one phase to the next, `hosted` knows clocks and orders, `sight`
//! says who sees what and `secrets` what nobody else may, `options` and `moves`
//! what a seat may do, `imagine` which worlds it might be in. `night` and
//! `ballot` count. `agents` is what is reported about those who play, apart from
//! the game. `bots` play, `wire` writes and speaks, `script` tells a game like a
//! play. `reckoning` holds random games against exact numbers.

mod action;
mod agents;
mod ask;
mod ballot;
mod board;
pub mod bots;
mod circle;
mod event;
mod game;
mod hosted;
mod imagine;
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
mod secrets;
mod seen;
mod sight;
mod spoken;
mod state;
mod turn;
pub mod wire;
mod words;

pub use action::*;
pub use agents::*;
pub use ballot::*;
pub use board::{Board, Death, round_number};
pub use circle::{MAX_PLAYERS, NoPlayerId, PlayerId, Players};
pub use event::*;
pub use game::Mafia;
pub use moves::Moves;
pub use night::{Aim, Night, Whispers, aim, investigation, protected};
pub use role::*;
pub use rules::*;
pub use secrets::Cell;
pub use seen::*;
pub use state::*;
pub use turn::*;
pub use words::Words;
