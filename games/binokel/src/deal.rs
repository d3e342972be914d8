//! The deal.

use parlor_kernel::{Dice, Seat};

use crate::cards::{Card, CardSet};
use crate::event::CardsDealt;
use crate::rules::Rules;
use crate::seats::Each;

/// The last seat deals first, so that the host opens.
pub(crate) const fn first_dealer(players: u8) -> Seat {
    Seat(players - 1)
}

/// Shuffles and deals: a run of cards to each seat from the first on, what is
/// left to the dabb.
pub(crate) fn deal(round: u16, players: u8, rules: &Rules, dice: &Dice) -> CardsDealt {
    let mut deck = [Card::FIRST; 48];
    let size = rules.deck().len() as usize;
    for (place, card) in deck.iter_mut().zip(rules.deck().iter()) {
        *place = card;
    }
    let deck = &mut deck[..size];
    dice.shuffle(format_args!("deal/{round}"), deck);
    let hand = (size - usize::from(rules.dabb(players))) / usize::from(players);
    let mut runs = deck.chunks(hand);
    let mut run = || runs.next().map_or(CardSet::EMPTY, |run| run.iter().copied().collect());
    let mut hands = [CardSet::EMPTY; 4];
    hands.iter_mut().take(usize::from(players)).for_each(|hand| *hand = run());
    let dealt = hands.iter().fold(CardSet::EMPTY, |dealt, hand| dealt.or(*hand));
    CardsDealt { hands: Each::of(players, hands), dabb: rules.deck().without(dealt) }
}
