//! A game from its log: checked, told again, written in other formats.

use std::sync::Arc;

use parlor_kernel::{DialectView, Envelope, Log, LogError, Offered, Seat, Sitting, Viewer};

use super::{GameInfo, OnOffer};
use crate::error::HouseError;
use crate::playing::Backlog;
use crate::renamed::renamed;
use crate::retell::{Transcript, export, import, lies_open, retell, tell, tell_after, transcribe};
use crate::verify::{Verified, verify};

/// In bytes. Logs of other programs may have longer names than are given here.
const LONGEST_NAME: usize = 256;

/// A game as its logs tell it.
pub trait FromLogs: GameInfo {
    /// Whether this could be the first event of this game.
    fn recognises(&self, first: &Envelope) -> bool;
    /// Plays the game again from its seed and compares all that is written.
    fn verify(&self, log: &[Envelope]) -> Result<Verified, HouseError>;
    /// The log as a viewer may read it, one JSON text a line.
    fn retell(&self, log: &[Envelope], viewer: Viewer) -> Result<Vec<String>, HouseError>;
    /// The log as a viewer was told it in a dialect, one message a line.
    fn tell(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        dialect: &str,
    ) -> Result<Vec<String>, HouseError>;
    /// The same for someone who has heard everything up to this position.
    fn tell_after(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        dialect: &str,
        after: u64,
    ) -> Result<Backlog, HouseError>;
    /// The position a viewer had reached when the log was this long.
    fn position_at(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        dialect: &str,
    ) -> Result<u64, HouseError>;
    /// Whether whoever sits at the table that this event opens could: as many
    /// as the rules allow, and none with a name as long as a book.
    fn check_seats(&self, first: &Envelope) -> Result<(), HouseError>;
    /// The log as a viewer may read it, in words, up to and including the
    /// event `upto`.
    fn transcribe(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        upto: Option<u64>,
    ) -> Result<Transcript, HouseError>;
    /// The log as it would stand there had these seats had these names: what a
    /// log whose names were erased is told from.
    fn renamed(
        &self,
        log: &[Envelope],
        names: &[(Seat, String)],
    ) -> Result<Vec<Envelope>, HouseError>;
    /// Whether what any seat of this game saw is everyone's to know.
    fn lies_open(&self, log: &[Envelope]) -> Result<bool, HouseError>;
    /// The log as a viewer may read it, in one of its formats: one round,
    /// counted from 1, or all of them.
    fn export(
        &self,
        format: &str,
        log: &[Envelope],
        viewer: Viewer,
        round: Option<u32>,
    ) -> Result<String, HouseError>;
    /// The games in a text of one of its formats, each as it would be stored.
    fn import(&self, format: &str, text: &str) -> Result<Vec<Vec<Envelope>>, HouseError>;
}

impl<G: Offered> FromLogs for OnOffer<G> {
    fn recognises(&self, first: &Envelope) -> bool {
        let Ok(event) = first.event::<G>() else { return false };
        let mut state = G::State::default();
        G::apply(&mut state, &event);
        G::opened(&state).is_some()
    }

    fn verify(&self, log: &[Envelope]) -> Result<Verified, HouseError> {
        verify::<G>(log)
    }

    fn retell(&self, log: &[Envelope], viewer: Viewer) -> Result<Vec<String>, HouseError> {
        retell::<G>(log, viewer)
    }

    fn tell(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        dialect: &str,
    ) -> Result<Vec<String>, HouseError> {
        tell::<G>(log, viewer, self.dialect(dialect)?)
    }

    fn tell_after(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        dialect: &str,
        after: u64,
    ) -> Result<Backlog, HouseError> {
        tell_after::<G>(log, viewer, self.dialect(dialect)?, after)
    }

    fn check_seats(&self, first: &Envelope) -> Result<(), HouseError> {
        let event = first.event::<G>()?;
        let first = Log::<G> { events: vec![event], steps: Vec::new() };
        let opening = first.opening().ok_or(LogError::NoOpening)?;
        let (allowed, found) = (G::seats(&opening.rules), opening.seats.len());
        if !allowed.contains(&found) {
            return Err(HouseError::Seats { game: G::NAME, allowed, found });
        }
        let names = |sitting: &Sitting| {
            let bot = sitting.bot.as_deref().map_or(0, str::len);
            sitting.name.len().max(sitting.player_id.len()).max(bot)
        };
        match opening.seats.iter().any(|sitting| names(sitting) > LONGEST_NAME) {
            true => Err(HouseError::LongName(LONGEST_NAME)),
            false => Ok(()),
        }
    }

    fn position_at(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        dialect: &str,
    ) -> Result<u64, HouseError> {
        let log = Log::<G>::read(log)?;
        let mut told_view = DialectView::new(viewer, Arc::clone(self.dialect(dialect)?));
        told_view.catch_up_after(&log, "", u64::MAX);
        Ok(told_view.position())
    }

    fn transcribe(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        upto: Option<u64>,
    ) -> Result<Transcript, HouseError> {
        transcribe::<G>(log, viewer, upto)
    }

    fn renamed(
        &self,
        log: &[Envelope],
        names: &[(Seat, String)],
    ) -> Result<Vec<Envelope>, HouseError> {
        renamed::<G>(log, names)
    }

    fn lies_open(&self, log: &[Envelope]) -> Result<bool, HouseError> {
        lies_open::<G>(log)
    }

    fn export(
        &self,
        format: &str,
        log: &[Envelope],
        viewer: Viewer,
        round: Option<u32>,
    ) -> Result<String, HouseError> {
        export::<G>(format, log, viewer, round)
    }

    fn import(&self, format: &str, text: &str) -> Result<Vec<Vec<Envelope>>, HouseError> {
        import::<G>(format, text)
    }
}
