//! The task that runs a table.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_house::{Ending, Hand, Playing, Proposal};
use parlor_kernel::{Envelope, Seat, Viewer};
use parlor_store::{Answer, Append, Batch, Cursor, StoreError};
use tokio::sync::mpsc;

use super::audience::Audience;
use super::knock::{AnswerTo, Credential, Knock, TableInfo};
use super::pace::{Due, Pace, Shown};
use super::seating::table_info;
use super::talks::{Standing, Talks};
use crate::hall::Hall;
use crate::ledger::{Ledger, Status};
use crate::refusal::Refusal;
use crate::time::now;

/// A table looks at least so often whether something is due: a time that is
/// further away, as settings may have it, may be more than a clock can hold.
const LONGEST_SLEEP: Duration = Duration::from_secs(24 * 60 * 60);

/// A table while it is in memory.
pub struct Table {
    pub(super) hall: Arc<Hall>,
    pub(super) ledger: Ledger,
    /// The game, once it has begun and somebody needed it.
    pub(super) play: Option<Box<dyn Playing>>,
    pub(super) audience: Audience,
    pub(super) pace: Pace,
    pub(super) talks: Talks,
    pub(super) used_at: Instant,
    pub(super) refusals: u64,
}

impl Table {
    /// A table as the books have it.
    pub fn new(hall: Arc<Hall>, ledger: Ledger) -> Table {
        let pace = Pace {
            bot: ledger.bot_pace_ms.map_or(hall.config.bot_pace, Duration::from_millis),
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
            talks: Talks::default(),
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
        // Both outlive the turns of the loop: taking them up and letting them
        // go with every command would cost locks that all tables share.
        let stopped = stop.cancelled();
        let alarm = tokio::time::sleep(Duration::ZERO);
        tokio::pin!(stopped, alarm);
        loop {
            self.talks.keep_to(self.play.as_deref());
            let wake = self.wake_in().map(|within| Instant::now() + within.min(LONGEST_SLEEP));
            if let Some(at) = wake {
                alarm.as_mut().reset(at.into());
            }
            tokio::select! {
                biased;
                () = &mut stopped => break,
                () = &mut alarm, if wake.is_some() => {
                    if !Box::pin(self.go_on()).await {
                        // From here on nobody can knock; whoever tries is
                        // shown to a fresh task that reads the log again.
                        door.close();
                    }
                }
                () = self.talks.hear() => {}
                knock = door.recv() => match knock {
                    // Boxed: an idle table should not hold room for the
                    // largest answer it might ever give.
                    Some(knock) => Box::pin(self.answer(*knock)).await,
                    None => break,
                },
            }
        }
        metrics::gauge!("parlor_live_tables").decrement(1);
        self.hall.forget(&self.ledger.id).await;
    }

    /// When to look again without being asked; none: not before a knock.
    fn wake_in(&self) -> Option<Duration> {
        let due = self.play.as_deref().and_then(|play| self.pace.next(play, &self.talks));
        let idle = self.hall.config.idle_after.saturating_sub(self.used_at.elapsed());
        match due {
            Some((at, _)) => Some(Duration::from_millis(at.saturating_sub(now()))),
            None if self.is_unneeded() => Some(idle.max(Duration::from_millis(10))),
            None => None,
        }
    }

    /// Does what is due. Whether the table stays in memory.
    async fn go_on(&mut self) -> bool {
        let stays = !self.is_unneeded() || !self.is_idle();
        let Some(play) = self.play.as_deref() else { return stays };
        let Some((at, due)) = self.pace.next(play, &self.talks) else { return stays };
        let now = now();
        if at > now {
            return true;
        }
        if let Due::Clock(seat) = due {
            self.let_go(seat, now).await;
        }
        let Some(play) = self.play.as_deref_mut() else { return true };
        let proposal = match due {
            Due::House => play.proceed(now),
            Due::Introduction => play.introduce(now),
            Due::Bot => play.bot_acts(now),
            Due::Ask(seat) if self.talks.begin(play, seat, &self.hall.agents) => return true,
            Due::Ask(seat) => play.expire(seat, now),
            Due::Word(seat) => {
                let Standing::Acts(word) = self.talks.standing(seat) else { return true };
                match play.act(seat, &word.act, now) {
                    Ok(proposal) => Some(proposal),
                    Err(_) => {
                        self.talks.refused(seat);
                        return true;
                    }
                }
            }
            Due::Clock(seat) => play.expire(seat, now),
        };
        let Some(proposal) = proposal else {
            // What is due cannot be done: a defect of a game. The log stays
            // as it is, and people can still act.
            tracing::error!(table = self.ledger.id, ?due, "nothing can be done that is due");
            tokio::time::sleep(Duration::from_secs(1)).await;
            return true;
        };
        if let Err(refusal) = self.carry_on(proposal, None).await {
            tracing::warn!(table = self.ledger.id, ?due, %refusal, "could not go on; trying again");
            tokio::time::sleep(Duration::from_millis(200)).await;
        } else if let Due::Word(seat) = due {
            self.talks.taken(seat);
        }
        true
    }

    /// An agent has no more time. The words it was in the midst of are ended,
    /// if that can be written down: its move is made for it even so.
    async fn let_go(&mut self, seat: Seat, now: u64) {
        self.talks.call_off(seat).await;
        let ending = self.play.as_deref_mut().and_then(|play| play.break_off(seat, now));
        if let Some(ending) = ending
            && let Err(refusal) = self.carry_out(ending, None).await
        {
            tracing::warn!(table = self.ledger.id, seat = seat.0, %refusal, "a thought stays open");
        }
    }

    /// Whether nobody listens, and no agent is being asked.
    fn is_unneeded(&self) -> bool {
        self.audience.is_empty() && self.talks.is_empty()
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
            Knock::SeatBot { who, bot, level, reply } => {
                drop(reply.send(self.seat_bot(who, &bot, level).await));
            }
            Knock::UnseatBot { who, seat, reply } => {
                drop(reply.send(self.unseat_bot(who, seat).await));
            }
            Knock::Start { who, reply } => drop(reply.send(self.start(who).await)),
            Knock::Command { who, dialect, heard, key, answer } => {
                let done = self.command(who, dialect, heard, key).await;
                match answer {
                    AnswerTo::Caller(reply) => drop(reply.send(done)),
                    AnswerTo::Stream(listener) => self.tell_answer(listener, done),
                }
            }
            Knock::Listen { who, dialect, after, reply } => {
                let listening = self.listen(who, dialect, after).await;
                if let Err(Ok(unheard)) = reply.send(listening) {
                    self.gone(unheard.id);
                }
            }
            Knock::Past { who, dialect, after, reply } => {
                drop(reply.send(self.past(who, dialect, after).await));
            }
            Knock::Gone { id } => self.gone(id),
            Knock::Snapshot { who, dialect, reply } => {
                drop(reply.send(self.snapshot(who, dialect).await));
            }
            Knock::Log { who, view, dialect, reply } => {
                drop(reply.send(self.log(who, view, dialect.as_deref()).await));
            }
            Knock::Lead { who, lead, reply } => drop(reply.send(self.lead(who, lead).await)),
            Knock::End { who, reason, reply } => drop(reply.send(self.end(who, reason).await)),
            Knock::CallOff { reason, reply } => drop(reply.send(self.call_off(reason).await)),
            Knock::Lapse { since, reply } => drop(reply.send(self.lapse(since).await)),
            Knock::Rematch { who, reply } => drop(reply.send(self.rematch(who).await)),
            Knock::SitAgain { seat, token, name, reply } => {
                drop(reply.send(self.sit_again(seat, &token, &name).await));
            }
        }
    }

    pub(super) fn viewer(&self, who: Credential) -> Result<Viewer, Refusal> {
        match who {
            Credential::Nobody => Ok(Viewer::Public),
            Credential::Known(viewer) => Ok(viewer),
            Credential::Token(token) => {
                self.ledger.seat_of(&token).map(Viewer::Seat).ok_or(Refusal::Unauthenticated)
            }
        }
    }

    pub(super) fn seat(&self, who: Credential) -> Result<Seat, Refusal> {
        self.viewer(who)?.seat().ok_or(Refusal::Unauthenticated)
    }

    fn info(&self) -> TableInfo {
        table_info(&self.ledger, |seat| self.audience.connected().contains(seat))
    }

    /// The game, folded back from its log if it is not in memory.
    pub(super) async fn fetch(&mut self) -> Result<&mut dyn Playing, Refusal> {
        if self.ledger.status == Status::Waiting {
            return Err(Refusal::NotStarted);
        }
        if self.play.is_none() {
            let log = self.read_log().await?;
            if log.is_empty() {
                // It was called off before it began.
                return Err(Refusal::NotStarted);
            }
            let play = self.ledger.game.resume(&log, &self.hall.config.guests)?;
            self.look_for_absent(&*play);
            self.play = Some(play);
            self.recall_shown(&log).await?;
        }
        match self.play.as_deref_mut() {
            Some(play) => Ok(play),
            None => Err(Refusal::NotStarted),
        }
    }

    /// A seat whose agent this server does not have waits for its clock.
    fn look_for_absent(&self, play: &dyn Playing) {
        let is_absent = |seat: &usize| play.hand(Seat(*seat as u8)) == Hand::Absent;
        for seat in (0..play.seats().len()).filter(is_absent) {
            let agent = play.seats()[seat].bot.as_deref();
            tracing::warn!(
                table = self.ledger.id,
                seat,
                agent,
                "nobody here plays this seat; start the server with --agents"
            );
        }
    }

    pub(super) async fn read_log(&self) -> Result<Vec<Envelope>, Refusal> {
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
    pub(super) async fn attend(&mut self, viewer: Viewer, dialect: &str) -> Result<u64, Refusal> {
        if let Some(position) = self.fetch().await?.heard(viewer, dialect) {
            return Ok(position);
        }
        let log = self.read_log().await?;
        Ok(self.fetch().await?.listen(viewer, dialect, &log, u64::MAX)?.position)
    }

    /// Stores a proposal and lets it happen. Nobody hears of it before it is
    /// on disk.
    pub(super) async fn carry_out(
        &mut self,
        proposal: Proposal,
        answer: Option<Answer>,
    ) -> Result<(), Refusal> {
        let ends = proposal.ends;
        let over = |_| Ledger { status: Status::after(ends.as_ref()), ..self.ledger.clone() };
        let finished = ends.as_ref().map(over);
        let batch = Batch {
            append: Some(Append {
                game_id: proposal.game_id,
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
                for told in told {
                    self.audience.tell(told);
                }
                if let Some(Ending::CalledOff(called_off)) = ends {
                    self.part(&called_off);
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
        self.talks = Talks::default();
        let log = self.read_log().await?;
        for ((viewer, dialect), after) in views.iter().zip(positions) {
            let past = self.fetch().await?.listen(*viewer, dialect, &log, after)?;
            self.audience.catch_up(*viewer, dialect, past);
        }
        Ok(())
    }
}
