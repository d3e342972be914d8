//! One game played at random for the laws, with everything they ask for later.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use serde_json::Value;

use super::{law, opening, player_stream, viewers};
use crate::awaiting::Awaiting;
use crate::dice::{Dice, Draw, Stream};
use crate::envelope::Cause;
use crate::game::Game;
use crate::hosted::Hosted;
use crate::log::Log;
use crate::refusal::Refuse;
use crate::run::{self, Run};
use crate::seat::{Seat, SeatSet, Viewer};
use crate::view::View;

/// No game of people takes so many steps; one that does has no end.
const STEPS: usize = 20_000;

/// A whole game.
pub(super) struct Trial<G: Game> {
    pub(super) seed: String,
    pub(super) seats: usize,
    pub(super) dice: Dice,
    pub(super) log: Log<G>,
    /// The truth before each step, and at the end.
    pub(super) states: Vec<G::State>,
    /// What was drawn in each step.
    pub(super) draws: Vec<Vec<Draw>>,
}

/// A refusal as the one who tried hears it.
pub(super) type Answer = Result<(), (&'static str, String)>;

/// What the game answers to this.
pub(super) fn answer<G: Game>(
    state: &G::State,
    seat: Seat,
    action: &G::Action,
    dice: &Dice,
    out: &mut Vec<G::Event>,
) -> Answer {
    G::decide(state, seat, action, dice, out).map_err(|no| (no.code(), no.to_string()))
}

impl<G: Game> Trial<G> {
    /// The game and where in it the last step is.
    pub(super) fn place(&self) -> String {
        self.at(self.log.steps.len())
    }

    /// The game and a step in it, counted from 1.
    pub(super) fn at(&self, step: usize) -> String {
        format!("{} '{}', {} seats, step {step}", G::NAME, self.seed, self.seats)
    }
}

impl<G: Hosted> Trial<G> {
    /// Plays a game to its end. Every option offered on the way joins the pool.
    pub(super) fn play(
        rules: &G::Rules,
        seats: usize,
        seed: &str,
        pool: &mut Pool<G>,
    ) -> Result<Trial<G>, String> {
        let dice = opening::<G>(rules, seats, seed).dice();
        let mut trial = Trial {
            seed: seed.to_owned(),
            seats,
            dice: dice.clone(),
            log: Log::default(),
            states: vec![G::State::default()],
            draws: Vec::new(),
        };
        let mut run = Run::new(dice);
        let mut views = viewers(seats).map(View::new).collect::<Vec<_>>();
        let mut players = player_stream(seed, seats);
        trial.open(rules, &mut run, &mut views)?;
        loop {
            let steps = run.log().steps.len();
            let place = trial.at(steps);
            law!(steps < STEPS, "{place}: the game does not end within {STEPS} steps");
            let next = trial.next(run.state(), &views, pool, &mut players);
            match next.map_err(|broken| format!("{place}: {broken}"))? {
                Some(cause) => trial.take(cause, &mut run, &mut views)?,
                None => break,
            }
        }
        (trial.log, _) = run.into_parts();
        Ok(trial)
    }

    fn open(
        &mut self,
        rules: &G::Rules,
        run: &mut Run<G>,
        views: &mut Vec<View<G>>,
    ) -> Result<(), String> {
        let given = opening::<G>(rules, self.seats, &self.seed);
        let (dice, drawn) = self.dice.watched();
        run.dice = dice;
        run.open(given.clone(), views);
        let told = run.log().opening();
        law!(told == Some(given), "{}: the first event does not carry the opening", self.at(1));
        self.draws.push(drawn.lock().unwrap_or_else(PoisonError::into_inner).clone());
        self.states.push(run.state().clone());
        Ok(())
    }

    /// What happens next: none if the game is over.
    fn next(
        &self,
        state: &G::State,
        views: &[View<G>],
        pool: &mut Pool<G>,
        players: &mut Stream,
    ) -> Result<Option<Cause<G::Action>>, String> {
        let seats = match G::awaiting(state) {
            Awaiting::Nobody => return Ok(None),
            Awaiting::House { .. } => return Ok(Some(Cause::House)),
            Awaiting::Seats { seats, .. } => seats,
        };
        law!(seats != SeatSet::EMPTY, "it waits for nobody, and goes on");
        let awaited: Vec<Seat> = seats.iter().collect();
        let seat = awaited[players.below(awaited.len() as u32) as usize];
        law!(seat.index() < self.seats, "{seat} is awaited, who is not there");
        let options = options_of(views, seat);
        law!(!options.is_empty(), "{seat} is awaited and has no option, as if it were out");
        options.iter().for_each(|option| pool.add(option));
        let action = options[players.below(options.len() as u32) as usize].clone();
        Ok(Some(Cause::Seat { seat, action }))
    }

    fn take(
        &mut self,
        cause: Cause<G::Action>,
        run: &mut Run<G>,
        views: &mut Vec<View<G>>,
    ) -> Result<(), String> {
        let place = self.at(run.log().steps.len() + 1);
        let (dice, drawn) = self.dice.watched();
        run.dice = dice;
        let happened = run.step(cause.clone(), views).map_err(|no| {
            let code = no.code();
            match &cause {
                Cause::Seat { seat, action } => format!(
                    "{place}: {seat} is offered {action:?}, which is refused: {code} ({no})"
                ),
                other => format!("{place}: {other:?} is refused: {code} ({no})"),
            }
        })?;
        law!(happened, "{place}: {cause:?} makes nothing happen");
        self.draws.push(drawn.lock().unwrap_or_else(PoisonError::into_inner).clone());
        self.states.push(run.state().clone());
        Ok(())
    }

    /// The step with this number, from 0, in another world or with other dice.
    pub(super) fn repeat(
        &self,
        step: usize,
        world: &G::State,
        dice: &Dice,
        out: &mut Vec<G::Event>,
    ) -> Answer {
        if step > 0 {
            let decided = run::decide::<G>(world, &self.log.steps[step].cause, dice, out);
            return decided.map_err(|no| (no.code(), no.to_string()));
        }
        if let Some(opening) = self.log.opening() {
            G::open(opening, dice, out);
        }
        Ok(())
    }
}

/// The truth and some viewers of it.
pub(super) struct TrialTable<G: Game> {
    pub(super) state: G::State,
    pub(super) views: Vec<View<G>>,
    pub(super) told: usize,
}

impl<G: Game> TrialTable<G> {
    pub(super) fn new(viewers: impl Iterator<Item = Viewer>) -> Self {
        TrialTable { state: G::State::default(), views: viewers.map(View::new).collect(), told: 0 }
    }

    pub(super) fn step(&mut self, events: &[G::Event]) {
        for event in events {
            G::apply(&mut self.state, event);
            for view in &mut self.views {
                view.witness(&self.state, event);
            }
        }
        self.told += events.len();
    }

    /// What this seat, which looks on in its own place, is offered.
    pub(super) fn options(&self, seat: Seat) -> Vec<G::Action> {
        options_of(&self.views, seat)
    }
}

/// What a seat is offered whose view is in its own place.
fn options_of<G: Game>(views: &[View<G>], seat: Seat) -> Vec<G::Action> {
    let mut options = Vec::new();
    G::options(views[seat.index()].knowledge(), &mut options);
    options
}

/// Actions to try: all that were ever offered, and their neighbours, in which
/// a number is one more or one less.
pub(super) struct Pool<G: Game> {
    known: BTreeMap<String, G::Action>,
    tried: Vec<G::Action>,
}

impl<G: Game> Pool<G> {
    pub(super) fn new() -> Self {
        Pool { known: BTreeMap::new(), tried: Vec::new() }
    }

    fn add(&mut self, action: &G::Action) {
        // What cannot be written is found when the log is.
        let Ok(written) = serde_json::to_value(action) else { return };
        if !self.keep(&written, action) {
            return;
        }
        for neighbour in neighbours(&written) {
            if let Ok(action) = serde_json::from_value(neighbour.clone()) {
                self.keep(&neighbour, &action);
            }
        }
    }

    fn keep(&mut self, written: &Value, action: &G::Action) -> bool {
        let is_new = self.known.insert(written.to_string(), action.clone()).is_none();
        if is_new {
            self.tried.push(action.clone());
        }
        is_new
    }

    /// Some of them, other ones each time.
    pub(super) fn some(&self, count: usize, random: &mut Stream) -> Vec<&G::Action> {
        if self.tried.len() <= count {
            return self.tried.iter().collect();
        }
        (0..count).filter_map(|_| random.pick(&self.tried)).collect()
    }
}

/// The same value with one number in it one more, or one less.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => {
            let near = number.as_i64().map(|number| [number - 1, number + 1]);
            near.into_iter().flatten().map(Value::from).collect()
        }
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, field)| {
                neighbours(field).into_iter().map(move |field| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), field);
                    Value::Object(fields)
                })
            })
            .collect(),
        Value::Array(items) => (0..items.len())
            .flat_map(|place| {
                neighbours(&items[place]).into_iter().map(move |item| {
                    let mut items = items.clone();
                    items[place] = item;
                    Value::Array(items)
                })
            })
            .collect(),
        _ => Vec::new(),
    }
}
