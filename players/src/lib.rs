//! Agents: who plays a seat that no person plays, and the runner of games among
//! them.
//!
//! An [`Agent`] gets what its seat knows and speaks while it decides. Bots are
//! agents ([`Bot`]); language models are ([`llm`]). An [`AgentGame`] is a game
//! in process with agents in every seat; a [`Lineup`] says who plays in one of
//! Mafia. [`Controller`] pauses, steps and ends running games. An [`AgentSource`] is
//! who can be seated at the tables of a server.

mod agent;
mod agent_source;
pub mod arena;
mod asking;
mod clock;
mod control;
mod lineup;
pub mod llm;
mod runner;
mod screen;

pub use agent::{ActionSender, Agent, Bot, BoxFuture, Closed, Question};
pub use agent_source::{AgentSource, Models};
pub use clock::{Clock, WallClock};
pub use control::Controller;
pub use lineup::{Entrant, GAME, Lineup, Roster, SeatingError, Wires, default_agent, house_rules};
pub use parlor_mafia::Rules;
pub use runner::{AgentGame, Observer, Played, Unobserved, play_many};
pub use screen::Screen;
