//! Seven Card Stud as the kernel plays it: what a move makes happen, and what is
//! seen and known of it. `course` runs a deal on to its next decision.

use std::ops::RangeInclusive;
use std::sync::Arc;

use arrayvec::ArrayVec;
use parlor_kernel::{
    Awaiting, Dice, Game, Moves, Opened, Opening, Player, Playout, Put, Quick, RandomPlayout, Seat,
    SeatSet, Viewer,
};

use crate::action::{Action, Refusal};
use crate::betting::LegalMove;
use crate::board::{Board, Phase};
use crate::cards::Stub;
use crate::course::Course;
use crate::event::{DealInitSeen, Event, Seen, Street, Turn, Wager};
use crate::hosted;
use crate::rules::Rules;
use crate::seats::at;
use crate::showdown::Downs;
use crate::sight;
use crate::state::{Knowledge, State};

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
        let mut course = Course::from(State::default(), out);
        course.happens(Event::GameStarted(Arc::new(opening)));
        course.deal(dice);
    }

    #[inline]
    fn opened(state: &State) -> Option<&Opened<Rules>> {
        state.opened.as_ref()
    }

    fn decide(
        state: &State,
        seat: Seat,
        action: &Action,
        _: &Dice,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let Some(setup) = state.setup() else { return Err(Refusal::Over) };
        if state.board.phase == Phase::Finished || seat.0 >= state.board.seats {
            return Err(Refusal::Over);
        }
        match *action {
            Action::SitOut | Action::ComeBack | Action::Rebuy | Action::TimeBank => {
                out.push(hosted::aside(state, setup, seat, *action)?);
            }
            Action::Claim => hosted::claim(state, &setup.rules, seat, out)?,
            Action::TimeOut => hosted::time_out(state, &setup.rules, seat, out)?,
            _ => {
                let offer = chosen(state, &setup.rules, seat, *action)?;
                let event = || event_of(state, seat, offer, false);
                if state.board.is_last_word(*action) {
                    Course::from(state.clone(), out).plays(event());
                } else {
                    out.put(event);
                }
            }
        }
        Ok(())
    }

    fn proceed(state: &State, dice: &Dice, out: &mut Vec<Event>) {
        if let Awaiting::House { .. } = Stud::awaiting(state) {
            Course::from(state.clone(), out).deal(dice);
        }
    }

    fn apply(state: &mut State, event: &Event) {
        let board = &mut state.board;
        match event {
            Event::GameStarted(opening) => {
                board.open(&opening.rules, opening.seats.len());
                state.opened = Some(Opened::of(opening));
            }
            Event::DealStarted(start) => {
                board.start(start);
                state.down = Default::default();
                state.last_deal = None;
            }
            Event::DealInit(init) => state.stub = Stub::of(&init.deck.0),
            Event::PostAnte(ante) => board.ante(*ante),
            Event::DealCards3rd(dealt) => {
                state.stub.discard(3 * dealt.hands.len());
                for hand in dealt.hands.iter() {
                    state.down[at(hand.seat)] = [hand.down[0], hand.down[1], None];
                }
                board.third(&dealt.hands, dealt.bring_in);
            }
            Event::DealCard4th(dealt) => {
                state.stub.discard(dealt.cards.len());
                board.later(Street::Fourth, &dealt.cards, dealt.opener);
            }
            Event::DealCard5th(dealt) => {
                state.stub.discard(dealt.cards.len());
                board.later(Street::Fifth, &dealt.cards, dealt.opener);
            }
            Event::DealCard6th(dealt) => {
                state.stub.discard(dealt.cards.len());
                board.later(Street::Sixth, &dealt.cards, dealt.opener);
            }
            Event::DealCard7th(dealt) => {
                state.stub.discard(dealt.cards.len());
                for dealt in dealt.cards.iter() {
                    state.down[at(dealt.seat)][2] = dealt.card;
                }
                board.later(Street::Seventh, &dealt.cards, dealt.opener);
            }
            Event::BringIn(wager) => board.attack(Action::BringIn, *wager),
            Event::Complete(wager) => board.attack(Action::Complete, *wager),
            Event::Bet(wager) => board.attack(Action::Bet, *wager),
            Event::Raise(wager) => board.attack(Action::Raise, *wager),
            Event::Call(wager) => board.call(*wager),
            Event::Fold(turn) => board.fold(*turn),
            Event::Check(turn) => board.check(*turn),
            Event::StreetAdvance(advance) => {
                board.advance(advance.street, !advance.turned_up.is_empty());
            }
            Event::DealEnd(end) => {
                board.end(&end.stacks);
                state.last_deal = Some(Arc::clone(end));
            }
            Event::TimeBank(taken) => board.take_time(taken.seat, taken.seconds),
            Event::SatOut(aside) => board.sitting_out.insert(aside.seat),
            Event::CameBack(aside) => board.come_back(aside.seat),
            Event::Rebought(bought) => board.rebuy(bought.seat, bought.amount),
            Event::GameFinished(finished) => {
                board.finish(&finished.stacks);
                state.finished = Some(Arc::clone(finished));
            }
        }
    }

    fn awaiting(state: &State) -> Awaiting {
        let board = &state.board;
        let seats = |seats: SeatSet, kind| Awaiting::Seats { seats, kind };
        match (board.phase, board.actor) {
            (Phase::Dealing, Some(seat)) => {
                let opens = board.street == Some(Street::Third) && board.current_bet == 0;
                let kind = if opens { "AWAITING_BRING_IN" } else { "AWAITING_ACTION" };
                seats(SeatSet::only(seat), kind)
            }
            (Phase::Between, _) => {
                let Some(setup) = state.setup() else { return Awaiting::Nobody };
                if board.ready(&setup.rules).len() >= 2 {
                    return Awaiting::House { kind: "NEXT_DEAL" };
                }
                seats(board.may_return(&setup.rules).iter().collect(), "AWAITING_PLAYERS")
            }
            _ => Awaiting::Nobody,
        }
    }

    /// Down cards are for their seats, until they are turned up; the deck is
    /// for nobody. Those who see all see both. Where hands may stay closed for
    /// good (`muck`), the postmortem sees no more than the public did.
    #[inline(always)]
    fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
        Some(match event {
            Event::GameStarted(_) => Seen::GameStarted(Arc::clone(&state.opened.as_ref()?.setup)),
            Event::DealStarted(start) => Seen::DealStarted(Arc::clone(start)),
            Event::DealInit(init) => {
                let deck = sight::sees_all(state, viewer).then(|| Box::new(init.deck));
                Seen::DealInit(DealInitSeen { deck })
            }
            Event::PostAnte(ante) => Seen::PostAnte(*ante),
            Event::DealCards3rd(dealt) => {
                Seen::DealCards3rd(sight::third_seen(state, dealt, viewer))
            }
            Event::DealCard4th(dealt) => Seen::DealCard4th(*dealt),
            Event::DealCard5th(dealt) => Seen::DealCard5th(*dealt),
            Event::DealCard6th(dealt) => Seen::DealCard6th(*dealt),
            Event::DealCard7th(dealt) => {
                Seen::DealCard7th(sight::seventh_seen(state, dealt, viewer))
            }
            Event::BringIn(wager) => Seen::BringIn(*wager),
            Event::Complete(wager) => Seen::Complete(*wager),
            Event::Bet(wager) => Seen::Bet(*wager),
            Event::Raise(wager) => Seen::Raise(*wager),
            Event::Call(wager) => Seen::Call(*wager),
            Event::Fold(turn) => Seen::Fold(*turn),
            Event::Check(turn) => Seen::Check(*turn),
            Event::StreetAdvance(advance) => Seen::StreetAdvance(*advance),
            Event::DealEnd(end) => Seen::DealEnd(Arc::clone(end)),
            Event::TimeBank(taken) => Seen::TimeBank(*taken),
            Event::SatOut(aside) => Seen::SatOut(*aside),
            Event::CameBack(aside) => Seen::CameBack(*aside),
            Event::Rebought(bought) => Seen::Rebought(*bought),
            Event::GameFinished(finished) => Seen::GameFinished(Arc::clone(finished)),
        })
    }

    fn unaware(viewer: Viewer) -> Knowledge {
        Knowledge {
            viewer,
            setup: None,
            board: Board::default(),
            down: Downs::default(),
            stub: None,
            last_deal: None,
            finished: None,
        }
    }

    #[inline(always)]
    fn learn(knowledge: &mut Knowledge, seen: &Seen) {
        let board = &mut knowledge.board;
        match seen {
            Seen::GameStarted(setup) => {
                board.open(&setup.rules, setup.seats.len());
                knowledge.setup = Some(Arc::clone(setup));
            }
            Seen::DealStarted(start) => {
                board.start(start);
                knowledge.down = Downs::default();
                knowledge.last_deal = None;
            }
            Seen::DealInit(init) => {
                knowledge.stub = init.deck.as_deref().map(|deck| Box::new(Stub::of(&deck.0)));
            }
            Seen::PostAnte(ante) => board.ante(*ante),
            Seen::DealCards3rd(dealt) => {
                for hand in dealt.hands.iter() {
                    knowledge.down[at(hand.seat)] = [hand.down[0], hand.down[1], None];
                }
                board.third(&dealt.hands, dealt.bring_in);
                dealt_from(&mut knowledge.stub, 3 * dealt.hands.len());
            }
            Seen::DealCard4th(dealt) => {
                board.later(Street::Fourth, &dealt.cards, dealt.opener);
                dealt_from(&mut knowledge.stub, dealt.cards.len());
            }
            Seen::DealCard5th(dealt) => {
                board.later(Street::Fifth, &dealt.cards, dealt.opener);
                dealt_from(&mut knowledge.stub, dealt.cards.len());
            }
            Seen::DealCard6th(dealt) => {
                board.later(Street::Sixth, &dealt.cards, dealt.opener);
                dealt_from(&mut knowledge.stub, dealt.cards.len());
            }
            Seen::DealCard7th(dealt) => {
                for dealt in dealt.cards.iter() {
                    knowledge.down[at(dealt.seat)][2] = dealt.card;
                }
                board.later(Street::Seventh, &dealt.cards, dealt.opener);
                dealt_from(&mut knowledge.stub, dealt.cards.len());
            }
            Seen::BringIn(wager) => board.attack(Action::BringIn, *wager),
            Seen::Complete(wager) => board.attack(Action::Complete, *wager),
            Seen::Bet(wager) => board.attack(Action::Bet, *wager),
            Seen::Raise(wager) => board.attack(Action::Raise, *wager),
            Seen::Call(wager) => board.call(*wager),
            Seen::Fold(turn) => board.fold(*turn),
            Seen::Check(turn) => board.check(*turn),
            Seen::StreetAdvance(advance) => {
                for up in advance.turned_up.iter() {
                    knowledge.down[at(up.seat)] = [Some(up.down[0]), Some(up.down[1]), None];
                }
                board.advance(advance.street, !advance.turned_up.is_empty());
            }
            Seen::DealEnd(end) => {
                for shown in &end.shown {
                    let [one, other, .., last] = shown.cards;
                    knowledge.down[at(shown.seat)] = [Some(one), Some(other), Some(last)];
                }
                board.end(&end.stacks);
                knowledge.last_deal = Some(Arc::clone(end));
            }
            Seen::TimeBank(taken) => board.take_time(taken.seat, taken.seconds),
            Seen::SatOut(aside) => board.sitting_out.insert(aside.seat),
            Seen::CameBack(aside) => board.come_back(aside.seat),
            Seen::Rebought(bought) => board.rebuy(bought.seat, bought.amount),
            Seen::GameFinished(finished) => {
                board.finish(&finished.stacks);
                knowledge.finished = Some(Arc::clone(finished));
            }
        }
    }

    #[inline]
    fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
        if let (Some(setup), Some(seat)) = (knowledge.setup.as_deref(), knowledge.viewer.seat()) {
            moves(&knowledge.board, &setup.rules, seat, |action| out.push(action));
        }
    }
}

/// The offer that a seat takes up, or why there is none.
#[inline]
pub(crate) fn chosen(
    state: &State,
    rules: &Rules,
    seat: Seat,
    action: Action,
) -> Result<LegalMove, Refusal> {
    let board = &state.board;
    match board.actor {
        None if board.phase == Phase::Between => Err(Refusal::NoBetting("the next deal")),
        None => Err(Refusal::NoBetting("the cards")),
        Some(actor) if actor != seat => Err(Refusal::NotYourTurn),
        Some(_) => {
            let taken = board.offer(action, rules.cap);
            taken.ok_or_else(|| board.why_not(seat, action, rules.cap))
        }
    }
}

/// What a seat does by taking it up. Inlined, so that it is made where it stays.
#[inline(always)]
pub(crate) fn event_of(state: &State, seat: Seat, offer: LegalMove, timed_out: bool) -> Event {
    let street = state.board.street.unwrap_or(Street::Third);
    let LegalMove { action, amount, paid } = offer;
    let wager = Wager { seat, street, amount, paid, timed_out };
    match action {
        Action::BringIn => Event::BringIn(wager),
        Action::Complete => Event::Complete(wager),
        Action::Bet => Event::Bet(wager),
        Action::Raise => Event::Raise(wager),
        Action::Call => Event::Call(wager),
        Action::Check => Event::Check(Turn { seat, street, timed_out }),
        // Only the seven moves are ever offered.
        _ => Event::Fold(Turn { seat, street, timed_out }),
    }
}

/// The legal moves; between deals, where too few are ready, what would bring
/// this seat back.
#[inline]
fn moves(board: &Board, rules: &Rules, seat: Seat, mut take: impl FnMut(Action)) {
    if board.actor == Some(seat) {
        board.each_offer(rules.cap, |offer| take(offer.action));
    } else if board.missed(rules).contains(seat) {
        board.ways_back(rules, seat, take);
    }
}

#[inline]
fn dealt_from(stub: &mut Option<Box<Stub>>, count: usize) {
    if let Some(stub) = stub {
        stub.discard(count);
    }
}

impl Quick for Stud {
    fn random() -> Box<dyn Player<Stud>> {
        Box::new(RandomPlayout)
    }
}

impl Playout for Stud {
    type Moves = Choices;

    #[inline]
    fn moves(state: &State, seat: Seat, out: &mut Choices) {
        out.0.clear();
        if let Some(setup) = state.setup() {
            moves(&state.board, &setup.rules, seat, |action| out.0.push(action));
        }
    }
}

/// The moves of one seat; three at most.
#[derive(Default)]
pub struct Choices(ArrayVec<Action, 3>);

impl Moves<Action> for Choices {
    #[inline]
    fn count(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn nth(&self, number: usize) -> Option<Action> {
        self.0.get(number).copied()
    }
}
