//! What a player may do in its turn, and what that makes happen.

use parlor_kernel::Put;

use crate::action::{Channel, HIGHEST_BID, LONGEST_STATEMENT, Refusal, WHISPERS_A_NIGHT};
use crate::ballot::Choice;
use crate::circle::{PlayerId, Players};
use crate::event::{
    Chunk, Event, FloorBid, NightAcknowledged, NightAction, NightActionSubmitted, Phase, VoteCast,
};
use crate::night;
use crate::phases::House;
use crate::role::Role;
use crate::rules::{Rules, SpeakingOrder, Votes};
use crate::state::State;
use crate::turn::{Occasion, TurnId, TurnKind};
use crate::words::Words;

/// A player who acts, and the table it acts at.
pub(crate) struct Turn<'a> {
    pub house: House<'a>,
    pub player: PlayerId,
}

impl Turn<'_> {
    pub fn state(&self) -> &State {
        self.house.state
    }

    pub fn rules(&self) -> &Rules {
        self.house.rules
    }

    pub fn role(&self) -> Role {
        self.state().cast.role(self.player)
    }

    fn in_phase(&self, phase: Phase, when: &'static str) -> Result<(), Refusal> {
        if self.state().board.phase == phase { Ok(()) } else { Err(Refusal::WrongPhase(when)) }
    }

    fn by_night(&self, role: Role) -> Result<(), Refusal> {
        self.in_phase(Phase::NightActions, "it is done at night")?;
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

    pub fn kill(&self, target: Option<PlayerId>, out: &mut Vec<Event>) -> Result<(), Refusal> {
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

    pub fn protect(&self, target: PlayerId, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.by_night(Role::Doctor)?;
        let target = self.living(target)?;
        if self.state().last_protected == Some(target) {
            return Err(Refusal::RepeatProtect(target));
        }
        self.submit(NightAction::Protect, Choice::On(target), out);
        Ok(())
    }

    pub fn investigate(&self, target: PlayerId, out: &mut Vec<Event>) -> Result<(), Refusal> {
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

    pub fn acknowledge(&self, out: &mut Vec<Event>) -> Result<(), Refusal> {
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

    pub fn bid(&self, amount: u8, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.in_phase(Phase::DayDiscussion, "the floor is given by day")?;
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

    pub fn say(&self, text: &Words, ends: bool, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.in_phase(Phase::DayDiscussion, "the town speaks by day, before the vote")?;
        let board = &self.state().board;
        if board.speaker != Some(self.player) {
            return Err(Refusal::NotYourTurn);
        }
        self.fits(text, ends, usize::from(board.said))?;
        let turn_id = self.id(TurnKind::Say, Occasion::Day(board.day), board.pass);
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
            self.house.change_phase(Phase::DayDiscussion, Phase::DayVoting, board.day, out);
        }
        Ok(())
    }

    pub fn whisper(&self, text: &Words, ends: bool, out: &mut Vec<Event>) -> Result<(), Refusal> {
        if self.role() != Role::Mafia {
            return Err(Refusal::RoleMismatch);
        }
        self.in_phase(Phase::NightActions, "the mafia talks at night")?;
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
        let turn_id = self.id(TurnKind::Say, occasion, whispers.finished + 1);
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

    /// The turn under way, where words are part of it.
    pub fn id(&self, kind: TurnKind, occasion: Occasion, pass: u8) -> TurnId {
        TurnId { kind, occasion, pass, player: self.player }
    }

    pub fn vote(&self, target: Option<PlayerId>, out: &mut Vec<Event>) -> Result<(), Refusal> {
        self.in_phase(Phase::DayVoting, "votes are cast after the discussion")?;
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

    /// What is done for whoever does nothing in time: at night a seeded legal
    /// target, on a turn silence, on a vote abstention. A silent mafioso has no
    /// say; the mafia's target is drawn if all are.
    pub fn stand_by(&self, out: &mut Vec<Event>) -> Result<(), Refusal> {
        let board = &self.state().board;
        match (board.phase, self.role()) {
            (Phase::NightActions, Role::Mafia) => {
                self.submit(NightAction::Kill, Choice::Open, out);
                Ok(())
            }
            (Phase::NightActions, Role::Doctor) => {
                let last = self.state().last_protected.map_or(Players::NOBODY, Players::only);
                self.submit_drawn(NightAction::Protect, board.alive.without(last), out);
                Ok(())
            }
            (Phase::NightActions, Role::Sheriff) => {
                self.submit_drawn(NightAction::Investigate, board.alive.but(self.player), out);
                Ok(())
            }
            (Phase::NightActions, Role::Villager) => self.acknowledge(out),
            (Phase::DayDiscussion, _) if board.speaker.is_none() => self.bid(0, out),
            (Phase::DayDiscussion, _) => self.say(&Words::SILENCE, true, out),
            _ => self.vote(None, out),
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
