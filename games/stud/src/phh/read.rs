//! Reads PHH: TOML in, deals with the lines they stand in out.

use parlor_kernel::FormatError;
use time::{Date, Month, Time, UtcDateTime};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::calendar;
use super::hand::{Hand, VARIANTS};
use super::notation::{Note, said, whole};
use crate::rules::{MOST, Rules, Stakes, Variant};
use crate::seats::SEATS;

/// A deal with the lines to name where it breaks the rules.
pub(super) struct Told {
    pub hand: Hand,
    /// Where it begins.
    pub line: usize,
    /// The line of each of its notes.
    pub note_lines: Vec<usize>,
    /// Where its stakes and stacks are.
    pub stakes_line: usize,
    /// Where its finishing stacks are.
    pub finishing_line: usize,
}

/// Something is wrong in a line.
pub(super) fn wrong(line: usize, sentence: impl Into<String>) -> FormatError {
    FormatError::Unreadable { line, sentence: sentence.into() }
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The deals of a text: one, or a collection with a table for each.
pub(super) fn read(text: &str) -> Result<Vec<Told>, FormatError> {
    let whole = DeTable::parse(text).map_err(|error| {
        let line = line_of(text, error.span().map_or(0, |span| span.start));
        wrong(line, format!("this is no TOML: {}", error.message().replace('\n', "; ")))
    })?;
    let whole = whole.into_inner();
    if whole.contains_key("variant") {
        return Ok(vec![Fields { text, table: &whole, line: 1 }.hand()?]);
    }
    let mut tables: Vec<_> = whole.iter().collect();
    tables.sort_by_key(|(name, _)| name.span().start);
    if tables.is_empty() {
        return Err(wrong(1, "there is no hand history in it"));
    }
    let hand = |(name, value): (&Spanned<_>, &'_ Spanned<DeValue>)| {
        let line = line_of(text, name.span().start);
        match value.get_ref() {
            DeValue::Table(table) => Fields { text, table, line }.hand(),
            _ => Err(wrong(
                line,
                "a hand history begins with its variant, such as variant = \"F7S\"",
            )),
        }
    };
    tables.into_iter().map(hand).collect()
}

/// The fields of one deal.
struct Fields<'a> {
    text: &'a str,
    table: &'a DeTable<'a>,
    line: usize,
}

type Field<'a> = &'a Spanned<DeValue<'a>>;

impl<'a> Fields<'a> {
    fn hand(&self) -> Result<Told, FormatError> {
        let variant = self.variant()?;
        let stacks_field = self.needed("starting_stacks")?;
        let stacks = self.chips_of_each("starting_stacks", stacks_field)?;
        if !(2..=SEATS).contains(&stacks.len()) {
            let sentence =
                format!("stud is played by 2 to {SEATS} players, not by {}", stacks.len());
            return Err(self.wrong(stacks_field, sentence));
        }
        if let Some(place) = stacks.iter().position(|stack| *stack == 0) {
            let sentence = format!("p{} has no chips and is not dealt in", place + 1);
            return Err(self.wrong(stacks_field, sentence));
        }
        let stakes_field = self.needed("bring_in")?;
        let stakes = Stakes {
            ante: self.ante(stacks.len())?,
            bring_in: self.chips("bring_in", stakes_field)?,
            small_bet: self.chips("small_bet", self.needed("small_bet")?)?,
            big_bet: self.chips("big_bet", self.needed("big_bet")?)?,
        };
        let finishing_field = self.table.get("finishing_stacks");
        let finishing = match finishing_field {
            Some(field) => Some(self.per_player("finishing_stacks", field, stacks.len())?),
            None => None,
        };
        let (notes, note_lines) = self.notes(stacks.len())?;
        Ok(Told {
            hand: Hand {
                variant,
                stakes,
                cap: self.cap()?,
                players: self.players(stacks.len())?,
                stacks,
                notes,
                finishing,
                began: self.began(),
                place: None,
            },
            line: self.line,
            note_lines,
            stakes_line: self.line_of(stakes_field),
            finishing_line: finishing_field.map_or(self.line, |field| self.line_of(field)),
        })
    }

    fn line_of(&self, field: Field) -> usize {
        line_of(self.text, field.span().start)
    }

    fn wrong(&self, field: Field, sentence: impl Into<String>) -> FormatError {
        wrong(self.line_of(field), sentence)
    }

    fn needed(&self, name: &str) -> Result<Field<'a>, FormatError> {
        self.table
            .get(name)
            .ok_or_else(|| wrong(self.line, format!("the field '{name}' is missing")))
    }

    fn variant(&self) -> Result<Variant, FormatError> {
        let field = self.needed("variant")?;
        let code = field.get_ref().as_str();
        let found = VARIANTS.iter().find(|(name, _)| Some(*name) == code);
        found.map(|(_, variant)| *variant).ok_or_else(|| {
            let said = said(code.unwrap_or("this"));
            self.wrong(
                field,
                format!("variants are F7S (stud), F7S/8 (hi-lo) and FR (razz); '{said}' is none"),
            )
        })
    }

    fn chips(&self, name: &str, field: Field) -> Result<u32, FormatError> {
        let chips = match field.get_ref() {
            DeValue::Integer(number) => u32::from_str_radix(number.as_str(), number.radix())
                .map_err(|_| format!("'{number}' is no whole number of chips")),
            DeValue::Float(number) => whole(number.as_str()),
            _ => Err("chips are whole numbers".to_owned()),
        };
        let chips = chips.and_then(|chips| match chips {
            0..=MOST => Ok(chips),
            _ => Err(format!("{chips} is more than this house has; {MOST} is the most")),
        });
        chips.map_err(|sentence| self.wrong(field, format!("{name}: {sentence}")))
    }

    fn list(
        &self,
        name: &str,
        field: Field<'a>,
    ) -> Result<&'a [Spanned<DeValue<'a>>], FormatError> {
        match field.get_ref() {
            DeValue::Array(items) => Ok(items),
            _ => Err(self.wrong(field, format!("'{name}' is a list, in square brackets"))),
        }
    }

    fn chips_of_each(&self, name: &str, field: Field<'a>) -> Result<Vec<u32>, FormatError> {
        self.list(name, field)?.iter().map(|chips| self.chips(name, chips)).collect()
    }

    fn per_player(
        &self,
        name: &str,
        field: Field<'a>,
        players: usize,
    ) -> Result<Vec<u32>, FormatError> {
        let chips = self.chips_of_each(name, field)?;
        if chips.len() != players {
            let sentence = format!("'{name}' names {} players of {players}", chips.len());
            return Err(self.wrong(field, sentence));
        }
        Ok(chips)
    }

    fn ante(&self, players: usize) -> Result<u32, FormatError> {
        let field = self.needed("antes")?;
        let antes = self.per_player("antes", field, players)?;
        match antes[..] {
            [ante, ref others @ ..] if others.iter().all(|other| *other == ante) => Ok(ante),
            _ => Err(self.wrong(field, "everyone pays the same ante in stud")),
        }
    }

    /// `_cap` is a field of this house: PHH leaves it to the rules of the game.
    fn cap(&self) -> Result<u8, FormatError> {
        let Some(field) = self.table.get("_cap") else { return Ok(Rules::stud_hi().cap) };
        match self.chips("_cap", field)? {
            cap @ 1..=8 => Ok(cap as u8),
            _ => Err(self.wrong(field, "'_cap' is how many raises a street takes, 1 to 8")),
        }
    }

    fn players(&self, players: usize) -> Result<Vec<String>, FormatError> {
        let Some(field) = self.table.get("players") else {
            return Ok((1..=players).map(|number| format!("p{number}")).collect());
        };
        let named = self.list("players", field)?.iter();
        let name = |(number, name): (u32, &Spanned<DeValue>)| match name.get_ref().as_str()? {
            // PHH leaves the name empty where it is not known.
            "" => Some(format!("p{number}")),
            name => Some(name.to_owned()),
        };
        let names: Vec<String> = (1u32..).zip(named).filter_map(name).collect();
        if names.len() != players {
            return Err(self.wrong(field, format!("'players' are the names of {players} players")));
        }
        Ok(names)
    }

    fn notes(&self, players: usize) -> Result<(Vec<Note>, Vec<usize>), FormatError> {
        let field = self.needed("actions")?;
        let (mut notes, mut lines) = (Vec::new(), Vec::new());
        for action in self.list("actions", field)? {
            let Some(text) = action.get_ref().as_str() else {
                return Err(self.wrong(action, "an action is a text such as \"p1 cc\""));
            };
            let note =
                Note::read(text, players).map_err(|sentence| self.wrong(action, sentence))?;
            if let Some(note) = note {
                notes.push(note);
                lines.push(self.line_of(action));
            }
        }
        Ok((notes, lines))
    }

    /// When the deal began, if the file says it all and says it in UTC.
    fn began(&self) -> Option<UtcDateTime> {
        let zone = ["time_zone", "time_zone_abbreviation"].iter().find_map(|n| self.table.get(*n));
        if zone.is_some_and(|zone| !matches!(zone.get_ref().as_str(), Some("UTC" | "Etc/UTC"))) {
            return None;
        }
        let number = |name: &str| match self.table.get(name)?.get_ref() {
            DeValue::Integer(number) => i32::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        let month = Month::try_from(u8::try_from(number("month")?).ok()?).ok()?;
        let day = u8::try_from(number("day")?).ok()?;
        let date = Date::from_calendar_date(number("year")?, month, day).ok()?;
        let time = self.table.get("time")?.get_ref().as_datetime()?.time?;
        let time = Time::from_hms(time.hour, time.minute, time.second.unwrap_or(0)).ok()?;
        let moment = UtcDateTime::new(date, time);
        calendar::milliseconds(moment).map(|_| moment)
    }
}
