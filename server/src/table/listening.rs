//! Who listens at a table, and what they are told.

use parlor_kernel::{SeatSet, Viewer};

use super::audience::{Frame, Listening, frames, newly};
use super::knock::Credential;
use super::task::Table;
use crate::ledger::Status;
use crate::refusal::Refusal;
use crate::time::now;

impl Table {
    pub(super) async fn listen(
        &mut self,
        who: Credential,
        dialect: &str,
        after: Option<u64>,
    ) -> Result<Listening, Refusal> {
        let viewer = self.viewer(who)?;
        self.ledger.game.speaks(dialect)?;
        let most = self.hall.config.limits.as_ref().map(|limits| limits.streams_per_table);
        if most.is_some_and(|most| self.audience.len() >= most as usize) {
            return Err(Refusal::TooManyStreams);
        }
        let backlog = match (self.ledger.status, after) {
            (Status::Waiting, Some(asked @ 1..)) => {
                return Err(Refusal::PositionAhead { asked, at: 0 });
            }
            (Status::Waiting, _) => Vec::new(),
            _ => self.backlog(viewer, dialect, after).await?,
        };
        let before = self.audience.connected();
        let (id, live) = self.audience.admit(viewer, dialect);
        self.tell_presence(before);
        Ok(Listening { id, viewer, backlog, live })
    }

    async fn backlog(
        &mut self,
        viewer: Viewer,
        dialect: &str,
        after: Option<u64>,
    ) -> Result<Vec<Frame>, Refusal> {
        let at = self.attend(viewer, dialect).await?;
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
        if self.audience.dismiss(id) {
            self.tell_presence(before);
        }
    }

    /// Tells the others who came and who went.
    fn tell_presence(&mut self, before: SeatSet) {
        let after = self.audience.connected();
        let (game, at) = (self.ledger.game, now());
        let came = newly(after, before).map(|seat| (seat, true));
        for (seat, connected) in came.chain(newly(before, after).map(|seat| (seat, false))) {
            self.audience.remark(
                |viewer| viewer != Viewer::Seat(seat),
                |dialect| game.presence(dialect, seat, connected, at),
            );
        }
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
        let left = self.pace.seconds_left(play, now);
        play.snapshot(viewer, dialect, now, left).ok_or(Refusal::NotStarted)
    }

    pub(super) async fn log(
        &mut self,
        who: Credential,
        view: Option<Viewer>,
    ) -> Result<Vec<String>, Refusal> {
        let own = self.viewer(who)?;
        let view = view.unwrap_or(own);
        let allowed = match view {
            Viewer::Public | Viewer::Postmortem => true,
            Viewer::Admin => own == Viewer::Admin,
            Viewer::Seat(_) => own == view || own == Viewer::Admin,
        };
        if !allowed {
            return Err(match own {
                Viewer::Public => Refusal::Unauthenticated,
                _ => Refusal::Forbidden(format!("the view {view} is not yours")),
            });
        }
        if self.ledger.status == Status::Waiting {
            return Err(Refusal::NotStarted);
        }
        let log = self.read_log().await?;
        Ok(self.ledger.game.retell(&log, view)?)
    }
}
