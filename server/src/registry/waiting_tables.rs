//! Tables that wait for people: how they are found, met at, and how they lapse
//! when everybody has gone.

use std::sync::Arc;
use std::time::Duration;

use parlor_store::{PAGE, TableRecord};

use super::Registry;
use crate::api_error::ApiError;
use crate::record::{Record, Status};
use crate::table::Request;
use crate::time::now;

/// How often tables are looked for that nobody came back to.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// Which tables are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// Those that anyone may list.
    Listed,
    /// All of them.
    All,
}

impl Registry {
    /// At most `limit` tables that somebody wants, newest first. Those nobody
    /// wants do not count.
    pub async fn find_tables(
        &self,
        among: Among,
        status: Option<Status>,
        limit: usize,
        is_wanted: impl Fn(&Record) -> bool + Send + Sync,
    ) -> Result<Vec<Record>, ApiError> {
        let mut found = Vec::new();
        let size = limit.clamp(PAGE / 10, PAGE);
        let mut last: Option<(u64, String)> = None;
        while found.len() < limit {
            let page = self.page(among, status, last.as_ref(), size).await?;
            let read = page.iter().filter_map(Record::read).filter(&is_wanted);
            found.extend(read.take(limit - found.len()));
            let Some(record) = page.last().filter(|_| page.len() == size) else { break };
            last = Some((record.created_at, record.id.clone()));
        }
        Ok(found)
    }

    async fn page(
        &self,
        among: Among,
        status: Option<Status>,
        last: Option<&(u64, String)>,
        limit: usize,
    ) -> Result<Vec<TableRecord>, ApiError> {
        let before = last.map(|(time, id)| (*time, id.as_str()));
        let status = status.map(Status::name);
        Ok(match among {
            Among::Listed => self.store.listed_tables(status, before, limit).await?,
            Among::All => self.store.tables(status, before, limit).await?,
        })
    }

    /// Whether the lobby shows this table: one that waits is shown while
    /// somebody waits there.
    pub fn is_in_lobby(&self, record: &Record) -> bool {
        record.status != Status::Waiting
            || self.occupancy.within(&record.id, self.config.away_after)
    }

    /// Ends waiting tables that nobody came back to, and lets go of blocks that
    /// are over, from time to time.
    pub fn let_tables_lapse(self: &Arc<Self>) {
        let registry = Arc::clone(self);
        self.spawn(async move {
            let patience = registry.config.lapse_after.max(Duration::from_millis(100));
            let mut round = tokio::time::interval(LOOK_EVERY.min(patience));
            let rounds = async {
                loop {
                    round.tick().await;
                    if let Err(error) = registry.end_deserted().await {
                        tracing::warn!(%error, "could not look for deserted tables");
                    }
                    registry.occupancy.forget_after(patience.max(registry.config.away_after));
                    if let Err(error) = registry.blocks.tidy(&registry.store).await {
                        tracing::warn!(%error, "could not look through the blocked addresses");
                    }
                }
            };
            registry.stop.run_until_cancelled(rounds).await;
        });
    }

    async fn end_deserted(self: &Arc<Self>) -> Result<(), ApiError> {
        let patience = self.config.lapse_after;
        let since = now().saturating_sub(patience.as_millis() as u64);
        // Whoever was there before this server started may come back first.
        if self.started_at > since {
            return Ok(());
        }
        let mut last: Option<(u64, String)> = None;
        loop {
            let page = self.page(Among::All, Some(Status::Waiting), last.as_ref(), PAGE).await?;
            let old = page.iter().filter(|record| record.updated_at < since);
            for record in old.filter_map(Record::read).filter(|record| !record.hosted) {
                if self.occupancy.within(&record.id, patience) {
                    continue;
                }
                // One that cannot be ended does not keep the others.
                let lapse = |reply| Request::Lapse { reply };
                if let Err(error) = self.ask(&record.id, lapse).await {
                    tracing::warn!(table = record.id, %error, "could not end a deserted table");
                }
            }
            let Some(record) = page.last().filter(|_| page.len() == PAGE) else { return Ok(()) };
            last = Some((record.created_at, record.id.clone()));
        }
    }
}
