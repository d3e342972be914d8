//! Counting: who voted for whom, and what comes of it.

use std::collections::BTreeMap;

use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::rules::{Rules, TieRule, VoteRule};

/// What a player has chosen, by night or in a vote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Nothing yet.
    #[default]
    Open,
    /// Nobody: an abstention, or no kill.
    Nobody,
    /// Someone.
    On(PlayerId),
}

impl Choice {
    /// The choice of this target, or of nobody.
    #[inline]
    pub const fn of(target: Option<PlayerId>) -> Choice {
        match target {
            Some(target) => Choice::On(target),
            None => Choice::Nobody,
        }
    }

    /// Whom it is on.
    #[inline]
    pub const fn target(self) -> Option<PlayerId> {
        match self {
            Choice::On(target) => Some(target),
            Choice::Open | Choice::Nobody => None,
        }
    }
}

/// Everyone's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices([Choice; MAX_PLAYERS]);

/// How often each was chosen, and who most often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How often each was chosen.
    pub each: [u8; MAX_PLAYERS],
    /// How many chose nobody.
    pub nobody: u8,
    /// The highest count of a player.
    pub top: u8,
    /// Who has it; nobody if no one was chosen.
    pub leaders: Players,
}

impl Choices {
    /// What this player has chosen.
    #[inline]
    pub const fn of(&self, player: PlayerId) -> Choice {
        self.0[player.index()]
    }

    /// The player chooses, or chooses anew.
    #[inline]
    pub fn set(&mut self, player: PlayerId, choice: Choice) {
        self.0[player.index()] = choice;
    }

    /// The same choices, but for one.
    #[inline]
    pub fn with(mut self, player: PlayerId, choice: Choice) -> Choices {
        self.set(player, choice);
        self
    }

    /// Counts what these players have chosen.
    pub fn count(&self, players: Players) -> Count {
        let mut count =
            Count { each: [0; MAX_PLAYERS], nobody: 0, top: 0, leaders: Players::NOBODY };
        for player in players {
            match self.of(player) {
                Choice::Open => {}
                Choice::Nobody => count.nobody += 1,
                Choice::On(target) => {
                    let votes = &mut count.each[target.index()];
                    *votes += 1;
                    if *votes > count.top {
                        count.top = *votes;
                        count.leaders = Players::NOBODY;
                    }
                    if *votes == count.top {
                        count.leaders.insert(target);
                    }
                }
            }
        }
        count
    }

    /// How many of these players chose each, of those who were chosen.
    pub fn distribution(&self, players: Players) -> BTreeMap<PlayerId, u8> {
        let count = self.count(players);
        let votes = |player: PlayerId| (player, count.each[player.index()]);
        PlayerId::all(usize::MAX).map(votes).filter(|(_, votes)| *votes > 0).collect()
    }
}

/// Who goes after a ballot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nobody.
    Nobody,
    /// This player.
    Falls(PlayerId),
    /// One of these, drawn by seed.
    Drawn(Players),
    /// These stand in a second ballot.
    Runoff(Players),
}

/// What a ballot comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BallotCount {
    /// Who goes.
    pub verdict: Verdict,
    /// Whether several held the most votes.
    pub tie: bool,
    /// Whether the most votes were more than half of the living.
    pub majority: bool,
}

/// The votes that are more than half of the living.
pub const fn majority_of(living: Players) -> usize {
    living.len() / 2 + 1
}

/// Plurality; a tie at the top by the rule for ties; if every living
/// player holds exactly one vote, nobody goes; no votes, nobody goes.
pub fn outcome(rules: &Rules, living: Players, choices: &Choices, ballot: u8) -> BallotCount {
    let Count { top, leaders, .. } = choices.count(living);
    let tie = leaders.len() > 1;
    let majority = usize::from(top) >= majority_of(living);
    let one_each = top == 1 && leaders == living;
    let sole_leader = if tie { None } else { leaders.iter().next() };
    let verdict = match sole_leader {
        _ if one_each => Verdict::Nobody,
        Some(leader) if majority || rules.vote_rule == VoteRule::Plurality => {
            Verdict::Falls(leader)
        }
        None if tie => match (rules.tie_rule, rules.vote_rule) {
            (TieRule::Revote, _) if ballot == 1 => Verdict::Runoff(leaders),
            (TieRule::None, _) | (_, VoteRule::Majority) => Verdict::Nobody,
            (TieRule::Random | TieRule::Revote, VoteRule::Plurality) => Verdict::Drawn(leaders),
        },
        _ => Verdict::Nobody,
    };
    BallotCount { verdict, tie, majority }
}
