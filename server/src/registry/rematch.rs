//! The table of a rematch, as the table before it asks for it.

use std::sync::Arc;

use parlor_kernel::Seat;
use parlor_store::{Batch, StoreError};

use super::Registry;
use super::new_table::code_for;
use crate::api_error::ApiError;
use crate::limits::Address;
use crate::record::{NextTable, Record, SeatEntry, Status};
use crate::secrets::new_table_id;
use crate::table::Request;
use crate::time::now;

impl Registry {
    /// Creates a table for the same people to play again. A seat whose player
    /// was removed is anybody's. It counts as a table of whoever offers it.
    pub async fn create_rematch(
        self: &Arc<Self>,
        from: Address,
        before: &Record,
    ) -> Result<NextTable, ApiError> {
        let empty = |seat: &SeatEntry| match seat.removed {
            true => SeatEntry::open(),
            false => SeatEntry { token: None, came: false, erased: false, ..seat.clone() },
        };
        let mut next = before.clone();
        next.seats = before.seats.iter().map(empty).collect();
        (next.id, next.code) = (new_table_id(), code_for(next.hosted));
        (next.status, next.rematch, next.created_at) = (Status::Waiting, None, now());
        (next.version, next.stepping, next.ended) = (0, false, None);
        next.unbounded = false;
        let place = self.accounts.open_table(Some(from), next.plays_itself())?;
        loop {
            let table = Some(next.stored(now()));
            match self.store.commit(Batch { table, ..Batch::default() }).await {
                Ok(()) => break,
                Err(StoreError::CodeTaken(_)) => next.code = code_for(next.hosted),
                Err(error) => return Err(error.into()),
            }
        }
        place.keep(&next.id);
        self.occupancy.note(&next.id, false);
        let (agreed, declined) = (Vec::new(), None);
        Ok(NextTable { table_id: next.id, code: next.code, agreed, declined })
    }

    /// Seats a player of the match before, with the token they have. Boxed,
    /// because one table's task asks another table here.
    pub async fn sit_again(
        self: &Arc<Self>,
        table: &str,
        seat: Seat,
        token: &str,
        name: &str,
    ) -> Result<(), ApiError> {
        let request = |reply| {
            let (token, name) = (token.to_owned(), name.to_owned());
            Request::SitAgain { seat, token, name, reply }
        };
        Box::pin(self.ask(table, request)).await
    }

    /// Ends the table of a rematch that somebody does not want.
    pub async fn call_off_rematch(
        self: &Arc<Self>,
        table: &str,
        reason: &str,
    ) -> Result<(), ApiError> {
        let call_off = |reply| Request::CallOffWaiting { reason: reason.to_owned(), reply };
        Box::pin(self.ask(table, call_off)).await
    }
}
