//! Who sits at a table, and how its game begins.

use parlor_kernel::{Change, Opening, Seal, Seat, SeatSet};
use parlor_store::{Append, Batch};

use super::bounds::bytes_of;
use super::lost_race::TRIES;
use super::request::{Credential, SeatInfo, TableInfo};
use super::task::Table;
use crate::api_error::ApiError;
use crate::record::{HOST, Kind, Record, SeatEntry, Status};
use crate::secrets::TokenHash;
use crate::time::now;

/// A table that waits this long for people may be offered a bot.
const BOT_OFFERED_AFTER: u64 = 15_000;

/// Whoever has sat down has this long to open a stream before they count as
/// away, in milliseconds.
const ARRIVE_WITHIN: u64 = 10_000;

impl Table {
    pub(super) async fn sit(&mut self, name: &str, token: &TokenHash) -> Result<Seat, ApiError> {
        let seat = self.change(|record| record.sit(name, token)).await?;
        self.note_seated(seat);
        Ok(seat)
    }

    /// Seats someone who wants to play now, where all who wait are there, and
    /// begins once everybody is.
    pub(super) async fn meet(&mut self, name: &str, token: &TokenHash) -> Result<Seat, ApiError> {
        let is_open = self.record.status == Status::Waiting && !self.record.unlisted;
        if !is_open || !self.all_are_here() {
            return Err(ApiError::TableFull);
        }
        let seat = self.sit(name, token).await?;
        if self.record.is_full() && !self.record.hosted {
            self.start(None).await?;
        }
        Ok(seat)
    }

    /// Whether somebody waits here, and nobody who does is away.
    fn all_are_here(&self) -> bool {
        let taken = |entry: &SeatEntry| entry.kind == Kind::Human && entry.token.is_some();
        let seats = (0..).map(Seat).zip(&self.record.seats);
        let mut people = seats.filter(|(_, entry)| taken(entry)).map(|(seat, _)| seat).peekable();
        people.peek().is_some() && people.all(|seat| self.is_here(seat))
    }

    fn is_here(&self, seat: Seat) -> bool {
        let since = self.arriving.get(seat.index()).copied().flatten();
        self.subscribers.connected().contains(seat)
            || since.is_some_and(|since| now() < since + ARRIVE_WITHIN)
    }

    /// Somebody has sat down, and will open a stream in a moment.
    pub(super) fn note_seated(&mut self, seat: Seat) {
        if let Some(since) = self.arriving.get_mut(seat.index()) {
            *since = Some(now());
        }
        self.note_occupancy();
    }

    /// Somebody came to the table or left it.
    pub(super) fn note_occupancy(&self) {
        let occupancy = &self.registry.occupancy;
        match self.record.status {
            Status::Waiting => {
                occupancy.note(&self.record.id, !self.subscribers.connected().is_empty());
            }
            _ => occupancy.forget(&self.record.id),
        }
    }

    pub(super) async fn seat_bot(
        &mut self,
        who: Credential,
        bot: &str,
        level: Option<&'static str>,
    ) -> Result<Seat, ApiError> {
        self.seat(who)?;
        let seat = self.change(|record| record.sit_bot(bot, level)).await?;
        let starts = self.record.starts_by_itself();
        let entry = self.record.seats.get(seat.index()).cloned().ok_or(ApiError::NoSuchSeat)?;
        self.tell_change_of(seat, &entry, Change::Joins);
        if starts {
            self.start(None).await?;
        }
        Ok(seat)
    }

    pub(super) async fn unseat_bot(&mut self, who: Credential, seat: Seat) -> Result<(), ApiError> {
        self.seat(who)?;
        let bot = self.change(|record| record.unseat_bot(seat)).await?;
        self.tell_change_of(seat, &bot, Change::Leaves);
        Ok(())
    }

    /// Changes the table's record, durably. If someone else has
    /// changed it meanwhile, the change is decided again on what is there now.
    pub(super) async fn change<T>(
        &mut self,
        decide: impl Fn(&mut Record) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let mut tries = 0;
        loop {
            let mut record = self.record.clone();
            let decided = decide(&mut record)?;
            let table = record.stored(now());
            let (bytes, table) = (table.data.len(), Some(table));
            // Another pace, say, makes a bot move earlier.
            let due = self.due.with_batch(&record.id, record.status, now());
            let noted = due.as_ref().map(|due| due.at);
            tries += 1;
            match self.registry.store.commit(Batch { table, due, ..Batch::default() }).await {
                Ok(()) => {
                    self.due.written(noted, record.status);
                    record.version += 1;
                    self.record = record;
                    self.charge(bytes);
                    self.note_over();
                    return Ok(decided);
                }
                Err(error) if error.is_lost_race() && tries < TRIES => self.catch_up().await?,
                Err(error) => return Err(error.into()),
            }
        }
    }

    pub(super) async fn start(&mut self, who: Option<Credential>) -> Result<(), ApiError> {
        if let Some(who) = who
            && self.seat(who)? != HOST
            && self.record.hosted
        {
            return Err(ApiError::NotHost);
        }
        let mut tries = 0;
        loop {
            tries += 1;
            match self.open_game().await {
                Err(error) if error.is_lost_race() && tries < TRIES => self.catch_up().await?,
                done => return done,
            }
        }
    }

    async fn open_game(&mut self) -> Result<(), ApiError> {
        if self.record.status != Status::Waiting {
            return Err(ApiError::AlreadyStarted);
        }
        if !self.record.is_full() {
            return Err(ApiError::SeatsOpen);
        }
        let now = now();
        let mut record = self.record.clone();
        let opening = Opening {
            game_id: record.id.clone(),
            rules: serde_json::from_str(record.rules.get()).unwrap_or_default(),
            seats: record.sittings(),
            seal: match record.seed.take() {
                Some(name) => Seal::named(&name).scoped(parlor_house::NAMED_SEEDS),
                None => Seal::fresh(),
            },
        };
        let (mut play, proposal) = record.game.open(opening, &self.registry.config.agents, now)?;
        record.status = Status::after(proposal.ends.as_ref());
        let due = self.due.with_batch(&record.id, record.status, now);
        let noted = due.as_ref().map(|due| due.at);
        let bytes = bytes_of(&proposal.envelopes);
        let batch = Batch {
            append: Some(Append {
                game_id: proposal.game_id.clone(),
                expected: 0,
                envelopes: proposal.envelopes.clone(),
            }),
            table: Some(record.stored(now)),
            due,
            ..Batch::default()
        };
        self.registry.store.commit(batch).await?;
        self.due.written(noted, record.status);
        record.version += 1;
        play.settle();
        for (viewer, dialect) in self.subscribers.views() {
            let past = play.subscribe(viewer, dialect, &proposal.envelopes, 0)?;
            self.subscribers.catch_up(viewer, dialect, past);
        }
        self.record = record;
        self.play = Some(play);
        self.registry.occupancy.forget(&self.record.id);
        self.pace.attendance.begin(now);
        self.charge(bytes);
        self.note_over();
        Ok(())
    }
}

/// A table as anyone may know it, from its record alone: nobody is known to be
/// there.
pub fn stored_info(record: &Record) -> TableInfo {
    table_info(record, SeatSet::EMPTY, SeatSet::EMPTY)
}

/// A table as anyone may know it: who is there, and for whom a bot plays.
pub fn table_info(record: &Record, connected: SeatSet, stood_in_for: SeatSet) -> TableInfo {
    let seat = |(place, entry): (usize, &SeatEntry)| {
        let seat = Seat(place as u8);
        SeatInfo {
            seat: seat.0,
            player_id: seat.player_id(),
            name: entry.name.clone(),
            kind: entry.kind,
            bot: entry.bot.clone(),
            level: entry.level.clone(),
            connected: entry.kind == Kind::Bot || connected.contains(seat),
            stand_in: stood_in_for.contains(seat),
        }
    };
    TableInfo {
        table_id: record.id.clone(),
        code: record.code.clone(),
        game: record.game.name(),
        status: record.status,
        rules: record.rules.clone(),
        seats: record.seats.iter().enumerate().map(seat).collect(),
        dialects: record.game.dialects(),
        created_at: record.created_at,
        bot_offered: record.status == Status::Waiting
            && !record.is_full()
            && now() >= record.created_at + BOT_OFFERED_AFTER,
        rematch: record.rematch.clone(),
    }
}
