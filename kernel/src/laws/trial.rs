//! One game played at random for the laws, with everything they ask for later.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use serde_json::Value;

use super::{law, opening, player_stream, viewers};
use crate::awaiting::Awaiting;
use crate::dice::{Dice, Draw, Stream};
use crate::envelope::Cause;
use crate::game::Game;
use crate::log::Log;
use crate::refusal::Refuse;
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
            dice,
            log: Log::default(),
            states: vec![G::State::default()],
            draws: Vec::new(),
        };
        let mut table = Table::<G>::new(viewers(seats));
        let mut players = player_stream(seed, seats);
        trial.open(rules, &mut table)?;
        while let Some(cause) = trial.next(&table, pool, &mut players)? {
            law!(
                trial.log.steps.len() < STEPS,
                "{}: the game does not end within {STEPS} steps",
                trial.place()
            );
            trial.take(cause, &mut table)?;
        }
        Ok(trial)
    }

    /// The game and where in it the last step is.
    pub(super) fn place(&self) -> String {
        self.at(self.log.steps.len())
    }

    /// The game and a step in it, counted from 1.
    pub(super) fn at(&self, step: usize) -> String {
        format!("{} '{}', {} seats, step {step}", G::NAME, self.seed, self.seats)
    }

    fn open(&mut self, rules: &G::Rules, table: &mut Table<G>) -> Result<(), String> {
        let given = opening::<G>(rules, self.seats, &self.seed);
        let (dice, drawn) = self.dice.watched();
        self.log.begin(Cause::House, 0);
        G::open(given.clone(), &dice, &mut self.log.events);
        let told = self.log.events.first().and_then(G::opening);
        law!(told == Some(&given), "{}: the first event does not carry the opening", self.place());
        self.draws.push(drawn.lock().unwrap_or_else(PoisonError::into_inner).clone());
        table.step(&self.log.events);
        self.states.push(table.state.clone());
        Ok(())
    }

    /// What happens next: none if the game is over.
    fn next(
        &self,
        table: &Table<G>,
        pool: &mut Pool<G>,
        players: &mut Stream,
    ) -> Result<Option<Cause<G::Action>>, String> {
        let seats = match G::awaiting(&table.state) {
            Awaiting::Nobody => return Ok(None),
            Awaiting::House { .. } => return Ok(Some(Cause::House)),
            Awaiting::Seats { seats, .. } => seats,
        };
        law!(seats != SeatSet::EMPTY, "{}: it waits for nobody, and goes on", self.place());
        let awaited: Vec<Seat> = seats.iter().collect();
        let seat = awaited[players.below(awaited.len() as u32) as usize];
        law!(seat.index() < self.seats, "{}: {seat} is awaited, who is not there", self.place());
        let options = table.options(seat);
        law!(
            !options.is_empty(),
            "{}: {seat} is awaited and has no option, as if it were out",
            self.place()
        );
        options.iter().for_each(|option| pool.add(option));
        let action = options[players.below(options.len() as u32) as usize].clone();
        Ok(Some(Cause::Seat { seat, action }))
    }

    fn take(&mut self, cause: Cause<G::Action>, table: &mut Table<G>) -> Result<(), String> {
        let (dice, drawn) = self.dice.watched();
        let mut out = Vec::new();
        self.log.begin(cause.clone(), 0);
        match &cause {
            Cause::Seat { seat, action } => {
                if let Err((code, why)) = answer::<G>(&table.state, *seat, action, &dice, &mut out)
                {
                    let place = self.place();
                    return Err(format!(
                        "{place}: {seat} is offered {action:?}, which is refused: {code} ({why})"
                    ));
                }
            }
            _ => G::proceed(&table.state, &dice, &mut out),
        }
        law!(!out.is_empty(), "{}: {cause:?} makes nothing happen", self.place());
        self.draws.push(drawn.lock().unwrap_or_else(PoisonError::into_inner).clone());
        table.step(&out);
        self.log.events.extend(out);
        self.states.push(table.state.clone());
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
        match &self.log.steps[step].cause {
            Cause::Seat { seat, action } => answer::<G>(world, *seat, action, dice, out),
            _ if step == 0 => {
                if let Some(opening) = G::opening(&self.log.events[0]) {
                    G::open(opening.clone(), dice, out);
                }
                Ok(())
            }
            _ => {
                G::proceed(world, dice, out);
                Ok(())
            }
        }
    }
}

/// The truth and some viewers of it.
pub(super) struct Table<G: Game> {
    pub(super) state: G::State,
    pub(super) views: Vec<View<G>>,
    pub(super) told: usize,
}

impl<G: Game> Table<G> {
    pub(super) fn new(viewers: impl Iterator<Item = Viewer>) -> Self {
        Table { state: G::State::default(), views: viewers.map(View::new).collect(), told: 0 }
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
        let mut options = Vec::new();
        G::options(self.views[seat.index()].knowledge(), &mut options);
        options
    }
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
