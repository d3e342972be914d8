//! How Koi-Koi is spoken: the two wire contracts, as pure functions of what
//! a viewer sees and knows.
//!
//! `step` reads a step once; `tongue` tells it, for which `protocol` and
//! `contract` only have the words; `commands` understands what clients of
//! both send.

mod commands;
mod contract;
mod instant;
mod protocol;
mod refused;
mod schema;
mod standing;
mod step;
mod tongue;

use std::sync::Arc;

use parlor_kernel::Dialect;

use crate::KoiKoi;
use contract::Contract;
use protocol::Protocol;
use tongue::Spoken;

pub use instant::iso8601;

/// The dialects of Koi-Koi; the first is the one scripts speak.
pub fn dialects() -> Vec<Arc<dyn Dialect<KoiKoi>>> {
    vec![Arc::new(Spoken(Protocol)), Arc::new(Spoken(Contract))]
}
