//! Who plays a seat from what it knows, and how a game is played out in process.

use crate::dice::Stream;
use crate::envelope::Cause;
use crate::game::{Awaiting, Game, Opening};
use crate::log::Log;
use crate::seat::{Seat, SeatSet, Viewer};
use crate::view::View;

/// Someone who chooses moves. It gets the seat's knowledge and nothing else.
pub trait Player<G: Game>: Send + Sync {
    /// One of the options. There is at least one.
    fn choose(
        &mut self,
        knowledge: &G::Knowledge,
        options: &[G::Action],
        dice: &mut Stream,
    ) -> usize;

    /// What it does now: words first, if it has any, and its move last. Each
    /// becomes a step of its own.
    #[inline]
    fn act(
        &mut self,
        knowledge: &G::Knowledge,
        options: &[G::Action],
        dice: &mut Stream,
        out: &mut Vec<G::Action>,
    ) {
        let chosen = self.choose(knowledge, options, dice);
        out.extend(options.get(chosen).cloned());
    }
}

/// A kind of bot a game offers.
pub struct BotKind<G: Game> {
    /// Its name: `greedy`.
    pub name: &'static str,
    /// Other names it answers to: `easy`, `hard`.
    pub aliases: &'static [&'static str],
    /// How it plays, in a sentence.
    pub meaning: &'static str,
    /// Seats one.
    pub make: fn() -> Box<dyn Player<G>>,
}

/// Plays any of its options, each equally likely.
pub struct RandomPlayer;

impl<G: Game> Player<G> for RandomPlayer {
    #[inline]
    fn choose(&mut self, _: &G::Knowledge, options: &[G::Action], dice: &mut Stream) -> usize {
        dice.below(options.len() as u32) as usize
    }
}

/// Plays a whole game in process, logging every event, and returns the truth
/// at its end. `dice[i]` is what the player in seat `i` decides with.
///
/// Actions go through [`Game::decide`] like anyone's. A choice it refuses
/// would break the law that options are what `decide` accepts; the game is
/// then left where it stands, which every law test notices.
pub fn play_out<G: Game>(
    opening: Opening<G::Rules>,
    players: &mut [Box<dyn Player<G>>],
    player_dice: &mut [Stream],
    log: &mut Log<G>,
) -> G::State {
    let dice = opening.dice();
    let seats = 0..players.len() as u8;
    let mut views: Vec<View<G>> = seats.map(|n| View::new(Viewer::Seat(Seat(n)))).collect();
    let mut state = G::State::default();
    let mut options = Vec::new();
    let mut acts = Vec::new();
    log.begin(Cause::House, 0);
    G::open(opening, &dice, &mut log.events);
    let mut settled = log.settle(0, &mut state, &mut views);
    loop {
        match G::awaiting(&state) {
            Awaiting::Nobody => return state,
            Awaiting::House { .. } => {
                log.begin(Cause::House, 0);
                G::proceed(&state, &dice, &mut log.events);
            }
            Awaiting::Seats { seats, .. } => {
                let Some(seat) = seats.iter().next() else { return state };
                let knowledge = views[seat.index()].knowledge();
                options.clear();
                G::options(knowledge, &mut options);
                let stream = &mut player_dice[seat.index()];
                players[seat.index()].act(knowledge, &options, stream, &mut acts);
                if acts.is_empty() {
                    return state;
                }
                for action in acts.drain(..) {
                    if G::decide(&state, seat, &action, &dice, &mut log.events).is_err() {
                        return state;
                    }
                    log.begin_at(settled, Cause::Seat { seat, action }, 0);
                    settled = log.settle(settled, &mut state, &mut views);
                }
            }
        }
        settled = log.settle(settled, &mut state, &mut views);
    }
}

impl<G: Game> Log<G> {
    /// Applies the events from `first` on, in front of the eyes of everyone
    /// who still plays.
    #[inline]
    fn settle(&self, first: usize, state: &mut G::State, views: &mut [View<G>]) -> usize {
        let players = SeatSet::first(views.len()).without(G::retired(state));
        for event in &self.events[first..] {
            G::apply(state, event);
            match G::see_alike(event) {
                Some(seen) => players.iter().for_each(|seat| views[seat.index()].learn(&seen)),
                None => {
                    players.iter().for_each(|seat| views[seat.index()].follow(state, event));
                }
            }
        }
        self.events.len()
    }
}
