//! Plays by imagining: many worlds that fit what is known, each played out.
//!
//! `worlds` deals them, `rest` plays them out by thumb and `endgame` exactly;
//! `stakes` says what an end is worth. `declaring` is what happens before the
//! first trick.

mod declaring;
mod endgame;
mod plan;
mod rest;
mod specials;
mod stakes;
#[cfg(test)]
mod tests;
mod worlds;

use parlor_kernel::{Player, Seat, Stream};

use crate::board::{Board, Phase};
use crate::cards::{Card, CardSet};
use crate::event::Action;
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::rules::Rules;
use endgame::solve;
use rest::{Rest, one_of_each};
use stakes::Stakes;
use worlds::{World, Worlds};

/// Weighs each choice by what it comes to in worlds that fit what its seat
/// knows; the last tricks it plays out exactly in each of them.
pub struct Solid {
    worlds: usize,
}

impl Solid {
    /// One that weighs each choice in so many worlds, at least in one.
    pub fn imagining(worlds: usize) -> Solid {
        Solid { worlds: worlds.max(1) }
    }
}

impl Default for Solid {
    fn default() -> Self {
        Solid::imagining(32)
    }
}

impl Player<Binokel> for Solid {
    /// Only asked by those who want one of the plain options.
    fn choose(&mut self, knowledge: &Knowledge, options: &[Action], dice: &mut Stream) -> usize {
        let wanted = Mind::of(knowledge, self.worlds).map(|mind| mind.act(dice));
        let wanted = wanted.map(|action| crate::sight::plain(knowledge, &action));
        options.iter().position(|option| Some(*option) == wanted).unwrap_or(0)
    }

    fn act(
        &mut self,
        knowledge: &Knowledge,
        _: &[Action],
        dice: &mut Stream,
        out: &mut Vec<Action>,
    ) {
        out.extend(Mind::of(knowledge, self.worlds).map(|mind| mind.act(dice)));
    }
}

/// One seat thinking.
struct Mind<'a> {
    knowledge: &'a Knowledge,
    board: &'a Board,
    rules: &'a Rules,
    seat: Seat,
    hand: CardSet,
    worlds: usize,
}

impl<'a> Mind<'a> {
    fn of(knowledge: &'a Knowledge, worlds: usize) -> Option<Mind<'a>> {
        let (seat, hand) = knowledge.own_hand()?;
        let rules = &knowledge.table.as_deref()?.setup.rules;
        Some(Mind { knowledge, board: &knowledge.board, rules, seat, hand, worlds })
    }

    fn act(&self, dice: &mut Stream) -> Action {
        match self.board.phase {
            Phase::Bidding { .. } => self.bid(dice),
            Phase::TakingDabb => Action::TakeDabb,
            Phase::LayingAway => self.lay_away(dice),
            Phase::NamingTrump => self.name_trump(dice),
            Phase::Tricks { .. } => Action::PlayCard { card: self.card(dice) },
            _ => Action::DeclareMelds,
        }
    }

    /// The side it plays for.
    fn side(&self) -> usize {
        self.board.side(self.seat)
    }

    /// Worlds it may be in.
    fn imagine(&self, dice: &mut Stream) -> Vec<World> {
        let worlds = Worlds::of(self.knowledge, self.rules);
        (0..self.worlds).map(|_| worlds.draw(dice)).collect()
    }

    /// With so few cards in hand the rest is played out exactly.
    fn is_endgame(&self) -> bool {
        self.hand.len() <= if self.board.players == 2 { 4 } else { 3 }
    }

    fn card(&self, dice: &mut Stream) -> Card {
        let legal = one_of_each(self.board.legal(self.seat, self.hand, self.rules));
        // It has cards, or it would not be asked for one.
        let Some(first) = legal.first() else { return Card::FIRST };
        if legal.len() == 1 {
            return first;
        }
        let mut weights = [0.0; 24];
        for world in self.imagine(dice) {
            let rest = Rest::of(self.board, world.hands, self.rules);
            let stakes = self.stakes_of_play(world.laid_away);
            for (weight, card) in weights.iter_mut().zip(legal.iter()) {
                let mut next = rest;
                next.play(card);
                let chances = if self.is_endgame() {
                    solve(&next, &stakes, None)
                } else {
                    next.play_out();
                    stakes.played(&next)
                };
                *weight += chances[self.side()];
            }
        }
        let weighed = weights.into_iter().zip(legal.iter());
        weighed.max_by(|one, other| one.0.total_cmp(&other.0)).map_or(first, |(_, card)| card)
    }

    /// What is played for once the melds lie on the table.
    fn stakes_of_play(&self, laid_away: CardSet) -> Stakes<'a> {
        let (declarer, bid) = self.board.highest_bid().unwrap_or((self.seat, 0));
        let melds = self.board.melds.map(|melds| melds.map_or(0, |melds| melds.points));
        let laid_away = laid_away.points();
        let Mind { rules, board, .. } = *self;
        Stakes { rules, board, declarer, bid, special: board.special, melds, laid_away }
    }
}
