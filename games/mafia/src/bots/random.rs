//! A player without a thought.

use parlor_kernel::{Blind, ByLot, Player, Stream};

use crate::action::Action;
use crate::game::Mafia;
use crate::state::Knowledge;

/// Chooses any target, each equally likely; says nothing and never abstains.
pub struct Random;

impl Player<Mafia> for Random {
    fn choose(&mut self, _: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        any_target(options, dice)
    }

    fn blind(&self) -> Option<Box<dyn Blind<Mafia>>> {
        ByLot::<Mafia>::boxed(|moves, dice| dice.below(moves.deeds() as u32) as usize)
    }
}

/// Whether the option chooses nobody.
fn is_nobody(option: &Action) -> bool {
    matches!(option, Action::Vote { target: None } | Action::Kill { target: None })
}

fn any_target(options: &[Action], dice: &mut Stream) -> usize {
    // Choosing nobody is the last option, where it is one at all.
    let targets = match options.last() {
        Some(last) if is_nobody(last) && options.len() > 1 => options.len() - 1,
        _ => options.len(),
    };
    dice.below(targets as u32) as usize
}
