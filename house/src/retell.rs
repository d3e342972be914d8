//! A stored game told again: line by line as a viewer may read it, in words, or
//! in a format of its own.

use std::sync::Arc;

use parlor_kernel::{
    Awaiting, Dialect, DialectView, Envelope, Log, LogDialect, Offered, View, Viewer,
};
use serde_json::Value;

use crate::error::HouseError;
use crate::playing::Backlog;

/// A game in words.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Transcript {
    /// What was seen, a line each, with the sequence number it was stored under.
    pub lines: Vec<(u64, String)>,
    /// The table at the end of it, as text.
    pub picture: String,
    /// What the viewer knows at the end of it.
    pub knowledge: Value,
}

fn admit<G: Offered>(envelopes: &[Envelope], viewer: Viewer) -> Result<Log<G>, HouseError> {
    let log = Log::<G>::read(envelopes)?;
    if viewer == Viewer::Postmortem && G::awaiting(&log.fold()) != Awaiting::Nobody {
        return Err(HouseError::NotOver);
    }
    if let Viewer::Seat(seat) = viewer {
        let seats = log.opening().map_or(0, |opening| opening.seats.len());
        if seat.index() >= seats {
            return Err(HouseError::NoSuchSeat(seats));
        }
    }
    Ok(log)
}

/// The log as a viewer may read it. Those who see all read it as it is stored,
/// but the postmortem of a game that keeps something closed is told.
pub(crate) fn retell<G: Offered>(
    envelopes: &[Envelope],
    viewer: Viewer,
) -> Result<Vec<String>, HouseError> {
    let log = admit::<G>(envelopes, viewer)?;
    let as_stored = match viewer {
        Viewer::Postmortem => !G::keeps_closed(&log.fold()),
        _ => viewer.sees_all(),
    };
    if as_stored {
        // An envelope is plain data; it was read from JSON to begin with.
        let line = |envelope| serde_json::to_string(envelope).expect("an envelope is plain data");
        return Ok(envelopes.iter().map(line).collect());
    }
    let mut told_view = DialectView::<G>::new(viewer, Arc::new(LogDialect));
    Ok(told_view.catch_up(&log, &envelopes[0].game_id))
}

/// The log as a viewer was told it in a dialect, from the first message on.
pub(crate) fn tell<G: Offered>(
    envelopes: &[Envelope],
    viewer: Viewer,
    dialect: &Arc<dyn Dialect<G>>,
) -> Result<Vec<String>, HouseError> {
    tell_after(envelopes, viewer, dialect, 0).map(|told| told.messages)
}

/// The same for someone who has heard everything up to this position.
pub(crate) fn tell_after<G: Offered>(
    envelopes: &[Envelope],
    viewer: Viewer,
    dialect: &Arc<dyn Dialect<G>>,
    after: u64,
) -> Result<Backlog, HouseError> {
    let log = admit::<G>(envelopes, viewer)?;
    let mut told_view = DialectView::<G>::new(viewer, Arc::clone(dialect));
    let messages = told_view.catch_up_after(&log, &envelopes[0].game_id, after);
    let position = told_view.position();
    Ok(Backlog { first: position + 1 - messages.len() as u64, messages, position })
}

/// Whether the game is over and kept nothing closed, so that whatever any
/// seat saw is everyone's to know.
pub(crate) fn lies_open<G: Offered>(envelopes: &[Envelope]) -> Result<bool, HouseError> {
    let state = Log::<G>::read(envelopes)?.fold();
    Ok(G::awaiting(&state) == Awaiting::Nobody && !G::keeps_closed(&state))
}

/// The log in words, up to and including the event `upto`.
pub(crate) fn transcribe<G: Offered>(
    envelopes: &[Envelope],
    viewer: Viewer,
    upto: Option<u64>,
) -> Result<Transcript, HouseError> {
    let log = admit::<G>(envelopes, viewer)?;
    let mut view = View::<G>::new(viewer);
    let mut state = G::State::default();
    let mut lines = Vec::new();
    for (sequence, event) in (0u64..).zip(&log.events) {
        if upto.is_some_and(|last| sequence > last) {
            break;
        }
        G::apply(&mut state, event);
        let before = view.knowledge().clone();
        let seen = view.witness(&state, event);
        let told = seen.and_then(|seen| G::narrate(&before, &seen, view.knowledge()));
        lines.extend(told.map(|line| (sequence, line)));
    }
    Ok(Transcript {
        lines,
        picture: G::picture(view.knowledge()),
        knowledge: serde_json::to_value(view.knowledge()).unwrap_or(Value::Null),
    })
}

/// The log as a viewer may read it, in a format of the game's own: one round,
/// counted from 1, or all of them.
pub(crate) fn export<G: Offered>(
    format: &str,
    envelopes: &[Envelope],
    viewer: Viewer,
    round: Option<u32>,
) -> Result<String, HouseError> {
    let log = admit::<G>(envelopes, viewer)?;
    Ok(G::export(format, &log, viewer, round)?)
}

/// The games in a text of the game's own format, each as it would be stored.
pub(crate) fn import<G: Offered>(
    format: &str,
    text: &str,
) -> Result<Vec<Vec<Envelope>>, HouseError> {
    let stored = |log: Log<G>| {
        let game_id = log.opening().map_or_else(String::new, |opening| opening.game_id);
        log.envelopes(&game_id)
    };
    Ok(G::import(format, text)?.into_iter().map(stored).collect())
}
