//! The playbill of a game of Mafia: rules, seed, names, and who plays whom.
//! Together with the wires it is all a game with agents needs.

use std::collections::HashMap;
use std::sync::Arc;

use parlor_kernel::{Opening, RulesError, Seal, Sitting};
use parlor_mafia::{Action, Assignment, Mafia, PlayerId, Rules};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::{Agent, Bot};
use crate::clock::{Clock, WallClock};
use crate::control::Control;
use crate::llm::{
    Budget, Http, HttpError, LanguageModel, Model, Recorder, SeatWish, Settings, SettingsError,
    TapedGame, Wire, Wishes, persona,
};
use crate::runner::Show;

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
pub enum Part {
    /// A bot, by name.
    Bot(String),
    /// A language model, under the name of its agent.
    Model(String, Box<Model>),
}

impl Part {
    /// The name of the agent.
    pub fn agent(&self) -> &str {
        let (Part::Bot(name) | Part::Model(name, _)) = self;
        name
    }
}

/// A game with agents, before it is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Playbill {
    /// Rules, names and the sealed seed.
    pub opening: Opening<Rules>,
    /// Who plays, seat by seat.
    pub parts: Vec<Part>,
    /// How many tokens the game may take, all seats together.
    pub budget_tokens: Option<u64>,
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
pub struct Company {
    settings: Settings,
}

/// The name of the model of `[llm]`.
pub(crate) const USUAL_MODEL: &str = "llm";

impl Company {
    /// The bots, and the models of these settings.
    pub fn new(settings: Settings) -> Company {
        Company { settings }
    }

    /// Every name that can be seated.
    pub fn names(&self) -> String {
        let bots = bots().into_iter().map(|bot| bot.name);
        let models = self.settings.agents.keys().map(String::as_str);
        bots.chain([USUAL_MODEL]).chain(models).collect::<Vec<_>>().join(", ")
    }

    /// A playbill: the agents are seated in turn until every seat is filled;
    /// what the settings say of a seat comes first.
    pub fn bill(
        &self,
        game_id: &str,
        rules: &Rules,
        seal: Seal,
        agents: &[String],
    ) -> Result<Playbill, SeatingError> {
        let mut parts = Vec::new();
        for (player, agent) in PlayerId::all(rules.circle()).zip(agents.iter().cycle()) {
            parts.push(match self.settings.seat(player) {
                None => self.part(agent, player)?,
                Some(SeatWish::Named(name)) => self.part(name, player)?,
                Some(SeatWish::Own(wishes)) => self.model(&player.to_string(), wishes, player)?,
            });
        }
        let opening = Opening {
            game_id: game_id.to_owned(),
            rules: rules.clone(),
            seats: parts.iter().zip(PlayerId::all(rules.circle())).map(sitting).collect(),
            seal,
        };
        Ok(Playbill { opening, parts, budget_tokens: self.settings.budget_tokens })
    }

    fn part(&self, agent: &str, player: PlayerId) -> Result<Part, SeatingError> {
        if let Some(wishes) = self.settings.agents.get(agent) {
            return self.model(agent, wishes, player);
        }
        if let Some(bot) = bots().iter().find(|bot| answers_to(bot, agent)) {
            return Ok(Part::Bot(bot.name.to_owned()));
        }
        if agent == USUAL_MODEL {
            return self.model(agent, &Wishes::default(), player);
        }
        Err(SeatingError::UnknownAgent(agent.to_owned(), self.names()))
    }

    fn model(&self, agent: &str, wishes: &Wishes, player: PlayerId) -> Result<Part, SeatingError> {
        let mut model = self.settings.model(agent, wishes)?;
        if self.settings.personas && model.persona.is_none() {
            model.persona = Some(persona(player).to_owned());
        }
        Ok(Part::Model(agent.to_owned(), Box::new(model)))
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

/// rules §1: names are fixed before roles are drawn and tell nothing of who
/// plays the seat. There is one for every seat of the largest table.
const NAMES: &[&str] = <Mafia as parlor_kernel::Offered>::NAMES;

fn sitting((part, player): (&Part, PlayerId)) -> Sitting {
    Sitting {
        player_id: player.to_string(),
        name: NAMES[player.index()].to_owned(),
        bot: Some(part.agent().to_owned()),
    }
}

/// Where models are asked, and what of it is kept.
#[derive(Clone)]
pub enum Wires {
    /// Over the network.
    Live,
    /// Over the network, recorded.
    Recorded(Arc<Recorder>),
    /// From a recording of this very game.
    Taped(Arc<TapedGame>),
}

impl Playbill {
    /// Seats everyone: the show can begin.
    pub fn stage(&self, wires: &Wires, control: Control) -> Result<Show<Mafia>, SeatingError> {
        let recorded = match wires {
            Wires::Recorded(recorder) => Some(recorder.begin(self)),
            _ => None,
        };
        let mut lines: HashMap<(String, Option<String>), Arc<dyn Wire>> = HashMap::new();
        let mut wire_to = |model: &Model| -> Result<Arc<dyn Wire>, SeatingError> {
            if let Wires::Taped(tape) = wires {
                return Ok(Arc::clone(tape) as Arc<dyn Wire>);
            }
            let endpoint = (model.base_url.clone(), model.key_env.clone());
            if let Some(wire) = lines.get(&endpoint) {
                return Ok(Arc::clone(wire));
            }
            let http: Arc<dyn Wire> =
                Arc::new(Http::new(&model.base_url, model.key_env.as_deref())?);
            let wire = recorded.as_ref().map_or(Arc::clone(&http), |game| game.wire(http));
            lines.insert(endpoint, Arc::clone(&wire));
            Ok(wire)
        };
        let budget = Budget::new(self.budget_tokens);
        let mut agents: Vec<Box<dyn Agent<Mafia>>> = Vec::new();
        for part in &self.parts {
            agents.push(match part {
                Part::Bot(name) => bot(name)?,
                Part::Model(name, model) => {
                    let (wire, budget) = (wire_to(model)?, Arc::clone(&budget));
                    Box::new(LanguageModel::new(name, model.as_ref().clone(), wire, budget))
                }
            });
        }
        let clock: Arc<dyn Clock> = match (wires, &recorded) {
            (Wires::Taped(tape), _) => Arc::clone(tape) as Arc<dyn Clock>,
            (_, Some(game)) => Arc::clone(game) as Arc<dyn Clock>,
            _ => Arc::new(WallClock),
        };
        Ok(Show { opening: self.opening.clone(), agents, clock, control })
    }
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
