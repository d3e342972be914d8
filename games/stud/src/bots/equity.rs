//! Takes what wins the most chips over many worlds that the visible cards and
//! the betting allow: by value, by odds, or because others fold.

use arrayvec::ArrayVec;
use parlor_kernel::{Player, Seat, Stream};

use super::worlds::{World, Worlds, ahead, chance};
use crate::action::Action;
use crate::betting::Offer;
use crate::board::Board;
use crate::event::Street;
use crate::game::Stud;
use crate::state::Knowledge;

/// Weighs its options in a few hundred worlds.
pub(super) struct Equity;

/// Worlds are dealt in batches of this many, until one option is clearly the
/// best.
const BATCH: u32 = 48;
/// At most so many batches: about a millisecond at a full table.
const BATCHES: u32 = 8;
/// How many standard errors make a lead clear.
const CLEAR: f32 = 3.0;
/// What share of a bet everyone still in puts in on a street to come.
const TO_COME: f32 = 0.35;
/// Options this close, in bets, are mixed.
const CLOSE: f32 = 0.1;

impl Player<Stud> for Equity {
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        let (Some(seat), Some(table)) = (knowledge.viewer.seat(), knowledge.table.as_deref())
        else {
            return 0;
        };
        let board = &knowledge.board;
        let plans: ArrayVec<Plan, 3> =
            board.legal(table.rules.cap).iter().map(|offer| Plan::of(board, seat, offer)).collect();
        let mut worlds = Worlds::around(knowledge, seat);
        let mut tally = Tally::default();
        for _ in 0..BATCHES {
            for _ in 0..BATCH {
                let world = worlds.deal(dice);
                let mut chips = [0.0; 3];
                for (chips, plan) in chips.iter_mut().zip(&plans) {
                    *chips = plan.wins(board, &world);
                }
                tally.add(chips);
            }
            if tally.is_clear(plans.len()) {
                break;
            }
        }
        let chosen = tally.choose(plans.len(), board.unit() as f32 * CLOSE, dice);
        let action = plans.get(chosen).map(|plan| plan.action);
        options.iter().position(|option| Some(*option) == action).unwrap_or(0)
    }
}

/// An option, and what it does to the pot.
struct Plan {
    action: Action,
    paid: f32,
    /// What the others must have put in on this street to stay.
    price: u32,
    /// What each who stays puts in later.
    later: f32,
}

impl Plan {
    fn of(board: &Board, seat: Seat, offer: &Offer) -> Plan {
        let player = board.player(seat);
        let reached = player.committed_this_street.saturating_add(offer.paid);
        let unit = |street| match street {
            Street::Third | Street::Fourth => board.stakes.small_bet,
            _ => board.stakes.big_bet,
        };
        let later: u32 = ahead(board.street).map(unit).sum();
        let left = player.stack.saturating_sub(offer.paid);
        Plan {
            action: offer.action,
            paid: offer.paid as f32,
            price: reached.max(board.current_bet),
            later: (later as f32 * TO_COME).min(left as f32),
        }
    }

    /// The chips this option wins in this world, against folding.
    fn wins(&self, board: &Board, world: &World) -> f32 {
        if self.action == Action::Fold {
            return 0.0;
        }
        let owes = |seat: Seat| {
            let player = board.player(seat);
            self.price.saturating_sub(player.committed_this_street).min(player.stack)
        };
        let mut pot = board.pot as f32 + self.paid + self.later;
        let mut staying = 0;
        for rival in &world.rivals {
            let owed = owes(rival.seat);
            if owed == 0 || !rival.folds {
                pot += owed as f32 + self.later;
                staying += 1;
            }
        }
        if staying == 0 {
            return board.pot as f32;
        }
        let share = world.share(|rival| owes(rival.seat) == 0 || !rival.folds);
        share * pot - self.paid - self.later
    }
}

/// What each option won so far, and how the options moved together.
#[derive(Default)]
struct Tally {
    worlds: f32,
    sums: [f32; 3],
    products: [[f32; 3]; 3],
}

impl Tally {
    fn add(&mut self, chips: [f32; 3]) {
        self.worlds += 1.0;
        for (one, mine) in chips.into_iter().enumerate() {
            self.sums[one] += mine;
            for (other, theirs) in chips.into_iter().enumerate() {
                self.products[one][other] += mine * theirs;
            }
        }
    }

    fn mean(&self, option: usize) -> f32 {
        self.sums[option] / self.worlds
    }

    fn best(&self, options: usize) -> usize {
        let better =
            |best: usize, other| if self.mean(other) > self.mean(best) { other } else { best };
        (0..options.min(3)).fold(0, better)
    }

    /// Whether the best option leads every other by more than chance would.
    fn is_clear(&self, options: usize) -> bool {
        let best = self.best(options);
        let leads = |other: usize| {
            let lead = self.mean(best) - self.mean(other);
            let square = self.products[best][best] - 2.0 * self.products[best][other]
                + self.products[other][other];
            let variance = (square / self.worlds - lead * lead).max(0.0);
            lead * lead > CLEAR * CLEAR * variance / self.worlds
        };
        (0..options.min(3)).all(|other| other == best || leads(other))
    }

    /// The best option; one nearly as good is taken instead half the time or
    /// less, the less the farther it is behind.
    fn choose(&self, options: usize, close: f32, dice: &mut Stream) -> usize {
        let best = self.best(options);
        for other in (0..options.min(3)).filter(|other| *other != best) {
            let behind = self.mean(best) - self.mean(other);
            if behind < close && chance(0.5 * (1.0 - behind / close), dice) {
                return other;
            }
        }
        best
    }
}
