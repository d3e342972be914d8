//! What a hand is called: `two pair, kings and fours, ace kicker`.

use std::cmp::Reverse;

use crate::cards::Card;
use crate::eval::{ace_to_five, eight_or_better, high};

const ONE: [&str; 15] = [
    "", "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack",
    "queen", "king", "ace",
];
const MANY: [&str; 15] = [
    "", "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens",
    "jacks", "queens", "kings", "aces",
];

fn one(rank: u8) -> &'static str {
    ONE[usize::from(rank).min(14)]
}

fn many(rank: u8) -> &'static str {
    MANY[usize::from(rank).min(14)]
}

/// The high hand in words; empty for fewer than five cards.
///
/// ```
/// use parlor_stud::{Card, high_in_words};
/// let hand = |names: &str| -> Vec<Card> { names.split(' ').filter_map(Card::named).collect() };
/// assert_eq!(high_in_words(&hand("Ks Kd 4s 4c Ah 9d 2c")), "two pair, kings and fours, ace kicker");
/// assert_eq!(high_in_words(&hand("5s 4d 3s 2c Ah Kd Kc")), "straight, five high");
/// ```
pub fn high_in_words(cards: &[Card]) -> String {
    let Some(five) = best_five(cards, high) else { return String::new() };
    let groups = groups(&five, Card::rank);
    let flush = five.iter().all(|card| card.suit() == five[0].suit());
    match (straight_to(&groups), flush) {
        (Some(14), true) => "royal flush".to_owned(),
        (Some(top), true) => format!("straight flush, {} high", one(top)),
        (None, true) => format!("flush, {}", ranks(&groups)),
        (Some(top), false) => format!("straight, {} high", one(top)),
        (None, false) => grouped(&groups),
    }
}

/// The ace-to-five low in words; empty for fewer than five cards.
///
/// ```
/// use parlor_stud::{Card, low_in_words};
/// let hand = |names: &str| -> Vec<Card> { names.split(' ').filter_map(Card::named).collect() };
/// assert_eq!(low_in_words(&hand("8s 6d 4s 3c 2h Kd Kc")), "8-6-4-3-2 low");
/// assert_eq!(low_in_words(&hand("As Ad 2s 2c Kh Kd 2d")), "two pair, twos and aces, king kicker");
/// ```
pub fn low_in_words(cards: &[Card]) -> String {
    let Some(five) = best_five(cards, ace_to_five) else { return String::new() };
    let groups = groups(&five, Card::low_rank);
    if groups.len() < 5 {
        return grouped(&groups);
    }
    let digit = |(_, rank): &(u8, u8)| match rank {
        1 => "A".to_owned(),
        11 => "J".to_owned(),
        12 => "Q".to_owned(),
        13 => "K".to_owned(),
        number => number.to_string(),
    };
    format!("{} low", groups.iter().map(digit).collect::<Vec<_>>().join("-"))
}

/// The low in words if it is eight or better.
pub fn eight_or_better_in_words(cards: &[Card]) -> Option<String> {
    eight_or_better(cards).map(|_| low_in_words(cards))
}

/// The five cards that make the hand: words follow the evaluator.
fn best_five<R: Ord>(cards: &[Card], worth: impl Fn(&[Card]) -> R) -> Option<[Card; 5]> {
    let fives = (0u32..1 << cards.len().min(7)).filter(|chosen| chosen.count_ones() == 5);
    let five = |chosen: u32| {
        let mut picked = [cards[0]; 5];
        let members = cards.iter().enumerate().filter(|(place, _)| chosen & (1 << place) != 0);
        for (to, (_, card)) in picked.iter_mut().zip(members) {
            *to = *card;
        }
        picked
    };
    fives.map(five).max_by_key(|five| worth(five))
}

/// How many of each rank: the most first, then the highest.
fn groups(five: &[Card; 5], rank: impl Fn(Card) -> u8) -> Vec<(u8, u8)> {
    let mut groups: Vec<(u8, u8)> = Vec::new();
    for card in five {
        match groups.iter_mut().find(|(_, known)| *known == rank(*card)) {
            Some((count, _)) => *count += 1,
            None => groups.push((1, rank(*card))),
        }
    }
    groups.sort_by_key(|group| Reverse(*group));
    groups
}

/// The top of a straight; the ace may be its foot.
fn straight_to(groups: &[(u8, u8)]) -> Option<u8> {
    match *groups {
        [(1, 14), (1, 5), (1, 4), (1, 3), (1, 2)] => Some(5),
        [(1, top), _, _, _, (1, foot)] if top - foot == 4 => Some(top),
        _ => None,
    }
}

fn ranks(groups: &[(u8, u8)]) -> String {
    groups.iter().map(|(_, rank)| one(*rank)).collect::<Vec<_>>().join("-")
}

fn grouped(groups: &[(u8, u8)]) -> String {
    match groups {
        [(4, quads), (_, kicker)] => {
            format!("four of a kind, {}, {} kicker", many(*quads), one(*kicker))
        }
        [(3, trips), (2, pair)] => format!("full house, {} over {}", many(*trips), many(*pair)),
        [(3, trips), kickers @ ..] => {
            format!("three of a kind, {}, {} kickers", many(*trips), ranks(kickers))
        }
        [(2, upper), (2, lower), (_, kicker)] => {
            format!("two pair, {} and {}, {} kicker", many(*upper), many(*lower), one(*kicker))
        }
        [(2, pair), kickers @ ..] => {
            format!("pair of {}, {} kickers", many(*pair), ranks(kickers))
        }
        _ => format!("high card, {}", ranks(groups)),
    }
}
