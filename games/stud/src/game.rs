//! Seven Card Stud as the kernel plays it: each question to its file.

use std::ops::RangeInclusive;
use std::time::Duration;

use parlor_kernel::{Awaiting, Dice, Game, Opening, Order, Seat, Stream, Viewer};

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
    type Moves = Vec<Action>;

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

    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        play::clock(state, seat)
    }

    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        play::timeout(state, seat)
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

    #[inline]
    fn moves(state: &State, seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        if let Some(table) = state.table.as_deref() {
            sight::moves(&state.board, table, seat, out);
        }
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

    fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
        sight::imagine(knowledge, dice)
    }

    fn opening(event: &Event) -> Option<&Opening<Rules>> {
        match event {
            Event::GameStarted(opening) => Some(opening),
            _ => None,
        }
    }

    fn event_type(event: &Event) -> &'static str {
        match event {
            Event::GameStarted(_) => "GAME_STARTED",
            Event::DealStarted(_) => "DEAL_STARTED",
            Event::DealInit(_) => "DEAL_INIT",
            Event::PostAnte(_) => "POST_ANTE",
            Event::DealCards3rd(_) => "DEAL_CARDS_3RD",
            Event::DealCard4th(_) => "DEAL_CARD_4TH",
            Event::DealCard5th(_) => "DEAL_CARD_5TH",
            Event::DealCard6th(_) => "DEAL_CARD_6TH",
            Event::DealCard7th(_) => "DEAL_CARD_7TH",
            Event::BringIn(_) => "BRING_IN",
            Event::Complete(_) => "COMPLETE",
            Event::Bet(_) => "BET",
            Event::Raise(_) => "RAISE",
            Event::Call(_) => "CALL",
            Event::Fold(_) => "FOLD",
            Event::Check(_) => "CHECK",
            Event::StreetAdvance(_) => "STREET_ADVANCE",
            Event::DealEnd(_) => "DEAL_END",
            Event::TimeBank(_) => "TIME_BANK",
            Event::SatOut(_) => "SAT_OUT",
            Event::CameBack(_) => "CAME_BACK",
            Event::Rebought(_) => "REBOUGHT",
            Event::GameFinished(_) => "GAME_FINISHED",
        }
    }

    fn is_private(event: &Event) -> bool {
        matches!(
            event,
            Event::GameStarted(_)
                | Event::DealInit(_)
                | Event::DealCards3rd(_)
                | Event::DealCard7th(_)
        )
    }
}
