//! Who plays a seat: at random, or by the odds.

use parlor_kernel::{BotKind, Player, Stream};

use crate::board::Knowledge;
use crate::event::{Action, Bid};
use crate::game::LiarsDice;
use crate::rules::Rules;

pub(crate) fn bots() -> Vec<BotKind<LiarsDice>> {
    vec![
        BotKind::random(&["easy"]),
        BotKind {
            name: "odds",
            aliases: &["medium", "hard", "max"],
            meaning: "bids or challenges by the exact chance, given its own dice",
            make: || Box::new(Odds),
        },
    ]
}

/// The chance that a bid holds for someone who sees these dice and not the
/// `others`: at least what is missing among that many throws.
pub fn chance(rules: &Rules, own: &[u8], others: u32, bid: Bid) -> f64 {
    let held = own.iter().filter(|die| rules.counts(**die, bid.face)).count() as u32;
    let one = if rules.wild { 1.0 / 3.0 } else { 1.0 / 6.0 };
    at_least(bid.quantity.saturating_sub(held), others, one)
}

/// P(Binomial(throws, one) ≥ wanted).
fn at_least(wanted: u32, throws: u32, one: f64) -> f64 {
    if wanted == 0 {
        return 1.0;
    }
    let mut exactly = (1.0 - one).powi(throws as i32);
    let mut sum = 0.0;
    for hits in 0..=throws {
        if hits >= wanted {
            sum += exactly;
        }
        exactly *= f64::from(throws - hits) / f64::from(hits + 1) * one / (1.0 - one);
    }
    sum
}

/// Does what is most likely right; of bids that are as likely, the highest.
pub struct Odds;

impl Player<LiarsDice> for Odds {
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], _: &mut Stream) -> usize {
        let board = &knowledge.board;
        let hand = knowledge.me.and_then(|me| board.hands.get(me.index()));
        let own = hand.and_then(|hand| hand.dice.as_deref()).unwrap_or_default();
        let others = board.total().saturating_sub(own.len() as u32);
        let holds = |bid| chance(&board.rules(), own, others, bid);
        let right = |option: &Action| match (option, board.bid) {
            (Action::Bid(bid), _) => holds(*bid),
            (Action::Challenge, Some(last)) => 1.0 - holds(last.bid),
            (Action::Challenge, None) => 0.0,
        };
        let ranked = options.iter().map(right).enumerate();
        ranked.max_by(|one, other| one.1.total_cmp(&other.1)).map_or(0, |(place, _)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chance_of_a_bid_is_that_of_the_missing_dice_among_five() {
        let binomial = |hits: u32| {
            let ways = [1.0, 5.0, 10.0, 10.0, 5.0, 1.0][hits as usize];
            ways * (1.0_f64 / 3.0).powi(hits as i32) * (2.0_f64 / 3.0).powi(5 - hits as i32)
        };
        let own = [1, 4, 4, 2, 6];
        for quantity in 1..=10 {
            // Two fours and a one.
            let missing = quantity - 3.min(quantity);
            let exact: f64 = (missing..=5).map(binomial).sum();
            let said = chance(&Rules::default(), &own, 5, Bid { quantity, face: 4 });
            assert!((said - exact).abs() < 1e-12, "{quantity}: {said}, not {exact}");
        }
    }

    #[test]
    fn without_wild_ones_a_face_comes_once_in_six() {
        let tame = Rules { wild: false, ..Rules::default() };
        let said = chance(&tame, &[1, 2], 1, Bid { quantity: 2, face: 2 });
        assert!((said - 1.0 / 6.0).abs() < 1e-12, "{said}");
    }
}
