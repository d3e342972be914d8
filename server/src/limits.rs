//! How much anyone may ask for: how often (`rates`), how much at once and a day
//! (`accounts`), how many wrong guesses (`guesses`), and who is folded a log for
//! first (`folds`).

mod accounts;
mod address;
mod excess;
mod folds;
mod guesses;
mod rates;

pub use accounts::{Account, Accounts, WatchingPlace};
pub use address::Address;
pub use excess::Excess;
pub use folds::{FoldFor, FoldPlace, Folds};
pub use guesses::Guesses;
pub use rates::{Allowance, RateCheck, RateLimits};
