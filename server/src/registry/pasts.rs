//! How a stream begins: its table takes it in, and what came before is read
//! from the log beside the table, which goes on meanwhile.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use parlor_kernel::Viewer;
use tokio::sync::OnceCell;

use super::Registry;
use crate::api_error::ApiError;
use crate::limits::{Address, FoldFor};
use crate::record::Record;
use crate::subscription_guard::SubscriptionGuard;
use crate::table::{Credential, First, Frame, Request, Subscribed, Subscription, frames};

/// How many pasts are kept for others who ask for the same.
const KEPT: usize = 16;
/// A longer past is not kept.
const LONGEST_KEPT: usize = 2 << 20;

/// What a stream is to be told before what happens now.
#[derive(Clone)]
pub struct Past {
    /// The table's record was of this version when the stream began.
    pub version: u64,
    /// Whose stream it is.
    pub viewer: Viewer,
    /// In which dialect.
    pub dialect: &'static str,
    /// It has everything up to this position.
    pub after: u64,
    /// How long the log was when the stream began.
    pub events: u64,
}

/// A stream of a table as transports get it.
pub struct OpenStream {
    /// Tells this subscriber from others at the table.
    pub id: u64,
    /// Whose stream it is.
    pub viewer: Viewer,
    /// What comes first: the past asked for, or a snapshot.
    pub backlog: Vec<Frame>,
    /// What comes then, as it happens.
    pub subscription: Subscription,
    /// Ends it.
    pub guard: SubscriptionGuard,
}

/// What the public was told of a table up to some event, in a dialect.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    table: String,
    dialect: &'static str,
    events: u64,
    /// A name that was erased since makes it another past.
    version: u64,
}

type Told = Arc<OnceCell<Vec<Frame>>>;

/// The last pasts that the public asked for. What many ask for at once is
/// folded once.
#[derive(Default)]
pub struct Pasts(Mutex<VecDeque<(Key, Told)>>);

impl Pasts {
    fn of(&self, key: Key) -> Told {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, told)) = kept.iter().find(|(known, _)| *known == key) {
            return Arc::clone(told);
        }
        if kept.len() == KEPT {
            kept.pop_front();
        }
        let told = Told::default();
        kept.push_back((key, Arc::clone(&told)));
        told
    }

    fn forget(&self, told: &Told) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(_, known)| !Arc::ptr_eq(known, told));
    }
}

impl Registry {
    /// Opens a stream of a table, from a position on or with a snapshot.
    pub async fn subscribe(
        self: &Arc<Self>,
        from: Address,
        table: &str,
        who: Credential,
        dialect: &'static str,
        after: Option<u64>,
        remarks: bool,
    ) -> Result<OpenStream, ApiError> {
        let place = match who {
            Credential::Nobody => self.accounts.watch(from)?,
            _ => None,
        };
        let request = |reply| Request::Subscribe { who, from, dialect, after, remarks, reply };
        let subscribed = self.ask(table, request).await?;
        let Subscribed { id, viewer, first, subscription } = subscribed;
        let guard = SubscriptionGuard::new(self, table, id, place);
        let backlog = self.read_first(from, table, first).await?;
        Ok(OpenStream { id, viewer, backlog, subscription, guard })
    }

    /// What someone at a table has missed.
    pub async fn missed(
        self: &Arc<Self>,
        from: Address,
        table: &str,
        who: Credential,
        dialect: &'static str,
        after: u64,
    ) -> Result<Vec<Frame>, ApiError> {
        let request = |reply| Request::Missed { who, dialect, after, reply };
        let first = self.ask(table, request).await?;
        self.read_first(from, table, first).await
    }

    async fn read_first(
        &self,
        from: Address,
        table: &str,
        first: First,
    ) -> Result<Vec<Frame>, ApiError> {
        match first {
            First::Told(frames) => Ok(frames),
            First::ToRead(past) if past.viewer == Viewer::Public && past.after == 0 => {
                let Past { dialect, events, version, .. } = past;
                let key = Key { table: table.to_owned(), dialect, events, version };
                let told = self.pasts.of(key);
                let frames = told
                    .get_or_try_init(|| self.read_past(FoldFor::Stranger(from), table, past))
                    .await?
                    .clone();
                if frames.iter().map(|frame| frame.text.len()).sum::<usize>() > LONGEST_KEPT {
                    self.pasts.forget(&told);
                }
                Ok(frames)
            }
            First::ToRead(past) => {
                let whom = match past.viewer {
                    Viewer::Public | Viewer::Postmortem => FoldFor::Stranger(from),
                    Viewer::Seat(_) | Viewer::Admin => FoldFor::Player(from),
                };
                self.read_past(whom, table, past).await
            }
        }
    }

    async fn read_past(
        &self,
        whom: FoldFor,
        table: &str,
        past: Past,
    ) -> Result<Vec<Frame>, ApiError> {
        let place = self.fold_place(whom).await?;
        let mut log = self.store.log(table, 0).await?;
        // Read now and not when the stream began: a name may have been erased
        // while it waited.
        let stored = self.store.table(table).await?;
        let record = stored.as_ref().and_then(Record::read);
        let record = record.ok_or_else(|| ApiError::NoSuchTable(table.to_owned()))?;
        self.fold_in(place, move || {
            log.truncate(past.events as usize);
            let log = record.told_log(log)?;
            let told = record.game.tell_after(&log, past.viewer, past.dialect, past.after)?;
            Ok(frames(told.first, told.messages))
        })
        .await
    }
}
