//! Binokel as the kernel plays it: each question to its file.

use std::ops::RangeInclusive;
use std::time::Duration;

use parlor_kernel::{Awaiting, Dice, Game, Opening, Order, Seat, Stream, Viewer};

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
    type Moves = Vec<Action>;

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

    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        state::clock(state, seat)
    }

    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        state::timeout(state, seat)
    }

    #[inline(always)]
    fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
        sight::see(state, event, viewer)
    }

    #[inline(always)]
    fn see_alike(event: &Event) -> Option<Seen> {
        sight::see_alike(event)
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
        let Some(table) = state.table.as_deref() else { return };
        sight::moves(&state.board, &table.rules, seat, state.hands[at(seat)], out);
    }

    fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
        sight::asides(knowledge, out);
    }

    fn obey(state: &State, order: &Order, out: &mut Vec<Event>) {
        play::obey(state, order, out);
    }

    fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
        imagine::imagine(knowledge, dice)
    }

    fn opening(event: &Event) -> Option<&Opening<Rules>> {
        match event {
            Event::GameStarted(start) => Some(&start.opening),
            _ => None,
        }
    }

    fn event_type(event: &Event) -> &'static str {
        match event {
            Event::GameStarted(_) => "GAME_STARTED",
            Event::NewRoundStarted(_) => "NEW_ROUND_STARTED",
            Event::CardsDealt(_) => "CARDS_DEALT",
            Event::BidPlaced(_) => "BID_PLACED",
            Event::PlayerPassed(_) => "PLAYER_PASSED",
            Event::BiddingWon(_) => "BIDDING_WON",
            Event::DabbTaken(_) => "DABB_TAKEN",
            Event::CardsDiscarded(_) => "CARDS_DISCARDED",
            Event::GoingOut(_) => "GOING_OUT",
            Event::TrumpDeclared(_) => "TRUMP_DECLARED",
            Event::SpecialAnnounced(_) => "SPECIAL_ANNOUNCED",
            Event::MeldsDeclared(_) => "MELDS_DECLARED",
            Event::MeldingComplete(_) => "MELDING_COMPLETE",
            Event::CardPlayed(_) => "CARD_PLAYED",
            Event::TrickWon(_) => "TRICK_WON",
            Event::RoundScored(_) => "ROUND_SCORED",
            Event::GameFinished(_) => "GAME_FINISHED",
            Event::GameTerminated(_) => "GAME_TERMINATED",
        }
    }

    fn is_private(event: &Event) -> bool {
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
