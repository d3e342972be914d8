//! How Koi-Koi is spoken: the two wire contracts, as pure functions of what
//! a viewer sees and knows.
//!
//! `step` reads a step once; `protocol` and `contract` each only shape that
//! reading, and `commands` understands what clients of both send.

mod commands;
mod contract;
mod instant;
mod protocol;
mod schema;
mod standing;
mod step;

use std::sync::Arc;

use parlor_kernel::Dialect;

use crate::KoiKoi;

pub use contract::Contract;
pub use instant::iso8601;
pub use protocol::Protocol;

/// The dialects of Koi-Koi; the first is the one scripts speak.
pub fn dialects() -> Vec<Arc<dyn Dialect<KoiKoi>>> {
    vec![Arc::new(Protocol), Arc::new(Contract)]
}
