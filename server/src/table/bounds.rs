//! How long a game may get, and how long a table may play by itself: one at
//! which nobody but bots sits, or no person has done anything for long.

use std::time::Duration;

use parlor_house::Act;
use parlor_kernel::Envelope;

use super::task::Table;
use crate::api_error::ApiError;
use crate::config::Limits;
use crate::record::Status;

/// After so many steps without a person a table's bots slow down as if nobody
/// sat there.
const UNATTENDED: u32 = 200;

/// A table at which people sit who do nothing is kept so many times longer than
/// one of bots alone.
const PATIENCE: u32 = 10;

/// What an event takes on disk beside what it says, roughly.
const BESIDE: usize = 150;

/// What these events take on disk, roughly.
pub(super) fn bytes_of(envelopes: &[Envelope]) -> usize {
    let of = |one: &Envelope| {
        BESIDE + one.payload.get().len() + one.cause.as_deref().map_or(0, |it| it.get().len())
    };
    envelopes.iter().map(of).sum()
}

impl Table {
    /// The limits of this table; none for the admin's.
    fn bounds(&self) -> Option<&Limits> {
        self.registry.config.limits.as_ref().filter(|_| !self.record.unbounded)
    }

    /// With how many events the game ends.
    fn most_events(&self) -> Option<u64> {
        let bounds = self.bounds()?;
        let of_bots = self.record.plays_itself().then_some(bounds.self_playing_events);
        Some(bounds.events_per_game.min(of_bots.unwrap_or(u32::MAX)).into())
    }

    /// Half of a game's length is kept for its moves: nobody can end it by
    /// talking.
    pub(super) fn check_talk(&self, act: &Act) -> Result<(), ApiError> {
        let (Some(most), Some(play)) = (self.most_events(), self.play.as_deref()) else {
            return Ok(());
        };
        match play.position() >= most / 2 && play.is_aside(act) {
            true => Err(ApiError::TooLongForTalk),
            false => Ok(()),
        }
    }

    /// Somebody who sits here has done something.
    pub(super) fn note_person(&mut self) {
        self.unattended = 0;
        self.pace.floor = self.pace_floor();
    }

    /// The table has gone on by itself.
    pub(super) fn note_unattended(&mut self) {
        self.unattended = self.unattended.saturating_add(1);
        self.pace.floor = self.pace_floor();
    }

    /// How long its bots wait at least.
    pub(super) fn pace_floor(&self) -> Duration {
        let plays_itself = self.record.plays_itself() || self.unattended > UNATTENDED;
        let bounds = self.bounds().filter(|_| plays_itself);
        bounds.map_or(Duration::ZERO, |bounds| {
            Duration::from_millis(bounds.self_playing_pace_ms.into())
        })
    }

    /// How long until a table that plays by itself ends for want of anyone who
    /// watches.
    pub(super) fn unwatched_in(&self) -> Option<Duration> {
        let bounds = self.bounds()?;
        let most = Duration::from_secs(bounds.self_playing_unwatched_s.into());
        let most = match self.record.plays_itself() {
            true => most,
            false if self.unattended > UNATTENDED => most * PATIENCE,
            false => return None,
        };
        let counts = self.record.status == Status::Playing && self.subscribers.is_empty();
        let since = self.used_at.unwrap_or(self.taken_up_at);
        counts.then(|| most.saturating_sub(since.elapsed()))
    }

    /// Why the game may not go on; none if it may.
    fn beyond_bounds(&self) -> Option<String> {
        if self.record.status != Status::Playing {
            return None;
        }
        let most = self.most_events()?;
        if self.play.as_deref().is_some_and(|play| play.position() >= most) {
            return Some(format!("a game has at most {most} events here"));
        }
        if self.unwatched_in().is_some_and(|left| left.is_zero()) {
            return Some("nobody watched it".to_owned());
        }
        let owner = self.owner.as_deref();
        let is_spent = self.record.plays_itself() && self.registry.accounts.is_spent(owner);
        is_spent.then(|| "its tables have written as much as they may in a day".to_owned())
    }

    /// Ends a game that may not go on.
    pub(super) async fn keep_to_bounds(&mut self) {
        let Some(reason) = self.beyond_bounds() else { return };
        match self.call_off(reason).await {
            Ok(()) | Err(ApiError::AlreadyOver) => {}
            Err(error) => {
                tracing::warn!(table = self.record.id, %error, "a game beyond its bounds goes on");
            }
        }
    }

    /// A table that is over does not count any more.
    pub(super) fn note_over(&self) {
        if self.record.status.is_over() {
            self.registry.accounts.over(&self.record.id);
        }
    }

    /// So much was written for this table.
    pub(super) fn charge(&self, bytes: usize) {
        self.registry.accounts.charge(self.owner.as_deref(), bytes);
    }
}
