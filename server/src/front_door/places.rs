//! How many connections there may be, in all and for each address.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::api_error::ApiError;
use crate::limits::Address;

/// The connections that are open.
#[derive(Debug)]
pub struct Places {
    most: usize,
    most_per_address: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    in_all: usize,
    by_address: HashMap<Address, usize>,
}

impl Places {
    /// So many in all, and so many for each address.
    pub fn new(most: usize, most_per_address: usize) -> Arc<Places> {
        Arc::new(Places { most, most_per_address, taken: Mutex::default() })
    }

    /// A place for a connection.
    pub fn enter(self: &Arc<Self>) -> Result<Place, ApiError> {
        let mut taken = self.taken();
        if taken.in_all >= self.most {
            return Err(ApiError::HouseFull);
        }
        taken.in_all += 1;
        metrics::gauge!("parlor_connections").increment(1);
        Ok(Place { places: Arc::clone(self), of: None })
    }

    /// A place among those of an address.
    pub fn enter_as(self: &Arc<Self>, address: Address) -> Result<Place, ApiError> {
        let mut taken = self.taken();
        let own = taken.by_address.entry(address).or_default();
        if *own >= self.most_per_address {
            return Err(ApiError::TooManyConnections(self.most_per_address));
        }
        *own += 1;
        Ok(Place { places: Arc::clone(self), of: Some(address) })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        // Nobody who holds it can panic in the middle of a change.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place that is taken until this is dropped.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    /// Among those of this address; none: among all.
    of: Option<Address>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        let Some(address) = self.of else {
            taken.in_all -= 1;
            metrics::gauge!("parlor_connections").decrement(1);
            return;
        };
        if let Some(own) = taken.by_address.get_mut(&address) {
            *own -= 1;
            if *own == 0 {
                taken.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        Address::of(text.parse().unwrap())
    }

    #[test]
    fn a_place_is_free_again_once_it_is_left() {
        let places = Places::new(1, 9);
        let first = places.enter().unwrap();
        assert!(matches!(places.enter(), Err(ApiError::HouseFull)));
        drop(first);
        places.enter().unwrap();
    }

    #[test]
    fn one_address_leaves_room_for_another_and_is_forgotten_when_it_has_gone() {
        let places = Places::new(9, 2);
        let own: Vec<_> =
            (0..2).map(|_| places.enter_as(address("2001:db8::1")).unwrap()).collect();
        let refused = places.enter_as(address("2001:db8::2"));
        assert!(matches!(refused, Err(ApiError::TooManyConnections(2))), "the same /64");
        places.enter_as(address("2001:db8:0:1::1")).unwrap();
        drop(own);
        assert!(places.taken().by_address.is_empty());
    }
}
