//! What the end of a round is worth: the chance to win the game.

use parlor_kernel::Seat;

use super::rest::Rest;
use crate::board::Board;
use crate::rules::Rules;
use crate::score::{Account, SideScore, ending};
use crate::seats::{Each, all_seats, at, side, sides};
use crate::special::Special;

/// The chance of each side to win the game. They add up to one.
pub(super) type Chances = [f32; 4];

/// How much of the way to the target a round usually is for who leads.
const PACE: f32 = 230.0;
/// What a point that rounding hides is worth.
const CRUMB: f32 = 0.001;

/// How far apart a round usually sets two sides.
const SPREAD: f32 = 350.0;

/// What is played for in a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stakes<'a> {
    /// The house rules.
    pub(super) rules: &'a Rules,
    /// The table.
    pub(super) board: &'a Board,
    /// Who plays the bid.
    pub(super) declarer: Seat,
    /// The bid.
    pub(super) bid: u16,
    /// What is announced in place of trump.
    pub(super) special: Option<Special>,
    /// What each seat melds.
    pub(super) melds: [u16; 4],
    /// What the declarer's cards laid away count.
    pub(super) laid_away: u16,
}

impl Stakes<'_> {
    /// After all tricks are played, or an announced game is lost.
    pub(super) fn played(&self, rest: &Rest) -> Chances {
        let account = self.account(rest.taken, rest.tricks);
        let chances = self.chances(&match self.special {
            Some(special) => account.announced(special),
            None => account.played_out(),
        });
        let (mut taken, mut all) = ([0.0; 4], 0.0);
        for seat in all_seats(self.board.players) {
            let points = f32::from(rest.taken[at(seat)]);
            taken[side(seat, self.board.players)] += points;
            all += points;
        }
        // Points that rounding hides are worth a crumb, so that of equal ends
        // the fatter is chosen.
        [0, 1, 2, 3].map(|of| (1.0 - CRUMB) * chances[of] + CRUMB * taken[of] / all.max(1.0))
    }

    /// What the declarer's side makes of these tricks, beside the bid.
    pub(super) fn shortfall(&self, rest: &Rest) -> i32 {
        let scores = self.account(rest.taken, rest.tricks).played_out();
        let own = scores.get(side(self.declarer, self.board.players));
        i32::from(self.bid) - i32::from(own.melds) - i32::from(own.tricks)
    }

    /// After an announced game was made or lost.
    pub(super) fn settled(&self, special: Special, made: bool) -> Chances {
        self.chances(&self.account([0; 4], [0; 4]).settled(special, made))
    }

    /// After the declarer has gone out.
    pub(super) fn gone_out(&self) -> Chances {
        let account = self.account([0; 4], [0; 4]);
        self.chances(&account.gone_out(self.rules.going_out_bonus))
    }

    /// After everyone has passed.
    pub(super) fn thrown_in(rules: &Rules, board: &Board) -> Chances {
        standing(rules, board.rounds_played, &board.totals)
    }

    fn account(&self, taken: [u16; 4], tricks: [u8; 4]) -> Account {
        let Stakes { declarer, bid, melds, laid_away, .. } = *self;
        Account { players: self.board.players, declarer, bid, melds, taken, tricks, laid_away }
    }

    fn chances(&self, scores: &Each<SideScore>) -> Chances {
        let total = |of| self.board.totals.get(of) + i32::from(scores.get(of).total);
        let totals = Each::of(sides(self.board.players), [0, 1, 2, 3].map(total));
        let declaring = side(self.declarer, self.board.players);
        let rounds_played = self.board.rounds_played + 1;
        match ending(self.rules, rounds_played, &totals, declaring) {
            Some((_, winner)) => [0, 1, 2, 3].map(|of| f32::from(u8::from(of == winner))),
            None => standing(self.rules, rounds_played, &totals),
        }
    }
}

/// Who is ahead wins the likelier, the surer the fewer rounds are left.
fn standing(rules: &Rules, rounds_played: u16, totals: &Each<i32>) -> Chances {
    let best = totals.as_slice().iter().copied().max().unwrap_or(0);
    let to_target = rules.target.map(|target| (target as f32 - best as f32) / PACE);
    let to_end = rules.rounds.map(|rounds| f32::from(rounds) - f32::from(rounds_played));
    let left = to_target.unwrap_or(f32::MAX).min(to_end.unwrap_or(f32::MAX)).max(0.5);
    // Differences of sums of many rounds are nearly normal, and the logistic
    // curve is nearly that with its argument stretched by 1.7.
    let scale = SPREAD * left.sqrt() / 1.7;
    let mut chances = [0.0; 4];
    for (chance, total) in chances.iter_mut().zip(totals.as_slice()) {
        *chance = ((total - best) as f32 / scale).exp();
    }
    let all: f32 = chances.iter().sum();
    chances.map(|chance| chance / all)
}
