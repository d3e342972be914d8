//! Agents from outside that may sit at tables beside a game's own bots.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use parlor_kernel::{Game, Opening, Seat};
use parlor_players::{Agent, Troupe};

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
pub enum Hand {
    /// A person.
    Person,
    /// A bot of the game, which decides at once.
    Bot,
    /// An agent, which takes its time.
    Agent,
    /// An agent that this house does not know.
    Absent,
}

/// Something an agent does while it decides.
pub struct Word {
    /// What.
    pub act: Act,
    /// Whether it is a thought or a report: no move, and nothing that others
    /// need time to read.
    pub is_quiet: bool,
    /// Whether it is the agent's move: there is nothing to come after it.
    pub is_move: bool,
}

/// Where an agent's words go while it decides.
pub type Ear = Box<dyn Fn(Word) + Send + Sync>;

/// The agents of each game, by name.
#[derive(Clone, Default)]
pub struct Guests {
    parties: Vec<Party>,
}

#[derive(Clone)]
struct Party {
    game: &'static str,
    agents: Vec<AgentInfo>,
    /// An `Arc<dyn Troupe<G>>` of that game.
    troupe: Arc<dyn Any + Send + Sync>,
}

impl Guests {
    /// Nobody but a game's own bots.
    pub const NONE: Guests = Guests { parties: Vec::new() };

    /// The games these agents may be seated at.
    pub const GAMES: &'static [&'static str] = &[parlor_players::GAME];

    /// Invites the agents of a troupe.
    pub fn invite<G: Game>(&mut self, troupe: Arc<dyn Troupe<G>>) {
        let info = |(name, meaning)| AgentInfo { name, meaning };
        let agents = troupe.agents().into_iter().map(info).collect();
        self.parties.push(Party { game: G::NAME, agents, troupe: Arc::new(troupe) });
    }

    /// The agents that may be seated at this game.
    pub fn of(&self, game: &str) -> &[AgentInfo] {
        let party = self.parties.iter().find(|party| party.game == game);
        party.map_or(&[], |party| &party.agents)
    }

    pub(crate) fn seat<G: Game>(
        &self,
        opening: &Opening<G::Rules>,
        log: &[G::Event],
    ) -> Vec<(Seat, Box<dyn Agent<G>>)> {
        let troupe =
            |party: &Party| Some(Arc::clone(party.troupe.downcast_ref::<Arc<dyn Troupe<G>>>()?));
        let troupe = self.parties.iter().find_map(troupe);
        troupe.map(|troupe| troupe.seat(opening, log)).unwrap_or_default()
    }
}

impl fmt::Debug for Guests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.parties.iter().map(|party| (party.game, &party.agents));
        f.debug_map().entries(names).finish()
    }
}
