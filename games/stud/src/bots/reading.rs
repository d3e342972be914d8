//! Reading others: what they did says what they may hold.
//!
//! Everyone is taken for a player who judges hands as [`Outlook`] does and
//! strays from that now and then. The numbers say how often.

use arrayvec::ArrayVec;
use parlor_kernel::Seat;

use super::judge::{Hand, Outlook, Strength};
use crate::action::Action;
use crate::board::{Acted, Board};
use crate::cards::Card;

/// Something done, as far as it tells of a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Raise,
    Open,
    Call,
    Check,
    /// Paid a bet on an earlier street, be it as a call or a raise.
    Pay,
}

/// How often a hand that looks like this gives this sign, relative to the
/// hand that gives it most.
const fn gives(strength: Strength, sign: Sign) -> f32 {
    match (sign, strength) {
        (Sign::Raise, Strength::Strong) => 1.0,
        (Sign::Raise, Strength::Fair) => 0.25,
        (Sign::Raise, Strength::Drawing) => 0.12,
        (Sign::Raise, Strength::Weak) => 0.07,
        (Sign::Open, Strength::Strong) => 1.0,
        (Sign::Open, Strength::Fair) => 0.8,
        (Sign::Open, Strength::Drawing) => 0.2,
        (Sign::Open, Strength::Weak) => 0.1,
        (Sign::Call, Strength::Strong) => 0.5,
        (Sign::Call, Strength::Fair) => 1.0,
        (Sign::Call, Strength::Drawing) => 0.7,
        (Sign::Call, Strength::Weak) => 0.08,
        (Sign::Pay, Strength::Strong | Strength::Fair) => 1.0,
        (Sign::Pay, Strength::Drawing) => 0.6,
        (Sign::Pay, Strength::Weak) => 0.08,
        (Sign::Check, Strength::Strong) => 0.15,
        (Sign::Check, Strength::Fair) => 0.3,
        (Sign::Check, Strength::Drawing | Strength::Weak) => 1.0,
    }
}

/// How often a hand that looks like this folds to a bet.
pub(super) const fn folds(strength: Strength) -> f32 {
    match strength {
        Strength::Strong => 0.0,
        Strength::Fair => 0.05,
        Strength::Drawing => 0.25,
        Strength::Weak => 0.95,
    }
}

/// Someone else who is still in.
pub(super) struct Rival {
    /// Where it sits.
    pub(super) seat: Seat,
    /// Its board.
    pub(super) up: ArrayVec<Card, 4>,
    /// How many cards it holds down.
    pub(super) down: usize,
    /// How the table looks from there.
    now: Outlook,
    /// What it did on this street.
    signs: ArrayVec<Sign, 4>,
    /// How the table looked from there on earlier streets that it paid for,
    /// with how many up cards.
    paid_for: ArrayVec<(usize, Outlook), 4>,
}

impl Rival {
    /// How the player in this seat has played.
    pub(super) fn across(board: &Board, seat: Seat) -> Rival {
        let player = board.player(seat);
        let sign = |acted: &Acted| match acted.action {
            Action::Raise => Some(Sign::Raise),
            Action::Complete | Action::Bet => Some(Sign::Open),
            Action::Call => Some(Sign::Call),
            Action::Check => Some(Sign::Check),
            _ => None,
        };
        let acted = board.actions_this_street.iter().filter(|acted| acted.seat == seat);
        Rival {
            seat,
            up: player.up.into_iter().flatten().collect(),
            down: player.down.into(),
            now: Outlook::from(board, seat, 4),
            signs: acted.filter_map(sign).take(4).collect(),
            paid_for: paid_for(board, seat)
                .map(|up| (up, Outlook::from(board, seat, up)))
                .collect(),
        }
    }

    /// How well the down cards fit what this seat did; and how they look now.
    pub(super) fn fit(&self, down: &[Card]) -> (f32, Strength) {
        let mut hand: Hand = down.iter().copied().take(3).collect();
        hand.extend(self.up.iter().copied());
        let strength = self.now.judge(&hand);
        let mut fit: f32 = self.signs.iter().map(|sign| gives(strength, *sign)).product();
        for (up, outlook) in &self.paid_for {
            let then: Hand = down.iter().take(2).chain(self.up.iter().take(*up)).copied().collect();
            fit *= gives(outlook.judge(&then), Sign::Pay);
        }
        (fit, strength)
    }
}

/// The earlier streets the seat must have paid a bet on, to have put in what
/// it has; by how many cards were up.
fn paid_for(board: &Board, seat: Seat) -> impl Iterator<Item = usize> {
    let player = board.player(seat);
    let earlier = player.committed_total.saturating_sub(player.committed_this_street);
    let mut left = earlier.saturating_sub(board.stakes.ante);
    let (small, big) = (board.stakes.small_bet, board.stakes.big_bet);
    let before = board.street.map_or(0, |street| street as usize);
    [small, small, big, big].into_iter().zip(1..).take(before).filter_map(move |(bet, up)| {
        left = left.checked_sub(bet)?;
        Some(up)
    })
}
