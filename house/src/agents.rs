//! Agents that may be seated at tables beside a game's own bots.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use parlor_kernel::{Game, Opening, Seat};
use parlor_players::{Agent, AgentSource};

use crate::playing::Act;

/// An agent as it is listed.
#[derive(Clone, Debug)]
pub struct AgentInfo {
    /// Its name.
    pub name: String,
    /// How it plays.
    pub meaning: &'static str,
}

/// Who plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayedBy {
    /// A person.
    Human,
    /// A bot of the game, which decides at once.
    Bot,
    /// An agent, which takes its time.
    Agent,
    /// An agent that this server does not have.
    Absent,
}

/// One act of an agent while it decides.
pub struct AgentAct {
    /// What.
    pub act: Act,
    /// Whether it is a thought or a report: no move, and nothing that others
    /// need time to read.
    pub is_quiet: bool,
    /// Whether it is the agent's move: there is nothing to come after it.
    pub is_move: bool,
}

/// Where an agent's acts go while it decides.
pub type ActSink = Box<dyn Fn(AgentAct) + Send + Sync>;

/// The agents of each game, by name.
#[derive(Clone, Default)]
pub struct Agents {
    groups: Vec<AgentGroup>,
}

#[derive(Clone)]
struct AgentGroup {
    game: &'static str,
    agents: Vec<AgentInfo>,
    /// An `Arc<dyn AgentSource<G>>` of that game.
    source: Arc<dyn Any + Send + Sync>,
}

impl Agents {
    /// Nobody but a game's own bots.
    pub const NONE: Agents = Agents { groups: Vec::new() };

    /// The games these agents may be seated at.
    pub const GAMES: &'static [&'static str] = &[parlor_players::GAME];

    /// Adds the agents of a source.
    pub fn add<G: Game>(&mut self, source: Arc<dyn AgentSource<G>>) {
        let info = |(name, meaning)| AgentInfo { name, meaning };
        let agents = source.agents().into_iter().map(info).collect();
        self.groups.push(AgentGroup { game: G::NAME, agents, source: Arc::new(source) });
    }

    /// The agents that may be seated at this game.
    pub fn of(&self, game: &str) -> &[AgentInfo] {
        let group = self.groups.iter().find(|group| group.game == game);
        group.map_or(&[], |group| &group.agents)
    }

    pub(crate) fn seat<G: Game>(
        &self,
        opening: &Opening<G::Rules>,
        log: &[G::Event],
    ) -> Vec<(Seat, Box<dyn Agent<G>>)> {
        let source = |group: &AgentGroup| {
            Some(Arc::clone(group.source.downcast_ref::<Arc<dyn AgentSource<G>>>()?))
        };
        let source = self.groups.iter().find_map(source);
        source.map(|source| source.seat(opening, log)).unwrap_or_default()
    }
}

impl fmt::Debug for Agents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.groups.iter().map(|group| (group.game, &group.agents));
        f.debug_map().entries(names).finish()
    }
}
