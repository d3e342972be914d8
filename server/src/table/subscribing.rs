//! Streams of a table: how they begin and end, and what can be read besides.

use parlor_kernel::{Change, Presence, Seat, Viewer};

use super::request::Credential;
use super::subscribers::{First, Frame, Subscribed, frames, newly};
use super::task::Table;
use crate::api_error::ApiError;
use crate::limits::Address;
use crate::record::{Kind, SeatEntry};
use crate::registry::Past;
use crate::time::now;

impl Table {
    pub(super) async fn subscribe(
        &mut self,
        who: Credential,
        from: Address,
        dialect: &'static str,
        after: Option<u64>,
        remarks: bool,
    ) -> Result<Subscribed, ApiError> {
        let viewer = self.viewer(who)?;
        if let Some(limits) = &self.registry.config.limits {
            self.subscribers.make_room(viewer, from, limits)?;
        }
        let first = self.first(viewer, dialect, after).await?;
        let arrival = self.note_arrival(viewer).await?;
        let before = self.subscribers.connected();
        let is_late = matches!(first, First::ToRead(_));
        let (id, subscription) = self.subscribers.add(viewer, dialect, remarks, from, is_late);
        if viewer.seat().is_some() {
            self.note_occupancy();
        }
        for seat in newly(self.subscribers.connected(), before) {
            self.tell_change(seat, arrival);
        }
        if let Some(termination) = self.termination().await {
            self.subscribers.terminate_one(id, termination);
        }
        Ok(Subscribed { id, viewer, first, subscription })
    }

    /// What a subscriber has missed.
    pub(super) async fn past(
        &mut self,
        who: Credential,
        dialect: &'static str,
        after: u64,
    ) -> Result<First, ApiError> {
        let viewer = self.viewer(who)?;
        self.note_here(viewer);
        self.first(viewer, dialect, Some(after)).await
    }

    /// What comes first on a stream. A past that only has to be read does not
    /// hold up the table.
    async fn first(
        &mut self,
        viewer: Viewer,
        dialect: &'static str,
        after: Option<u64>,
    ) -> Result<First, ApiError> {
        let reached = match self.fetch().await {
            Err(ApiError::NotStarted) => match after {
                None | Some(0) => return Ok(First::Told(Vec::new())),
                Some(asked) => return Err(ApiError::PositionAhead { asked, at: 0 }),
            },
            play => {
                let play = play?;
                play.position_of(viewer, dialect).map(|at| (at, play.position()))
            }
        };
        let Some(asked) = after else {
            self.follow(viewer, dialect).await?;
            let (position, text) = self.present(viewer, dialect)?;
            return Ok(First::Told(vec![Frame { position: Some(position), text: text.into() }]));
        };
        let (at, first) = match reached {
            Some((at, _)) if asked >= at => (at, First::Told(Vec::new())),
            Some((at, events)) => {
                let version = self.record.version;
                (at, First::ToRead(Past { version, viewer, dialect, after: asked, events }))
            }
            None => {
                let backlog = self.follow_from(viewer, dialect, asked).await?;
                (backlog.position, First::Told(frames(backlog.first, backlog.messages)))
            }
        };
        if asked > at { Err(ApiError::PositionAhead { asked, at }) } else { Ok(first) }
    }

    pub(super) fn gone(&mut self, id: u64) {
        let before = self.subscribers.connected();
        self.subscribers.remove(id);
        for seat in newly(before, self.subscribers.connected()) {
            if let Some(since) = self.arriving.get_mut(seat.index()) {
                *since = None;
            }
            self.note_occupancy();
            self.tell_change(seat, Change::Leaves);
        }
    }

    /// Writes down that someone is here for the first time, at tables where
    /// that is told from a return.
    async fn note_arrival(&mut self, viewer: Viewer) -> Result<Change, ApiError> {
        let is_new = |seat: Seat| self.record.seats.get(seat.index()).is_some_and(|one| !one.came);
        let Some(seat) = viewer.seat().filter(|seat| is_new(*seat)) else {
            return Ok(Change::Returns);
        };
        if self.record.game.room().is_some() {
            self.change(|record| {
                if let Some(one) = record.seats.get_mut(seat.index()) {
                    one.came = true;
                }
                Ok(())
            })
            .await?;
        }
        Ok(Change::Joins)
    }

    /// Tells the others who comes and who goes.
    pub(super) fn tell_change(&mut self, seat: Seat, change: Change) {
        if let Some(entry) = self.record.seats.get(seat.index()).cloned() {
            self.tell_change_of(seat, &entry, change);
        }
    }

    /// The same for a seat that is, or was, somebody's.
    pub(super) fn tell_change_of(&mut self, seat: Seat, entry: &SeatEntry, change: Change) {
        let game = self.record.game;
        let presence = Presence {
            seat,
            name: entry.name.as_deref().unwrap_or_default(),
            is_bot: entry.kind == Kind::Bot,
            change,
            timestamp: now(),
        };
        self.subscribers.notify(
            |viewer| viewer != Viewer::Seat(seat),
            |dialect| game.presence(dialect, &presence),
        );
    }

    pub(super) async fn snapshot(
        &mut self,
        who: Credential,
        dialect: &str,
    ) -> Result<(u64, String), ApiError> {
        let viewer = self.viewer(who)?;
        self.note_here(viewer);
        self.follow(viewer, dialect).await?;
        self.present(viewer, dialect)
    }

    fn present(&self, viewer: Viewer, dialect: &str) -> Result<(u64, String), ApiError> {
        let play = self.play.as_deref().ok_or(ApiError::NotStarted)?;
        let now = now();
        let left = self.pace.seconds_left(play, viewer, now);
        play.snapshot(viewer, dialect, now, left).ok_or(ApiError::NotStarted)
    }
}
