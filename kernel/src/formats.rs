//! Formats of other programs that games are written and read in, beside the log.

use serde::Serialize;

use crate::game::Game;
use crate::log::Log;
use crate::seat::Viewer;

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

/// A game in formats of other programs. A game says only what it has.
pub trait Written: Game {
    /// The formats beside the log that it is written and read in.
    const FORMATS: &'static [FileFormat] = &[];

    /// What a viewer may read of a log, in one of [`Written::FORMATS`]: this
    /// round alone, counted from 1, or all of them.
    fn export(
        format: &str,
        _log: &Log<Self>,
        _viewer: Viewer,
        _round: Option<u32>,
    ) -> Result<String, FormatError> {
        Err(Self::unknown_format(format))
    }

    /// The games written down in a text of one of [`Written::FORMATS`],
    /// played again by the rules.
    fn import(format: &str, _text: &str) -> Result<Vec<Log<Self>>, FormatError> {
        Err(Self::unknown_format(format))
    }

    /// The error for a format that is none of [`Written::FORMATS`].
    fn unknown_format(format: &str) -> FormatError {
        let names: Vec<&str> = Self::FORMATS.iter().map(|format| format.name).collect();
        let known =
            if names.is_empty() { "none beside the log".to_owned() } else { names.join(", ") };
        FormatError::Unknown { game: Self::NAME, format: format.to_owned(), known }
    }
}
