//! Fourteen functions are enough to be played and checked: Liar's Dice once more
//! with all that a game may leave out left out.

use std::ops::RangeInclusive;

use parlor_dice::*;
use parlor_kernel::laws::{Eyes, Secrets, check_all};
use parlor_kernel::{
    Awaiting, Dice, Game, Offered, Opened, Opening, RulesGuide, Score, Seat, Viewer, plain,
};

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bare;

impl Game for Bare {
    const NAME: &'static str = "bare";
    const VERSION: u32 = 1;
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

    fn open(opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
        LiarsDice::open(opening, dice, out);
    }

    fn opened(state: &State) -> Option<&Opened<Rules>> {
        LiarsDice::opened(state)
    }

    fn decide(
        state: &State,
        seat: Seat,
        action: &Action,
        dice: &Dice,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        LiarsDice::decide(state, seat, action, dice, out)
    }

    fn apply(state: &mut State, event: &Event) {
        LiarsDice::apply(state, event);
    }

    fn awaiting(state: &State) -> Awaiting {
        LiarsDice::awaiting(state)
    }

    fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
        LiarsDice::see(state, event, viewer)
    }

    fn unaware(viewer: Viewer) -> Knowledge {
        LiarsDice::unaware(viewer)
    }

    fn learn(knowledge: &mut Knowledge, seen: &Seen) {
        LiarsDice::learn(knowledge, seen);
    }

    fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
        LiarsDice::options(knowledge, out);
    }
}

impl Secrets for Bare {
    type Cell = Die;

    fn secrets(state: &State, out: &mut Vec<(Die, Eyes)>) {
        LiarsDice::secrets(state, out);
    }

    fn swap(state: &mut State, one: Die, other: Die) -> bool {
        LiarsDice::swap(state, one, other)
    }
}

impl Offered for Bare {
    const ABOUT: &'static str = "Liar's Dice without anything pleasant";

    fn guide() -> RulesGuide<Rules> {
        LiarsDice::guide()
    }

    fn score(state: &State) -> Score {
        LiarsDice::score(state)
    }
}

plain!(Bare: Hosted, Told, Quick, Spoken, Explained, Scripted, Written);

#[test]
fn fourteen_functions_are_enough_to_keep_all_laws() {
    check_all::<Bare>(1).unwrap();
    assert!(Bare::bots().iter().any(|bot| bot.aliases.contains(&"hard")), "it can be played");
}
