//! Liar's Dice with one mistake in it. Which one, the thread says: so one type
//! does for all.

use std::cell::Cell;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use parlor_dice::*;
use parlor_kernel::laws::{Eyes, Secrets};
use parlor_kernel::*;
use serde_json::value::RawValue;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mistake {
    None,
    ShowsAllDice,
    ShowsThePublic,
    ShowsTheNextSeat,
    TellsTheOnes,
    KeepsFalseBidsFromThePublic,
    HidesOwnDice,
    ForgetsOwnDice,
    HidesBidsFromTheAdmin,
    TellsTheSeed,
    TellsNoCommitment,
    SaysNothingIsPrivate,
    DrawsUnderOneLabelTwice,
    NeverOpensTheSeal,
    OpensAnotherSeed,
    ImaginesTooManyDice,
    ImaginesAnotherTurn,
    OutlinesAnotherTurn,
    OutlinesAnotherScore,
    LabelsMovesAlike,
    RunsTheWrongClock,
    RunsAClockInVain,
    PlaysTooLateForAnyone,
    PlaysTooLateAgainstTheRules,
    ReadsOtherOptions,
    OffersWhatIsRefused,
    OffersNoSixes,
    OffersOutOfTurn,
    AcceptsOutOfTurn,
    DoesNothing,
    LeavesEventsWhenRefusing,
    RefusesByHiddenDice,
    AsksByHiddenDice,
    ForgetsBids,
    AwaitsWhoIsOut,
    AwaitsNobody,
    FoldsDifferently,
    RollsOutsideTheDice,
    WritesAnotherBid,
    OpensAnotherTable,
    ChangesTheRules,
    NeverEnds,
    CrownsTheLoser,
    CrownsNobody,
    CrownsTooEarly,
    GoesOnWhenCalledOff,
    GivesNoReason,
    GoesOnWhenPaused,
    ObeysAfterTheEnd,
    ListsNoSecrets,
    ListsEveryoneAsEyes,
    SwapsNothing,
}

thread_local! {
    static MISTAKE: Cell<Mistake> = const { Cell::new(Mistake::None) };
    /// What no game may look at.
    static OUTSIDE: Cell<u32> = const { Cell::new(0) };
}

/// Plants this mistake, in place of any other.
pub fn make(mistake: Mistake) {
    MISTAKE.set(mistake);
}

fn outside() -> u32 {
    OUTSIDE.set(OUTSIDE.get() + 1);
    OUTSIDE.get()
}

/// The game with the mistake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faulty;

/// A die that is hidden from this seat.
fn hidden_die(state: &State, seat: Seat) -> u8 {
    let next = (seat.index() + 1) % state.board.hands.len().max(1);
    let hand = state.board.hands.get(next).and_then(|hand| hand.dice.as_ref());
    hand.and_then(|dice| dice.first()).copied().unwrap_or(0)
}

/// Something that is no mistake by itself: a bid that changes nothing.
fn some_bid(state: &State) -> Event {
    let bid = Bid { quantity: 1, face: 2 };
    let seat = state.board.turn.unwrap_or(Seat(0));
    Event::BidPlaced(state.board.bid.unwrap_or(BidPlaced { seat, bid }))
}

impl Game for Faulty {
    const NAME: &'static str = LiarsDice::NAME;
    const VERSION: u32 = LiarsDice::VERSION;
    type Rules = Rules;
    type Action = Action;
    type Event = Event;
    type State = State;
    type Seen = Seen;
    type Knowledge = Knowledge;
    type Refusal = Refusal;

    fn seats(rules: &Rules) -> RangeInclusive<usize> {
        LiarsDice::seats(rules)
    }

    fn open(mut opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
        match MISTAKE.get() {
            Mistake::OpensAnotherTable => opening.rules.wild = !opening.rules.wild,
            Mistake::DrawsUnderOneLabelTwice => drop(dice.stream("first")),
            _ => {}
        }
        LiarsDice::open(opening, dice, out);
    }

    fn opened(state: &State) -> Option<&Opened<Rules>> {
        LiarsDice::opened(state)
    }

    fn decide(
        state: &State,
        mut seat: Seat,
        action: &Action,
        dice: &Dice,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let mistake = MISTAKE.get();
        if mistake == Mistake::AcceptsOutOfTurn {
            seat = state.board.turn.unwrap_or(seat);
        }
        let decided = LiarsDice::decide(state, seat, action, dice, out);
        match (mistake, &decided) {
            (Mistake::LeavesEventsWhenRefusing, Err(_)) => out.push(some_bid(state)),
            (Mistake::RefusesByHiddenDice, Err(_)) if hidden_die(state, seat).is_multiple_of(2) => {
                return Err(Refusal::NothingToChallenge);
            }
            (Mistake::DoesNothing, Ok(())) if *action != Action::Challenge => out.clear(),
            _ => {}
        }
        match (mistake, out.last_mut()) {
            (Mistake::NeverOpensTheSeal, Some(Event::GameFinished(_))) => drop(out.pop()),
            (Mistake::OpensAnotherSeed, Some(Event::GameFinished(finished))) => {
                finished.opening.seed = Seed::named("another");
            }
            (Mistake::CrownsTheLoser, Some(Event::GameFinished(finished))) => {
                let out = |seat: &Seat| finished.winner != Some(*seat);
                finished.winner = [Seat(0), Seat(1)].into_iter().find(out);
            }
            (Mistake::RollsOutsideTheDice, Some(Event::RoundRolled { hands, .. })) => {
                for die in hands.iter_mut().flatten() {
                    *die = (outside() % 6) as u8 + 1;
                }
            }
            (Mistake::NeverEnds, Some(_)) if *action == Action::Challenge => {
                // Everyone keeps their dice.
                let round = state.board.round + 1;
                let counts = state.board.hands.iter().map(|hand| usize::from(hand.count));
                let mut left = dice.roll(format!("again/{round}"), 6, counts.clone().sum());
                let hands = counts.map(|count| left.drain(..count).collect()).collect();
                out.pop();
                out.push(Event::RoundRolled { round, starter: seat, hands });
            }
            _ => {}
        }
        decided
    }

    fn apply(state: &mut State, event: &Event) {
        match (MISTAKE.get(), event) {
            (Mistake::ForgetsBids, Event::BidPlaced(_)) => return,
            (Mistake::ChangesTheRules, Event::RoundRolled { .. }) => {
                if let Some(opened) = &mut state.opened {
                    Arc::make_mut(&mut opened.setup).rules.turn_seconds += 1;
                }
            }
            (Mistake::FoldsDifferently, Event::RoundRolled { .. }) => {
                LiarsDice::apply(state, event);
                state.board.round = outside();
                return;
            }
            _ => {}
        }
        LiarsDice::apply(state, event);
    }

    fn awaiting(state: &State) -> Awaiting {
        let out = state.board.hands.iter().position(|hand| hand.count == 0);
        match (MISTAKE.get(), state.board.turn, out) {
            (Mistake::AwaitsWhoIsOut, Some(_), Some(out)) => {
                Awaiting::only(Seat(out as u8), "AWAITING_BID")
            }
            (Mistake::AwaitsNobody, Some(_), _) if state.board.round == 2 => {
                Awaiting::Seats { seats: SeatSet::EMPTY, kind: "AWAITING_NOBODY" }
            }
            _ => LiarsDice::awaiting(state),
        }
    }

    fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
        let mistake = MISTAKE.get();
        let all = || LiarsDice::see(state, event, Viewer::Admin);
        let mut seen = LiarsDice::see(state, event, viewer)?;
        match (mistake, event, &mut seen) {
            (Mistake::ShowsAllDice, _, _) => return all(),
            (Mistake::ShowsThePublic, _, _) if viewer == Viewer::Public => return all(),
            (
                Mistake::ShowsTheNextSeat,
                Event::RoundRolled { hands: truth, .. },
                Seen::RoundRolled { hands, .. },
            ) => {
                if let Some(seat) = viewer.seat() {
                    let next = (seat.index() + 1) % hands.len();
                    hands[next].dice = Some(truth[next].clone());
                }
            }
            (
                Mistake::TellsTheOnes,
                Event::RoundRolled { hands: truth, .. },
                Seen::RoundRolled { round, .. },
            ) => *round += 100 * truth.iter().flatten().filter(|die| **die == 1).count() as u32,
            (Mistake::HidesOwnDice, _, Seen::RoundRolled { hands, .. }) if !viewer.sees_all() => {
                hands.iter_mut().for_each(|hand| hand.dice = None);
            }
            (Mistake::KeepsFalseBidsFromThePublic, Event::BidPlaced(placed), _) => {
                let dice = state.board.hands.iter().flat_map(|hand| hand.dice.iter().flatten());
                let count = dice.filter(|die| u32::from(**die) == placed.bid.face).count();
                if viewer == Viewer::Public && (count as u32) < placed.bid.quantity {
                    return None;
                }
            }
            (Mistake::HidesBidsFromTheAdmin, Event::BidPlaced(_), _) if viewer.sees_all() => {
                return None;
            }
            (Mistake::TellsTheSeed, Event::GameStarted { opening }, Seen::GameStarted(table)) => {
                let seal = serde_json::to_value(&opening.seal).unwrap();
                Arc::make_mut(&mut Arc::make_mut(table).seats)[0].name =
                    seal["seed"].as_str().unwrap().to_owned();
            }
            (Mistake::TellsNoCommitment, _, Seen::GameStarted(table)) => {
                Arc::make_mut(table).commitment.clear()
            }
            _ => {}
        }
        Some(seen)
    }

    fn unaware(viewer: Viewer) -> Knowledge {
        LiarsDice::unaware(viewer)
    }

    fn learn(knowledge: &mut Knowledge, seen: &Seen) {
        LiarsDice::learn(knowledge, seen);
        if MISTAKE.get() == Mistake::ForgetsOwnDice {
            knowledge.board.hands.iter_mut().for_each(|hand| hand.dice = None);
        }
    }

    fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
        let board = &knowledge.board;
        match MISTAKE.get() {
            Mistake::OffersOutOfTurn if board.turn.is_some() && knowledge.me.is_some() => {
                let me = board.turn;
                return LiarsDice::options(&Knowledge { me, board: board.clone() }, out);
            }
            Mistake::OffersWhatIsRefused if board.bid.is_some() && board.turn == knowledge.me => {
                out.push(Action::Bid(Bid { quantity: 1, face: 2 }));
            }
            _ => {}
        }
        LiarsDice::options(knowledge, out);
        if MISTAKE.get() == Mistake::OffersNoSixes {
            out.retain(|action| !matches!(action, Action::Bid(Bid { face: 6, .. })));
        }
    }
}

impl Hosted for Faulty {
    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        let is_turn = state.board.turn == Some(seat);
        let some = Some(Duration::from_secs(9));
        match MISTAKE.get() {
            Mistake::RunsTheWrongClock => some.filter(|_| !is_turn),
            Mistake::RunsAClockInVain => some.filter(|_| is_turn),
            Mistake::AsksByHiddenDice => {
                some.filter(|_| is_turn && hidden_die(state, seat).is_multiple_of(2))
            }
            _ => LiarsDice::clock(state, seat),
        }
    }

    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        let turn = state.board.turn;
        let first = |seat| {
            let mut options = Vec::new();
            LiarsDice::seat_options(state, seat, &mut options);
            options.into_iter().next()
        };
        match MISTAKE.get() {
            Mistake::RunsAClockInVain => None,
            Mistake::PlaysTooLateForAnyone => first(turn?),
            Mistake::PlaysTooLateAgainstTheRules if turn == Some(seat) => Some(Action::Challenge),
            _ => first(seat),
        }
    }

    fn seat_options(state: &State, seat: Seat, out: &mut Vec<Action>) {
        if MISTAKE.get() == Mistake::ReadsOtherOptions {
            LiarsDice::seat_options(state, seat, out);
            out.reverse();
        }
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        LiarsDice::called_off(state).filter(|_| MISTAKE.get() != Mistake::GivesNoReason)
    }

    fn obey(state: &State, order: &Order, out: &mut Vec<Event>) {
        match (MISTAKE.get(), order) {
            (Mistake::GoesOnWhenCalledOff, Order::CallOff { .. })
            | (Mistake::GoesOnWhenPaused, Order::Pause) => out.push(some_bid(state)),
            (Mistake::ObeysAfterTheEnd, _) if state.board.finished.is_some() => {
                out.extend(state.board.finished.clone().map(Event::GameFinished));
            }
            _ => LiarsDice::obey(state, order, out),
        }
    }
}

impl Told for Faulty {
    fn is_private(state: &State, event: &Event) -> bool {
        match MISTAKE.get() {
            Mistake::SaysNothingIsPrivate => false,
            // Who keeps something back also says so.
            Mistake::KeepsFalseBidsFromThePublic => true,
            _ => LiarsDice::is_private(state, event),
        }
    }

    fn payload(state: &State, event: &Event, times: &Times) -> Box<RawValue> {
        match (MISTAKE.get(), event) {
            (Mistake::WritesAnotherBid, Event::BidPlaced(placed)) => {
                let mut other = *placed;
                other.bid.quantity += 1;
                serde_json::value::to_raw_value(&other).unwrap()
            }
            _ => LiarsDice::payload(state, event, times),
        }
    }
}

impl Spoken for Faulty {
    fn label(knowledge: &Knowledge, action: &Action) -> String {
        match MISTAKE.get() {
            Mistake::LabelsMovesAlike => "move".to_owned(),
            _ => LiarsDice::label(knowledge, action),
        }
    }

    fn outline(knowledge: &Knowledge) -> Option<Outline<State>> {
        let mut outline = LiarsDice::outline(knowledge)?;
        let board = &mut outline.state.board;
        match MISTAKE.get() {
            Mistake::OutlinesAnotherTurn => board.turn = board.turn.and(Some(Seat(0))),
            Mistake::OutlinesAnotherScore => board.hands.clear(),
            _ => {}
        }
        Some(outline)
    }
}

plain!(Faulty: Quick, Explained, Scripted, Written);

impl Offered for Faulty {
    const ABOUT: &'static str = "Liar's Dice with a mistake";

    fn guide() -> RulesGuide<Rules> {
        LiarsDice::guide()
    }

    fn score(state: &State) -> Score {
        let mut score = LiarsDice::score(state);
        match (MISTAKE.get(), state.board.turn) {
            (Mistake::CrownsNobody, _) => score.winners = SeatSet::EMPTY,
            (Mistake::CrownsTooEarly, Some(seat)) => score.winners = SeatSet::only(seat),
            _ => {}
        }
        score
    }
}

impl Secrets for Faulty {
    type Cell = Die;

    fn secrets(state: &State, out: &mut Vec<(Die, Eyes)>) {
        match MISTAKE.get() {
            Mistake::ListsNoSecrets => {}
            Mistake::ListsEveryoneAsEyes => {
                LiarsDice::secrets(state, out);
                let everyone = (0..6).map(Seat).collect();
                out.iter_mut().for_each(|(_, eyes)| eyes.seats = everyone);
            }
            _ => LiarsDice::secrets(state, out),
        }
    }

    fn swap(state: &mut State, one: Die, other: Die) -> bool {
        MISTAKE.get() == Mistake::SwapsNothing || LiarsDice::swap(state, one, other)
    }

    fn invariant(state: &State) -> Result<(), String> {
        LiarsDice::invariant(state)
    }

    fn imagined(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        let mut state = LiarsDice::imagine(knowledge, dice);
        match MISTAKE.get() {
            Mistake::ImaginesTooManyDice => {
                if let Some(dice) = state.board.hands[0].dice.as_mut() {
                    dice.push(1);
                    state.board.hands[0].count += 1;
                }
            }
            Mistake::ImaginesAnotherTurn => {
                state.board.turn = state.board.turn.map(|turn| Seat(1 - turn.0.min(1)));
            }
            _ => {}
        }
        Some(state)
    }
}
