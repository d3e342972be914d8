//! Ends a subscription when its stream ends.

use std::sync::Arc;

use crate::limits::WatchingPlace;
use crate::registry::Registry;
use crate::table::Request;

/// Held by a stream. However the stream ends, its table is told.
pub struct SubscriptionGuard {
    registry: Arc<Registry>,
    table: String,
    id: u64,
    /// The place of a stream that only watches.
    _place: Option<WatchingPlace>,
}

impl SubscriptionGuard {
    /// Guards the subscription `id`.
    pub fn new(
        registry: &Arc<Registry>,
        table: &str,
        id: u64,
        place: Option<WatchingPlace>,
    ) -> SubscriptionGuard {
        let registry = Arc::clone(registry);
        SubscriptionGuard { registry, table: table.to_owned(), id, _place: place }
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
