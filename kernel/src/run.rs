//! A game under way: open, proceed, act, settle. Simulations, a person at the
//! terminal, scripts, agents in process, tables and the laws all run games with
//! this.
//!
//! What is proposed has not happened. It happens when it is settled; until
//! then it can be withdrawn. Who has no need to wait takes a step at once.

use crate::awaiting::Awaiting;
use crate::dice::Dice;
use crate::envelope::Cause;
use crate::game::Game;
use crate::hosted::{Hosted, Order};
use crate::log::{Log, Step};
use crate::opening::Opening;
use crate::seat::Seat;
use crate::view::View;

/// What a game under way has around it: the time, and those who look on.
pub trait Context<G: Game> {
    /// When this step is made, in milliseconds since 1970.
    #[inline]
    fn now(&mut self, _cause: &Cause<G::Action>) -> u64 {
        0
    }

    /// A step is about to happen.
    #[inline]
    fn begin(&mut self, _state: &G::State) {}

    /// This happened; `state` is the truth just after it.
    fn witness(&mut self, state: &G::State, event: &G::Event);
}

/// Nobody looks on, at no time.
impl<G: Game> Context<G> for () {
    #[inline]
    fn witness(&mut self, _: &G::State, _: &G::Event) {}
}

/// Each of them sees what it may.
impl<G: Game> Context<G> for Vec<View<G>> {
    fn witness(&mut self, state: &G::State, event: &G::Event) {
        for view in self {
            view.witness(state, event);
        }
    }
}

/// A step and its events.
pub type Proposed<'a, G> = (&'a Step<<G as Game>::Action>, &'a [<G as Game>::Event]);

/// A game under way: its dice, its truth, and the log of it.
pub struct Run<G: Game> {
    pub(crate) dice: Dice,
    state: G::State,
    log: Log<G>,
    /// How many events of the log have happened.
    settled: usize,
    /// When the last step was made.
    last_at: u64,
}

impl<G: Game> Run<G> {
    /// A game that is not open yet.
    pub fn new(dice: Dice) -> Run<G> {
        Run::with_log(dice, Log::default())
    }

    /// The same, which goes on writing where this log ends. Nothing in it
    /// happens again.
    pub(crate) fn with_log(dice: Dice, log: Log<G>) -> Run<G> {
        let settled = log.events.len();
        Run { dice, state: G::State::default(), log, settled, last_at: 0 }
    }

    /// What it draws from.
    pub fn dice(&self) -> &Dice {
        &self.dice
    }

    /// The truth.
    #[inline]
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// What was settled since it was last forgotten, and what is proposed.
    #[inline]
    pub fn log(&self) -> &Log<G> {
        &self.log
    }

    /// The step that is proposed, and its events.
    pub fn proposed(&self) -> Option<Proposed<'_, G>> {
        let events = self.log.events.get(self.settled..)?;
        let step = self.log.steps.last().filter(|step| step.first as usize == self.settled)?;
        Some((step, events))
    }

    /// When the last settled step was made.
    pub fn last_at(&self) -> u64 {
        self.last_at
    }

    /// The log and the truth, once it is over or left.
    pub fn into_parts(self) -> (Log<G>, G::State) {
        (self.log, self.state)
    }

    /// Proposes the first step, at this time.
    pub fn propose_opening(&mut self, opening: Opening<G::Rules>, now: u64) {
        self.begin_step(Cause::House, now);
        G::open(opening, &self.dice, &mut self.log.events);
    }

    /// Folds a step that was stored earlier.
    pub fn refold(&mut self, at: u64, events: &[G::Event], around: &mut impl Context<G>) {
        around.begin(&self.state);
        for event in events {
            G::apply(&mut self.state, event);
            around.witness(&self.state, event);
        }
        self.last_at = at;
    }

    /// What is proposed happens. Doing nothing new is no step.
    pub fn settle(&mut self, around: &mut impl Context<G>) {
        if let Some((step, [_, ..])) = self.proposed() {
            self.last_at = step.timestamp;
        }
        self.happen(around);
    }

    #[inline(always)]
    fn happen(&mut self, around: &mut impl Context<G>) {
        // Fewer, if a game has taken away what is not its own.
        if self.log.events.len() <= self.settled {
            return self.withdraw();
        }
        around.begin(&self.state);
        for event in &self.log.events[self.settled..] {
            G::apply(&mut self.state, event);
            around.witness(&self.state, event);
        }
        self.settled = self.log.events.len();
    }

    /// What is proposed never happens.
    #[inline]
    pub fn withdraw(&mut self) {
        self.log.events.truncate(self.settled);
        if self.log.steps.last().is_some_and(|step| step.first as usize >= self.settled) {
            self.log.steps.pop();
        }
    }

    /// Lets go of the log: whoever stores it elsewhere has no need of it here.
    pub fn forget(&mut self) {
        (self.log, self.settled) = (Log::default(), 0);
    }

    /// Time never runs backwards inside a log, whatever the clock does.
    fn begin_step(&mut self, cause: Cause<G::Action>, now: u64) {
        self.log.begin(cause, now.max(self.last_at));
    }

    /// Opens the game.
    pub fn open(&mut self, opening: Opening<G::Rules>, around: &mut impl Context<G>) {
        let now = around.now(&Cause::House);
        self.propose_opening(opening, now);
        self.settle(around);
    }
}

impl<G: Hosted> Run<G> {
    /// Proposes what a cause makes happen, at this time. What is refused is not
    /// proposed.
    pub fn propose(&mut self, cause: Cause<G::Action>, now: u64) -> Result<(), G::Refusal> {
        self.begin_step(cause, now);
        self.decide()
    }

    /// Lets the house go on until a seat is awaited or nobody is. A house that
    /// does nothing is left as it is.
    #[inline]
    pub fn proceed(&mut self, around: &mut impl Context<G>) -> Awaiting {
        loop {
            let awaiting = G::awaiting(&self.state);
            let is_on = matches!(awaiting, Awaiting::House { .. })
                && self.step(Cause::House, around).is_ok_and(|happened| happened);
            if !is_on {
                return awaiting;
            }
        }
    }

    /// A seat acts. True if anything happens.
    pub fn act(
        &mut self,
        seat: Seat,
        action: G::Action,
        around: &mut impl Context<G>,
    ) -> Result<bool, G::Refusal> {
        self.step(Cause::Seat { seat, action }, around)
    }

    /// A seat's time is up. True if anything happens.
    pub fn expire(&mut self, seat: Seat, around: &mut impl Context<G>) -> bool {
        let Some(action) = G::timeout(&self.state, seat) else { return false };
        self.step(Cause::Clock { seat, action }, around).is_ok_and(|happened| happened)
    }

    /// Follows an order, if the game can now. True if anything happens.
    pub fn obey(&mut self, order: Order, around: &mut impl Context<G>) -> bool {
        self.step(Cause::Order { order }, around).is_ok_and(|happened| happened)
    }

    /// Takes a step at once. True if anything happens.
    #[inline]
    pub fn step(
        &mut self,
        cause: Cause<G::Action>,
        around: &mut impl Context<G>,
    ) -> Result<bool, G::Refusal> {
        self.step_by(|_, first, steps| steps.push(Step { first, cause, timestamp: 0 }), around)
    }

    /// The same for a step that is written where it stays, by someone who is
    /// shown the truth. The time is asked for only if something happens.
    ///
    /// This and what it calls is the fast path of simulations: inlined, so that
    /// those who look on and the time cost nothing where there are none.
    #[inline(always)]
    pub(crate) fn step_by(
        &mut self,
        write: impl FnOnce(&G::State, u32, &mut Vec<Step<G::Action>>),
        around: &mut impl Context<G>,
    ) -> Result<bool, G::Refusal> {
        write(&self.state, self.settled as u32, &mut self.log.steps);
        self.decide()?;
        let happens = self.log.events.len() > self.settled;
        if happens && let Some(step) = self.log.steps.last_mut() {
            let now = around.now(&step.cause);
            // Where there is no time, nothing is to be noted.
            if now > 0 {
                self.last_at = now.max(self.last_at);
                step.timestamp = self.last_at;
            }
        }
        self.happen(around);
        Ok(happens)
    }

    /// Decides on the last step of the log where it lies. Refused, it leaves
    /// the log.
    #[inline(always)]
    fn decide(&mut self) -> Result<(), G::Refusal> {
        let Some(step) = self.log.steps.last() else { return Ok(()) };
        let decided = decide::<G>(&self.state, &step.cause, &self.dice, &mut self.log.events);
        if decided.is_err() {
            self.withdraw();
        }
        decided
    }
}

/// What a cause makes happen, whoever runs the game.
#[inline(always)]
pub(crate) fn decide<G: Hosted>(
    state: &G::State,
    cause: &Cause<G::Action>,
    dice: &Dice,
    out: &mut Vec<G::Event>,
) -> Result<(), G::Refusal> {
    match cause {
        Cause::Seat { seat, action }
        | Cause::Clock { seat, action }
        | Cause::StandIn { seat, action } => G::decide(state, *seat, action, dice, out),
        Cause::House => {
            if let Awaiting::House { .. } = G::awaiting(state) {
                G::proceed(state, dice, out);
            }
            Ok(())
        }
        Cause::Order { order } => {
            G::obey(state, order, out);
            Ok(())
        }
    }
}
