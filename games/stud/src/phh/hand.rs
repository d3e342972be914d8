//! One deal as a PHH file tells it, and how it is written.

use std::fmt;

use time::UtcDateTime;
use toml::Value;

use super::notation::{Note, What};
use crate::event::Street;
use crate::rules::{Stakes, Variant};
use crate::seats::{SEATS, at};

/// The variants, as PHH names them.
pub(super) const VARIANTS: [(&str, Variant); 3] =
    [("F7S", Variant::StudHi), ("F7S/8", Variant::Stud8), ("FR", Variant::Razz)];

/// One deal. What is given per player goes by the order of the deal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hand {
    pub variant: Variant,
    pub stakes: Stakes,
    /// How many raises may follow the opening bet; PHH has no word for it.
    pub cap: u8,
    pub stacks: Vec<u32>,
    pub notes: Vec<Note>,
    pub players: Vec<String>,
    /// The stacks at the end, where the deal got there and they are known.
    pub finishing: Option<Vec<u32>>,
    pub began: Option<UtcDateTime>,
    pub place: Option<Place>,
}

/// Where in which match a deal was played. It says nothing about the deal
/// itself, and nothing of it is read back.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub table: String,
    pub deal: u32,
    /// The seats of the players, from 1.
    pub seats: Vec<u8>,
    pub seat_count: u8,
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = VARIANTS.iter().find(|(_, variant)| *variant == self.variant);
        let Stakes { ante, bring_in, small_bet, big_bet } = self.stakes;
        writeln!(f, "variant = \"{}\"", named.map_or("", |(name, _)| name))?;
        // Side pots go by all that was put in, antes too.
        writeln!(f, "ante_trimming_status = true")?;
        writeln!(f, "antes = {:?}", vec![ante; self.stacks.len()])?;
        writeln!(f, "bring_in = {bring_in}")?;
        writeln!(f, "small_bet = {small_bet}")?;
        writeln!(f, "big_bet = {big_bet}")?;
        writeln!(f, "starting_stacks = {:?}", self.stacks)?;
        self.write_notes(f)?;
        if let Some(began) = self.began {
            let (year, month, day) = (began.year(), u8::from(began.month()), began.day());
            let (hour, minute, second) = began.as_hms();
            writeln!(f, "time = {hour:02}:{minute:02}:{second:02}")?;
            writeln!(f, "day = {day}\nmonth = {month}\nyear = {year}")?;
        }
        if let Some(Place { table, deal, seats, seat_count }) = &self.place {
            writeln!(f, "hand = {deal}\nseats = {seats:?}\nseat_count = {seat_count}")?;
            writeln!(f, "table = {}", Value::from(table.as_str()))?;
        }
        writeln!(f, "players = {}", Value::from(self.players.clone()))?;
        if let Some(finishing) = &self.finishing {
            writeln!(f, "finishing_stacks = {finishing:?}")?;
        }
        writeln!(f, "_cap = {}", self.cap)
    }
}

impl Hand {
    /// The actions, one a line, with a comment where a street begins.
    fn write_notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut dealt = [0; SEATS];
        let mut street = None;
        writeln!(f, "actions = [")?;
        for note in &self.notes {
            if let What::Dealt(cards) = &note.what {
                let held = &mut dealt[at(note.who)];
                *held += cards.len();
                let reached = street_of(held.saturating_sub(1));
                if street != Some(reached) {
                    writeln!(f, "  # {} street", reached.name())?;
                }
                street = Some(reached);
            }
            writeln!(f, "  \"{note}\",")?;
        }
        writeln!(f, "]")
    }
}

/// The street on which a hand's nth card comes, from 0.
pub(super) fn street_of(nth: usize) -> Street {
    match nth {
        0..=2 => Street::Third,
        3 => Street::Fourth,
        4 => Street::Fifth,
        5 => Street::Sixth,
        _ => Street::Seventh,
    }
}
