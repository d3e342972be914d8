//! The cards a text names, and the deck they make.

use parlor_kernel::{FormatError, Seat, Stream};

use super::hand::street_of;
use super::notation::{Cards, What};
use super::read::{Told, wrong};
use crate::cards::{Card, CardSet};
use crate::event::Street;
use crate::seats::{SEATS, Seats, at};

/// What a text says about the cards: hands in the order they were dealt, and
/// who was in when each street came.
pub(super) struct Known {
    hands: [Cards; SEATS],
    /// Who is dealt a 4th, 5th, 6th and 7th card.
    dealt_to: [Seats; 4],
    players: u8,
}

impl Known {
    /// Gathers every card that is named, dealt or shown. Cards in two places,
    /// too many, or shown and never dealt are refused.
    pub fn gather(told: &Told) -> Result<Known, FormatError> {
        let players = told.hand.stacks.len() as u8;
        let mut known = Known { hands: Default::default(), dealt_to: [Seats::NONE; 4], players };
        let mut live: Seats = (0..players).map(Seat).collect();
        let mut named = CardSet::EMPTY;
        for (note, line) in told.hand.notes.iter().zip(&told.note_lines) {
            let who = note.who;
            let done = match &note.what {
                What::Dealt(cards) => known.deal(who, cards, live, &mut named),
                What::Shows(cards) => known.show(who, cards, &mut named),
                What::Folds => {
                    live.remove(who);
                    Ok(())
                }
                _ => Ok(()),
            };
            done.map_err(|why| wrong(*line, format!("{note}: {why}")))?;
        }
        Ok(known)
    }

    fn deal(
        &mut self,
        who: Seat,
        cards: &Cards,
        live: Seats,
        named: &mut CardSet,
    ) -> Result<(), String> {
        for card in cards {
            let hand = &mut self.hands[at(who)];
            let street = street_of(hand.len());
            let is_up = hand.len() >= 2 && street != Street::Seventh;
            match card {
                Some(card) if !named.insert(*card) => {
                    return Err(format!("{card} lies somewhere else already"));
                }
                None if is_up => {
                    return Err(format!("{who}'s card on {} street lies face up", street.name()));
                }
                _ => {}
            }
            hand.try_push(*card).map_err(|_| format!("{who} has seven cards already"))?;
            if let Some(dealt_to) = self.dealt_to_on(street)
                && dealt_to.is_empty()
            {
                *dealt_to = live;
            }
        }
        Ok(())
    }

    fn dealt_to_on(&mut self, street: Street) -> Option<&mut Seats> {
        (street as usize).checked_sub(1).and_then(|later| self.dealt_to.get_mut(later))
    }

    /// Cards shown fill up what was unknown of a hand, in the order of both.
    fn show(&mut self, who: Seat, cards: &Cards, named: &mut CardSet) -> Result<(), String> {
        let hand = &mut self.hands[at(who)];
        for card in cards.iter().flatten() {
            if hand.contains(&Some(*card)) {
                continue;
            }
            if !named.insert(*card) {
                return Err(format!("{card} lies somewhere else"));
            }
            match hand.iter_mut().find(|held| held.is_none()) {
                Some(unknown) => *unknown = Some(*card),
                None => return Err(format!("{who} was not dealt {card}")),
            }
        }
        Ok(())
    }

    /// Whether every card of this hand is known.
    pub fn knows(&self, seat: Seat) -> bool {
        self.hands[at(seat)].iter().all(Option::is_some)
    }

    /// A deck that deals these hands. What is unknown is left to chance.
    pub fn deck(&self, chance: &mut Stream) -> Vec<Card> {
        let players = || (0..self.players).map(Seat);
        let card = |seat: Seat, nth: usize| self.hands[at(seat)].get(nth).copied().flatten();
        let third = players().flat_map(|seat| (0..3).map(move |nth| card(seat, nth)));
        let later = (3..).zip(self.dealt_to).flat_map(|(nth, dealt_to)| {
            players().filter(move |seat| dealt_to.contains(*seat)).map(move |seat| card(seat, nth))
        });
        let dealt: Vec<Option<Card>> = third.chain(later).collect();
        let named: CardSet = dealt.iter().copied().flatten().collect();
        let mut unseen: Vec<Card> = CardSet::FULL.without(named).iter().collect();
        chance.shuffle(&mut unseen);
        let mut deck: Vec<Card> =
            dealt.into_iter().filter_map(|card| card.or_else(|| unseen.pop())).collect();
        deck.append(&mut unseen);
        deck
    }
}
