//! What each address has under way here, and how much it has written today.
//!
//! Accounts live as long as the server: addresses are nowhere written down. A
//! restart forgets whose tables the old ones are; they go on, and count for
//! nobody.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::address::Address;
use super::excess::Excess;
use crate::config::Limits;
use crate::time::now;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
const MEGABYTE: u64 = 1_000_000;

/// With more accounts than this, those that matter little are forgotten.
const MANY: usize = 10_000;
/// An account that has written less today matters little.
const LITTLE: u64 = 64 * 1024;

/// Something that is counted anew each day (in UTC).
#[derive(Debug, Default)]
struct DayCount {
    day: AtomicU64,
    count: AtomicU64,
}

impl DayCount {
    fn today(&self) -> u64 {
        match self.day.load(Ordering::Relaxed) == now() / DAY_MS {
            true => self.count.load(Ordering::Relaxed),
            false => 0,
        }
    }

    fn add(&self, more: u64) {
        let today = now() / DAY_MS;
        // Whoever counts at midnight may lose a few; nobody minds.
        if self.day.swap(today, Ordering::Relaxed) != today {
            self.count.store(0, Ordering::Relaxed);
        }
        self.count.fetch_add(more, Ordering::Relaxed);
    }
}

fn seconds_to_midnight() -> u64 {
    (DAY_MS - now() % DAY_MS) / 1000 + 1
}

/// What one address has under way. The counts change under the lock of all
/// accounts; what is written is counted without it, with every step.
#[derive(Debug, Default)]
pub struct Account {
    tables: AtomicU32,
    self_playing: AtomicU32,
    watching: AtomicU32,
    replays: AtomicU32,
    bytes: DayCount,
    agents: DayCount,
}

impl Account {
    fn matters(&self) -> bool {
        self.bytes.today() >= LITTLE || self.agents.today() > 0
    }
}

/// A live table: whose it is, and whether it plays by itself.
struct LiveTable {
    owner: Arc<Account>,
    is_self_playing: bool,
}

#[derive(Default)]
struct State {
    by_address: HashMap<Address, Arc<Account>>,
    tables: HashMap<String, LiveTable>,
    /// Live tables, with those that are being opened.
    open: u32,
    self_playing: u32,
}

impl State {
    fn account(&mut self, from: Address) -> Arc<Account> {
        if self.by_address.len() > MANY {
            // Whatever has a table, a stream or a place is held elsewhere too.
            self.by_address
                .retain(|_, account| Arc::strong_count(account) > 1 || account.matters());
        }
        Arc::clone(self.by_address.entry(from).or_default())
    }

    fn close(&mut self, table: &LiveTable) {
        table.owner.tables.fetch_sub(1, Ordering::Relaxed);
        self.open = self.open.saturating_sub(1);
        if table.is_self_playing {
            table.owner.self_playing.fetch_sub(1, Ordering::Relaxed);
            self.self_playing = self.self_playing.saturating_sub(1);
        }
    }
}

/// The accounts of all addresses.
pub struct Accounts {
    limits: Option<Limits>,
    bytes: DayCount,
    replays: Arc<AtomicU32>,
    state: Mutex<State>,
}

/// A table that is being opened; given back unless it is kept.
pub struct TablePlace<'a> {
    accounts: &'a Accounts,
    table: Option<LiveTable>,
}

impl TablePlace<'_> {
    /// The table is open under this id.
    pub fn keep(mut self, id: &str) {
        if let Some(table) = self.table.take() {
            self.accounts.state().tables.insert(id.to_owned(), table);
        }
    }
}

impl Drop for TablePlace<'_> {
    fn drop(&mut self) {
        if let Some(table) = self.table.take() {
            self.accounts.state().close(&table);
        }
    }
}

/// A stream that someone without a seat watches.
#[derive(Debug)]
pub struct WatchingPlace(Arc<Account>);

impl Drop for WatchingPlace {
    fn drop(&mut self) {
        self.0.watching.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A log that someone brings along, while it is in memory.
#[derive(Debug)]
pub struct ReplayPlace {
    account: Arc<Account>,
    in_all: Arc<AtomicU32>,
}

impl Drop for ReplayPlace {
    fn drop(&mut self) {
        self.account.replays.fetch_sub(1, Ordering::Relaxed);
        self.in_all.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Accounts {
    /// Within these limits; none: nothing is counted.
    pub fn new(limits: Option<&Limits>) -> Accounts {
        Accounts {
            limits: limits.cloned(),
            bytes: DayCount::default(),
            replays: Arc::default(),
            state: Mutex::default(),
        }
    }

    /// May this address open another table? `None` may always: the admin.
    pub fn open_table(
        &self,
        from: Option<Address>,
        is_self_playing: bool,
    ) -> Result<TablePlace<'_>, Excess> {
        let (Some(limits), Some(from)) = (&self.limits, from) else {
            return Ok(TablePlace { accounts: self, table: None });
        };
        let mut state = self.state();
        let owner = state.account(from);
        let most = limits.live_tables_per_address;
        if owner.tables.load(Ordering::Relaxed) >= most {
            return Err(Excess::Tables(most));
        }
        if state.open >= limits.live_tables {
            return Err(Excess::TablesInAll);
        }
        if is_self_playing {
            let most = limits.self_playing_per_address;
            if owner.self_playing.load(Ordering::Relaxed) >= most {
                return Err(Excess::SelfPlaying(most));
            }
            if state.self_playing >= limits.self_playing {
                return Err(Excess::SelfPlayingInAll);
            }
        }
        if let Some(spent) = self.spent(limits, &owner) {
            return Err(spent);
        }
        owner.tables.fetch_add(1, Ordering::Relaxed);
        state.open += 1;
        if is_self_playing {
            owner.self_playing.fetch_add(1, Ordering::Relaxed);
            state.self_playing += 1;
        }
        Ok(TablePlace { accounts: self, table: Some(LiveTable { owner, is_self_playing }) })
    }

    /// A table is over.
    pub fn over(&self, id: &str) {
        if self.limits.is_none() {
            return;
        }
        let mut state = self.state();
        if let Some(table) = state.tables.remove(id) {
            state.close(&table);
        }
    }

    /// Whose table this is, as far as that is known.
    pub fn owner(&self, id: &str) -> Option<Arc<Account>> {
        self.limits.as_ref()?;
        self.state().tables.get(id).map(|table| Arc::clone(&table.owner))
    }

    /// So much was written for a table of this account.
    pub fn charge(&self, owner: Option<&Account>, bytes: usize) {
        if self.limits.is_some() {
            self.bytes.add(bytes as u64);
            if let Some(owner) = owner {
                owner.bytes.add(bytes as u64);
            }
        }
    }

    /// Whether this account, or all, have written as much as they may today.
    pub fn is_spent(&self, owner: Option<&Account>) -> bool {
        let Some(limits) = &self.limits else { return false };
        let none = Account::default();
        self.spent(limits, owner.unwrap_or(&none)).is_some()
    }

    fn spent(&self, limits: &Limits, owner: &Account) -> Option<Excess> {
        let megabytes = |count: u32| u64::from(count) * MEGABYTE;
        if owner.bytes.today() >= megabytes(limits.megabytes_per_address_and_day) {
            Some(Excess::Bytes(seconds_to_midnight()))
        } else if self.bytes.today() >= megabytes(limits.megabytes_per_day) {
            Some(Excess::BytesInAll(seconds_to_midnight()))
        } else {
            None
        }
    }

    /// May this address watch another stream?
    pub fn watch(&self, from: Address) -> Result<Option<WatchingPlace>, Excess> {
        let Some(limits) = &self.limits else { return Ok(None) };
        let account = self.state().account(from);
        let most = limits.watching_per_address;
        if account.watching.fetch_add(1, Ordering::Relaxed) >= most {
            account.watching.fetch_sub(1, Ordering::Relaxed);
            return Err(Excess::Watching(most));
        }
        Ok(Some(WatchingPlace(account)))
    }

    /// May this address bring another log along?
    pub fn bring_replay(&self, from: Address) -> Result<Option<ReplayPlace>, Excess> {
        let Some(limits) = &self.limits else { return Ok(None) };
        let account = self.state().account(from);
        let own = account.replays.fetch_add(1, Ordering::Relaxed);
        let in_all = self.replays.fetch_add(1, Ordering::Relaxed);
        // Given back however this ends.
        let place = ReplayPlace { account, in_all: Arc::clone(&self.replays) };
        if own >= limits.replays_per_address {
            return Err(Excess::Folds);
        }
        if in_all >= limits.replays {
            return Err(Excess::FoldsInAll);
        }
        Ok(Some(place))
    }

    /// May this address seat so many language models more today? Counted also
    /// where limits are off: they cost money.
    pub fn seat_agents(&self, from: Address, count: u64, most: u32) -> Result<(), Excess> {
        let mut state = self.state();
        let account = state.account(from);
        if account.agents.today() + count > u64::from(most) {
            return Err(Excess::Agents(most, seconds_to_midnight()));
        }
        account.agents.add(count);
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nobody who holds it can panic in the middle of a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(last: u8) -> Address {
        Address::of([192, 0, 2, last].into())
    }

    fn accounts(change: impl FnOnce(&mut Limits)) -> Accounts {
        let mut limits = Limits::default();
        change(&mut limits);
        Accounts::new(Some(&limits))
    }

    fn open(accounts: &Accounts, of: u8, id: &str, is_self_playing: bool) -> Result<(), Excess> {
        accounts.open_table(Some(from(of)), is_self_playing).map(|place| place.keep(id))
    }

    #[test]
    fn an_address_has_only_so_many_tables_until_one_is_over() {
        let accounts = accounts(|limits| limits.live_tables_per_address = 2);
        open(&accounts, 1, "a", false).unwrap();
        open(&accounts, 1, "b", false).unwrap();
        assert_eq!(open(&accounts, 1, "c", false), Err(Excess::Tables(2)));
        open(&accounts, 2, "d", false).unwrap();
        accounts.over("a");
        accounts.over("a");
        open(&accounts, 1, "e", false).unwrap();
        assert_eq!(open(&accounts, 1, "f", false), Err(Excess::Tables(2)));
    }

    #[test]
    fn all_addresses_together_have_only_so_many_tables() {
        let accounts = accounts(|limits| limits.live_tables = 2);
        open(&accounts, 1, "a", false).unwrap();
        open(&accounts, 2, "b", false).unwrap();
        assert_eq!(open(&accounts, 3, "c", false), Err(Excess::TablesInAll));
        accounts.over("a");
        open(&accounts, 3, "c", false).unwrap();
    }

    #[test]
    fn a_table_that_could_not_be_opened_does_not_count() {
        let accounts = accounts(|limits| limits.live_tables_per_address = 1);
        drop(accounts.open_table(Some(from(1)), true).unwrap());
        open(&accounts, 1, "a", true).unwrap();
    }

    #[test]
    fn tables_that_play_by_themselves_are_counted_apart() {
        let accounts = accounts(|limits| {
            limits.self_playing_per_address = 1;
            limits.self_playing = 2;
        });
        open(&accounts, 1, "a", true).unwrap();
        assert_eq!(open(&accounts, 1, "b", true), Err(Excess::SelfPlaying(1)));
        open(&accounts, 1, "b", false).unwrap();
        open(&accounts, 2, "c", true).unwrap();
        assert_eq!(open(&accounts, 3, "d", true), Err(Excess::SelfPlayingInAll));
        accounts.over("a");
        open(&accounts, 3, "d", true).unwrap();
    }

    #[test]
    fn whoever_has_written_enough_opens_no_table_until_tomorrow() {
        let accounts = accounts(|limits| {
            limits.megabytes_per_address_and_day = 1;
            limits.megabytes_per_day = 3;
        });
        open(&accounts, 1, "a", false).unwrap();
        let owner = accounts.owner("a").unwrap();
        accounts.charge(Some(&owner), 1_000_000);
        assert!(accounts.is_spent(Some(&owner)) && !accounts.is_spent(None));
        assert!(matches!(open(&accounts, 1, "b", false), Err(Excess::Bytes(1..=86_401))));
        open(&accounts, 2, "c", false).unwrap();
        owner.bytes.day.fetch_sub(1, Ordering::Relaxed);
        open(&accounts, 1, "d", false).unwrap();
        accounts.charge(None, 2_000_000);
        assert!(matches!(open(&accounts, 3, "e", false), Err(Excess::BytesInAll(_))));
    }

    #[test]
    fn the_admin_is_not_counted() {
        let accounts = accounts(|limits| limits.live_tables = 0);
        accounts.open_table(None, true).unwrap().keep("a");
        assert!(accounts.owner("a").is_none());
    }

    #[test]
    fn an_address_watches_only_so_many_streams() {
        let accounts = accounts(|limits| limits.watching_per_address = 1);
        let place = accounts.watch(from(1)).unwrap();
        assert_eq!(accounts.watch(from(1)).unwrap_err(), Excess::Watching(1));
        accounts.watch(from(2)).unwrap();
        drop(place);
        accounts.watch(from(1)).unwrap();
    }

    #[test]
    fn only_so_many_logs_are_brought_along_at_once() {
        let accounts = accounts(|limits| (limits.replays_per_address, limits.replays) = (1, 2));
        let places =
            [accounts.bring_replay(from(1)).unwrap(), accounts.bring_replay(from(2)).unwrap()];
        assert_eq!(accounts.bring_replay(from(1)).unwrap_err(), Excess::Folds);
        assert_eq!(accounts.bring_replay(from(3)).unwrap_err(), Excess::FoldsInAll);
        drop(places);
        accounts.bring_replay(from(1)).unwrap();
    }

    #[test]
    fn language_models_are_counted_by_address_and_day() {
        let accounts = Accounts::new(None);
        accounts.seat_agents(from(1), 2, 3).unwrap();
        assert!(matches!(accounts.seat_agents(from(1), 2, 3), Err(Excess::Agents(3, _))));
        accounts.seat_agents(from(1), 1, 3).unwrap();
        accounts.seat_agents(from(2), 3, 3).unwrap();
    }

    #[test]
    fn addresses_that_did_little_are_forgotten() {
        let accounts = accounts(|_| {});
        open(&accounts, 1, "a", false).unwrap();
        for nth in 0..=MANY as u32 {
            let address = Address::of(std::net::Ipv4Addr::from_bits(nth).into());
            drop(accounts.open_table(Some(address), false).unwrap());
        }
        open(&accounts, 2, "b", false).unwrap();
        // Those that are left came after the others were forgotten.
        assert!(accounts.state().by_address.len() < 5);
    }
}
