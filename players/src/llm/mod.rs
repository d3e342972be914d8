//! Language models in seats: any endpoint that speaks OpenAI's chat
//! completions, asked with what a seat knows and nothing else.
//!
//! `settings` says which model; `prompt` tells it what its seat knows, and
//! `schema` what an answer looks like; `wire` carries the request: `http` over
//! the network to an `address` in one of several `way`s, `tape` from and to a
//! recording, `budget` as long as there is something to spend, also on this
//! `day`; `endpoints` keeps them for all games. `delta` reads what streams
//! back and `account` what it took, `reading` puts it together, `content` with
//! `mark` tells reasoning from the answer in it, `thought` what is thought;
//! `answer` judges it; `decision` does all that for one question, and `model`
//! for one seat.

mod account;
mod address;
mod answer;
mod budget;
mod content;
mod day;
mod decision;
mod delta;
mod endpoints;
mod http;
mod mark;
mod model;
mod persona;
mod prompt;
mod reading;
mod schema;
mod settings;
mod tape;
mod thought;
mod way;
mod wire;

pub use account::{Spent, Tokens};
pub use address::{Address, Given, HttpError};
pub use answer::{Invalid, ModelAnswer};
pub use budget::{BudgetLimits, Budgets};
pub use day::date;
pub use decision::{CUT_OFF, INVALID_ANSWER};
pub use endpoints::Endpoints;
pub use http::Http;
pub use model::LanguageModel;
pub use persona::persona;
pub use prompt::{Prompt, prompt};
pub use settings::{
    AgentSettings, Answers, MOST_RETRIES, MOST_TOKENS, Model, ModelOptions, SeatOptions,
    SettingsError,
};
pub use tape::{RecordedGame, Recorder, TapeError, TapedGame, read_tape};
pub use way::Way;
pub use wire::{ModelCall, ModelReply, Received, Wire, WireFault};
