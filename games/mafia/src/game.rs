//! Mafia as the kernel plays it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use parlor_kernel::{Awaiting, Dice, Game, Opened, Opening, Put, Seat, Viewer};

use crate::action::{Action, Channel, Refusal};
use crate::agents;
use crate::board::Board;
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::{Event, GameCreated, Phase};
use crate::night::Night;
use crate::options;
use crate::phases::{House, phase};
use crate::play::Turn;
use crate::role::{Cast, Hint};
use crate::rules::Rules;
use crate::seen::Seen;
use crate::sight;
use crate::state::{Bids, Knowledge, State, asked};

/// Mafia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mafia;

impl Game for Mafia {
    const NAME: &'static str = "mafia";
    const VERSION: u32 = 1;
    type Rules = Rules;
    type Action = Action;
    type Event = Event;
    type State = State;
    type Seen = Seen;
    type Knowledge = Knowledge;
    type Refusal = Refusal;

    fn seats(rules: &Rules) -> RangeInclusive<usize> {
        rules.circle()..=rules.circle()
    }

    /// The house never has a turn of its own after this: mornings and
    /// resolutions pass in the step that brings them.
    fn open(opening: Opening<Rules>, dice: &Dice, out: &mut Vec<Event>) {
        let cast = Cast::draw(&opening.rules, dice);
        out.push(Event::GameCreated(Arc::new(GameCreated { opening, cast })));
        out.put(|| phase(Phase::Setup, Phase::NightActions, 0));
    }

    #[inline]
    fn opened(state: &State) -> Option<&Opened<Rules>> {
        state.opened.as_ref()
    }

    #[inline]
    fn decide(
        state: &State,
        seat: Seat,
        action: &Action,
        dice: &Dice,
        out: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let Some(opened) = &state.opened else { return Err(Refusal::NotStarted) };
        let (rules, board) = (opened.rules(), &state.board);
        let player = PlayerId::at(seat.index())
            .filter(|player| rules.everyone().contains(*player))
            .ok_or(Refusal::UnknownPlayer)?;
        if board.is_over() {
            return Err(Refusal::GameOver);
        }
        if let Some(report) = agents::report(&state.faults, player, action) {
            out.push(report);
            return Ok(());
        }
        if !board.alive.contains(player) {
            return Err(Refusal::NotAlive);
        }
        if board.paused {
            return Err(Refusal::Paused);
        }
        let degraded = !state.faults.degraded.is_empty();
        let turn =
            Turn { house: House { state, rules, seal: &opened.seal, dice, degraded }, player };
        match action {
            Action::Kill { target } => turn.kill(*target, out),
            Action::Protect { target } => turn.protect(*target, out),
            Action::Investigate { target } => turn.investigate(*target, out),
            Action::Acknowledge {} => turn.acknowledge(out),
            Action::Bid { amount } => turn.bid(*amount, out),
            Action::Say { text, r#final, channel } => match channel {
                Channel::Public => turn.say(text, *r#final, out),
                Channel::Mafia => turn.whisper(text, *r#final, out),
            },
            Action::Vote { target } => turn.vote(*target, out),
            report => agents::decide(&turn, report, out),
        }
    }

    #[inline]
    fn apply(state: &mut State, event: &Event) {
        if let Event::GameCreated(created) = event {
            return create(state, created);
        }
        let Some(opened) = &state.opened else { return };
        let rules = opened.rules();
        let board = &mut state.board;
        match event {
            Event::GameCreated(_) => {}
            Event::PhaseChanged(change) => {
                board.change_phase(change, rules);
                if change.to == Phase::DayVoting {
                    state.bids = Bids::default();
                }
            }
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
                if let Some(found) = resolved.investigation_result {
                    state.found.insert(found.target_id);
                }
                state.night = Night::default();
            }
            Event::AgentSayStream(chunk) if chunk.channel == Channel::Mafia => {
                state.night.whisper(chunk.agent_id, chunk.chunk.chars_count(), chunk.r#final);
            }
            Event::AgentSayStream(chunk) => {
                board.hear(chunk, rules);
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
            Event::GamePaused(_) => board.paused = true,
            Event::GameResumed(_) => board.paused = false,
            Event::AgentFault(fault) => state.faults.note(fault),
            Event::AgentThinkStream(_) | Event::AgentAssigned(_) | Event::AgentUsage(_) => {}
        }
    }

    #[inline]
    fn awaiting(state: &State) -> Awaiting {
        let board = &state.board;
        match asked(board) {
            Some(asked) => {
                Awaiting::Seats { seats: state.awaited_for(asked).into(), kind: asked.kind() }
            }
            None if state.opened.is_none() || board.is_over() => Awaiting::Nobody,
            None => Awaiting::paused(),
        }
    }

    #[inline]
    fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
        sight::see_alike(event).or_else(|| sight::see_apart(state, event, viewer))
    }

    fn unaware(viewer: Viewer) -> Knowledge {
        Knowledge {
            viewer,
            table: None,
            board: Board::default(),
            hints: [Hint::Unknown; MAX_PLAYERS],
            mafia: Players::NOBODY,
            night: Night::default(),
            aimed: Players::NOBODY,
            protections: Vec::new(),
            inquiries: Vec::new(),
            bids: Bids::default(),
            transcript: Vec::new(),
            degraded: Players::NOBODY,
        }
    }

    #[inline(always)]
    fn learn(knowledge: &mut Knowledge, seen: &Seen) {
        sight::learn(knowledge, seen);
    }

    #[inline]
    fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
        options::options(knowledge, out);
    }
}

/// Kept apart so that the many events after the first are folded lightly.
#[cold]
fn create(state: &mut State, created: &GameCreated) {
    let opening = &created.opening;
    state.board = Board::set_up(opening.rules.everyone());
    state.opened = Some(Opened::of(opening));
    state.cast = created.cast;
}
