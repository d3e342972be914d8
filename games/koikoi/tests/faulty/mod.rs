//! Koi-Koi with one mistake in it. Which one, the thread says: so one type
//! does for all.

use std::cell::Cell;
use std::ops::RangeInclusive;
use std::time::Duration;

use parlor_kernel::laws::{Eyes, Secrets};
use parlor_kernel::*;
use parlor_koikoi::*;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mistake {
    None,
    ShowsTheOtherHand,
    ShowsThePublicAHand,
    ShowsThePile,
    TellsWhatIsFlippedNext,
    TellsHowManyBrightsTheyHold,
    TellsTheSpecialHandBeforeItIsShown,
    TellsThePileByTheYaku,
    HidesTheOwnHand,
    RefusesByTheOtherHand,
    ClocksByThePile,
    MovesWithTheOtherHand,
    SaysThatAllSeeTheDealAlike,
    ImaginesACardTwice,
    ImaginesASmallerHand,
    ListsNoPile,
    SwapsNothing,
}

thread_local! {
    static MISTAKE: Cell<Mistake> = const { Cell::new(Mistake::None) };
}

/// Plants this mistake, in place of any other.
pub fn make(mistake: Mistake) {
    MISTAKE.set(mistake);
}

/// The game with the mistake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faulty;

/// A hand that this viewer may not see.
fn other_hand(state: &State, viewer: Viewer) -> CardSet {
    state.hands[viewer.seat().map_or(0, |seat| opponent(seat).index())]
}

fn brights(cards: CardSet) -> u32 {
    cards.and(CardSet::class(Class::Bright)).len()
}

impl Game for Faulty {
    const NAME: &'static str = "koikoi";
    const VERSION: u32 = KoiKoi::VERSION;
    type Rules = Rules;
    type Action = Action;
    type Event = Event;
    type State = State;
    type Seen = Seen;
    type Knowledge = Knowledge;
    type Refusal = Refusal;

    fn seats(rules: &Rules) -> RangeInclusive<usize> {
        KoiKoi::seats(rules)
    }

    fn open(opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
        KoiKoi::open(opening, dice, out);
    }

    fn opened(state: &State) -> Option<&Opened<Rules>> {
        KoiKoi::opened(state)
    }

    fn decide(
        state: &State,
        seat: Seat,
        action: &Action,
        dice: &Dice,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let decided = KoiKoi::decide(state, seat, action, dice, out);
        let is_bright = brights(other_hand(state, Viewer::Seat(seat))) > 0;
        match MISTAKE.get() {
            Mistake::RefusesByTheOtherHand if decided.is_err() && is_bright => {
                Err(Refusal::NoSuchCard("9999".to_owned()))
            }
            _ => decided,
        }
    }

    fn proceed(state: &State, dice: &Dice, out: &mut Vec<Event>) {
        KoiKoi::proceed(state, dice, out);
    }

    fn apply(state: &mut State, event: &Event) {
        KoiKoi::apply(state, event);
    }

    fn awaiting(state: &State) -> Awaiting {
        KoiKoi::awaiting(state)
    }

    fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
        let mut seen = KoiKoi::see(state, event, viewer)?;
        if viewer.sees_all() {
            return Some(seen);
        }
        match (MISTAKE.get(), &mut seen, event) {
            (
                Mistake::ShowsTheOtherHand,
                Seen::RoundDealt(deal),
                Event::RoundDealt(RoundDealt { hands, .. }),
            ) if viewer.seat().is_some() => deal.hands = hands.map(Some),
            (Mistake::ShowsThePublicAHand, Seen::RoundDealt(deal), Event::RoundDealt(dealt))
                if viewer == Viewer::Public =>
            {
                deal.hands[1] = Some(dealt.hands[1]);
            }
            (Mistake::ShowsThePile, Seen::RoundDealt(deal), Event::RoundDealt(dealt)) => {
                deal.pile = Some(dealt.pile);
            }
            (Mistake::TellsWhatIsFlippedNext, Seen::KoiKoiCalled(called), _) => {
                called.calls = state.pile.top().map_or(0, Card::month);
            }
            (Mistake::TellsHowManyBrightsTheyHold, Seen::RoundScored(scored), _) => {
                scored.base += brights(other_hand(state, viewer));
            }
            (Mistake::TellsTheSpecialHandBeforeItIsShown, Seen::RoundDealt(deal), _) => {
                deal.round += 100 * (other_hand(state, viewer).months_of_two().len() as u16);
            }
            (Mistake::TellsThePileByTheYaku, Seen::YakuFormed(formed), _)
                if brights(state.pile.set()) > 1 =>
            {
                formed.fresh = YakuPoints::default();
            }
            (Mistake::HidesTheOwnHand, Seen::RoundDealt(deal), _) => deal.hands = [None; 2],
            _ => {}
        }
        Some(seen)
    }

    fn unaware(viewer: Viewer) -> Knowledge {
        KoiKoi::unaware(viewer)
    }

    fn learn(knowledge: &mut Knowledge, seen: &Seen) {
        KoiKoi::learn(knowledge, seen);
    }

    fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
        KoiKoi::options(knowledge, out);
    }
}

impl Hosted for Faulty {
    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        let is_asked = KoiKoi::timeout(state, seat).is_some();
        match (MISTAKE.get(), state.pile.cards().first()) {
            (Mistake::ClocksByThePile, Some(card)) if is_asked => {
                Some(Duration::from_secs(card.month().into()))
            }
            _ => KoiKoi::clock(state, seat),
        }
    }

    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        KoiKoi::timeout(state, seat)
    }

    fn call_off(state: &State, reason: &str, out: &mut Vec<Event>) {
        KoiKoi::call_off(state, reason, out);
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        KoiKoi::called_off(state)
    }
}

impl Told for Faulty {
    fn is_private(state: &State, event: &Event) -> bool {
        // Who tells some more than others also says so.
        MISTAKE.get() != Mistake::None || KoiKoi::is_private(state, event)
    }
}

impl Quick for Faulty {
    fn see_alike(event: &Event) -> Option<Seen> {
        match (MISTAKE.get(), event) {
            (Mistake::SaysThatAllSeeTheDealAlike, Event::RoundDealt(deal)) => {
                let RoundDealt { round, dealer, hands, field, .. } = *deal;
                let hands = hands.map(Some);
                Some(Seen::RoundDealt(DealSeen { round, dealer, hands, field, pile: None }))
            }
            _ => None,
        }
    }

    fn random() -> Box<dyn Player<Faulty>> {
        Box::new(RandomPlayout)
    }
}

impl Playout for Faulty {
    type Moves = Vec<Action>;

    fn moves(state: &State, seat: Seat, out: &mut Vec<Action>) {
        match MISTAKE.get() {
            Mistake::MovesWithTheOtherHand => {
                let mut other = state.clone();
                other.hands.swap(0, 1);
                KoiKoi::moves(&other, seat, out);
            }
            _ => KoiKoi::moves(state, seat, out),
        }
    }
}

impl Spoken for Faulty {
    fn label(knowledge: &Knowledge, action: &Action) -> String {
        KoiKoi::label(knowledge, action)
    }
}

plain!(Faulty: Explained, Scripted, Written);

impl Offered for Faulty {
    const ABOUT: &'static str = "Koi-Koi with a mistake";

    fn guide() -> RulesGuide<Rules> {
        KoiKoi::guide()
    }

    fn score(state: &State) -> Score {
        KoiKoi::score(state)
    }
}

impl Secrets for Faulty {
    type Cell = <KoiKoi as Secrets>::Cell;

    fn secrets(state: &State, out: &mut Vec<(Self::Cell, Eyes)>) {
        KoiKoi::secrets(state, out);
        if MISTAKE.get() == Mistake::ListsNoPile {
            out.retain(|(_, eyes)| *eyes != Eyes::NOBODY);
        }
    }

    fn swap(state: &mut State, one: Self::Cell, other: Self::Cell) -> bool {
        MISTAKE.get() == Mistake::SwapsNothing || KoiKoi::swap(state, one, other)
    }

    fn invariant(state: &State) -> Result<(), String> {
        KoiKoi::invariant(state)
    }

    fn imagined(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        let mut world = KoiKoi::imagine(knowledge, dice);
        let first = world.hands[0].iter().next();
        match (MISTAKE.get(), first) {
            (Mistake::ImaginesACardTwice, Some(card)) => world.hands[1].insert(card),
            (Mistake::ImaginesASmallerHand, Some(card)) => {
                world.hands[0].remove(card);
                world.board.field.push(card);
            }
            _ => {}
        }
        Some(world)
    }

    fn plain(knowledge: &Knowledge, action: &Action) -> Action {
        KoiKoi::plain(knowledge, action)
    }
}
