//! Scripted mafia: how good a town is shows against these. At night they
//! choose at random; they differ in how they vote. As townsfolk they play at
//! random.

use parlor_kernel::{Player, Stream};

use super::random::Random;
use crate::action::Action;
use crate::ballot::Choice;
use crate::circle::{PlayerId, Players};
use crate::event::Phase;
use crate::game::Mafia;
use crate::role::Role;
use crate::state::Knowledge;

/// How a scripted mafioso votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evasion {
    /// For anyone but a mate.
    Avoid,
    /// For whoever but a mate has the most votes so far.
    Bandwagon,
    /// For whom the mates vote for.
    Block,
}

/// A mafioso who never votes for a mate.
pub struct Evasive(pub Evasion);

impl Player<Mafia> for Evasive {
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        let votes = knowledge.board.phase == Phase::DayVoting;
        if !votes || knowledge.role() != Some(Role::Mafia) {
            return Random.choose(knowledge, options, dice);
        }
        let targets = self.targets(knowledge);
        let target = super::pick(targets, dice);
        let vote = Action::Vote { target };
        options.iter().position(|option| *option == vote).unwrap_or(0)
    }
}

impl Evasive {
    fn targets(&self, knowledge: &Knowledge) -> Players {
        let board = &knowledge.board;
        let strangers = board.alive.and(board.candidates).without(knowledge.mafia);
        let voters = match self.0 {
            Evasion::Avoid => return strangers,
            Evasion::Bandwagon => board.voted,
            Evasion::Block => board.voted.and(knowledge.mafia),
        };
        let votes = |target: PlayerId| {
            voters.iter().filter(|voter| board.votes.of(*voter) == Choice::On(target)).count()
        };
        let most = strangers.iter().map(votes).max().unwrap_or(0);
        strangers.iter().filter(|target| votes(*target) == most).collect()
    }
}
