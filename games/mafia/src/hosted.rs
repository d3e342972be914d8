//! Mafia at a table: clocks, what the clock does, asides and orders.

use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::{CalledOff, Hosted, Seat};

use crate::action::Action;
use crate::circle::PlayerId;
use crate::event::{Event, GameEnded, Phase, PhaseChanged, Standstill};
use crate::game::Mafia;
use crate::options;
use crate::state::{Asked, Knowledge, State, asked};
use crate::words::Words;

impl Hosted for Mafia {
    /// A seat that fell back too often in a row does so at once.
    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        let rules = state.rules()?;
        let player = awaited_player(state, seat)?;
        if state.faults.degraded.contains(player) {
            return Some(Duration::ZERO);
        }
        let seconds = match asked(&state.board)? {
            Asked::Act => rules.night_seconds,
            Asked::Bid | Asked::Speak => rules.turn_seconds,
            Asked::Vote => rules.vote_seconds,
        };
        (seconds > 0).then(|| Duration::from_secs(seconds.into()))
    }

    fn timeout(state: &State, seat: Seat) -> Option<Action> {
        awaited_player(state, seat).map(|_| Action::FallBack { reason: Words::from("timeout") })
    }

    fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
        options::asides(knowledge, out);
    }

    fn is_aside(action: &Action) -> bool {
        action.is_aside()
    }

    fn call_off(state: &State, reason: &str, out: &mut Vec<Event>) {
        let (board, Some(opened)) = (&state.board, &state.opened) else { return };
        out.push(Event::PhaseChanged(PhaseChanged {
            from: board.phase,
            to: Phase::End,
            day_number: board.day,
            round_number: board.round(),
        }));
        out.push(Event::GameEnded(Arc::new(GameEnded {
            winner: None,
            reason: Some(Words::from(reason)),
            players: opened.rules().players,
            cast: state.cast,
            alive: board.alive,
            day_number: board.day,
            round_number: board.round(),
            degraded: !state.faults.degraded.is_empty(),
            opening: opened.seal.open(),
        })));
    }

    fn called_off(state: &State) -> Option<CalledOff> {
        let reason = state.board.ended.as_deref()?.reason.as_ref()?;
        Some(CalledOff { by: None, reason: reason.to_string() })
    }

    fn pause(state: &State) -> Option<Event> {
        Some(Event::GamePaused(Standstill { phase: state.board.phase }))
    }

    fn resume(state: &State) -> Option<Event> {
        Some(Event::GameResumed(Standstill { phase: state.board.phase }))
    }
}

fn awaited_player(state: &State, seat: Seat) -> Option<PlayerId> {
    PlayerId::at(seat.index()).filter(|player| state.awaited().contains(*player))
}
