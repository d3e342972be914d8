//! Who opens a street, judged by the cards that show.

use std::cmp::Reverse;

use arrayvec::ArrayVec;
use parlor_kernel::Seat;

use crate::cards::Card;
use crate::rules::Variant;

/// The lowest door card brings it in, in razz the highest, where
/// the ace is low. Suits break ties, clubs lowest.
pub fn bring_in(variant: Variant, doors: impl IntoIterator<Item = (Seat, Card)>) -> Option<Seat> {
    let doors = doors.into_iter();
    let opener = match variant {
        Variant::Razz => doors.max_by_key(|(_, card)| (card.low_rank(), card.suit())),
        Variant::StudHi | Variant::Stud8 => doors.min_by_key(|(_, card)| card.place()),
    };
    opener.map(|(seat, _)| seat)
}

/// From fourth street on the best showing hand opens, in razz the
/// lowest; of equals the lowest seat.
pub fn first_to_act<'a>(
    variant: Variant,
    showing: impl IntoIterator<Item = (Seat, &'a [Option<Card>])>,
) -> Option<Seat> {
    let hands = showing.into_iter();
    let opener = match variant {
        Variant::Razz => hands.min_by_key(|(seat, up)| (strength(up, Card::low_rank), *seat)),
        Variant::StudHi | Variant::Stud8 => {
            hands.max_by_key(|(seat, up)| (strength(up, Card::rank), Reverse(*seat)))
        }
    };
    opener.map(|(seat, _)| seat)
}

/// Four cards at most as one number: first how they pair up, then their ranks
/// in the order of that. No straights, no flushes.
fn strength(up: &[Option<Card>], rank: impl Fn(Card) -> u8) -> u32 {
    let mut groups = ArrayVec::<(u8, u8), 4>::new();
    for card in up.iter().flatten().take(4) {
        let rank = rank(*card);
        match groups.iter_mut().find(|(_, known)| *known == rank) {
            Some((count, _)) => *count += 1,
            None => groups.push((1, rank)),
        }
    }
    groups.sort_unstable_by_key(|group| Reverse(*group));
    let (mut counts, mut ranks) = (0, 0);
    for place in 0..4 {
        let (count, rank) = groups.get(place).copied().unwrap_or_default();
        counts = counts << 4 | u32::from(count);
        ranks = ranks << 4 | u32::from(rank);
    }
    counts << 16 | ranks
}
