//! The task that runs a table.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_house::{Ending, Playing, Proposal};
use parlor_kernel::{Seat, Viewer};
use parlor_store::{Answer, Append, Batch};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::agent_turns::{AgentTurns, TurnState};
use super::attendance::Attendance;
use super::bounds::bytes_of;
use super::due::DueNote;
use super::pace::{DueStep, Pace};
use super::request::{AnswerTo, Credential, Request, TableInfo};
use super::seating::table_info;
use super::subscribers::Subscribers;
use crate::api_error::ApiError;
use crate::limits::Account;
use crate::record::{Record, Status};
use crate::registry::Registry;
use crate::time::now;

/// A table looks at least so often whether something is due: a time that is
/// further away, as settings may have it, may be more than a clock can hold.
const LONGEST_SLEEP: Duration = Duration::from_secs(24 * 60 * 60);

/// A table nobody uses leaves memory even where it goes on by itself, if that
/// is not sooner: it is woken then.
const SOON: u64 = 10_000;

/// Whoever has just opened a table has something to ask it.
const A_MOMENT: Duration = Duration::from_millis(10);

/// A table while it is in memory.
pub struct Table {
    pub(super) registry: Arc<Registry>,
    pub(super) record: Record,
    /// The game, once it has begun and somebody needed it.
    pub(super) play: Option<Box<dyn Playing>>,
    pub(super) subscribers: Subscribers,
    pub(super) pace: Pace,
    pub(super) agent_turns: AgentTurns,
    pub(super) due: DueNote,
    /// When each seat's player sat down, while they have no stream yet.
    pub(super) arriving: Vec<Option<u64>>,
    /// When somebody last asked it for something; none: nobody has yet.
    pub(super) used_at: Option<Instant>,
    /// Held while it is in memory only because it was due.
    pub(super) place: Option<OwnedSemaphorePermit>,
    /// When it came into memory.
    pub(super) taken_up_at: Instant,
    /// Who created it, as far as that is known.
    pub(super) owner: Option<Arc<Account>>,
    /// How many steps it has made without a person.
    pub(super) unattended: u32,
}

impl Table {
    /// A table as its record has it.
    pub fn new(registry: Arc<Registry>, record: Record) -> Table {
        let pace = Pace {
            bot: record.bot_pace_ms.map_or(registry.config.bot_pace, Duration::from_millis),
            round: registry.config.round_pause,
            resumed_at: (record.status == Status::Playing).then_some(registry.started_at),
            floor: Duration::ZERO,
            shown: vec![None; record.seats.len()],
            removed: record.removed(),
            attendance: Attendance::new(record.seats.len(), now()),
        };
        let mut arriving = vec![None; record.seats.len()];
        let creator = record.created_by().and_then(|seat| arriving.get_mut(seat.index()));
        if let Some(since) = creator {
            *since = Some(record.created_at);
        }
        let mut table = Table {
            due: DueNote::new(record.status),
            arriving,
            owner: registry.accounts.owner(&record.id),
            registry,
            record,
            play: None,
            subscribers: Subscribers::default(),
            pace,
            agent_turns: AgentTurns::default(),
            used_at: None,
            place: None,
            taken_up_at: Instant::now(),
            unattended: 0,
        };
        table.pace.floor = table.pace_floor();
        table
    }

    /// Runs until nobody needs the table or the server stops.
    pub async fn run(mut self, mut requests: mpsc::Receiver<Box<Request>>) {
        let stop = self.registry.stop.clone();
        if self.record.status == Status::Playing
            && let Err(error) = Box::pin(self.fetch()).await.map(|_| ())
        {
            tracing::error!(table = self.record.id, %error, "could not load a running game");
        }
        // Both outlive the turns of the loop: taking them up and letting them
        // go with every command would cost locks that all tables share.
        let stopped = stop.cancelled();
        let alarm = tokio::time::sleep(Duration::ZERO);
        tokio::pin!(stopped, alarm);
        loop {
            Box::pin(self.keep_to_bounds()).await;
            self.agent_turns.keep_to(self.play.as_deref());
            self.note_attendance();
            let wake = self.wake_in().map(|within| Instant::now() + within.min(LONGEST_SLEEP));
            if let Some(at) = wake {
                alarm.as_mut().reset(at.into());
            }
            tokio::select! {
                biased;
                () = &mut stopped => break,
                () = &mut alarm, if wake.is_some() => {
                    if !Box::pin(self.go_on()).await {
                        // From here on no request gets in; the next one goes
                        // to a fresh task that reads the log again.
                        requests.close();
                    }
                }
                () = self.agent_turns.receive() => {}
                request = requests.recv() => match request {
                    // Boxed: an idle table should not hold memory for the
                    // largest answer it might ever give.
                    Some(request) => Box::pin(self.answer(*request)).await,
                    None => break,
                },
            }
        }
        Box::pin(self.note_due()).await;
    }

    /// When to look again without being asked; none: not before a request.
    fn wake_in(&self) -> Option<Duration> {
        let due = self.play.as_deref().and_then(|play| self.pace.next(play, &self.agent_turns));
        let unwatched = self.unwatched_in();
        let due = due.map(|(at, _)| Duration::from_millis(at.saturating_sub(now())));
        let is_soon = due.is_some_and(|within| within <= Duration::from_millis(SOON));
        let leaves = (self.is_unneeded() && !is_soon && unwatched.is_none())
            .then(|| self.idle_in().max(A_MOMENT));
        let next = due.into_iter().chain(leaves);
        next.chain(self.due.exact_in()).chain(unwatched).min()
    }

    /// Does what is due. Whether the table stays in memory.
    async fn go_on(&mut self) -> bool {
        // One that nobody watches stays until it is ended for that.
        let ends = self.unwatched_in().is_some();
        let stays = ends || !self.is_unneeded() || !self.idle_in().is_zero();
        if self.due.exact_in().is_some_and(|within| within.is_zero()) {
            self.note_due().await;
        }
        let Some(play) = self.play.as_deref() else { return stays };
        let Some((at, due)) = self.pace.next(play, &self.agent_turns) else { return stays };
        let now = now();
        if at > now {
            return stays || at <= now.saturating_add(SOON) || !self.leaves_note(at).await;
        }
        if let DueStep::Clock(seat) = due {
            self.call_off_turn(seat, now).await;
        }
        let Some(play) = self.play.as_deref_mut() else { return true };
        let proposal = match due {
            DueStep::House => play.proceed(now),
            DueStep::Introduction => play.introduce(now),
            DueStep::Bot => play.bot_acts(now),
            DueStep::Ask(seat)
                if self.agent_turns.begin(play, seat, &self.registry.agent_permits) =>
            {
                return true;
            }
            DueStep::Ask(seat) => play.expire(seat, now),
            DueStep::AgentAct(seat) => {
                let TurnState::Acts(act) = self.agent_turns.state(seat) else { return true };
                match play.act(seat, &act.act, now) {
                    Ok(proposal) => Some(proposal),
                    Err(_) => {
                        self.agent_turns.refused(seat);
                        return true;
                    }
                }
            }
            DueStep::Clock(seat) => play.expire(seat, now),
            DueStep::StandIn(seat) => play.stand_in_acts(seat, now),
        };
        let Some(proposal) = proposal else {
            if matches!(due, DueStep::Clock(seat) if self.pace.removed.contains(seat)) {
                return self.call_off_abandoned().await;
            }
            // What is due cannot be done: a defect of a game. The log stays
            // as it is, and people can still act.
            tracing::error!(
                table = self.record.id,
                ?due,
                "the game does not do what is due; this is a defect"
            );
            tokio::time::sleep(Duration::from_secs(1)).await;
            return true;
        };
        if let DueStep::StandIn(seat) = due {
            self.tell_stand_in(seat);
        }
        if let Err(error) = self.carry_on(proposal, None).await {
            tracing::warn!(table = self.record.id, ?due, %error, "could not store a step; trying again");
            tokio::time::sleep(Duration::from_millis(200)).await;
        } else {
            self.note_unattended();
            if let DueStep::AgentAct(seat) = due {
                self.agent_turns.taken(seat);
            }
        }
        true
    }

    /// The game waits for a player who was removed, and cannot go on without.
    async fn call_off_abandoned(&mut self) -> bool {
        if let Err(error) = self.call_off("a player was removed".to_owned()).await {
            tracing::warn!(table = self.record.id, %error, "could not end an abandoned game");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        true
    }

    /// An agent has no more time. The words it was in the midst of are ended,
    /// if that can be written down: its move is made for it even so.
    async fn call_off_turn(&mut self, seat: Seat, now: u64) {
        self.agent_turns.call_off(seat).await;
        let ending = self.play.as_deref_mut().and_then(|play| play.break_off(seat, now));
        if let Some(ending) = ending
            && let Err(error) = self.carry_out(ending, None).await
        {
            tracing::warn!(table = self.record.id, seat = seat.0, %error, "could not store the end of a thought");
        }
    }

    /// Whether there is no subscriber, and no agent is being asked.
    fn is_unneeded(&self) -> bool {
        self.subscribers.is_empty() && self.agent_turns.is_empty()
    }

    /// How long until nobody has used the table for a while.
    fn idle_in(&self) -> Duration {
        let unused = |at: Instant| self.registry.config.idle_after.saturating_sub(at.elapsed());
        self.used_at.map_or(Duration::ZERO, unused)
    }

    async fn answer(&mut self, request: Request) {
        if !matches!(request, Request::Wake { .. }) {
            (self.used_at, self.place) = (Some(Instant::now()), None);
        }
        // Whoever asked may have gone; an answer nobody waits for is dropped.
        match request {
            Request::Info { reply } => drop(reply.send(Ok(self.info()))),
            Request::Identify { who, reply } => drop(reply.send(self.viewer(who))),
            Request::Sit { name, token, reply } => drop(reply.send(self.sit(&name, &token).await)),
            Request::Meet { name, token, reply } => {
                drop(reply.send(self.meet(&name, &token).await));
            }
            Request::SeatBot { who, bot, level, reply } => {
                drop(reply.send(self.seat_bot(who, &bot, level).await));
            }
            Request::UnseatBot { who, seat, reply } => {
                drop(reply.send(self.unseat_bot(who, seat).await));
            }
            Request::Start { who, reply } => drop(reply.send(self.start(who).await)),
            Request::Command { who, dialect, command, key, is_checked, answer } => {
                let named = key.clone();
                let done = self.command(who, dialect, command, key, is_checked).await;
                match answer {
                    AnswerTo::Caller(reply) => drop(reply.send(done)),
                    AnswerTo::Stream(subscriber) => {
                        self.tell_answer(subscriber, named.as_deref(), done);
                    }
                }
            }
            Request::Subscribe { who, from, dialect, after, remarks, reply } => {
                let subscribed = self.subscribe(who, from, dialect, after, remarks).await;
                if let Err(Ok(unheard)) = reply.send(subscribed) {
                    self.gone(unheard.id);
                }
            }
            Request::Missed { who, dialect, after, reply } => {
                drop(reply.send(self.past(who, dialect, after).await));
            }
            Request::Unsubscribe { id } => self.gone(id),
            Request::Snapshot { who, dialect, reply } => {
                drop(reply.send(self.snapshot(who, dialect).await));
            }
            Request::Log { who, from, view, dialect, reply } => {
                self.log(who, from, view, dialect, reply);
            }
            Request::Control { who, control, reply } => {
                drop(reply.send(self.control(who, control).await));
            }
            Request::End { who, reason, reply } => drop(reply.send(self.end(who, reason).await)),
            Request::CallOff { reason, reply } => drop(reply.send(self.call_off(reason).await)),
            Request::CallOffWaiting { reason, reply } => {
                drop(reply.send(self.call_off_waiting(reason).await));
            }
            Request::Lapse { reply } => drop(reply.send(self.lapse().await)),
            Request::GiveUpCode { reply } => drop(reply.send(self.give_up_code().await)),
            Request::EndIfInactive { since, reply } => {
                drop(reply.send(self.end_if_inactive(since).await))
            }
            Request::Wake { place, reply } => {
                // Where somebody came first, it is not for its due time alone.
                self.place = self.used_at.is_none().then_some(place);
                drop(reply.send(Ok(())));
            }
            #[cfg(test)]
            Request::Panic { .. } => panic!("planted"),
            Request::Rematch { who, from, may_seat_agents, reply } => {
                drop(reply.send(self.rematch(who, from, may_seat_agents).await));
            }
            Request::Moderate { order, reply } => drop(reply.send(self.moderate(order).await)),
            Request::Report { who, seat, reply } => {
                drop(reply.send(self.report(who, seat).await));
            }
            Request::DeclineRematch { who, reply } => {
                drop(reply.send(self.decline_rematch(who).await));
            }
            Request::SitAgain { seat, token, name, reply } => {
                drop(reply.send(self.sit_again(seat, &token, &name).await));
            }
        }
    }

    pub(super) fn viewer(&self, who: Credential) -> Result<Viewer, ApiError> {
        match who {
            Credential::Nobody => Ok(Viewer::Public),
            Credential::Known(viewer) => Ok(viewer),
            Credential::Token(token) => {
                self.record.seat_of(&token).map(Viewer::Seat).ok_or(ApiError::Unauthenticated)
            }
        }
    }

    pub(super) fn seat(&self, who: Credential) -> Result<Seat, ApiError> {
        self.viewer(who)?.seat().ok_or(ApiError::Unauthenticated)
    }

    fn info(&self) -> TableInfo {
        let stood_in_for = self.pace.attendance.stood_in_for();
        table_info(&self.record, self.subscribers.connected(), stood_in_for)
    }

    /// Stores a proposal and lets it happen. Nobody is told of it before it is
    /// on disk.
    pub(super) async fn carry_out(
        &mut self,
        proposal: Proposal,
        answer: Option<Answer>,
    ) -> Result<(), ApiError> {
        let ends = proposal.ends;
        let over = |_| Record { status: Status::after(ends.as_ref()), ..self.record.clone() };
        let finished = ends.as_ref().map(over);
        let status = finished.as_ref().map_or(self.record.status, |record| record.status);
        let due = self.due.with_batch(&self.record.id, status, now());
        let noted = due.as_ref().map(|due| due.at);
        let bytes = bytes_of(&proposal.envelopes);
        let batch = Batch {
            append: Some(Append {
                game_id: proposal.game_id,
                expected: proposal.expected,
                envelopes: proposal.envelopes,
            }),
            table: finished.as_ref().map(|record| record.stored(now())),
            answer,
            due,
            ..Batch::default()
        };
        match self.registry.store.commit(batch).await {
            Ok(()) => {
                self.due.written(noted, status);
                self.charge(bytes);
                if let Some(record) = finished {
                    self.record = Record { version: record.version + 1, ..record };
                    self.note_over();
                }
                let told = self.play.as_deref_mut().map(|play| play.settle()).unwrap_or_default();
                for step in told {
                    self.subscribers.deliver_step(step);
                }
                if let Some(Ending::CalledOff(called_off)) = ends {
                    self.terminate(&called_off);
                }
                Ok(())
            }
            Err(error) => {
                if let Some(play) = self.play.as_deref_mut() {
                    play.withdraw();
                }
                if error.is_lost_race() {
                    self.catch_up().await?;
                }
                Err(error.into())
            }
        }
    }
}
