//! Language models in seats: any endpoint that speaks OpenAI's chat
//! completions, asked with what a seat knows and nothing else.
//!
//! `settings` says which model; `prompt` tells it what its seat knows;
//! `wire` carries the request, `http` over the network, `tape` from and to a
//! recording; `delta` and `thought` read what streams back; `answer` judges
//! it; `model` puts it all into one seat.

mod answer;
mod delta;
mod http;
mod model;
mod persona;
mod prompt;
mod settings;
mod tape;
mod thought;
mod wire;

pub use answer::{Answer, Invalid};
pub use http::{Http, HttpError};
pub use model::{Budget, INVALID_ANSWER, LanguageModel};
pub use persona::persona;
pub use prompt::{Prompt, prompt};
pub use settings::{MOST_RETRIES, Model, SeatWish, Settings, SettingsError, Wishes};
pub use tape::{RecordedGame, Recorder, TapeError, TapedGame, read_tape};
pub use wire::{Call, Heard, Reply, Wire, WireFault};
