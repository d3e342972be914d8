//! Hand histories in PHH, the open poker hand history format: fixed-limit
//! seven card stud (`F7S`), hi-lo eight or better (`F7S/8`) and razz (`FR`).
//!
//! PHH is TOML. A deal is one text (`.phh`), a match a collection of them
//! (`.phhs`), a table for each deal. What is written is what a viewer saw:
//! cards it did not see are `??`. What is read is played again by the rules of
//! this crate, over a stacked deck, and refused where they do not allow it.
//!
//! ```
//! let text = r#"
//!     variant = "F7S"
//!     antes = [5, 5]
//!     bring_in = 10
//!     small_bet = 20
//!     big_bet = 40
//!     starting_stacks = [500, 500]
//!     actions = [
//!       "d dh p1 ????2c",
//!       "d dh p2 AsAdKh",
//!       "p1 pb",
//!       "p2 cbr 20",
//!       "p1 f",
//!     ]
//! "#;
//! let games = parlor_stud::phh::import(text)?;
//! let stacks = games[0].fold().board.players.map(|player| player.stack);
//! assert_eq!(stacks[..2], [485, 515]);
//! # Ok::<(), parlor_kernel::FormatError>(())
//! ```

mod calendar;
mod cards;
mod hand;
mod notation;
mod read;
mod replay;
mod scribe;

use parlor_kernel::{FileFormat, FormatError, Log, Viewer, Written};

use crate::game::Stud;

/// What the format is called, and how its files end.
pub const FORMAT: FileFormat = FileFormat {
    name: "phh",
    endings: &["phh", "phhs"],
    meaning: "PHH, the open poker hand history format: one deal, or a collection of them",
};

/// What a viewer saw of a match: this deal of it, or all of them. All of more
/// than one are a collection, in which each stands under its number.
pub fn export(log: &Log<Stud>, viewer: Viewer, deal: Option<u32>) -> Result<String, FormatError> {
    let hands = scribe::hands(log, viewer);
    let played = hands.len();
    let unwritable = || {
        FormatError::Unwritable(match deal {
            Some(deal) => format!("there is no deal {deal}: deals 1 to {played} were dealt"),
            None => "no deal was dealt yet".to_owned(),
        })
    };
    match (deal, &hands[..]) {
        (None, []) => Err(unwritable()),
        (None, [only]) => Ok(only.to_string()),
        (None, all) => {
            let tables = (1..).zip(all).map(|(number, hand)| format!("[{number}]\n{hand}"));
            Ok(tables.collect::<Vec<_>>().join("\n"))
        }
        (Some(deal), all) => {
            let place = usize::try_from(deal).ok().and_then(|number| number.checked_sub(1));
            let hand = place.and_then(|place| all.get(place)).ok_or_else(unwritable)?;
            Ok(hand.to_string())
        }
    }
}

/// The deals of a text, each played again as a match of its own. Cards the
/// text does not know are made up, so that they agree with what it tells.
pub fn import(text: &str) -> Result<Vec<Log<Stud>>, FormatError> {
    read::read(text)?.iter().map(replay::replay).collect()
}

impl Written for Stud {
    const FORMATS: &'static [FileFormat] = &[FORMAT];

    fn export(
        format: &str,
        log: &Log<Stud>,
        viewer: Viewer,
        deal: Option<u32>,
    ) -> Result<String, FormatError> {
        if format != FORMAT.name {
            return Err(Stud::unknown_format(format));
        }
        export(log, viewer, deal)
    }

    fn import(format: &str, text: &str) -> Result<Vec<Log<Stud>>, FormatError> {
        if format != FORMAT.name {
            return Err(Stud::unknown_format(format));
        }
        import(text)
    }
}
