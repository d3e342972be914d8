//! The night: what everyone has chosen, and what comes of it.

use parlor_kernel::Stream;

use crate::ballot::{Choice, Choices, Count};
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::{Investigation, NightActionSubmitted};
use crate::role::Cast;

/// What a mafioso has said among the mafia tonight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whispers {
    /// Statements finished.
    pub finished: u8,
    /// Characters of the one under way.
    pub length: u16,
}

/// A night under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Night {
    /// Whom mafia, doctor and sheriff have chosen.
    pub choices: Choices,
    /// Who has acted; a mafioso without a choice stayed silent.
    pub acted: Players,
    /// What was said among the mafia.
    pub whispers: [Whispers; MAX_PLAYERS],
}

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

/// Whom the mafia kills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// This player, or nobody.
    At(Option<PlayerId>),
    /// One of these, or perhaps nobody, drawn by seed.
    Drawn {
        /// Who may be drawn.
        from: Players,
        /// Whether nobody may be drawn, too.
        or_nobody: bool,
        /// Whether all were silent, so that there was nothing to count.
        all_silent: bool,
    },
}

/// The team's target is the plurality's; ties are drawn among the
/// tied; if all are silent, among the living who are not mafia.
pub fn aim(cast: &Cast, living: Players, choices: &Choices) -> Aim {
    let Count { nobody, top, leaders, .. } = choices.count(living.and(cast.mafia));
    if top == 0 && nobody == 0 {
        let from = living.without(cast.mafia);
        return Aim::Drawn { from, or_nobody: false, all_silent: true };
    }
    if nobody > top {
        return Aim::At(None);
    }
    if leaders.len() == 1 && nobody < top {
        return Aim::At(leaders.iter().next());
    }
    Aim::Drawn { from: leaders, or_nobody: nobody == top, all_silent: false }
}

/// One of the players, or nobody where that may be drawn, each equally likely.
pub fn draw(from: Players, or_nobody: bool, stream: &mut Stream) -> Option<PlayerId> {
    let drawn = stream.below(from.len() as u32 + u32::from(or_nobody));
    from.nth(drawn as usize)
}

/// Whom the doctor protects tonight.
pub fn protected(cast: &Cast, living: Players, choices: &Choices) -> Option<PlayerId> {
    let doctor = living.and(cast.doctor).iter().next()?;
    choices.of(doctor).target()
}

/// What the sheriff learns tonight, whoever dies.
pub fn investigation(cast: &Cast, living: Players, choices: &Choices) -> Option<Investigation> {
    let sheriff_id = living.and(cast.sheriff).iter().next()?;
    let Choice::On(target_id) = choices.of(sheriff_id) else { return None };
    Some(Investigation { sheriff_id, target_id, is_mafia: cast.mafia.contains(target_id) })
}
