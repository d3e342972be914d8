//! What a game may cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many tokens a game may still take, all seats together.
#[derive(Debug)]
pub struct Budget {
    left: AtomicU64,
}

impl Budget {
    /// So many tokens; none: as many as it takes.
    pub fn new(tokens: Option<u64>) -> Arc<Budget> {
        Arc::new(Budget { left: AtomicU64::new(tokens.unwrap_or(u64::MAX)) })
    }

    /// So many of them are taken.
    pub(crate) fn spend(&self, tokens: u64) {
        // The closure always gives a value, so this cannot fail.
        let less = |left: u64| Some(left.saturating_sub(tokens));
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// Whether none are left.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }
}
