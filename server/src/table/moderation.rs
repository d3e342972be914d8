//! What the admin does at a table: removing a person, hiding it, erasing a name.

use parlor_kernel::{Change, Seat, Viewer};
use schemars::JsonSchema;
use serde::Serialize;

use super::agent_turns::AgentTurns;
use super::request::Credential;
use super::task::Table;
use crate::api_error::ApiError;
use crate::record::{HOST, Kind, SeatEntry, Status};

/// What the admin wants at a table.
#[derive(Clone, Debug)]
pub enum Moderation {
    /// Whoever sits there leaves the table for good.
    Remove {
        /// Where.
        seat: Seat,
        /// Why, for the person to read.
        reason: Option<String>,
    },
    /// Lists show the table, or do not.
    List(bool),
    /// The name of whoever sits there is not told any more.
    Erase {
        /// Where.
        seat: Seat,
    },
}

/// The last message on the streams of whoever was removed.
#[derive(JsonSchema, Serialize)]
#[serde(tag = "type", rename = "removed")]
pub struct RemovalNotice<'a> {
    /// Why, in a sentence.
    error: &'a str,
    /// The same as a code.
    code: &'static str,
}

impl Table {
    pub(super) async fn moderate(&mut self, order: Moderation) -> Result<(), ApiError> {
        match order {
            Moderation::Remove { seat, reason } => self.remove_person(seat, reason).await,
            Moderation::List(is_listed) => {
                self.change(|record| {
                    record.unlisted = !is_listed;
                    Ok(())
                })
                .await
            }
            Moderation::Erase { seat } => self.erase_name(seat).await,
        }
    }

    /// Voids a person's token and cuts their streams. Before the game the seat
    /// is free again; in the game its time runs out whenever it is asked.
    async fn remove_person(&mut self, seat: Seat, reason: Option<String>) -> Result<(), ApiError> {
        let left = self.change(|record| record.remove(seat)).await?;
        self.registry.tickets.revoke(&self.record.id, Viewer::Seat(seat));
        self.pace.removed = self.record.removed();
        if let Some(since) = self.arriving.get_mut(seat.index()) {
            *since = None;
        }
        let sentence = match &reason {
            Some(reason) => format!("you were removed from this table: {reason}"),
            None => "you were removed from this table".to_owned(),
        };
        let notice = RemovalNotice { error: &sentence, code: "REMOVED" };
        let notice = serde_json::to_string(&notice).unwrap_or_default();
        if self.subscribers.cut_off(seat, &notice) {
            self.tell_change_of(seat, &left, Change::Leaves);
        }
        self.note_occupancy();
        let is_without_host = self.record.hosted && seat == HOST;
        match self.record.status {
            Status::Waiting if is_without_host => {
                self.call_off_waiting("the host was removed".to_owned()).await
            }
            Status::Playing if !self.record.has_people() => {
                match self.call_off("everybody was removed".to_owned()).await {
                    // A game that goes on to its end by itself.
                    Err(ApiError::CannotCallOff(_)) => Ok(()),
                    done => done,
                }
            }
            _ => Ok(()),
        }
    }

    /// Tells another name from now on, to all who follow the game already too.
    async fn erase_name(&mut self, seat: Seat) -> Result<(), ApiError> {
        self.change(|record| record.erase_name(seat)).await?;
        if self.play.is_none() {
            return Ok(());
        }
        self.play = None;
        self.agent_turns = AgentTurns::default();
        for (viewer, dialect) in self.subscribers.views() {
            self.follow_from(viewer, dialect, u64::MAX).await?;
        }
        Ok(())
    }

    /// Whether a player may report another: who reports, and how far the game
    /// is.
    pub(super) async fn report(
        &mut self,
        who: Credential,
        seat: Seat,
    ) -> Result<(Seat, u64), ApiError> {
        let by = self.seat(who)?;
        let is_person = |entry: &SeatEntry| entry.kind == Kind::Human && entry.name.is_some();
        match self.record.seats.get(seat.index()).ok_or(ApiError::NoSuchSeat)? {
            entry if is_person(entry) && seat != by => {
                Ok((by, self.registry.store.position(&self.record.id).await?))
            }
            _ => Err(ApiError::NobodyThere),
        }
    }
}
