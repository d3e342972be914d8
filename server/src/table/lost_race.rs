//! Another server on the same store was first: what it wrote is read and told,
//! and whatever was to be done is decided again.

use parlor_house::Playing;

use super::agent_turns::AgentTurns;
use super::due::DueNote;
use super::task::Table;
use crate::api_error::ApiError;
use crate::record::{Record, Status};

/// A lost race is decided again on the newer state this often.
pub(super) const TRIES: usize = 3;

impl Table {
    /// Someone else has written this game's log or changed its entry: reads
    /// both again and tells everybody what they missed.
    pub(super) async fn catch_up(&mut self) -> Result<(), ApiError> {
        let waited = self.record.status == Status::Waiting;
        let record = self.registry.store.table(&self.record.id).await?;
        if let Some(record) = record.as_ref().and_then(Record::read) {
            self.pace.shown.resize(record.seats.len(), None);
            self.arriving.resize(record.seats.len(), None);
            self.due = DueNote::new(record.status);
            self.record = record;
            self.note_over();
        }
        let views = self.subscribers.views();
        let stood = |play: &dyn Playing| -> Vec<u64> {
            views
                .iter()
                .map(|(viewer, dialect)| play.position_of(*viewer, dialect).unwrap_or(0))
                .collect()
        };
        let positions = self.play.as_deref().map(stood).unwrap_or_default();
        self.play = None;
        self.agent_turns = AgentTurns::default();
        if self.registry.store.position(&self.record.id).await? == 0 {
            return Ok(());
        }
        // Whoever waited for the game to begin has missed all of it.
        let all = std::iter::repeat_n(0, if waited { views.len() } else { 0 });
        let positions = positions.into_iter().chain(all);
        for ((viewer, dialect), after) in views.iter().zip(positions) {
            let backlog = self.follow_from(*viewer, dialect, after).await?;
            self.subscribers.catch_up(*viewer, dialect, backlog);
        }
        Ok(())
    }
}
