//! A table that is over before its time.

use parlor_kernel::{CalledOff, Order, Viewer};

use super::audience::Farewell;
use super::knock::Credential;
use super::task::Table;
use crate::ledger::{Ledger, Status};
use crate::refusal::Refusal;
use crate::time::now;

/// Why a table is ended at which nothing happens any more.
const INACTIVITY: &str = "inactivity";

impl Table {
    /// Ends the game for whoever leads it.
    pub(super) async fn end(
        &mut self,
        who: Credential,
        reason: Option<String>,
    ) -> Result<(), Refusal> {
        self.check_leads(who)?;
        let by = if self.viewer(who)? == Viewer::Admin { "admin" } else { "host" };
        self.call_off(reason.unwrap_or_else(|| by.to_owned())).await
    }

    /// Ends the game, or what has not become one.
    pub(super) async fn call_off(&mut self, reason: String) -> Result<(), Refusal> {
        match self.ledger.status {
            Status::Waiting => {
                let ledger = Ledger { status: Status::Terminated, ..self.ledger.clone() };
                self.write_down(ledger).await?;
                self.part(&CalledOff { by: None, reason });
                Ok(())
            }
            Status::Playing => {
                let game = self.ledger.game.name();
                let proposal = self.fetch().await?.order(Order::CallOff { reason }, now());
                self.carry_out(proposal.ok_or(Refusal::CannotCallOff(game))?, None).await
            }
            Status::Finished | Status::Terminated => Err(Refusal::AlreadyOver),
        }
    }

    /// Ends the game unless something has happened since then. A table that
    /// still waits for people is asked only when nobody has come since.
    pub(super) async fn lapse(&mut self, since: u64) -> Result<(), Refusal> {
        let goes_on =
            self.ledger.status == Status::Playing && self.fetch().await?.last_step_at() >= since;
        if goes_on { Ok(()) } else { self.call_off(INACTIVITY.to_owned()).await }
    }

    /// Takes leave of everyone who listens.
    pub(super) fn part(&mut self, called_off: &CalledOff) {
        let by = called_off.by.map(|seat| self.ledger.name_of(seat).to_owned());
        let message = match &by {
            Some(name) => format!("{name} left the game"),
            None => format!("the session was ended: {}", called_off.reason),
        };
        self.audience.part(Farewell { message, by });
    }
}
