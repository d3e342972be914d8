//! Who plays a seat from what it knows, and how a game is played out in process.

use crate::dice::Stream;
use crate::game::Game;
use crate::hosted::Hosted;
use crate::log::Log;
use crate::opening::Opening;
use crate::playout::{Blind, Quick};
use crate::run::{Context, Run};
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
pub fn play_out<G: Quick + Hosted>(
    opening: Opening<G::Rules>,
    players: &mut [Box<dyn Player<G>>],
    player_dice: &mut impl PlayersDice,
    log: &mut Log<G>,
) -> G::State {
    let mut blind: Vec<_> = players.iter().map(|player| player.blind()).collect();
    let mut circle = Circle::new(players, &blind);
    let mut run = Run::with_log(opening.dice(), std::mem::take(log));
    let mut acts = Vec::new();
    run.open(opening, &mut circle);
    while let Some(seat) = run.proceed(&mut circle).first() {
        let dice = player_dice.of(seat);
        let is_taken = match &mut blind[seat.index()] {
            Some(blind) => {
                let write = |state: &G::State, first, steps: &mut Vec<_>| {
                    blind.step(state, seat, dice, first, steps);
                };
                run.step_by(write, &mut circle).is_ok_and(|happened| happened)
            }
            None => {
                circle.ask(seat, dice, &mut acts);
                !acts.is_empty()
                    && acts.drain(..).all(|action| run.act(seat, action, &mut circle).is_ok())
            }
        };
        if !is_taken {
            break;
        }
    }
    let (played, state) = run.into_parts();
    *log = played;
    state
}

/// The players of a game that is played out, each with a view, if it looks.
struct Circle<'a, G: Quick> {
    players: &'a mut [Box<dyn Player<G>>],
    views: Vec<View<G>>,
    /// Who has eyes.
    looking: SeatSet,
    /// Who of them still plays.
    watching: SeatSet,
    options: Vec<G::Action>,
}

impl<'a, G: Quick> Circle<'a, G> {
    fn new(
        players: &'a mut [Box<dyn Player<G>>],
        blind: &[Option<Box<dyn Blind<G>>>],
    ) -> Circle<'a, G> {
        let seats = || (0..players.len() as u8).map(Seat);
        let looking: SeatSet = seats().filter(|seat| blind[seat.index()].is_none()).collect();
        let views = match looking.is_empty() {
            true => Vec::new(),
            false => seats().map(|seat| View::new(Viewer::Seat(seat))).collect(),
        };
        Circle { players, views, looking, watching: looking, options: Vec::new() }
    }

    /// What this seat, which looks, does now.
    fn ask(&mut self, seat: Seat, dice: &mut Stream, acts: &mut Vec<G::Action>) {
        let knowledge = self.views[seat.index()].knowledge();
        self.options.clear();
        G::options(knowledge, &mut self.options);
        self.players[seat.index()].act(knowledge, &self.options, dice, acts);
    }
}

/// Those who still play see each event, if they look at all.
impl<G: Quick> Context<G> for Circle<'_, G> {
    #[inline(always)]
    fn begin(&mut self, state: &G::State) {
        if !self.looking.is_empty() {
            self.watching = self.looking.without(G::retired(state));
        }
    }

    #[inline(always)]
    fn witness(&mut self, state: &G::State, event: &G::Event) {
        if self.watching.is_empty() {
            return;
        }
        match G::see_alike(event) {
            Some(seen) => {
                self.watching.iter().for_each(|seat| self.views[seat.index()].learn(&seen));
            }
            None => {
                self.watching.iter().for_each(|seat| self.views[seat.index()].follow(state, event));
            }
        }
    }
}
