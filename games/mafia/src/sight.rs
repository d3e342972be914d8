//! What a viewer sees, and what it makes of it.

use std::sync::Arc;

use parlor_kernel::Viewer;

use crate::action::Channel;
use crate::agents;
use crate::board::Board;
use crate::circle::{PlayerId, Players};
use crate::event::{
    Event, GameCreated, NightActionSubmitted, NightResolved, Phase, PlayerEliminated,
};
use crate::night::{self, Aim, Night};
use crate::role::{Cast, Hint, Role, Team};
use crate::rules::{Flip, Rules};
use crate::seen::{CreatedSeen, DeathSeen, Seen};
use crate::state::{Bids, Inquiry, Knowledge, Protection, State};

/// What everyone sees, and sees alike.
#[inline]
pub(crate) fn see_alike(event: &Event) -> Option<Seen> {
    Some(match event {
        Event::PhaseChanged(change) => Seen::PhaseChanged(*change),
        Event::AgentSayStream(chunk) if chunk.channel == Channel::Public => {
            Seen::AgentSayStream(chunk.clone())
        }
        Event::VoteCast(vote) if !vote.sealed => Seen::VoteCast(*vote),
        Event::VoteResult(result) => Seen::VoteResult(Arc::clone(result)),
        Event::PlayerEliminated(death) if death.flip == Flip::Role => {
            Seen::PlayerEliminated(death_for(death, Viewer::Public))
        }
        Event::GameEnded(ended) => Seen::GameEnded(Arc::clone(ended)),
        Event::FloorGiven(given) => Seen::FloorGiven(*given),
        Event::GamePaused(paused) => Seen::GamePaused(*paused),
        Event::GameResumed(resumed) => Seen::GameResumed(*resumed),
        _ => return None,
    })
}

/// What depends on who looks.
pub(crate) fn see_apart(state: &State, event: &Event, viewer: Viewer) -> Option<Seen> {
    let own = |player: PlayerId| viewer.shares(player.seat());
    match event {
        Event::GameCreated(created) => created_for(state, created, viewer).map(Seen::GameCreated),
        Event::NightActionSubmitted(submitted) => sees_submission(state, submitted, viewer)
            .then_some(Seen::NightActionSubmitted(*submitted)),
        Event::NightResolved(resolved) => {
            Some(Seen::NightResolved(resolved_for(state, resolved, viewer)))
        }
        Event::AgentSayStream(chunk) => {
            is_of_the_mafia(state, viewer).then(|| Seen::AgentSayStream(chunk.clone()))
        }
        Event::VoteCast(vote) => own(vote.voter_id).then_some(Seen::VoteCast(*vote)),
        Event::PlayerEliminated(death) => Some(Seen::PlayerEliminated(death_for(death, viewer))),
        Event::NightAcknowledged(acknowledged) => {
            own(acknowledged.agent_id).then_some(Seen::NightAcknowledged(*acknowledged))
        }
        Event::FloorBid(bid) => own(bid.agent_id).then_some(Seen::FloorBid(*bid)),
        Event::AgentThinkStream(_)
        | Event::AgentAssigned(_)
        | Event::AgentFault(_)
        | Event::AgentUsage(_) => agents::see(event, viewer),
        // Everyone sees the rest alike.
        Event::PhaseChanged(_)
        | Event::VoteResult(_)
        | Event::GameEnded(_)
        | Event::FloorGiven(_)
        | Event::GamePaused(_)
        | Event::GameResumed(_) => None,
    }
}

fn created_for(state: &State, created: &GameCreated, viewer: Viewer) -> Option<CreatedSeen> {
    let known = roles_known(state, viewer);
    Some(CreatedSeen {
        table: Arc::clone(&state.opened.as_ref()?.setup),
        known,
        cast: Cast {
            mafia: state.cast.mafia.and(known),
            doctor: state.cast.doctor.and(known),
            sheriff: state.cast.sheriff.and(known),
        },
        seed: viewer.sees_all().then(|| created.seed_number()),
    })
}

#[inline]
fn player_of(viewer: Viewer) -> Option<PlayerId> {
    PlayerId::at(viewer.seat()?.index())
}

/// One's own role; a mafioso knows the team.
fn roles_known(state: &State, viewer: Viewer) -> Players {
    let everyone = state.rules().map_or(Players::NOBODY, Rules::everyone);
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
    viewer.shares(submitted.agent_id.seat())
        || (!submitted.silent
            && state.cast.mafia.contains(submitted.agent_id)
            && is_of_the_mafia(state, viewer))
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
        investigation_result: result.filter(|result| viewer.shares(result.sheriff_id.seat())),
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

#[inline(always)]
pub(crate) fn learn(knowledge: &mut Knowledge, seen: &Seen) {
    let board = &mut knowledge.board;
    match seen {
        Seen::GameCreated(created) => {
            *board = Board::set_up(created.table.rules.everyone());
            knowledge.table = Some(Arc::clone(&created.table));
            for player in created.known {
                knowledge.hint(player, Hint::Is(created.cast.role(player)));
            }
        }
        Seen::PhaseChanged(change) => {
            if let Some(table) = knowledge.table.as_deref() {
                board.change_phase(change, &table.rules);
            }
            if change.to == Phase::DayVoting {
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
                if chunk.r#final && !knowledge.bids.bidders.is_empty() {
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
                knowledge.hint(player, Hint::Is(ended.cast.role(player)));
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
        let cast = Cast { mafia: knowledge.mafia, ..Cast::default() };
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
        let side = if found.is_mafia { Team::Mafia } else { Team::Town };
        knowledge.hint(found.target_id, Hint::Side(side));
    }
    knowledge.night = Night::default();
}
