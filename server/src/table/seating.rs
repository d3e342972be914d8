//! Who sits at a table, how its game begins, and where its people go on.

use parlor_kernel::{Change, Opening, Seal, Seat};
use parlor_store::{Append, Batch};

use super::bounds::bytes_of;
use super::lost_race::TRIES;
use super::request::{Credential, SeatInfo, Seated, TableInfo};
use super::task::Table;
use crate::api_error::ApiError;
use crate::limits::Address;
use crate::record::{HOST, Kind, Record, SeatEntry, Status};
use crate::secrets::{TokenHash, new_token};
use crate::time::now;

/// A table that waits this long for people may be offered a bot.
const BOT_OFFERED_AFTER: u64 = 15_000;

impl Table {
    pub(super) async fn sit(&mut self, name: &str, token: &TokenHash) -> Result<Seat, ApiError> {
        self.change(|record| record.sit(name, token)).await
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

    pub(super) async fn sit_again(
        &mut self,
        seat: Seat,
        token: &TokenHash,
        name: &str,
    ) -> Result<(), ApiError> {
        self.change(|record| {
            let entry = record.seats.get_mut(seat.index()).ok_or(ApiError::TableFull)?;
            entry.token = Some(token.hex());
            entry.name = Some(name.to_owned());
            Ok(())
        })
        .await?;
        let starts = self.record.status == Status::Waiting && self.record.is_full();
        if starts { self.start(None).await } else { Ok(()) }
    }

    /// Changes the table's entry in the books, durably. If someone else has
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
        self.charge(bytes);
        self.note_over();
        Ok(())
    }

    pub(super) async fn rematch(
        &mut self,
        who: Credential,
        from: Address,
        may_seat_agents: bool,
    ) -> Result<Seated, ApiError> {
        let seat = self.seat(who)?;
        if !self.record.status.is_over() {
            return Err(ApiError::NotOver);
        }
        if self.record.rematch.is_none() {
            let agents = self.registry.agents_among(self.record.game, &self.record.seats);
            self.registry.check_agents(agents, may_seat_agents, from)?;
            let next = self.registry.create_rematch(from, &self.record).await?;
            // Whoever was first has laid it; the other one stays empty.
            self.change(|record| {
                record.rematch.get_or_insert_with(|| next.clone());
                Ok(())
            })
            .await?;
        }
        let next = self.record.rematch.clone().ok_or(ApiError::NotOver)?;
        let token = new_token();
        let name = self.record.name_of(seat).to_owned();
        self.registry.sit_again(&next.table_id, seat, &token, name).await?;
        Ok(Seated {
            table_id: next.table_id,
            code: next.code,
            seat: seat.0,
            player_id: seat.player_id(),
            token,
        })
    }
}

/// A table as anyone may know it, from its record.
pub fn table_info(record: &Record, connected: impl Fn(Seat) -> bool) -> TableInfo {
    let seat = |(place, entry): (usize, &SeatEntry)| {
        let seat = Seat(place as u8);
        SeatInfo {
            seat: seat.0,
            player_id: seat.player_id(),
            name: entry.name.clone(),
            kind: entry.kind,
            bot: entry.bot.clone(),
            level: entry.level.clone(),
            connected: entry.kind == Kind::Bot || connected(seat),
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
