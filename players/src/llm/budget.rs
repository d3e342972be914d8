//! What may be spent, in tokens and in money: in a game, by an agent in it, and
//! on a day.
//!
//! Nobody is asked once a budget is spent. Answers under way are not cut off,
//! so that a budget may be passed by as much as they take.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::agent::BoxFuture;
use crate::llm::account::{Prices, Spent, Tokens};
use crate::llm::day::DayAccount;
use crate::llm::settings::Model;
use crate::llm::wire::{ModelCall, ModelReply, Received, Wire, WireFault};

/// How much may be taken: tokens, money, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BudgetLimits {
    /// Tokens; none: as many as it takes.
    pub tokens: Option<u64>,
    /// Millionths of a dollar; none: as many as it takes.
    pub micros: Option<u64>,
}

impl BudgetLimits {
    /// What is spent of `spent`, in a word; none as long as there is something
    /// left.
    pub(super) fn exhausted(&self, spent: Spent) -> Option<&'static str> {
        if self.tokens.is_some_and(|most| spent.tokens >= most) {
            Some("tokens")
        } else {
            self.micros.is_some_and(|most| spent.micros >= most).then_some("money")
        }
    }
}

/// What may be taken, and what was.
#[derive(Debug)]
struct Budget {
    limits: BudgetLimits,
    spent: Mutex<Spent>,
}

impl Budget {
    fn new(limits: BudgetLimits) -> Arc<Budget> {
        Arc::new(Budget { limits, spent: Mutex::default() })
    }

    fn spend(&self, more: Spent) {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).add(more);
    }

    fn exhausted(&self) -> Option<&'static str> {
        self.limits.exhausted(*self.spent.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The budgets of one game.
pub struct Budgets {
    game: Arc<Budget>,
    agents: BTreeMap<String, Arc<Budget>>,
    day: Option<Arc<DayAccount>>,
}

impl Budgets {
    /// So much for the game, all seats together, and whatever the day has left.
    pub fn new(game: BudgetLimits, day: Option<Arc<DayAccount>>) -> Budgets {
        Budgets { game: Budget::new(game), agents: BTreeMap::new(), day }
    }

    /// The same wire, as long as there is something to spend. All seats of an
    /// agent share its budget.
    pub fn metered(&mut self, agent: &str, model: &Model, wire: Arc<dyn Wire>) -> Arc<dyn Wire> {
        let own = self.agents.entry(agent.to_owned());
        let own = own.or_insert_with(|| Budget::new(model.limits()));
        Arc::new(MeteredWire {
            wire,
            agent: agent.to_owned(),
            prices: model.prices(),
            game: Arc::clone(&self.game),
            own: Arc::clone(own),
            day: self.day.clone(),
        })
    }

    /// An agent has taken so much already.
    pub fn spend(&self, agent: &str, spent: Spent) {
        self.game.spend(spent);
        if let Some(own) = self.agents.get(agent) {
            own.spend(spent);
        }
    }
}

struct MeteredWire {
    wire: Arc<dyn Wire>,
    agent: String,
    prices: Option<Prices>,
    game: Arc<Budget>,
    own: Arc<Budget>,
    day: Option<Arc<DayAccount>>,
}

impl MeteredWire {
    fn refusal(&self) -> Option<String> {
        if let Some(kind) = self.game.exhausted() {
            return Some(format!("the game's budget of {kind} is spent"));
        }
        if let Some(kind) = self.own.exhausted() {
            let agent = &self.agent;
            return Some(format!("the game's budget of {kind} for '{agent}' is spent"));
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
        let micros = self.prices.map_or(0, |prices| prices.cost_micros(tokens));
        let spent = Spent { tokens: tokens.sum(), micros };
        self.game.spend(spent);
        self.own.spend(spent);
        if let Some(day) = &self.day {
            day.book(&self.agent, spent);
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
