//! The lineup of a game of Mafia: rules, seed, names, and who plays whom.
//! Together with the wires it is all a game with agents needs.

use std::sync::Arc;

use parlor_kernel::{Awaiting, Game, Opening, RulesError, Seal, Seat, SeatSet, Sitting};
use parlor_mafia::{Action, Assignment, Mafia, Phase, PlayerId, Rules, State, Votes};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::{Agent, Bot};
use crate::clock::{Clock, WallClock};
use crate::control::Controller;
use crate::llm::{
    AgentSettings, BudgetLimits, Endpoints, HttpError, LanguageModel, Model, ModelOptions,
    Recorder, SeatOptions, SettingsError, TapedGame, Wire, persona,
};
use crate::runner::AgentGame;

/// The game agents play.
pub const GAME: &str = <Mafia as parlor_kernel::Game>::NAME;

/// Who sits everywhere if nobody is named: the strongest bot.
pub fn default_agent() -> String {
    bots().last().map_or("random", |bot| bot.name).to_owned()
}

/// House rules in full, from what is asked for.
pub fn house_rules(asked: &Value) -> Result<Rules, RulesError> {
    let rules = Rules::guide().resolve(asked)?;
    rules.check()?;
    Ok(rules)
}

/// Who plays a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Entrant {
    /// A bot, by name.
    Bot(String),
    /// A language model, under the name of its agent.
    Model(String, Box<Model>),
}

impl Entrant {
    /// The name of the agent.
    pub fn agent(&self) -> &str {
        let (Entrant::Bot(name) | Entrant::Model(name, _)) = self;
        name
    }
}

/// A game with agents, before it is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lineup {
    /// Rules, names and the sealed seed.
    pub opening: Opening<Rules>,
    /// Who plays, seat by seat.
    #[serde(rename = "parts")]
    pub entrants: Vec<Entrant>,
    /// How many tokens the game may take, all seats together.
    pub budget_tokens: Option<u64>,
    /// How many millionths of a dollar it may cost, all seats together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_micros: Option<u64>,
}

/// Why nobody can be seated.
#[derive(Debug, thiserror::Error)]
pub enum SeatingError {
    /// There is no such agent.
    #[error("there is no agent '{0}'; agents are {1}")]
    UnknownAgent(String, String),
    /// The agent is called like a bot.
    #[error("the agent '{0}' is called like a bot of the game; give it another name")]
    NameTaken(String),
    /// There is nobody to be seated.
    #[error("the settings name no language model; [llm] has a base_url and a model")]
    NoModels,
    /// The settings cannot be used.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// An endpoint cannot be used.
    #[error(transparent)]
    Http(#[from] HttpError),
}

/// Who can be seated, by name: bots, and the models of the settings.
pub struct Roster {
    settings: AgentSettings,
}

/// The name of the model of `[llm]`.
pub(crate) const USUAL_MODEL: &str = "llm";

impl Roster {
    /// The bots, and the models of these settings.
    pub fn new(settings: AgentSettings) -> Roster {
        Roster { settings }
    }

    /// Every name that can be seated.
    pub fn names(&self) -> String {
        let bots = bots().into_iter().map(|bot| bot.name);
        let models = self.settings.agents.keys().map(String::as_str);
        bots.chain([USUAL_MODEL]).chain(models).collect::<Vec<_>>().join(", ")
    }

    /// A lineup: the agents are seated in turn until every seat is filled;
    /// what the settings say of a seat comes first.
    pub fn lineup(
        &self,
        game_id: &str,
        rules: &Rules,
        seal: Seal,
        agents: &[String],
    ) -> Result<Lineup, SeatingError> {
        let mut entrants = Vec::new();
        for (player, agent) in PlayerId::all(rules.circle()).zip(agents.iter().cycle()) {
            entrants.push(match self.settings.seat(player) {
                None => self.entrant(agent, player)?,
                Some(SeatOptions::Named(name)) => self.entrant(name, player)?,
                Some(SeatOptions::Own(options)) => {
                    self.model(&player.to_string(), options, player)?
                }
            });
        }
        let opening = Opening {
            game_id: game_id.to_owned(),
            rules: rules.clone(),
            seats: entrants.iter().zip(PlayerId::all(rules.circle())).map(sitting).collect(),
            seal,
        };
        let BudgetLimits { tokens, micros } = self.settings.game_limits();
        Ok(Lineup { opening, entrants, budget_tokens: tokens, budget_micros: micros })
    }

    fn entrant(&self, agent: &str, player: PlayerId) -> Result<Entrant, SeatingError> {
        if let Some(options) = self.settings.agents.get(agent) {
            return self.model(agent, options, player);
        }
        if let Some(bot) = bots().iter().find(|bot| answers_to(bot, agent)) {
            return Ok(Entrant::Bot(bot.name.to_owned()));
        }
        if agent == USUAL_MODEL {
            return self.model(agent, &ModelOptions::default(), player);
        }
        Err(SeatingError::UnknownAgent(agent.to_owned(), self.names()))
    }

    fn model(
        &self,
        agent: &str,
        options: &ModelOptions,
        player: PlayerId,
    ) -> Result<Entrant, SeatingError> {
        let mut model = self.settings.model(agent, options)?;
        if self.settings.personas && model.persona.is_none() {
            model.persona = Some(persona(player).to_owned());
        }
        Ok(Entrant::Model(agent.to_owned(), Box::new(model)))
    }
}

fn bots() -> Vec<parlor_kernel::BotKind<Mafia>> {
    <Mafia as parlor_kernel::Offered>::bots()
}

fn answers_to(bot: &parlor_kernel::BotKind<Mafia>, name: &str) -> bool {
    bot.name == name || bot.aliases.contains(&name)
}

/// Whether a bot of the game answers to this name.
pub(crate) fn is_bot(name: &str) -> bool {
    bots().iter().any(|bot| answers_to(bot, name))
}

/// Names are fixed before roles are drawn and tell nothing of who plays the
/// seat. There is one for every seat of the largest table.
const NAMES: &[&str] = <Mafia as parlor_kernel::Offered>::NAMES;

fn sitting((entrant, player): (&Entrant, PlayerId)) -> Sitting {
    Sitting {
        player_id: player.to_string(),
        name: NAMES[player.index()].to_owned(),
        bot: Some(entrant.agent().to_owned()),
    }
}

/// Where models are asked, and what of it is kept.
#[derive(Clone)]
pub enum Wires {
    /// Over the network.
    Live(Arc<Endpoints>),
    /// Over the network, recorded.
    Recorded(Arc<Recorder>, Arc<Endpoints>),
    /// From a recording of this very game.
    Taped(Arc<TapedGame>),
}

impl Lineup {
    /// Seats everyone: the game can begin.
    pub fn prepare(
        &self,
        wires: &Wires,
        control: Controller,
    ) -> Result<AgentGame<Mafia>, SeatingError> {
        let recorded = match wires {
            Wires::Recorded(recorder, _) => Some(recorder.begin(self)),
            _ => None,
        };
        let mut budgets = match wires {
            Wires::Live(endpoints) | Wires::Recorded(_, endpoints) => {
                Some(endpoints.budgets(BudgetLimits {
                    tokens: self.budget_tokens,
                    micros: self.budget_micros,
                }))
            }
            Wires::Taped(_) => None,
        };
        let mut wire_to = |agent: &str, model: &Model| -> Result<Arc<dyn Wire>, SeatingError> {
            let endpoints = match wires {
                // What was spent then, and refused, is in the recording.
                Wires::Taped(tape) => return Ok(Arc::clone(tape) as Arc<dyn Wire>),
                Wires::Live(endpoints) | Wires::Recorded(_, endpoints) => endpoints,
            };
            let mut wire: Arc<dyn Wire> = Arc::new(endpoints.at(&model.address)?);
            if let Some(budgets) = &mut budgets {
                wire = budgets.metered(agent, model, wire);
            }
            Ok(recorded.as_ref().map_or(Arc::clone(&wire), |game| game.wire(wire)))
        };
        let mut agents: Vec<Box<dyn Agent<Mafia>>> = Vec::new();
        for entrant in &self.entrants {
            agents.push(match entrant {
                Entrant::Bot(name) => bot(name)?,
                Entrant::Model(name, model) => {
                    let wire = wire_to(name, model)?;
                    Box::new(LanguageModel::new(name, model.as_ref().clone(), wire))
                }
            });
        }
        let clock: Arc<dyn Clock> = match (wires, &recorded) {
            (Wires::Taped(tape), _) => Arc::clone(tape) as Arc<dyn Clock>,
            (_, Some(game)) => Arc::clone(game) as Arc<dyn Clock>,
            _ => Arc::new(WallClock),
        };
        let opening = self.opening.clone();
        Ok(AgentGame { opening, agents, clock, control, together })
    }
}

/// Who decides tonight, bids or votes without seeing what the others do. The
/// mafia see each other's choices, so they choose one after the other.
fn together(state: &State, seat: Seat) -> SeatSet {
    let mut seats = SeatSet::only(seat);
    let Awaiting::Seats { seats: awaited, .. } = Mafia::awaiting(state) else { return seats };
    let board = &state.board;
    match board.phase {
        Phase::NightActions => {
            let mafia: SeatSet = state.cast.mafia.into();
            seats = awaited.without(mafia);
            if let Some(first) = awaited.iter().find(|seat| mafia.contains(*seat)) {
                seats.insert(first);
            }
        }
        Phase::DayDiscussion if board.speaker.is_none() => seats = awaited,
        Phase::DayVoting if state.rules().is_some_and(|rules| rules.votes == Votes::Sealed) => {
            seats = awaited;
        }
        _ => {}
    }
    seats
}

fn bot(name: &str) -> Result<Box<dyn Agent<Mafia>>, SeatingError> {
    let kinds = bots();
    let known = || kinds.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
    let kind = kinds
        .iter()
        .find(|kind| kind.name == name)
        .ok_or_else(|| SeatingError::UnknownAgent(name.to_owned(), known()))?;
    let assignment = Assignment { agent: name.to_owned(), ..Assignment::default() };
    Ok(Box::new(Bot::introduced((kind.make)(), Action::Assign(Box::new(assignment)))))
}
