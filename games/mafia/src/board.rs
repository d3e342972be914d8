//! The board: what everyone at the table can see.

use std::sync::Arc;

use crate::action::Channel;
use crate::ballot::{Choice, Choices};
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::{
    Chunk, Fate, FloorGiven, GameEnded, NightResolved, Phase, PhaseChanged, VoteCast, VoteResult,
};
use crate::rules::{Rules, SpeakingOrder};

/// How a player died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Death {
    /// Of what.
    pub by: Fate,
    /// In which round.
    pub round: u16,
}

/// What everyone at the table can see. Of sealed votes, a viewer's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// The phase.
    pub phase: Phase,
    /// Nights completed.
    pub day: u16,
    /// Who is alive.
    pub alive: Players,
    /// How the dead died.
    pub deaths: [Option<Death>; MAX_PLAYERS],
    /// The nights on which the doctor saved someone.
    pub saves: Vec<u16>,
    /// Where in the circle the day's speaking starts.
    pub first_place: u8,
    /// Who has the floor.
    pub speaker: Option<PlayerId>,
    /// Which pass over the living, or, where turns are bid for, which turn.
    pub pass: u8,
    /// Who has spoken in this pass.
    pub spoken: Players,
    /// How many characters the statement under way has.
    pub said: u16,
    /// Which ballot of the day.
    pub ballot: u8,
    /// Who can be voted for.
    pub candidates: Players,
    /// The votes of this ballot.
    pub votes: Choices,
    /// Who has voted.
    pub voted: Players,
    /// Every ballot that was closed.
    pub results: Vec<Arc<VoteResult>>,
    /// Whether the house has stopped the game.
    pub paused: bool,
    /// How it ended.
    pub ended: Option<Arc<GameEnded>>,
}

/// Derived, never counted apart. Night 1 is 0, day 1 is 1, night 2
/// is 2, day 3 is 5.
#[inline]
pub const fn round_number(phase: Phase, day: u16) -> u16 {
    match phase {
        Phase::Setup | Phase::NightActions => day.saturating_mul(2),
        _ => day.saturating_mul(2).saturating_sub(1),
    }
}

/// Day d starts at seat index 2·(d − 1) mod n.
fn first_place(day: u16, rules: &Rules) -> u8 {
    (2 * usize::from(day.saturating_sub(1)) % rules.circle().max(1)) as u8
}

impl Board {
    /// The board when the roles have been drawn.
    pub fn set_up(players: Players) -> Board {
        Board { alive: players, ..Board::default() }
    }

    /// The number of the round.
    #[inline]
    pub const fn round(&self) -> u16 {
        round_number(self.phase, self.day)
    }

    /// Whether the game is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.phase == Phase::End
    }

    #[inline]
    pub(crate) fn change_phase(&mut self, change: &PhaseChanged, rules: &Rules) {
        self.phase = change.to;
        self.day = change.day_number;
        match change.to {
            Phase::DayDiscussion => {
                self.pass = 1;
                self.spoken = Players::NOBODY;
                self.said = 0;
                self.first_place = first_place(self.day, rules);
                self.speaker = self.next_speaker(rules);
            }
            Phase::DayVoting => {
                self.speaker = None;
                self.open_ballot(1, self.alive);
            }
            _ => self.speaker = None,
        }
    }

    fn open_ballot(&mut self, ballot: u8, candidates: Players) {
        self.ballot = ballot;
        self.candidates = candidates;
        self.votes = Choices::default();
        self.voted = Players::NOBODY;
    }

    #[inline]
    fn next_speaker(&self, rules: &Rules) -> Option<PlayerId> {
        if rules.speaking_order == SpeakingOrder::Bidding || self.pass > rules.discussion_rounds {
            return None;
        }
        self.alive.without(self.spoken).next_from(self.first_place.into())
    }

    /// How many turns the discussion of a day has.
    pub fn turns(&self, rules: &Rules) -> usize {
        usize::from(rules.discussion_rounds) * self.alive.len()
    }

    /// Whether the discussion is over once this speaker is done.
    #[inline]
    pub(crate) fn is_last_turn(&self, speaker: PlayerId, rules: &Rules) -> bool {
        match rules.speaking_order {
            SpeakingOrder::RoundRobin => {
                self.pass >= rules.discussion_rounds && self.spoken.with(speaker).holds(self.alive)
            }
            SpeakingOrder::Bidding => usize::from(self.pass) >= self.turns(rules),
        }
    }

    #[inline]
    pub(crate) fn hear(&mut self, chunk: &Chunk, rules: &Rules) {
        if chunk.channel == Channel::Mafia {
            return;
        }
        self.said = self.said.saturating_add(chunk.chunk.chars_count() as u16);
        if !chunk.r#final {
            return;
        }
        self.said = 0;
        match rules.speaking_order {
            SpeakingOrder::RoundRobin => {
                self.spoken.insert(chunk.agent_id);
                if self.spoken.holds(self.alive) {
                    self.spoken = Players::NOBODY;
                    self.pass = self.pass.saturating_add(1);
                }
            }
            SpeakingOrder::Bidding => self.pass = self.pass.saturating_add(1),
        }
        self.speaker = self.next_speaker(rules);
    }

    pub(crate) fn give_floor(&mut self, given: &FloorGiven) {
        self.speaker = Some(given.agent_id);
        self.pass = given.turn;
    }

    #[inline]
    pub(crate) fn cast(&mut self, vote: &VoteCast) {
        self.votes.set(vote.voter_id, Choice::of(vote.target_id));
        self.voted.insert(vote.voter_id);
    }

    pub(crate) fn close_ballot(&mut self, result: &Arc<VoteResult>) {
        self.results.push(Arc::clone(result));
        if result.runoff.is_empty() {
            self.voted = result.voters;
            self.votes = result.choices;
        } else {
            self.open_ballot(result.ballot.saturating_add(1), result.runoff);
        }
    }

    #[inline]
    pub(crate) fn dawn(&mut self, night: &NightResolved) {
        if night.protection_prevents_kill {
            self.saves.push(night.night_number);
        }
    }

    #[inline]
    pub(crate) fn bury(&mut self, player: PlayerId, by: Fate, round: u16) {
        self.alive.remove(player);
        self.deaths[player.index()] = Some(Death { by, round });
    }

    pub(crate) fn end(&mut self, ended: &Arc<GameEnded>) {
        self.phase = Phase::End;
        self.paused = false;
        self.ended = Some(Arc::clone(ended));
    }
}
