//! A game on offer, without its types: what it is, and what can be done with
//! it at tables, with its logs and in process.

mod at_tables;
mod from_logs;
mod in_process;

use std::ops::RangeInclusive;
use std::sync::Arc;

use parlor_kernel::{
    BotKind, Dialect, FileFormat, Game, LogDialect, Offered, Opening, Room, RulesError, Sitting,
    WordsDialect,
};
use serde_json::{Value, json};

use crate::error::HouseError;
use crate::names::same_name;

pub use at_tables::AtTables;
pub use from_logs::FromLogs;
pub use in_process::InProcess;

/// A bot a game offers.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct BotInfo {
    /// Its name.
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// How it plays.
    pub meaning: &'static str,
}

/// What a game is: names, bots, dialects, rules.
pub trait GameInfo: Send + Sync {
    /// Its name: `koikoi`.
    fn name(&self) -> &'static str;
    /// What it is, in a sentence.
    fn about(&self) -> &'static str;
    /// Every dialect it is spoken in; the first is the default.
    fn dialects(&self) -> Vec<&'static str>;
    /// How it is played in rooms; none if it is not.
    fn room(&self) -> Option<Room>;
    /// What players are called whose names nobody chose; none where a bot is
    /// called what it is, and where players may share a name.
    fn names(&self) -> &'static [&'static str];
    /// Its bots, weakest first.
    fn bots(&self) -> Vec<BotInfo>;
    /// The proper name of a bot, given its name or an alias.
    fn bot_named(&self, name: &str) -> Option<&'static str>;
    /// The questions it answers.
    fn questions(&self) -> &'static [&'static str];
    /// The formats beside the log that it is written and read in.
    fn formats(&self) -> &'static [FileFormat];
    /// All of this with presets and options, each with its meaning.
    fn guide(&self) -> Value;
    /// House rules in full, from what a table asks for.
    fn resolve_rules(&self, asked: &Value) -> Result<Value, HouseError>;
    /// The same rules (in full) with an end, as bots alone play by them; none if
    /// they have one.
    fn ended_rules(&self, rules: &Value) -> Result<Option<Value>, HouseError>;
    /// How many seats these rules (in full) play with.
    fn seats(&self, rules: &Value) -> Result<RangeInclusive<usize>, HouseError>;
}

/// A game on offer. Whoever needs only a part of it takes that part.
pub trait Offer: AtTables + FromLogs + InProcess {}

impl<G: Offered> Offer for OnOffer<G> {}

/// A game on offer, with its types.
pub struct OnOffer<G: Game> {
    /// Looked up with every command, so they are made once.
    dialects: Vec<Arc<dyn Dialect<G>>>,
}

impl<G: Offered> OnOffer<G> {
    /// Puts the game on offer.
    pub fn new() -> OnOffer<G> {
        OnOffer { dialects: dialects::<G>() }
    }

    fn dialect(&self, name: &str) -> Result<&Arc<dyn Dialect<G>>, HouseError> {
        let found = self.dialects.iter().find(|dialect| dialect.name() == name);
        found.ok_or_else(|| unknown_dialect::<G>(&self.dialects, name))
    }
}

impl<G: Offered> Default for OnOffer<G> {
    fn default() -> Self {
        OnOffer::new()
    }
}

impl<G: Offered> GameInfo for OnOffer<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn dialects(&self) -> Vec<&'static str> {
        self.dialects.iter().map(|dialect| dialect.name()).collect()
    }

    fn room(&self) -> Option<Room> {
        G::ROOM
    }

    fn names(&self) -> &'static [&'static str] {
        G::NAMES
    }

    fn bots(&self) -> Vec<BotInfo> {
        let info = |kind: BotKind<G>| BotInfo {
            name: kind.name,
            aliases: kind.aliases,
            meaning: kind.meaning,
        };
        G::bots().into_iter().map(info).collect()
    }

    fn bot_named(&self, name: &str) -> Option<&'static str> {
        kind_of(&G::bots(), name).map(|kind| kind.name)
    }

    fn questions(&self) -> &'static [&'static str] {
        G::QUESTIONS
    }

    fn formats(&self) -> &'static [FileFormat] {
        G::FORMATS
    }

    fn guide(&self) -> Value {
        let guide = G::guide();
        let seats = guide.presets.iter().map(|preset| {
            let seats = G::seats(&preset.rules);
            (preset.name.to_owned(), json!({ "least": seats.start(), "most": seats.end() }))
        });
        let seats: serde_json::Map<String, Value> = seats.collect();
        json!({
            "game": G::NAME,
            "about": G::ABOUT,
            "default": guide.presets.first().map(|preset| preset.name),
            "presets": guide.presets,
            "seats": seats,
            "options": guide.options,
            "bots": self.bots(),
            "dialects": self.dialects(),
            "questions": G::QUESTIONS,
            "formats": G::FORMATS,
        })
    }

    fn resolve_rules(&self, asked: &Value) -> Result<Value, HouseError> {
        let rules = rules_of::<G>(asked)?;
        let contradiction = |error: serde_json::Error| RulesError::Contradiction(error.to_string());
        Ok(serde_json::to_value(rules).map_err(contradiction)?)
    }

    fn ended_rules(&self, rules: &Value) -> Result<Option<Value>, HouseError> {
        let contradiction = |error: serde_json::Error| RulesError::Contradiction(error.to_string());
        let ended = ended::<G>(rules)?.map(serde_json::to_value).transpose();
        Ok(ended.map_err(contradiction)?)
    }

    fn seats(&self, rules: &Value) -> Result<RangeInclusive<usize>, HouseError> {
        Ok(G::seats(&rules_of::<G>(rules)?))
    }
}

/// Every dialect of a game: its own, then the canonical envelope and the words.
fn dialects<G: Offered>() -> Vec<Arc<dyn Dialect<G>>> {
    let mut all = G::dialects();
    all.push(Arc::new(LogDialect));
    all.push(Arc::new(WordsDialect));
    all
}

pub(crate) fn dialect_of<G: Offered>(name: &str) -> Result<Arc<dyn Dialect<G>>, HouseError> {
    let all = dialects::<G>();
    let found = all.iter().find(|dialect| dialect.name() == name).cloned();
    found.ok_or_else(|| unknown_dialect::<G>(&all, name))
}

fn unknown_dialect<G: Game>(all: &[Arc<dyn Dialect<G>>], name: &str) -> HouseError {
    let known = all.iter().map(|dialect| dialect.name()).collect::<Vec<_>>().join(", ");
    HouseError::UnknownDialect { game: G::NAME, dialect: name.to_owned(), known }
}

pub(crate) fn kind_of<'a, G: Game>(kinds: &'a [BotKind<G>], name: &str) -> Option<&'a BotKind<G>> {
    kinds.iter().find(|kind| kind.name == name || kind.aliases.contains(&name))
}

pub(crate) fn bot_of<'a, G: Game>(
    kinds: &'a [BotKind<G>],
    name: &str,
) -> Result<&'a BotKind<G>, HouseError> {
    kind_of(kinds, name).ok_or_else(|| HouseError::UnknownBot {
        game: G::NAME,
        bot: name.to_owned(),
        known: kinds.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", "),
    })
}

fn rules_of<G: Offered>(rules: &Value) -> Result<G::Rules, RulesError> {
    let rules = G::guide().resolve(rules)?;
    G::check(&rules)?;
    G::dead_end(&rules).map_or(Ok(rules), |sentence| Err(RulesError::Contradiction(sentence)))
}

/// Where rules have no end, bots alone play so many rounds: they never tire.
pub(crate) const ROUNDS_AMONG_BOTS: u32 = 1_000;

/// The rules by which bots alone play; none if those asked for have an end.
pub(crate) fn ended<G: Offered>(rules: &Value) -> Result<Option<G::Rules>, RulesError> {
    Ok(G::ended_after(&rules_of::<G>(rules)?, ROUNDS_AMONG_BOTS))
}

/// An opening whose rules are what a table asks for, checked and typed. Where
/// nobody but bots sits down, they have an end.
pub(crate) fn typed_opening<G: Offered>(
    opening: Opening<Value>,
) -> Result<Opening<G::Rules>, HouseError> {
    let mut rules = rules_of::<G>(&opening.rules)?;
    if opening.seats.iter().all(|sitting| sitting.bot.is_some()) {
        rules = ended::<G>(&opening.rules)?.unwrap_or(rules);
    }
    let allowed = G::seats(&rules);
    if !allowed.contains(&opening.seats.len()) {
        let found = opening.seats.len();
        return Err(HouseError::Seats { game: G::NAME, allowed, found });
    }
    if let Some(name) = namesakes(&opening.seats).filter(|_| !G::NAMES.is_empty()) {
        return Err(HouseError::Namesakes(name));
    }
    Ok(Opening { game_id: opening.game_id, rules, seats: opening.seats, seal: opening.seal })
}

/// A name that two players share, however it is written.
fn namesakes(seats: &[Sitting]) -> Option<String> {
    let is_taken = |(place, one): &(usize, &Sitting)| {
        seats.iter().take(*place).any(|other| same_name(&other.name, &one.name))
    };
    seats.iter().enumerate().find(is_taken).map(|(_, sitting)| sitting.name.clone())
}
