//! Decide: what an action makes happen, or why it is refused.

use parlor_kernel::{Dice, Put, Seat};

use crate::action::{
    Action, Channel, HIGHEST_BID, LONGEST_STATEMENT, LONGEST_THOUGHT, Refusal, WHISPERS_A_NIGHT,
};
use crate::ballot::Choice;
use crate::circle::{PlayerId, Players};
use crate::event::{
    AgentAssigned, AgentFault, AgentUsage, Chunk, Event, FloorBid, NightAcknowledged, NightAction,
    NightActionSubmitted, Remedy, Stage, VoteCast,
};
use crate::night;
use crate::phases::House;
use crate::role::Role;
use crate::rules::{Rules, SpeakingOrder, Votes};
use crate::state::{FALLS_TO_DEGRADE, State, occasion};
use crate::turn::{Occasion, TurnId, TurnKind};
use crate::words::Words;

pub(crate) fn decide(
    state: &State,
    seat: Seat,
    action: &Action,
    dice: &Dice,
    out: &mut Vec<Event>,
) -> Result<(), Refusal> {
    let (Some(table), Some(seal)) = (&state.table, &state.seal) else {
        return Err(Refusal::NotStarted);
    };
    let player = PlayerId::at(seat.index())
        .filter(|player| table.players().contains(*player))
        .ok_or(Refusal::UnknownPlayer)?;
    let board = &state.board;
    if board.is_over() {
        return Err(Refusal::GameOver);
    }
    if report(state, player, action, out) {
        return Ok(());
    }
    if !board.alive.contains(player) {
        return Err(Refusal::NotAlive);
    }
    if board.paused {
        return Err(Refusal::Paused);
    }
    let degraded = !state.faults.degraded.is_empty();
    let rules = &table.rules;
    let turn = Turn { house: House { state, rules, seal, dice, degraded }, player };
    match action {
        Action::Kill { target } => turn.kill(*target, out),
        Action::Protect { target } => turn.protect(*target, out),
        Action::Investigate { target } => turn.investigate(*target, out),
        Action::Acknowledge {} => turn.acknowledge(out),
        Action::Bid { amount } => turn.bid(*amount, out),
        Action::Say { text, r#final, channel: Channel::Public } => turn.say(text, *r#final, out),
        Action::Say { text, r#final, channel: Channel::Mafia } => turn.whisper(text, *r#final, out),
        Action::Vote { target } => turn.vote(*target, out),
        Action::Think { text, r#final } => turn.think(text, *r#final, out),
        Action::FallBack { reason } => turn.fall_back(reason, out),
        Action::Fault { .. } | Action::Usage(_) | Action::Assign(_) => Ok(()),
    }
}

/// What an agent's keeper reports needs no turn, nor a living agent.
fn report(state: &State, player: PlayerId, action: &Action, out: &mut Vec<Event>) -> bool {
    let event = match action {
        Action::Fault { reason } => Event::AgentFault(AgentFault {
            agent_id: player,
            reason: reason.clone(),
            remedy: Remedy::Retry,
            in_a_row: state.faults.in_a_row[player.index()],
            degraded: state.faults.degraded.contains(player),
        }),
        Action::Usage(usage) => {
            let usage = AgentUsage { agent_id: player, usage: usage.as_ref().clone() };
            Event::AgentUsage(usage.into())
        }
        Action::Assign(assignment) => {
            let assignment = assignment.as_ref().clone();
            Event::AgentAssigned(AgentAssigned { agent_id: player, assignment }.into())
        }
        _ => return false,
    };
    out.push(event);
    true
}

/// A player who acts, and the table it acts at.
struct Turn<'a> {
    house: House<'a>,
    player: PlayerId,
}

impl Turn<'_> {
    fn state(&self) -> &State {
        self.house.state
    }

    fn rules(&self) -> &Rules {
        self.house.rules
    }

    fn role(&self) -> Role {
        self.state().cast.role(self.player)
    }

    fn in_phase(&self, stage: Stage, when: &'static str) -> Result<(), Refusal> {
        if self.state().board.stage == stage { Ok(()) } else { Err(Refusal::WrongPhase(when)) }
    }

    fn by_night(&self, role: Role) -> Result<(), Refusal> {
        self.in_phase(Stage::NightActions, "it is done at night")?;
        if self.role() == role { Ok(()) } else { Err(Refusal::RoleMismatch) }
    }

    /// A living player of this game.
    fn living(&self, target: PlayerId) -> Result<PlayerId, Refusal> {
        let board = &self.state().board;
        if target.index() >= self.rules().circle() {
            Err(Refusal::UnknownTarget)
        } else if !board.alive.contains(target) {
            Err(Refusal::TargetDead(target))
        } else {
            Ok(target)
        }
    }

    fn other_than_self(&self, target: PlayerId) -> Result<PlayerId, Refusal> {
        if target == self.player { Err(Refusal::TargetSelf) } else { self.living(target) }
    }

    fn kill(&self, target: Option<PlayerId>, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.by_night(Role::Mafia)?;
        match target {
            None if !self.rules().no_kill => return Err(Refusal::TargetMissing),
            None => {}
            Some(target) => {
                let target = self.other_than_self(target)?;
                if self.state().cast.mafia.contains(target) {
                    return Err(Refusal::TargetTeammate(target));
                }
            }
        }
        self.submit(NightAction::Kill, Choice::of(target), out);
        Ok(())
    }

    fn protect(&self, target: PlayerId, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.by_night(Role::Doctor)?;
        let target = self.living(target)?;
        if self.state().last_protected == Some(target) {
            return Err(Refusal::RepeatProtect(target));
        }
        self.submit(NightAction::Protect, Choice::On(target), out);
        Ok(())
    }

    fn investigate(&self, target: PlayerId, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.by_night(Role::Sheriff)?;
        let target = self.other_than_self(target)?;
        self.submit(NightAction::Investigate, Choice::On(target), out);
        Ok(())
    }

    /// A choice for the night; an open one is a mafioso's silence. The same
    /// again is nothing new.
    fn submit(&self, action_type: NightAction, choice: Choice, out: &mut Vec<Event>) {
        let night = &self.state().night;
        let acted = night.acted.contains(self.player);
        if acted && night.choices.of(self.player) == choice {
            return;
        }
        out.put(|| {
            Event::NightActionSubmitted(NightActionSubmitted {
                agent_id: self.player,
                action_type,
                target_id: choice.target(),
                silent: choice == Choice::Open,
            })
        });
        if !acted {
            self.house.close_night_after(self.player, choice, out);
        }
    }

    fn acknowledge(&self, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.by_night(Role::Villager)?;
        let State { board, night, .. } = self.state();
        if !night.acted.contains(self.player) {
            let night_number = board.day.saturating_add(1);
            out.put(|| {
                Event::NightAcknowledged(NightAcknowledged { agent_id: self.player, night_number })
            });
            self.house.close_night_after(self.player, Choice::Open, out);
        }
        Ok(())
    }

    fn bid(&self, amount: u8, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.in_phase(Stage::DayDiscussion, "the floor is given by day")?;
        let State { board, bids, .. } = self.state();
        if self.rules().speaking_order != SpeakingOrder::Bidding || board.speaker.is_some() {
            return Err(Refusal::WrongPhase("no bids are taken"));
        }
        if amount > HIGHEST_BID {
            return Err(Refusal::BidTooHigh);
        }
        let has_bid = bids.bidders.contains(self.player);
        if has_bid && bids.amounts[self.player.index()] == amount {
            return Ok(());
        }
        out.put(|| Event::FloorBid(FloorBid { agent_id: self.player, amount, turn: board.pass }));
        if !has_bid {
            self.house.give_floor_after(self.player, amount, out);
        }
        Ok(())
    }

    fn say(&self, text: &Words, ends: bool, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.in_phase(Stage::DayDiscussion, "the town speaks by day, before the vote")?;
        let board = &self.state().board;
        if board.speaker != Some(self.player) {
            return Err(Refusal::NotYourTurn);
        }
        self.fits(text, ends, usize::from(board.said))?;
        let turn_id = self.turn(TurnKind::Say, Occasion::Day(board.day), board.pass);
        out.put(|| {
            Event::AgentSayStream(Chunk {
                agent_id: self.player,
                chunk: text.clone(),
                turn_id,
                r#final: ends,
                channel: Channel::Public,
            })
        });
        if ends && board.is_last_turn(self.player, self.rules()) {
            self.house.change_phase(Stage::DayDiscussion, Stage::DayVoting, board.day, out);
        }
        Ok(())
    }

    fn whisper(&self, text: &Words, ends: bool, out: &mut Vec<Event>) -> Result<(), Refusal> {
        if self.role() != Role::Mafia {
            return Err(Refusal::RoleMismatch);
        }
        self.in_phase(Stage::NightActions, "the mafia talks at night")?;
        if !self.rules().mafia_channel {
            return Err(Refusal::WrongPhase("the mafia has no channel at this table"));
        }
        let State { board, night, .. } = self.state();
        let whispers = night.whispers[self.player.index()];
        if whispers.finished >= WHISPERS_A_NIGHT {
            return Err(Refusal::SaidEnough);
        }
        self.fits(text, ends, usize::from(whispers.length))?;
        let occasion = Occasion::Night(board.day.saturating_add(1));
        let turn_id = self.turn(TurnKind::Say, occasion, whispers.finished + 1);
        out.push(Event::AgentSayStream(Chunk {
            agent_id: self.player,
            chunk: text.clone(),
            turn_id,
            r#final: ends,
            channel: Channel::Mafia,
        }));
        Ok(())
    }

    fn fits(&self, text: &Words, ends: bool, before: usize) -> Result<(), Refusal> {
        if text.is_empty() && !ends {
            return Err(Refusal::EmptyChunk);
        }
        if before + text.chars_count() > LONGEST_STATEMENT {
            return Err(Refusal::TooLong);
        }
        Ok(())
    }

    fn turn(&self, kind: TurnKind, occasion: Occasion, pass: u8) -> TurnId {
        TurnId { kind, occasion, pass, player: self.player }
    }

    fn think(&self, text: &Words, ends: bool, out: &mut Vec<Event>) -> Result<(), Refusal> {
        let board = &self.state().board;
        let (occasion, pass) = occasion(board, self.player, self.role(), self.rules())
            .ok_or(Refusal::WrongPhase("there is nothing to decide"))?;
        if text.is_empty() && !ends {
            return Err(Refusal::EmptyChunk);
        }
        if text.chars_count() > LONGEST_THOUGHT {
            return Err(Refusal::TooLong);
        }
        out.push(Event::AgentThinkStream(Chunk {
            agent_id: self.player,
            chunk: text.clone(),
            turn_id: self.turn(TurnKind::Think, occasion, pass),
            r#final: ends,
            channel: Channel::Public,
        }));
        Ok(())
    }

    fn vote(&self, target: Option<PlayerId>, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.in_phase(Stage::DayVoting, "votes are cast after the discussion")?;
        let board = &self.state().board;
        if let Some(target) = target {
            let target = self.other_than_self(target)?;
            if !board.candidates.contains(target) {
                return Err(Refusal::NotCandidate(target));
            }
        }
        let has_voted = board.voted.contains(self.player);
        if has_voted && board.votes.of(self.player) == Choice::of(target) {
            return Ok(());
        }
        out.put(|| {
            Event::VoteCast(VoteCast {
                round_number: board.round(),
                voter_id: self.player,
                target_id: target,
                ballot: board.ballot,
                sealed: self.rules().votes == Votes::Sealed,
            })
        });
        if !has_voted && board.voted.with(self.player).holds(board.alive) {
            let votes = board.votes.with(self.player, Choice::of(target));
            self.house.close_ballot(&votes, out);
        }
        Ok(())
    }

    /// rules §5: at night a seeded legal target, on a turn silence, on a vote
    /// abstention. A silent mafioso has no say; the mafia's target is drawn if
    /// all are.
    fn fall_back(&self, reason: &Words, out: &mut Vec<Event>) -> Result<(), Refusal> {
        let State { board, faults, .. } = self.state();
        if !self.state().awaited().contains(self.player) {
            return Err(Refusal::WrongPhase("nobody waits for you"));
        }
        let in_a_row = faults.in_a_row[self.player.index()].saturating_add(1);
        let degraded = in_a_row >= FALLS_TO_DEGRADE || faults.degraded.contains(self.player);
        out.push(Event::AgentFault(AgentFault {
            agent_id: self.player,
            reason: reason.clone(),
            remedy: Remedy::Fallback,
            in_a_row,
            degraded,
        }));
        let house = House { degraded: self.house.degraded || degraded, ..self.house };
        let turn = Turn { house, player: self.player };
        match (board.stage, turn.role()) {
            (Stage::NightActions, Role::Mafia) => {
                turn.submit(NightAction::Kill, Choice::Open, out);
                Ok(())
            }
            (Stage::NightActions, Role::Doctor) => {
                let last = self.state().last_protected.map_or(Players::NOBODY, Players::only);
                turn.submit_drawn(NightAction::Protect, board.alive.without(last), out);
                Ok(())
            }
            (Stage::NightActions, Role::Sheriff) => {
                turn.submit_drawn(NightAction::Investigate, board.alive.but(self.player), out);
                Ok(())
            }
            (Stage::NightActions, Role::Villager) => turn.acknowledge(out),
            (Stage::DayDiscussion, _) if board.speaker.is_none() => turn.bid(0, out),
            (Stage::DayDiscussion, _) => turn.say(&Words::SILENCE, true, out),
            _ => turn.vote(None, out),
        }
    }

    fn submit_drawn(&self, action: NightAction, legal: Players, out: &mut Vec<Event>) {
        let night = self.state().board.day.saturating_add(1);
        let label = format_args!("fallback/night/{night}/{}", self.player);
        let drawn = night::draw(legal, false, &mut self.house.dice.stream(label));
        // The living outnumber whoever may not be chosen: someone is drawn.
        self.submit(action, Choice::of(drawn), out);
    }
}
