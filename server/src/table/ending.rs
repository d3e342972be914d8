//! A table that is over before its time.

use parlor_kernel::{CalledOff, Order, Viewer};

use super::request::Credential;
use super::subscribers::Termination;
use super::task::Table;
use crate::api_error::ApiError;
use crate::record::Status;
use crate::time::now;

/// Why a table is ended at which nothing happens any more.
const INACTIVITY: &str = "inactivity";

impl Table {
    /// Ends the game at the wish of the admin or the host.
    pub(super) async fn end(
        &mut self,
        who: Credential,
        reason: Option<String>,
    ) -> Result<(), ApiError> {
        self.check_may_control(who)?;
        let by = if self.viewer(who)? == Viewer::Admin { "admin" } else { "host" };
        self.call_off(reason.unwrap_or_else(|| by.to_owned())).await
    }

    /// Ends the game, or a table that still waits.
    pub(super) async fn call_off(&mut self, reason: String) -> Result<(), ApiError> {
        match self.record.status {
            Status::Waiting => {
                self.change(|record| match record.status {
                    Status::Waiting => {
                        record.status = Status::Terminated;
                        Ok(())
                    }
                    // It has begun, or ended, elsewhere.
                    Status::Playing => Err(ApiError::AlreadyStarted),
                    Status::Finished | Status::Terminated => Err(ApiError::AlreadyOver),
                })
                .await?;
                self.terminate(&CalledOff { by: None, reason });
                Ok(())
            }
            Status::Playing => {
                let game = self.record.game.name();
                let proposal = self.fetch().await?.order(Order::CallOff { reason }, now());
                self.carry_out(proposal.ok_or(ApiError::CannotCallOff(game))?, None).await
            }
            Status::Finished | Status::Terminated => Err(ApiError::AlreadyOver),
        }
    }

    /// Ends the game unless something has happened since then. A table that
    /// still waits for people is asked only when nobody has come since.
    pub(super) async fn end_if_inactive(&mut self, since: u64) -> Result<(), ApiError> {
        let goes_on =
            self.record.status == Status::Playing && self.fetch().await?.last_step_at() >= since;
        if goes_on { Ok(()) } else { self.call_off(INACTIVITY.to_owned()).await }
    }

    /// Tells all subscribers that the table is over.
    pub(super) fn terminate(&mut self, called_off: &CalledOff) {
        let by = called_off.by.map(|seat| self.record.name_of(seat).to_owned());
        let message = match &by {
            Some(name) => format!("{name} left the game"),
            None => format!("the session was ended: {}", called_off.reason),
        };
        self.subscribers.terminate(Termination { message, by });
    }
}
