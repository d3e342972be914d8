//! What Koi-Koi tells the kernel's laws about itself.

use std::sync::Arc;

use parlor_kernel::laws::Lawful;
use parlor_kernel::{Log, Seat};

use crate::board::{Knowledge, Phase, State, at, opponent};
use crate::cards::{Card, CardSet};
use crate::event::{Action, Event, GameStarted, RoundDealt};
use crate::game::KoiKoi;
use crate::yaku::tally;

impl Lawful for KoiKoi {
    fn every_action() -> Vec<Action> {
        let mut every = vec![Action::KoiKoi, Action::Stop];
        for card in Card::DECK {
            every.push(Action::Play { card, target: None });
            every.extend(Card::DECK.map(|target| Action::Play { card, target: Some(target) }));
            every.extend(Card::DECK.map(|target| Action::Select { source: card, target }));
        }
        every
    }

    /// rules §3.1: the only match may be named, and with three the target is
    /// ignored.
    fn plain(knowledge: &Knowledge, action: &Action) -> Action {
        let Action::Play { card, target: Some(target) } = *action else { return *action };
        match knowledge.board.field.matches(card).as_slice() {
            [only] if *only == target => Action::Play { card, target: None },
            [_, _, _] => Action::Play { card, target: None },
            _ => *action,
        }
    }

    fn transplant(log: &Log<Self>, imagined: &State) -> Log<Self> {
        let mut there = log.clone();
        let deals: Vec<usize> = (0..log.events.len())
            .filter(|place| matches!(log.events[*place], Event::RoundDealt(_)))
            .collect();
        for (nth, place) in deals.iter().enumerate() {
            let end = deals.get(nth + 1).copied();
            let round = &log.events[*place + 1..end.unwrap_or(log.events.len())];
            if let Event::RoundDealt(dealt) = &mut there.events[*place] {
                match end {
                    Some(_) => turn_over_undrawn(dealt, round),
                    None => deal_as_imagined(dealt, round, imagined),
                }
            }
        }
        if let (Some(Event::GameStarted(start)), Some(seal)) =
            (there.events.first_mut(), &imagined.seal)
        {
            let mut opening = start.opening.clone();
            opening.seal = seal.as_ref().clone();
            *start = Arc::new(GameStarted { opening, first_dealer: start.first_dealer });
        }
        there
    }

    fn invariant(state: &State) -> Result<(), String> {
        let board = &state.board;
        if board.phase == Phase::Unopened {
            return Ok(());
        }
        let mut zones = vec![state.hands[0], state.hands[1], board.field.set(), state.pile.set()];
        zones.extend(board.captured.iter().map(|row| row.set()));
        if let Phase::Selection { card, .. } = board.phase {
            zones.push([card].into_iter().collect());
        }
        let count: u32 = zones.iter().map(|zone| zone.len()).sum();
        let all = zones.iter().fold(CardSet::EMPTY, |all, zone| all.or(*zone));
        let hands = state.hands.map(CardSet::len);
        let undrawn = state.pile.cards().len();
        if count != 48 || all != CardSet::FULL {
            return Err(format!("{count} cards lie around, 48 should, each once"));
        }
        if hands[0].abs_diff(hands[1]) > 1 {
            return Err(format!("hands of {} and {} cards", hands[0], hands[1]));
        }
        if undrawn != usize::from(board.pile_left) {
            return Err(format!("{undrawn} cards in the pile, not {}", board.pile_left));
        }
        match (board.phase, &state.table) {
            (Phase::Decision { seat, .. }, Some(table)) => {
                if hands[at(seat)] == 0 || hands[at(opponent(seat))] == 0 {
                    return Err(format!("{seat} decides where nobody can go on"));
                }
                let held = tally(board.captured[at(seat)].set(), &table.rules);
                if held != board.held[at(seat)] {
                    return Err(format!("{seat} holds {held:?}, not {:?}", board.held[at(seat)]));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// How many cards a round has drawn from its pile.
fn drawn(round: &[Event]) -> usize {
    let flip = |event: &&Event| matches!(event, Event::CardFlipped(_) | Event::ChoiceOffered(_));
    round.iter().filter(flip).count()
}

/// What was never drawn from the pile of an old round, nobody will ever see.
fn turn_over_undrawn(dealt: &mut RoundDealt, round: &[Event]) {
    dealt.pile[drawn(round)..].reverse();
}

fn deal_as_imagined(dealt: &mut RoundDealt, round: &[Event], imagined: &State) {
    for seat in [Seat(0), Seat(1)] {
        let mut hand = imagined.hands[at(seat)];
        for event in round {
            if let Event::HandPlayed(play) = event
                && play.seat == seat
            {
                hand.insert(play.card);
            }
        }
        let kept: CardSet =
            dealt.hands[at(seat)].into_iter().filter(|c| hand.contains(*c)).collect();
        let mut put = hand.without(kept).iter();
        for card in &mut dealt.hands[at(seat)] {
            if !kept.contains(*card)
                && let Some(other) = put.next()
            {
                *card = other;
            }
        }
    }
    let undrawn = imagined.pile.cards().iter().rev();
    for (place, card) in dealt.pile[drawn(round)..].iter_mut().zip(undrawn) {
        *place = *card;
    }
}
