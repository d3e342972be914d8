//! Worlds a viewer might be in.
//!
//! What is unseen is dealt over the places it can lie in: closed hands, the
//! dabb, what was laid away. Then cards wander between these places, two at a
//! time, as long as nothing known is contradicted: what a seat cannot hold
//! because it would have had to play it, and the melds it laid out, which are
//! all it had.

use parlor_kernel::{Imagine, Opened, Stream};

use crate::cards::{Card, CardSet};
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::melds::melded;
use crate::rules::Rules;
use crate::state::State;

/// Where a hidden card can lie: the four hands, the dabb, laid away.
const PLACES: usize = 6;
const DABB: usize = 4;

impl Imagine for Binokel {
    fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
        let mut state = State { board: knowledge.board.clone(), ..State::default() };
        if let Some(table) = &knowledge.table {
            state.opened = Some(Opened::imagined(&table.setup));
            let world = World::fitting(knowledge, &table.setup.rules, dice);
            let [one, two, three, four, dabb, laid_away] = world.places;
            state.hands = [one, two, three, four];
            state.dabb = dabb;
            state.laid_away = laid_away;
        }
        state
    }
}

struct World<'a> {
    knowledge: &'a Knowledge,
    rules: &'a Rules,
    /// The cards in each place.
    places: [CardSet; PLACES],
    /// Those of them that are known to lie there.
    known: [CardSet; PLACES],
    /// Cards that cannot lie there.
    barred: [CardSet; PLACES],
    /// How many unknown cards each place has room for.
    room: [u32; PLACES],
}

impl<'a> World<'a> {
    fn empty(knowledge: &'a Knowledge, rules: &'a Rules) -> World<'a> {
        let [one, two, three, four] = knowledge.hands;
        let held = [one, two, three, four, knowledge.dabb, knowledge.laid_away];
        let known = held.map(|holding| holding.known);
        let [one, two, three, four] = knowledge.lacks;
        World {
            knowledge,
            rules,
            places: known,
            known,
            barred: [one, two, three, four, CardSet::EMPTY, knowledge.not_laid_away],
            room: held.map(|holding| holding.unknown.into()),
        }
    }

    /// A world that fits. A walk that loses its way begins anew; the bound is
    /// for knowledge that no lawful game gives.
    fn fitting(knowledge: &'a Knowledge, rules: &'a Rules, dice: &mut Stream) -> World<'a> {
        let mut world = World::empty(knowledge, rules);
        for _ in 0..256 {
            world.deal(dice);
            if world.wander(dice) {
                break;
            }
            world = World::empty(knowledge, rules);
        }
        world
    }

    fn unseen(&self) -> CardSet {
        let seen = self.knowledge.board.played.iter().chain(&self.known);
        self.rules.deck().without(seen.fold(CardSet::EMPTY, |all, cards| all.or(*cards)))
    }

    fn may_lie(&self, card: Card, place: usize) -> bool {
        !self.barred[place].contains(card)
    }

    /// Deals the unseen cards, those with the fewest places first.
    fn deal(&mut self, dice: &mut Stream) {
        let mut cards: Vec<Card> = self.unseen().iter().collect();
        dice.shuffle(&mut cards);
        let choices = |card: &Card| {
            (0..PLACES).filter(|place| self.room[*place] > 0 && self.may_lie(*card, *place)).count()
        };
        cards.sort_by_cached_key(choices);
        for card in cards {
            self.put(card, dice);
        }
    }

    /// Puts a card into a place it may lie in, likelier where there is more
    /// room; where all of these are full, others make way.
    fn put(&mut self, card: Card, dice: &mut Stream) {
        let room = |place: usize| if self.may_lie(card, place) { self.room[place] } else { 0 };
        let room: [u32; PLACES] = std::array::from_fn(room);
        let mut drawn = dice.below(room.iter().sum());
        for (place, room) in room.into_iter().enumerate() {
            if drawn < room {
                return self.settle(card, place);
            }
            drawn -= room;
        }
        // Knowledge of a lawful game always has a world. Where someone made
        // knowledge up, the card goes wherever there is room.
        if !self.squeeze_in(card, &mut [false; PLACES])
            && let Some(place) = (0..PLACES).find(|place| self.room[*place] > 0)
        {
            self.settle(card, place);
        }
    }

    fn settle(&mut self, card: Card, place: usize) {
        self.places[place].insert(card);
        self.room[place] -= 1;
    }

    /// Finds a card room by moving others on, which may move others in turn.
    /// Each place is tried once: had it not helped before, it would not now.
    fn squeeze_in(&mut self, card: Card, tried: &mut [bool; PLACES]) -> bool {
        for place in 0..PLACES {
            if tried[place] || !self.may_lie(card, place) {
                continue;
            }
            tried[place] = true;
            if self.room[place] > 0 {
                self.settle(card, place);
                return true;
            }
            for other in self.places[place].without(self.known[place]).iter() {
                if self.squeeze_in(other, tried) {
                    self.places[place].remove(other);
                    self.places[place].insert(card);
                    return true;
                }
            }
        }
        false
    }

    /// Swaps hidden cards at random, until melds fit and for a while. Swaps are
    /// as likely one way as the other, so that in the long run every world
    /// that fits is equally likely. Says whether this one does.
    fn wander(&mut self, dice: &mut Stream) -> bool {
        let mut hidden: Vec<(Card, usize)> = Vec::new();
        for place in 0..PLACES {
            let cards = self.places[place].without(self.known[place]);
            hidden.extend(cards.iter().map(|card| (card, place)));
        }
        let mut amiss: u32 = (0..DABB).map(|place| self.amiss(place)).sum();
        let swaps = 4 * hidden.len();
        for swap in 0..8 * swaps {
            if swap >= swaps && amiss == 0 {
                break;
            }
            let draw = |dice: &mut Stream| dice.below(hidden.len() as u32) as usize;
            let (one, other) = (draw(dice), draw(dice));
            let ((card, place), (with, there)) = (hidden[one], hidden[other]);
            if place == there || !self.may_lie(card, there) || !self.may_lie(with, place) {
                continue;
            }
            let before = self.amiss(place) + self.amiss(there);
            self.swap(card, place, with, there);
            let after = self.amiss(place) + self.amiss(there);
            // While melds do not fit, a step back now and then leads out of
            // dead ends.
            if after <= before || (amiss > 0 && dice.below(8) == 0) {
                amiss = amiss + after - before;
                (hidden[one].0, hidden[other].0) = (with, card);
            } else {
                self.swap(with, place, card, there);
            }
        }
        amiss == 0
    }

    fn swap(&mut self, card: Card, place: usize, with: Card, there: usize) {
        self.places[place].remove(card);
        self.places[there].remove(with);
        self.places[place].insert(with);
        self.places[there].insert(card);
    }

    /// How far the cards of a hand are from melding just what was melded.
    fn amiss(&self, place: usize) -> u32 {
        let board = &self.knowledge.board;
        let melds = board.melds.get(place).copied().flatten();
        let (Some(melds), Some(trump)) = (melds, board.trump) else { return 0 };
        let cards = self.places[place].or(board.played[place]);
        let found = melded(cards, trump, self.rules);
        u32::from(found.points.abs_diff(melds.points)) + found.cards.without(melds.cards).len()
    }
}
