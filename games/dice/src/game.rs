//! The rules: what happens when.

use std::ops::RangeInclusive;

use parlor_kernel::{
    Awaiting, CalledOff, Dice, Game, Hosted, Opened, Opening, Seat, Viewer, plain,
};

use crate::board::{Knowledge, State};
use crate::event::{Action, BidPlaced, Challenged, Event, GameFinished, Refusal, Seen};
use crate::rules::Rules;
use crate::sight;

/// Liar's Dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiarsDice;

impl Game for LiarsDice {
    const NAME: &'static str = "dice";
    const VERSION: u32 = 1;
    type Rules = Rules;
    type Action = Action;
    type Event = Event;
    type State = State;
    type Seen = Seen;
    type Knowledge = Knowledge;
    type Refusal = Refusal;

    fn seats(_: &Rules) -> RangeInclusive<usize> {
        2..=6
    }

    fn open(opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
        let seats = opening.seats.len();
        let counts = vec![opening.rules.dice; seats];
        let starter = Seat(dice.stream("first").below(seats as u32) as u8);
        out.push(Event::GameStarted { opening });
        out.push(roll(1, starter, &counts, dice));
    }

    fn opened(state: &State) -> Option<&Opened<Rules>> {
        state.opened.as_ref()
    }

    fn decide(
        state: &State,
        seat: Seat,
        action: &Action,
        dice: &Dice,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let board = &state.board;
        if board.finished.is_some() {
            return Err(Refusal::GameOver);
        }
        if board.turn != Some(seat) {
            return Err(Refusal::NotYourTurn);
        }
        match *action {
            Action::Bid(bid) => {
                board.refuse(bid)?;
                out.push(Event::BidPlaced(BidPlaced { seat, bid }));
            }
            Action::Challenge => {
                let placed = board.bid.ok_or(Refusal::NothingToChallenge)?;
                let challenged = settle(state, seat, placed);
                let loser = challenged.loser;
                let shown = Event::Challenged(challenged);
                // What follows is decided on the table without the lost die.
                let mut left = state.clone();
                LiarsDice::apply(&mut left, &shown);
                out.push(shown);
                out.extend(after(&left, loser, dice));
            }
        }
        Ok(())
    }

    fn apply(state: &mut State, event: &Event) {
        if let Event::GameStarted { opening } = event {
            state.opened = Some(Opened::of(opening));
        }
        state.board.learn(&sight::seen(event, |_| true));
    }

    fn awaiting(state: &State) -> Awaiting {
        match state.board.turn {
            Some(seat) => Awaiting::only(seat, "AWAITING_BID"),
            None => Awaiting::Nobody,
        }
    }

    fn see(_: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
        Some(sight::seen(event, |seat| viewer.shares(seat)))
    }

    fn unaware(viewer: Viewer) -> Knowledge {
        Knowledge { me: viewer.seat(), board: Default::default() }
    }

    fn learn(knowledge: &mut Knowledge, seen: &Seen) {
        knowledge.board.learn(seen);
    }

    fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
        knowledge.me.into_iter().for_each(|me| knowledge.board.options(me, out));
    }
}

/// Every round has a label of its own. Dice lie in the order of the seats.
fn roll(round: u32, starter: Seat, counts: &[u8], dice: &Dice) -> Event {
    let total = counts.iter().map(|count| usize::from(*count)).sum();
    let mut rolled = dice.roll(format_args!("roll/{round}"), 6, total).into_iter();
    let hand = |count: &u8| rolled.by_ref().take((*count).into()).collect();
    Event::RoundRolled { round, starter, hands: counts.iter().map(hand).collect() }
}

/// Shows all dice and says who loses one.
fn settle(state: &State, seat: Seat, BidPlaced { seat: bidder, bid }: BidPlaced) -> Challenged {
    let board = &state.board;
    let hands: Vec<Vec<u8>> =
        board.hands.iter().map(|hand| hand.dice.clone().unwrap_or_default()).collect();
    let rules = board.rules();
    let count = hands.iter().flatten().filter(|die| rules.counts(**die, bid.face)).count() as u32;
    let loser = if count >= bid.quantity { seat } else { bidder };
    Challenged { seat, bidder, bid, hands, count, loser }
}

/// The next round, begun by the loser or who comes next; or the end.
fn after(left: &State, loser: Seat, dice: &Dice) -> Option<Event> {
    let board = &left.board;
    let counts: Vec<u8> = board.hands.iter().map(|hand| hand.count).collect();
    let next = board.next_in(loser)?;
    if counts.iter().filter(|count| **count > 0).count() == 1 {
        return finish(left, Some(next), None);
    }
    let is_in = counts.get(loser.index()).is_some_and(|count| *count > 0);
    let starter = if is_in { loser } else { next };
    Some(roll(board.round.saturating_add(1), starter, &counts, dice))
}

/// The last event opens the seal.
fn finish(state: &State, winner: Option<Seat>, note: Option<String>) -> Option<Event> {
    let opening = state.opened.as_ref()?.seal.open();
    Some(Event::GameFinished(GameFinished { winner, note, opening }))
}

// What follows, a game may leave out: `plain!(LiarsDice: Hosted, Told, Quick)`.

plain!(LiarsDice: Told, Quick);

impl Hosted for LiarsDice {
    fn turn_seconds(state: &State) -> u32 {
        state.board.rules().turn_seconds.into()
    }

    fn seat_options(state: &State, seat: Seat, out: &mut Vec<Action>) {
        state.board.options(seat, out);
    }

    fn call_off(state: &State, reason: &str, out: &mut Vec<Event>) {
        out.extend(finish(state, None, Some(reason.to_owned())));
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        let note = state.board.finished.as_ref()?.note.clone()?;
        Some(CalledOff { by: None, reason: note })
    }
}
