//! Binokel at a table: its clock, what the clock plays, and orders.

use std::time::Duration;

use parlor_kernel::{Hosted, Order, Seat, Told};

use crate::board::Phase;
use crate::cards::{Card, CardSet, Suit};
use crate::event::{Action, Event};
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::play::terminated;
use crate::seats::at;
use crate::state::State;

impl Hosted for Binokel {
    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        let seconds = state.table.as_deref()?.turn_clock()?;
        state.board.awaited().contains(seat).then(|| Duration::from_secs(seconds.into()))
    }

    /// What is done for a seat whose time is up: as little as possible.
    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        let State { table, board, hands, .. } = state;
        let rules = &table.as_deref()?.setup.rules;
        if !board.awaited().contains(seat) {
            return None;
        }
        let hand = hands[at(seat)];
        Some(match board.phase {
            Phase::Bidding { .. } if board.auction.may_pass(rules) => Action::Pass,
            Phase::Bidding { .. } => Action::Bid { amount: board.auction.least(rules)? },
            Phase::TakingDabb => Action::TakeDabb,
            Phase::LayingAway => {
                Action::Discard { cards: cheapest(hand, rules.dabb(board.players)) }
            }
            Phase::NamingTrump => {
                let length = |suit: &Suit| hand.and(CardSet::of_suit(*suit)).len();
                Action::DeclareTrump { suit: Suit::ALL.into_iter().max_by_key(length)? }
            }
            Phase::Melding { .. } => Action::DeclareMelds,
            Phase::Tricks { .. } => {
                let legal = board.legal(seat, hand, rules);
                Action::PlayCard { card: legal.iter().min_by_key(|card| card.rank())? }
            }
            Phase::Unopened | Phase::RoundOver | Phase::Finished | Phase::Terminated => {
                return None;
            }
        })
    }

    /// Anyone may end the game for all while it is played.
    fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
        if knowledge.own_hand().is_some() && knowledge.board.phase.is_active() {
            out.push(Action::Exit);
        }
    }

    fn obey(state: &State, order: &Order, out: &mut Vec<Event>) {
        if let (Order::CallOff { reason }, Some(seal), true) =
            (order, &state.seal, state.board.phase.is_active())
        {
            out.push(terminated(None, reason, seal));
        }
    }
}

fn cheapest(hand: CardSet, count: u8) -> CardSet {
    let mut cards: Vec<Card> = hand.iter().collect();
    cards.sort_by_key(|card| card.rank());
    cards.into_iter().take(count.into()).collect()
}

impl Told for Binokel {
    fn is_private(_: &State, event: &Event) -> bool {
        matches!(
            event,
            Event::GameStarted(_)
                | Event::CardsDealt(_)
                | Event::BiddingWon(_)
                | Event::DabbTaken(_)
                | Event::CardsDiscarded(_)
        )
    }
}
