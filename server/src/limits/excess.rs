//! More than anyone may have: each with a sentence, a code, and when to try
//! again.

use axum::http::StatusCode;

/// Why something is too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    /// An address has as many tables under way as it may.
    #[error("{0} of your tables wait or are played already; try again when one of them is over")]
    Tables(u32),
    /// The server has as many tables under way as it may.
    #[error("as many tables are open here as there may be; try again when some are over")]
    TablesInAll,
    /// An address has as many tables of bots alone as it may.
    #[error("{0} of your tables play by themselves already; try again when one of them is over")]
    SelfPlaying(u32),
    /// The server has as many tables of bots alone as it may.
    #[error("as many tables play by themselves here as there may be; try again later")]
    SelfPlayingInAll,
    /// The tables of an address have written as much as they may in a day.
    #[error("your tables have written as much as they may in a day; try again in {0} s")]
    Bytes(u64),
    /// All tables have written as much as they may in a day.
    #[error("all tables have written as much as they may in a day; try again in {0} s")]
    BytesInAll(u64),
    /// An address watches as much as it may.
    #[error("you watch {0} streams already; close one")]
    Watching(u32),
    /// A table is watched by as many as may.
    #[error("too many streams listen at this table")]
    Streams,
    /// Too many wrong guesses at codes.
    #[error("too many wrong codes were tried; try again in {0} s")]
    Guesses(u64),
    /// Too many logs wait to be folded for this address.
    #[error("several logs are being read for you already; try again in a moment")]
    Folds,
    /// Too many logs wait to be folded.
    #[error("too many logs are being read; try again in a moment")]
    FoldsInAll,
    /// An address has seated as many language models as it may in a day.
    #[error("you may seat {0} language models in a day, and have; try again in {1} s")]
    Agents(u32, u64),
    /// What is sent is longer than it may be.
    #[error("a request may have at most {0} bytes")]
    Size(usize),
    /// A log has more events than it may.
    #[error("a log may have at most {0} events")]
    Events(u32),
}

impl Excess {
    /// 429 where the sender has too much, 503 where all together have, 413 for
    /// what is too large by itself.
    pub fn status(self) -> StatusCode {
        match self {
            Excess::TablesInAll
            | Excess::SelfPlayingInAll
            | Excess::BytesInAll(_)
            | Excess::FoldsInAll => StatusCode::SERVICE_UNAVAILABLE,
            Excess::Size(_) | Excess::Events(_) => StatusCode::PAYLOAD_TOO_LARGE,
            _ => StatusCode::TOO_MANY_REQUESTS,
        }
    }

    /// The code for programs.
    pub fn code(self) -> &'static str {
        match self {
            Excess::Tables(_) | Excess::TablesInAll => "TOO_MANY_TABLES",
            Excess::SelfPlaying(_) | Excess::SelfPlayingInAll => "TOO_MANY_SELF_PLAYING",
            Excess::Bytes(_) | Excess::BytesInAll(_) => "QUOTA_SPENT",
            Excess::Watching(_) | Excess::Streams => "TOO_MANY_STREAMS",
            Excess::Guesses(_) => "TOO_MANY_GUESSES",
            Excess::Folds | Excess::FoldsInAll => "BUSY",
            Excess::Agents(..) => "AGENTS_SPENT",
            Excess::Size(_) | Excess::Events(_) => "TOO_LARGE",
        }
    }

    /// After how many seconds the same may be tried again; none: never.
    pub fn retry_after(self) -> Option<u64> {
        match self {
            Excess::Bytes(seconds)
            | Excess::BytesInAll(seconds)
            | Excess::Guesses(seconds)
            | Excess::Agents(_, seconds) => Some(seconds),
            Excess::Tables(_)
            | Excess::TablesInAll
            | Excess::SelfPlaying(_)
            | Excess::SelfPlayingInAll => Some(60),
            Excess::Watching(_) | Excess::Streams => Some(10),
            Excess::Folds | Excess::FoldsInAll => Some(1),
            Excess::Size(_) | Excess::Events(_) => None,
        }
    }
}
