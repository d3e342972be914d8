//! Why the house does not do what it is asked.

use std::ops::RangeInclusive;

use parlor_kernel::{AskError, Difference, FormatError, LogError, RulesError};

/// Why the house does not do what it is asked.
#[derive(Debug, thiserror::Error)]
pub enum HouseError {
    /// The rules cannot be played.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Too few or too many seats.
    #[error("{game} is played with {} seats; {found} is not possible", range(allowed))]
    Seats {
        /// The game.
        game: &'static str,
        /// How many it takes.
        allowed: RangeInclusive<usize>,
        /// How many were asked for.
        found: usize,
    },
    /// Two players of one name, where players know each other by name.
    #[error("two players are called '{0}'; in this game names tell players apart")]
    Namesakes(String),
    /// An agent that was promised a seat is not offered any more.
    #[error("nobody here plays as '{0}'; the server was started without that agent")]
    Absent(String),
    /// The game has no such bot.
    #[error("{game} has no bot '{bot}'; bots are {known}")]
    UnknownBot {
        /// The game.
        game: &'static str,
        /// What was asked for.
        bot: String,
        /// What there is.
        known: String,
    },
    /// The game has no such dialect.
    #[error("{game} is not spoken in '{dialect}'; dialects are {known}")]
    UnknownDialect {
        /// The game.
        game: &'static str,
        /// What was asked for.
        dialect: String,
        /// What there is.
        known: String,
    },
    /// The postmortem comes after the end.
    #[error("the postmortem is open once the game is over; until then ask for public or seat:N")]
    NotOver,
    /// There is no such seat.
    #[error("this game has {0} seats, counted from seat:0")]
    NoSuchSeat(usize),
    /// A name in a log is longer than anyone's.
    #[error("a name in a log has at most {0} bytes")]
    LongName(usize),
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log is not what the rules give.
    #[error(transparent)]
    Differs(#[from] Difference),
    /// It cannot be written or read in that format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The question has no answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// Nobody to ask, or several.
    #[error("one person plays against bots, not {0}")]
    People(usize),
    /// It is no script.
    #[error("a script is one JSON object with game, seats and actions: {0}")]
    Script(#[from] serde_json::Error),
    /// What a script fixes beforehand is wrong.
    #[error("{0}")]
    Stacked(String),
    /// The machine gives no threads.
    #[error("the threads could not be started: {0}")]
    Threads(String),
    /// A simulated game broke off: a law of the game does not hold.
    #[error("game {0} did not end; this is a defect, please report it with the seed")]
    Unfinished(u64),
    /// A game with a person broke off: a law of the game does not hold.
    #[error("the game cannot go on; this is a defect, please report it with the seed")]
    Stuck,
}

fn range(allowed: &RangeInclusive<usize>) -> String {
    if allowed.start() == allowed.end() {
        allowed.start().to_string()
    } else {
        format!("{} to {}", allowed.start(), allowed.end())
    }
}
