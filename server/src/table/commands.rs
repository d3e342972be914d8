//! What a player's command does at a table.

use std::sync::LazyLock;

use metrics::Counter;
use parlor_house::Act;
use parlor_kernel::{Heard, Misheard, Rebuff, Seat, Viewer};
use parlor_store::{Answer, Batch, Cursor, StoreError};
use serde_json::json;

use super::knock::{Credential, Done};
use super::pace::Shown;
use super::task::Table;
use crate::refusal::Refusal;
use crate::time::now;

/// A lost race for the log is decided again on the newer state this often.
const TRIES: usize = 3;

/// Kept, because finding a counter by its name costs more than counting.
static COMMANDS: LazyLock<Counter> = LazyLock::new(|| metrics::counter!("parlor_commands_total"));

impl Table {
    pub(super) async fn command(
        &mut self,
        who: Credential,
        dialect: &str,
        heard: Result<Heard<Act>, Misheard>,
        key: Option<String>,
    ) -> Result<Done, Refusal> {
        let seat = self.seat(who)?;
        let done = self.obey(seat, who, dialect, heard, key).await;
        if let Err(refusal @ Refusal::Game { .. }) = &done {
            self.tell_refusal(seat, refusal);
        }
        done
    }

    async fn obey(
        &mut self,
        seat: Seat,
        who: Credential,
        dialect: &str,
        heard: Result<Heard<Act>, Misheard>,
        key: Option<String>,
    ) -> Result<Done, Refusal> {
        match heard? {
            Heard::Join { .. } => {
                let (position, text) = self.snapshot(who, dialect).await?;
                let snapshot = serde_json::value::RawValue::from_string(text).ok();
                Ok(Done { position, snapshot })
            }
            Heard::Acknowledge { position } => self.acknowledge(seat, dialect, position).await,
            Heard::Act(act) => {
                COMMANDS.increment(1);
                self.act(seat, dialect, &act, key).await
            }
        }
    }

    async fn act(
        &mut self,
        seat: Seat,
        dialect: &str,
        act: &Act,
        key: Option<String>,
    ) -> Result<Done, Refusal> {
        if let Some(key) = &key
            && let Some(position) = self.answered(seat, dialect, key).await?
        {
            return Ok(Done { position, snapshot: None });
        }
        self.attend(Viewer::Seat(seat), dialect).await?;
        let mut tries = 0;
        loop {
            let proposal = self.fetch().await?.act(seat, act, now())?;
            let sequence = proposal.expected + proposal.envelopes.len() as u64;
            let answer = key.as_ref().map(|key| Answer {
                table_id: self.ledger.id.clone(),
                seat: seat.0,
                key: key.clone(),
                answer: json!({ "sequence": sequence }).to_string(),
            });
            tries += 1;
            match self.carry_on(proposal, answer).await {
                Err(Refusal::StoreUnavailable(StoreError::Conflict { .. })) if tries < TRIES => {}
                done => {
                    done?;
                    let position = self.attend(Viewer::Seat(seat), dialect).await?;
                    return Ok(Done { position, snapshot: None });
                }
            }
        }
    }

    /// The answer this key was given before. It is kept as the length the
    /// log had then, so it holds in every dialect.
    async fn answered(
        &mut self,
        seat: Seat,
        dialect: &str,
        key: &str,
    ) -> Result<Option<u64>, Refusal> {
        let (id, sought) = (self.ledger.id.clone(), key.to_owned());
        let found = self.hall.look_up(move |store| store.answer(&id, seat.0, &sought)).await?;
        let stored: Option<serde_json::Value> =
            found.and_then(|answer| serde_json::from_str(&answer).ok());
        let Some(length) = stored.and_then(|answer| answer["sequence"].as_u64()) else {
            return Ok(None);
        };
        let mut log = self.read_log().await?;
        log.truncate(length as usize);
        Ok(Some(self.ledger.game.position_at(&log, Viewer::Seat(seat), dialect)?))
    }

    async fn acknowledge(
        &mut self,
        seat: Seat,
        dialect: &str,
        position: Option<u64>,
    ) -> Result<Done, Refusal> {
        let at_most = self.attend(Viewer::Seat(seat), dialect).await?;
        let Some(position) = position else {
            return Ok(Done { position: at_most, snapshot: None });
        };
        if position > at_most {
            return Err(Refusal::PositionAhead { asked: position, at: at_most });
        }
        let known = self.pace.shown.get(seat.index()).and_then(Option::as_ref);
        if known.is_none_or(|shown| shown.dialect != dialect || shown.position < position) {
            let shown = Shown { dialect: dialect.to_owned(), position, at: now() };
            let cursor = Cursor {
                table_id: self.ledger.id.clone(),
                seat: seat.0,
                dialect: shown.dialect.clone(),
                position,
                at: shown.at,
            };
            self.hall.store.commit(Batch { cursor: Some(cursor), ..Batch::default() }).await?;
            if let Some(place) = self.pace.shown.get_mut(seat.index()) {
                *place = Some(shown);
            }
        }
        Ok(Done { position, snapshot: None })
    }

    /// What a command made comes as events, and a refusal by the game comes on
    /// the stream, too; the rest is told to whoever sent it.
    pub(super) fn tell_answer(&mut self, listener: u64, done: Result<Done, Refusal>) {
        match done {
            Ok(Done { snapshot: Some(snapshot), .. }) => {
                self.audience.say_to(listener, snapshot.get().into());
            }
            Ok(_) | Err(Refusal::Game { .. }) => {}
            Err(refusal) => self.audience.say_to(listener, refusal.text().into()),
        }
    }

    /// Only the offender hears of a refusal, on every stream of that seat.
    fn tell_refusal(&mut self, seat: Seat, refusal: &Refusal) {
        let at = now();
        self.refusals = (self.refusals + 1).max(at);
        let id = format!("evt_error_{}", self.refusals);
        let (game, sentence) = (self.ledger.game, refusal.to_string());
        let rebuff = Rebuff {
            seat,
            code: refusal.code(),
            reason: refusal.reason(),
            message: &sentence,
            id: &id,
            timestamp: at,
            is_over: self.ledger.status.is_over(),
        };
        self.audience.remark(
            |viewer| viewer == Viewer::Seat(seat),
            |dialect| game.refusal(dialect, &rebuff),
        );
    }
}
