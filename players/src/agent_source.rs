//! Agents by name, for tables that are opened, left and resumed at any
//! time.

use std::sync::Arc;

use parlor_kernel::{Game, Opening, Seat};
use parlor_mafia::{Event, Mafia, PlayerId, Rules};

use crate::agent::Agent;
use crate::lineup::{SeatingError, USUAL_MODEL, is_bot};
use crate::llm::{AgentSettings, Endpoints, LanguageModel, Model, persona};

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
    budget_tokens: Option<u64>,
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
        let AgentSettings { personas, budget_tokens, .. } = *settings;
        Ok(Models { models, endpoints, personas, budget_tokens })
    }
}

impl AgentSource<Mafia> for Models {
    fn agents(&self) -> Vec<(String, &'static str)> {
        self.models.iter().map(|(name, _)| (name.clone(), MEANING)).collect()
    }

    fn seat(&self, opening: &Opening<Rules>, log: &[Event]) -> Vec<(Seat, Box<dyn Agent<Mafia>>)> {
        let mut budgets = self.endpoints.budgets(self.budget_tokens);
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
        for (player, tokens) in spent(log) {
            let sitting = opening.seats.get(player.index());
            let agent = sitting.and_then(|sitting| sitting.bot.as_deref()).unwrap_or_default();
            budgets.spend(agent, tokens);
        }
        agents
    }
}

/// How many tokens each decision of a game has taken, as its log tells.
fn spent(log: &[Event]) -> impl Iterator<Item = (PlayerId, u64)> {
    log.iter().filter_map(|event| match event {
        Event::AgentUsage(it) => {
            Some((it.agent_id, it.usage.prompt_tokens + it.usage.completion_tokens))
        }
        _ => None,
    })
}
