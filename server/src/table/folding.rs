//! What needs the whole log of a table: taking up its game, following it in a
//! new view, reading it. None of it runs on the threads that tables share.

use std::sync::Arc;

use parlor_house::{Backlog, FromLogs, PlayedBy, Playing};
use parlor_kernel::{Envelope, Seat, Viewer};

use super::pace::ShownPosition;
use super::request::{Credential, Reply};
use super::task::Table;
use crate::api_error::ApiError;
use crate::limits::{Address, FoldFor};
use crate::record::Status;

impl Table {
    /// The game, folded back from its log if it is not in memory.
    pub(super) async fn fetch(&mut self) -> Result<&mut dyn Playing, ApiError> {
        if self.record.status == Status::Waiting {
            return Err(ApiError::NotStarted);
        }
        if self.play.is_none() {
            self.load().await?;
        }
        match self.play.as_deref_mut() {
            Some(play) => Ok(play),
            None => Err(ApiError::NotStarted),
        }
    }

    async fn load(&mut self) -> Result<(), ApiError> {
        let log = self.read_log().await?;
        if log.is_empty() {
            // It was called off before it began.
            return Err(ApiError::NotStarted);
        }
        let cursors = self.registry.store.cursors(&self.record.id).await?;
        let (game, mut shown) = (self.record.game, self.pace.shown.clone());
        let record = self.record.clone();
        let registry = Arc::clone(&self.registry);
        let load = move || {
            let mut play = game.resume(&log, &registry.config.agents)?;
            let log = record.told_log(log)?;
            for cursor in cursors {
                let Some(known) = shown.get_mut(usize::from(cursor.seat)) else { continue };
                let is_newer = known.as_ref().is_none_or(|known| known.at < cursor.at);
                let viewer = Viewer::Seat(Seat(cursor.seat));
                // A dialect that is gone by now sets nobody's pace.
                if is_newer && play.subscribe(viewer, &cursor.dialect, &log, u64::MAX).is_ok() {
                    let (dialect, position, at) = (cursor.dialect, cursor.position, cursor.at);
                    *known = Some(ShownPosition { dialect, position, at });
                }
            }
            Ok((play, shown))
        };
        let (play, shown) = self.registry.fold(load).await?;
        self.warn_of_absent(&*play);
        self.play = Some(play);
        self.pace.shown = shown;
        Ok(())
    }

    /// A seat whose agent this server does not have waits for its clock.
    fn warn_of_absent(&self, play: &dyn Playing) {
        let is_absent = |seat: &usize| play.played_by(Seat(*seat as u8)) == PlayedBy::Absent;
        let seats = play.seats().iter().enumerate();
        for (seat, sitting) in seats.filter(|(seat, _)| is_absent(seat)) {
            let agent = sitting.bot.as_deref();
            tracing::warn!(
                table = self.record.id,
                seat,
                agent,
                "nobody here plays this seat; start the server with --agents"
            );
        }
    }

    /// Makes sure that the game tells its steps to this viewer in this dialect:
    /// the position reached.
    pub(super) async fn follow(&mut self, viewer: Viewer, dialect: &str) -> Result<u64, ApiError> {
        match self.fetch().await?.position_of(viewer, dialect) {
            Some(position) => Ok(position),
            None => Ok(self.follow_from(viewer, dialect, u64::MAX).await?.position),
        }
    }

    /// The same from the log on: what came after a position.
    pub(super) async fn follow_from(
        &mut self,
        viewer: Viewer,
        dialect: &str,
        after: u64,
    ) -> Result<Backlog, ApiError> {
        self.fetch().await?;
        let (log, record) = (self.read_log().await?, self.record.clone());
        let Some(mut play) = self.play.take() else { return Err(ApiError::NotStarted) };
        let dialect = dialect.to_owned();
        let follow = move || {
            let log = record.told_log(log)?;
            let backlog = play.subscribe(viewer, &dialect, &log, after);
            Ok((play, backlog))
        };
        // A game that is lost here is folded back when it is needed.
        let (play, backlog) = self.registry.fold(follow).await?;
        self.play = Some(play);
        Ok(backlog?)
    }

    pub(super) async fn read_log(&self) -> Result<Vec<Envelope>, ApiError> {
        Ok(self.registry.store.log(&self.record.id, 0).await?)
    }

    /// Reads the log out, without the table waiting for it.
    pub(super) fn log(
        &self,
        who: Credential,
        from: Address,
        view: Option<Viewer>,
        dialect: Option<String>,
        reply: Reply<Vec<String>>,
    ) {
        let own = match self.viewer(who) {
            Ok(own) => own,
            Err(error) => return drop(reply.send(Err(error))),
        };
        let record = self.record.clone();
        let registry = Arc::clone(&self.registry);
        self.registry.spawn(async move {
            let whom = match own {
                Viewer::Admin => FoldFor::Player(from),
                _ => FoldFor::Stranger(from),
            };
            let told = async {
                let place = registry.fold_place(whom).await?;
                let log = registry.store.log(&record.id, 0).await?;
                let read = move || {
                    let log = record.told_log(log)?;
                    tell(&log, record.game, own, view, dialect)
                };
                registry.fold_in(place, read).await
            };
            drop(reply.send(told.await));
        });
    }
}

fn tell(
    log: &[Envelope],
    game: &dyn FromLogs,
    own: Viewer,
    view: Option<Viewer>,
    dialect: Option<String>,
) -> Result<Vec<String>, ApiError> {
    let view = view.unwrap_or(own);
    let allowed = match view {
        Viewer::Public | Viewer::Postmortem => true,
        Viewer::Admin => own == Viewer::Admin,
        Viewer::Seat(_) if own == view || own == Viewer::Admin => true,
        // Once all cards are on the table, anyone may look with any eyes.
        Viewer::Seat(_) => !log.is_empty() && game.lies_open(log)?,
    };
    if !allowed {
        return Err(match own {
            Viewer::Public => ApiError::Unauthenticated,
            _ => ApiError::Forbidden(format!("the view {view} is not yours")),
        });
    }
    if log.is_empty() {
        return Err(ApiError::NotStarted);
    }
    Ok(match dialect {
        Some(dialect) => game.tell(log, view, &dialect)?,
        None => game.retell(log, view)?,
    })
}
