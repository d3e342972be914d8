//! Who is folded a log for, and when. To fold a whole log takes a thread of its
//! own for a while, so only so many are folded at once: those that tables wait
//! for first, then those of players, then strangers'. Within each kind every
//! address has its turn, however much another one asks for.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::address::Address;
use super::excess::Excess;
use crate::config::Limits;

/// For whom a log is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldFor {
    /// A table that cannot go on without it.
    Table,
    /// A player, or the admin.
    Player(Address),
    /// Anyone else.
    Stranger(Address),
}

/// A place to fold in; it is free again when this is dropped.
pub struct FoldPlace {
    folds: Arc<Folds>,
    is_for_stranger: bool,
}

impl Drop for FoldPlace {
    fn drop(&mut self) {
        self.folds.free(self.is_for_stranger);
    }
}

/// Those who wait, each address in its turn.
#[derive(Default)]
struct Turns {
    waiting: VecDeque<(Address, VecDeque<oneshot::Sender<FoldPlace>>)>,
    count: usize,
}

impl Turns {
    fn of(&self, from: Address) -> usize {
        let own = self.waiting.iter().find(|(address, _)| *address == from);
        own.map_or(0, |(_, own)| own.len())
    }

    fn push(&mut self, from: Address, one: oneshot::Sender<FoldPlace>) {
        self.count += 1;
        match self.waiting.iter_mut().find(|(address, _)| *address == from) {
            Some((_, own)) => own.push_back(one),
            None => self.waiting.push_back((from, VecDeque::from([one]))),
        }
    }

    /// The next one, whose address goes to the end of the queue.
    fn pop(&mut self) -> Option<oneshot::Sender<FoldPlace>> {
        let (address, mut own) = self.waiting.pop_front()?;
        let one = own.pop_front();
        if !own.is_empty() {
            self.waiting.push_back((address, own));
        }
        self.count = self.count.saturating_sub(1);
        one
    }

    /// Leaves out those who do not wait any more.
    fn prune(&mut self) {
        for (_, own) in &mut self.waiting {
            own.retain(|one| !one.is_closed());
        }
        self.waiting.retain(|(_, own)| !own.is_empty());
        self.count = self.waiting.iter().map(|(_, own)| own.len()).sum();
    }
}

#[derive(Default)]
struct Queue {
    running: usize,
    running_for_strangers: usize,
    tables: VecDeque<oneshot::Sender<FoldPlace>>,
    players: Turns,
    strangers: Turns,
}

/// All folds under way, and those who wait for one.
pub struct Folds {
    at_once: usize,
    at_once_for_strangers: usize,
    most_by_address: usize,
    most_in_all: usize,
    queue: Mutex<Queue>,
}

impl Folds {
    /// As many folds at once as there are cores, and half as many beside them
    /// for strangers.
    pub fn new(limits: Option<&Limits>) -> Arc<Folds> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Folds::with(cores, (cores / 2).max(1), limits)
    }

    fn with(at_once: usize, at_once_for_strangers: usize, limits: Option<&Limits>) -> Arc<Folds> {
        let most = |of: fn(&Limits) -> u32| limits.map_or(usize::MAX, |limits| of(limits) as usize);
        Arc::new(Folds {
            at_once,
            at_once_for_strangers,
            most_by_address: most(|limits| limits.folds_waiting_per_address),
            most_in_all: most(|limits| limits.folds_waiting),
            queue: Mutex::default(),
        })
    }

    /// Waits for a place, unless too many wait already.
    pub async fn place(self: &Arc<Self>, whom: FoldFor) -> Result<FoldPlace, Excess> {
        let waiting = {
            let (sender, waiting) = oneshot::channel();
            let mut queue = self.queue();
            match whom {
                FoldFor::Table => queue.tables.push_back(sender),
                FoldFor::Player(from) => self.line_up(&mut queue.players, from, sender)?,
                FoldFor::Stranger(from) => self.line_up(&mut queue.strangers, from, sender)?,
            }
            waiting
        };
        self.go_on();
        // Nobody closes the queue.
        waiting.await.map_err(|_| Excess::FoldsInAll)
    }

    fn line_up(
        &self,
        turns: &mut Turns,
        from: Address,
        one: oneshot::Sender<FoldPlace>,
    ) -> Result<(), Excess> {
        if turns.count >= self.most_in_all || turns.of(from) >= self.most_by_address {
            turns.prune();
        }
        if turns.of(from) >= self.most_by_address {
            return Err(Excess::Folds);
        }
        if turns.count >= self.most_in_all {
            return Err(Excess::FoldsInAll);
        }
        turns.push(from, one);
        Ok(())
    }

    /// Gives out the places that are free.
    fn go_on(self: &Arc<Self>) {
        while let Some((one, is_for_stranger)) = self.next() {
            // Who waits no longer drops the place, and the next one has it.
            drop(one.send(FoldPlace { folds: Arc::clone(self), is_for_stranger }));
        }
    }

    fn next(&self) -> Option<(oneshot::Sender<FoldPlace>, bool)> {
        let mut queue = self.queue();
        if queue.running < self.at_once
            && let Some(one) = queue.tables.pop_front().or_else(|| queue.players.pop())
        {
            queue.running += 1;
            return Some((one, false));
        }
        let is_busy = !queue.tables.is_empty() || queue.players.count > 0;
        if !is_busy && queue.running_for_strangers < self.at_once_for_strangers {
            let one = queue.strangers.pop()?;
            queue.running_for_strangers += 1;
            return Some((one, true));
        }
        None
    }

    fn free(self: &Arc<Self>, is_for_stranger: bool) {
        let mut queue = self.queue();
        match is_for_stranger {
            true => queue.running_for_strangers = queue.running_for_strangers.saturating_sub(1),
            false => queue.running = queue.running.saturating_sub(1),
        }
        drop(queue);
        self.go_on();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nobody who holds it can panic in the middle of a change.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(last: u8) -> Address {
        Address::of([192, 0, 2, last].into())
    }

    fn limits(by_address: u32, in_all: u32) -> Limits {
        let mut limits = Limits::default();
        (limits.folds_waiting_per_address, limits.folds_waiting) = (by_address, in_all);
        limits
    }

    /// Lines up in this order and says in which order places are given out.
    async fn order<T>(folds: &Arc<Folds>, held: T, those: &[(FoldFor, char)]) -> String {
        let (said, mut order) = tokio::sync::mpsc::unbounded_channel();
        for (whom, name) in those.iter().copied() {
            let (folds, said) = (Arc::clone(folds), said.clone());
            tokio::spawn(async move {
                let place = folds.place(whom).await.unwrap();
                said.send(name).unwrap();
                tokio::task::yield_now().await;
                drop(place);
            });
            tokio::task::yield_now().await;
        }
        drop((said, held));
        let mut names = String::new();
        while let Some(name) = order.recv().await {
            names.push(name);
        }
        names
    }

    #[tokio::test]
    async fn every_address_has_its_turn() {
        let folds = Folds::with(1, 1, Some(&limits(9, 99)));
        let held = folds.place(FoldFor::Stranger(from(9))).await.unwrap();
        let [a, b] = [1, 2].map(|last| FoldFor::Stranger(from(last)));
        let those = [(a, 'a'), (a, 'b'), (a, 'c'), (b, 'X'), (b, 'Y')];
        assert_eq!(order(&folds, held, &those).await, "aXbYc");
    }

    #[tokio::test]
    async fn tables_come_before_players_and_players_before_strangers() {
        let folds = Folds::with(1, 1, None);
        let held = folds.place(FoldFor::Table).await.unwrap();
        let those = [
            (FoldFor::Stranger(from(1)), 's'),
            (FoldFor::Player(from(1)), 'p'),
            (FoldFor::Table, 't'),
        ];
        // A stranger has a place of their own while nobody else waits.
        assert_eq!(order(&folds, held, &those).await, "stp");
        let table = folds.place(FoldFor::Table).await.unwrap();
        let stranger = folds.place(FoldFor::Stranger(from(3))).await.unwrap();
        assert_eq!(order(&folds, (table, stranger), &those).await, "tps");
    }

    #[tokio::test]
    async fn only_so_many_wait_of_one_address_and_in_all() {
        let folds = Folds::with(1, 1, Some(&limits(2, 3)));
        let _held = folds.place(FoldFor::Stranger(from(1))).await.unwrap();
        let line_up = |last| {
            let folds = Arc::clone(&folds);
            tokio::spawn(
                async move { folds.place(FoldFor::Stranger(from(last))).await.map(|_| ()) },
            )
        };
        let waiting = [line_up(1), line_up(1), line_up(2)];
        tokio::task::yield_now().await;
        assert_eq!(line_up(1).await.unwrap(), Err(Excess::Folds));
        assert_eq!(line_up(3).await.unwrap(), Err(Excess::FoldsInAll));
        // Who goes away makes room.
        waiting[0].abort();
        tokio::task::yield_now().await;
        let again = line_up(3);
        tokio::task::yield_now().await;
        assert!(!again.is_finished());
    }

    #[tokio::test]
    async fn a_place_that_nobody_takes_goes_to_the_next() {
        let folds = Folds::with(1, 1, None);
        let held = folds.place(FoldFor::Table).await.unwrap();
        let gone = tokio::spawn({
            let folds = Arc::clone(&folds);
            async move { folds.place(FoldFor::Table).await.map(|_| ()) }
        });
        tokio::task::yield_now().await;
        gone.abort();
        assert!(gone.await.is_err());
        drop(held);
        folds.place(FoldFor::Table).await.unwrap();
    }
}
