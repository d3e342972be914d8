//! Who listens at a table, and what they are told.

use parlor_kernel::{Change, Presence, Seat, Viewer};

use super::audience::{Frame, Listening, frames, newly};
use super::knock::Credential;
use super::task::Table;
use crate::ledger::{Kind, SeatEntry};
use crate::refusal::Refusal;
use crate::time::now;

impl Table {
    pub(super) async fn listen(
        &mut self,
        who: Credential,
        dialect: &'static str,
        after: Option<u64>,
    ) -> Result<Listening, Refusal> {
        let viewer = self.viewer(who)?;
        let most = self.hall.config.limits.as_ref().map(|limits| limits.streams_per_table);
        if most.is_some_and(|most| self.audience.len() >= most as usize) {
            return Err(Refusal::TooManyStreams);
        }
        let backlog = self.backlog(viewer, dialect, after).await?;
        let arrival = self.note_arrival(viewer).await?;
        let before = self.audience.connected();
        let (id, live) = self.audience.admit(viewer, dialect);
        for seat in newly(self.audience.connected(), before) {
            self.tell_change(seat, arrival);
        }
        Ok(Listening { id, viewer, backlog, live })
    }

    /// What a listener has missed.
    pub(super) async fn past(
        &mut self,
        who: Credential,
        dialect: &str,
        after: u64,
    ) -> Result<Vec<Frame>, Refusal> {
        let viewer = self.viewer(who)?;
        self.backlog(viewer, dialect, Some(after)).await
    }

    async fn backlog(
        &mut self,
        viewer: Viewer,
        dialect: &str,
        after: Option<u64>,
    ) -> Result<Vec<Frame>, Refusal> {
        let at = match self.attend(viewer, dialect).await {
            Err(Refusal::NotStarted) => match after {
                None | Some(0) => return Ok(Vec::new()),
                Some(asked) => return Err(Refusal::PositionAhead { asked, at: 0 }),
            },
            attended => attended?,
        };
        match after {
            None => {
                let (position, text) = self.present(viewer, dialect)?;
                Ok(vec![Frame { position: Some(position), text: text.into() }])
            }
            Some(after) if after > at => Err(Refusal::PositionAhead { asked: after, at }),
            Some(after) if after == at => Ok(Vec::new()),
            Some(after) => {
                let log = self.read_log().await?;
                let past = self.fetch().await?.listen(viewer, dialect, &log, after)?;
                Ok(frames(past.first, past.messages))
            }
        }
    }

    pub(super) fn gone(&mut self, id: u64) {
        let before = self.audience.connected();
        self.audience.dismiss(id);
        for seat in newly(before, self.audience.connected()) {
            self.tell_change(seat, Change::Leaves);
        }
    }

    /// Writes down that someone is here for the first time, at tables where
    /// that is told from a return.
    async fn note_arrival(&mut self, viewer: Viewer) -> Result<Change, Refusal> {
        let is_new = |seat: Seat| self.ledger.seats.get(seat.index()).is_some_and(|one| !one.came);
        let Some(seat) = viewer.seat().filter(|seat| is_new(*seat)) else {
            return Ok(Change::Returns);
        };
        if self.ledger.game.room().is_some() {
            let mut ledger = self.ledger.clone();
            ledger.seats[seat.index()].came = true;
            self.write_down(ledger).await?;
        }
        Ok(Change::Joins)
    }

    /// Tells the others who comes and who goes.
    fn tell_change(&mut self, seat: Seat, change: Change) {
        if let Some(entry) = self.ledger.seats.get(seat.index()).cloned() {
            self.tell_change_of(seat, &entry, change);
        }
    }

    /// The same for a seat that is, or was, somebody's.
    pub(super) fn tell_change_of(&mut self, seat: Seat, entry: &SeatEntry, change: Change) {
        let game = self.ledger.game;
        let presence = Presence {
            seat,
            name: entry.name.as_deref().unwrap_or_default(),
            is_bot: entry.kind == Kind::Bot,
            change,
            timestamp: now(),
        };
        self.audience.remark(
            |viewer| viewer != Viewer::Seat(seat),
            |dialect| game.presence(dialect, &presence),
        );
    }

    pub(super) async fn snapshot(
        &mut self,
        who: Credential,
        dialect: &str,
    ) -> Result<(u64, String), Refusal> {
        let viewer = self.viewer(who)?;
        self.attend(viewer, dialect).await?;
        self.present(viewer, dialect)
    }

    fn present(&self, viewer: Viewer, dialect: &str) -> Result<(u64, String), Refusal> {
        let play = self.play.as_deref().ok_or(Refusal::NotStarted)?;
        let now = now();
        let left = self.pace.seconds_left(play, viewer, now);
        play.snapshot(viewer, dialect, now, left).ok_or(Refusal::NotStarted)
    }

    pub(super) async fn log(
        &mut self,
        who: Credential,
        view: Option<Viewer>,
        dialect: Option<&str>,
    ) -> Result<Vec<String>, Refusal> {
        let own = self.viewer(who)?;
        let view = view.unwrap_or(own);
        let log = self.read_log().await?;
        let allowed = match view {
            Viewer::Public | Viewer::Postmortem => true,
            Viewer::Admin => own == Viewer::Admin,
            Viewer::Seat(_) if own == view || own == Viewer::Admin => true,
            // Once all cards are on the table, anyone may look with any eyes.
            Viewer::Seat(_) => !log.is_empty() && self.ledger.game.lies_open(&log)?,
        };
        if !allowed {
            return Err(match own {
                Viewer::Public => Refusal::Unauthenticated,
                _ => Refusal::Forbidden(format!("the view {view} is not yours")),
            });
        }
        if log.is_empty() {
            return Err(Refusal::NotStarted);
        }
        let game = self.ledger.game;
        Ok(match dialect {
            Some(dialect) => game.tell(&log, view, dialect)?,
            None => game.retell(&log, view)?,
        })
    }
}
