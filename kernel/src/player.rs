//! Who plays a seat from what it knows, and how a game is played out in process.

use crate::awaiting::Awaiting;
use crate::dice::{Dice, Stream};
use crate::envelope::Cause;
use crate::game::Game;
use crate::log::{Log, Step};
use crate::opening::Opening;
use crate::playout::{Blind, Quick};
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

    /// How it plays, if it never looks at what is known.
    fn blind(&self) -> Option<Box<dyn Blind<G>>> {
        None
    }
}

/// What players decide with: a stream for each seat, or one for all of them.
pub trait PlayersDice {
    /// The stream of this seat.
    fn of(&mut self, seat: Seat) -> &mut Stream;
}

impl PlayersDice for Vec<Stream> {
    #[inline]
    fn of(&mut self, seat: Seat) -> &mut Stream {
        &mut self[seat.index()]
    }
}

impl PlayersDice for Stream {
    #[inline]
    fn of(&mut self, _: Seat) -> &mut Stream {
        self
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

impl<G: Quick> BotKind<G> {
    /// A bot that plays at random.
    pub fn random(aliases: &'static [&'static str]) -> BotKind<G> {
        let meaning = "plays any legal move, each equally likely";
        BotKind { name: "random", aliases, meaning, make: G::random }
    }
}

/// Plays any of its options, each equally likely.
pub struct RandomPlayer;

impl<G: Game> Player<G> for RandomPlayer {
    fn choose(&mut self, _: &G::Knowledge, options: &[G::Action], dice: &mut Stream) -> usize {
        dice.below(options.len() as u32) as usize
    }
}

/// Plays a whole game in process, logging every event, and returns the truth
/// at its end.
///
/// Actions go through [`Game::decide`] like anyone's. A choice it refuses
/// would break the law that options are what `decide` accepts; the game is
/// then left where it stands, which every law test notices.
pub fn play_out<G: Quick>(
    opening: Opening<G::Rules>,
    players: &mut [Box<dyn Player<G>>],
    player_dice: &mut impl PlayersDice,
    log: &mut Log<G>,
) -> G::State {
    let dice = opening.dice();
    let mut circle = Circle::new(players);
    let mut state = G::State::default();
    let mut acts = Vec::new();
    log.begin(Cause::House, 0);
    G::open(opening, &dice, &mut log.events);
    circle.settle(log, 0, &mut state);
    loop {
        match G::awaiting(&state) {
            Awaiting::Nobody => return state,
            Awaiting::House { .. } => {
                let first = log.events.len();
                log.begin(Cause::House, 0);
                G::proceed(&state, &dice, &mut log.events);
                circle.settle(log, first, &mut state);
            }
            Awaiting::Seats { seats, .. } => {
                let Some(seat) = seats.iter().next() else { return state };
                let own_dice = player_dice.of(seat);
                let taken = match &mut circle.blind[seat.index()] {
                    Some(blind) => {
                        let first = log.events.len() as u32;
                        blind.step(&state, seat, own_dice, first, &mut log.steps);
                        circle.take(&dice, log, &mut state)
                    }
                    None => {
                        circle.ask(seat, own_dice, &mut acts);
                        !acts.is_empty()
                            && acts.drain(..).all(|action| {
                                log.begin(Cause::Seat { seat, action }, 0);
                                circle.take(&dice, log, &mut state)
                            })
                    }
                };
                if !taken {
                    return state;
                }
            }
        }
    }
}

/// The players of a game that is played out, each with a view, if it looks.
struct Circle<'a, G: Quick> {
    players: &'a mut [Box<dyn Player<G>>],
    blind: Vec<Option<Box<dyn Blind<G>>>>,
    views: Vec<View<G>>,
    /// Who has eyes.
    looking: SeatSet,
    options: Vec<G::Action>,
}

impl<'a, G: Quick> Circle<'a, G> {
    fn new(players: &'a mut [Box<dyn Player<G>>]) -> Circle<'a, G> {
        let seats = || (0..players.len() as u8).map(Seat);
        let blind: Vec<_> = players.iter().map(|player| player.blind()).collect();
        let looking: SeatSet = seats().filter(|seat| blind[seat.index()].is_none()).collect();
        let views = match looking.is_empty() {
            true => Vec::new(),
            false => seats().map(|seat| View::new(Viewer::Seat(seat))).collect(),
        };
        Circle { players, blind, views, looking, options: Vec::new() }
    }

    /// What this seat, which looks, does now.
    fn ask(&mut self, seat: Seat, dice: &mut Stream, acts: &mut Vec<G::Action>) {
        let knowledge = self.views[seat.index()].knowledge();
        self.options.clear();
        G::options(knowledge, &mut self.options);
        self.players[seat.index()].act(knowledge, &self.options, dice, acts);
    }

    /// Whether the game takes the action that begins the last step of the log.
    /// It is decided on where it lies; refused, it leaves the log.
    #[inline]
    fn take(&mut self, dice: &Dice, log: &mut Log<G>, state: &mut G::State) -> bool {
        let first = log.events.len();
        let taken = match log.steps.last() {
            Some(Step { cause: Cause::Seat { seat, action }, .. }) => {
                G::decide(state, *seat, action, dice, &mut log.events).is_ok()
            }
            _ => false,
        };
        if taken {
            self.settle(log, first, state);
        } else {
            log.steps.pop();
        }
        taken
    }

    /// Applies the events from `first` on, in front of the eyes of everyone
    /// who still plays.
    #[inline]
    fn settle(&mut self, log: &Log<G>, first: usize, state: &mut G::State) {
        let events = &log.events[first..];
        if self.looking.is_empty() {
            return events.iter().for_each(|event| G::apply(state, event));
        }
        let looking = self.looking.without(G::retired(state));
        for event in events {
            G::apply(state, event);
            match G::see_alike(event) {
                Some(seen) => {
                    looking.iter().for_each(|seat| self.views[seat.index()].learn(&seen));
                }
                None => {
                    looking.iter().for_each(|seat| self.views[seat.index()].follow(state, event));
                }
            }
        }
    }
}
