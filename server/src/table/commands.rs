//! What a player's command does at a table.

use std::borrow::Cow;
use std::sync::LazyLock;

use metrics::Counter;
use parlor_house::Act;
use parlor_kernel::{AnswerNotice, ClientMessage, MessageError, RefusalNotice, Seat, Viewer};
use parlor_store::{Answer, Batch, Cursor, StoreError};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::lost_race::TRIES;
use super::pace::ShownPosition;
use super::request::{Credential, Done};
use super::task::Table;
use crate::api_error::ApiError;
use crate::socket_error::{error_id, socket_error};
use crate::time::now;

/// Kept, because finding a counter by its name costs more than counting.
static COMMANDS: LazyLock<Counter> = LazyLock::new(|| metrics::counter!("parlor_commands_total"));

/// What tells a command from another one under the same key: the move itself,
/// whatever dialect and wording it came in.
fn digest_of(act: &Act) -> [u8; 32] {
    Sha256::digest(act.to_json()).into()
}

/// The field a command carries its idempotency key in, where the transport has
/// no header for it.
pub const KEY_FIELD: &str = "idempotency_key";

/// An idempotency key as a client may choose it.
pub fn idempotency_key(key: &str) -> Result<String, ApiError> {
    let is_printable = key.chars().all(|one| one == ' ' || one.is_ascii_graphic());
    match (1..=128).contains(&key.len()) && is_printable {
        true => Ok(key.to_owned()),
        false => Err(ApiError::InvalidKey),
    }
}

/// Takes the idempotency key out of a command: the key, and the command as the
/// dialect knows it. What is no object is left for the dialect to refuse.
pub fn take_key(message: &str) -> Result<(Option<String>, Cow<'_, str>), ApiError> {
    // Most commands bring none, and are not read twice.
    let may_have_one = message.contains(KEY_FIELD) || message.contains("\\u");
    let fields = may_have_one.then(|| serde_json::from_str::<Map<String, Value>>(message));
    let Some(Ok(mut fields)) = fields else { return Ok((None, message.into())) };
    let key = match fields.shift_remove(KEY_FIELD) {
        None => return Ok((None, message.into())),
        Some(Value::Null) => None,
        Some(Value::String(key)) => Some(idempotency_key(&key)?),
        Some(_) => return Err(ApiError::InvalidKey),
    };
    Ok((key, Value::Object(fields).to_string().into()))
}

/// The answer to a command under a key, on the stream it came by: where it is
/// in the stream, or why it was refused.
#[derive(JsonSchema, Serialize)]
#[serde(tag = "type", rename = "answer")]
pub struct KeyedAnswer<'a> {
    /// The key that came with the command.
    idempotency_key: &'a str,
    /// The position, in the sender's stream, of the last event it made.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<u64>,
    /// Why it was refused, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// The same as a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
}

impl<'a> KeyedAnswer<'a> {
    fn of(notice: &AnswerNotice<'a>) -> KeyedAnswer<'a> {
        let (code, error) = notice.error.unzip();
        KeyedAnswer { idempotency_key: notice.key, position: notice.position, error, code }
    }
}

impl Table {
    pub(super) async fn command(
        &mut self,
        who: Credential,
        dialect: &str,
        command: Result<ClientMessage<Act>, MessageError>,
        key: Option<String>,
        is_checked: bool,
    ) -> Result<Done, ApiError> {
        let seat = self.seat(who)?;
        self.note_here(Viewer::Seat(seat));
        if !is_checked {
            self.check_sender(seat, &command)?;
        }
        let done = self.obey(seat, who, dialect, command, key).await;
        if let Err(error @ ApiError::Game { .. }) = &done {
            self.tell_refusal(seat, error);
        }
        done
    }

    /// Whether the sender is within limits, and who they claim to be.
    fn check_sender(
        &self,
        seat: Seat,
        command: &Result<ClientMessage<Act>, MessageError>,
    ) -> Result<(), ApiError> {
        self.registry.limits.command(&self.record.id, u64::from(seat.0))?;
        match command {
            Ok(ClientMessage::Join { player_id: Some(player), .. })
                if *player != seat.player_id() =>
            {
                Err(ApiError::Forbidden(format!("this token is not {player}'s")))
            }
            _ => Ok(()),
        }
    }

    async fn obey(
        &mut self,
        seat: Seat,
        who: Credential,
        dialect: &str,
        command: Result<ClientMessage<Act>, MessageError>,
        key: Option<String>,
    ) -> Result<Done, ApiError> {
        match command? {
            ClientMessage::Join { .. } => {
                let (position, text) = self.snapshot(who, dialect).await?;
                let snapshot = serde_json::value::RawValue::from_string(text).ok();
                Ok(Done { position, snapshot })
            }
            ClientMessage::Acknowledge { position } => {
                self.acknowledge(seat, dialect, position).await
            }
            ClientMessage::Act(act) => {
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
    ) -> Result<Done, ApiError> {
        let digest = key.is_some().then(|| digest_of(act));
        if let Some(key) = &key
            && let Some(given) = self.registry.store.answer(&self.record.id, seat.0, key).await?
        {
            return self.answer_again(seat, dialect, &given, digest).await;
        }
        self.follow(Viewer::Seat(seat), dialect).await?;
        self.check_talk(act)?;
        let mut tries = 0;
        loop {
            let proposal = self.fetch().await?.act(seat, act, now())?;
            let sequence = proposal.expected + proposal.envelopes.len() as u64;
            let answer = key.as_ref().map(|key| Answer {
                table_id: self.record.id.clone(),
                seat: seat.0,
                key: key.clone(),
                digest,
                answer: json!({ "sequence": sequence }).to_string(),
            });
            tries += 1;
            match self.carry_on(proposal, answer).await {
                Err(error) if error.is_lost_race() && tries < TRIES => {}
                // Another server was sent the same, and was first.
                Err(ApiError::StoreUnavailable(StoreError::Answered(given))) => {
                    self.catch_up().await?;
                    return self.answer_again(seat, dialect, &given, digest).await;
                }
                done => {
                    done?;
                    self.note_person();
                    let position = self.follow(Viewer::Seat(seat), dialect).await?;
                    return Ok(Done { position, snapshot: None });
                }
            }
        }
    }

    /// Gives the answer that a key was given before, to the same command. It
    /// is kept as the length the log had then, so it holds in every dialect.
    async fn answer_again(
        &mut self,
        seat: Seat,
        dialect: &str,
        given: &Answer,
        digest: Option<[u8; 32]>,
    ) -> Result<Done, ApiError> {
        if given.digest.is_some() && given.digest != digest {
            return Err(ApiError::KeyReused);
        }
        let stored: serde_json::Value = serde_json::from_str(&given.answer).unwrap_or_default();
        let Some(length) = stored.get("sequence").and_then(serde_json::Value::as_u64) else {
            let reason = format!("the answer under the key '{}' is not one", given.key);
            return Err(ApiError::BrokenLog(reason));
        };
        let mut log = self.registry.store.log(&self.record.id, 0).await?;
        let (game, dialect) = (self.record.game, dialect.to_owned());
        let position = move || {
            log.truncate(length as usize);
            Ok(game.position_at(&log, Viewer::Seat(seat), &dialect)?)
        };
        let position = self.registry.fold(position).await?;
        Ok(Done { position, snapshot: None })
    }

    async fn acknowledge(
        &mut self,
        seat: Seat,
        dialect: &str,
        position: Option<u64>,
    ) -> Result<Done, ApiError> {
        let at_most = self.follow(Viewer::Seat(seat), dialect).await?;
        let Some(position) = position else {
            return Ok(Done { position: at_most, snapshot: None });
        };
        if position > at_most {
            return Err(ApiError::PositionAhead { asked: position, at: at_most });
        }
        let known = self.pace.shown.get(seat.index()).and_then(Option::as_ref);
        if known.is_none_or(|shown| shown.dialect != dialect || shown.position < position) {
            let shown = ShownPosition { dialect: dialect.to_owned(), position, at: now() };
            let cursor = Cursor {
                table_id: self.record.id.clone(),
                seat: seat.0,
                dialect: shown.dialect.clone(),
                position,
                at: shown.at,
            };
            self.registry.store.commit(Batch { cursor: Some(cursor), ..Batch::default() }).await?;
            if let Some(place) = self.pace.shown.get_mut(seat.index()) {
                *place = Some(shown);
            }
        }
        Ok(Done { position, snapshot: None })
    }

    /// Answers a command on the stream it came by. What it made comes as events
    /// and a refusal by the game comes on the stream anyway; only the rest is
    /// sent here. A command under a key always has an answer that names the key:
    /// sent again it makes no events, and its sender must hear what came of it.
    pub(super) fn tell_answer(
        &mut self,
        subscriber: u64,
        key: Option<&str>,
        done: Result<Done, ApiError>,
    ) {
        if let Some(idempotency_key) = key {
            let (game, timestamp) = (self.record.game, now());
            let position = done.as_ref().ok().map(|done| done.position);
            let refusal = done.as_ref().err().map(ApiError::body);
            let error = refusal.as_ref().map(|body| (body.code, body.error.as_str()));
            let notice = AnswerNotice { key: idempotency_key, position, error, timestamp };
            self.subscribers.notify_one_in(subscriber, |_, dialect| {
                let plain = || serde_json::to_string(&KeyedAnswer::of(&notice)).unwrap_or_default();
                game.answer(dialect, &notice).unwrap_or_else(plain)
            });
        }
        match done {
            Ok(Done { snapshot: Some(snapshot), .. }) => {
                self.subscribers.notify_one(subscriber, snapshot.get().into());
            }
            Ok(_) | Err(ApiError::Game { .. }) => {}
            Err(_) if key.is_some() => {}
            Err(error) => {
                let is_over = self.record.status.is_over();
                let game = self.record.game;
                self.subscribers.notify_one_in(subscriber, |viewer, dialect| {
                    socket_error(game, dialect, viewer.seat(), is_over, &error)
                });
            }
        }
    }

    /// A refusal goes to the seat that was refused, on all of its streams.
    fn tell_refusal(&mut self, seat: Seat, error: &ApiError) {
        let at = now();
        let id = error_id(at);
        let (game, sentence) = (self.record.game, error.to_string());
        let notice = RefusalNotice {
            seat,
            code: error.code(),
            reason: error.reason(),
            message: &sentence,
            id: &id,
            timestamp: at,
            is_over: self.record.status.is_over(),
        };
        self.subscribers.notify(
            |viewer| viewer == Viewer::Seat(seat),
            |dialect| game.refusal(dialect, &notice),
        );
    }
}
