//! Who is dealt in, and who may come back.

use parlor_kernel::Seat;

use crate::action::Action;
use crate::board::{Board, Stage};
use crate::rules::{MOST_ON_TABLE, Rules};
use crate::seats::Seats;

impl Board {
    /// Who would be dealt in now.
    pub fn ready(&self) -> Seats {
        let with_chips = self.seated().filter(|seat| self.player(*seat).stack > 0);
        with_chips.collect::<Seats>().without(self.sitting_out)
    }

    /// The chips the seat may buy now; none if it may not.
    pub(crate) fn sells_to(&self, rules: &Rules, seat: Seat) -> Option<u32> {
        let amount = rules.rebuy?;
        let fits = self.chips() + u64::from(amount) <= u64::from(MOST_ON_TABLE);
        let in_deal = self.stage == Stage::Dealing && self.active.contains(seat);
        (self.player(seat).stack == 0 && !in_deal && fits).then_some(amount)
    }

    /// Who could still join a table that waits for players.
    pub(crate) fn may_return(&self, rules: &Rules) -> Seats {
        let returns = |seat: &Seat| {
            self.sells_to(rules, *seat).is_some()
                || self.sitting_out.contains(*seat) && self.player(*seat).stack > 0
        };
        self.seated().filter(returns).collect()
    }

    /// Whether the table waits for this seat, between deals.
    pub(crate) fn misses(&self, rules: &Rules, seat: Seat) -> bool {
        self.stage == Stage::Between
            && self.ready().len() < 2
            && self.may_return(rules).contains(seat)
    }

    /// What would bring this seat back.
    pub(crate) fn ways_back(&self, rules: &Rules, seat: Seat, out: &mut Vec<Action>) {
        if self.sells_to(rules, seat).is_some() {
            out.push(Action::Rebuy);
        }
        if self.sitting_out.contains(seat) {
            out.push(Action::ComeBack);
        }
    }
}
