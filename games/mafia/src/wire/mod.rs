//! How Mafia is written and spoken; `docs/contracts/mafia-events.md` tells it.
//!
//! `records` are the contract's payloads, `names` adds what a reader of one
//! line wants beside them, `snapshot` tells the present as a whole, `commands`
//! understands what clients send, `foreign` completes logs that others have
//! written, and `events` is the dialect.

mod commands;
mod events;
mod foreign;
mod names;
mod records;
mod snapshot;

use std::sync::Arc;

use parlor_kernel::Dialect;

use crate::Mafia;
use events::Events;

pub(crate) use commands::hear;
pub use foreign::complete;

/// The dialects of Mafia; the first is the one scripts speak.
pub fn dialects() -> Vec<Arc<dyn Dialect<Mafia>>> {
    vec![Arc::new(Events)]
}
