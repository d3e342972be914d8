//! A table: one task with a bounded mailbox, woken by a command, a clock or a
//! listener. It is the only writer of its game.

mod audience;
mod calling_off;
mod commands;
mod knock;
mod leading;
mod listening;
mod mouth;
mod pace;
mod queue;
mod seating;
mod talks;
mod task;

pub use audience::{Farewell, Frame, Listening, Passage};
pub use knock::{AnswerTo, Credential, Done, Knock, Reply, SeatInfo, Seated, TableInfo};
pub use leading::{Lead, Led};
pub use mouth::Mouth;
pub use queue::Live;
pub use seating::table_info;
pub use task::Table;

use tokio::sync::mpsc;

/// How many knocks may wait at a table's door.
pub const MAILBOX: usize = 64;

/// The door of a table. Knocks are boxed: a channel keeps room for dozens of
/// them, at every table.
pub type Door = mpsc::Sender<Box<Knock>>;
