//! A whole game in process, with agents who take their time.
//!
//! One seat decides at a time, the lowest awaited one first, and sees what
//! those before it did where the rules show it. Where they do not, agents that
//! take their time are asked at once. What an agent does is taken by the game
//! while it is produced, like anyone's action; what the game refuses is not
//! taken. An agent that has nothing acceptable to say has its seat's time run
//! out.

use std::sync::Arc;

use parlor_kernel::{
    Cause, Context, Hosted, Log, Opening, Order, Run, Seat, SeatSet, View, Viewer,
};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::agent::{Agent, Question};
use crate::asking::{Asking, Turn};
use crate::clock::{Clock, WallClock};
use crate::control::{ControlGate, Controller, Go};

/// Everything a game in process needs.
pub struct AgentGame<G: Hosted> {
    /// Rules, seats and seed.
    pub opening: Opening<G::Rules>,
    /// Who plays, seat by seat.
    pub agents: Vec<Box<dyn Agent<G>>>,
    /// Where times come from.
    pub clock: Arc<dyn Clock>,
    /// Pauses, steps and ends it.
    pub control: Controller,
    /// Who may be asked at once with this seat: those who do not see what the
    /// others decide.
    pub together: fn(&G::State, Seat) -> SeatSet,
}

/// A game that was played.
pub struct Played<G: Hosted> {
    /// Everything that happened.
    pub log: Log<G>,
    /// The truth at its end.
    pub state: G::State,
}

/// Someone who watches: told every event with the truth just after it.
pub trait Observer<G: Hosted>: Send {
    /// This happened.
    fn witness(&mut self, state: &G::State, event: &G::Event);
}

/// Nobody watches.
pub struct Unobserved;

impl<G: Hosted> Observer<G> for Unobserved {
    fn witness(&mut self, _: &G::State, _: &G::Event) {}
}

impl<G: Hosted> AgentGame<G> {
    /// A game played at once, by the clock on the wall.
    pub fn new(opening: Opening<G::Rules>, agents: Vec<Box<dyn Agent<G>>>) -> AgentGame<G> {
        AgentGame {
            opening,
            agents,
            clock: Arc::new(WallClock),
            control: Controller::default(),
            together: |_, seat| SeatSet::only(seat),
        }
    }

    /// Plays it from its first event to its last.
    pub async fn play(self, observer: &mut dyn Observer<G>) -> Played<G> {
        let AgentGame { opening, agents, clock, control, together } = self;
        let seats = (0..agents.len() as u8).map(|seat| Viewer::Seat(Seat(seat)));
        let circle = Circle { views: seats.map(View::new).collect(), clock, observer };
        let mut game = AgentRun { run: Run::new(opening.dice()), circle };
        game.run.open(opening, &mut game.circle);
        for (seat, agent) in agents.iter().enumerate() {
            if let Some(introduction) = agent.introduction() {
                // A game that does not take it does without.
                let _ = game.run.act(Seat(seat as u8), introduction, &mut game.circle);
            }
        }
        game.play(&mut Asking::new(agents), together, &mut control.gate()).await;
        let (log, state) = game.run.into_parts();
        Played { log, state }
    }
}

/// A game under way among agents.
struct AgentRun<'a, G: Hosted> {
    run: Run<G>,
    circle: Circle<'a, G>,
}

/// Everyone's view, whoever watches, and the time.
struct Circle<'a, G: Hosted> {
    views: Vec<View<G>>,
    clock: Arc<dyn Clock>,
    observer: &'a mut dyn Observer<G>,
}

impl<G: Hosted> Context<G> for Circle<'_, G> {
    /// What leads a game is not part of it: a replay has no orders, and their
    /// times must not take the place of others.
    fn now(&mut self, cause: &Cause<G::Action>) -> u64 {
        match cause {
            Cause::Order { .. } => WallClock.now(),
            _ => self.clock.now(),
        }
    }

    fn witness(&mut self, state: &G::State, event: &G::Event) {
        for view in &mut self.views {
            view.follow(state, event);
        }
        self.observer.witness(state, event);
    }
}

/// An agent that is asked the very same thing so often in a row does not
/// decide.
const PATIENCE: u32 = 3;

impl<G: Hosted> AgentRun<'_, G> {
    fn obey(&mut self, order: Order) {
        self.run.obey(order, &mut self.circle);
    }

    async fn play(
        &mut self,
        agents: &mut Asking<G>,
        together: fn(&G::State, Seat) -> SeatSet,
        gate: &mut ControlGate,
    ) {
        let mut asked: Option<(Seat, Vec<G::Action>)> = None;
        let mut times = 0;
        loop {
            let Some(seat) = self.run.proceed(&mut self.circle).first() else { return };
            if gate.holds_decision() {
                self.obey(Order::Pause);
            }
            let (go, is_step) = gate.decision().await;
            self.obey(Order::Resume);
            if let Go::CalledOff(reason) = go {
                self.obey(Order::CallOff { reason });
                return;
            }
            let options = self.options(seat);
            let now_asked = Some((seat, options.clone()));
            times = if asked == now_asked { times + 1 } else { 1 };
            asked = now_asked;
            let decided = self.is_to_be_asked(seat) && times < PATIENCE && {
                for other in together(self.run.state(), seat).iter() {
                    let is_awaited = G::awaiting(self.run.state()).includes(other);
                    let is_worth_it = agents.is_worth_asking_early(other);
                    if is_awaited && is_worth_it && self.is_to_be_asked(other) {
                        agents.ask(other, self.question(other, self.options(other)));
                    }
                }
                let turn = agents.turn(seat, &options).or_else(|| {
                    agents.ask(seat, self.question(seat, options.clone()));
                    agents.turn(seat, &options)
                });
                match turn {
                    Some(turn) => self.take(seat, turn, gate, is_step).await,
                    None => false,
                }
            };
            let is_awaited = G::awaiting(self.run.state()).includes(seat);
            if !decided && is_awaited && !self.run.expire(seat, &mut self.circle) {
                return;
            }
        }
    }

    /// A clock that has run out already is a game's way to say that this seat
    /// is not asked any more.
    fn is_to_be_asked(&self, seat: Seat) -> bool {
        G::clock(self.run.state(), seat).is_none_or(|clock| !clock.is_zero())
    }

    fn options(&self, seat: Seat) -> Vec<G::Action> {
        let mut options = Vec::new();
        G::options(self.circle.views[seat.index()].knowledge(), &mut options);
        options
    }

    fn question(&self, seat: Seat, options: Vec<G::Action>) -> Question<G> {
        let label = format!("bot/{}/{}", seat.0, self.run.log().events.len());
        let knowledge = self.circle.views[seat.index()].knowledge().clone();
        Question { knowledge, options, dice: self.run.dice().stream(label) }
    }

    /// Takes what an agent does. True if the last of it was taken.
    async fn take(
        &mut self,
        seat: Seat,
        mut turn: Turn<G>,
        gate: &mut ControlGate,
        is_step: bool,
    ) -> bool {
        let mut taken = false;
        loop {
            let action = tokio::select! {
                biased;
                _ = gate.called_off() => return true,
                action = turn.next() => action,
            };
            let Some(action) = action else { return taken };
            if gate.holds_word(is_step) {
                self.obey(Order::Pause);
                gate.word().await;
                self.obey(Order::Resume);
            }
            taken = self.run.act(seat, action, &mut self.circle).is_ok();
            gate.breathe().await;
        }
    }
}

/// Plays many games, at most `at_once` of them at a time, and hands over each
/// as it ends. They may end in any order.
pub async fn play_many<G: Hosted, T: Send + 'static>(
    games: impl Iterator<Item = (T, AgentGame<G>)>,
    at_once: usize,
    mut ended: impl FnMut(T, Played<G>),
) {
    let places = Arc::new(Semaphore::new(at_once.max(1)));
    let mut running = JoinSet::new();
    for (ticket, game) in games {
        // The semaphore is never closed.
        let place = Arc::clone(&places).acquire_owned().await;
        while let Some(done) = running.try_join_next() {
            hand_over(done, &mut ended);
        }
        running.spawn(async move {
            let played = game.play(&mut Unobserved).await;
            drop(place);
            (ticket, played)
        });
    }
    while let Some(done) = running.join_next().await {
        hand_over(done, &mut ended);
    }
}

/// A game that panicked takes this thread with it: it is a defect, and a
/// count without that game would hide it.
fn hand_over<G: Hosted, T>(
    done: Result<(T, Played<G>), tokio::task::JoinError>,
    ended: &mut impl FnMut(T, Played<G>),
) {
    match done {
        Ok((ticket, played)) => ended(ticket, played),
        Err(error) => {
            if let Ok(panic) = error.try_into_panic() {
                std::panic::resume_unwind(panic);
            }
        }
    }
}
