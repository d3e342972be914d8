//! What a seat may try, and why it is refused.

use parlor_kernel::Refuse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agents::{Assignment, LONGEST_THOUGHT, Usage};
use crate::circle::PlayerId;
use crate::words::Words;

/// Who is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// Everyone, by day.
    #[default]
    Public,
    /// The mafia among themselves, at night.
    Mafia,
}

/// What a seat may try. The last five are no moves of a player: whoever keeps
/// an agent reports with them, and no client may send them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Action {
    /// A mafioso names whom to kill; nobody, where the rules allow it.
    Kill {
        /// Whom.
        target: Option<PlayerId>,
    },
    /// The doctor protects someone.
    Protect {
        /// Whom.
        target: PlayerId,
    },
    /// The sheriff asks after someone.
    Investigate {
        /// Whom.
        target: PlayerId,
    },
    /// A villager has nothing to do tonight.
    Acknowledge {},
    /// How much a player wants to speak next, where turns are bid for.
    Bid {
        /// From 0, not at all, to [`HIGHEST_BID`].
        amount: u8,
    },
    /// A part of a statement, or all of it; saying nothing passes.
    Say {
        /// The words.
        text: Words,
        /// Whether the statement ends with them.
        #[serde(default = "yes")]
        r#final: bool,
        /// Who hears it.
        #[serde(default)]
        channel: Channel,
    },
    /// A vote; none abstains.
    Vote {
        /// Against whom.
        target: Option<PlayerId>,
    },
    /// A part of what an agent thinks.
    #[schemars(skip)]
    Think {
        /// The words.
        text: Words,
        /// Whether the thought ends with them.
        #[serde(default)]
        r#final: bool,
    },
    /// The seat did not do what it had to, in time or at all: it falls back to
    /// a drawn target, silence or abstention.
    #[schemars(skip)]
    FallBack {
        /// What went wrong.
        reason: Words,
    },
    /// The agent failed and is asked again.
    #[schemars(skip)]
    Fault {
        /// What went wrong.
        reason: Words,
    },
    /// What a decision of the agent took.
    #[schemars(skip)]
    Usage(Box<Usage>),
    /// Who plays the seat.
    #[schemars(skip)]
    Assign(Box<Assignment>),
}

fn yes() -> bool {
    true
}

/// The highest bid for the floor.
pub const HIGHEST_BID: u8 = 3;

/// The longest statement, in characters.
pub const LONGEST_STATEMENT: usize = 1_000;

/// How many statements a mafioso may make among the mafia in one night.
pub const WHISPERS_A_NIGHT: u8 = 8;

impl Action {
    /// A whole public statement.
    pub fn say(text: impl Into<Words>) -> Action {
        Action::Say { text: text.into(), r#final: true, channel: Channel::Public }
    }

    /// A whole thought.
    pub fn think(text: impl Into<Words>) -> Action {
        Action::Think { text: text.into(), r#final: true }
    }

    /// Whether the seat still has its move to make after it: words that go on,
    /// whispers, and what is reported about an agent.
    pub const fn is_aside(&self) -> bool {
        match self {
            Action::Say { r#final, channel, .. } => !*r#final || matches!(channel, Channel::Mafia),
            Action::FallBack { .. } => false,
            _ => self.is_report(),
        }
    }
}

/// Why an action is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each is its own sentence")]
pub enum Refusal {
    #[error("the game has not begun")]
    NotStarted,
    #[error("the game is over")]
    GameOver,
    #[error("the game is paused")]
    Paused,
    #[error("there is no such seat at this table")]
    UnknownPlayer,
    #[error("the dead neither act nor speak")]
    NotAlive,
    #[error("this cannot be done now: {0}")]
    WrongPhase(&'static str),
    #[error("your role has no such action")]
    RoleMismatch,
    #[error("another player has the floor")]
    NotYourTurn,
    #[error("name a target")]
    TargetMissing,
    #[error("there is no such player in this game")]
    UnknownTarget,
    #[error("{0} is dead")]
    TargetDead(PlayerId),
    #[error("you cannot choose yourself")]
    TargetSelf,
    #[error("{0} is one of you")]
    TargetTeammate(PlayerId),
    #[error("you protected {0} last night")]
    RepeatProtect(PlayerId),
    #[error("{0} does not stand in this second ballot")]
    NotCandidate(PlayerId),
    #[error("an empty text can only end a statement")]
    EmptyChunk,
    #[error("a statement has at most {LONGEST_STATEMENT} characters, a thought {LONGEST_THOUGHT}")]
    TooLong,
    #[error("you have said enough tonight")]
    SaidEnough,
    #[error("a bid is a number from 0 to {HIGHEST_BID}")]
    BidTooHigh,
}

impl Refuse for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Refusal::NotStarted => "NOT_STARTED",
            Refusal::GameOver => "GAME_OVER",
            Refusal::Paused => "PAUSED",
            Refusal::UnknownPlayer => "UNKNOWN_PLAYER",
            Refusal::NotAlive => "NOT_ALIVE",
            Refusal::WrongPhase(_) => "WRONG_PHASE",
            Refusal::RoleMismatch => "ROLE_MISMATCH",
            Refusal::NotYourTurn => "NOT_YOUR_TURN",
            Refusal::TargetMissing => "TARGET_MISSING",
            Refusal::UnknownTarget => "UNKNOWN_TARGET",
            Refusal::TargetDead(_) => "TARGET_DEAD",
            Refusal::TargetSelf => "TARGET_SELF",
            Refusal::TargetTeammate(_) => "TARGET_TEAMMATE",
            Refusal::RepeatProtect(_) => "REPEAT_PROTECT",
            Refusal::NotCandidate(_) => "NOT_CANDIDATE",
            Refusal::EmptyChunk => "EMPTY_CHUNK",
            Refusal::TooLong | Refusal::SaidEnough => "TOO_LONG",
            Refusal::BidTooHigh => "BAD_BID",
        }
    }

    fn is_untimely(&self) -> bool {
        matches!(
            self,
            Refusal::NotStarted
                | Refusal::GameOver
                | Refusal::Paused
                | Refusal::NotAlive
                | Refusal::WrongPhase(_)
                | Refusal::NotYourTurn
                | Refusal::TargetDead(_)
                | Refusal::RepeatProtect(_)
                | Refusal::NotCandidate(_)
                | Refusal::SaidEnough
        )
    }
}
