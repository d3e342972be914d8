//! Turns: when somebody thinks or speaks.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::circle::PlayerId;

/// Whether a turn is thought or spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnKind {
    /// Private reasoning.
    Think,
    /// A statement.
    Say,
}

/// What a turn is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A night, from 1: an action to choose, or a word among the mafia.
    Night(u16),
    /// The discussion of a day, from 1.
    Day(u16),
    /// The vote of a day.
    Vote(u16),
}

/// One turn, unique in its game: kind, day or night, pass, player. Written
/// `say-day-1-p1`; from the second pass on `say-day-1-2-p1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnId {
    /// Thought or spoken.
    pub kind: TurnKind,
    /// What it is part of.
    pub occasion: Occasion,
    /// Which pass over the players, ballot of the day, or word of the night.
    pub pass: u8,
    /// Whose turn.
    pub player: PlayerId,
}

impl TurnId {
    /// Whether only the mafia hears it: what is said at night.
    pub const fn is_whispered(&self) -> bool {
        matches!((self.kind, self.occasion), (TurnKind::Say, Occasion::Night(_)))
    }
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            TurnKind::Think => "think",
            TurnKind::Say => "say",
        };
        let (occasion, number) = match self.occasion {
            Occasion::Night(night) => ("night", night),
            Occasion::Day(day) => ("day", day),
            Occasion::Vote(day) => ("vote", day),
        };
        write!(f, "{kind}-{occasion}-{number}-")?;
        if self.pass > 1 {
            write!(f, "{}-", self.pass)?;
        }
        write!(f, "{}", self.player)
    }
}

/// The text names no turn.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("a turn is written like say-day-1-p1")]
pub struct NoTurn;

impl FromStr for TurnId {
    type Err = NoTurn;

    fn from_str(text: &str) -> Result<Self, NoTurn> {
        let parts: Vec<&str> = text.split('-').collect();
        let (kind, occasion, number, pass, player) = match parts[..] {
            [kind, occasion, number, player] => (kind, occasion, number, "1", player),
            [kind, occasion, number, pass, player] => (kind, occasion, number, pass, player),
            _ => return Err(NoTurn),
        };
        let kind = match kind {
            "think" => TurnKind::Think,
            "say" => TurnKind::Say,
            _ => return Err(NoTurn),
        };
        let number = number.parse().map_err(|_| NoTurn)?;
        let occasion = match occasion {
            "night" => Occasion::Night(number),
            "day" => Occasion::Day(number),
            "vote" => Occasion::Vote(number),
            _ => return Err(NoTurn),
        };
        let pass = pass.parse().map_err(|_| NoTurn)?;
        let player = player.parse().map_err(|_| NoTurn)?;
        Ok(TurnId { kind, occasion, pass, player })
    }
}

impl Serialize for TurnId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TurnId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for TurnId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TurnId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^(think|say)-(night|day|vote)-[0-9]+(-[0-9]+)?-p[1-9][0-9]*$"
        })
    }
}
