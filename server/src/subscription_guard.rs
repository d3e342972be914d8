//! Ends a subscription when its stream ends.

use std::sync::Arc;

use crate::registry::Registry;
use crate::table::Request;

/// Held by a stream. However the stream ends, its table is told.
pub struct SubscriptionGuard {
    registry: Arc<Registry>,
    table: String,
    id: u64,
}

impl SubscriptionGuard {
    /// Guards the subscription `id`.
    pub fn new(registry: &Arc<Registry>, table: &str, id: u64) -> SubscriptionGuard {
        SubscriptionGuard { registry: Arc::clone(registry), table: table.to_owned(), id }
    }
}

impl Drop for SubscriptionGuard {
    fn drop(&mut self) {
        let (registry, table, id) =
            (Arc::clone(&self.registry), std::mem::take(&mut self.table), self.id);
        if registry.stop.is_cancelled() {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(
                async move { drop(registry.send(&table, Request::Unsubscribe { id }).await) },
            );
        }
    }
}
