//! What holds of every table: chips are conserved, counters agree, and every
//! card lies somewhere once.

use crate::board::{Board, Phase};
use crate::cards::{Card, CardSet};
use crate::seats::at;
use crate::state::State;

pub(crate) fn check(state: &State) -> Result<(), String> {
    chips_are_conserved(&state.board)?;
    counters_agree(&state.board)?;
    cards_are_dealt_once(state)
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
    if board.phase == Phase::Dealing
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
    } else if board.phase == Phase::Dealing
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
    let all_there = board.street.is_none() || board.phase != Phase::Dealing || cards.len() == 52;
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
