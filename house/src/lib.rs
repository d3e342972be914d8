//! The games on offer, each behind one face without its types.
//!
//! Server and program know games only through [`Offer`] (and its parts
//! [`GameInfo`], [`AtTables`], [`FromLogs`], [`InProcess`]) and [`Playing`]; the
//! registry below is the only place that lists them. A new game is a folder
//! under `games/` and one line here.

mod agents;
mod clocks;
mod error;
mod human;
mod names;
mod offer;
mod playing;
mod renamed;
mod retell;
mod script;
mod seated_agent;
mod sim;
mod verify;

use std::sync::LazyLock;

use parlor_binokel::Binokel;
use parlor_dice::LiarsDice;
use parlor_kernel::{Envelope, FileFormat, Room};
use parlor_koikoi::KoiKoi;
use parlor_mafia::Mafia;
use parlor_stud::Stud;
use serde_json::Value;

pub use agents::{ActSink, AgentAct, AgentInfo, Agents, PlayedBy};
pub use error::HouseError;
pub use human::{Human, HumanTurn, PlayedGame};
pub use names::{NAME_LIMIT, proper_name, same_name};
pub use offer::{AtTables, BotInfo, FromLogs, GameInfo, InProcess, Offer, OnOffer};
pub use playing::{Act, Backlog, Ending, Playing, Proposal, Refusal, StepMessages};
pub use retell::Transcript;
pub use sim::{SeatReport, SimReport, SimSpec};
pub use verify::Verified;

static GAMES: LazyLock<Vec<Box<dyn Offer>>> = LazyLock::new(|| {
    vec![
        Box::new(OnOffer::<KoiKoi>::new()),
        Box::new(OnOffer::<Stud>::new()),
        Box::new(OnOffer::<Binokel>::new()),
        Box::new(OnOffer::<Mafia>::new()),
        Box::new(OnOffer::<LiarsDice>::new()),
    ]
});

/// What dice are keyed with where a seed is named: scripts and tables with
/// the same named seed are dealt alike.
pub const NAMED_SEEDS: &str = "script";

/// Every game on offer.
pub fn games() -> impl Iterator<Item = &'static dyn Offer> {
    GAMES.iter().map(|game| &**game)
}

/// The game with this name.
pub fn game(name: &str) -> Option<&'static dyn Offer> {
    games().find(|game| game.name() == name)
}

/// The game that sessions are of: the first that is played in rooms.
pub fn room_game() -> Option<(&'static dyn Offer, Room)> {
    games().find_map(|game| Some((game, game.room()?)))
}

/// The names of all games, for sentences.
pub fn game_names() -> String {
    games().map(|game| game.name()).collect::<Vec<_>>().join(", ")
}

/// The game a log belongs to, judged by its first event.
pub fn game_of(first: &Envelope) -> Option<&'static dyn Offer> {
    games().find(|game| game.recognises(first))
}

/// A log from lines in any order, which may have nothing but the fields of a
/// contract: they are put in the order of their sequence, and what Parlor writes
/// beside those fields is filled in. It can be told; it proves nothing.
pub fn arranged(mut lines: Vec<Value>) -> Result<Vec<Envelope>, serde_json::Error> {
    lines.sort_by_key(|line| line["sequence"].as_u64());
    parlor_mafia::wire::complete(&mut lines);
    lines.into_iter().map(serde_json::from_value).collect()
}

/// Every format beside the log, with the game it is for.
pub fn formats() -> impl Iterator<Item = (&'static dyn Offer, &'static FileFormat)> {
    games().flat_map(|game| game.formats().iter().map(move |format| (game, format)))
}
