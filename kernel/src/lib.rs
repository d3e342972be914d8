//! What every parlor game is.
//!
//! A game is a set of pure functions over an append-only log of events: see
//! [`Game`]. Everything around it (fold, replay, re-execution, views, laws)
//! is written once, here, for every game. This crate touches no clock, no
//! disk and no network; its only randomness is the [`Dice`] handed to a game.

mod ask;
mod command;
mod dialect;
mod dice;
mod envelope;
mod game;
pub mod laws;
mod log;
mod offered;
mod payload;
mod player;
mod put;
mod rules;
mod seal;
mod seat;
mod times;
mod view;

pub use ask::{AskError, distinct, read_question, stacked_decks};
pub use command::{Command, Commands, brief};
pub use dialect::{
    CANONICAL, Change, Dialect, EventSchema, Heard, LogDialect, Misheard, Moment, Presence, Rebuff,
    schema_of,
};
pub use dice::{Dice, Seed, SeedError, Stacked, Stream};
pub use envelope::{Cause, Envelope, EnvelopeError};
pub use game::{Awaiting, Game, Moves, Opening, Order, Refuse, Sitting};
pub use log::{Difference, Log, LogError, Step, reexecute};
pub use offered::{CalledOff, FileFormat, FormatError, Offered, Room, Score};
pub use player::{Blind, BotKind, Player, PlayersDice, RandomPlayer, play_out};
pub use put::Put;
pub use rules::{OptionGuide, Preset, RulesError, RulesGuide};
pub use seal::{Seal, SeedOpening};
pub use seat::{ParseViewerError, Seat, SeatSet, Viewer};
pub use times::{Timekeeper, Times};
pub use view::{Listener, View};
