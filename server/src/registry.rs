//! The registry of tables: the mailbox of every table in memory, by id. A table
//! that is asked for is brought into memory.

mod new_table;
mod occupancy;
mod panics;
mod pasts;
mod rematch;
mod slots;
mod waiting_tables;
mod waker;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use parlor_store::{PAGE, Store, TableRecord};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::api_error::ApiError;
use crate::blocks::Blocks;
use crate::codes;
use crate::config::Config;
use crate::limits::{Accounts, Address, FoldFor, FoldPlace, Folds, Guesses, RateLimits};
use crate::record::{Record, Status};
use crate::secrets::{CODE_LENGTH, Tickets};
use crate::table::{COME_BACK_WITHIN, MAILBOX_SIZE, Mailbox, Reply, Request, Table};
use crate::time::now;
use occupancy::Occupancy;
use pasts::Pasts;
use slots::{Tables, Waiting};
use waker::Waker;

pub use new_table::{NewTable, rules_text};
pub use pasts::{OpenStream, Past};
pub use slots::OpenTable;
pub use waiting_tables::Among;

/// How often rooms are looked for in which nothing happens any more.
const LOOK_FOR_INACTIVE_EVERY: Duration = Duration::from_secs(60 * 60);

/// The house open to the network.
pub struct Registry {
    /// How it is set up.
    pub config: Config,
    /// Where everything is written down.
    pub store: Store,
    /// Tickets of browsers.
    pub tickets: Tickets,
    /// How often anyone may ask.
    pub limits: RateLimits,
    /// What each address has under way.
    pub accounts: Accounts,
    /// How many agents may be asked at the same time.
    pub agent_permits: Arc<Semaphore>,
    /// Cancelled when the server stops.
    pub stop: CancellationToken,
    /// When it opened: nobody's time is up before they could come back.
    pub started_at: u64,
    /// Which addresses are kept out.
    pub blocks: Blocks,
    /// Held while a report is kept or closed.
    pub reporting: tokio::sync::Mutex<()>,
    /// Which waiting tables somebody is at.
    pub occupancy: Occupancy,
    /// Held while someone who wants to play now is seated, so that two who come
    /// at once meet.
    pub meeting: tokio::sync::Mutex<()>,
    tasks: TaskTracker,
    waker: Waker,
    guesses: Guesses,
    folds: Arc<Folds>,
    pub(crate) pasts: Pasts,
    tables: Mutex<Tables>,
}

/// As many logs are folded at once as there are cores.
fn folds_at_once() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
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

impl Registry {
    /// An empty registry over a store.
    pub fn new(config: Config, store: Store) -> Arc<Registry> {
        Arc::new(Registry {
            limits: RateLimits::new(config.limits.as_ref()),
            accounts: Accounts::new(config.limits.as_ref()),
            guesses: Guesses::new(config.limits.as_ref()),
            folds: Folds::new(config.limits.as_ref()),
            agent_permits: Arc::new(Semaphore::new(config.agents_at_once)),
            config,
            store,
            tickets: Tickets::default(),
            stop: CancellationToken::new(),
            started_at: now(),
            blocks: Blocks::default(),
            reporting: tokio::sync::Mutex::default(),
            occupancy: Occupancy::default(),
            meeting: tokio::sync::Mutex::default(),
            tasks: TaskTracker::new(),
            waker: Waker::default(),
            pasts: Pasts::default(),
            tables: Mutex::default(),
        })
    }

    /// The id of the table with this id or code. Wrong codes are counted for
    /// whoever tries them.
    pub async fn table_id(&self, from: Address, id_or_code: &str) -> Result<String, ApiError> {
        let Some(code) = as_code(id_or_code) else { return Ok(id_or_code.to_owned()) };
        self.guesses.begin(from)?;
        let open = self.tables().ids.get(&code).cloned();
        let found = match open {
            Some(id) => Some(id),
            None => self.store.table_by_code(&code).await?.map(|record| record.id),
        };
        match found {
            Some(id) => {
                self.guesses.was_right(from);
                Ok(id)
            }
            // It may also be the id of a game that was played elsewhere.
            None => Ok(id_or_code.to_owned()),
        }
    }

    /// Asks a table something and waits for its answer.
    pub async fn ask<T>(
        self: &Arc<Self>,
        id: &str,
        request: impl Fn(Reply<T>) -> Request,
    ) -> Result<T, ApiError> {
        let (reply, answer) = oneshot::channel();
        self.send(id, request(reply)).await?;
        answer.await.unwrap_or_else(|_| Err(self.unanswered()))
    }

    /// Puts a request into a table's mailbox, opening the table if need be.
    pub async fn send(self: &Arc<Self>, id: &str, request: Request) -> Result<(), ApiError> {
        let mut mailbox = self.mailbox(id).await?;
        self.send_through(&mut mailbox, id, request).await
    }

    /// Sends to a mailbox found before; one that has closed since is replaced
    /// by the table's new one.
    pub async fn send_through(
        self: &Arc<Self>,
        mailbox: &mut Mailbox,
        id: &str,
        request: Request,
    ) -> Result<(), ApiError> {
        let mut request = Box::new(request);
        while !self.stop.is_cancelled() {
            match mailbox.send(request).await {
                Ok(()) => return Ok(()),
                // The table was just leaving memory; send again.
                Err(mpsc::error::SendError(unsent)) => request = unsent,
            }
            tokio::task::yield_now().await;
            *mailbox = self.mailbox(id).await?;
        }
        Err(ApiError::Stopping)
    }

    /// The mailbox of a table, which is brought into memory if need be.
    pub async fn mailbox(self: &Arc<Self>, id: &str) -> Result<Mailbox, ApiError> {
        Ok(self.table(id).await?.mailbox)
    }

    /// A table, which is brought into memory if need be.
    pub async fn table(self: &Arc<Self>, id: &str) -> Result<OpenTable, ApiError> {
        let slot = self.tables().slot(id);
        if let Some(table) = slot.get() {
            return Ok(table.clone());
        }
        let waiting = Waiting { registry: self, id, slot };
        waiting.slot.get_or_try_init(|| self.open(id)).await.cloned()
    }

    async fn open(self: &Arc<Self>, id: &str) -> Result<OpenTable, ApiError> {
        self.check_not_set_aside(id)?;
        let stored = self.store.table(id).await?;
        let record = stored.as_ref().and_then(Record::read);
        Ok(self.run(record.ok_or_else(|| ApiError::NoSuchTable(id.to_owned()))?))
    }

    fn run(self: &Arc<Self>, record: Record) -> OpenTable {
        let (mailbox, requests) = mpsc::channel(MAILBOX_SIZE);
        self.tables().ids.insert(record.code.clone(), record.id.clone());
        let table = OpenTable { game: record.game, mailbox };
        let (id, code) = (record.id.clone(), record.code.clone());
        let task = Table::new(Arc::clone(self), record).run(requests);
        self.tasks.spawn(Arc::clone(self).supervise(id, code, task));
        table
    }

    /// Puts a table there whose requests a test reads itself.
    #[cfg(test)]
    pub fn put(&self, id: &str, table: OpenTable) {
        let slot = Arc::new(tokio::sync::OnceCell::new_with(Some(table)));
        self.tables().slots.insert(id.to_owned(), slot);
    }

    /// A table has left memory.
    fn forget(&self, id: &str, code: &str) {
        let mut tables = self.tables();
        let table = tables.slots.get(id).and_then(|slot| slot.get());
        if table.is_some_and(|table| table.mailbox.is_closed()) {
            tables.slots.remove(id);
            // Another table may have its code by now.
            if tables.ids.get(code).is_some_and(|holder| holder == id) {
                tables.ids.remove(code);
            }
            drop(tables);
            self.occupancy.deserted(id);
        }
    }

    /// Whether a table is in memory.
    fn is_open(&self, id: &str) -> bool {
        self.tables().slots.get(id).is_some_and(|slot| slot.initialized())
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        // Nobody who holds it can panic in the middle of a change.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a task that the server waits for when it stops.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }

    /// Waits for a place to fold a log in. Whoever reads the log for it reads it
    /// then: logs that wait are not held in memory.
    pub async fn fold_place(&self, whom: FoldFor) -> Result<FoldPlace, ApiError> {
        Ok(self.folds.place(whom).await?)
    }

    /// Folds a whole log for a table that waits for it.
    pub async fn fold<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.fold_in(self.fold_place(FoldFor::Table).await?, work).await
    }

    /// The same in a place that was waited for. It may take long, so it runs on
    /// a thread that no table and no connection shares.
    pub async fn fold_in<T: Send + 'static>(
        &self,
        place: FoldPlace,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let folding = tokio::task::spawn_blocking(move || {
            // Kept to the end, also when nobody waits for it any more.
            let _place = place;
            work()
        });
        folding.await.unwrap_or_else(|_| Err(self.unanswered()))
    }

    /// Closes rooms in which nothing happens any more, now and from time to time.
    pub fn close_inactive_rooms(self: &Arc<Self>) {
        let registry = Arc::clone(self);
        self.tasks.spawn(async move {
            let patience = registry.config.inactive_after.max(Duration::from_millis(1));
            // Nobody is inactive before they could come back.
            let first = tokio::time::Instant::now() + COME_BACK_WITHIN.min(patience);
            let mut round = tokio::time::interval_at(first, LOOK_FOR_INACTIVE_EVERY.min(patience));
            let rounds = async {
                loop {
                    round.tick().await;
                    if let Err(error) = registry.end_inactive_rooms().await {
                        tracing::warn!(%error, "could not close inactive rooms");
                    }
                }
            };
            registry.stop.run_until_cancelled(rounds).await;
        });
    }

    async fn end_inactive_rooms(self: &Arc<Self>) -> Result<(), ApiError> {
        let since = now().saturating_sub(self.config.inactive_after.as_millis() as u64);
        for status in [Status::Waiting, Status::Playing] {
            let mut last: Option<(u64, String)> = None;
            loop {
                let before = last.as_ref().map(|(time, id)| (*time, id.as_str()));
                let records = self.store.tables(Some(status.name()), before, PAGE).await?;
                self.close_quiet(&records, since).await;
                let Some(record) = records.last().filter(|_| records.len() == PAGE) else { break };
                last = Some((record.created_at, record.id.clone()));
            }
        }
        Ok(())
    }

    /// Closes those of these rooms in which nobody has done anything since then,
    /// and games without an end that go on among bots alone. One that cannot be
    /// read does not keep the others open.
    async fn close_quiet(self: &Arc<Self>, records: &[TableRecord], since: u64) {
        let quiet = records.iter().filter(|record| record.updated_at < since);
        let is_left = |record: &Record| record.game.room().is_some() || record.is_endless();
        for record in quiet.filter_map(Record::read).filter(is_left) {
            let end = |reply| Request::EndIfInactive { since, reply };
            if let Err(error) = self.ask(&record.id, end).await {
                tracing::warn!(table = record.id, %error, "could not close an inactive room");
            }
        }
    }

    /// Stops every table and closes the store. Everything acknowledged is on
    /// disk when this returns.
    pub async fn close(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        self.store.close().await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use parlor_store::{Append, Batch};
    use serde_json::{Value, json};

    use super::*;
    use crate::record::SeatEntry;
    use crate::secrets::TokenHash;

    async fn registry() -> Arc<Registry> {
        Registry::new(Config::default(), Store::open("memory:").await.unwrap())
    }

    async fn new_table(registry: &Arc<Registry>) -> Record {
        let game = parlor_house::game("koikoi").unwrap();
        let seats = vec![SeatEntry::open(); 2];
        let (rules, seed, bot_pace_ms) = (Value::Null, None, None);
        let order =
            NewTable { game, rules, seats, seed, unlisted: false, hosted: false, bot_pace_ms };
        registry.create(None, order).await.unwrap()
    }

    /// A registry that closes what nobody has touched for a millisecond.
    async fn impatient() -> Arc<Registry> {
        let config = Config { inactive_after: Duration::from_millis(1), ..Config::default() };
        Registry::new(config, Store::open("memory:").await.unwrap())
    }

    async fn lay(registry: &Arc<Registry>, game: &str, rules: Value, bots: usize) -> Record {
        let game = parlor_house::game(game).unwrap();
        let bot = SeatEntry::of_bot(None, "random", None);
        let seats = [vec![SeatEntry::open(); 2], vec![bot; bots]].concat();
        let (seed, bot_pace_ms) = (None, Some(60_000));
        let order =
            NewTable { game, rules, seats, seed, unlisted: false, hosted: false, bot_pace_ms };
        registry.create(None, order).await.unwrap()
    }

    /// What stands of these tables once those that nobody touches are closed.
    async fn after_closing(registry: &Arc<Registry>, records: &[Record]) -> Vec<String> {
        tokio::time::sleep(Duration::from_millis(20)).await;
        registry.end_inactive_rooms().await.unwrap();
        let mut found = Vec::new();
        for record in records {
            found.push(registry.store.table(&record.id).await.unwrap().unwrap().status);
        }
        found
    }

    #[tokio::test]
    async fn a_room_that_cannot_be_read_keeps_no_other_from_lapsing() {
        let registry = impatient().await;
        let mut rooms = Vec::new();
        for _ in 0..4 {
            rooms.push(lay(&registry, "binokel", Value::Null, 0).await);
        }
        // One has a record that is no record, another a log that is no game.
        let torn = TableRecord { data: "{".to_owned(), ..rooms[1].stored(now()) };
        registry.store.commit(Batch { table: Some(torn), ..Batch::default() }).await.unwrap();
        let noise = json!({ "eventType": "NOISE", "gameId": rooms[2].id, "sequence": 0,
            "timestamp": 1, "payload": {}, "cause": { "by": "house" }, "v": 1 });
        let append = Append {
            game_id: rooms[2].id.as_str().into(),
            expected: 0,
            envelopes: vec![serde_json::from_value(noise).unwrap()],
        };
        let playing = Record { status: Status::Playing, ..rooms[2].clone() }.stored(now());
        let batch = Batch { append: Some(append), table: Some(playing), ..Batch::default() };
        registry.store.commit(batch).await.unwrap();
        let found = after_closing(&registry, &rooms).await;
        assert_eq!(found, ["terminated", "waiting", "playing", "terminated"]);
    }

    #[tokio::test]
    async fn a_game_without_an_end_lapses_once_its_people_have_left_it_to_the_bots() {
        let registry = impatient().await;
        let mut tables = Vec::new();
        for preset in ["open", "studHi"] {
            let record = lay(&registry, "stud", Value::from(preset), 2).await;
            for name in ["Ann", "Ben"] {
                let token = TokenHash::of(name);
                let sit = |reply| Request::Sit { name: name.to_owned(), token, reply };
                registry.ask(&record.id, sit).await.unwrap();
            }
            registry.ask(&record.id, |reply| Request::Start { who: None, reply }).await.unwrap();
            tables.push(record);
        }
        let found = after_closing(&registry, &tables).await;
        assert_eq!(found, ["terminated", "playing"], "fifty deals have an end");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn all_who_ask_for_a_table_at_once_get_the_same_one() {
        let registry = registry().await;
        let record = new_table(&registry).await;
        let asking: Vec<_> = (0..50)
            .map(|_| {
                let (registry, id) = (Arc::clone(&registry), record.id.clone());
                tokio::spawn(async move { registry.mailbox(&id).await.unwrap() })
            })
            .collect();
        let first = registry.mailbox(&record.id).await.unwrap();
        for asked in asking {
            assert!(first.same_channel(&asked.await.unwrap()));
        }
        let from = Address::of([192, 0, 2, 1].into());
        assert_eq!(registry.table_id(from, &record.code).await.unwrap(), record.id);
    }

    #[tokio::test]
    async fn the_code_of_a_table_that_has_been_over_for_a_while_can_be_drawn_again() {
        let registry = registry().await;
        let old = new_table(&registry).await;
        assert!(!registry.free_code(&old.code).await.unwrap(), "it still waits");
        let end = |reply| Request::CallOff { reason: "over".to_owned(), reply };
        registry.ask(&old.id, end).await.unwrap();
        assert!(!registry.free_code(&old.code).await.unwrap(), "people still look for it");
        let mut stored = registry.store.table(&old.id).await.unwrap().unwrap();
        (stored.version, stored.updated_at) = (stored.version + 1, 1);
        let table = Some(stored);
        registry.store.commit(Batch { table, ..Batch::default() }).await.unwrap();
        assert!(registry.free_code(&old.code).await.unwrap());
        assert!(registry.store.table_by_code(&old.code).await.unwrap().is_none());
        let new = Record { id: "t-new".to_owned(), version: 0, ..old.clone() };
        let table = Some(new.stored(now()));
        registry.store.commit(Batch { table, ..Batch::default() }).await.unwrap();
        registry.table("t-new").await.unwrap();
        // The old one leaves memory, and the code still leads to the new one.
        registry.forget(&old.id, &old.code);
        let from = Address::of([192, 0, 2, 1].into());
        assert_eq!(registry.table_id(from, &old.code).await.unwrap(), "t-new");
        assert_eq!(registry.table_id(from, &old.id).await.unwrap(), old.id);
    }

    #[tokio::test]
    async fn a_table_that_is_not_there_leaves_nothing_in_memory() {
        let registry = registry().await;
        for _ in 0..3 {
            let asked = tokio::join!(registry.table("t-no"), registry.table("t-no"));
            assert!(matches!(asked.0, Err(ApiError::NoSuchTable(_))));
            assert!(matches!(asked.1, Err(ApiError::NoSuchTable(_))));
        }
        // Someone who does not wait for the answer.
        drop(tokio::time::timeout(Duration::ZERO, registry.table("t-no")).await);
        assert!(registry.tables().slots.is_empty());
    }

    #[tokio::test]
    async fn logs_are_folded_beside_the_tables_and_only_so_many_at_once() {
        let registry = registry().await;
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let here = std::thread::current().id();
        let fold = || {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            registry.fold(move || {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(5));
                running.fetch_sub(1, Ordering::SeqCst);
                Ok(std::thread::current().id())
            })
        };
        let cores = folds_at_once();
        let folds = futures_util::future::join_all((0..4 * cores).map(|_| fold()));
        for thread in folds.await {
            assert_ne!(thread.unwrap(), here);
        }
        assert!(most.load(Ordering::SeqCst) <= cores);
    }
}
