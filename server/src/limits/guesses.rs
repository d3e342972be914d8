//! Wrong guesses at codes. A code is short enough to be read out to a friend,
//! so how fast it can be guessed is what keeps it.
//!
//! Whoever has guessed wrong too often is told nothing about any code, right
//! or wrong, until the minute is over.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::address::Address;
use super::excess::Excess;
use crate::config::Limits;

/// Guesses are counted anew after this time.
const WINDOW: Duration = Duration::from_secs(60);

/// Counts wrong guesses by address, by network and in all.
pub struct Guesses {
    most: Option<Most>,
    counts: Mutex<Counts>,
}

#[derive(Clone, Copy)]
struct Most {
    by_address: u32,
    by_network: u32,
    in_all: u32,
}

struct Counts {
    since: Instant,
    by_address: HashMap<Address, u32>,
    by_network: HashMap<Address, u32>,
    in_all: u32,
}

impl Guesses {
    /// Within these limits; none: without.
    pub fn new(limits: Option<&Limits>) -> Guesses {
        let most = limits.map(|limits| Most {
            by_address: limits.guesses_per_minute,
            by_network: limits.guesses_per_network_and_minute,
            in_all: limits.guesses_in_all_per_minute,
        });
        let counts = Counts {
            since: Instant::now(),
            by_address: HashMap::new(),
            by_network: HashMap::new(),
            in_all: 0,
        };
        Guesses { most, counts: Mutex::new(counts) }
    }

    /// Counts a guess as wrong before it is looked at, so that many at once
    /// are not more than many in turn.
    pub fn begin(&self, from: Address) -> Result<(), Excess> {
        let Some(most) = self.most else { return Ok(()) };
        let mut counts = self.counts();
        let gone = counts.since.elapsed();
        if gone >= WINDOW {
            counts.since = Instant::now();
            counts.by_address.clear();
            counts.by_network.clear();
            counts.in_all = 0;
        }
        let of = |known: &HashMap<Address, u32>, key| known.get(&key).copied().unwrap_or(0);
        if of(&counts.by_address, from) >= most.by_address
            || of(&counts.by_network, from.network()) >= most.by_network
            || counts.in_all >= most.in_all
        {
            return Err(Excess::Guesses(WINDOW.saturating_sub(gone).as_secs() + 1));
        }
        *counts.by_address.entry(from).or_default() += 1;
        *counts.by_network.entry(from.network()).or_default() += 1;
        counts.in_all += 1;
        Ok(())
    }

    /// It was right after all.
    pub fn was_right(&self, from: Address) {
        if self.most.is_none() {
            return;
        }
        let mut counts = self.counts();
        let less = |count: &mut u32| *count = count.saturating_sub(1);
        counts.by_address.entry(from).and_modify(less);
        counts.by_network.entry(from.network()).and_modify(less);
        counts.in_all = counts.in_all.saturating_sub(1);
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        // Nobody who holds it can panic in the middle of a change.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        Address::of(text.parse().unwrap())
    }

    fn guesses(by_address: u32, by_network: u32, in_all: u32) -> Guesses {
        Guesses::new(Some(&Limits {
            guesses_per_minute: by_address,
            guesses_per_network_and_minute: by_network,
            guesses_in_all_per_minute: in_all,
            ..Limits::default()
        }))
    }

    #[test]
    fn whoever_guesses_wrong_too_often_may_not_guess_at_all_and_others_may() {
        let guesses = guesses(2, 100, 100);
        let (one, other) = (address("192.0.2.1"), address("192.0.2.2"));
        assert!(guesses.begin(one).is_ok() && guesses.begin(one).is_ok());
        assert!(matches!(guesses.begin(one), Err(Excess::Guesses(1..=60))));
        assert!(guesses.begin(other).is_ok());
    }

    #[test]
    fn right_guesses_are_not_counted() {
        let guesses = guesses(1, 1, 1);
        let one = address("192.0.2.1");
        for _ in 0..5 {
            assert!(guesses.begin(one).is_ok());
            guesses.was_right(one);
        }
    }

    #[test]
    fn many_addresses_of_one_network_guess_as_one() {
        let guesses = guesses(2, 3, 100);
        let tried =
            (0..9).filter(|n| guesses.begin(address(&format!("2001:db8:7:{n}::1"))).is_ok());
        assert_eq!(tried.count(), 3);
        assert!(guesses.begin(address("2001:db8:8::1")).is_ok());
    }

    #[test]
    fn all_networks_together_guess_only_so_fast() {
        let guesses = guesses(2, 3, 5);
        let tried = (0..9).filter(|n| guesses.begin(address(&format!("192.0.{n}.1"))).is_ok());
        assert_eq!(tried.count(), 5);
    }

    #[test]
    fn a_minute_later_everyone_may_guess_again() {
        let guesses = guesses(1, 1, 1);
        let one = address("192.0.2.1");
        assert!(guesses.begin(one).is_ok() && guesses.begin(one).is_err());
        guesses.counts().since -= WINDOW;
        assert!(guesses.begin(one).is_ok());
    }
}
