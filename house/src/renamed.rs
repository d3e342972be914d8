//! A log with other names. A stored log never changes; where a name must not be
//! told any more, what is told is made from this one.

use std::sync::Arc;

use parlor_kernel::{Envelope, Log, LogError, Offered, Seat, Sitting, Timekeeper, Told};

use crate::error::HouseError;

/// The log as it would stand there had these seats had these names. The game is
/// opened again with them; what follows is the same, and what is written beside
/// events for their readers is written anew.
pub(crate) fn renamed<G: Offered>(
    envelopes: &[Envelope],
    names: &[(Seat, String)],
) -> Result<Vec<Envelope>, HouseError> {
    let mut log = Log::<G>::read(envelopes)?;
    let mut opening = log.opening().ok_or(LogError::NoOpening)?;
    let renamed = |(seat, sitting): (u8, &Sitting)| {
        let name = names.iter().find(|(renamed, _)| renamed.0 == seat).map(|(_, name)| name);
        Sitting { name: name.unwrap_or(&sitting.name).clone(), ..sitting.clone() }
    };
    opening.seats = (0..).zip(opening.seats.iter()).map(renamed).collect::<Arc<[_]>>();
    let dice = opening.dice();
    let mut opened = Vec::new();
    G::open(opening, &dice, &mut opened);
    // Names stand in the first event alone.
    let first = opened.into_iter().next().ok_or(LogError::NoOpening)?;
    if let Some(place) = log.events.first_mut() {
        *place = first;
    }
    Ok(rewritten::<G>(&log, envelopes))
}

/// The envelopes with what stands in their payloads beside the events' own
/// fields written anew. All else stays as it is.
fn rewritten<G: Told>(log: &Log<G>, envelopes: &[Envelope]) -> Vec<Envelope> {
    let mut state = G::State::default();
    let mut keeper = Timekeeper::default();
    let mut found = envelopes.iter();
    let mut told = Vec::with_capacity(envelopes.len());
    for (step, events) in log.by_step() {
        let times = keeper.times(step.timestamp);
        for (event, envelope) in events.iter().zip(found.by_ref()) {
            G::apply(&mut state, event);
            told.push(Envelope { payload: G::payload(&state, event, &times), ..envelope.clone() });
        }
        keeper.step::<G>(step.timestamp, &state);
    }
    told
}
