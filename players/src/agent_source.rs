//! Agents by name, for tables that are opened, left and resumed at any
//! time.

use std::sync::Arc;

use parlor_kernel::{Game, Opening, Seat};
use parlor_mafia::{Event, Mafia, PlayerId, Rules};

use crate::agent::Agent;
use crate::lineup::{SeatingError, USUAL_MODEL, is_bot};
use crate::llm::{AgentSettings, BudgetLimits, Endpoints, LanguageModel, Model, Spent, persona};

/// Who can be seated beside a game's own bots.
pub trait AgentSource<G: Game>: Send + Sync {
    /// Every agent: its name, and how it plays in a sentence.
    fn agents(&self) -> Vec<(String, &'static str)>;

    /// Seats those of a game whom its opening names. `log` is what has
    /// happened in it: an agent goes on with what is left of its budget.
    fn seat(&self, opening: &Opening<G::Rules>, log: &[G::Event])
    -> Vec<(Seat, Box<dyn Agent<G>>)>;
}

/// The language models of a file, with their endpoints. They play Mafia.
pub struct Models {
    models: Vec<(String, Model)>,
    endpoints: Arc<Endpoints>,
    personas: bool,
    limits: BudgetLimits,
}

const MEANING: &str = "a language model: thinks in private, speaks in public";

impl Models {
    /// Every model of these settings. Who sits where is up to those who lay a
    /// table, so what the settings say of seats is left aside.
    pub fn new(settings: &AgentSettings) -> Result<Models, SeatingError> {
        let mut options: Vec<_> =
            settings.agents.iter().map(|(name, options)| (name.clone(), options.clone())).collect();
        let is_usual = settings.llm.base_url.is_some() && settings.llm.model.is_some();
        if is_usual && !settings.agents.contains_key(USUAL_MODEL) {
            options.insert(0, (USUAL_MODEL.to_owned(), settings.llm.clone()));
        }
        let endpoints = Endpoints::new(settings)?;
        let mut models = Vec::new();
        for (name, options) in options {
            if is_bot(&name) {
                return Err(SeatingError::NameTaken(name));
            }
            let model = settings.model(&name, &options)?;
            // Keys and addresses are looked at before anyone sits down.
            endpoints.at(&model.address)?;
            models.push((name, model));
        }
        if models.is_empty() {
            return Err(SeatingError::NoModels);
        }
        let (personas, limits) = (settings.personas, settings.game_limits());
        Ok(Models { models, endpoints, personas, limits })
    }
}

impl AgentSource<Mafia> for Models {
    fn agents(&self) -> Vec<(String, &'static str)> {
        self.models.iter().map(|(name, _)| (name.clone(), MEANING)).collect()
    }

    fn seat(&self, opening: &Opening<Rules>, log: &[Event]) -> Vec<(Seat, Box<dyn Agent<Mafia>>)> {
        let mut budgets = self.endpoints.budgets(self.limits);
        let players = PlayerId::all(opening.seats.len()).zip(&*opening.seats);
        let agent = |(player, sitting): (PlayerId, &parlor_kernel::Sitting)| {
            let named = sitting.bot.as_deref()?;
            let (name, model) = self.models.iter().find(|(name, _)| name == named)?;
            let mut model = model.clone();
            if self.personas && model.persona.is_none() {
                model.persona = Some(persona(player).to_owned());
            }
            // It was made when the server started.
            let http = self.endpoints.at(&model.address).ok()?;
            let wire = budgets.metered(name, &model, Arc::new(http));
            let agent = LanguageModel::new(name, model, wire);
            Some((player.seat(), Box::new(agent) as Box<dyn Agent<Mafia>>))
        };
        let agents = players.filter_map(agent).collect();
        for (player, spent) in spent(log) {
            let sitting = opening.seats.get(player.index());
            let agent = sitting.and_then(|sitting| sitting.bot.as_deref()).unwrap_or_default();
            budgets.spend(agent, spent);
        }
        agents
    }
}

/// What each decision of a game has taken, as its log tells.
fn spent(log: &[Event]) -> impl Iterator<Item = (PlayerId, Spent)> {
    log.iter().filter_map(|event| match event {
        Event::AgentUsage(it) => {
            let tokens = it.usage.prompt_tokens + it.usage.completion_tokens;
            let micros = it.usage.cost_micros.unwrap_or(0);
            Some((it.agent_id, Spent { tokens, micros }))
        }
        _ => None,
    })
}
