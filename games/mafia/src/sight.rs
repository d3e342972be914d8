//! What a viewer sees, and what it makes of it.

use std::sync::Arc;

use parlor_kernel::Viewer;

use crate::action::Channel;
use crate::board::Board;
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::{Event, NightActionSubmitted, NightResolved, PlayerEliminated, Stage, VoteCast};
use crate::night::{self, Aim, Night};
use crate::role::{Cast, Hint, Role};
use crate::rules::Flip;
use crate::seen::{CreatedSeen, DeathSeen, Seen};
use crate::state::{Bids, Inquiry, Knowledge, Protection, State};
use crate::wire::records::seed_number;

/// rules §6, row by row.
#[inline(always)]
pub(crate) fn see(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
    Some(match event {
        Event::GameCreated(created) => {
            let known = roles_known(state, viewer);
            Seen::GameCreated(CreatedSeen {
                table: Arc::clone(state.table.as_ref()?),
                known,
                cast: Cast {
                    mafia: state.cast.mafia.and(known),
                    doctor: state.cast.doctor.and(known),
                    sheriff: state.cast.sheriff.and(known),
                },
                seed: viewer.sees_all().then(|| seed_number(&created.opening.seal)),
            })
        }
        Event::PhaseChanged(change) => Seen::PhaseChanged(*change),
        Event::NightActionSubmitted(submitted) => {
            return sees_submission(state, submitted, viewer)
                .then_some(Seen::NightActionSubmitted(*submitted));
        }
        Event::NightResolved(resolved) => {
            Seen::NightResolved(resolved_for(state, resolved, viewer))
        }
        Event::AgentThinkStream(chunk) => {
            return shares(viewer, chunk.agent_id).then(|| Seen::AgentThinkStream(chunk.clone()));
        }
        Event::AgentSayStream(chunk) => {
            let heard = chunk.channel == Channel::Public || is_of_the_mafia(state, viewer);
            return heard.then(|| Seen::AgentSayStream(chunk.clone()));
        }
        Event::VoteCast(vote) => {
            return sees_vote(vote, viewer).then_some(Seen::VoteCast(*vote));
        }
        Event::VoteResult(result) => Seen::VoteResult(Arc::clone(result)),
        Event::PlayerEliminated(death) => Seen::PlayerEliminated(death_for(death, viewer)),
        Event::GameEnded(ended) => Seen::GameEnded(Arc::clone(ended)),
        Event::NightAcknowledged(acknowledged) => {
            return shares(viewer, acknowledged.agent_id)
                .then_some(Seen::NightAcknowledged(*acknowledged));
        }
        Event::FloorBid(bid) => {
            return shares(viewer, bid.agent_id).then_some(Seen::FloorBid(*bid));
        }
        Event::FloorGiven(given) => Seen::FloorGiven(*given),
        Event::AgentAssigned(assigned) => {
            return viewer.sees_all().then(|| Seen::AgentAssigned(Arc::clone(assigned)));
        }
        Event::AgentFault(fault) => {
            return viewer.sees_all().then(|| Seen::AgentFault(fault.clone()));
        }
        Event::AgentUsage(usage) => {
            return viewer.sees_all().then(|| Seen::AgentUsage(Arc::clone(usage)));
        }
        Event::GamePaused(paused) => Seen::GamePaused(*paused),
        Event::GameResumed(resumed) => Seen::GameResumed(*resumed),
    })
}

#[inline]
fn shares(viewer: Viewer, player: PlayerId) -> bool {
    viewer.shares(player.seat())
}

#[inline]
fn player_of(viewer: Viewer) -> Option<PlayerId> {
    PlayerId::at(viewer.seat()?.index())
}

/// One's own role; a mafioso knows the team.
fn roles_known(state: &State, viewer: Viewer) -> Players {
    let everyone = state.table.as_deref().map_or(Players::NOBODY, |table| table.players());
    match player_of(viewer) {
        _ if viewer.sees_all() => everyone,
        Some(player) if state.cast.mafia.contains(player) => state.cast.mafia,
        Some(player) => Players::only(player).and(everyone),
        None => Players::NOBODY,
    }
}

#[inline]
fn is_of_the_mafia(state: &State, viewer: Viewer) -> bool {
    viewer.sees_all() || player_of(viewer).is_some_and(|player| state.cast.mafia.contains(player))
}

/// One's own; the mafia also each other's kills. Silence is nobody's business
/// but one's own.
#[inline]
fn sees_submission(state: &State, submitted: &NightActionSubmitted, viewer: Viewer) -> bool {
    shares(viewer, submitted.agent_id)
        || (!submitted.silent
            && state.cast.mafia.contains(submitted.agent_id)
            && is_of_the_mafia(state, viewer))
}

#[inline]
fn sees_vote(vote: &VoteCast, viewer: Viewer) -> bool {
    !vote.sealed || shares(viewer, vote.voter_id)
}

/// Night, victim, and whether someone was saved; the sheriff's result and the
/// doctor's protégé are theirs.
#[inline]
fn resolved_for(state: &State, resolved: &NightResolved, viewer: Viewer) -> NightResolved {
    if viewer.sees_all() {
        return *resolved;
    }
    let is_doctor = player_of(viewer).is_some_and(|player| state.cast.doctor.contains(player));
    let result = resolved.investigation_result;
    NightResolved {
        protected_player_id: resolved.protected_player_id.filter(|_| is_doctor),
        investigation_result: result.filter(|result| shares(viewer, result.sheriff_id)),
        ..*resolved
    }
}

#[inline]
fn death_for(death: &PlayerEliminated, viewer: Viewer) -> DeathSeen {
    let all = viewer.sees_all();
    DeathSeen {
        player_id: death.player_id,
        role: (all || death.flip == Flip::Role).then_some(death.role),
        team: (all || death.flip != Flip::None).then_some(death.role.team()),
        eliminated_by: death.eliminated_by,
        round_number: death.round_number,
        flip_revealed_role: death.flip_revealed_role,
    }
}

pub(crate) fn unaware(viewer: Viewer) -> Knowledge {
    Knowledge {
        viewer,
        table: None,
        board: Board::default(),
        hints: [Hint::Unknown; MAX_PLAYERS],
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
pub(crate) fn learn(knowledge: &mut Knowledge, seen: &Seen) {
    let board = &mut knowledge.board;
    match seen {
        Seen::GameCreated(created) => {
            *board = Board::set_up(created.table.players());
            knowledge.table = Some(Arc::clone(&created.table));
            for player in created.known {
                knowledge.hints[player.index()] = Hint::Is(created.cast.role(player));
            }
        }
        Seen::PhaseChanged(change) => {
            if let Some(table) = knowledge.table.as_deref() {
                board.change_phase(change, &table.rules);
            }
            if change.to == Stage::DayVoting {
                knowledge.bids = Bids::default();
            }
        }
        Seen::NightActionSubmitted(submitted) => knowledge.night.submit(submitted),
        Seen::NightResolved(resolved) => dawn(knowledge, resolved),
        Seen::AgentThinkStream(chunk) => knowledge.take_down(chunk),
        Seen::AgentSayStream(chunk) => {
            if chunk.channel == Channel::Mafia {
                let length = chunk.chunk.chars_count();
                knowledge.night.whisper(chunk.agent_id, length, chunk.r#final);
            } else if let Some(table) = knowledge.table.as_deref() {
                board.hear(chunk, &table.rules);
                if chunk.r#final {
                    knowledge.bids = Bids::default();
                }
            }
            knowledge.take_down(chunk);
        }
        Seen::VoteCast(vote) => board.cast(vote),
        Seen::VoteResult(result) => board.close_ballot(result),
        Seen::PlayerEliminated(death) => {
            board.bury(death.player_id, death.eliminated_by, death.round_number);
            match (death.role, death.team) {
                (Some(role), _) => knowledge.hint(death.player_id, Hint::Is(role)),
                (None, Some(team)) => knowledge.hint(death.player_id, Hint::Side(team)),
                (None, None) => {}
            }
        }
        Seen::GameEnded(ended) => {
            board.end(ended);
            for player in PlayerId::all(usize::from(ended.players)) {
                knowledge.hints[player.index()] = Hint::Is(ended.cast.role(player));
            }
        }
        Seen::NightAcknowledged(acknowledged) => {
            knowledge.night.acted.insert(acknowledged.agent_id);
        }
        Seen::FloorBid(bid) => {
            knowledge.bids.bidders.insert(bid.agent_id);
            knowledge.bids.amounts[bid.agent_id.index()] = bid.amount;
        }
        Seen::FloorGiven(given) => {
            board.give_floor(given);
            knowledge.bids = Bids::default();
        }
        Seen::AgentFault(fault) => {
            if fault.degraded {
                knowledge.degraded.insert(fault.agent_id);
            }
        }
        Seen::AgentAssigned(_) | Seen::AgentUsage(_) => {}
        Seen::GamePaused(_) => board.paused = true,
        Seen::GameResumed(_) => board.paused = false,
    }
}

#[inline]
fn dawn(knowledge: &mut Knowledge, resolved: &NightResolved) {
    knowledge.board.dawn(resolved);
    if knowledge.role() == Some(Role::Mafia) {
        let alive = knowledge.board.alive;
        let cast = Cast { mafia: knowledge.known_mafia(), ..Cast::default() };
        knowledge.aimed = match night::aim(&cast, alive, &knowledge.night.choices) {
            Aim::At(target) => target.map_or(Players::NOBODY, Players::only),
            Aim::Drawn { from, .. } => from,
        };
    }
    let night = resolved.night_number;
    if let Some(target) = resolved.protected_player_id {
        let saved = resolved.protection_prevents_kill;
        knowledge.protections.push(Protection { night, target, saved });
    }
    if let Some(found) = resolved.investigation_result {
        knowledge.inquiries.push(Inquiry { night, found });
        let hint = if found.is_mafia {
            Hint::Is(Role::Mafia)
        } else {
            Hint::Side(crate::role::Team::Town)
        };
        knowledge.hint(found.target_id, hint);
    }
    knowledge.night = Night::default();
}
