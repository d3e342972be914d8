//! The hall: every table has a door here, opened when someone knocks.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parlor_house::Offer;
use parlor_kernel::Seat;
use parlor_store::{Batch, Store, StoreError};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::{Mutex, Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::codes;
use crate::config::Config;
use crate::ledger::{Ledger, NextTable, SeatEntry, Status};
use crate::limits::RateLimits;
use crate::refusal::Refusal;
use crate::secrets::{CODE_LENGTH, Tickets, TokenHash, new_code, new_table_id};
use crate::table::{Door, Knock, MAILBOX, Reply, Table};
use crate::time::now;

/// How often the house looks for rooms in which nothing happens any more.
const ROUNDS_EVERY: Duration = Duration::from_secs(60 * 60);

/// The house open to the network.
pub struct Hall {
    /// How it is set up.
    pub config: Config,
    /// Where everything is written down.
    pub store: Store,
    /// Tickets of browsers.
    pub tickets: Tickets,
    /// How much anyone may ask for.
    pub limits: RateLimits,
    /// The places for agents that are being asked.
    pub agents: Arc<Semaphore>,
    /// Cancelled when the server stops.
    pub stop: CancellationToken,
    tasks: TaskTracker,
    doors: Mutex<HashMap<String, Door>>,
}

/// A table to be laid.
pub struct Order {
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

/// Rules in full, as they are kept.
pub fn rules_text(rules: &Value) -> Result<Arc<RawValue>, Refusal> {
    let text = serde_json::value::to_raw_value(rules);
    text.map(Arc::from).map_err(|error| Refusal::Malformed(error.to_string()))
}

fn code_for(hosted: bool) -> String {
    if hosted { codes::memorable() } else { new_code() }
}

/// A code as it is stored, whatever case it is typed in; none if this cannot
/// be one.
fn as_code(text: &str) -> Option<String> {
    if text.len() == CODE_LENGTH {
        Some(text.to_ascii_uppercase())
    } else {
        codes::looks_memorable(text).then(|| text.to_ascii_lowercase())
    }
}

impl Hall {
    /// An empty hall over a store.
    pub fn new(config: Config, store: Store) -> Arc<Hall> {
        Arc::new(Hall {
            limits: RateLimits::new(config.limits.as_ref()),
            agents: Arc::new(Semaphore::new(config.agents_at_once)),
            config,
            store,
            tickets: Tickets::default(),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
            doors: Mutex::default(),
        })
    }

    /// The rules asked for, or what this server gives to tables that name none.
    pub fn rules_or_default(&self, game: &dyn Offer, asked: Value) -> Value {
        match asked {
            Value::Null => self.config.default_rules.get(game.name()).cloned().unwrap_or_default(),
            asked => asked,
        }
    }

    /// Lays a table; a table that needs no one else begins at once.
    pub async fn lay(self: &Arc<Self>, order: Order) -> Result<Ledger, Refusal> {
        let asked = self.rules_or_default(order.game, order.rules);
        let rules = order.game.resolve_rules(&asked)?;
        let allowed = order.game.seats(&rules)?;
        if !allowed.contains(&order.seats.len()) {
            return Err(Refusal::InvalidSeats(format!(
                "{} is played with {} to {} seats, not with {}",
                order.game.name(),
                allowed.start(),
                allowed.end(),
                order.seats.len()
            )));
        }
        let mut ledger = Ledger {
            id: new_table_id(),
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
        };
        ledger.settle_names()?;
        loop {
            let table = Some(ledger.record(now()));
            match self.store.commit(Batch { table, ..Batch::default() }).await {
                Ok(()) => break,
                Err(StoreError::CodeTaken(_)) => ledger.code = code_for(ledger.hosted),
                Err(error) => return Err(error.into()),
            }
        }
        if ledger.starts_by_itself() {
            self.ask(&ledger.id, |reply| Knock::Start { who: None, reply }).await?;
        }
        Ok(ledger)
    }

    /// Lays a table for the same people to play again.
    pub async fn lay_again(self: &Arc<Self>, before: &Ledger) -> Result<NextTable, Refusal> {
        let empty = |seat: &SeatEntry| SeatEntry { token: None, came: false, ..seat.clone() };
        let mut next = before.clone();
        next.seats = before.seats.iter().map(empty).collect();
        (next.id, next.code) = (new_table_id(), code_for(next.hosted));
        (next.status, next.rematch, next.created_at) = (Status::Waiting, None, now());
        next.stepping = false;
        let table = Some(next.record(now()));
        self.store.commit(Batch { table, ..Batch::default() }).await?;
        Ok(NextTable { table_id: next.id, code: next.code })
    }

    /// Seats a player of the match before. Boxed, because a table's task may
    /// knock at another table's door.
    pub async fn sit_again(
        self: &Arc<Self>,
        table: &str,
        seat: Seat,
        token: &str,
        name: String,
    ) -> Result<(), Refusal> {
        let token = TokenHash::of(token);
        let knock = |reply| Knock::SitAgain { seat, token, name: name.clone(), reply };
        Box::pin(self.ask(table, knock)).await
    }

    /// The id of the table with this id or code.
    pub async fn table_id(&self, id_or_code: &str) -> Result<String, Refusal> {
        let Some(code) = as_code(id_or_code) else { return Ok(id_or_code.to_owned()) };
        // It may also be the id of a game that was played elsewhere.
        let found = self.look_up(move |store| store.table_by_code(&code)).await?;
        Ok(found.map_or_else(|| id_or_code.to_owned(), |record| record.id))
    }

    /// Asks a table something and waits for its answer.
    pub async fn ask<T>(
        self: &Arc<Self>,
        id: &str,
        knock: impl Fn(Reply<T>) -> Knock,
    ) -> Result<T, Refusal> {
        let (reply, answer) = oneshot::channel();
        self.send(id, knock(reply)).await?;
        answer.await.unwrap_or(Err(Refusal::Stopping))
    }

    /// Puts a knock into a table's mailbox, opening the table if need be.
    pub async fn send(self: &Arc<Self>, id: &str, knock: Knock) -> Result<(), Refusal> {
        let mut door = self.door(id).await?;
        self.send_through(&mut door, id, knock).await
    }

    /// Knocks at a door found before; a door that has closed since is
    /// replaced by the table's new one.
    pub async fn send_through(
        self: &Arc<Self>,
        door: &mut Door,
        id: &str,
        knock: Knock,
    ) -> Result<(), Refusal> {
        let mut knock = Box::new(knock);
        while !self.stop.is_cancelled() {
            match door.send(knock).await {
                Ok(()) => return Ok(()),
                // The table was just leaving memory; knock again.
                Err(mpsc::error::SendError(unheard)) => knock = unheard,
            }
            tokio::task::yield_now().await;
            *door = self.door(id).await?;
        }
        Err(Refusal::Stopping)
    }

    /// The door of a table, which is brought into memory if need be.
    pub async fn door(self: &Arc<Self>, id: &str) -> Result<Door, Refusal> {
        let mut doors = self.doors.lock().await;
        if let Some(door) = doors.get(id) {
            return Ok(door.clone());
        }
        let sought = id.to_owned();
        let record = self.look_up(move |store| store.table(&sought)).await?;
        let ledger = record.as_ref().and_then(Ledger::read);
        let ledger = ledger.ok_or_else(|| Refusal::NoSuchTable(id.to_owned()))?;
        Ok(self.open(&mut doors, ledger))
    }

    fn open(self: &Arc<Self>, doors: &mut HashMap<String, Door>, ledger: Ledger) -> Door {
        let (door, knocks) = mpsc::channel(MAILBOX);
        doors.insert(ledger.id.clone(), door.clone());
        self.tasks.spawn(Table::new(Arc::clone(self), ledger).run(knocks));
        door
    }

    /// A table has left memory.
    pub async fn forget(&self, id: &str) {
        let mut doors = self.doors.lock().await;
        if doors.get(id).is_some_and(Door::is_closed) || self.stop.is_cancelled() {
            doors.remove(id);
        }
    }

    /// Reads from the store without holding up anyone.
    pub async fn look_up<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let store = self.store.clone();
        let read = tokio::task::spawn_blocking(move || read(&store)).await;
        Ok(read.map_err(|_| Refusal::Stopping)??)
    }

    /// Wakes every running game, so that clocks and bots go on after a restart.
    pub async fn wake(self: &Arc<Self>) -> Result<usize, Refusal> {
        let records = self.look_up(|store| store.tables(Some("playing"), usize::MAX)).await?;
        let mut doors = self.doors.lock().await;
        let mut woken = 0;
        for ledger in records.iter().filter_map(Ledger::read) {
            if !doors.contains_key(&ledger.id) {
                self.open(&mut doors, ledger);
                woken += 1;
            }
        }
        Ok(woken)
    }

    /// Closes rooms in which nothing happens any more, now and from time to time.
    pub fn close_inactive_rooms(self: &Arc<Self>) {
        let hall = Arc::clone(self);
        self.tasks.spawn(async move {
            let patience = hall.config.inactive_after.max(Duration::from_millis(1));
            let mut round = tokio::time::interval(ROUNDS_EVERY.min(patience));
            let rounds = async {
                loop {
                    round.tick().await;
                    if let Err(refusal) = hall.go_round().await {
                        tracing::warn!(%refusal, "inactive rooms could not be closed");
                    }
                }
            };
            hall.stop.run_until_cancelled(rounds).await;
        });
    }

    async fn go_round(self: &Arc<Self>) -> Result<(), Refusal> {
        let since = now().saturating_sub(self.config.inactive_after.as_millis() as u64);
        for status in [Status::Waiting, Status::Playing] {
            let open = move |store: &Store| store.tables(Some(status.name()), usize::MAX);
            let records = self.look_up(open).await?;
            let quiet = records.iter().filter(|record| record.updated_at < since);
            for ledger in quiet.filter_map(Ledger::read) {
                if ledger.game.room().is_some() {
                    self.ask(&ledger.id, |reply| Knock::Lapse { since, reply }).await?;
                }
            }
        }
        Ok(())
    }

    /// Stops every table and closes the store. Everything acknowledged is on
    /// disk when this returns.
    pub async fn close(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        let store = self.store.clone();
        // A store that cannot be closed has nothing left to lose: what was
        // acknowledged is on disk already.
        drop(tokio::task::spawn_blocking(move || store.close()).await);
    }
}
