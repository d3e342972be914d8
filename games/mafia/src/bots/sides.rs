//! One player for each side: which one plays shows when the roles are known.

use parlor_kernel::{Player, Stream};

use crate::action::Action;
use crate::game::Mafia;
use crate::role::Role;
use crate::state::Knowledge;

/// Plays like one player in the town and like another in the mafia.
pub struct Sides<T, M> {
    /// Who plays doctor, sheriff and villagers.
    pub town: T,
    /// Who plays the mafia.
    pub mafia: M,
}

impl<T: Player<Mafia>, M: Player<Mafia>> Player<Mafia> for Sides<T, M> {
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        match knowledge.role() {
            Some(Role::Mafia) => self.mafia.choose(knowledge, options, dice),
            _ => self.town.choose(knowledge, options, dice),
        }
    }

    fn act(
        &mut self,
        knowledge: &Knowledge,
        options: &[Action],
        dice: &mut Stream,
        out: &mut Vec<Action>,
    ) {
        match knowledge.role() {
            Some(Role::Mafia) => self.mafia.act(knowledge, options, dice, out),
            _ => self.town.act(knowledge, options, dice, out),
        }
    }
}
