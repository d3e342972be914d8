//! The laws every game keeps, checked by playing it.
//!
//! A game's tests call [`check_all`]; a broken law comes back as a sentence that
//! names the cause, the game, the seed and the place, so that it can be played
//! again. What is secret the game says once, in [`Secrets`], beside its state:
//! the laws exchange *that* and compare what viewers are told, so that nothing
//! passes by being leaked.

mod all;
mod imagined;
mod moves;
mod orders;
mod record;
mod secrets;
mod sight;
mod trial;
mod unseen;
mod worlds;

use crate::dice::{Seed, Stream};
use crate::game::Game;
use crate::hosted::Hosted;
use crate::log::Log;
use crate::opening::{Opening, Sitting};
use crate::player::{Player, play_out};
use crate::playout::Quick;
use crate::seal::Seal;
use crate::seat::{Seat, Viewer};

pub use all::{check_all, check_played, check_tables};
pub use secrets::{Eyes, Secrets};

/// Unless it holds, the law is broken, and this is the sentence.
macro_rules! law {
    ($holds:expr, $($sentence:tt)+) => {
        if !$holds {
            return Err(format!($($sentence)+));
        }
    };
}
use law;

/// A random game from a named seed: its log and the truth at its end.
pub fn random_game<G: Quick + Hosted>(
    rules: &G::Rules,
    seats: usize,
    seed: &str,
) -> (Log<G>, G::State) {
    let mut players: Vec<Box<dyn Player<G>>> = Vec::new();
    let mut dice = Vec::new();
    for seat in 0..seats {
        players.push(G::random());
        dice.push(player_stream(seed, seat));
    }
    let mut log = Log::default();
    let opening = opening::<G>(rules, seats, seed);
    let state = play_out(opening, &mut players, &mut dice, &mut log);
    (log, state)
}

/// The opening of a game for the laws: players are called by their seats.
pub fn opening<G: Game>(rules: &G::Rules, seats: usize, seed: &str) -> Opening<G::Rules> {
    let sitting = |seat: usize| Sitting {
        player_id: Seat(seat as u8).player_id(),
        name: format!("Player {}", seat + 1),
        bot: None,
    };
    Opening {
        game_id: "law".to_owned(),
        rules: rules.clone(),
        seats: (0..seats).map(sitting).collect(),
        seal: Seal::named(seed),
    }
}

fn player_stream(seed: &str, seat: usize) -> Stream {
    crate::dice::Dice::new(&Seed::named(seed), "players").stream(format_args!("bot/{seat}"))
}

fn viewers(seats: usize) -> impl Iterator<Item = Viewer> + Clone {
    (0..seats as u8).map(|n| Viewer::Seat(Seat(n))).chain([Viewer::Public])
}
