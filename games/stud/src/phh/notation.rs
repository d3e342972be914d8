//! One action as PHH writes it: `d dh p1 AsKd2c`, `p3 cbr 40`, `p2 sm`.

use std::fmt;

use arrayvec::ArrayVec;
use parlor_kernel::Seat;

use crate::cards::Card;

/// Cards of one hand, some of which may be unknown.
pub(super) type Cards = ArrayVec<Option<Card>, 7>;

/// What happened to a player, or what it did. Players are counted from 0 in
/// the order they are dealt to, and written `p1`, `p2`, …
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Note {
    pub who: Seat,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// Is dealt cards.
    Dealt(Cards),
    /// Posts the bring-in.
    BringIn,
    /// Completes, bets or raises to so many chips on this street.
    GoesTo(u32),
    /// Checks or calls.
    ChecksOrCalls,
    /// Folds.
    Folds,
    /// Shows these cards; none: those it was dealt.
    Shows(Cards),
    /// Keeps its cards closed.
    Mucks,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = self.who;
        match &self.what {
            What::Dealt(cards) => write!(f, "d dh {who} {}", Row(cards)),
            What::BringIn => write!(f, "{who} pb"),
            What::GoesTo(chips) => write!(f, "{who} cbr {chips}"),
            What::ChecksOrCalls => write!(f, "{who} cc"),
            What::Folds => write!(f, "{who} f"),
            What::Shows(cards) => write!(f, "{who} sm {}", Row(cards)),
            What::Mucks => write!(f, "{who} sm"),
        }
    }
}

struct Row<'a>(&'a [Option<Card>]);

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("-");
        }
        self.0.iter().try_for_each(|card| match card {
            Some(card) => write!(f, "{card}"),
            None => f.write_str("??"),
        })
    }
}

impl Note {
    /// Reads one action among so many players; none where it is only a
    /// comment. What is wrong comes back as a sentence.
    pub fn read(text: &str, players: usize) -> Result<Option<Note>, String> {
        let (action, _comment) = text.split_once('#').unwrap_or((text, ""));
        let words: Vec<&str> = action.split_whitespace().collect();
        let (name, what) = match words[..] {
            [] => return Ok(None),
            ["d", "dh", name, cards] => (name, What::Dealt(cards_in(cards)?)),
            ["d", "db", ..] => {
                return Err("no community card is dealt here: the deck has enough for everyone's \
                            seventh card"
                    .to_owned());
            }
            [name, "pb"] => (name, What::BringIn),
            [name, "cbr", chips] => (name, What::GoesTo(whole(chips)?)),
            [name, "cc"] => (name, What::ChecksOrCalls),
            [name, "f"] => (name, What::Folds),
            [name, "sm"] => (name, What::Mucks),
            [name, "sm", "-"] => (name, What::Shows(Cards::new())),
            [name, "sm", cards] => (name, What::Shows(cards_in(cards)?)),
            [_, "sd", ..] => return Err("nobody draws in stud".to_owned()),
            _ => {
                return Err(format!(
                    "'{}' is no action of stud; actions are like 'd dh p1 AsKd2c', 'p1 pb', \
                     'p1 cbr 40', 'p1 cc', 'p1 f', 'p1 sm AsKd2c'",
                    said(action.trim())
                ));
            }
        };
        Ok(Some(Note { who: player(name, players)?, what }))
    }
}

fn player(name: &str, players: usize) -> Result<Seat, String> {
    let number = name.strip_prefix('p').and_then(|number| number.parse::<usize>().ok());
    match number {
        Some(number) if (1..=players).contains(&number) => Ok(Seat(number as u8 - 1)),
        _ => Err(format!("'{}' is no player; players are p1 to p{players}", said(name))),
    }
}

fn cards_in(text: &str) -> Result<Cards, String> {
    let mut cards = Cards::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end);
        let (name, beyond) = rest.split_at(end);
        let card = match name {
            "??" => None,
            _ => Some(Card::named(name).ok_or_else(|| {
                let name = said(name);
                format!("'{name}' is no card; cards are like As, Td, 2c, and ?? where unknown")
            })?),
        };
        cards
            .try_push(card)
            .map_err(|_| format!("'{}' is more than a hand of seven", said(text)))?;
        rest = beyond;
    }
    Ok(cards)
}

/// The beginning of what a file says, fit to be quoted in a sentence.
pub(super) fn said(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

/// A number of chips, which may be written `40` or `40.00`.
pub(super) fn whole(text: &str) -> Result<u32, String> {
    let (chips, fraction) = text.split_once('.').unwrap_or((text, ""));
    let chips = chips.parse().ok().filter(|_| fraction.bytes().all(|digit| digit == b'0'));
    chips.ok_or_else(|| format!("'{}' is no whole number of chips", said(text)))
}
