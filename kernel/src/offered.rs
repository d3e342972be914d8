//! What a game brings to the house beside its rules: dialects, bots, words,
//! formats of other programs, and answers to questions about its rules.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::ask::AskError;
use crate::dialect::{Dialect, Heard, Misheard};
use crate::dice::Stacked;
use crate::game::Game;
use crate::log::Log;
use crate::player::BotKind;
use crate::rules::{RulesError, RulesGuide};
use crate::seat::{Seat, SeatSet, Viewer};

/// How a game stands or ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Each seat's points.
    pub points: Vec<i64>,
    /// Who won; nobody while it runs or when it is drawn.
    pub winners: SeatSet,
    /// How many rounds or deals were played.
    pub rounds: u64,
}

/// Why a game ended before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalledOff {
    /// The seat that ended it; none if the house did.
    pub by: Option<Seat>,
    /// Why, in a word or a sentence.
    pub reason: String,
}

/// How a game is played in rooms: over Socket.IO, with a host and a code to
/// pass on.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The dialect spoken there. It hears `{"event": NAME, "data": …}`, where
    /// the name is the one of the client's event; what it says beside events
    /// (refusals, presence) is an object whose `type` names the event that
    /// clients get.
    pub dialect: &'static str,
    /// The option of the rules that says how many points are played for.
    pub target: &'static str,
    /// The team of a seat at a table with so many; none where everyone plays
    /// alone.
    pub team: fn(usize, Seat) -> Option<u8>,
}

/// A way to write games down beside the log, which other programs read too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FileFormat {
    /// Its name: `phh`.
    pub name: &'static str,
    /// How the names of such files end.
    pub endings: &'static [&'static str],
    /// What it is, in a sentence.
    pub meaning: &'static str,
}

/// Why games cannot be written or read in a format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FormatError {
    /// The game has no such format.
    #[error("{game} has no format '{format}'; it has {known}")]
    Unknown {
        /// The game.
        game: &'static str,
        /// What was asked for.
        format: String,
        /// What there is.
        known: String,
    },
    /// There is nothing to write.
    #[error("{0}")]
    Unwritable(String),
    /// It breaks the format or the rules.
    #[error("line {line}: {sentence}")]
    Unreadable {
        /// Where, from 1.
        line: usize,
        /// What is wrong there.
        sentence: String,
    },
}

/// A game as the house offers it.
pub trait Offered: Game {
    /// What the game is, in a sentence.
    const ABOUT: &'static str;
    /// What a round is called in counts: `rounds`, `deals`.
    const ROUND_NAME: &'static str;
    /// The questions `ask` answers.
    const QUESTIONS: &'static [&'static str];
    /// How it is played in rooms; none if it is not.
    const ROOM: Option<Room> = None;
    /// What players are called whose names nobody chose, where players know
    /// each other by name alone: then no two of them share a name, whatever
    /// its case, and a bot's name does not tell that it is one.
    const NAMES: &'static [&'static str] = &[];
    /// The formats beside the log that it is written and read in.
    const FORMATS: &'static [FileFormat] = &[];

    /// Presets and options with their meaning.
    fn guide() -> RulesGuide<Self::Rules>;

    /// Whether these rules can be played.
    fn check(rules: &Self::Rules) -> Result<(), RulesError>;

    /// The game's own dialects; the first is the one scripts speak.
    fn dialects() -> Vec<Arc<dyn Dialect<Self>>>;

    /// The bots, weakest first.
    fn bots() -> Vec<BotKind<Self>>;

    /// How the game stands.
    fn score(state: &Self::State) -> Score;

    /// Why it ended before its time; none if it runs or was played out.
    fn called_off(_state: &Self::State) -> Option<CalledOff> {
        None
    }

    /// What `sim` counts of each finished game beside its rounds, by name.
    fn counts(_state: &Self::State) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Answers one question about the rules.
    fn ask(question: &str, input: &Value) -> Result<Value, AskError>;

    /// Reads the fixed shuffles of a script: `deck`, `decks`, `roles`.
    fn stack(script: &Map<String, Value>) -> Result<Stacked, String>;

    /// One thing seen, told in a line; none if it is not worth a line.
    fn narrate(
        before: &Self::Knowledge,
        seen: &Self::Seen,
        after: &Self::Knowledge,
    ) -> Option<String>;

    /// The table as a viewer knows it, in a few lines of text.
    fn picture(knowledge: &Self::Knowledge) -> String;

    /// An action as it is put to the person who knows this, in a few words,
    /// with cards as [`Offered::picture`] writes them: `bid 150`. Options of
    /// one moment differ in it.
    fn label(knowledge: &Self::Knowledge, action: &Self::Action) -> String;

    /// What a person may enter now that no option says, in a sentence: options
    /// are only the plainest forms. None where they are all there is.
    fn typing(_knowledge: &Self::Knowledge) -> Option<String> {
        None
    }

    /// What a person means who enters this in place of an option's number;
    /// none if it means nothing. Whether it can be done is for `decide`.
    fn typed(_knowledge: &Self::Knowledge, _text: &str) -> Option<Self::Action> {
        None
    }

    /// What a viewer may read of a log, in one of [`Offered::FORMATS`]: this
    /// round alone, counted from 1, or all of them.
    fn export(
        format: &str,
        _log: &Log<Self>,
        _viewer: Viewer,
        _round: Option<u32>,
    ) -> Result<String, FormatError> {
        Err(Self::unknown_format(format))
    }

    /// The games written down in a text of one of [`Offered::FORMATS`],
    /// played again by the rules.
    fn import(format: &str, _text: &str) -> Result<Vec<Log<Self>>, FormatError> {
        Err(Self::unknown_format(format))
    }

    /// The error for a format that is none of [`Offered::FORMATS`].
    fn unknown_format(format: &str) -> FormatError {
        let names: Vec<&str> = Self::FORMATS.iter().map(|format| format.name).collect();
        let known =
            if names.is_empty() { "none beside the log".to_owned() } else { names.join(", ") };
        FormatError::Unknown { game: Self::NAME, format: format.to_owned(), known }
    }

    /// An action of a script, in the game's own commands.
    fn script_action(action: &Value) -> Result<Self::Action, Misheard> {
        let Some(dialect) = Self::dialects().into_iter().next() else {
            return Err(Misheard::Malformed("this game has no dialect".to_owned()));
        };
        match dialect.hear(action.to_string().as_bytes())? {
            Heard::Act(action) => Ok(action),
            _ => Err(Misheard::Malformed("a script takes moves only".to_owned())),
        }
    }
}
