//! A stored game checked: played again from its seed and compared with all
//! that is written.

use std::fmt;

use parlor_kernel::{
    Awaiting, Difference, Envelope, Log, Offered, Seal, Seat, Timekeeper, Told, reexecute,
    same_json,
};
use serde_json::value::RawValue;

use crate::error::HouseError;

/// What was found out about a log that agrees with the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// How many events agree.
    pub events: u64,
    /// Whether the game is over. If not, whatever came later is not told.
    pub over: bool,
    /// Whether the deck was given, not drawn.
    pub stacked: bool,
    /// Whether the seed is one that a name stands for.
    pub named: bool,
    /// What the dice are keyed with in place of the game's id.
    pub scope: Option<String>,
    /// The first event whose time is before that of the event before it. The
    /// house reads the clock on the wall, which may have been set back.
    pub set_back: Option<u64>,
}

/// What the reader of a verdict must know beside it, each after a semicolon.
impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.over {
            f.write_str("; these are the events so far, the game is not over")?;
        }
        if self.stacked {
            f.write_str("; the deck was given, not drawn")?;
        }
        if self.named {
            f.write_str("; the seed was named, not drawn")?;
        }
        if let Some(scope) = &self.scope {
            write!(f, "; the dice depend on {scope:?} in place of the game's id")?;
        }
        if let Some(sequence) = self.set_back {
            write!(f, "; line {}: the clock was set back", sequence + 1)?;
        }
        Ok(())
    }
}

/// Plays a log again and compares everything in its envelopes.
pub(crate) fn verify<G: Offered>(envelopes: &[Envelope]) -> Result<Verified, HouseError> {
    let log = Log::<G>::read(envelopes)?;
    can_be_opened(&log)?;
    let state = reexecute(&log)?;
    compare_as_written(&log, envelopes)?;
    let opening = log.opening();
    let seal = opening.as_ref().map(|opening| &opening.seal);
    let times = envelopes.windows(2).find(|pair| pair[1].timestamp < pair[0].timestamp);
    Ok(Verified {
        events: envelopes.len() as u64,
        over: G::awaiting(&state) == Awaiting::Nobody,
        stacked: seal.is_some_and(Seal::is_stacked),
        named: seal.is_some_and(Seal::is_named),
        scope: seal.and_then(Seal::scope).map(str::to_owned),
        set_back: times.map(|pair| pair[1].sequence),
    })
}

/// Whether the house would open a game like that. Rules nobody can play and a
/// seat too many may leave no trace in what follows.
fn can_be_opened<G: Offered>(log: &Log<G>) -> Result<(), Difference> {
    let Some(opening) = log.opening() else { return Ok(()) };
    let unlike = |found: String| Difference {
        sequence: 0,
        expected: "an opening that can be played".to_owned(),
        found,
    };
    G::check(&opening.rules).map_err(|error| unlike(error.to_string()))?;
    let (seats, allowed) = (&opening.seats, G::seats(&opening.rules));
    if !allowed.contains(&seats.len()) {
        return Err(unlike(format!("{} seats", seats.len())));
    }
    if !opening.seal.gives_whole_decks() {
        return Err(unlike("a given deck without every card once".to_owned()));
    }
    let misplaced = (0..)
        .zip(seats.iter())
        .find(|(seat, sitting)| sitting.player_id != Seat(*seat).player_id());
    misplaced.map_or(Ok(()), |(seat, sitting)| {
        Err(unlike(format!("player {:?} in seat {seat}", sitting.player_id)))
    })
}

/// Compares with what the house would have written. Reading an event passes
/// over what is written beside its own fields for its readers.
fn compare_as_written<G: Told>(log: &Log<G>, envelopes: &[Envelope]) -> Result<(), Difference> {
    let written = log.envelopes(&envelopes[0].game_id);
    let mut faults = written.iter().zip(envelopes).filter_map(|(written, found)| {
        let (expected, has) = differing(written, found)?;
        Some(Difference { sequence: found.sequence, expected, found: has })
    });
    let Some(first) = faults.next() else { return Ok(()) };
    // Before pauses were left out of the times, they were told otherwise. A game
    // that was paused before and after an upgrade has both.
    let former = log.envelopes_timed(&envelopes[0].game_id, Timekeeper::that_begins_anew());
    let is_former = |fault: &Difference| {
        let place = usize::try_from(fault.sequence).unwrap_or(usize::MAX);
        let pair = former.get(place).zip(envelopes.get(place));
        pair.is_some_and(|(written, found)| differing(written, found).is_none())
    };
    let fault = std::iter::once(first).chain(faults).find(|fault| !is_former(fault));
    fault.map_or(Ok(()), Err)
}

/// What should stand there and what does, in the first field that differs.
/// Game and sequence were compared when the log was read.
fn differing(written: &Envelope, found: &Envelope) -> Option<(String, String)> {
    let fields = |envelope: &Envelope| {
        let cause = envelope.cause.as_deref().map_or("null", RawValue::get);
        [
            ("payload", envelope.payload.get().to_owned()),
            ("cause", cause.to_owned()),
            ("eventType", format!("{:?}", envelope.event_type)),
            ("timestamp", envelope.timestamp.to_string()),
            ("private", envelope.private.to_string()),
            ("v", envelope.v.to_string()),
        ]
    };
    if written == found {
        return None;
    }
    let pairs = fields(written).into_iter().zip(fields(found));
    pairs
        .filter(|((_, expected), (_, has))| expected != has && !same_json(expected, has))
        .map(|((name, expected), (_, has))| (format!("{name} {expected}"), format!("{name} {has}")))
        .next()
}
