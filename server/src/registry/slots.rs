//! The tables in memory, and those that are being brought there.

use std::collections::HashMap;
use std::sync::Arc;

use parlor_house::AtTables;
use tokio::sync::OnceCell;

use super::Registry;
use super::panics::Panics;
use crate::table::Mailbox;

/// A table in memory.
#[derive(Clone)]
pub struct OpenTable {
    /// What is played there.
    pub game: &'static dyn AtTables,
    /// Takes requests to it.
    pub mailbox: Mailbox,
}

/// Filled by whoever asks for the table first, while others wait.
pub(super) type Slot = Arc<OnceCell<OpenTable>>;

/// The tables in memory. Locked only to look something up: what has to be read
/// from the store is read into a slot, and holds up nobody who wants another.
#[derive(Default)]
pub(super) struct Tables {
    pub slots: HashMap<String, Slot>,
    /// Their ids, by code.
    pub ids: HashMap<String, String>,
    /// Which of them panicked lately.
    pub panics: Panics,
}

impl Tables {
    pub fn slot(&mut self, id: &str) -> Slot {
        match self.slots.get(id) {
            Some(slot) => Arc::clone(slot),
            None => Arc::clone(self.slots.entry(id.to_owned()).or_default()),
        }
    }
}

/// Someone who waits for a slot to be filled. The last one whose wait was in
/// vain clears it away: there is no such table, or nobody wants it any more.
pub(super) struct Waiting<'a> {
    pub registry: &'a Registry,
    pub id: &'a str,
    pub slot: Slot,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut tables = self.registry.tables();
        // Slots are only cloned under this lock: one clone is here, one there.
        if self.slot.get().is_none() && Arc::strong_count(&self.slot) == 2 {
            tables.slots.remove(self.id);
        }
    }
}
