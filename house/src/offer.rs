//! A game on offer, without its types.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use parlor_kernel::{
    AskError, BotKind, ClientMessage, Dialect, DialectView, Difference, Envelope, ErrorNotice,
    EventSchema, FileFormat, FormatError, Game, Log, LogDialect, LogError, MessageError, Offered,
    Opening, Presence, RefusalNotice, Room, RulesError, Seal, Seat, Sitting, Viewer, WordsDialect,
};
use serde_json::{Value, json};

use crate::agents::Agents;
use crate::human::{Human, Outcome, PlayError, play};
use crate::playing::{Act, Match, Playing, Proposal, Refusal, ViewError};
use crate::retell::{RetellError, Transcript, export, import, lies_open, retell, tell, transcribe};
use crate::script::{ScriptError, run_script};
use crate::sim::{SimError, SimReport, SimSpec, simulate};
use crate::verify::{Verified, verify};

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

/// A game has no bot of this name.
#[derive(Debug, thiserror::Error)]
#[error("{game} has no bot '{bot}'; bots are {known}")]
pub struct UnknownBot {
    /// The game.
    pub game: &'static str,
    /// What was asked for.
    pub bot: String,
    /// What there is.
    pub known: String,
}

/// Why a game cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The rules cannot be played.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Too few or too many seats.
    #[error("{game} is played with {} seats; {found} is not possible", range(allowed))]
    Seats {
        /// The game.
        game: &'static str,
        /// How many it takes.
        allowed: RangeInclusive<usize>,
        /// How many were asked for.
        found: usize,
    },
    /// Two players of one name, where players know each other by name.
    #[error("two players are called '{0}'; in this game names tell players apart")]
    Namesakes(String),
    /// An agent that was promised a seat is not offered any more.
    #[error("nobody here plays as '{0}'; the server was started without that agent")]
    Absent(String),
}

fn range(allowed: &RangeInclusive<usize>) -> String {
    if allowed.start() == allowed.end() {
        allowed.start().to_string()
    } else {
        format!("{} to {}", allowed.start(), allowed.end())
    }
}

/// A game on offer.
pub trait Offer: Send + Sync {
    /// Its name: `koikoi`.
    fn name(&self) -> &'static str;
    /// What it is, in a sentence.
    fn about(&self) -> &'static str;
    /// Every dialect it is spoken in; the first is the default.
    fn dialects(&self) -> Vec<&'static str>;
    /// The dialect of this name, if it is spoken in it.
    fn speaks(&self, dialect: &str) -> Result<&'static str, ViewError>;
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
    /// Presets, options and bots with their meaning.
    fn guide(&self) -> Value;
    /// House rules in full, from what a table asks for.
    fn resolve_rules(&self, asked: &Value) -> Result<Value, RulesError>;
    /// How many seats these rules (in full) play with.
    fn seats(&self, rules: &Value) -> Result<RangeInclusive<usize>, RulesError>;
    /// Understands a client's message in a dialect.
    fn hear(&self, dialect: &str, message: &[u8]) -> Result<ClientMessage<Act>, MessageError>;
    /// Why this message, which is a move, is refused at a table whose game has
    /// not begun; none if it is no move.
    fn too_early(&self, dialect: &str, seat: Seat, message: &[u8]) -> Option<Refusal>;
    /// A refusal in a dialect.
    fn refusal(&self, dialect: &str, notice: &RefusalNotice) -> Option<String>;
    /// What the server does not take, in a dialect that has words for it.
    fn error(&self, dialect: &str, notice: &ErrorNotice) -> Option<String>;
    /// A coming or going in a dialect.
    fn presence(&self, dialect: &str, presence: &Presence) -> Option<String>;
    /// The schemas of a dialect.
    fn schemas(&self, dialect: &str) -> Result<Vec<EventSchema>, ViewError>;
    /// Opens a game: its first step is proposed.
    fn open(
        &self,
        opening: Opening<Value>,
        agents: &Agents,
        now: u64,
    ) -> Result<(Box<dyn Playing>, Proposal), OpenError>;
    /// Folds a game back from its log.
    fn resume(&self, log: &[Envelope], agents: &Agents) -> Result<Box<dyn Playing>, LogError>;
    /// Whether this could be the first event of this game.
    fn recognises(&self, first: &Envelope) -> bool;
    /// The position a viewer had reached when the log was this long.
    fn position_at(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        dialect: &str,
    ) -> Result<u64, ViewError>;
    /// Plays the game again from its seed and compares all that is written.
    fn verify(&self, log: &[Envelope]) -> Result<Result<Verified, Difference>, LogError>;
    /// The log as a viewer may read it, one JSON text a line.
    fn retell(&self, log: &[Envelope], viewer: Viewer) -> Result<Vec<String>, RetellError>;
    /// The log as a viewer was told it in a dialect, one message a line.
    fn tell(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        dialect: &str,
    ) -> Result<Vec<String>, RetellError>;
    /// Whether what any seat of this game saw is everyone's to know.
    fn lies_open(&self, log: &[Envelope]) -> Result<bool, LogError>;
    /// The log as a viewer may read it, in words.
    fn transcribe(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        upto: Option<u64>,
    ) -> Result<Transcript, RetellError>;
    /// The formats beside the log that it is written and read in.
    fn formats(&self) -> &'static [FileFormat];
    /// The log as a viewer may read it, in one of its formats: one round,
    /// counted from 1, or all of them.
    fn export(
        &self,
        format: &str,
        log: &[Envelope],
        viewer: Viewer,
        round: Option<u32>,
    ) -> Result<String, RetellError>;
    /// The games in a text of one of its formats, each as it would be stored.
    fn import(&self, format: &str, text: &str) -> Result<Vec<Vec<Envelope>>, FormatError>;
    /// Plays many games in process.
    fn simulate(
        &self,
        spec: &SimSpec,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<SimReport, SimError>;
    /// Plays one game in process: the seat without a bot asks this person.
    fn play(&self, opening: Opening<Value>, person: &mut dyn Human) -> Result<Outcome, PlayError>;
    /// Plays a scenario.
    fn script(&self, script: &Value) -> Result<Value, ScriptError>;
    /// Answers one question about the rules.
    fn ask(&self, question: &str, input: &Value) -> Result<Value, AskError>;
}

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

    fn dialect(&self, name: &str) -> Result<&Arc<dyn Dialect<G>>, ViewError> {
        let found = self.dialects.iter().find(|dialect| dialect.name() == name);
        found.ok_or_else(|| unknown_dialect::<G>(&self.dialects, name))
    }
}

impl<G: Offered> Default for OnOffer<G> {
    fn default() -> Self {
        OnOffer::new()
    }
}

/// Every dialect of a game: its own, then the canonical envelope and the words.
pub(crate) fn dialects<G: Offered>() -> Vec<Arc<dyn Dialect<G>>> {
    let mut all = G::dialects();
    all.push(Arc::new(LogDialect));
    all.push(Arc::new(WordsDialect));
    all
}

pub(crate) fn dialect_of<G: Offered>(name: &str) -> Result<Arc<dyn Dialect<G>>, ViewError> {
    let all = dialects::<G>();
    let found = all.iter().find(|dialect| dialect.name() == name).cloned();
    found.ok_or_else(|| unknown_dialect::<G>(&all, name))
}

fn unknown_dialect<G: Game>(all: &[Arc<dyn Dialect<G>>], name: &str) -> ViewError {
    let known = all.iter().map(|dialect| dialect.name()).collect::<Vec<_>>().join(", ");
    ViewError::UnknownDialect { game: G::NAME, dialect: name.to_owned(), known }
}

pub(crate) fn kind_of<'a, G: Game>(kinds: &'a [BotKind<G>], name: &str) -> Option<&'a BotKind<G>> {
    kinds.iter().find(|kind| kind.name == name || kind.aliases.contains(&name))
}

pub(crate) fn bot_of<'a, G: Game>(
    kinds: &'a [BotKind<G>],
    name: &str,
) -> Result<&'a BotKind<G>, UnknownBot> {
    kind_of(kinds, name).ok_or_else(|| UnknownBot {
        game: G::NAME,
        bot: name.to_owned(),
        known: kinds.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", "),
    })
}

pub(crate) fn rules_of<G: Offered>(rules: &Value) -> Result<G::Rules, RulesError> {
    let rules = G::guide().resolve(rules)?;
    G::check(&rules)?;
    Ok(rules)
}

/// An opening whose rules are what a table asks for, checked and typed.
pub(crate) fn typed_opening<G: Offered>(
    opening: Opening<Value>,
) -> Result<Opening<G::Rules>, OpenError> {
    let rules = rules_of::<G>(&opening.rules)?;
    let allowed = G::seats(&rules);
    if !allowed.contains(&opening.seats.len()) {
        let found = opening.seats.len();
        return Err(OpenError::Seats { game: G::NAME, allowed, found });
    }
    if let Some(name) = namesakes(&opening.seats).filter(|_| !G::NAMES.is_empty()) {
        return Err(OpenError::Namesakes(name));
    }
    Ok(Opening { game_id: opening.game_id, rules, seats: opening.seats, seal: opening.seal })
}

/// A name that two players share, whatever its case.
fn namesakes(seats: &[Sitting]) -> Option<String> {
    let mut known = HashSet::new();
    let shared = seats.iter().find(|sitting| !known.insert(sitting.name.to_lowercase()));
    shared.map(|sitting| sitting.name.clone())
}

impl<G: Offered> Offer for OnOffer<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn dialects(&self) -> Vec<&'static str> {
        self.dialects.iter().map(|dialect| dialect.name()).collect()
    }

    fn speaks(&self, dialect: &str) -> Result<&'static str, ViewError> {
        self.dialect(dialect).map(|spoken| spoken.name())
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

    fn resolve_rules(&self, asked: &Value) -> Result<Value, RulesError> {
        let rules = rules_of::<G>(asked)?;
        serde_json::to_value(rules).map_err(|error| RulesError::Contradiction(error.to_string()))
    }

    fn seats(&self, rules: &Value) -> Result<RangeInclusive<usize>, RulesError> {
        Ok(G::seats(&rules_of::<G>(rules)?))
    }

    fn hear(&self, dialect: &str, message: &[u8]) -> Result<ClientMessage<Act>, MessageError> {
        let spoken = self
            .dialect(dialect)
            .map_err(|unknown| MessageError::Malformed(unknown.to_string()))?;
        Ok(match spoken.hear(message)? {
            ClientMessage::Act(action) => ClientMessage::Act(Act::new(action)),
            ClientMessage::Acknowledge { position } => ClientMessage::Acknowledge { position },
            ClientMessage::Join { player_id, token, after } => {
                ClientMessage::Join { player_id, token, after }
            }
        })
    }

    fn too_early(&self, dialect: &str, seat: Seat, message: &[u8]) -> Option<Refusal> {
        let Ok(ClientMessage::Act(action)) = self.dialect(dialect).ok()?.hear(message) else {
            return None;
        };
        let (unopened, dice) = (G::State::default(), Seal::named("").dice(""));
        let decided = G::decide(&unopened, seat, &action, &dice, &mut Vec::new());
        decided.err().map(|refusal| Refusal::by(&refusal))
    }

    fn refusal(&self, dialect: &str, notice: &RefusalNotice) -> Option<String> {
        Some(self.dialect(dialect).ok()?.refusal(notice))
    }

    fn error(&self, dialect: &str, notice: &ErrorNotice) -> Option<String> {
        self.dialect(dialect).ok()?.error(notice)
    }

    fn presence(&self, dialect: &str, presence: &Presence) -> Option<String> {
        Some(self.dialect(dialect).ok()?.presence(presence))
    }

    fn schemas(&self, dialect: &str) -> Result<Vec<EventSchema>, ViewError> {
        Ok(self.dialect(dialect)?.schemas())
    }

    fn open(
        &self,
        opening: Opening<Value>,
        agents: &Agents,
        now: u64,
    ) -> Result<(Box<dyn Playing>, Proposal), OpenError> {
        let (table, proposal) = Match::<G>::open(typed_opening::<G>(opening)?, agents, now);
        if let Some(absent) = table.absent() {
            return Err(OpenError::Absent(absent));
        }
        Ok((Box::new(table), proposal))
    }

    fn resume(&self, log: &[Envelope], agents: &Agents) -> Result<Box<dyn Playing>, LogError> {
        Ok(Box::new(Match::<G>::resume(log, agents)?))
    }

    fn recognises(&self, first: &Envelope) -> bool {
        first.event::<G>().is_ok_and(|event| G::opening(&event).is_some())
    }

    fn position_at(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        dialect: &str,
    ) -> Result<u64, ViewError> {
        let log = Log::<G>::read(log)?;
        let mut told_view = DialectView::new(viewer, Arc::clone(self.dialect(dialect)?));
        told_view.catch_up(&log, "");
        Ok(told_view.position())
    }

    fn verify(&self, log: &[Envelope]) -> Result<Result<Verified, Difference>, LogError> {
        verify::<G>(log)
    }

    fn retell(&self, log: &[Envelope], viewer: Viewer) -> Result<Vec<String>, RetellError> {
        retell::<G>(log, viewer)
    }

    fn tell(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        dialect: &str,
    ) -> Result<Vec<String>, RetellError> {
        let unknown = |error: ViewError| RetellError::Dialect(error.to_string());
        tell::<G>(log, viewer, self.dialect(dialect).map_err(unknown)?)
    }

    fn lies_open(&self, log: &[Envelope]) -> Result<bool, LogError> {
        lies_open::<G>(log)
    }

    fn transcribe(
        &self,
        log: &[Envelope],
        viewer: Viewer,
        upto: Option<u64>,
    ) -> Result<Transcript, RetellError> {
        transcribe::<G>(log, viewer, upto)
    }

    fn formats(&self) -> &'static [FileFormat] {
        G::FORMATS
    }

    fn export(
        &self,
        format: &str,
        log: &[Envelope],
        viewer: Viewer,
        round: Option<u32>,
    ) -> Result<String, RetellError> {
        export::<G>(format, log, viewer, round)
    }

    fn import(&self, format: &str, text: &str) -> Result<Vec<Vec<Envelope>>, FormatError> {
        import::<G>(format, text)
    }

    fn simulate(
        &self,
        spec: &SimSpec,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<SimReport, SimError> {
        simulate::<G>(spec, progress)
    }

    fn play(&self, opening: Opening<Value>, person: &mut dyn Human) -> Result<Outcome, PlayError> {
        play::<G>(opening, person)
    }

    fn script(&self, script: &Value) -> Result<Value, ScriptError> {
        run_script::<G>(script)
    }

    fn ask(&self, question: &str, input: &Value) -> Result<Value, AskError> {
        G::ask(question, input)
    }
}
