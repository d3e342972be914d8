//! Who is dealt in, who is absent, and who may come back.

use parlor_kernel::Seat;

use crate::action::Action;
use crate::board::{Board, Phase};
use crate::rules::{MOST_ON_TABLE, Rules};
use crate::seats::Seats;

impl Board {
    /// Who has chips and does not sit out.
    fn present(&self) -> Seats {
        self.with_chips().without(self.sitting_out)
    }

    fn with_chips(&self) -> Seats {
        self.seated().filter(|seat| self.player(*seat).stack > 0).collect()
    }

    /// Who would be dealt in now. Where the absent ante they are too, as long as
    /// anybody is there to play for it.
    pub fn ready(&self, rules: &Rules) -> Seats {
        let present = self.present();
        if rules.absent_ante && !present.is_empty() { self.with_chips() } else { present }
    }

    /// Whether the clock decides for this seat at once: it sits out, and is dealt
    /// in all the same or let its time run out too often.
    pub(crate) fn is_absent(&self, rules: &Rules, seat: Seat) -> bool {
        let too_often =
            rules.sit_out_after > 0 && self.player(seat).time_outs >= rules.sit_out_after;
        self.sitting_out.contains(seat) && (rules.absent_ante || too_often)
    }

    /// The chips the seat may buy now; none if it may not.
    pub(crate) fn sells_to(&self, rules: &Rules, seat: Seat) -> Option<u32> {
        let amount = rules.rebuy?;
        let fits = self.chips() + u64::from(amount) <= u64::from(MOST_ON_TABLE);
        let in_deal = self.phase == Phase::Dealing && self.active.contains(seat);
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

    /// Whom the table waits for, between deals, because too few want to play.
    pub(crate) fn missed(&self, rules: &Rules) -> Seats {
        if self.phase == Phase::Between && self.ready(rules).len() < 2 {
            self.may_return(rules)
        } else {
            Seats::NONE
        }
    }

    /// Whether this seat alone wants to play and waits for others. The first
    /// edition let it wait.
    pub(crate) fn waits_alone(&self, rules: &Rules, seat: Seat) -> bool {
        self.edition > 1 && self.present().contains(seat) && !self.missed(rules).is_empty()
    }

    /// What would bring this seat back.
    pub(crate) fn ways_back(&self, rules: &Rules, seat: Seat, mut take: impl FnMut(Action)) {
        if self.sells_to(rules, seat).is_some() {
            take(Action::Rebuy);
        }
        if self.sitting_out.contains(seat) {
            take(Action::ComeBack);
        }
    }
}
