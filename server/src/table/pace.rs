//! When a table goes on by itself: bots, clocks, the next deal.
//!
//! Everything follows from the log and the stored cursors, so a restart
//! changes nothing but what had to wait for it. Only who is here is not stored:
//! after a restart everybody has just gone.

use std::time::Duration;

use parlor_house::{PlayedBy, Playing};
use parlor_kernel::{Awaiting, Seat, SeatSet, Viewer};

use super::agent_turns::{AgentTurns, TurnState};
use super::attendance::Attendance;

/// Bots and clocks wait this long for a client that says what it has shown.
const ACKNOWLEDGE_WITHIN: u64 = 3_000;

/// When a server starts, people have this long to come back and act before
/// anybody's time is up: clients wait up to ten seconds between their tries.
pub const COME_BACK_WITHIN: Duration = Duration::from_secs(15);

/// What a player's client says it has shown.
#[derive(Clone, Debug)]
pub struct ShownPosition {
    /// In which dialect.
    pub dialect: String,
    /// Up to which position.
    pub position: u64,
    /// When it said so.
    pub at: u64,
}

/// What happens next without anybody's command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DueStep {
    /// The game goes on by itself.
    House,
    /// The log is told who plays a seat.
    Introduction,
    /// A bot moves.
    Bot,
    /// An agent is asked.
    Ask(Seat),
    /// What an agent does happens.
    AgentAct(Seat),
    /// A seat's time is up.
    Clock(Seat),
    /// A bot moves for a person who is away.
    StandIn(Seat),
}

/// The tempo of a table.
#[derive(Clone, Debug)]
pub struct Pace {
    /// How long a bot waits.
    pub bot: Duration,
    /// How long it waits at least, where nobody sits.
    pub floor: Duration,
    /// How long a round's result stays.
    pub round: Duration,
    /// When this server started, if the game was on by then: nobody's time is
    /// up before they could come back.
    pub resumed_at: Option<u64>,
    /// What each seat's client has shown; none for clients that do not say.
    pub shown: Vec<Option<ShownPosition>>,
    /// The seats whose players were removed: nobody comes back to them.
    pub removed: SeatSet,
    /// Who is here.
    pub attendance: Attendance,
}

impl Pace {
    /// When the seat's player has seen what happened at `since`, as far as
    /// that is known.
    fn seen_at(&self, play: &dyn Playing, seat: Seat, since: u64) -> u64 {
        let Some(shown) = self.shown.get(seat.index()).and_then(Option::as_ref) else {
            return since;
        };
        let told = play.position_of(Viewer::Seat(seat), &shown.dialect);
        if told.is_some_and(|position| shown.position >= position) {
            shown.at.clamp(since, since + ACKNOWLEDGE_WITHIN)
        } else {
            since + ACKNOWLEDGE_WITHIN
        }
    }

    /// When a seat's time is up; none where no clock runs.
    pub fn deadline(&self, play: &dyn Playing, seat: Seat) -> Option<u64> {
        let seen_at = self.seen_at(play, seat, play.asked_at(seat)?);
        self.time_up(play, seat, seen_at)
    }

    fn time_up(&self, play: &dyn Playing, seat: Seat, since: u64) -> Option<u64> {
        let limit = play.clock(seat)?.as_millis() as u64;
        let grace = self.resumed_at.map_or(0, |at| at + COME_BACK_WITHIN.as_millis() as u64);
        Some((since + limit).max(grace))
    }

    /// What is left on the viewer's own clock, or on the one of others that
    /// runs out first, in whole seconds. What others' clients have shown
    /// stays out of it: it would tell at night who is awaited.
    pub fn seconds_left(&self, play: &dyn Playing, viewer: Viewer, now: u64) -> Option<u32> {
        let awaiting = play.awaiting();
        let own = viewer.seat().filter(|seat| awaiting.includes(*seat));
        let up = match (own, awaiting) {
            (Some(seat), _) => self.deadline(play, seat),
            (None, Awaiting::Seats { seats, .. }) => {
                seats.iter().filter_map(|seat| self.time_up(play, seat, play.asked_at(seat)?)).min()
            }
            (None, Awaiting::House { .. } | Awaiting::Nobody) => None,
        };
        Some(up?.saturating_sub(now).div_ceil(1000) as u32)
    }

    /// What happens next by itself, and when.
    pub fn next(&self, play: &dyn Playing, agent_turns: &AgentTurns) -> Option<(u64, DueStep)> {
        match play.awaiting() {
            Awaiting::Nobody => None,
            Awaiting::House { .. } => Some((
                play.last_step_at().saturating_add(self.round.as_millis() as u64),
                DueStep::House,
            )),
            Awaiting::Seats { seats, .. } if !seats.is_empty() && play.awaits_introduction() => {
                Some((play.last_step_at(), DueStep::Introduction))
            }
            Awaiting::Seats { seats, .. } => seats
                .iter()
                .filter_map(|seat| match play.played_by(seat) {
                    PlayedBy::Bot => Some((self.bot_due(play), DueStep::Bot)),
                    PlayedBy::Human => self.person_due(play, seat),
                    PlayedBy::Absent => self.time_out(play, seat),
                    PlayedBy::Agent => self.agent_due(play, seat, agent_turns),
                })
                .min_by_key(|(at, _)| *at),
        }
    }

    fn time_out(&self, play: &dyn Playing, seat: Seat) -> Option<(u64, DueStep)> {
        let up = match self.deadline(play, seat) {
            // Nobody waits for ever for a player who was removed. Where a clock
            // runs it goes on: an earlier end might tell who is awaited.
            None if self.removed.contains(seat) => self.bot_due(play),
            up => up?,
        };
        Some((up, DueStep::Clock(seat)))
    }

    /// A person has until the clock runs out, and is stood in for while away.
    fn person_due(&self, play: &dyn Playing, seat: Seat) -> Option<(u64, DueStep)> {
        let time_out = self.time_out(play, seat);
        time_out.into_iter().chain(self.stand_in(play, seat)).min_by_key(|(at, _)| *at)
    }

    fn stand_in(&self, play: &dyn Playing, seat: Seat) -> Option<(u64, DueStep)> {
        let patience = play.takeover()?.as_millis() as u64;
        let at = self.attendance.away_since(seat)?.saturating_add(patience);
        Some((at.max(self.bot_due(play)), DueStep::StandIn(seat)))
    }

    /// An agent has until its clock runs out. One whose clock has run out
    /// before it was asked is not asked at all.
    fn agent_due(
        &self,
        play: &dyn Playing,
        seat: Seat,
        agent_turns: &AgentTurns,
    ) -> Option<(u64, DueStep)> {
        let time_out = self.time_out(play, seat);
        if play.clock(seat).is_some_and(|clock| clock.is_zero()) {
            return time_out;
        }
        let next = match agent_turns.state(seat) {
            TurnState::Unasked => Some((self.bot_due(play), DueStep::Ask(seat))),
            TurnState::Thinking => None,
            TurnState::Acts(act) if act.is_quiet => {
                Some((play.last_step_at(), DueStep::AgentAct(seat)))
            }
            TurnState::Acts(_) => Some((self.bot_due(play), DueStep::AgentAct(seat))),
            // It has not decided: its time is up.
            TurnState::Done => Some((play.last_step_at(), DueStep::Clock(seat))),
        };
        next.into_iter().chain(time_out).min_by_key(|(at, _)| *at)
    }

    fn bot_due(&self, play: &dyn Playing) -> u64 {
        let (stepped, wait) = (play.last_beat_at(), self.bot.max(self.floor));
        if wait.is_zero() {
            return stepped;
        }
        let people = (0..play.seats().len()).map(|seat| Seat(seat as u8));
        let seen = people.map(|seat| self.seen_at(play, seat, stepped)).max();
        seen.unwrap_or(stepped).saturating_add(wait.as_millis() as u64)
    }
}
