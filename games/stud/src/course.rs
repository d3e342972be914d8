//! The course of a deal: what follows from a decision by itself, up to the
//! next decision. Every event is folded as it is made, so that the rules look
//! at one table only.

use std::sync::Arc;

use parlor_kernel::{Dice, Game, Seat};

use crate::board::Phase;
use crate::cards::{Card, Deck};
use crate::each_seat::EachSeat;
use crate::event::{
    Ante, BySeat, DealInit, DealStarted, DealtCard, DealtThree, Ending, Event, GameFinished,
    Street, StreetAdvance, StreetDealt, ThirdDealt, TurnedUp,
};
use crate::game::Stud;
use crate::seats::{Seats, at};
use crate::showdown::{showdown, uncontested};
use crate::showing::{bring_in, first_to_act};
use crate::state::State;

/// A table on its way to the next decision.
pub(crate) struct Course<'a> {
    state: State,
    out: &'a mut Vec<Event>,
}

impl<'a> Course<'a> {
    pub fn from(state: State, out: &'a mut Vec<Event>) -> Course<'a> {
        Course { state, out }
    }

    pub fn happens(&mut self, event: Event) {
        Stud::apply(&mut self.state, &event);
        self.out.push(event);
    }

    /// A seat has decided.
    pub fn plays(mut self, event: Event) {
        self.happens(event);
        self.goes_on();
    }

    /// The next deal, up to its first decision.
    pub fn deal(mut self, dice: &Dice) {
        let Some(setup) = self.state.opened.as_ref().map(|opened| Arc::clone(&opened.setup)) else {
            return;
        };
        let board = &self.state.board;
        let number = board.deal.saturating_add(1);
        let seats = board.ready(&setup.rules);
        let stacks = board.players.iter().take(board.seats.into()).map(|player| player.stack);
        self.happens(Event::DealStarted(Arc::new(DealStarted {
            deal: number,
            variant: setup.rules.variant_of(number),
            stakes: setup.rules.stakes_of(number),
            seats,
            stacks: stacks.collect(),
        })));
        let mut deck = Card::DECK;
        dice.shuffle(format_args!("deal/{number}"), &mut deck);
        self.happens(Event::DealInit(DealInit { deck: Deck(deck) }));
        let ante = self.state.board.stakes.ante;
        for seat in seats.iter() {
            let paid = ante.min(self.state.board.player(seat).stack);
            // A short stack antes what it has, and that is its ante.
            self.happens(Event::PostAnte(Ante { seat, amount: paid, paid }));
        }
        self.deal_third(seats);
        self.goes_on();
    }

    fn deal_third(&mut self, seats: Seats) {
        let mut stub = self.state.stub;
        // A deck of 52 has three cards for each of seven seats.
        let three = |seat| {
            let (one, other, up) = (stub.deal(), stub.deal(), stub.deal());
            Some(DealtThree { seat, down: [one, other], up: up? })
        };
        let hands: EachSeat<DealtThree> = seats.iter().filter_map(three).collect();
        let doors = hands.iter().map(|hand| (hand.seat, hand.up));
        let bring_in = bring_in(self.state.board.variant, doors);
        self.happens(Event::DealCards3rd(ThirdDealt { hands, bring_in }));
    }

    /// Streets end, cards come, until someone must decide or
    /// the deal is over.
    pub fn goes_on(&mut self) {
        while self.state.board.phase == Phase::Dealing && self.state.board.actor.is_none() {
            let board = &self.state.board;
            let street = board.street.unwrap_or(Street::Third);
            match street.next() {
                _ if board.active.len() < 2 => self.end(),
                None => self.end(),
                Some(next) => {
                    self.advance(street);
                    self.deal_later(next);
                }
            }
        }
    }

    /// Where nobody can bet any more, hands play on face up.
    fn advance(&mut self, street: Street) {
        let (board, down) = (&self.state.board, &self.state.down);
        let turned = |seat| match down[at(seat)] {
            [Some(one), Some(other), _] => Some(TurnedUp { seat, down: [one, other] }),
            _ => None,
        };
        let turned_up = match board.can_act.len() {
            0 | 1 if !board.face_up => board.active.iter().filter_map(turned).collect(),
            _ => EachSeat::default(),
        };
        self.happens(Event::StreetAdvance(StreetAdvance { street, turned_up }));
    }

    fn deal_later(&mut self, street: Street) {
        let board = &self.state.board;
        let dealt = |(seat, card)| DealtCard { seat, card: Some(card) };
        let cards: EachSeat<DealtCard> =
            board.active.iter().zip(self.state.stub.left().iter().copied()).map(dealt).collect();
        let mut up = [[None; 4]; crate::seats::SEATS];
        for card in cards.iter() {
            up[at(card.seat)] = board.player(card.seat).up;
            if street != Street::Seventh {
                up[at(card.seat)][street as usize] = card.card;
            }
        }
        let showing = board.active.iter().map(|seat| (seat, &up[at(seat)][..]));
        let opener = first_to_act(board.variant, showing);
        let dealt = StreetDealt { cards, opener };
        self.happens(match street {
            Street::Third | Street::Fourth => Event::DealCard4th(dealt),
            Street::Fifth => Event::DealCard5th(dealt),
            Street::Sixth => Event::DealCard6th(dealt),
            Street::Seventh => Event::DealCard7th(dealt),
        });
    }

    fn end(&mut self) {
        let board = &self.state.board;
        let muck = self.state.mucks();
        let end = if board.active.len() < 2 {
            uncontested(board)
        } else {
            showdown(board, &self.state.down, muck)
        };
        self.happens(Event::DealEnd(Arc::new(end)));
        if let Some(reason) = self.ending() {
            self.finish(reason, None);
        }
    }

    /// A match is a number of deals, or until one stack is left, or
    /// open-ended; it is also over when nobody could ever be dealt in again.
    fn ending(&self) -> Option<Ending> {
        let setup = self.state.setup()?;
        let board = &self.state.board;
        let stacks = board.seated().filter(|seat| board.player(*seat).stack > 0).count();
        let played = setup.rules.deals.is_some_and(|deals| board.deals_played >= deals);
        let alone =
            stacks < 2 && (setup.rules.last_stack || board.may_return(&setup.rules).is_empty());
        if alone { Some(Ending::LastStack) } else { played.then_some(Ending::DealsPlayed) }
    }

    /// Closes the match. A deal under way is paid back.
    pub fn finish(&mut self, reason: Ending, note: Option<String>) {
        let Some(opened) = &self.state.opened else { return };
        let board = &self.state.board;
        let called_off = board.phase == Phase::Dealing;
        let (mut stacks, mut won) = (BySeat::new(), BySeat::new());
        for seat in board.seated() {
            let player = board.player(seat);
            let back = if called_off { player.committed_total } else { 0 };
            let stack = player.stack.saturating_add(back);
            stacks.push(stack);
            won.push(i64::from(stack) - i64::from(player.bought));
        }
        let most = won.iter().max().copied();
        let level = won.iter().min().copied() == most;
        let best = board.seated().filter(|seat| !level && won.get(at(*seat)).copied() == most);
        let winners = best.collect::<Vec<Seat>>().into_iter().collect();
        let opening = (!opened.rules().muck).then(|| opened.seal.open());
        self.happens(Event::GameFinished(Arc::new(GameFinished {
            reason,
            note,
            stacks,
            won,
            winners,
            opening,
        })));
    }
}
