//! Language models in seats: any endpoint that speaks OpenAI's chat
//! completions, asked with what a seat knows and nothing else.
//!
//! `settings` says which model; `prompt` tells it what its seat knows;
//! `wire` carries the request, `http` over the network, `tape` from and to a
//! recording; `delta` reads what streams back, `content` with `mark` tells
//! reasoning from the answer in it, `thought` what is thought; `answer` judges
//! it; `budget` counts what is left; `model` puts it all into one seat.

mod answer;
mod budget;
mod content;
mod delta;
mod http;
mod mark;
mod model;
mod persona;
mod prompt;
mod settings;
mod tape;
mod thought;
mod wire;

pub use answer::{Answer, Invalid};
pub use budget::Budget;
pub use http::{Http, HttpError};
pub use model::{INVALID_ANSWER, LanguageModel};
pub use persona::persona;
pub use prompt::{Prompt, prompt};
pub use settings::{MOST_RETRIES, Model, ModelOptions, SeatOptions, Settings, SettingsError};
pub use tape::{RecordedGame, Recorder, TapeError, TapedGame, read_tape};
pub use wire::{Call, Received, Reply, Wire, WireFault};
