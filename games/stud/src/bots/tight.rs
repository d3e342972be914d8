//! Plays by rules of thumb: what its hand looks like against the boards, and
//! what the pot pays.

use parlor_kernel::{Player, Stream};

use super::judge::{Outlook, Strength, own_hand};
use crate::action::Action;
use crate::board::Board;
use crate::event::Street;
use crate::game::Stud;
use crate::state::Knowledge;

/// Bets hands that look ahead, draws at a price, folds the rest.
pub(super) struct Tight;

impl Player<Stud> for Tight {
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], _: &mut Stream) -> usize {
        rule_of_thumb(knowledge, options)
    }
}

/// Which option the rules of thumb take; the first where there is no hand to
/// play, such as a rebuy.
pub(super) fn rule_of_thumb(knowledge: &Knowledge, options: &[Action]) -> usize {
    let board = &knowledge.board;
    let Some(seat) = board.actor else { return 0 };
    let strength = Outlook::from(board, seat, 4).judge(&own_hand(knowledge, seat));
    let calling = Calling { price: board.to_call(seat), board };
    let first = |wish: &Action| options.iter().position(|option| option == wish);
    calling.wishes(strength).iter().find_map(first).unwrap_or(0)
}

/// The price of staying in.
struct Calling<'a> {
    price: u32,
    board: &'a Board,
}

const ATTACK: &[Action] =
    &[Action::Raise, Action::Bet, Action::Complete, Action::Call, Action::BringIn, Action::Check];
const STAY: &[Action] = &[Action::Check, Action::Call, Action::BringIn];
const LEAVE: &[Action] = &[Action::Check, Action::BringIn, Action::Fold];

impl Calling<'_> {
    /// What is wanted, the dearest wish first; something of it is always
    /// legal.
    fn wishes(&self, strength: Strength) -> &'static [Action] {
        let unopened = self.board.full_bet == 0;
        match strength {
            Strength::Strong if self.board.raise_count < 2 => ATTACK,
            Strength::Strong => STAY,
            Strength::Fair if unopened => ATTACK,
            Strength::Fair if self.board.raise_count == 0 || self.is_cheap(4) => STAY,
            Strength::Drawing if self.is_cheap(self.odds()) => STAY,
            _ => LEAVE,
        }
    }

    /// Whether the pot holds so many times the price.
    fn is_cheap(&self, times: u32) -> bool {
        self.price.saturating_mul(times) <= self.board.pot
    }

    /// What the pot must hold for a draw: the odds get longer as cards run
    /// out, and on third street more bets are still to come than are in it.
    fn odds(&self) -> u32 {
        match self.board.street {
            Some(Street::Fourth | Street::Fifth) => 3,
            Some(Street::Sixth) => 5,
            _ => 2,
        }
    }
}
