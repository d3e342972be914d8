//! What a hand looks like from its seat, by rules of thumb: its own cards,
//! the boards it plays against, and the cards that are gone.

use arrayvec::ArrayVec;
use parlor_kernel::Seat;

use super::shape::{Call, Made, Shape};
use crate::board::Board;
use crate::cards::Card;
use crate::rules::Variant;
use crate::seats::{SEATS, at};
use crate::state::Knowledge;

/// The cards of a hand, down cards first.
pub(super) type Hand = ArrayVec<Card, 7>;

/// The cards the seat holds, as far as they are known.
pub(super) fn own_hand(knowledge: &Knowledge, seat: Seat) -> Hand {
    let [one, other, last] = knowledge.down[at(seat)];
    let up = knowledge.board.player(seat).up;
    [one, other].into_iter().chain(up).chain([last]).flatten().collect()
}

/// How a hand looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Behind, and little can help.
    Weak,
    /// Behind, but much can help.
    Drawing,
    /// Perhaps ahead.
    Fair,
    /// Ahead, by what can be seen.
    Strong,
}

use Strength::{Drawing, Fair, Strong, Weak};

/// The table as one seat sees it without its own cards.
#[derive(Clone, Debug)]
pub(super) struct Outlook {
    variant: Variant,
    /// The boards of those who are still in.
    rivals: ArrayVec<Shape, SEATS>,
    /// Every card up elsewhere, folded boards too.
    gone: Shape,
}

impl Outlook {
    /// How the table looks from a seat, or looked when so many cards were up.
    pub(super) fn from(board: &Board, seat: Seat, cards_up: usize) -> Outlook {
        let mut outlook =
            Outlook { variant: board.variant, rivals: ArrayVec::new(), gone: Shape::default() };
        for other in board.dealt_in.iter().filter(|other| *other != seat) {
            let up = board.player(other).up;
            let up = || up.into_iter().flatten().take(cards_up);
            up().for_each(|card| outlook.gone.add(card));
            if board.active.contains(other) {
                outlook.rivals.push(Shape::of(up()));
            }
        }
        outlook
    }

    /// How these cards look: the down cards first, then the board.
    pub(super) fn judge(&self, hand: &[Card]) -> Strength {
        let shape = Shape::of(hand.iter().copied());
        match (self.variant, hand.len()) {
            (Variant::StudHi, 3) => self.high_start(&shape),
            (Variant::Razz, 3) => self.razz_start(&shape),
            (Variant::Stud8, 3) => self.eight_start(&shape),
            (Variant::StudHi, count) => self.high(&shape, count),
            (Variant::Razz, count) => self.razz(&shape, count),
            (Variant::Stud8, count) => self.eight(&shape, count),
        }
    }

    fn heads_up(&self) -> bool {
        self.rivals.len() < 2
    }

    /// The highest card that shows elsewhere.
    fn top(&self) -> u8 {
        self.rivals.iter().map(Shape::top).max().unwrap_or(0)
    }

    /// Three cards for high: trips and leading pairs, then live pairs, live
    /// three-flushes and big cards.
    fn high_start(&self, hand: &Shape) -> Strength {
        let (call, rank) = hand.made();
        let (suit, suited) = hand.suit();
        let (top, big) = (self.top(), hand.from(11));
        match call {
            Call::Trips => Strong,
            Call::Pair if rank >= 10 && rank >= top => Strong,
            Call::Pair if rank >= 10 || self.heads_up() => Fair,
            Call::Pair if self.gone.of_rank(rank) > 0 => Weak,
            Call::Pair if rank >= top || hand.top() > top.max(11) => Fair,
            Call::Pair => Drawing,
            _ if suited == 3 && self.gone.of_suit(suit) <= 2 => {
                if big >= 1 {
                    Fair
                } else {
                    Drawing
                }
            }
            _ if hand.connected() == 3 && hand.top() >= 9 && big >= 1 => Drawing,
            _ if big == 3 => Drawing,
            _ if self.heads_up() && hand.top() > top => Drawing,
            _ => Weak,
        }
    }

    /// Four cards or more for high, against the pair each board may hide.
    fn high(&self, hand: &Shape, count: usize) -> Strength {
        let made = hand.made();
        let worst = self.rivals.iter().map(|board| suspected(board, count)).max();
        let shown = self.rivals.iter().map(Shape::made).max();
        let (worst, shown) = (worst.unwrap_or(NOTHING), shown.unwrap_or(NOTHING));
        let leads = made >= shown && made.0 == Call::HighCard && self.heads_up();
        if made >= worst && made.0 > Call::HighCard {
            Strong
        } else if made >= shown && made.0 >= Call::Pair {
            Fair
        } else if count < 7 && (leads || self.draws_high(hand, count)) {
            Drawing
        } else {
            Weak
        }
    }

    /// Whether a flush or a straight is near and live.
    fn draws_high(&self, hand: &Shape, count: usize) -> bool {
        let (suit, suited) = hand.suit();
        let live = 13 - suited - self.gone.of_suit(suit);
        suited == 4 && live >= 6
            || suited == 3 && count == 4 && live >= 8
            || hand.straight_outs(&self.gone) >= 6
    }

    /// Three cards for razz: the three lowest are played, the better the more.
    fn razz_start(&self, hand: &Shape) -> Strength {
        let doors = self.rivals.iter().filter(|door| door.lows() > 0).count();
        let worst = hand.lowest(3).checked_ilog2().unwrap_or(0);
        match hand.lows() {
            3 if worst <= 6 => Strong,
            3 if worst <= 7 || doors == 0 => Strong,
            3 => Fair,
            2 if doors == 0 && self.heads_up() => Fair,
            2 if doors == 0 || self.heads_up() => Drawing,
            _ => Weak,
        }
    }

    /// Four cards or more for razz: each rival is thought to hold two good
    /// cards down.
    fn razz(&self, hand: &Shape, count: usize) -> Strength {
        let mine = hand.lows().min(5);
        let theirs = self.rivals.iter().map(|board| (board.lows() + 2).min(5)).max().unwrap_or(0);
        let smoother = || {
            let rival = self.rivals.iter().map(|board| board.lowest(3) | 1 << 7).min();
            hand.lowest(5) <= rival.unwrap_or(u16::MAX)
        };
        match mine as i32 - theirs as i32 {
            1.. => Strong,
            0 if mine < 5 || smoother() => Strong,
            0 => Fair,
            -1 if count < 7 => Drawing,
            -1 if self.heads_up() && hand.lowest(5) < 1 << 10 => Fair,
            _ => Weak,
        }
    }

    /// Three cards for hi-lo: low cards that may go high as well, and pairs
    /// that lead.
    fn eight_start(&self, hand: &Shape) -> Strength {
        let (call, rank) = hand.made();
        let (suit, suited) = hand.suit();
        let ace = hand.top() == 14;
        let low_doors = self.rivals.iter().filter(|door| door.lows() > 0).count();
        match call {
            Call::Trips => Strong,
            Call::Pair if rank == 14 => Strong,
            Call::Pair if rank >= 10 && rank >= self.top() => {
                if low_doors <= 1 {
                    Strong
                } else {
                    Fair
                }
            }
            Call::Pair if self.heads_up() => Fair,
            Call::Pair if hand.lows() == 2 && self.gone.of_rank(rank) == 0 => Drawing,
            Call::Pair => Weak,
            _ if hand.lows() == 3 && (ace || suited == 3 || hand.connected() == 3) => Strong,
            _ if hand.lows() == 3 => Fair,
            _ if suited == 3 && self.gone.of_suit(suit) <= 2 => Drawing,
            _ if self.heads_up() && (hand.lows() == 2 || hand.top() > self.top()) => Drawing,
            _ => Weak,
        }
    }

    /// Four cards or more for hi-lo: how both ways look, taken together.
    fn eight(&self, hand: &Shape, count: usize) -> Strength {
        let high = self.high(hand, count);
        let theirs = self.rivals.iter().map(Shape::lows).max().unwrap_or(0);
        // Even three low cards down would not make five.
        let no_rival = theirs as usize + 2 < count.clamp(2, 6) - 2;
        let low = match hand.lows() {
            5.. => {
                if no_rival || theirs < 3 || hand.lowest(5) < 1 << 8 {
                    Strong
                } else {
                    Fair
                }
            }
            4 if count < 6 || count == 6 && no_rival => Drawing,
            3 if count == 4 => Drawing,
            _ => Weak,
        };
        match (high, low) {
            (Strong, Weak) if !no_rival && theirs >= 3 => Fair,
            (Strong, _) | (Fair, Strong) => Strong,
            (Fair, Weak) if !no_rival => Drawing,
            (Fair, _) | (_, Fair | Strong) => Fair,
            (Drawing, _) | (_, Drawing) => Drawing,
            (Weak, Weak) => Weak,
        }
    }
}

const NOTHING: Made = (Call::HighCard, 0);

/// What a board is feared to hold by the time its hand has `count` cards: a
/// pair of its best card; from sixth street on tens at least, two pair where
/// one shows, a flush where four of a suit do.
fn suspected(board: &Shape, count: usize) -> Made {
    match board.made() {
        (Call::HighCard, top) if count >= 6 && board.suit().1 >= 4 => (Call::Flush, top),
        (Call::HighCard, top) if count >= 6 => (Call::Pair, top.max(10)),
        (Call::HighCard, top) => (Call::Pair, top),
        (Call::Pair, rank) if count >= 6 => (Call::TwoPair, rank),
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(names: &str) -> Vec<Card> {
        names.split(' ').filter_map(Card::named).collect()
    }

    fn judged(variant: Variant, hand: &str, boards: &[&str]) -> Strength {
        let rivals: ArrayVec<Shape, SEATS> =
            boards.iter().map(|board| Shape::of(cards(board))).collect();
        let gone = Shape::of(boards.iter().flat_map(|board| cards(board)));
        Outlook { variant, rivals, gone }.judge(&cards(hand))
    }

    #[test]
    fn starting_hands_are_judged_by_the_doors_they_meet() {
        let doors = ["Td", "9c", "3h"];
        for (variant, hand, strength) in [
            (Variant::StudHi, "Qs Qd 4c", Strong),
            (Variant::StudHi, "6s 6d 4c", Drawing),
            (Variant::StudHi, "3s 3d 4c", Weak),
            (Variant::StudHi, "Ks 8s 4s", Fair),
            (Variant::StudHi, "Ks 8d 4c", Weak),
            (Variant::Razz, "As 4d 6c", Strong),
            (Variant::Razz, "As 4d 8c", Fair),
            (Variant::Razz, "As Ad 4c", Weak),
            (Variant::Stud8, "As 4d 6c", Strong),
            (Variant::Stud8, "2s 4d 8c", Fair),
            (Variant::Stud8, "Ks Qd 9h", Weak),
        ] {
            assert_eq!(judged(variant, hand, &doors), strength, "{variant:?} {hand}");
        }
    }

    #[test]
    fn a_pair_is_strong_until_a_better_one_may_be_there() {
        let tens = "Ts Td 4c 2h 7d";
        assert_eq!(judged(Variant::StudHi, tens, &["9d 3c 5h"]), Strong);
        assert_eq!(judged(Variant::StudHi, tens, &["Kd 3c 5h"]), Fair);
        assert_eq!(judged(Variant::StudHi, tens, &["Kd Kc 5h"]), Weak);
    }

    #[test]
    fn a_flush_draw_counts_while_its_suit_is_live() {
        let spades = "Ks 8s 4s 2s Td";
        assert_eq!(judged(Variant::StudHi, spades, &["Ad Ac 5h"]), Drawing);
        assert_eq!(judged(Variant::StudHi, spades, &["Ad Ac 5h", "3s 6s 9s", "Js Qs 5s"]), Weak);
    }

    #[test]
    fn a_razz_hand_is_weighed_against_the_bricks_of_others() {
        let rough = "As 4d 6c Kd Qc";
        assert_eq!(judged(Variant::Razz, rough, &["Kh 2c Qd"]), Strong);
        assert_eq!(judged(Variant::Razz, rough, &["3h 2c Qd"]), Drawing);
        assert_eq!(judged(Variant::Razz, rough, &["3h 2c 5d"]), Weak);
    }
}
