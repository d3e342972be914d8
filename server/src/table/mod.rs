//! A table: one task with a bounded mailbox, woken by a request, a clock or an
//! agent. It is the only writer of its game.

mod agent_turns;
mod attendance;
mod bounds;
mod commands;
mod control;
mod direct_sink;
mod due;
mod ending;
mod folding;
mod lost_race;
mod moderation;
mod pace;
mod queue;
mod rematch;
mod request;
mod seating;
mod subscribers;
mod subscribing;
mod task;

pub use commands::{KEY_FIELD, KeyedAnswer, idempotency_key, take_key};
pub use control::{Control, ControlState};
pub use direct_sink::DirectSink;
pub use moderation::Moderation;
pub use pace::COME_BACK_WITHIN;
pub use queue::Subscription;
pub use request::{AnswerTo, Credential, Done, Reply, Request, SeatInfo, Seated, TableInfo};
pub use seating::stored_info;
pub use subscribers::{Delivery, First, Frame, Subscribed, Termination, frames};
pub use task::Table;

use tokio::sync::mpsc;

/// How many requests may wait for a table.
pub const MAILBOX_SIZE: usize = 64;

/// The sending half of a table's queue of requests. Requests are boxed: a
/// channel keeps space for dozens of them, at every table.
pub type Mailbox = mpsc::Sender<Box<Request>>;
