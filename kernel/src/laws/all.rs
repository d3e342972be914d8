//! All laws at once.

use super::secrets::Secrets;
use super::trial::{Pool, Trial};
use super::worlds::Exchanged;
use super::{
    imagined, law, moves, orders, player_stream, random_game, record, sight, unseen, worlds,
};
use crate::awaiting::Awaiting;
use crate::log::reexecute;
use crate::offered::Offered;

/// Checks every law with so many games at each table that the guide knows:
/// every preset, with every number of seats it is played with.
///
/// The log folds, reads back and plays again; the game ends, and says who has
/// won. What is offered is what is accepted; clocks run for those who are asked.
/// No label is used twice, and the seal is opened at the end and not before.
/// What is closed to a viewer reaches it in no way.
pub fn check_all<G: Secrets + Offered>(seeds: u32) -> Result<(), String> {
    let mut tables = Vec::new();
    for preset in G::guide().presets {
        let seats = G::seats(&preset.rules);
        tables.extend(seats.map(|seats| (preset.rules.clone(), seats)));
    }
    check_tables::<G>(&tables, seeds)
}

/// The same for these tables: rules, and a number of seats.
pub fn check_tables<G: Secrets + Offered>(
    tables: &[(G::Rules, usize)],
    seeds: u32,
) -> Result<(), String> {
    let mut pool = Pool::<G>::new();
    let mut exchanged = Exchanged::default();
    let mut won = false;
    for (rules, seats) in tables {
        law!(G::seats(rules).contains(seats), "{}: {rules:?} are not for {seats} seats", G::NAME);
        G::check(rules).map_err(|error| format!("{}: {rules:?}: {error}", G::NAME))?;
        // A first game, so that everything there is to try is tried in the others.
        Trial::<G>::play(rules, *seats, "first", &mut pool)?;
    }
    for (number, (rules, seats)) in tables.iter().enumerate() {
        for seed in 0..seeds {
            let seed = format!("law {number}/{seed}");
            let trial = Trial::<G>::play(rules, *seats, &seed, &mut pool)?;
            let mut random = player_stream(&seed, seats + 1);
            record::check(&trial)?;
            won |= record::winners(&trial)?;
            sight::check(&trial)?;
            moves::check(&trial, &pool, &mut random)?;
            orders::check(&trial, &pool, &mut random)?;
            worlds::check(&trial, &pool, &mut exchanged, &mut random)?;
            imagined::check(&trial, &mut random)?;
            unseen::check(&trial, &mut random)?;
        }
    }
    law!(won, "{}: nobody has ever won", G::NAME);
    exchanged.enough().map_err(|broken| format!("{}: {broken}", G::NAME))
}

/// The cheap laws, fit for thousands of games as `sim` plays them: each ends,
/// its log folds to the state it ended in, the invariant holds after every
/// event, and played again it is the same.
pub fn check_played<G: Secrets + Offered>(
    rules: &G::Rules,
    seats: usize,
    seed: &str,
) -> Result<(), String> {
    let (log, state) = random_game::<G>(rules, seats, seed);
    let place = format!("{} '{seed}', {seats} seats", G::NAME);
    law!(G::awaiting(&state) == Awaiting::Nobody, "{place}: the game does not end");
    let mut folded = G::State::default();
    for (sequence, event) in log.events.iter().enumerate() {
        G::apply(&mut folded, event);
        G::invariant(&folded)
            .map_err(|broken| format!("{place}: after event {sequence}: {broken}"))?;
    }
    law!(folded == state, "{place}: the log does not fold to the state it ended in");
    let again = reexecute(&log).map_err(|difference| format!("{place}: {difference}"))?;
    law!(again == state, "{place}: played again it ends differently");
    Ok(())
}
