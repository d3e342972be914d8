//! What stud tells the kernel's laws about itself.

use std::sync::Arc;

use parlor_kernel::Log;
use parlor_kernel::laws::Lawful;

use crate::action::Action;
use crate::board::{Board, Stage};
use crate::cards::{Card, CardSet};
use crate::event::Event;
use crate::game::Stud;
use crate::seats::at;
use crate::showdown::Downs;
use crate::state::{Knowledge, State};

impl Lawful for Stud {
    fn every_action() -> Vec<Action> {
        Action::ALL.to_vec()
    }

    fn plain(_: &Knowledge, action: &Action) -> Action {
        *action
    }

    fn transplant(log: &Log<Self>, imagined: &State) -> Log<Self> {
        let mut there = log.clone();
        let shuffles: Vec<usize> = (0..log.events.len())
            .filter(|place| matches!(log.events[*place], Event::DealInit(_)))
            .collect();
        for (nth, place) in shuffles.iter().enumerate() {
            let end = shuffles.get(nth + 1).copied();
            let deal = &mut there.events[*place..end.unwrap_or(log.events.len())];
            match end {
                Some(_) => turn_over_undealt(deal),
                None => deal_as_imagined(deal, imagined),
            }
        }
        if let (Some(Event::GameStarted(opening)), Some(seal)) =
            (there.events.first_mut(), &imagined.seal)
        {
            let mut sealed = opening.as_ref().clone();
            sealed.seal = seal.as_ref().clone();
            *opening = Arc::new(sealed);
        }
        there
    }

    fn invariant(state: &State) -> Result<(), String> {
        chips_are_conserved(&state.board)?;
        counters_agree(&state.board)?;
        cards_are_dealt_once(state)
    }
}

/// The cards of a deal in the order they were dealt.
fn dealt(deal: &[Event]) -> Vec<Card> {
    let mut cards = Vec::new();
    for event in deal {
        match event {
            Event::DealCards3rd(dealt) => {
                for hand in dealt.hands.iter() {
                    cards.extend(hand.down.iter().flatten().copied().chain([hand.up]));
                }
            }
            Event::DealCard4th(dealt)
            | Event::DealCard5th(dealt)
            | Event::DealCard6th(dealt)
            | Event::DealCard7th(dealt) => {
                cards.extend(dealt.cards.iter().filter_map(|dealt| dealt.card));
            }
            _ => {}
        }
    }
    cards
}

/// What was never dealt in an old deal, nobody will ever see.
fn turn_over_undealt(deal: &mut [Event]) {
    let used = dealt(deal).len();
    if let Event::DealInit(init) = &mut deal[0] {
        init.deck.0[used..].reverse();
    }
}

fn deal_as_imagined(deal: &mut [Event], imagined: &State) {
    let down: &Downs = &imagined.down;
    for event in &mut *deal {
        match event {
            Event::DealCards3rd(dealt) => {
                for hand in dealt.hands.iter_mut() {
                    let [one, other, _] = down[at(hand.seat)];
                    hand.down = [one, other];
                }
            }
            Event::DealCard7th(dealt) => {
                for card in dealt.cards.iter_mut() {
                    card.card = down[at(card.seat)][2];
                }
            }
            _ => {}
        }
    }
    let cards = dealt(deal).into_iter().chain(imagined.stub.left().iter().copied());
    if let Event::DealInit(init) = &mut deal[0] {
        init.deck.0.iter_mut().zip(cards).for_each(|(place, card)| *place = card);
    }
}

fn chips_are_conserved(board: &Board) -> Result<(), String> {
    let bought: u64 = board.players.iter().map(|player| u64::from(player.bought)).sum();
    if board.chips() != bought {
        return Err(format!("{} chips on the table, {bought} were brought", board.chips()));
    }
    let committed: u32 = board.players.iter().map(|player| player.committed_total).sum();
    if committed != board.pot {
        return Err(format!("{committed} chips committed, {} in the pot", board.pot));
    }
    let street: u32 = board.players.iter().map(|player| player.committed_this_street).sum();
    if street > board.pot {
        return Err(format!("{street} chips committed on the street, {} in all", board.pot));
    }
    Ok(())
}

fn counters_agree(board: &Board) -> Result<(), String> {
    let able = |seat| board.active.contains(seat) && board.player(seat).stack > 0;
    if board.stage == Stage::Dealing
        && board.can_act != board.seated().filter(|s| able(*s)).collect()
    {
        return Err(format!("{:?} can act", board.can_act));
    }
    if let Some(actor) = board.actor {
        if !board.can_act.contains(actor) {
            return Err(format!("{actor} is asked and cannot act"));
        }
        if board.current_bet > 0 && board.pending_response_count == 0 {
            return Err(format!("{actor} is asked to answer nothing"));
        }
        if board.current_bet > 0 && board.to_call(actor) == 0 {
            return Err(format!("{actor} is asked for nothing"));
        }
    } else if board.stage == Stage::Dealing
        && board.pending_response_count > 0
        && board.active.len() > 1
    {
        return Err("nobody is asked, and answers are pending".to_owned());
    }
    if board.current_bet == 0 && board.pending_response_count > 0 {
        return Err("answers are pending, and nothing is bet".to_owned());
    }
    if board.current_bet > 0 && board.checks_this_street > 0 {
        return Err("checks count, and there is a bet".to_owned());
    }
    if u32::from(board.checks_this_street) > board.active.len() {
        return Err(format!("{} checks", board.checks_this_street));
    }
    Ok(())
}

fn cards_are_dealt_once(state: &State) -> Result<(), String> {
    let board = &state.board;
    let held =
        board.players.iter().flat_map(|player| player.up).chain(state.down.into_iter().flatten());
    let cards: Vec<Card> = held.flatten().chain(state.stub.left().iter().copied()).collect();
    let different: CardSet = cards.iter().copied().collect();
    if different.len() as usize != cards.len() {
        return Err("a card lies in two places".to_owned());
    }
    let all_there = board.street.is_none() || board.stage != Stage::Dealing || cards.len() == 52;
    if !all_there {
        return Err(format!("{} cards lie around", cards.len()));
    }
    for seat in board.seated() {
        let down = state.down[at(seat)].iter().flatten().count();
        if down != usize::from(board.player(seat).down) {
            return Err(format!("{seat} holds {down} down cards"));
        }
    }
    Ok(())
}
