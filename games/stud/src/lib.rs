//! Seven Card Stud, fixed limit: high, razz, hi-lo eight or better, and mixed.
//!
//! Start with [`Stud`], the game as the kernel plays it, and [`Rules`], what a
//! table may choose. `game` decides and folds, `course` runs a deal on to its
//! next decision, `board` holds chips and counters, `betting` says what is
//! legal, `pots` and `showdown` share the chips, `sight` says which cards are
//! secret, `hosted` keeps clocks and seats, `attendance` says who plays on.
//!
//! Hands are ranked by [`high`], [`ace_to_five`] and [`eight_or_better`] and
//! named by [`high_in_words`] and [`low_in_words`].

mod action;
mod ask;
mod attendance;
mod betting;
mod board;
mod bots;
mod cards;
mod course;
mod each_seat;
mod eval;
mod event;
mod game;
mod hosted;
mod invariant;
mod naming;
mod offered;
pub mod phh;
mod pots;
mod rules;
mod seats;
mod showdown;
mod showing;
mod sight;
mod state;
pub mod wire;
mod words;

pub use action::{Action, Refusal};
pub use betting::{LegalMove, LegalMoves};
pub use board::{Acted, Board, Phase, PlayerBoard};
pub use cards::{Card, CardSet, Deck, Stub};
pub use each_seat::EachSeat;
pub use eval::{High, Low, ace_to_five, eight_or_better, high};
pub use event::*;
pub use game::Stud;
pub use naming::{eight_or_better_in_words, high_in_words, low_in_words};
pub use pots::{Pot, Worth, best, pay, pots};
pub use rules::*;
pub use seats::{SEATS, Seats};
pub use showdown::{DealEnd, Shown, in_words};
pub use showing::{bring_in, first_to_act};
pub use sight::FaceDown;
pub use state::{Knowledge, State};
