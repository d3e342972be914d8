//! Mafia at a table: clocks, what the clock does, asides and orders.

use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::{Hosted, Order, Seat};

use crate::action::Action;
use crate::circle::PlayerId;
use crate::event::{Event, GameEnded, PhaseChanged, Stage, Standstill};
use crate::game::Mafia;
use crate::options;
use crate::state::{Asked, Knowledge, State, asked};
use crate::words::Words;

impl Hosted for Mafia {
    /// A seat that fell back too often in a row does so at once.
    fn clock(state: &State, seat: Seat) -> Option<Duration> {
        let table = state.table.as_deref()?;
        let player = awaited_player(state, seat)?;
        if state.faults.degraded.contains(player) {
            return Some(Duration::ZERO);
        }
        let seconds = match asked(&state.board)? {
            Asked::Act => table.rules.night_seconds,
            Asked::Bid | Asked::Speak => table.rules.turn_seconds,
            Asked::Vote => table.rules.vote_seconds,
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

    fn obey(state: &State, order: &Order, out: &mut Vec<Event>) {
        let board = &state.board;
        let (Some(table), Some(seal)) = (&state.table, &state.seal) else { return };
        if board.is_over() {
            return;
        }
        match order {
            Order::CallOff { reason } => {
                out.push(Event::PhaseChanged(PhaseChanged {
                    from: board.stage,
                    to: Stage::End,
                    day_number: board.day,
                    round_number: board.round(),
                }));
                out.push(Event::GameEnded(Arc::new(GameEnded {
                    winner: None,
                    reason: Some(Words::from(reason.as_str())),
                    players: table.rules.players,
                    cast: state.cast,
                    alive: board.alive,
                    day_number: board.day,
                    round_number: board.round(),
                    degraded: !state.faults.degraded.is_empty(),
                    opening: seal.open(),
                })));
            }
            Order::Pause if !board.paused => {
                out.push(Event::GamePaused(Standstill { phase: board.stage }));
            }
            Order::Resume if board.paused => {
                out.push(Event::GameResumed(Standstill { phase: board.stage }));
            }
            Order::Pause | Order::Resume => {}
        }
    }
}

fn awaited_player(state: &State, seat: Seat) -> Option<PlayerId> {
    PlayerId::at(seat.index()).filter(|player| state.awaited().contains(*player))
}
