//! Who sits in a seat that is not human, and the runner that seats them.
//!
//! An [`Agent`] gets what its seat knows and speaks while it decides. Bots are
//! agents ([`Bot`]); language models are ([`llm`]). A [`Show`] is a game in
//! process with agents in every seat; a [`Playbill`] says who plays in one of
//! Mafia. [`Control`] leads games under way. A [`Troupe`] is who can be seated
//! at the tables of a server.

mod agent;
pub mod arena;
mod clock;
mod control;
pub mod llm;
mod playbill;
mod runner;
mod screen;
mod troupe;

pub use agent::{Agent, Bot, Question, Soon, Unheard, Voice};
pub use clock::{Clock, WallClock};
pub use control::Control;
pub use parlor_mafia::Rules;
pub use playbill::{
    Company, GAME, Part, Playbill, SeatingError, Wires, default_agent, house_rules,
};
pub use runner::{Audience, EmptyHouse, Played, Show, play_many};
pub use screen::Screen;
pub use troupe::{Models, Troupe};
