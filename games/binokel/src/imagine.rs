//! Worlds a viewer might be in.
//!
//! What is unseen is dealt over the places it can lie in: closed hands, the
//! dabb, what was laid away. Then cards wander between these places, two at a
//! time, as long as nothing known is contradicted: what a seat cannot hold
//! because it would have had to play it, and the melds it laid out, which are
//! all it had.

use std::sync::Arc;

use parlor_kernel::{Seal, Seat, Stream};

use crate::board::{Knowledge, State};
use crate::cards::{Card, CardSet, Suit};
use crate::melds::melded;
use crate::rules::Rules;
use crate::seats::all_seats;

/// Where a hidden card can lie: the four hands, the dabb, laid away.
const PLACES: usize = 6;
const DABB: usize = 4;

pub(crate) fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
    let table = knowledge.table.clone();
    let seal = table.as_deref().map(|table| Arc::new(Seal::closed(&table.commitment)));
    let mut state = State { table, seal, board: knowledge.board.clone(), ..State::default() };
    if let Some(table) = &knowledge.table {
        let mut world = World::empty(knowledge, &table.rules);
        world.deal(dice);
        world.wander(dice);
        let [one, two, three, four, dabb, laid_away] = world.places;
        state.hands = [one, two, three, four];
        state.dabb = dabb;
        state.laid_away = laid_away;
    }
    state
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
    /// room; where all of these are full, a card there makes way.
    fn put(&mut self, card: Card, dice: &mut Stream) {
        let free: u32 =
            (0..PLACES).filter(|at| self.may_lie(card, *at)).map(|at| self.room[at]).sum();
        if free > 0 {
            let mut drawn = dice.below(free);
            for place in (0..PLACES).filter(|at| !self.barred[*at].contains(card)) {
                if drawn < self.room[place] {
                    return self.settle(card, place);
                }
                drawn -= self.room[place];
            }
        }
        let open: Vec<usize> = (0..PLACES).filter(|place| self.room[*place] > 0).collect();
        for place in (0..PLACES).filter(|place| self.may_lie(card, *place)) {
            for other in self.places[place].without(self.known[place]).iter() {
                if let Some(to) = open.iter().find(|to| self.may_lie(other, **to)) {
                    self.places[place].remove(other);
                    self.places[place].insert(card);
                    return self.settle(other, *to);
                }
            }
        }
        // Knowledge of a lawful game always has a world. Where someone made
        // knowledge up, the card goes wherever there is room.
        if let Some(place) = open.first() {
            self.settle(card, *place);
        }
    }

    fn settle(&mut self, card: Card, place: usize) {
        self.places[place].insert(card);
        self.room[place] -= 1;
    }

    /// Swaps hidden cards at random. Swaps are as likely one way as the other,
    /// so that in the long run every world that fits is equally likely.
    fn wander(&mut self, dice: &mut Stream) {
        let mut hidden: Vec<(Card, usize)> = Vec::new();
        for place in 0..PLACES {
            let cards = self.places[place].without(self.known[place]);
            hidden.extend(cards.iter().map(|card| (card, place)));
        }
        let Some(trump) = self.knowledge.board.trump else { return };
        let mut amiss: u32 = all_seats(4).map(|seat| self.amiss(seat, trump)).sum();
        let swaps = 4 * hidden.len();
        // Melds that do not fit are few swaps away from some that do; the
        // bound is for knowledge that no lawful game gives.
        for swap in 0..100 * swaps {
            if swap >= swaps && amiss == 0 {
                break;
            }
            let draw = |dice: &mut Stream| dice.below(hidden.len() as u32) as usize;
            let (one, other) = (draw(dice), draw(dice));
            let ((card, place), (with, there)) = (hidden[one], hidden[other]);
            if place == there || !self.may_lie(card, there) || !self.may_lie(with, place) {
                continue;
            }
            let touched =
                |world: &World| world.amiss_in(place, trump) + world.amiss_in(there, trump);
            let before = touched(self);
            self.swap(card, place, with, there);
            let after = touched(self);
            if after > before {
                self.swap(with, place, card, there);
            } else {
                amiss -= before - after;
                (hidden[one].0, hidden[other].0) = (with, card);
            }
        }
    }

    fn swap(&mut self, card: Card, place: usize, with: Card, there: usize) {
        self.places[place].remove(card);
        self.places[there].remove(with);
        self.places[place].insert(with);
        self.places[there].insert(card);
    }

    fn amiss_in(&self, place: usize, trump: Suit) -> u32 {
        if place < DABB { self.amiss(Seat(place as u8), trump) } else { 0 }
    }

    /// How far the cards of a seat are from melding just what it melded.
    fn amiss(&self, seat: Seat, trump: Suit) -> u32 {
        let board = &self.knowledge.board;
        let Some(melds) = board.melds[seat.index()] else { return 0 };
        let cards = self.places[seat.index()].or(board.played[seat.index()]);
        let found = melded(cards, trump, self.rules);
        u32::from(found.points.abs_diff(melds.points)) + found.cards.without(melds.cards).len()
    }
}
