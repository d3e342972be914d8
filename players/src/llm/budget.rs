//! What may be spent: in a game, by an agent in it, and on a day.
//!
//! Nobody is asked once a budget is spent. Answers under way are not cut off,
//! so that a budget may be passed by as much as they take.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::agent::BoxFuture;
use crate::llm::account::Tokens;
use crate::llm::day::DayAccount;
use crate::llm::settings::Model;
use crate::llm::wire::{ModelCall, ModelReply, Received, Wire, WireFault};

/// How many tokens may still be taken.
#[derive(Debug)]
struct Budget {
    left: AtomicU64,
}

impl Budget {
    /// So many tokens; none: as many as it takes.
    fn new(tokens: Option<u64>) -> Arc<Budget> {
        Arc::new(Budget { left: AtomicU64::new(tokens.unwrap_or(u64::MAX)) })
    }

    fn spend(&self, tokens: u64) {
        // The closure always gives a value, so this cannot fail.
        let less = |left: u64| Some(left.saturating_sub(tokens));
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    fn is_spent(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }
}

/// The budgets of one game.
pub struct Budgets {
    game: Arc<Budget>,
    agents: BTreeMap<String, Arc<Budget>>,
    day: Option<Arc<DayAccount>>,
}

impl Budgets {
    /// So many tokens for the game, all seats together, and whatever the day
    /// has left.
    pub fn new(game: Option<u64>, day: Option<Arc<DayAccount>>) -> Budgets {
        Budgets { game: Budget::new(game), agents: BTreeMap::new(), day }
    }

    /// The same wire, as long as there is something to spend. All seats of an
    /// agent share its budget.
    pub fn metered(&mut self, agent: &str, model: &Model, wire: Arc<dyn Wire>) -> Arc<dyn Wire> {
        let own = self.agents.entry(agent.to_owned());
        let own = own.or_insert_with(|| Budget::new(model.budget_tokens));
        Arc::new(MeteredWire {
            wire,
            agent: agent.to_owned(),
            game: Arc::clone(&self.game),
            own: Arc::clone(own),
            day: self.day.clone(),
        })
    }

    /// An agent has taken so many tokens already.
    pub fn spend(&self, agent: &str, tokens: u64) {
        self.game.spend(tokens);
        if let Some(own) = self.agents.get(agent) {
            own.spend(tokens);
        }
    }
}

struct MeteredWire {
    wire: Arc<dyn Wire>,
    agent: String,
    game: Arc<Budget>,
    own: Arc<Budget>,
    day: Option<Arc<DayAccount>>,
}

impl MeteredWire {
    fn refusal(&self) -> Option<String> {
        if self.game.is_spent() {
            return Some("the game's budget of tokens is spent".to_owned());
        }
        if self.own.is_spent() {
            let agent = &self.agent;
            return Some(format!("the game's budget of tokens for '{agent}' is spent"));
        }
        self.day.as_ref()?.refusal()
    }
}

impl Wire for MeteredWire {
    fn call(&self, call: ModelCall) -> Box<dyn ModelReply> {
        match self.refusal() {
            Some(why) => Box::new(Unasked(WireFault::Spent(why))),
            None => self.wire.call(call),
        }
    }

    fn rest(&self, time: Duration) -> BoxFuture<'_, ()> {
        self.wire.rest(time)
    }

    fn book(&self, tokens: &Tokens) {
        self.game.spend(tokens.sum());
        self.own.spend(tokens.sum());
        if let Some(day) = &self.day {
            day.book(&self.agent, tokens.sum());
        }
        self.wire.book(tokens);
    }
}

/// The answer of nobody.
struct Unasked(WireFault);

impl ModelReply for Unasked {
    fn next(&mut self) -> BoxFuture<'_, Received> {
        let fault = self.0.clone();
        Box::pin(std::future::ready(Received::Failed { at: 0, fault }))
    }
}
