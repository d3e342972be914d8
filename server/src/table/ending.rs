//! A table that is over before its time.

use parlor_house::Ending;
use parlor_kernel::{CalledOff, Cause, Envelope, Order, Viewer};
use serde_json::Value;

use super::request::Credential;
use super::subscribers::Termination;
use super::task::Table;
use crate::api_error::ApiError;
use crate::record::{Kind, Status};
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
            Status::Waiting => self.call_off_waiting(reason).await,
            Status::Playing => {
                let game = self.record.game.name();
                let proposal = self.fetch().await?.order(Order::CallOff { reason }, now());
                self.carry_out(proposal.ok_or(ApiError::CannotCallOff(game))?, None).await
            }
            Status::Finished | Status::Terminated => Err(ApiError::AlreadyOver),
        }
    }

    /// Ends a table that still waits.
    pub(super) async fn call_off_waiting(&mut self, reason: String) -> Result<(), ApiError> {
        self.change(|record| match record.status {
            Status::Waiting => {
                record.status = Status::Terminated;
                record.ended = Some(reason.clone());
                Ok(())
            }
            // It has begun, or ended, here or elsewhere.
            Status::Playing => Err(ApiError::AlreadyStarted),
            Status::Finished | Status::Terminated => Err(ApiError::AlreadyOver),
        })
        .await?;
        self.registry.occupancy.forget(&self.record.id);
        self.terminate(&CalledOff { by: None, reason });
        Ok(())
    }

    /// Ends a waiting table that nobody came back to. Somebody may just have.
    pub(super) async fn lapse(&mut self) -> Result<(), ApiError> {
        let is_waiting = self.record.status == Status::Waiting && !self.record.hosted;
        let patience = self.registry.config.lapse_after;
        match is_waiting && !self.registry.occupancy.within(&self.record.id, patience) {
            true => self.call_off_waiting(INACTIVITY.to_owned()).await,
            false => Ok(()),
        }
    }

    /// Gives up the code of a table that is over: its id is its code now.
    pub(super) async fn give_up_code(&mut self) -> Result<(), ApiError> {
        self.change(|record| match record.status.is_over() {
            true => {
                record.code.clone_from(&record.id);
                Ok(())
            }
            false => Err(ApiError::NotOver),
        })
        .await
    }

    /// Ends the game unless a person has done something since then: clocks and
    /// bots keep no room alive. A table that still waits for people is asked
    /// only when nobody has come since.
    pub(super) async fn end_if_inactive(&mut self, since: u64) -> Result<(), ApiError> {
        let goes_on = self.record.status == Status::Playing
            && self.fetch().await?.last_step_at() >= since
            && self.person_acted_since(&self.read_log().await?, since);
        if goes_on { Ok(()) } else { self.call_off(INACTIVITY.to_owned()).await }
    }

    fn person_acted_since(&self, log: &[Envelope], since: u64) -> bool {
        let by_person = |envelope: &Envelope| {
            let cause = envelope.cause.as_deref().map(|cause| serde_json::from_str(cause.get()));
            let Some(Ok(Cause::<Value>::Seat { seat, .. })) = cause else { return false };
            self.record.seats.get(seat.index()).is_some_and(|entry| entry.kind == Kind::Human)
        };
        let recent = log.iter().rev().take_while(|envelope| envelope.timestamp >= since);
        // Opening the game is the host's doing.
        recent.into_iter().any(|envelope| envelope.sequence == 0 || by_person(envelope))
    }

    /// Why this table is over before its time; none if it is not.
    pub(super) async fn termination(&mut self) -> Option<Termination> {
        if self.record.status != Status::Terminated {
            return None;
        }
        let called_off = match self.fetch().await.ok().and_then(|play| play.ending()) {
            Some(Ending::CalledOff(called_off)) => called_off,
            _ => CalledOff { by: None, reason: self.record.ended.clone().unwrap_or_default() },
        };
        Some(self.told(&called_off))
    }

    /// Tells all subscribers that the table is over.
    pub(super) fn terminate(&mut self, called_off: &CalledOff) {
        let termination = self.told(called_off);
        self.subscribers.terminate(termination);
    }

    fn told(&self, called_off: &CalledOff) -> Termination {
        let by = called_off.by.map(|seat| self.record.name_of(seat).to_owned());
        let message = match &by {
            Some(name) => format!("{name} left the game"),
            None if called_off.reason.is_empty() => "the session was ended".to_owned(),
            None => format!("the session was ended: {}", called_off.reason),
        };
        Termination { message, by }
    }
}
