//! Apply: how the log makes the truth; whom the game waits for, and how long.

use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::{Awaiting, Seat, SeatSet};

use crate::action::{Action, Channel};
use crate::ballot::Choice;
use crate::board::{Board, TableCard};
use crate::circle::PlayerId;
use crate::event::{Event, GameCreated, NightActionSubmitted, Remedy, Stage};
use crate::night::Night;
use crate::state::{Asked, Bids, State, asked};
use crate::words::Words;

impl Night {
    #[inline]
    pub(crate) fn submit(&mut self, submitted: &NightActionSubmitted) {
        let choice = match submitted.target_id {
            None if submitted.silent => Choice::Open,
            target => Choice::of(target),
        };
        self.choices.set(submitted.agent_id, choice);
        self.acted.insert(submitted.agent_id);
    }

    pub(crate) fn whisper(&mut self, player: PlayerId, length: usize, ends: bool) {
        let whispers = &mut self.whispers[player.index()];
        whispers.length = whispers.length.saturating_add(length as u16);
        if ends {
            whispers.finished = whispers.finished.saturating_add(1);
            whispers.length = 0;
        }
    }
}

/// Kept apart so that the many events after the first are folded lightly.
#[cold]
fn create(state: &mut State, created: &GameCreated) {
    let table = Arc::new(TableCard::of(created));
    state.board = Board::set_up(table.players());
    state.table = Some(table);
    state.seal = Some(Arc::new(created.opening.seal.clone()));
    state.cast = created.cast;
}

pub(crate) fn apply(state: &mut State, event: &Event) {
    if let Event::GameCreated(created) = event {
        return create(state, created);
    }
    let Some(table) = state.table.as_deref() else { return };
    let board = &mut state.board;
    match event {
        Event::GameCreated(_) => {}
        Event::PhaseChanged(change) => board.change_phase(change, &table.rules),
        Event::NightActionSubmitted(submitted) => {
            state.night.submit(submitted);
            state.faults.moved(submitted.agent_id);
        }
        Event::NightAcknowledged(acknowledged) => {
            state.night.acted.insert(acknowledged.agent_id);
            state.faults.moved(acknowledged.agent_id);
        }
        Event::NightResolved(resolved) => {
            board.dawn(resolved);
            state.last_protected = resolved.protected_player_id;
            state.night = Night::default();
        }
        Event::AgentThinkStream(_) => {}
        Event::AgentSayStream(chunk) if chunk.channel == Channel::Mafia => {
            state.night.whisper(chunk.agent_id, chunk.chunk.chars_count(), chunk.r#final);
        }
        Event::AgentSayStream(chunk) => {
            board.hear(chunk, &table.rules);
            if chunk.r#final {
                state.bids = Bids::default();
                state.faults.moved(chunk.agent_id);
            }
        }
        Event::VoteCast(vote) => {
            board.cast(vote);
            state.faults.moved(vote.voter_id);
        }
        Event::VoteResult(result) => board.close_ballot(result),
        Event::PlayerEliminated(death) => {
            board.bury(death.player_id, death.eliminated_by, death.round_number);
        }
        Event::GameEnded(ended) => board.end(ended),
        Event::FloorBid(bid) => {
            state.bids.bidders.insert(bid.agent_id);
            state.bids.amounts[bid.agent_id.index()] = bid.amount;
            state.faults.moved(bid.agent_id);
        }
        Event::FloorGiven(given) => {
            board.give_floor(given);
            state.bids = Bids::default();
        }
        Event::AgentFault(fault) => {
            let (player, faults) = (fault.agent_id, &mut state.faults);
            if fault.remedy == Remedy::Fallback {
                faults.in_a_row[player.index()] = fault.in_a_row;
                faults.falling.insert(player);
            }
            if fault.degraded {
                faults.degraded.insert(player);
            }
        }
        Event::AgentAssigned(_) | Event::AgentUsage(_) => {}
        Event::GamePaused(_) => board.paused = true,
        Event::GameResumed(_) => board.paused = false,
    }
    if let Event::PhaseChanged(change) = event
        && change.to == Stage::DayVoting
    {
        state.bids = Bids::default();
    }
}

impl crate::state::Faults {
    /// A move of one's own ends a row of failures; a fallback does not.
    #[inline]
    fn moved(&mut self, player: PlayerId) {
        if self.falling.contains(player) {
            self.falling.remove(player);
        } else {
            self.in_a_row[player.index()] = 0;
        }
    }
}

pub(crate) fn awaiting(state: &State) -> Awaiting {
    let board = &state.board;
    match asked(board) {
        Some(asked) => {
            Awaiting::Seats { seats: state.awaited_for(asked).into(), kind: asked.kind() }
        }
        None if state.table.is_none() || board.is_over() => Awaiting::Nobody,
        None => Awaiting::Seats { seats: SeatSet::EMPTY, kind: "PAUSED" },
    }
}

fn awaited_player(state: &State, seat: Seat) -> Option<PlayerId> {
    PlayerId::at(seat.index()).filter(|player| state.awaited().contains(*player))
}

/// rules §5: a seat that fell back five times in a row does so at once.
pub(crate) fn clock(state: &State, seat: Seat) -> Option<Duration> {
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

pub(crate) fn timeout(state: &State, seat: Seat) -> Option<Action> {
    awaited_player(state, seat).map(|_| Action::FallBack { reason: Words::from("timeout") })
}
