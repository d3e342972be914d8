//! What every parlor game is.
//!
//! A game is a set of pure functions over an append-only log of events: see
//! [`Game`]. Everything around it (fold, replay, re-execution, views, laws)
//! is written once, here, for every game. This crate touches no clock, no
//! disk and no network; its only randomness is the [`Dice`] handed to a game.

mod ask;
mod awaiting;
mod canonical;
mod command;
mod dialect;
mod dice;
mod envelope;
mod formats;
mod game;
mod hosted;
mod imagine;
pub mod laws;
mod log;
mod notice;
mod offered;
mod opened;
mod opening;
mod player;
mod playout;
mod put;
mod refusal;
mod rules;
mod run;
mod same;
mod scripted;
mod seal;
mod seat;
mod setup;
mod spoken;
mod tagged;
mod times;
mod told;
mod view;
mod words;

pub use ask::{AskError, Explained, distinct, read_question, stacked_decks, unknown_question};
pub use awaiting::Awaiting;
pub use command::{Command, Commands, brief, position_of};
pub use dialect::{
    AnswerNotice, CANONICAL, Change, ClientMessage, Dialect, ErrorNotice, EventSchema, LogDialect,
    MessageError, Moment, Presence, RefusalNotice, schema_of,
};
pub use dice::{Dice, Seed, SeedError, Stacked, Stream};
pub use envelope::{Cause, Envelope};
pub use formats::{FileFormat, FormatError, Written};
pub use game::Game;
pub use hosted::{CalledOff, Hosted, Order};
pub use imagine::Imagine;
pub use log::{Difference, Log, LogError, Step, reexecute};
pub use notice::{PlainPresence, PlainRefusal};
pub use offered::{Offered, Room, Score};
pub use opened::Opened;
pub use opening::{Opening, Sitting};
pub use player::{BotKind, Player, PlayersDice, RandomPlayer, play_out};
pub use playout::{Blind, ByLot, Choose, Moves, Playout, Quick, RandomPlayout};
pub use put::Put;
pub use refusal::Refuse;
pub use rules::{OptionGuide, Preset, RulesError, RulesGuide};
pub use run::{Context, Proposed, Run};
pub use same::same_json;
pub use scripted::Scripted;
pub use seal::{Seal, SeedOpening};
pub use seat::{ParseViewerError, Seat, SeatSet, Viewer};
pub use setup::Setup;
pub use spoken::{Outline, Spoken};
pub use tagged::event_type;
pub use times::{Timekeeper, Times};
pub use told::Told;
pub use view::{DialectView, View};
pub use words::{WORDS, WordsDialect};
