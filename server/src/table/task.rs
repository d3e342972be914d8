//! The task that runs a table.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_house::{Act, Playing, Proposal};
use parlor_kernel::{Envelope, Heard, Misheard, Opening, Rebuff, Seal, Seat, Viewer};
use parlor_store::{Answer, Append, Batch, Cursor, StoreError};
use serde_json::json;
use tokio::sync::mpsc;

use super::audience::{Audience, Frame, Listening, frames, newly};
use super::knock::{Credential, Done, Knock, SeatInfo, Seated, TableInfo};
use super::pace::{Due, Pace, Shown};
use crate::hall::Hall;
use crate::ledger::{Kind, Ledger, Status};
use crate::refusal::Refusal;
use crate::secrets::{TokenHash, new_token};
use crate::time::now;

/// A lost race for the log is decided again on the newer state this often.
const TRIES: usize = 3;
/// A table that waits this long for people may be offered a bot.
const BOT_OFFERED_AFTER: u64 = 15_000;

/// A table while it is in memory.
pub struct Table {
    hall: Arc<Hall>,
    ledger: Ledger,
    /// The game, once it has begun and somebody needed it.
    play: Option<Box<dyn Playing>>,
    audience: Audience,
    pace: Pace,
    used_at: Instant,
    refusals: u64,
}

impl Table {
    /// A table as the books have it.
    pub fn new(hall: Arc<Hall>, ledger: Ledger) -> Table {
        let pace = Pace {
            bot: hall.config.bot_pace,
            round: hall.config.round_pause,
            resumed_at: (ledger.status == Status::Playing).then(now),
            shown: vec![None; ledger.seats.len()],
        };
        Table {
            hall,
            ledger,
            play: None,
            audience: Audience::default(),
            pace,
            used_at: Instant::now(),
            refusals: 0,
        }
    }

    /// Runs until nobody needs the table or the server stops.
    pub async fn run(mut self, mut door: mpsc::Receiver<Box<Knock>>) {
        metrics::gauge!("parlor_live_tables").increment(1);
        let stop = self.hall.stop.clone();
        if self.ledger.status == Status::Playing
            && let Err(refusal) = Box::pin(self.fetch()).await.map(|_| ())
        {
            tracing::error!(table = self.ledger.id, %refusal, "a running game cannot go on");
        }
        loop {
            let wake = self.wake_in();
            tokio::select! {
                knock = door.recv() => match knock {
                    // Boxed: an idle table should not hold room for the
                    // largest answer it might ever give.
                    Some(knock) => Box::pin(self.answer(*knock)).await,
                    None => break,
                },
                () = wake_up(wake) => {
                    if !Box::pin(self.go_on()).await {
                        // From here on nobody can knock; whoever tries is
                        // shown to a fresh task that reads the log again.
                        door.close();
                    }
                }
                () = stop.cancelled() => break,
            }
        }
        metrics::gauge!("parlor_live_tables").decrement(1);
        self.hall.forget(&self.ledger.id).await;
    }

    /// When to look again without being asked; none: not before a knock.
    fn wake_in(&self) -> Option<Duration> {
        let due = self.play.as_deref().and_then(|play| self.pace.next(play));
        let idle = self.hall.config.idle_after.saturating_sub(self.used_at.elapsed());
        match due {
            Some((at, _)) => Some(Duration::from_millis(at.saturating_sub(now()))),
            None if self.audience.is_empty() => Some(idle.max(Duration::from_millis(10))),
            None => None,
        }
    }

    /// Does what is due. Whether the table stays in memory.
    async fn go_on(&mut self) -> bool {
        let Some(play) = self.play.as_deref_mut() else {
            return !self.audience.is_empty() || !self.is_idle();
        };
        let Some((at, due)) = self.pace.next(play) else {
            return !self.audience.is_empty() || !self.is_idle();
        };
        let now = now();
        if at > now {
            return true;
        }
        let proposal = match due {
            Due::House => play.proceed(now),
            Due::Bot => play.bot_acts(now),
            Due::Clock(seat) => play.expire(seat, now),
        };
        let Some(proposal) = proposal else {
            // What is due cannot be done: a defect of a game. The log stays
            // as it is, and people can still act.
            tracing::error!(table = self.ledger.id, ?due, "nothing can be done that is due");
            tokio::time::sleep(Duration::from_secs(1)).await;
            return true;
        };
        if let Err(refusal) = self.carry_out(proposal, None).await {
            tracing::warn!(table = self.ledger.id, ?due, %refusal, "could not go on; trying again");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        true
    }

    fn is_idle(&self) -> bool {
        self.used_at.elapsed() >= self.hall.config.idle_after
    }

    async fn answer(&mut self, knock: Knock) {
        self.used_at = Instant::now();
        // Whoever asked may have gone; an answer nobody waits for is dropped.
        match knock {
            Knock::Info { reply } => drop(reply.send(Ok(self.info()))),
            Knock::WhoIs { who, reply } => drop(reply.send(self.viewer(who))),
            Knock::Sit { name, token, reply } => drop(reply.send(self.sit(&name, &token).await)),
            Knock::SeatBot { who, bot, reply } => drop(reply.send(self.seat_bot(who, bot).await)),
            Knock::Start { who, reply } => drop(reply.send(self.start(who).await)),
            Knock::Command { who, dialect, heard, key, reply } => {
                drop(reply.send(self.command(who, &dialect, heard, key).await));
            }
            Knock::Listen { who, dialect, after, reply } => {
                let listening = self.listen(who, &dialect, after).await;
                if let Err(Ok(unheard)) = reply.send(listening) {
                    self.gone(unheard.id);
                }
            }
            Knock::Gone { id } => self.gone(id),
            Knock::Snapshot { who, dialect, reply } => {
                drop(reply.send(self.snapshot(who, &dialect).await));
            }
            Knock::Log { who, view, reply } => drop(reply.send(self.log(who, view).await)),
            Knock::Rematch { who, reply } => drop(reply.send(self.rematch(who).await)),
            Knock::SitAgain { seat, token, name, reply } => {
                drop(reply.send(self.sit_again(seat, &token, &name).await));
            }
        }
    }

    fn viewer(&self, who: Credential) -> Result<Viewer, Refusal> {
        match who {
            Credential::Nobody => Ok(Viewer::Public),
            Credential::Known(viewer) => Ok(viewer),
            Credential::Token(token) => {
                self.ledger.seat_of(&token).map(Viewer::Seat).ok_or(Refusal::Unauthenticated)
            }
        }
    }

    fn seat(&self, who: Credential) -> Result<Seat, Refusal> {
        self.viewer(who)?.seat().ok_or(Refusal::Unauthenticated)
    }

    fn info(&self) -> TableInfo {
        table_info(&self.ledger, |seat| self.audience.connected().contains(seat))
    }

    /// The game, folded back from its log if it is not in memory.
    async fn fetch(&mut self) -> Result<&mut dyn Playing, Refusal> {
        if self.ledger.status == Status::Waiting {
            return Err(Refusal::NotStarted);
        }
        if self.play.is_none() {
            let log = self.read_log().await?;
            self.play = Some(self.ledger.game.resume(&log)?);
            self.recall_shown(&log).await?;
        }
        match self.play.as_deref_mut() {
            Some(play) => Ok(play),
            None => Err(Refusal::NotStarted),
        }
    }

    async fn read_log(&self) -> Result<Vec<Envelope>, Refusal> {
        let id = self.ledger.id.clone();
        self.hall.look_up(move |store| store.read(&id, 0)).await
    }

    async fn recall_shown(&mut self, log: &[Envelope]) -> Result<(), Refusal> {
        let id = self.ledger.id.clone();
        let cursors = self.hall.look_up(move |store| store.cursors(&id)).await?;
        for Cursor { seat, dialect, position, at, .. } in cursors {
            let Some(place) = self.pace.shown.get_mut(usize::from(seat)) else { continue };
            if place.as_ref().is_none_or(|shown| shown.at < at) {
                *place = Some(Shown { dialect: dialect.clone(), position, at });
                if let Some(play) = self.play.as_deref_mut() {
                    play.listen(Viewer::Seat(Seat(seat)), &dialect, log, u64::MAX)?;
                }
            }
        }
        Ok(())
    }

    /// Makes sure that steps are told to this viewer in this dialect.
    async fn attend(&mut self, viewer: Viewer, dialect: &str) -> Result<u64, Refusal> {
        if let Some(position) = self.fetch().await?.heard(viewer, dialect) {
            return Ok(position);
        }
        let log = self.read_log().await?;
        Ok(self.fetch().await?.listen(viewer, dialect, &log, u64::MAX)?.position)
    }

    /// Stores a proposal and lets it happen. Nobody hears of it before it is
    /// on disk.
    async fn carry_out(
        &mut self,
        proposal: Proposal,
        answer: Option<Answer>,
    ) -> Result<(), Refusal> {
        let finished =
            proposal.ends.then(|| Ledger { status: Status::Finished, ..self.ledger.clone() });
        let batch = Batch {
            append: Some(Append {
                game_id: self.ledger.id.clone(),
                expected: proposal.expected,
                envelopes: proposal.envelopes,
            }),
            table: finished.as_ref().map(|ledger| ledger.record(now())),
            answer,
            cursor: None,
        };
        match self.hall.store.commit(batch).await {
            Ok(()) => {
                self.ledger.status = finished.map_or(self.ledger.status, |ledger| ledger.status);
                let told = self.play.as_deref_mut().map(|play| play.settle()).unwrap_or_default();
                for told in &told {
                    self.audience.tell(told);
                }
                Ok(())
            }
            Err(error) => {
                if let Some(play) = self.play.as_deref_mut() {
                    play.withdraw();
                }
                if let StoreError::Conflict { .. } = error {
                    self.catch_up().await?;
                }
                Err(error.into())
            }
        }
    }

    /// Someone else has written this game's log: reads it again and tells
    /// everybody what they missed.
    async fn catch_up(&mut self) -> Result<(), Refusal> {
        let views = self.audience.views();
        let stood = |play: &dyn Playing| -> Vec<u64> {
            views
                .iter()
                .map(|(viewer, dialect)| play.heard(*viewer, dialect).unwrap_or(0))
                .collect()
        };
        let positions = self.play.as_deref().map(stood).unwrap_or_default();
        self.play = None;
        let log = self.read_log().await?;
        for ((viewer, dialect), after) in views.iter().zip(positions) {
            let past = self.fetch().await?.listen(*viewer, dialect, &log, after)?;
            self.audience.catch_up(*viewer, dialect, &past);
        }
        Ok(())
    }

    async fn command(
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
                metrics::counter!("parlor_commands_total").increment(1);
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
            match self.carry_out(proposal, answer).await {
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

    /// Only the offender hears of a refusal, on every stream of that seat.
    fn tell_refusal(&mut self, seat: Seat, refusal: &Refusal) {
        let at = now();
        self.refusals = (self.refusals + 1).max(at);
        let id = format!("evt_error_{}", self.refusals);
        let (game, sentence) = (self.ledger.game, refusal.to_string());
        let rebuff = Rebuff {
            seat,
            code: refusal.code(),
            message: &sentence,
            id: &id,
            timestamp: at,
            is_over: self.ledger.status == Status::Finished,
        };
        self.audience.remark(
            |viewer| viewer == Viewer::Seat(seat),
            |dialect| game.refusal(dialect, &rebuff),
        );
    }

    async fn listen(
        &mut self,
        who: Credential,
        dialect: &str,
        after: Option<u64>,
    ) -> Result<Listening, Refusal> {
        let viewer = self.viewer(who)?;
        self.ledger.game.speaks(dialect)?;
        let most = self.hall.config.limits.as_ref().map(|limits| limits.streams_per_table);
        if most.is_some_and(|most| self.audience.len() >= most as usize) {
            return Err(Refusal::TooManyStreams);
        }
        let backlog = match (self.ledger.status, after) {
            (Status::Waiting, Some(asked @ 1..)) => {
                return Err(Refusal::PositionAhead { asked, at: 0 });
            }
            (Status::Waiting, _) => Vec::new(),
            _ => self.backlog(viewer, dialect, after).await?,
        };
        let before = self.audience.connected();
        let (id, live) = self.audience.admit(viewer, dialect);
        self.tell_presence(before);
        Ok(Listening { id, viewer, backlog, live })
    }

    async fn backlog(
        &mut self,
        viewer: Viewer,
        dialect: &str,
        after: Option<u64>,
    ) -> Result<Vec<Frame>, Refusal> {
        let at = self.attend(viewer, dialect).await?;
        match after {
            None => {
                let (position, text) = self.present(viewer, dialect)?;
                Ok(vec![Frame { position: Some(position), text: text.into() }])
            }
            Some(after) if after > at => Err(Refusal::PositionAhead { asked: after, at }),
            Some(after) if after == at => Ok(Vec::new()),
            Some(after) => {
                let log = self.read_log().await?;
                let past = self.fetch().await?.listen(viewer, dialect, &log, after)?;
                Ok(frames(past.first, &past.messages))
            }
        }
    }

    fn gone(&mut self, id: u64) {
        let before = self.audience.connected();
        if self.audience.dismiss(id) {
            self.tell_presence(before);
        }
    }

    /// Tells the others who came and who went.
    fn tell_presence(&mut self, before: parlor_kernel::SeatSet) {
        let after = self.audience.connected();
        let (game, at) = (self.ledger.game, now());
        let came = newly(after, before).map(|seat| (seat, true));
        for (seat, connected) in came.chain(newly(before, after).map(|seat| (seat, false))) {
            self.audience.remark(
                |viewer| viewer != Viewer::Seat(seat),
                |dialect| game.presence(dialect, seat, connected, at),
            );
        }
    }

    async fn snapshot(&mut self, who: Credential, dialect: &str) -> Result<(u64, String), Refusal> {
        let viewer = self.viewer(who)?;
        self.attend(viewer, dialect).await?;
        self.present(viewer, dialect)
    }

    fn present(&self, viewer: Viewer, dialect: &str) -> Result<(u64, String), Refusal> {
        let play = self.play.as_deref().ok_or(Refusal::NotStarted)?;
        let now = now();
        let left = self.pace.seconds_left(play, now);
        play.snapshot(viewer, dialect, now, left).ok_or(Refusal::NotStarted)
    }

    async fn log(&mut self, who: Credential, view: Option<Viewer>) -> Result<Vec<String>, Refusal> {
        let own = self.viewer(who)?;
        let view = view.unwrap_or(own);
        let allowed = match view {
            Viewer::Public | Viewer::Postmortem => true,
            Viewer::Admin => own == Viewer::Admin,
            Viewer::Seat(_) => own == view || own == Viewer::Admin,
        };
        if !allowed {
            return Err(match own {
                Viewer::Public => Refusal::Unauthenticated,
                _ => Refusal::Forbidden(format!("the view {view} is not yours")),
            });
        }
        if self.ledger.status == Status::Waiting {
            return Err(Refusal::NotStarted);
        }
        let log = self.read_log().await?;
        Ok(self.ledger.game.retell(&log, view)?)
    }

    async fn sit(&mut self, name: &str, token: &TokenHash) -> Result<Seat, Refusal> {
        let mut ledger = self.ledger.clone();
        let seat = ledger.sit(name, token)?;
        self.write_down(ledger).await?;
        Ok(seat)
    }

    async fn seat_bot(&mut self, who: Credential, bot: &'static str) -> Result<Seat, Refusal> {
        self.seat(who)?;
        let mut ledger = self.ledger.clone();
        let seat = ledger.sit(bot, &TokenHash::of(&new_token()))?;
        let entry = &mut ledger.seats[seat.index()];
        entry.kind = Kind::Bot;
        entry.bot = Some(bot.to_owned());
        entry.token = None;
        let starts = ledger.starts_by_itself();
        self.write_down(ledger).await?;
        if starts {
            self.start(None).await?;
        }
        Ok(seat)
    }

    async fn sit_again(
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
    async fn write_down(&mut self, ledger: Ledger) -> Result<(), Refusal> {
        let table = Some(ledger.record(now()));
        self.hall.store.commit(Batch { table, ..Batch::default() }).await?;
        self.ledger = ledger;
        Ok(())
    }

    async fn start(&mut self, who: Option<Credential>) -> Result<(), Refusal> {
        if let Some(who) = who {
            self.seat(who)?;
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
        let (mut play, proposal) = ledger.game.open(opening, now)?;
        ledger.status = if proposal.ends { Status::Finished } else { Status::Playing };
        let batch = Batch {
            append: Some(Append {
                game_id: ledger.id.clone(),
                expected: 0,
                envelopes: proposal.envelopes.clone(),
            }),
            table: Some(ledger.record(now)),
            ..Batch::default()
        };
        self.hall.store.commit(batch).await?;
        play.settle();
        for (viewer, dialect) in self.audience.views() {
            let past = play.listen(viewer, &dialect, &proposal.envelopes, 0)?;
            self.audience.catch_up(viewer, &dialect, &past);
        }
        self.ledger = ledger;
        self.play = Some(play);
        Ok(())
    }

    async fn rematch(&mut self, who: Credential) -> Result<Seated, Refusal> {
        let seat = self.seat(who)?;
        if self.ledger.status != Status::Finished {
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
        let name = self.ledger.seats[seat.index()].name.clone().unwrap_or_default();
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

async fn wake_up(within: Option<Duration>) {
    match within {
        Some(within) => tokio::time::sleep(within).await,
        None => std::future::pending().await,
    }
}

/// A table as anyone may know it, from its entry in the books.
pub fn table_info(ledger: &Ledger, connected: impl Fn(Seat) -> bool) -> TableInfo {
    let seat = |(place, entry): (usize, &crate::ledger::SeatEntry)| {
        let seat = Seat(place as u8);
        SeatInfo {
            seat: seat.0,
            player_id: seat.player_id(),
            name: entry.name.clone(),
            kind: entry.kind,
            bot: entry.bot.clone(),
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
