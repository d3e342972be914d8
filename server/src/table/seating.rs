//! Who sits at a table, how its game begins, and where its people go on.

use parlor_kernel::{Change, Opening, Seal, Seat};
use parlor_store::{Append, Batch};

use super::knock::{Credential, SeatInfo, Seated, TableInfo};
use super::task::Table;
use crate::ledger::{HOST, Kind, Ledger, SeatEntry, Status};
use crate::refusal::Refusal;
use crate::secrets::{TokenHash, new_token};
use crate::time::now;

/// A table that waits this long for people may be offered a bot.
const BOT_OFFERED_AFTER: u64 = 15_000;

impl Table {
    pub(super) async fn sit(&mut self, name: &str, token: &TokenHash) -> Result<Seat, Refusal> {
        let mut ledger = self.ledger.clone();
        let seat = ledger.sit(name, token)?;
        self.write_down(ledger).await?;
        Ok(seat)
    }

    pub(super) async fn seat_bot(
        &mut self,
        who: Credential,
        bot: &str,
        level: Option<&'static str>,
    ) -> Result<Seat, Refusal> {
        self.seat(who)?;
        let mut ledger = self.ledger.clone();
        let seat = ledger.sit_bot(bot, level)?;
        let starts = ledger.starts_by_itself();
        self.write_down(ledger).await?;
        let entry = self.ledger.seats[seat.index()].clone();
        self.tell_change_of(seat, &entry, Change::Joins);
        if starts {
            self.start(None).await?;
        }
        Ok(seat)
    }

    pub(super) async fn unseat_bot(&mut self, who: Credential, seat: Seat) -> Result<(), Refusal> {
        self.seat(who)?;
        let mut ledger = self.ledger.clone();
        let bot = ledger.unseat_bot(seat)?;
        self.write_down(ledger).await?;
        self.tell_change_of(seat, &bot, Change::Leaves);
        Ok(())
    }

    pub(super) async fn sit_again(
        &mut self,
        seat: Seat,
        token: &TokenHash,
        name: &str,
    ) -> Result<(), Refusal> {
        let mut ledger = self.ledger.clone();
        let entry = ledger.seats.get_mut(seat.index()).ok_or(Refusal::TableFull)?;
        entry.token = Some(token.hex());
        entry.name = Some(name.to_owned());
        let starts = ledger.status == Status::Waiting && ledger.is_full();
        self.write_down(ledger).await?;
        if starts { self.start(None).await } else { Ok(()) }
    }

    /// Changes the table's entry in the books, durably.
    pub(super) async fn write_down(&mut self, ledger: Ledger) -> Result<(), Refusal> {
        let table = Some(ledger.record(now()));
        self.hall.store.commit(Batch { table, ..Batch::default() }).await?;
        self.ledger = ledger;
        Ok(())
    }

    pub(super) async fn start(&mut self, who: Option<Credential>) -> Result<(), Refusal> {
        if let Some(who) = who
            && self.seat(who)? != HOST
            && self.ledger.hosted
        {
            return Err(Refusal::NotHost);
        }
        if self.ledger.status != Status::Waiting {
            return Err(Refusal::AlreadyStarted);
        }
        if !self.ledger.is_full() {
            return Err(Refusal::SeatsOpen);
        }
        let now = now();
        let mut ledger = self.ledger.clone();
        let opening = Opening {
            game_id: ledger.id.clone(),
            rules: serde_json::from_str(ledger.rules.get()).unwrap_or_default(),
            seats: ledger.sittings(),
            seal: match ledger.seed.take() {
                Some(name) => Seal::named(&name).scoped(parlor_house::NAMED_SEEDS),
                None => Seal::fresh(),
            },
        };
        let (mut play, proposal) = ledger.game.open(opening, &self.hall.config.guests, now)?;
        ledger.status = Status::after(proposal.ends.as_ref());
        let batch = Batch {
            append: Some(Append {
                game_id: proposal.game_id.clone(),
                expected: 0,
                envelopes: proposal.envelopes.clone(),
            }),
            table: Some(ledger.record(now)),
            ..Batch::default()
        };
        self.hall.store.commit(batch).await?;
        play.settle();
        for (viewer, dialect) in self.audience.views() {
            let past = play.listen(viewer, dialect, &proposal.envelopes, 0)?;
            self.audience.catch_up(viewer, dialect, past);
        }
        self.ledger = ledger;
        self.play = Some(play);
        Ok(())
    }

    pub(super) async fn rematch(&mut self, who: Credential) -> Result<Seated, Refusal> {
        let seat = self.seat(who)?;
        if !self.ledger.status.is_over() {
            return Err(Refusal::NotOver);
        }
        if self.ledger.rematch.is_none() {
            let next = self.hall.lay_again(&self.ledger).await?;
            let mut ledger = self.ledger.clone();
            ledger.rematch = Some(next);
            self.write_down(ledger).await?;
        }
        let next = self.ledger.rematch.clone().ok_or(Refusal::NotOver)?;
        let token = new_token();
        let name = self.ledger.name_of(seat).to_owned();
        self.hall.sit_again(&next.table_id, seat, &token, name).await?;
        Ok(Seated {
            table_id: next.table_id,
            code: next.code,
            seat: seat.0,
            player_id: seat.player_id(),
            token,
        })
    }
}

/// A table as anyone may know it, from its entry in the books.
pub fn table_info(ledger: &Ledger, connected: impl Fn(Seat) -> bool) -> TableInfo {
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
        table_id: ledger.id.clone(),
        code: ledger.code.clone(),
        game: ledger.game.name(),
        status: ledger.status,
        rules: ledger.rules.clone(),
        seats: ledger.seats.iter().enumerate().map(seat).collect(),
        dialects: ledger.game.dialects(),
        created_at: ledger.created_at,
        bot_offered: ledger.status == Status::Waiting
            && !ledger.is_full()
            && now() >= ledger.created_at + BOT_OFFERED_AFTER,
        rematch: ledger.rematch.clone(),
    }
}
