//! Takes what wins the most chips over many worlds that the visible cards and
//! the betting allow: by value, by odds, or because others fold.

use arrayvec::ArrayVec;
use parlor_kernel::{Player, Seat, Stream};

use super::tight::rule_of_thumb;
use super::worlds::{World, Worlds, chance};
use crate::action::Action;
use crate::betting::LegalMove;
use crate::board::Board;
use crate::event::Street;
use crate::game::Stud;
use crate::state::Knowledge;

/// Weighs its options in many worlds.
pub(super) struct Equity;

/// How many worlds are dealt for a decision: always the same, so that the same
/// dice play the same game on a fast machine and a slow one.
const WORLDS: u32 = 200;
/// What share of a bet is paid on each street to come by a hand that loses.
const TO_COME: f32 = 0.35;
/// What share of that others pay to a hand that wins: they fold as well.
const PAID_OFF: f32 = 0.7;
/// What the rule of thumb is trusted with, in bets for each rival: the more
/// there are, the rougher is the view of what comes later.
const TRUST: f32 = 0.15;
/// Options this close, in bets, are mixed.
const CLOSE: f32 = 0.1;

impl Player<Stud> for Equity {
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        let usual = rule_of_thumb(knowledge, options);
        let board = &knowledge.board;
        let (Some(seat), Some(setup)) = (board.actor, knowledge.setup.as_deref()) else {
            return usual;
        };
        let offers = board.legal(setup.rules.cap);
        let mut plans: ArrayVec<Plan, 3> =
            offers.iter().map(|offer| Plan::of(board, seat, offer)).collect();
        let mut worlds = Worlds::around(knowledge, seat);
        for _ in 0..WORLDS {
            let world = worlds.deal(dice);
            for plan in &mut plans {
                plan.worth += plan.wins(board, &world) / WORLDS as f32;
            }
        }
        let bet = board.unit() as f32;
        if let Some(plan) = plans.get_mut(usual) {
            plan.worth += TRUST * worlds.rivals() as f32 * bet;
        }
        mix(&plans, CLOSE * bet, dice)
    }
}

/// An option, and what it does to the pot.
struct Plan {
    folds: bool,
    paid: f32,
    /// What the others must have put in on this street to stay.
    price: u32,
    /// What is paid later if it loses.
    later: f32,
    /// One more bet, where a raise is to be feared.
    another: f32,
    /// The chips it wins against folding, on average.
    worth: f32,
}

impl Plan {
    fn of(board: &Board, seat: Seat, offer: &LegalMove) -> Plan {
        let player = board.player(seat);
        let reached = player.committed_this_street.saturating_add(offer.paid);
        let left = player.stack.saturating_sub(offer.paid) as f32;
        let attacks = matches!(offer.action, Action::Complete | Action::Bet | Action::Raise);
        Plan {
            folds: offer.action == Action::Fold,
            paid: offer.paid as f32,
            price: reached.max(board.current_bet),
            later: (bets_to_come(board) as f32 * TO_COME).min(left),
            another: if attacks { left.min(board.unit() as f32) } else { 0.0 },
            worth: 0.0,
        }
    }

    /// The chips this option wins in this world.
    fn wins(&self, board: &Board, world: &World) -> f32 {
        if self.folds {
            return 0.0;
        }
        let owes = |seat: Seat| {
            let player = board.player(seat);
            self.price.saturating_sub(player.committed_this_street).min(player.stack)
        };
        let (mut theirs, mut staying, mut raised) = (0.0, false, false);
        for rival in &world.rivals {
            let owed = owes(rival.seat);
            if owed == 0 || !rival.folds {
                theirs += owed as f32 + PAID_OFF * self.later;
                staying = true;
                raised |= rival.raises;
            }
        }
        let pot = board.pot as f32;
        if !staying {
            return pot;
        }
        let another = if raised { self.another } else { 0.0 };
        let mine = self.paid + self.later + another;
        let share = world.share(|rival| owes(rival.seat) == 0 || !rival.folds);
        share * (pot + mine + theirs + another) - mine
    }
}

/// A bet on each street that follows.
fn bets_to_come(board: &Board) -> u32 {
    let next = board.street.and_then(Street::next);
    let bet = |street| match street {
        Street::Third | Street::Fourth => board.stakes.small_bet,
        _ => board.stakes.big_bet,
    };
    std::iter::successors(next, |street| street.next()).map(bet).sum()
}

/// The option worth most; one nearly as good is taken instead half the time or
/// less, the less the farther it is behind.
fn mix(plans: &[Plan], close: f32, dice: &mut Stream) -> usize {
    let worth = |option: usize| plans[option].worth;
    let better = |best, other| if worth(other) > worth(best) { other } else { best };
    let best = (0..plans.len()).fold(0, better);
    for other in (0..plans.len()).filter(|other| *other != best) {
        let behind = worth(best) - worth(other);
        if behind < close && chance(0.5 * (1.0 - behind / close), dice) {
            return other;
        }
    }
    best
}
