//! The bidding: who has bid what, and who speaks next.

use parlor_kernel::{Seat, SeatSet};
use schemars::JsonSchema;
use serde::Serialize;

use crate::rules::{Bidding, HIGHEST_BID, Rules};
use crate::seats::{after, listed};

/// The bidding of one round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Auction {
    /// Who opens.
    pub opener: Seat,
    /// The highest bid and whose it is.
    pub highest: Option<(Seat, u16)>,
    /// Who has passed.
    #[serde(serialize_with = "listed")]
    #[schemars(with = "Vec<Seat>")]
    pub passed: SeatSet,
    /// How many seats have been asked so far, from the opener on.
    asked: u8,
    players: u8,
}

/// How the bidding goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// This seat bids or passes.
    Speaks(Seat),
    /// Nobody is left against the highest bid.
    Won(Seat, u16),
    /// Everyone has passed.
    ThrownIn,
}

impl Auction {
    /// Nobody has said anything yet.
    pub const fn opened_by(opener: Seat, players: u8) -> Auction {
        Auction { opener, highest: None, passed: SeatSet::EMPTY, asked: 1, players }
    }

    /// The lowest bid that can be placed now; none once the highest is.
    #[inline]
    pub fn least(&self, rules: &Rules) -> Option<u16> {
        match self.highest {
            None => Some(rules.minimum_bid),
            Some((_, bid)) => Some(bid + 10).filter(|least| *least <= HIGHEST_BID),
        }
    }

    /// Whether this may be bid now.
    #[inline]
    pub fn takes(&self, amount: u16, rules: &Rules) -> bool {
        amount.is_multiple_of(10)
            && amount <= HIGHEST_BID
            && self.least(rules).is_some_and(|least| amount >= least)
    }

    /// The opener must bid while no bid exists.
    #[inline]
    pub const fn may_pass(&self, rules: &Rules) -> bool {
        self.highest.is_some() || rules.opener_may_pass
    }

    /// The auction after a bid, and how it goes on.
    #[inline]
    pub(crate) fn bid(mut self, seat: Seat, amount: u16, order: Bidding) -> (Auction, Next) {
        let rival = self.highest.replace((seat, amount)).map(|(rival, _)| rival);
        let next = match (order, rival) {
            (Bidding::Duel, Some(rival)) => Some(rival),
            (Bidding::Duel, None) => self.enter(),
            (Bidding::RoundRobin, _) => self.still_in(seat),
        };
        (self, next.map_or(Next::Won(seat, amount), Next::Speaks))
    }

    /// The auction after a pass, and how it goes on.
    #[inline]
    pub(crate) fn pass(mut self, seat: Seat, order: Bidding) -> (Auction, Next) {
        self.passed.insert(seat);
        let holder = self.highest.map(|(holder, _)| holder);
        let next = match order {
            Bidding::Duel => self.enter(),
            Bidding::RoundRobin => self.still_in(seat).filter(|next| Some(*next) != holder),
        };
        let next = match (next, self.highest) {
            (Some(seat), _) => Next::Speaks(seat),
            (None, Some((seat, bid))) => Next::Won(seat, bid),
            (None, None) => Next::ThrownIn,
        };
        (self, next)
    }

    /// In a duel, whoever challenges next.
    fn enter(&mut self) -> Option<Seat> {
        let next = after(self.opener, self.asked, self.players);
        (self.asked < self.players).then(|| {
            self.asked += 1;
            next
        })
    }

    /// Around the table, the next who has not passed; not this one.
    fn still_in(&self, seat: Seat) -> Option<Seat> {
        (1..self.players)
            .map(|places| after(seat, places, self.players))
            .find(|next| !self.passed.contains(*next))
    }
}
