//! Games without trump: whether one is worth more than playing for the bid.

use super::super::special::{laid_away, losers};
use super::rest::Rest;
use super::worlds::World;
use super::{Mind, Stakes};
use crate::board::Phase;
use crate::cards::CardSet;
use crate::seats::{all_seats, at};
use crate::special::Special;

/// In how many of a hundred worlds a game must be made to be announced. The
/// others are played by thumb there, and may do better.
const SAFE: usize = 95;

impl Mind<'_> {
    /// The game that is made in nearly all of these worlds and comes to more
    /// over them than this, if there is one.
    pub(super) fn best_special(&self, worlds: &[World], weight: f32) -> Option<Special> {
        let mut best = (weight, None);
        for special in self.board.specials(self.rules).filter(|_| self.board.trump.is_none()) {
            match self.weigh_special(special, worlds) {
                Some(found) if found > best.0 => best = (found, Some(special)),
                _ => {}
            }
        }
        best.1
    }

    /// What a game comes to over these worlds; nothing if too many lose it.
    fn weigh_special(&self, special: Special, worlds: &[World]) -> Option<f32> {
        let hand = self.hand.without(self.laid_away_for(special));
        let is_made = |world: &&World| {
            let mut hands = world.hands;
            hands[at(self.seat)] = hand;
            self.is_made(special, hands)
        };
        let made = worlds.iter().filter(is_made).count();
        let stakes = Stakes { special: Some(special), ..self.stakes_of_play(CardSet::EMPTY) };
        let chance = |made| stakes.settled(special, made)[self.side()];
        let weight = made as f32 * chance(true) + (worlds.len() - made) as f32 * chance(false);
        (100 * made >= SAFE * worlds.len()).then_some(weight)
    }

    /// Whether a game is made with these hands. A Durch is led from the top of
    /// each suit, whatever the others throw away; a Bettel is played by thumb.
    fn is_made(&self, special: Special, hands: [CardSet; 4]) -> bool {
        let (players, seat) = (self.board.players, self.seat);
        match special {
            Special::Durch => all_seats(players)
                .filter(|other| *other != seat)
                .all(|other| losers(hands[at(seat)], hands[at(other)]).is_empty()),
            Special::Bettel => {
                let mut rest = Rest::announced(players, hands, special, seat, self.rules);
                rest.play_out();
                rest.tricks[at(seat)] == 0
            }
        }
    }

    /// What it lays away for a game; nothing once cards are laid away.
    pub(super) fn laid_away_for(&self, special: Special) -> CardSet {
        let is_laid = self.board.phase == Phase::NamingTrump && !self.rules.trump_first;
        let count = if is_laid { 0 } else { self.rules.dabb(self.board.players).into() };
        let out = self.rules.deck().without(self.hand);
        laid_away(special, self.hand, out, count)
    }
}
