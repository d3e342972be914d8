//! Another match with the same people: one offers it, the others agree or
//! decline. Whoever plays again does so with the token they have.

use parlor_kernel::Seat;
use schemars::JsonSchema;
use serde::Serialize;
use utoipa::ToSchema;

use super::request::Credential;
use super::task::Table;
use crate::api_error::ApiError;
use crate::limits::Address;
use crate::record::{Kind, NextTable, Status};

/// How an offer of another match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OfferStatus {
    /// Somebody has not answered yet.
    Offered,
    /// Everybody wants it.
    Agreed,
    /// Somebody does not.
    Declined,
}

/// What is said about a rematch, on streams that want the house's remarks.
#[derive(JsonSchema, Serialize)]
#[serde(tag = "type", rename = "rematch")]
pub struct RematchRemark<'a> {
    /// How the offer stands.
    status: OfferStatus,
    /// The seat that has just offered, agreed or declined.
    by: u8,
    /// The seats that want it.
    agreed: &'a [u8],
    /// The table it is played at.
    table_id: &'a str,
    /// Its code.
    code: &'a str,
}

impl Table {
    /// A player wants another match: the table it is played at.
    pub(super) async fn rematch(
        &mut self,
        who: Credential,
        from: Address,
        may_seat_agents: bool,
    ) -> Result<(Seat, NextTable), ApiError> {
        let seat = self.seat(who)?;
        if !self.record.status.is_over() {
            return Err(ApiError::NotOver);
        }
        if let Some(by) = self.declined_by().filter(|by| *by != seat) {
            return Err(ApiError::RematchDeclined(self.record.name_of(by).to_owned()));
        }
        let mut next = match self.record.rematch.clone().filter(|next| next.declined.is_none()) {
            Some(next) => next,
            None => self.offer(from, may_seat_agents).await?,
        };
        match self.take_seat_at(&next, seat).await {
            // Nobody came, and it has lapsed.
            Err(ApiError::AlreadyOver) => {
                next = self.offer(from, may_seat_agents).await?;
                self.take_seat_at(&next, seat).await?;
            }
            taken => taken?,
        }
        let agreed = self.change(|record| Ok(record.agree_to_rematch(seat))).await?;
        if agreed {
            self.remark_on_rematch(seat);
        }
        Ok((seat, next))
    }

    /// A player does not want another match.
    pub(super) async fn decline_rematch(&mut self, who: Credential) -> Result<(), ApiError> {
        let seat = self.seat(who)?;
        let Some(next) = self.record.rematch.clone() else { return Err(ApiError::NoRematch) };
        if next.declined.is_some() {
            return Ok(());
        }
        let reason = format!("{} does not want another match", self.record.name_of(seat));
        match self.registry.call_off_rematch(&next.table_id, &reason).await {
            Ok(()) | Err(ApiError::AlreadyOver) => {}
            Err(error) => return Err(error),
        }
        self.change(|record| {
            if let Some(next) = &mut record.rematch {
                next.declined = Some(seat.0);
            }
            Ok(())
        })
        .await?;
        self.remark_on_rematch(seat);
        Ok(())
    }

    fn declined_by(&self) -> Option<Seat> {
        self.record.rematch.as_ref()?.declined.map(Seat)
    }

    /// Creates the table to play again at. If another server was first, its
    /// table is the one and the new one stays empty.
    async fn offer(&mut self, from: Address, may_seat_agents: bool) -> Result<NextTable, ApiError> {
        let agents = self.registry.agents_among(self.record.game, &self.record.seats);
        self.registry.check_agents(agents, may_seat_agents, from)?;
        let before = self.record.rematch.as_ref().map(|next| next.table_id.clone());
        let new = self.registry.create_rematch(from, &self.record).await?;
        self.change(|record| {
            let known = record.rematch.as_ref().map(|next| &next.table_id);
            if known == before.as_ref() {
                record.rematch = Some(new.clone());
            }
            record.rematch.clone().ok_or(ApiError::NoRematch)
        })
        .await
    }

    async fn take_seat_at(&self, next: &NextTable, seat: Seat) -> Result<(), ApiError> {
        let entry = self.record.seats.get(seat.index()).ok_or(ApiError::NoSuchSeat)?;
        let token = entry.token.as_deref().ok_or(ApiError::Unauthenticated)?;
        self.registry.sit_again(&next.table_id, seat, token, self.record.name_of(seat)).await
    }

    /// Seats a player of the match before. Whoever sits there already stays.
    pub(super) async fn sit_again(
        &mut self,
        seat: Seat,
        token: &str,
        name: &str,
    ) -> Result<(), ApiError> {
        if self.record.status.is_over() {
            return Err(ApiError::AlreadyOver);
        }
        let is_there = |entry: &crate::record::SeatEntry| entry.token.as_deref() == Some(token);
        if self.record.seats.get(seat.index()).is_some_and(is_there) {
            return Ok(());
        }
        self.change(|record| {
            if record.status != Status::Waiting {
                return Err(ApiError::AlreadyStarted);
            }
            let entry = record.seats.get_mut(seat.index()).ok_or(ApiError::TableFull)?;
            entry.token = Some(token.to_owned());
            entry.name = Some(name.to_owned());
            Ok(())
        })
        .await?;
        self.note_seated(seat);
        let starts = self.record.status == Status::Waiting && self.record.is_full();
        if starts { self.start(None).await } else { Ok(()) }
    }

    /// Tells how the offer stands to all who want to hear such things.
    fn remark_on_rematch(&mut self, by: Seat) {
        let Some(next) = &self.record.rematch else { return };
        let people = self.record.seats.iter().filter(|one| one.kind == Kind::Human && !one.removed);
        let status = match next.declined {
            Some(_) => OfferStatus::Declined,
            None if next.agreed.len() >= people.count() => OfferStatus::Agreed,
            None => OfferStatus::Offered,
        };
        let (agreed, table_id, code) = (&next.agreed[..], &*next.table_id, &*next.code);
        let remark = RematchRemark { status, by: by.0, agreed, table_id, code };
        self.subscribers.remark(&serde_json::to_string(&remark).unwrap_or_default());
    }
}
