//! What every open stream owes its table: to say when it ends.

use std::sync::Arc;

use crate::hall::Hall;
use crate::table::Knock;

/// A stream's place at a table. However the stream ends, the table is told.
pub struct Attendance {
    hall: Arc<Hall>,
    table: String,
    id: u64,
}

impl Attendance {
    /// The place of listener `id`.
    pub fn new(hall: &Arc<Hall>, table: &str, id: u64) -> Attendance {
        Attendance { hall: Arc::clone(hall), table: table.to_owned(), id }
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        let (hall, table, id) = (Arc::clone(&self.hall), std::mem::take(&mut self.table), self.id);
        if hall.stop.is_cancelled() {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { drop(hall.send(&table, Knock::Gone { id }).await) });
        }
    }
}
