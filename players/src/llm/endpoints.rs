//! The endpoints of a program: each is made once, and what was found out about
//! it holds for all games.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::llm::address::{Address, HttpError};
use crate::llm::budget::{BudgetLimits, Budgets};
use crate::llm::day::DayAccount;
use crate::llm::http::Http;
use crate::llm::settings::{AgentSettings, SettingsError};

/// Endpoints by their address, and what a day may take of all of them.
#[derive(Default)]
pub struct Endpoints {
    made: Mutex<HashMap<Address, Http>>,
    day: Option<Arc<DayAccount>>,
}

impl Endpoints {
    /// The endpoints these settings name, within the day's budget.
    pub fn new(settings: &AgentSettings) -> Result<Arc<Endpoints>, SettingsError> {
        let day = DayAccount::open(settings)?;
        Ok(Arc::new(Endpoints { made: Mutex::default(), day }))
    }

    /// The endpoint at this address.
    pub fn at(&self, address: &Address) -> Result<Http, HttpError> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(http) = made.get(address) {
            return Ok(http.clone());
        }
        let http = Http::new(address)?;
        made.insert(address.clone(), http.clone());
        Ok(http)
    }

    /// The budgets of a game that may take so much.
    pub fn budgets(&self, game: BudgetLimits) -> Budgets {
        Budgets::new(game, self.day.clone())
    }
}
