//! Binokel at a table: its clock, what the clock plays, and orders.

use std::time::Duration;

use parlor_kernel::{CalledOff, Hosted, Seat, Told};

use crate::board::{Over, Phase};
use crate::cards::{Card, CardSet, Suit};
use crate::event::{Action, Event};
use crate::game::Binokel;
use crate::knowledge::Knowledge;
use crate::play::terminated;
use crate::rules::Rules;
use crate::seats::at;
use crate::state::State;

impl Hosted for Binokel {
    fn turn_seconds(state: &State) -> u32 {
        let setup = state.opened.as_ref().map(|opened| &opened.setup);
        setup.and_then(|setup| setup.turn_clock(setup.rules.turn_seconds)).unwrap_or(0)
    }

    /// What is done for a seat whose time is up: as little as possible.
    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        let State { board, hands, .. } = state;
        let rules = state.rules()?;
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

    fn takeover(rules: &Rules) -> Option<Duration> {
        (rules.takeover > 0).then(|| Duration::from_secs(rules.takeover.into()))
    }

    /// Anyone may end the game for all while it is played.
    fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
        if knowledge.own_hand().is_some() && knowledge.board.phase.is_active() {
            out.push(Action::Exit);
        }
    }

    fn call_off(state: &State, reason: &str, out: &mut Vec<Event>) {
        out.extend(state.opened.as_ref().map(|opened| terminated(None, reason, &opened.seal)));
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        let Some(Over::Terminated(over)) = &state.board.over else { return None };
        Some(CalledOff { by: over.terminated_by, reason: over.reason.clone() })
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
