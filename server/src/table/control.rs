//! Control of a running game: pause, resume, one decision, faster, slower.
//!
//! What is wanted is kept in the log (a pause) or in the record (the pace, a
//! decision under way), so a restart changes nothing of it.

use std::time::Duration;

use parlor_house::Proposal;
use parlor_kernel::{Awaiting, CANONICAL, Order, Viewer};
use parlor_store::Answer;
use serde::Serialize;
use utoipa::ToSchema;

use super::request::Credential;
use super::task::Table;
use crate::api_error::ApiError;
use crate::record::{Record, Status};
use crate::time::now;

/// What the admin or the host wants of a game.
#[derive(Clone, Copy, Debug)]
pub enum Control {
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
#[schema(as = Led)]
pub struct ControlState {
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
    /// Whether this is the admin, or whoever created the table.
    pub(super) fn check_may_control(&self, who: Credential) -> Result<(), ApiError> {
        match (who, self.viewer(who)?) {
            (_, Viewer::Admin) => Ok(()),
            (_, Viewer::Seat(seat)) if self.record.created_by() == Some(seat) => Ok(()),
            (Credential::Nobody, _) => Err(ApiError::Unauthenticated),
            _ => Err(ApiError::Forbidden(
                "only the admin and whoever laid the table may do this".to_owned(),
            )),
        }
    }

    pub(super) async fn control(
        &mut self,
        who: Credential,
        control: Control,
    ) -> Result<ControlState, ApiError> {
        self.check_may_control(who)?;
        if self.record.status.is_over() {
            return Err(ApiError::AlreadyOver);
        }
        match control {
            Control::Pace { bot_ms } => {
                self.change(|record| {
                    if record.status.is_over() {
                        return Err(ApiError::AlreadyOver);
                    }
                    record.bot_pace_ms = Some(bot_ms);
                    Ok(())
                })
                .await?;
                self.pace.bot = Duration::from_millis(bot_ms);
            }
            Control::Pause => {
                self.set_stepping(false).await?;
                self.pause().await?;
            }
            Control::Resume => {
                self.set_stepping(false).await?;
                self.resume().await?;
            }
            Control::Step => {
                if !self.fetch().await?.is_paused() {
                    return Err(ApiError::NotPaused);
                }
                self.set_stepping(true).await?;
                self.resume().await?;
            }
        }
        let paused = self.play.as_deref().is_some_and(|play| play.is_paused());
        let Record { status, stepping, .. } = self.record;
        Ok(ControlState { status, paused, stepping, bot_ms: self.pace.bot.as_millis() as u64 })
    }

    /// Stores a proposal and lets it happen. If somebody has decided with it
    /// for all to see, and only that may happen, the game stands still.
    pub(super) async fn carry_on(
        &mut self,
        proposal: Proposal,
        answer: Option<Answer>,
    ) -> Result<(), ApiError> {
        if !self.record.stepping {
            return self.carry_out(proposal, answer).await;
        }
        let before = self.public_progress().await?;
        self.carry_out(proposal, answer).await?;
        let after = self.public_progress().await?;
        // A pause is public. It must not tell that something hidden was
        // decided: a night goes on to its morning.
        if after.0 != before.0 && after.1 != before.1 {
            self.set_stepping(false).await?;
            if !self.record.status.is_over() {
                self.pause().await?;
            }
        }
        Ok(())
    }

    /// Whom the game waits for, and the position of the public stream.
    async fn public_progress(&mut self) -> Result<(Awaiting, u64), ApiError> {
        let told = self.follow(Viewer::Public, CANONICAL).await?;
        Ok((self.fetch().await?.awaiting(), told))
    }

    async fn pause(&mut self) -> Result<(), ApiError> {
        let game = self.record.game.name();
        let play = self.fetch().await?;
        if play.is_paused() {
            return Ok(());
        }
        let proposal = play.order(Order::Pause, now()).ok_or(ApiError::CannotPause(game))?;
        self.carry_out(proposal, None).await
    }

    async fn resume(&mut self) -> Result<(), ApiError> {
        let Some(proposal) = self.fetch().await?.order(Order::Resume, now()) else { return Ok(()) };
        self.carry_out(proposal, None).await
    }

    async fn set_stepping(&mut self, stepping: bool) -> Result<(), ApiError> {
        if self.record.stepping == stepping {
            return Ok(());
        }
        self.change(|record| {
            record.stepping = stepping;
            Ok(())
        })
        .await
    }
}
