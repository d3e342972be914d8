//! What a round counts, side by side, and who has won.

use parlor_kernel::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::Ending;
use crate::rules::Rules;
use crate::seats::{Each, all_seats, side, sides};
use crate::special::Special;

/// What the last trick counts beside its cards.
pub const LAST_TRICK: u16 = 10;

/// What one side scores in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SideScore {
    /// Its melds; 0 where they are void.
    pub melds: u16,
    /// What it took in tricks and laid away, rounded to tens.
    pub tricks: u16,
    /// What is added to its total. Bids are at most 10,000, so this fits.
    pub total: i16,
    /// Whether the declarer's side made its bid, or the game it announced; the
    /// others always have.
    pub bid_met: bool,
}

/// Everything a round is scored by.
#[derive(Clone, Copy, Debug)]
pub struct Account {
    /// How many play.
    pub players: u8,
    /// Who won the bidding.
    pub declarer: Seat,
    /// The bid.
    pub bid: u16,
    /// What each seat melded.
    pub melds: [u16; 4],
    /// What each seat took in tricks, the last one's ten included.
    pub taken: [u16; 4],
    /// How many tricks each seat took.
    pub tricks: [u8; 4],
    /// What the declarer laid away.
    pub laid_away: u16,
}

/// Nearest ten, five up.
pub const fn to_tens(points: u16) -> u16 {
    points.saturating_add(5) / 10 * 10
}

impl Account {
    /// Melds and tricks, each side for itself; who bid and fell
    /// short loses twice the bid.
    pub fn played_out(&self) -> Each<SideScore> {
        let declaring = side(self.declarer, self.players);
        let (mut melds, mut taken, mut tricks) = ([0u16; 4], [0u16; 4], [0u8; 4]);
        for seat in all_seats(self.players) {
            let side = side(seat, self.players);
            melds[side] += self.melds[seat.index()];
            taken[side] += self.taken[seat.index()];
            tricks[side] += self.tricks[seat.index()];
        }
        taken[declaring] += self.laid_away;
        self.each_side(|side| {
            let melds = if tricks[side] > 0 { melds[side] } else { 0 };
            let tricks = to_tens(taken[side]);
            let made = melds + tricks;
            let bid_met = side != declaring || made >= self.bid;
            let total = if bid_met { made as i16 } else { -2 * self.bid as i16 };
            SideScore { melds, tricks, total, bid_met }
        })
    }

    /// Who goes out loses the bid; each opponent has its melds and
    /// a bonus, a team once.
    pub fn gone_out(&self, bonus: u16) -> Each<SideScore> {
        let declaring = side(self.declarer, self.players);
        self.each_side(|of| {
            if of == declaring {
                return SideScore { total: -(self.bid as i16), ..SideScore::default() };
            }
            let ours = all_seats(self.players).filter(|seat| side(*seat, self.players) == of);
            let melds: u16 = ours.map(|seat| self.melds[seat.index()]).sum();
            SideScore { melds, tricks: 0, total: (melds + bonus) as i16, bid_met: true }
        })
    }

    /// An announced game is made or lost for what it gives. Neither
    /// melds nor points in tricks count, for nobody.
    pub fn announced(&self, special: Special) -> Each<SideScore> {
        let Account { players, declarer, .. } = *self;
        let mut took = all_seats(players).filter(|seat| self.tricks[seat.index()] > 0);
        self.settled(special, !took.any(|seat| special.is_lost_to(seat, declarer, players)))
    }

    /// What an announced game counts, made or lost.
    pub(crate) fn settled(&self, special: Special, bid_met: bool) -> Each<SideScore> {
        let points = special.points() as i16;
        self.each_side(|of| {
            if of != side(self.declarer, self.players) {
                return SideScore { bid_met: true, ..SideScore::default() };
            }
            let total = if bid_met { points } else { -points };
            SideScore { total, bid_met, ..SideScore::default() }
        })
    }

    fn each_side(&self, score: impl Fn(usize) -> SideScore) -> Each<SideScore> {
        Each::of(
            sides(self.players),
            [0, 1, 2, 3].map(|of| {
                if of < usize::from(sides(self.players)) { score(of) } else { SideScore::default() }
            }),
        )
    }
}

/// Whether the game is over with these totals after so many rounds, and who
/// has won: the highest total; on equal totals the declarer, or else whoever
/// of the first sits next after the declarer.
pub fn ending(
    rules: &Rules,
    rounds_played: u16,
    totals: &Each<i32>,
    declaring: usize,
) -> Option<(Ending, u8)> {
    let highest = totals.as_slice().iter().copied().max()?;
    let reason = if rules.target.is_some_and(|target| i64::from(highest) >= i64::from(target)) {
        Ending::TargetReached
    } else if rules.rounds.is_some_and(|rounds| rounds_played >= rounds) {
        Ending::RoundsPlayed
    } else {
        return None;
    };
    let count = totals.as_slice().len();
    let from_declarer = (0..count).map(|place| (declaring + place) % count);
    let winner = from_declarer.into_iter().find(|side| totals.get(*side) == highest)?;
    Some((reason, winner as u8))
}
