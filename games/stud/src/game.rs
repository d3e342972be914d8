//! Seven Card Stud as the kernel plays it: each question to its file.

use std::ops::RangeInclusive;
use std::time::Duration;

use parlor_kernel::{
    Awaiting, Dice, Game, Hosted, Imagine, Opening, Order, Player, Playout, Quick, RandomPlayout,
    Seat, Stream, Told, Viewer,
};

use crate::action::{Action, Refusal};
use crate::event::{Event, Seen};
use crate::rules::Rules;
use crate::state::{Knowledge, State};
use crate::{play, sight};

/// Seven Card Stud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stud;

impl Game for Stud {
    const NAME: &'static str = "stud";
    const VERSION: u32 = 1;
    type Rules = Rules;
    type Action = Action;
    type Event = Event;
    type State = State;
    type Seen = Seen;
    type Knowledge = Knowledge;
    type Refusal = Refusal;

    fn seats(rules: &Rules) -> RangeInclusive<usize> {
        rules.seats()
    }

    fn open(opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
        play::open(opening, dice, out);
    }

    #[inline]
    fn decide(
        state: &State,
        seat: Seat,
        action: &Action,
        _: &Dice,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        play::decide(state, seat, *action, out)
    }

    fn proceed(state: &State, dice: &Dice, out: &mut Vec<Event>) {
        play::proceed(state, dice, out);
    }

    #[inline]
    fn apply(state: &mut State, event: &Event) {
        play::apply(state, event);
    }

    #[inline]
    fn awaiting(state: &State) -> Awaiting {
        play::awaiting(state)
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
            Event::GameStarted(opening) => Some(opening),
            _ => None,
        }
    }
}

impl Hosted for Stud {
    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        play::clock(state, seat)
    }

    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        play::timeout(state, seat)
    }

    fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
        sight::asides(knowledge, out);
    }

    fn obey(state: &State, order: &Order, out: &mut Vec<Event>) {
        play::obey(state, order, out);
    }

    fn keeps_closed(state: &State) -> bool {
        state.mucks()
    }
}

impl Told for Stud {
    fn is_private(_: &State, event: &Event) -> bool {
        matches!(
            event,
            Event::GameStarted(_)
                | Event::DealInit(_)
                | Event::DealCards3rd(_)
                | Event::DealCard7th(_)
        )
    }
}

impl Quick for Stud {
    fn random() -> Box<dyn Player<Stud>> {
        Box::new(RandomPlayout)
    }
}

impl Playout for Stud {
    type Moves = Vec<Action>;

    #[inline]
    fn moves(state: &State, seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        if let Some(table) = state.table.as_deref() {
            sight::moves(&state.board, table, seat, out);
        }
    }
}

impl Imagine for Stud {
    fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
        sight::imagine(knowledge, dice)
    }
}
