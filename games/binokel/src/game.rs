//! Binokel as the kernel plays it: each question to its file.

use std::ops::RangeInclusive;
use std::time::Duration;

use parlor_kernel::{
    Awaiting, Dice, Game, Hosted, Imagine, Opening, Order, Player, Playout, Quick, RandomPlayout,
    Seat, Stream, Told, Viewer,
};

use crate::event::{Action, Event, Seen};
use crate::knowledge::Knowledge;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::seats::at;
use crate::state::State;
use crate::{imagine, play, sight, state};

/// Binokel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binokel;

impl Game for Binokel {
    const NAME: &'static str = "binokel";
    const VERSION: u32 = 1;
    type Rules = Rules;
    type Action = Action;
    type Event = Event;
    type State = State;
    type Seen = Seen;
    type Knowledge = Knowledge;
    type Refusal = Refusal;

    fn seats(_: &Rules) -> RangeInclusive<usize> {
        2..=4
    }

    fn open(opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
        play::open(opening, dice, out);
    }

    #[inline]
    fn decide(
        state: &State,
        seat: Seat,
        action: &Action,
        dice: &Dice,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        play::decide(state, seat, action, dice, out)
    }

    /// The next round is dealt in the step that ends the last one: the house
    /// is never awaited.
    fn proceed(_: &State, _: &Dice, _: &mut Vec<Event>) {}

    #[inline]
    fn apply(state: &mut State, event: &Event) {
        state::apply(state, event);
    }

    #[inline]
    fn awaiting(state: &State) -> Awaiting {
        state::awaiting(state)
    }

    #[inline(always)]
    fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
        sight::see(state, event, viewer)
    }

    fn unaware(viewer: Viewer) -> Knowledge {
        sight::unaware(viewer)
    }

    #[inline(always)]
    fn learn(knowledge: &mut Knowledge, seen: &Seen) {
        sight::learn(knowledge, seen);
    }

    #[inline]
    fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
        sight::options(knowledge, out);
    }

    fn opening(event: &Event) -> Option<&Opening<Rules>> {
        match event {
            Event::GameStarted(start) => Some(&start.opening),
            _ => None,
        }
    }
}

impl Hosted for Binokel {
    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        state::clock(state, seat)
    }

    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        state::timeout(state, seat)
    }

    fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
        sight::asides(knowledge, out);
    }

    fn obey(state: &State, order: &Order, out: &mut Vec<Event>) {
        play::obey(state, order, out);
    }
}

impl Told for Binokel {
    fn is_private(_: &State, event: &Event) -> bool {
        matches!(
            event,
            Event::GameStarted(_)
                | Event::CardsDealt(_)
                | Event::BiddingWon(_)
                | Event::DabbTaken(_)
                | Event::CardsDiscarded(_)
        )
    }
}

impl Quick for Binokel {
    #[inline(always)]
    fn see_alike(event: &Event) -> Option<Seen> {
        sight::see_alike(event)
    }

    fn random() -> Box<dyn Player<Binokel>> {
        Box::new(RandomPlayout)
    }
}

impl Playout for Binokel {
    type Moves = Vec<Action>;

    #[inline]
    fn moves(state: &State, seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        let Some(table) = state.table.as_deref() else { return };
        sight::moves(&state.board, &table.rules, seat, state.hands[at(seat)], out);
    }
}

impl Imagine for Binokel {
    fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
        imagine::imagine(knowledge, dice)
    }
}
