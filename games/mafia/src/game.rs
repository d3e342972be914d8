//! Mafia as the kernel plays it: each question to its file.

use std::ops::RangeInclusive;
use std::time::Duration;

use parlor_kernel::{
    Awaiting, Dice, Game, Hosted, Imagine, Opening, Order, Player, Playout, Quick, RandomPlayout,
    Seat, SeatSet, Stream, Times, Told, Viewer,
};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::action::{Action, Refusal};
use crate::circle::Players;
use crate::event::Event;
use crate::moves::Moves;
use crate::rules::Rules;
use crate::seen::Seen;
use crate::state::{Knowledge, State};
use crate::wire::names;
use crate::{fold, imagine, options, phases, play, sight};

/// Mafia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mafia;

impl Game for Mafia {
    const NAME: &'static str = "mafia";
    const VERSION: u32 = 1;
    type Rules = Rules;
    type Action = Action;
    type Event = Event;
    type State = State;
    type Seen = Seen;
    type Knowledge = Knowledge;
    type Refusal = Refusal;

    fn seats(rules: &Rules) -> RangeInclusive<usize> {
        rules.circle()..=rules.circle()
    }

    fn open(opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
        phases::open(opening, dice, out);
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

    /// The house never has a turn of its own: mornings and resolutions pass
    /// in the step that brings them.
    fn proceed(_: &State, _: &Dice, _: &mut Vec<Event>) {}

    #[inline]
    fn apply(state: &mut State, event: &Event) {
        fold::apply(state, event);
    }

    #[inline]
    fn awaiting(state: &State) -> Awaiting {
        fold::awaiting(state)
    }

    #[inline]
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
        options::options(knowledge, out);
    }

    fn opening(event: &Event) -> Option<&Opening<Rules>> {
        match event {
            Event::GameCreated(created) => Some(&created.opening),
            _ => None,
        }
    }
}

impl Hosted for Mafia {
    fn obey(state: &State, order: &Order, out: &mut Vec<Event>) {
        phases::obey(state, order, out);
    }

    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        fold::clock(state, seat)
    }

    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        fold::timeout(state, seat)
    }

    fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
        options::asides(knowledge, out);
    }

    fn is_aside(action: &Action) -> bool {
        action.is_aside()
    }
}

impl Told for Mafia {
    fn is_private(_: &State, event: &Event) -> bool {
        event.is_private()
    }

    fn payload(state: &State, event: &Event, times: &Times) -> Box<RawValue> {
        names::payload(event, state.table.as_deref(), times)
    }

    fn payload_seen(knowledge: &Knowledge, seen: &Seen, times: &Times) -> Box<RawValue> {
        names::payload(seen, knowledge.table.as_deref(), times)
    }

    fn schema_seen() -> Value {
        names::schema_seen()
    }

    fn is_for_clients(action: &Action) -> bool {
        action.is_for_clients()
    }
}

impl Quick for Mafia {
    #[inline]
    fn see_alike(event: &Event) -> Option<Seen> {
        sight::see_alike(event)
    }

    /// The dead neither act nor speak.
    #[inline]
    fn retired(state: &State) -> SeatSet {
        let everyone = state.table.as_deref().map_or(Players::NOBODY, |table| table.players());
        everyone.without(state.board.alive).into()
    }

    fn random() -> Box<dyn Player<Mafia>> {
        Box::new(RandomPlayout)
    }
}

impl Playout for Mafia {
    type Moves = Moves;

    #[inline]
    fn moves(state: &State, seat: Seat, out: &mut Moves) {
        *out = options::moves(state, seat);
    }
}

impl Imagine for Mafia {
    fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
        imagine::imagine(knowledge, dice)
    }
}
