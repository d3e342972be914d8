//! The last tricks, exactly: every seat plays what is best for its side.

use super::rest::{Rest, one_of_each};
use super::stakes::{Chances, Stakes};

/// What the rest of the round comes to, all cards open.
///
/// With two sides this is alpha–beta; with three, each maximises its own
/// chance, and only the cut that stays sound then is made. `ceiling` is the
/// side that chose to come here and what it has elsewhere: once the side to
/// move leaves it less than that, how much less does not matter.
pub(super) fn solve(rest: &Rest, stakes: &Stakes, ceiling: Option<(usize, f32)>) -> Chances {
    if rest.is_over() {
        return stakes.played(rest);
    }
    let side = rest.side();
    let cards = one_of_each(rest.legal());
    // Where there is no choice, the ceiling is that of the choice before.
    let forced = cards.len() == 1;
    let mut best: Option<Chances> = None;
    for card in cards.iter() {
        let mut next = *rest;
        next.play(card);
        let bar = if forced { ceiling } else { best.map(|best| (side, best[side])) };
        let found = solve(&next, stakes, bar);
        if best.is_none_or(|best| found[side] > best[side]) {
            best = Some(found);
        }
        if ceiling.is_some_and(|(other, has)| other != side && found[side] >= 1.0 - has) {
            break;
        }
    }
    // A round that is not over has a card to play.
    best.unwrap_or([0.0; 4])
}
