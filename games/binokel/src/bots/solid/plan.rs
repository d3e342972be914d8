//! What a declarer makes of hand and dabb, at a glance.

use parlor_kernel::Stream;

use crate::cards::{Card, CardSet, Rank, Suit};
use crate::melds::melded;
use crate::rules::Rules;

/// Trump, and the cards to lay away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// What is trump.
    pub(super) trump: Suit,
    /// What is laid away.
    pub(super) laid_away: CardSet,
}

impl Plan {
    /// The plan that looks best with any suit as trump.
    pub(super) fn at_a_glance(cards: CardSet, count: u32, rules: &Rules) -> Plan {
        let promise = |trump: &Suit| promise(cards, *trump, rules);
        let best = Suit::ALL.into_iter().max_by_key(promise).unwrap_or(Suit::Kreuz);
        Plan::with_trump(cards, count, best, rules)
    }

    /// The plan that looks best with this trump: what is missed least goes.
    pub(super) fn with_trump(cards: CardSet, count: u32, trump: Suit, rules: &Rules) -> Plan {
        let melds = melded(cards, trump, rules).cards;
        let mut by_loss = [(0, Card::FIRST); 48];
        for (place, card) in by_loss.iter_mut().zip(cards.iter()) {
            *place = (missed(cards, melds, card, trump), card);
        }
        let by_loss = &mut by_loss[..cards.len() as usize];
        by_loss.sort_unstable();
        let laid_away = by_loss.iter().take(count as usize).map(|(_, card)| *card).collect();
        Plan { trump, laid_away }
    }

    /// The plan with another card laid away instead of one of its own.
    pub(super) fn with_one_changed(&self, cards: CardSet, dice: &mut Stream) -> Plan {
        let mut one_of = |cards: CardSet| cards.skip(dice.below(cards.len())).take(1);
        let (away, back) = (one_of(cards.without(self.laid_away)), one_of(self.laid_away));
        Plan { laid_away: self.laid_away.without(back).or(away), ..*self }
    }
}

/// How much a suit promises as trump: melds, and what takes tricks.
fn promise(cards: CardSet, trump: Suit, rules: &Rules) -> u16 {
    let trumps = cards.and(CardSet::of_suit(trump));
    let asses = trumps.and(CardSet::of_rank(Rank::Ass)).len();
    melded(cards, trump, rules).points + 10 * trumps.len() as u16 + 6 * asses as u16
}

/// How much a card is missed when it is laid away, where it at least counts.
fn missed(cards: CardSet, melds: CardSet, card: Card, trump: Suit) -> i16 {
    let covered = !cards.and(CardSet::above(card)).is_empty();
    let takes = match (card.rank(), card.suit() == trump) {
        (Rank::Ass, true) => 22,
        (Rank::Ten, true) => 19,
        (_, true) => 12,
        (Rank::Ass, false) => 17,
        (Rank::Ten, false) if covered => 9,
        (Rank::Ten, false) => 4,
        (Rank::Koenig, false) if covered => 3,
        (_, false) => 1,
    };
    let shown = if melds.contains(card) { 25 } else { 0 };
    takes + shown - card.points() as i16
}
