//! Where the unseen cards may lie, dealt again and again.
//!
//! The same question as in `imagine`, answered many times for one decision and
//! therefore fast; and answered like a player, who takes it that a declarer
//! lays away neither trumps nor asses.

use parlor_kernel::{Imagine, Seat, Stream};

use crate::cards::{Card, CardSet, Rank};
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::melds::melded;
use crate::rules::Rules;
use crate::seats::{all_seats, at};

/// The four hands, the dabb, what was laid away.
const PLACES: usize = 6;
const LAID_AWAY: usize = 5;

/// One way the cards may lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct World {
    /// Each seat's hand.
    pub(super) hands: [CardSet; 4],
    /// The dabb, until it is taken.
    pub(super) dabb: CardSet,
    /// What was laid away.
    pub(super) laid_away: CardSet,
}

/// An unseen card and the places it may lie in, as bits.
#[derive(Clone, Copy)]
struct Unseen {
    card: Card,
    places: u8,
}

/// All the ways the cards may lie for one who knows this.
pub(super) struct Worlds<'a> {
    knowledge: &'a Knowledge,
    rules: &'a Rules,
    known: [CardSet; PLACES],
    room: [u8; PLACES],
    /// Cards with the fewest places first.
    unseen: [Unseen; 48],
    count: usize,
}

impl<'a> Worlds<'a> {
    pub(super) fn of(knowledge: &'a Knowledge, rules: &'a Rules) -> Worlds<'a> {
        let [one, two, three, four] = knowledge.hands;
        let held = [one, two, three, four, knowledge.dabb, knowledge.laid_away];
        let known = held.map(|holding| holding.known);
        let room = held.map(|holding| holding.unknown);
        let seen = knowledge.board.played.iter().chain(&known);
        let unseen = rules.deck().without(seen.fold(CardSet::EMPTY, |all, cards| all.or(*cards)));
        let barred = barred(knowledge, unseen);
        let none = Unseen { card: Card::FIRST, places: 0 };
        let mut worlds = Worlds { knowledge, rules, known, room, unseen: [none; 48], count: 0 };
        for (place, card) in worlds.unseen.iter_mut().zip(unseen.iter()) {
            let may_lie = |at: &usize| room[*at] > 0 && !barred[*at].contains(card);
            let places = (0..PLACES).filter(may_lie).fold(0, |places, at| places | 1 << at);
            *place = Unseen { card, places };
        }
        worlds.count = unseen.len() as usize;
        worlds.unseen[..worlds.count].sort_by_key(|unseen| unseen.places.count_ones());
        worlds
    }

    /// One of them: of a few that fit what can be held, the first that also
    /// fits what was melded, or else the nearest.
    pub(super) fn draw(&self, dice: &mut Stream) -> World {
        const TRIES: u32 = 6;
        let mut nearest: Option<(u32, World)> = None;
        for _ in 0..TRIES {
            let Some(world) = self.deal(dice) else { continue };
            let amiss = self.amiss(&world);
            if nearest.is_none_or(|(least, _)| amiss < least) {
                nearest = Some((amiss, world));
            }
            if amiss == 0 {
                break;
            }
        }
        nearest.map_or_else(|| self.imagine(dice), |(_, world)| world)
    }

    /// Deals card by card, likelier where there is more room; none if a card
    /// finds no place left.
    fn deal(&self, dice: &mut Stream) -> Option<World> {
        let (mut lie, mut room) = (self.known, self.room);
        for Unseen { card, places } in &self.unseen[..self.count] {
            let open = |at: &usize| places & 1 << at != 0;
            let free: u32 = (0..PLACES).filter(open).map(|at| u32::from(room[at])).sum();
            if free == 0 {
                return None;
            }
            let mut drawn = dice.below(free);
            for at in (0..PLACES).filter(open) {
                let here = u32::from(room[at]);
                if drawn < here {
                    lie[at].insert(*card);
                    room[at] -= 1;
                    break;
                }
                drawn -= here;
            }
        }
        let [one, two, three, four, dabb, laid_away] = lie;
        Some(World { hands: [one, two, three, four], dabb, laid_away })
    }

    /// How many seats have other melds than they laid out.
    fn amiss(&self, world: &World) -> u32 {
        let board = &self.knowledge.board;
        let Some(trump) = board.trump else { return 0 };
        let differs = |seat: &Seat| {
            let closed = self.room[at(*seat)] > 0;
            let cards = world.hands[at(*seat)].or(board.played[at(*seat)]);
            let melds = board.melds[at(*seat)].filter(|_| closed);
            melds.is_some_and(|melds| melded(cards, trump, self.rules).points != melds.points)
        };
        all_seats(board.players).filter(differs).count() as u32
    }

    /// The slow way, which always finds one.
    fn imagine(&self, dice: &mut Stream) -> World {
        let state = Binokel::imagine(self.knowledge, dice);
        World { hands: state.hands, dabb: state.dabb, laid_away: state.laid_away }
    }
}

/// Cards that do not lie in a place: for certain, and by what declarers do
/// if that leaves enough others.
fn barred(knowledge: &Knowledge, unseen: CardSet) -> [CardSet; PLACES] {
    let [one, two, three, four] = knowledge.lacks;
    let mut barred = [one, two, three, four, CardSet::EMPTY, knowledge.not_laid_away];
    let Some(trump) = knowledge.board.trump else { return barred };
    let kept = CardSet::of_suit(trump).or(CardSet::of_rank(Rank::Ass));
    let others = unseen.without(kept).without(barred[LAID_AWAY]);
    if others.len() >= u32::from(knowledge.laid_away.unknown) {
        barred[LAID_AWAY] = barred[LAID_AWAY].or(kept);
    }
    barred
}
