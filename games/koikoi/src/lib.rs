//! Koi-Koi: hanafuda for two.
//!
//! Start with [`KoiKoi`], the game as the kernel plays it, and [`Rules`], what
//! a table may choose. `round` says what a move leads to, `sight` what is secret,
//! `yaku` and `score` what cards are worth, `deal` who gets which.

mod ask;
mod board;
mod bots;
mod cards;
mod deal;
mod event;
mod game;
mod offered;
mod round;
mod rules;
mod score;
mod sight;
pub mod wire;
mod words;
mod yaku;

pub use board::*;
pub use bots::Greedy;
pub use cards::{Card, CardSet, Class, Pile, Row, Taken};
pub use deal::{SPECIAL_HAND_POINTS, SpecialCards, four_pairs, special_deal};
pub use event::*;
pub use game::KoiKoi;
pub use rules::*;
pub use score::{Pay, koi_factor, pay, seven_factor};
pub use words::card_name;
pub use yaku::{Yaku, YakuPoints, contributing, fresh, needed, tally, wanted};
