//! The record of a table: what is stored of it beside its log, such as who may
//! sit where, by which rules.

use std::sync::Arc;

use parlor_house::{Agents, Ending, HouseError, Offer, same_name};
use parlor_kernel::{Envelope, Seat, SeatSet, Sitting};
use parlor_store::TableRecord;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::api_error::ApiError;
use crate::secrets::{TokenHash, new_code};

/// Whoever sits here is the host.
pub const HOST: Seat = Seat(0);

/// Where a table stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Seats are being taken.
    Waiting,
    /// The game is on.
    Playing,
    /// The game is over.
    Finished,
    /// It was ended before its time.
    Terminated,
}

impl Status {
    /// The status as it is stored and asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Waiting => "waiting",
            Status::Playing => "playing",
            Status::Finished => "finished",
            Status::Terminated => "terminated",
        }
    }

    /// The status with this name.
    pub fn named(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Every status there is.
    pub const ALL: [Status; 4] =
        [Status::Waiting, Status::Playing, Status::Finished, Status::Terminated];

    /// Whether nothing will ever happen at the table again.
    pub const fn is_over(self) -> bool {
        matches!(self, Status::Finished | Status::Terminated)
    }

    /// The status of a game that stands like this.
    pub const fn after(ending: Option<&Ending>) -> Status {
        match ending {
            None => Status::Playing,
            Some(Ending::PlayedOut) => Status::Finished,
            Some(Ending::CalledOff(_)) => Status::Terminated,
        }
    }
}

/// Who a seat is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A person.
    Human,
    /// A program of the house.
    Bot,
}

/// One seat as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatEntry {
    /// The name its player goes by; none while it is open.
    pub name: Option<String>,
    /// Who it is for.
    pub kind: Kind,
    /// The bot in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// How strong a bot was asked for, where that is how it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The hash of its player's token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Whether its player has been at the table, where first comings are told
    /// from returns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub came: bool,
    /// Whether the admin has removed its player from a game that had begun.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
    /// Whether its player's name was erased: the name here is told instead of
    /// the one in the log.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub erased: bool,
}

impl SeatEntry {
    /// A seat nobody has taken yet.
    pub fn open() -> SeatEntry {
        SeatEntry {
            name: None,
            kind: Kind::Human,
            bot: None,
            level: None,
            token: None,
            came: false,
            removed: false,
            erased: false,
        }
    }

    /// A bot's seat; a bot without a name is given one.
    pub fn of_bot(name: Option<String>, bot: &str, level: Option<&str>) -> SeatEntry {
        let (bot, level) = (Some(bot.to_owned()), level.map(str::to_owned));
        SeatEntry { name, kind: Kind::Bot, bot, level, ..SeatEntry::open() }
    }

    /// Whether somebody may still sit down here.
    pub fn is_open(&self) -> bool {
        self.kind == Kind::Human && self.token.is_none()
    }
}

/// The table people play the next match at.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NextTable {
    /// Its id.
    pub table_id: String,
    /// Its code.
    pub code: String,
    /// The seats that want to play there.
    #[serde(default)]
    pub agreed: Vec<u8>,
    /// The seat that does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declined: Option<u8>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stored {
    rules: Arc<RawValue>,
    seats: Vec<SeatEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rematch: Option<NextTable>,
    #[serde(default)]
    unlisted: bool,
    #[serde(default)]
    hosted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bot_pace_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stepping: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unbounded: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
}

/// What is stored of a table beside its log.
#[derive(Clone)]
pub struct Record {
    /// The table's id, also its game's id.
    pub id: String,
    /// How often it has been stored; 0: not yet.
    pub version: u64,
    /// The code to read out to a friend.
    pub code: String,
    /// What is played.
    pub game: &'static dyn Offer,
    /// Where it stands.
    pub status: Status,
    /// When it was opened, in milliseconds since 1970.
    pub created_at: u64,
    /// The house rules, in full. As text: hundreds of bytes, where the
    /// parsed object would take thousands at every table in memory.
    pub rules: Arc<RawValue>,
    /// The seats.
    pub seats: Vec<SeatEntry>,
    /// The seed the table named, if it may.
    pub seed: Option<String>,
    /// Where its players went on.
    pub rematch: Option<NextTable>,
    /// Whether the lobby leaves it out.
    pub unlisted: bool,
    /// Whether the game begins only when the host says so: whoever sits in
    /// the first seat.
    pub hosted: bool,
    /// How long its bots wait before they move; the server's pace if none.
    pub bot_pace_ms: Option<u64>,
    /// Whether the game is paused again after the decision under way.
    pub stepping: bool,
    /// Whether it was created by the admin, whose games may be of any length.
    pub unbounded: bool,
    /// Why a table is over whose game never began. Otherwise the log tells.
    pub ended: Option<String>,
}

impl Record {
    /// Reads a stored record. None if its game is not on offer or the record is
    /// from a newer version.
    pub fn read(record: &TableRecord) -> Option<Record> {
        let stored: Stored = serde_json::from_str(&record.data).ok()?;
        Some(Record {
            id: record.id.clone(),
            version: record.version,
            code: record.code.clone(),
            game: parlor_house::game(&record.game)?,
            status: Status::named(&record.status)?,
            created_at: record.created_at,
            rules: stored.rules,
            seats: stored.seats,
            seed: stored.seed,
            rematch: stored.rematch,
            unlisted: stored.unlisted,
            hosted: stored.hosted,
            bot_pace_ms: stored.bot_pace_ms,
            stepping: stored.stepping,
            unbounded: stored.unbounded,
            ended: stored.ended,
        })
    }

    /// The entry as it is stored next. The store refuses it if someone else
    /// has stored another since this one was read.
    #[allow(clippy::expect_used, reason = "plain data with string keys can be written")]
    pub fn stored(&self, now: u64) -> TableRecord {
        let stored = Stored {
            rules: self.rules.clone(),
            seats: self.seats.clone(),
            seed: self.seed.clone(),
            rematch: self.rematch.clone(),
            unlisted: self.unlisted,
            hosted: self.hosted,
            bot_pace_ms: self.bot_pace_ms,
            stepping: self.stepping,
            unbounded: self.unbounded,
            ended: self.ended.clone(),
        };
        TableRecord {
            id: self.id.clone(),
            version: self.version + 1,
            code: self.code.clone(),
            game: self.game.name().to_owned(),
            status: self.status.name().to_owned(),
            listed: !self.unlisted,
            created_at: self.created_at,
            updated_at: now,
            data: serde_json::to_string(&stored).expect("a record is plain data"),
        }
    }

    /// The record of a game that was played elsewhere: nobody holds a token.
    pub fn imported(game: &'static dyn Offer, log: &[Envelope]) -> Option<Record> {
        let play = game.resume(log, &Agents::NONE).ok()?;
        let seat = |sitting: &Sitting| SeatEntry {
            name: Some(sitting.name.clone()),
            kind: if sitting.bot.is_some() { Kind::Bot } else { Kind::Human },
            bot: sitting.bot.clone(),
            ..SeatEntry::open()
        };
        Some(Record {
            id: play.game_id().to_owned(),
            version: 0,
            code: new_code(),
            game,
            status: Status::after(play.ending().as_ref()),
            created_at: log.first()?.timestamp,
            rules: Arc::from(RawValue::NULL.to_owned()),
            seats: play.seats().iter().map(seat).collect(),
            seed: None,
            rematch: None,
            unlisted: true,
            hosted: false,
            bot_pace_ms: None,
            stepping: false,
            unbounded: false,
            ended: None,
        })
    }

    /// Whose token this is.
    pub fn seat_of(&self, token: &TokenHash) -> Option<Seat> {
        let holds = |seat: &SeatEntry| seat.token.as_deref().is_some_and(|hash| token.is(hash));
        self.seats.iter().position(holds).map(|seat| Seat(seat as u8))
    }

    /// Who created the table: whoever sits in the first seat for a person.
    pub fn created_by(&self) -> Option<Seat> {
        let first = self.seats.iter().position(|seat| seat.kind == Kind::Human);
        first.map(|seat| Seat(seat as u8))
    }

    /// A seat wants to play again; false if that is known.
    pub fn agree_to_rematch(&mut self, seat: Seat) -> bool {
        let Some(next) = self.rematch.as_mut().filter(|next| !next.agreed.contains(&seat.0)) else {
            return false;
        };
        next.agreed.push(seat.0);
        true
    }

    /// Seats a person: the seat they get.
    pub fn sit(&mut self, name: &str, token: &TokenHash) -> Result<Seat, ApiError> {
        let seat = self.free_seat()?;
        if (self.hosted || !self.game.names().is_empty()) && self.is_called(name) {
            return Err(ApiError::NameTaken);
        }
        let entry = self.seats.get_mut(seat.index()).ok_or(ApiError::NoSuchSeat)?;
        entry.name = Some(name.to_owned());
        entry.token = Some(token.hex());
        Ok(seat)
    }

    /// Seats a bot: the seat it gets. A bot asked for by its strength is
    /// called by its place.
    pub fn sit_bot(&mut self, bot: &str, level: Option<&str>) -> Result<Seat, ApiError> {
        let seat = self.free_seat()?;
        let name = level.map_or_else(|| self.name_for_bot(bot), |_| self.name_by_place(seat));
        let entry = self.seats.get_mut(seat.index()).ok_or(ApiError::NoSuchSeat)?;
        *entry = SeatEntry::of_bot(Some(name), bot, level);
        Ok(seat)
    }

    /// What a bot is called by its place; somebody may be called so already.
    fn name_by_place(&self, seat: Seat) -> String {
        let mut names = (seat.0 + 1..).map(|place| format!("Bot {place}"));
        names.find(|name| !self.is_called(name)).unwrap_or_default()
    }

    /// Gives names to bots that were asked for without one, and looks that
    /// players who must be told apart by name can be.
    pub fn settle_names(&mut self) -> Result<(), ApiError> {
        for place in 0..self.seats.len() {
            let nameless = self.seats.get(place).filter(|seat| seat.name.is_none());
            let Some(bot) = nameless.and_then(|seat| seat.bot.as_deref()) else { continue };
            let name = self.name_for_bot(bot);
            if let Some(seat) = self.seats.get_mut(place) {
                seat.name = Some(name);
            }
        }
        let names: Vec<_> = self.seats.iter().filter_map(|seat| seat.name.as_deref()).collect();
        let shared = |name: &&str| names.iter().filter(|other| same_name(other, name)).count() > 1;
        match names.iter().any(shared) && !self.game.names().is_empty() {
            true => Err(ApiError::NameTaken),
            false => Ok(()),
        }
    }

    /// A bot is called what it is, or by a name that does not tell.
    fn name_for_bot(&self, bot: &str) -> String {
        let free = self.game.names().iter().find(|name| !self.is_called(name));
        free.map_or(bot, |name| name).to_owned()
    }

    fn is_called(&self, name: &str) -> bool {
        self.seats
            .iter()
            .any(|seat| seat.name.as_deref().is_some_and(|other| same_name(other, name)))
    }

    /// Takes a bot's seat away again: what it was.
    pub fn unseat_bot(&mut self, seat: Seat) -> Result<SeatEntry, ApiError> {
        let entry = self.seats.get_mut(seat.index()).ok_or(ApiError::NoSuchSeat)?;
        if entry.kind != Kind::Bot {
            return Err(ApiError::NotABot);
        }
        if self.status != Status::Waiting {
            return Err(ApiError::AlreadyStarted);
        }
        Ok(std::mem::replace(entry, SeatEntry::open()))
    }

    fn free_seat(&self) -> Result<Seat, ApiError> {
        if self.status != Status::Waiting {
            return Err(ApiError::AlreadyStarted);
        }
        // A seat with a name is kept for that player: of a rematch, say.
        let free = |seat: &SeatEntry| seat.is_open() && seat.name.is_none();
        let open = self.seats.iter().position(free).ok_or(ApiError::TableFull)?;
        Ok(Seat(open as u8))
    }

    /// Takes a person's seat away: who it was. Before the game the seat is open
    /// again, later nobody can prove to be its player.
    pub fn remove(&mut self, seat: Seat) -> Result<SeatEntry, ApiError> {
        let is_waiting = self.status == Status::Waiting;
        let entry = self.seats.get_mut(seat.index()).ok_or(ApiError::NoSuchSeat)?;
        if entry.kind != Kind::Human || entry.token.is_none() {
            return Err(ApiError::NobodyThere);
        }
        let left = entry.clone();
        match is_waiting {
            true => *entry = SeatEntry::open(),
            false => (entry.token, entry.removed) = (None, true),
        }
        Ok(left)
    }

    /// The seats whose players were removed from the game.
    pub fn removed(&self) -> SeatSet {
        let seats = (0..).map(Seat).zip(&self.seats);
        seats.filter(|(_, entry)| entry.removed).map(|(seat, _)| seat).collect()
    }

    /// Whether somebody can still prove to be a player.
    pub fn has_people(&self) -> bool {
        self.seats.iter().any(|entry| entry.token.is_some())
    }

    /// Forgets a person's name: the seat is called by its place.
    pub fn erase_name(&mut self, seat: Seat) -> Result<(), ApiError> {
        let mut names = (seat.0 + 1..).map(|place| format!("Guest {place}"));
        let name = names.find(|name| !self.is_called(name));
        let entry = self.seats.get_mut(seat.index()).ok_or(ApiError::NoSuchSeat)?;
        if entry.kind != Kind::Human || entry.name.is_none() {
            return Err(ApiError::NobodyThere);
        }
        if !entry.erased {
            (entry.name, entry.erased) = (name, true);
        }
        Ok(())
    }

    /// A log of this table with the names that may be told. All that is told,
    /// shown or written out of a stored log is made from this.
    pub fn told_log(&self, log: Vec<Envelope>) -> Result<Vec<Envelope>, HouseError> {
        let seats = (0..).map(Seat).zip(&self.seats);
        let erased = seats.filter(|(_, entry)| entry.erased);
        let names: Vec<(Seat, String)> =
            erased.filter_map(|(seat, entry)| Some((seat, entry.name.clone()?))).collect();
        match names.is_empty() || log.is_empty() {
            true => Ok(log),
            false => self.game.renamed(&log, &names),
        }
    }

    /// The name of whoever sits there.
    pub fn name_of(&self, seat: Seat) -> &str {
        let entry = self.seats.get(seat.index());
        entry.and_then(|entry| entry.name.as_deref()).unwrap_or_default()
    }

    /// Whether every seat has somebody in it.
    pub fn is_full(&self) -> bool {
        !self.seats.iter().any(SeatEntry::is_open)
    }

    /// Whether the game begins without being asked: at most one person, and
    /// nobody to wait for.
    pub fn starts_by_itself(&self) -> bool {
        let people = self.seats.iter().filter(|seat| seat.kind == Kind::Human).count();
        self.is_full() && people <= 1 && !self.hosted
    }

    /// Whether the game goes on for as long as anybody plays.
    pub fn is_endless(&self) -> bool {
        let rules = serde_json::from_str(self.rules.get()).unwrap_or_default();
        self.status == Status::Playing
            && self.game.ended_rules(&rules).is_ok_and(|ended| ended.is_some())
    }

    /// Whether nobody but bots sits here.
    pub fn plays_itself(&self) -> bool {
        self.seats.iter().all(|seat| seat.kind == Kind::Bot)
    }

    /// Who sits where, as the game is told.
    pub fn sittings(&self) -> Arc<[Sitting]> {
        let sitting = |(seat, entry): (usize, &SeatEntry)| Sitting {
            player_id: Seat(seat as u8).player_id(),
            name: entry.name.clone().unwrap_or_default(),
            bot: entry.bot.clone(),
        };
        self.seats.iter().enumerate().map(sitting).collect()
    }
}

/// A player's name as it is written down.
pub fn proper_name(name: &str) -> Result<String, ApiError> {
    parlor_house::proper_name(name).ok_or(ApiError::InvalidName)
}
