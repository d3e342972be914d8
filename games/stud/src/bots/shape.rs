//! What some cards make or may make, counted: for one to seven cards, which
//! is what boards and unfinished hands have.

use crate::cards::Card;

/// How a high hand is called; better is more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call {
    HighCard,
    Pair,
    TwoPair,
    Trips,
    Straight,
    Flush,
    FullHouse,
    Quads,
}

/// A high hand as players speak of it: its call and the rank it is made of.
pub(super) type Made = (Call, u8);

/// Cards counted by rank and suit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    /// How many of each rank, 2 to 14.
    ranks: [u8; 15],
    /// How many of each suit.
    suits: [u8; 4],
    /// A bit for each rank there is; the ace is both 1 and 14.
    run: u16,
}

/// Ranks that count for a low: ace to eight.
const LOW: u16 = 0b1_1111_1110;

impl Shape {
    pub(super) fn of(cards: impl IntoIterator<Item = Card>) -> Shape {
        let mut shape = Shape::default();
        for card in cards {
            shape.add(card);
        }
        shape
    }

    #[inline]
    pub(super) fn add(&mut self, card: Card) {
        self.ranks[usize::from(card.rank())] += 1;
        self.suits[usize::from(card.suit())] += 1;
        self.run |= 1 << card.rank() | 1 << card.low_rank();
    }

    /// How many of this rank.
    #[inline]
    pub(super) fn of_rank(&self, rank: u8) -> u8 {
        self.ranks[usize::from(rank)]
    }

    /// The longest suit and its length.
    #[inline]
    pub(super) fn suit(&self) -> (usize, u8) {
        let mut longest = (0, 0);
        for (suit, count) in self.suits.into_iter().enumerate() {
            if count > longest.1 {
                longest = (suit, count);
            }
        }
        longest
    }

    /// How many of this suit.
    #[inline]
    pub(super) fn of_suit(&self, suit: usize) -> u8 {
        self.suits[suit]
    }

    /// The highest rank, the ace being high.
    #[inline]
    pub(super) fn top(&self) -> u8 {
        self.run.checked_ilog2().unwrap_or(0) as u8
    }

    /// How many cards rank this high or higher.
    pub(super) fn from(&self, rank: u8) -> u8 {
        self.ranks[usize::from(rank)..].iter().sum()
    }

    /// What the cards make as a high hand.
    pub(super) fn made(&self) -> Made {
        let (mut pair, mut other, mut trips, mut quads) = (0, 0, 0, 0);
        for rank in 2..15 {
            match self.of_rank(rank) {
                4 => quads = rank,
                3 => (trips, other) = (rank, trips.max(other)),
                2 => (pair, other) = (rank, pair.max(other)),
                _ => {}
            }
        }
        if quads > 0 {
            (Call::Quads, quads)
        } else if trips > 0 && pair.max(other) > 0 {
            (Call::FullHouse, trips)
        } else if self.suit().1 >= 5 {
            (Call::Flush, self.top())
        } else if let Some(high) = self.straight() {
            (Call::Straight, high)
        } else if trips > 0 {
            (Call::Trips, trips)
        } else if other > 0 {
            (Call::TwoPair, pair)
        } else if pair > 0 {
            (Call::Pair, pair)
        } else {
            (Call::HighCard, self.top())
        }
    }

    fn straight(&self) -> Option<u8> {
        let run = self.run;
        let lowest = run & run >> 1 & run >> 2 & run >> 3 & run >> 4;
        lowest.checked_ilog2().map(|low| low as u8 + 4)
    }

    /// How many of the ranks that would fill a straight are still to come,
    /// given what is gone elsewhere.
    pub(super) fn straight_outs(&self, gone: &Shape) -> u8 {
        let mut outs = 0;
        for rank in 2..15 {
            let filled = Shape { run: self.run | with_low_ace(rank), ..*self };
            if self.of_rank(rank) == 0 && filled.straight().is_some() {
                outs += 4 - gone.of_rank(rank).min(4);
            }
        }
        outs
    }

    /// How many cards lie in the best five ranks in a row.
    pub(super) fn connected(&self) -> u32 {
        (1..=10).map(|low| (self.run >> low & 0b1_1111).count_ones()).max().unwrap_or(0)
    }

    /// How many different ranks count for a low.
    #[inline]
    pub(super) fn lows(&self) -> u32 {
        (self.run & LOW).count_ones()
    }

    /// The different ranks, ace low, best low first, at most `count` of them:
    /// a number that is smaller for the better low.
    #[inline]
    pub(super) fn lowest(&self, count: u32) -> u16 {
        let mut left = self.run & !(1 << 14);
        let mut kept = 0;
        for _ in 0..count {
            kept |= left & left.wrapping_neg();
            left &= left.wrapping_sub(1);
        }
        kept
    }
}

const fn with_low_ace(rank: u8) -> u16 {
    if rank == 14 { 1 << 14 | 1 << 1 } else { 1 << rank }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(names: &str) -> Shape {
        Shape::of(names.split(' ').filter_map(Card::named))
    }

    #[test]
    fn hands_are_called_as_players_call_them() {
        for (cards, made) in [
            ("Kd", (Call::HighCard, 13)),
            ("Kd Kc", (Call::Pair, 13)),
            ("2d Kc 2c Kd", (Call::TwoPair, 13)),
            ("2d Kc 2c Kd 9s 9d", (Call::TwoPair, 13)),
            ("4d 4c 4s Ad", (Call::Trips, 4)),
            ("Ad 2c 3s 4d 5d Kc", (Call::Straight, 5)),
            ("Td Jc Qs Kd Ad", (Call::Straight, 14)),
            ("Ad 2d 3d 4d 9d", (Call::Flush, 14)),
            ("4d 4c 4s Ad Ac 2s", (Call::FullHouse, 4)),
            ("4d 4c 4s 9d 9c 9s", (Call::FullHouse, 9)),
            ("4d 4c 4s 4h Ac As", (Call::Quads, 4)),
        ] {
            assert_eq!(shape(cards).made(), made, "{cards}");
        }
    }

    #[test]
    fn an_open_straight_has_eight_outs_less_those_that_are_gone() {
        let none = Shape::default();
        assert_eq!(shape("5d 6c 7s 8d").straight_outs(&none), 8);
        assert_eq!(shape("5d 6c 7s 8d").straight_outs(&shape("9d 9c")), 6);
        assert_eq!(shape("Ad 2c 3s 4d").straight_outs(&none), 4);
    }

    #[test]
    fn the_better_low_is_the_smaller_number() {
        assert!(shape("Ad 2c 3s 4d 7d").lowest(5) < shape("3s 4d 5s 6d 8d Ad").lowest(5));
        assert_eq!(shape("Ad Ac 9s 8d").lows(), 2);
    }
}
