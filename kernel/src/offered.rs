//! What a game brings to the house beside its rules. A game must say how it is
//! set up and how it stands; for the rest there are defaults.

use std::sync::Arc;

use crate::ask::Explained;
use crate::dialect::Dialect;
use crate::formats::Written;
use crate::game::Game;
use crate::hosted::Hosted;
use crate::player::BotKind;
use crate::playout::Quick;
use crate::rules::{RulesError, RulesGuide};
use crate::scripted::Scripted;
use crate::seat::{Seat, SeatSet};
use crate::spoken::Spoken;
use crate::told::Told;

/// How a game stands or ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Each seat's points.
    pub points: Vec<i64>,
    /// Who won; nobody while it runs or when it is drawn.
    pub winners: SeatSet,
    /// How many rounds or deals were played.
    pub rounds: u64,
}

/// How a game is played in rooms: over Socket.IO, with a host and a code to
/// pass on.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The dialect spoken there. It hears `{"event": NAME, "data": …}`, where
    /// the name is the one of the client's event; what it says beside events
    /// (refusals, presence) is an object whose `type` names the event that
    /// clients get.
    pub dialect: &'static str,
    /// The option of the rules that says how many points are played for.
    pub target: &'static str,
    /// The team of a seat at a table with so many; none where everyone plays
    /// alone.
    pub team: fn(usize, Seat) -> Option<u8>,
}

/// A game as the house offers it.
pub trait Offered: Game + Hosted + Told + Quick + Spoken + Explained + Scripted + Written {
    /// What the game is, in a sentence.
    const ABOUT: &'static str;
    /// What a round is called in counts: `rounds`, `deals`.
    const ROUND_NAME: &'static str = "rounds";
    /// How it is played in rooms; none if it is not.
    const ROOM: Option<Room> = None;
    /// What players are called whose names nobody chose, where players know
    /// each other by name alone: then no two of them share a name, whatever
    /// its case, and a bot's name does not tell that it is one.
    const NAMES: &'static [&'static str] = &[];

    /// Presets and options with their meaning.
    fn guide() -> RulesGuide<Self::Rules>;

    /// How the game stands.
    fn score(state: &Self::State) -> Score;

    /// Whether these rules can be played.
    fn check(_rules: &Self::Rules) -> Result<(), RulesError> {
        Ok(())
    }

    /// Why nobody could ever score by these rules, or no game of them would end;
    /// a sentence. Only new games are asked: one that was begun before this was
    /// known goes on, and its log verifies.
    fn dead_end(_rules: &Self::Rules) -> Option<String> {
        None
    }

    /// The same rules with an end after so many rounds, where they have none of
    /// their own: bots never tire, and a simulation must end.
    fn ended_after(_rules: &Self::Rules, _rounds: u32) -> Option<Self::Rules> {
        None
    }

    /// The game's own dialects; the first is the one scripts speak. Every game
    /// is spoken in `log` beside them.
    fn dialects() -> Vec<Arc<dyn Dialect<Self>>> {
        Vec::new()
    }

    /// The bots, weakest first.
    fn bots() -> Vec<BotKind<Self>> {
        vec![BotKind::random(&["easy", "medium", "hard"])]
    }

    /// What `sim` counts of each finished game beside its rounds, by name.
    fn counts(_state: &Self::State) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}
