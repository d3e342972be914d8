//! The rules of Binokel, one by one.

#[path = "../common/mod.rs"]
mod common;

mod bidding;
mod dabb;
mod house_rules;
mod melding;
mod properties;
mod refusals;
mod scoring;
mod specials;
mod tricks;
mod vectors;
