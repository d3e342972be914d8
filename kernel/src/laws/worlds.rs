//! What is closed to a viewer before and after a step reaches it in no way.
//!
//! Old secrets: two closed cells are exchanged in the truth before a step. Fresh
//! ones, which the step itself brings: two places of a shuffle or a roll are
//! exchanged. The step is repeated, and the viewer must be told the same bytes,
//! be awaited alike, and get the same answers. Dice are independent of each
//! other, so of a roll the two are also turned over to other faces: that shows a
//! sum that leaks. Such a world is followed as long as the dice stay covered.

use super::secrets::{Eyes, Secrets, is_closed, listed};
use super::sight::told;
use super::trial::{Pool, Trial, TrialTable, answer};
use super::{law, viewers};
use crate::dice::{Draw, Stream};
use crate::envelope::Cause;
use crate::offered::Offered;
use crate::seat::Viewer;
use crate::view::View;

/// Pairs of old cells that are exchanged for each viewer before each step.
const OLD: usize = 2;
/// Pairs of places that are exchanged in each draw.
const FRESH: usize = 3;
/// Actions that each seat tries in both worlds.
const TRIED: usize = 12;

/// How often secrets were exchanged before the eyes of seats, and of the public.
#[derive(Default)]
pub(super) struct Exchanged {
    old: [u32; 2],
    fresh: [u32; 2],
}

impl Exchanged {
    /// A law that compared nothing says nothing.
    pub(super) fn enough(&self) -> Result<(), String> {
        for (kind, counts) in [("old", self.old), ("fresh", self.fresh)] {
            for (viewer, count) in [("a seat", counts[0]), ("the public", counts[1])] {
                law!(
                    count > 0,
                    "nothing secret was ever exchanged before the eyes of {viewer} ({kind} \
                     secrets): see whether `secrets` lists every cell and `swap` exchanges two"
                );
            }
        }
        Ok(())
    }
}

/// Counts an exchange, except before the postmortem: to it hardly anything is
/// closed, and it stands in for nobody.
fn count(counts: &mut [u32; 2], viewer: Viewer) {
    if viewer != Viewer::Postmortem {
        counts[usize::from(viewer.seat().is_none())] += 1;
    }
}

/// A world that differs from the truth in what is in these two cells.
struct World<G: Secrets> {
    state: G::State,
    cells: [G::Cell; 2],
}

/// A step of the true game, and what is secret before it and after each event.
struct Moment<'a, G: Secrets> {
    trial: &'a Trial<G>,
    step: usize,
    before: &'a G::State,
    after: &'a G::State,
    events: &'a [G::Event],
    secrets: Vec<Vec<(G::Cell, Eyes)>>,
}

pub(super) fn check<G: Secrets + Offered>(
    trial: &Trial<G>,
    pool: &Pool<G>,
    exchanged: &mut Exchanged,
    random: &mut Stream,
) -> Result<(), String> {
    let mut table = TrialTable::<G>::new(viewers(trial.seats));
    let mut followed: Vec<World<G>> = Vec::new();
    for (step, (_, events)) in trial.log.by_step().enumerate() {
        let moment = Moment::new(trial, step, events);
        let mut next = Vec::new();
        for world in followed {
            next.extend(moment.follow(world, pool, exchanged, random)?);
        }
        moment.exchange_old(pool, exchanged, random)?;
        for draw in &trial.draws[step] {
            next.extend(moment.exchange_fresh(draw, &table.views, exchanged, random)?);
        }
        followed = next;
        table.step(events);
    }
    Ok(())
}

impl<'a, G: Secrets + Offered> Moment<'a, G> {
    fn new(trial: &'a Trial<G>, step: usize, events: &'a [G::Event]) -> Self {
        let (before, after) = (&trial.states[step], &trial.states[step + 1]);
        let mut state = before.clone();
        let mut secrets = vec![listed::<G>(before)];
        for event in events {
            G::apply(&mut state, event);
            secrets.push(listed::<G>(&state));
        }
        Moment { trial, step, before, after, events, secrets }
    }

    /// The postmortem comes last: to it only that is closed which stays so for
    /// good.
    fn viewers(&self) -> impl Iterator<Item = Viewer> + use<G> {
        viewers(self.trial.seats).chain([Viewer::Postmortem])
    }

    /// Whether the viewer may not look into this cell in the whole step.
    fn stays_closed(&self, cell: &G::Cell, viewer: Viewer) -> bool {
        self.secrets.iter().all(|cells| is_closed(cells, cell, viewer))
    }

    /// Exchanges cells that were closed before the step.
    fn exchange_old(
        &self,
        pool: &Pool<G>,
        exchanged: &mut Exchanged,
        random: &mut Stream,
    ) -> Result<(), String> {
        for viewer in self.viewers() {
            let cells = self.secrets[0].iter().map(|(cell, _)| *cell);
            let closed: Vec<G::Cell> =
                cells.filter(|cell| self.stays_closed(cell, viewer)).collect();
            for _ in 0..OLD {
                let (Some(one), Some(other)) = (random.pick(&closed), random.pick(&closed)) else {
                    continue;
                };
                let mut state = self.before.clone();
                if G::swap(&mut state, *one, *other) && state != *self.before {
                    let world = World { state, cells: [*one, *other] };
                    self.repeat(&world, viewer, pool, exchanged, random)?;
                }
            }
        }
        Ok(())
    }

    /// Goes through the step in another world as well, for everyone to whom it
    /// is no other world; gives it back as it is then, if such are left.
    fn follow(
        &self,
        world: World<G>,
        pool: &Pool<G>,
        exchanged: &mut Exchanged,
        random: &mut Stream,
    ) -> Result<Option<World<G>>, String> {
        let mut next = None;
        for viewer in self.viewers() {
            if world.cells.iter().all(|cell| self.stays_closed(cell, viewer)) {
                next = self.repeat(&world, viewer, pool, exchanged, random)?.or(next);
            }
        }
        Ok(next.map(|state| World { state, cells: world.cells }))
    }

    /// Repeats the step in another world before the eyes of one viewer. None
    /// where the one who acts could not have done so there.
    fn repeat(
        &self,
        world: &World<G>,
        viewer: Viewer,
        pool: &Pool<G>,
        exchanged: &mut Exchanged,
        random: &mut Stream,
    ) -> Result<Option<G::State>, String> {
        self.ask_alike(world, viewer, pool, random)?;
        let mut events = Vec::new();
        let is_own = matches!(
            &self.trial.log.steps[self.step].cause,
            Cause::Seat { seat, .. } if viewer == Viewer::Seat(*seat)
        );
        let taken = match &self.trial.log.steps[self.step].cause {
            Cause::Seat { seat, action } if !is_own => {
                let [one, other] = world.cells;
                let action = G::carried(self.before, action, one, other);
                answer::<G>(&world.state, *seat, &action, &self.trial.dice, &mut events)
            }
            _ => self.trial.repeat(self.step, &world.state, &self.trial.dice, &mut events),
        };
        if let Err((code, why)) = taken {
            law!(!is_own, "{}: {code} ({why}) tells {viewer} a secret", self.place(&world.cells));
            return Ok(None);
        }
        self.tell_alike(&world.state, &events, viewer, &world.cells)?;
        count(&mut exchanged.old, viewer);
        let mut state = world.state.clone();
        events.iter().for_each(|event| G::apply(&mut state, event));
        Ok(Some(state))
    }

    /// Whatever a seat tries, it is answered alike in both worlds.
    fn ask_alike(
        &self,
        world: &World<G>,
        viewer: Viewer,
        pool: &Pool<G>,
        random: &mut Stream,
    ) -> Result<(), String> {
        let Viewer::Seat(seat) = viewer else { return Ok(()) };
        for action in pool.some(TRIED, random) {
            let answer =
                |state| answer::<G>(state, seat, action, &self.trial.dice, &mut Vec::new());
            let (here, there) = (answer(self.before), answer(&world.state));
            law!(
                here == there,
                "{}: the answer to {action:?} tells {viewer} a secret: {here:?} here, {there:?} \
                 there",
                self.place(&world.cells)
            );
        }
        Ok(())
    }

    /// A viewer is told the same of the step in both worlds, and asked the same.
    fn tell_alike(
        &self,
        world: &G::State,
        events: &[G::Event],
        viewer: Viewer,
        cells: &[G::Cell; 2],
    ) -> Result<(), String> {
        let here = Telling::of::<G>(self.before, self.events, viewer);
        let there = Telling::of::<G>(world, events, viewer);
        let place = || self.place(cells);
        for (here, there) in here.told.iter().zip(&there.told) {
            law!(
                here == there,
                "{}: {viewer} is told a secret: {here} here, {there} there",
                place()
            );
        }
        law!(
            here.told.len() == there.told.len(),
            "{}: {viewer} is told a secret by how much it is told",
            place()
        );
        law!(
            here.asked == there.asked,
            "{}: what {viewer} is asked tells it a secret: {} here, {} there",
            place(),
            here.asked,
            there.asked
        );
        Ok(())
    }

    /// Exchanges two places of what the step draws. Gives worlds to follow.
    fn exchange_fresh(
        &self,
        draw: &Draw,
        views: &[View<G>],
        exchanged: &mut Exchanged,
        random: &mut Stream,
    ) -> Result<Vec<World<G>>, String> {
        let mut worlds = Vec::new();
        for _ in 0..FRESH {
            let places = draw.outcome.len() as u32;
            let (one, other) = (random.below(places) as usize, random.below(places) as usize);
            let mut outcome = draw.outcome.clone();
            if one == other || outcome[one] == outcome[other] {
                continue;
            }
            outcome.swap(one, other);
            let Some((events, after)) = self.drawn(draw, outcome) else { continue };
            let cells = [one, other].map(|place| G::drawn(self.after, &draw.label, place));
            let pairs = match cells {
                [Some(one), Some(other)] => vec![[one, other]],
                _ => self.pairs_between(&after),
            };
            for (place, viewer) in self.viewers().enumerate() {
                let is_closed = |cell: &G::Cell| is_closed(self.secrets_after(), cell, viewer);
                if let Some(pair) = pairs.iter().find(|pair| pair.iter().all(is_closed)) {
                    self.tell_alike(self.before, &events, viewer, pair)?;
                    count(&mut exchanged.fresh, viewer);
                } else if let Some(view) = views.get(place)
                    && let Some(pair) = pairs.iter().find(|pair| pair.iter().any(is_closed))
                {
                    self.learn_apart(view, &events, pair)?;
                }
            }
            if let Some(pair) = pairs.first()
                && draw.faces > 1
            {
                worlds.extend(self.turn_over(draw, [one, other], *pair, exchanged)?);
            }
        }
        Ok(worlds)
    }

    /// Turns two dice of a roll over to their next faces.
    fn turn_over(
        &self,
        draw: &Draw,
        places: [usize; 2],
        cells: [G::Cell; 2],
        exchanged: &mut Exchanged,
    ) -> Result<Option<World<G>>, String> {
        let mut outcome = draw.outcome.clone();
        for place in places {
            outcome[place] = outcome[place] % u16::from(draw.faces) + 1;
        }
        let Some((events, state)) = self.drawn(draw, outcome) else { return Ok(None) };
        if listed::<G>(&state) != *self.secrets_after() {
            return Ok(None);
        }
        for viewer in self.viewers() {
            if cells.iter().all(|cell| is_closed(self.secrets_after(), cell, viewer)) {
                self.tell_alike(self.before, &events, viewer, &cells)?;
                count(&mut exchanged.fresh, viewer);
            }
        }
        Ok(Some(World { state, cells }))
    }

    /// The step with another outcome of a draw: its events, and the state after
    /// it, if that is another one.
    fn drawn(&self, draw: &Draw, outcome: Vec<u16>) -> Option<(Vec<G::Event>, G::State)> {
        let dice = self.trial.dice.with(&draw.label, outcome);
        let mut events = Vec::new();
        self.trial.repeat(self.step, self.before, &dice, &mut events).ok()?;
        let mut state = self.before.clone();
        events.iter().for_each(|event| G::apply(&mut state, event));
        (state != *self.after).then_some((events, state))
    }

    /// The pairs of cells that, exchanged after the step, make it this state.
    fn pairs_between(&self, other: &G::State) -> Vec<[G::Cell; 2]> {
        let cells = self.secrets_after();
        let mut pairs = Vec::new();
        for (place, (one, _)) in cells.iter().enumerate() {
            for (another, _) in &cells[place + 1..] {
                let mut state = self.after.clone();
                if G::swap(&mut state, *one, *another) && state == *other {
                    pairs.push([*one, *another]);
                }
            }
        }
        pairs
    }

    /// A viewer who may look into one of two cells knows which is in it.
    fn learn_apart(
        &self,
        view: &View<G>,
        events: &[G::Event],
        cells: &[G::Cell; 2],
    ) -> Result<(), String> {
        let knowing = |events: &[G::Event]| {
            let (mut view, mut state) = (view.clone(), self.before.clone());
            for event in events {
                G::apply(&mut state, event);
                view.witness(&state, event);
            }
            view
        };
        let (here, there) = (knowing(self.events), knowing(events));
        law!(
            here.knowledge() != there.knowledge(),
            "{}: {} may look into one of the two and does not know what is there",
            self.place(cells),
            view.viewer()
        );
        Ok(())
    }

    fn secrets_after(&self) -> &Vec<(G::Cell, Eyes)> {
        // There is a list for the state before and after each event.
        &self.secrets[self.secrets.len() - 1]
    }

    fn place(&self, [one, other]: &[G::Cell; 2]) -> String {
        let place = self.trial.at(self.step + 1);
        format!("{place}, with {one:?} and {other:?} otherwise")
    }
}

/// What one viewer gets to know of a step.
struct Telling {
    told: Vec<String>,
    asked: String,
}

impl Telling {
    fn of<G: Offered>(before: &G::State, events: &[G::Event], viewer: Viewer) -> Telling {
        let mut state = before.clone();
        let mut heard = Vec::new();
        for event in events {
            G::apply(&mut state, event);
            heard.extend(told::<G>(&state, event, viewer));
        }
        let asked = viewer.seat().map(|seat| {
            let is_awaited = G::awaiting(&state).includes(seat);
            (is_awaited, G::clock(&state, seat), G::timeout(&state, seat))
        });
        Telling { told: heard, asked: format!("{asked:?}") }
    }
}
