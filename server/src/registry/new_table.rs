//! How tables are created.

use std::sync::Arc;

use parlor_house::{GameInfo, Offer};
use parlor_store::{Batch, StoreError};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Registry;
use crate::api_error::ApiError;
use crate::codes;
use crate::limits::Address;
use crate::record::{Kind, Record, SeatEntry, Status};
use crate::secrets::{new_code, new_table_id};
use crate::table::Request;
use crate::time::now;

/// A table to be created.
pub struct NewTable {
    /// What is to be played.
    pub game: &'static dyn Offer,
    /// The house rules asked for; null: the server's default.
    pub rules: Value,
    /// The seats.
    pub seats: Vec<SeatEntry>,
    /// The seed, if the table names one.
    pub seed: Option<String>,
    /// Whether the lobby leaves it out.
    pub unlisted: bool,
    /// Whether it begins only when its host says so; then its code is one to
    /// remember.
    pub hosted: bool,
    /// How long its bots wait before they act; the server's pace if none.
    pub bot_pace_ms: Option<u64>,
}

/// A table that is over keeps its code for so long, for those who look for it.
const CODE_KEPT: u64 = 60 * 60 * 1000;

/// Rules in full, as they are kept.
pub fn rules_text(rules: &Value) -> Result<Arc<RawValue>, ApiError> {
    let text = serde_json::value::to_raw_value(rules);
    text.map(Arc::from).map_err(|error| ApiError::Malformed(error.to_string()))
}

pub(super) fn code_for(hosted: bool) -> String {
    if hosted { codes::memorable() } else { new_code() }
}

impl Registry {
    /// Whether this is a language model, and no bot of the game.
    pub fn is_agent(&self, game: &dyn GameInfo, name: &str) -> bool {
        let agents = self.config.agents.of(game.name());
        game.bot_named(name).is_none() && agents.iter().any(|agent| agent.name == name)
    }

    /// How many of these seats language models sit in.
    pub fn agents_among(&self, game: &dyn GameInfo, seats: &[SeatEntry]) -> usize {
        let bots = seats.iter().filter_map(|seat| seat.bot.as_deref());
        bots.filter(|bot| self.is_agent(game, bot)).count()
    }

    /// Language models cost money: the admin seats them, who has a key, and
    /// others as far as the settings let them.
    pub fn check_agents(
        &self,
        count: usize,
        is_allowed: bool,
        from: Address,
    ) -> Result<(), ApiError> {
        match self.config.agents_per_day {
            _ if count == 0 || is_allowed => Ok(()),
            0 => Err(ApiError::AgentsNotAllowed),
            most => Ok(self.accounts.seat_agents(from, count as u64, most)?),
        }
    }

    /// The rules asked for, or what this server gives to tables that name none.
    pub fn rules_or_default(&self, game: &dyn GameInfo, asked: Value) -> Value {
        match asked {
            Value::Null => self.config.default_rules.get(game.name()).cloned().unwrap_or_default(),
            asked => asked,
        }
    }

    /// Creates a table for whoever asks from there; none: for the admin, who is
    /// not counted. One that waits for nobody begins at once.
    pub async fn create(
        self: &Arc<Self>,
        from: Option<Address>,
        order: NewTable,
    ) -> Result<Record, ApiError> {
        let asked = self.rules_or_default(order.game, order.rules);
        let mut rules = order.game.resolve_rules(&asked)?;
        if order.seats.iter().all(|seat| seat.kind == Kind::Bot) {
            // Bots never tire: rules without an end get one.
            rules = order.game.ended_rules(&rules)?.unwrap_or(rules);
        }
        let allowed = order.game.seats(&rules)?;
        if !allowed.contains(&order.seats.len()) {
            return Err(ApiError::InvalidSeats(format!(
                "{} is played with {} to {} seats, not with {}",
                order.game.name(),
                allowed.start(),
                allowed.end(),
                order.seats.len()
            )));
        }
        let mut record = Record {
            id: new_table_id(),
            version: 0,
            code: code_for(order.hosted),
            game: order.game,
            status: Status::Waiting,
            created_at: now(),
            rules: rules_text(&rules)?,
            seats: order.seats,
            seed: order.seed,
            rematch: None,
            unlisted: order.unlisted,
            hosted: order.hosted,
            bot_pace_ms: order.bot_pace_ms,
            stepping: false,
            unbounded: from.is_none(),
            ended: None,
        };
        record.settle_names()?;
        let place = self.accounts.open_table(from, record.plays_itself())?;
        loop {
            let table = Some(record.stored(now()));
            match self.store.commit(Batch { table, ..Batch::default() }).await {
                Ok(()) => break record.version += 1,
                Err(StoreError::CodeTaken(code)) => {
                    if !self.free_code(&code).await? {
                        record.code = code_for(record.hosted);
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        if record.created_by().is_some() {
            self.occupancy.note(&record.id, false);
        }
        place.keep(&record.id);
        let owner = self.accounts.owner(&record.id);
        self.accounts.charge(owner.as_deref(), record.rules.get().len());
        if record.starts_by_itself() {
            self.ask(&record.id, |reply| Request::Start { who: None, reply }).await?;
        }
        Ok(record)
    }

    /// Frees a code that was drawn again, if the table that has it is over and
    /// has been for a while: it is found by its id from now on. Whether it did.
    pub(super) async fn free_code(self: &Arc<Self>, code: &str) -> Result<bool, ApiError> {
        let Some(holder) = self.store.table_by_code(code).await? else { return Ok(true) };
        let is_over = Status::named(&holder.status).is_some_and(Status::is_over);
        if !is_over || now() < holder.updated_at + CODE_KEPT {
            return Ok(false);
        }
        let freed = self.ask(&holder.id, |reply| Request::GiveUpCode { reply }).await;
        if freed.is_ok() {
            self.tables().ids.remove(code);
        }
        // A table that cannot be read keeps its code.
        Ok(freed.is_ok())
    }
}
