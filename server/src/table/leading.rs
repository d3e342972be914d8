//! How a game under way is led: pause, resume, one decision, faster, slower.
//!
//! What is wished stands in the log (a pause) or in the books (the pace, a
//! decision under way), so a restart changes nothing of it.

use std::time::Duration;

use parlor_house::Proposal;
use parlor_kernel::{Awaiting, CANONICAL, Order, Viewer};
use parlor_store::Answer;
use serde::Serialize;
use utoipa::ToSchema;

use super::knock::Credential;
use super::task::Table;
use crate::ledger::{Ledger, Status};
use crate::refusal::Refusal;
use crate::time::now;

/// What whoever leads a game wants of it.
#[derive(Clone, Copy, Debug)]
pub enum Lead {
    /// Nobody acts until it is resumed.
    Pause,
    /// It goes on.
    Resume,
    /// It goes on until somebody has decided for all to see, and stands still
    /// again.
    Step,
    /// Its bots wait so long before they act.
    Pace {
        /// In milliseconds.
        bot_ms: u64,
    },
}

/// How a game is led.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Led {
    /// Where the table stands.
    pub status: Status,
    /// Whether the game stands still.
    pub paused: bool,
    /// Whether it is paused again after the decision under way.
    pub stepping: bool,
    /// How long its bots wait before they act, in milliseconds.
    pub bot_ms: u64,
}

impl Table {
    /// Lets pass the admin, and whoever laid the table.
    pub(super) fn check_leads(&self, who: Credential) -> Result<(), Refusal> {
        match (who, self.viewer(who)?) {
            (_, Viewer::Admin) => Ok(()),
            (_, Viewer::Seat(seat)) if self.ledger.laid_by() == Some(seat) => Ok(()),
            (Credential::Nobody, _) => Err(Refusal::Unauthenticated),
            _ => Err(Refusal::Forbidden(
                "only the admin and whoever laid the table may do this".to_owned(),
            )),
        }
    }

    pub(super) async fn lead(&mut self, who: Credential, lead: Lead) -> Result<Led, Refusal> {
        self.check_leads(who)?;
        if self.ledger.status.is_over() {
            return Err(Refusal::AlreadyOver);
        }
        match lead {
            Lead::Pace { bot_ms } => {
                self.pace.bot = Duration::from_millis(bot_ms);
                let bot_pace_ms = Some(bot_ms);
                self.write_down(Ledger { bot_pace_ms, ..self.ledger.clone() }).await?;
            }
            Lead::Pause => {
                self.set_stepping(false).await?;
                self.pause().await?;
            }
            Lead::Resume => {
                self.set_stepping(false).await?;
                self.resume().await?;
            }
            Lead::Step => {
                if !self.fetch().await?.is_paused() {
                    return Err(Refusal::NotPaused);
                }
                self.set_stepping(true).await?;
                self.resume().await?;
            }
        }
        let paused = self.play.as_deref().is_some_and(|play| play.is_paused());
        let Ledger { status, stepping, .. } = self.ledger;
        Ok(Led { status, paused, stepping, bot_ms: self.pace.bot.as_millis() as u64 })
    }

    /// Stores a proposal and lets it happen. If somebody has decided with it
    /// for all to see, and only that may happen, the game stands still.
    pub(super) async fn carry_on(
        &mut self,
        proposal: Proposal,
        answer: Option<Answer>,
    ) -> Result<(), Refusal> {
        if !self.ledger.stepping {
            return self.carry_out(proposal, answer).await;
        }
        let before = self.stage().await?;
        self.carry_out(proposal, answer).await?;
        let after = self.stage().await?;
        // A pause is public. It must not tell that something hidden was
        // decided: a night goes on to its morning.
        if after.0 != before.0 && after.1 != before.1 {
            self.set_stepping(false).await?;
            if !self.ledger.status.is_over() {
                self.pause().await?;
            }
        }
        Ok(())
    }

    /// Whom the game waits for, and how much everyone has heard of it.
    async fn stage(&mut self) -> Result<(Awaiting, u64), Refusal> {
        let told = self.attend(Viewer::Public, CANONICAL).await?;
        Ok((self.fetch().await?.awaiting(), told))
    }

    async fn pause(&mut self) -> Result<(), Refusal> {
        let game = self.ledger.game.name();
        let play = self.fetch().await?;
        if play.is_paused() {
            return Ok(());
        }
        let proposal = play.order(Order::Pause, now()).ok_or(Refusal::CannotPause(game))?;
        self.carry_out(proposal, None).await
    }

    async fn resume(&mut self) -> Result<(), Refusal> {
        let Some(proposal) = self.fetch().await?.order(Order::Resume, now()) else { return Ok(()) };
        self.carry_out(proposal, None).await
    }

    async fn set_stepping(&mut self, stepping: bool) -> Result<(), Refusal> {
        if self.ledger.stepping == stepping {
            return Ok(());
        }
        self.write_down(Ledger { stepping, ..self.ledger.clone() }).await
    }
}
