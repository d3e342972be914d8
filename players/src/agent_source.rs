//! Agents by name, for tables that are opened, left and taken up again at any
//! time.

use std::collections::HashMap;
use std::sync::Arc;

use parlor_kernel::{Game, Opening, Seat};
use parlor_mafia::{Event, Mafia, PlayerId, Rules};

use crate::agent::Agent;
use crate::lineup::{SeatingError, USUAL_MODEL, is_bot};
use crate::llm::{Budget, Http, LanguageModel, Model, Settings, Wire, persona};

/// Who can be seated beside a game's own bots.
pub trait AgentSource<G: Game>: Send + Sync {
    /// Every agent: its name, and how it plays in a sentence.
    fn agents(&self) -> Vec<(String, &'static str)>;

    /// Seats those of a game whom its opening names. `log` is what has
    /// happened in it: an agent goes on with what is left of its budget.
    fn seat(&self, opening: &Opening<G::Rules>, log: &[G::Event])
    -> Vec<(Seat, Box<dyn Agent<G>>)>;
}

/// The language models of a file, each with its wire. They play Mafia.
pub struct Models {
    models: Vec<(String, Model, Arc<dyn Wire>)>,
    personas: bool,
    budget_tokens: Option<u64>,
}

const MEANING: &str = "a language model: thinks in private, speaks in public";

impl Models {
    /// Every model of these settings. Who sits where is up to those who lay a
    /// table, so what the settings say of seats is left aside.
    pub fn new(settings: &Settings) -> Result<Models, SeatingError> {
        let mut options: Vec<_> =
            settings.agents.iter().map(|(name, options)| (name.clone(), options.clone())).collect();
        let is_usual = settings.llm.base_url.is_some() && settings.llm.model.is_some();
        if is_usual && !settings.agents.contains_key(USUAL_MODEL) {
            options.insert(0, (USUAL_MODEL.to_owned(), settings.llm.clone()));
        }
        let mut models = Vec::new();
        let mut wires: HashMap<_, Arc<dyn Wire>> = HashMap::new();
        for (name, options) in options {
            if is_bot(&name) {
                return Err(SeatingError::NameTaken(name));
            }
            let model = settings.model(&name, &options)?;
            let endpoint = (model.base_url.clone(), model.key_env.clone());
            let wire = match wires.get(&endpoint) {
                Some(wire) => Arc::clone(wire),
                None => Arc::new(Http::new(&model.base_url, model.key_env.as_deref())?),
            };
            wires.insert(endpoint, Arc::clone(&wire));
            models.push((name, model, wire));
        }
        if models.is_empty() {
            return Err(SeatingError::NoModels);
        }
        let Settings { personas, budget_tokens, .. } = *settings;
        Ok(Models { models, personas, budget_tokens })
    }
}

impl AgentSource<Mafia> for Models {
    fn agents(&self) -> Vec<(String, &'static str)> {
        self.models.iter().map(|(name, ..)| (name.clone(), MEANING)).collect()
    }

    fn seat(&self, opening: &Opening<Rules>, log: &[Event]) -> Vec<(Seat, Box<dyn Agent<Mafia>>)> {
        let budget = Budget::new(self.budget_tokens);
        budget.spend(spent(log));
        let players = PlayerId::all(opening.seats.len()).zip(&*opening.seats);
        let agent = |(player, sitting): (PlayerId, &parlor_kernel::Sitting)| {
            let named = sitting.bot.as_deref()?;
            let (name, model, wire) = self.models.iter().find(|(name, ..)| name == named)?;
            let mut model = model.clone();
            if self.personas && model.persona.is_none() {
                model.persona = Some(persona(player).to_owned());
            }
            let agent = LanguageModel::new(name, model, Arc::clone(wire), Arc::clone(&budget));
            Some((player.seat(), Box::new(agent) as Box<dyn Agent<Mafia>>))
        };
        players.filter_map(agent).collect()
    }
}

/// How many tokens a game has taken, as its log tells.
fn spent(log: &[Event]) -> u64 {
    let tokens = |event: &Event| match event {
        Event::AgentUsage(it) => it.usage.prompt_tokens + it.usage.completion_tokens,
        _ => 0,
    };
    log.iter().map(tokens).sum()
}
