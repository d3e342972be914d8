//! A game under way, with its types.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::{
    Awaiting, BotKind, Cause, Context, Dialect, DialectView, Envelope, Game, Log, LogError,
    Offered, Opening, Order, Player, Run, Score, Seat, Sitting, Timekeeper, View, Viewer,
};
use parlor_players::BoxFuture;

use super::{Act, Backlog, Ending, Playing, Proposal, Refusal, StepMessages};
use crate::agents::{ActSink, Agents, PlayedBy};
use crate::clocks::Clocks;
use crate::error::HouseError;
use crate::offer::{dialect_of, kind_of};
use crate::seated_agent::SeatedAgent;

/// A game under way, with its types.
pub(crate) struct Match<G: Offered> {
    game_id: Arc<str>,
    /// Its log is only what is proposed: the rest is stored.
    run: Run<G>,
    position: u64,
    last_beat_at: u64,
    keeper: Timekeeper,
    clocks: Clocks,
    takeover: Option<Duration>,
    seats: Arc<[Sitting]>,
    circle: Circle<G>,
}

/// Those who look on.
struct Circle<G: Game> {
    bots: Vec<Bot<G>>,
    /// Bots that play for people who are away, where the rules have any.
    stand_ins: Vec<Bot<G>>,
    agents: Vec<SeatedAgent<G>>,
    told_views: Vec<DialectView<G>>,
}

impl<G: Game> Context<G> for Circle<G> {
    fn witness(&mut self, state: &G::State, event: &G::Event) {
        let bots = self.bots.iter_mut().chain(&mut self.stand_ins).map(|bot| &mut bot.view);
        let agents = self.agents.iter_mut().map(|seated| &mut seated.view);
        for view in bots.chain(agents) {
            view.follow(state, event);
        }
        for told_view in &mut self.told_views {
            told_view.witness(state, event);
        }
    }
}

struct Bot<G: Game> {
    seat: Seat,
    view: View<G>,
    player: Box<dyn Player<G>>,
    /// What it has made up its mind to do, its move last.
    intends: VecDeque<G::Action>,
}

impl<G: Game> Bot<G> {
    fn new(place: usize, kind: &BotKind<G>) -> Bot<G> {
        let seat = Seat(place as u8);
        let (view, player) = (View::new(Viewer::Seat(seat)), (kind.make)());
        Bot { seat, view, player, intends: VecDeque::new() }
    }
}

/// Who plays for people who are away: neither much better nor much worse than
/// they might.
const STAND_IN: &str = "medium";

impl<G: Offered> Match<G> {
    /// A game about to be opened: its first step is proposed.
    pub(crate) fn open(
        opening: Opening<G::Rules>,
        agents: &Agents,
        now: u64,
    ) -> (Match<G>, Proposal) {
        let mut table = Match::<G>::empty(&opening, agents, &Log::default());
        table.run.propose_opening(opening, now);
        let proposal = table.proposal();
        (table, proposal)
    }

    /// A game as its log leaves it.
    pub(crate) fn resume(envelopes: &[Envelope], agents: &Agents) -> Result<Match<G>, LogError> {
        let log = Log::<G>::read(envelopes)?;
        let opening = log.opening().ok_or(LogError::NoOpening)?;
        let mut table = Match::<G>::empty(&opening, agents, &log);
        table.position = log.events.len() as u64;
        for (step, events) in log.by_step() {
            table.run.refold(step.timestamp, events, &mut table.circle);
            table.keeper.step::<G>(step.timestamp, table.run.state());
            table.clocks.step::<G>(&step.cause, table.run.state(), step.timestamp);
        }
        table.last_beat_at = table.run.last_at();
        Ok(table)
    }

    fn empty(opening: &Opening<G::Rules>, agents: &Agents, log: &Log<G>) -> Match<G> {
        let agents = agents.seat::<G>(opening, &log.events);
        let kinds = G::bots();
        let bot_in = |(seat, sitting): (usize, &Sitting)| {
            Some(Bot::new(seat, kind_of(&kinds, sitting.bot.as_deref()?)?))
        };
        let stand_in = |(seat, sitting): (usize, &Sitting)| {
            let is_person = sitting.bot.is_none() && G::takeover(&opening.rules).is_some();
            let kind = kind_of(&kinds, STAND_IN).or(kinds.last()).filter(|_| is_person)?;
            Some(Bot::new(seat, kind))
        };
        Match {
            game_id: opening.game_id.as_str().into(),
            run: Run::new(opening.dice()),
            position: 0,
            last_beat_at: 0,
            keeper: Timekeeper::default(),
            clocks: Clocks::default(),
            takeover: G::takeover(&opening.rules),
            seats: opening.seats.clone(),
            circle: Circle {
                bots: opening.seats.iter().enumerate().filter_map(bot_in).collect(),
                stand_ins: opening.seats.iter().enumerate().filter_map(stand_in).collect(),
                agents: agents
                    .into_iter()
                    .map(|(seat, it)| SeatedAgent::new(seat, it, log))
                    .collect(),
                told_views: Vec::new(),
            },
        }
    }

    /// What is proposed, in its envelopes.
    fn proposal(&self) -> Proposal {
        let mut after = self.run.state().clone();
        let mut envelopes = Vec::new();
        if let Some((step, events)) = self.run.proposed() {
            let times = self.keeper.times(step.timestamp);
            for (sequence, event) in (self.position..).zip(events) {
                let cause = (sequence == self.position).then_some(&step.cause);
                G::apply(&mut after, event);
                envelopes.push(Envelope::seal_up::<G>(
                    &self.game_id,
                    sequence,
                    &times,
                    &after,
                    event,
                    cause,
                ));
            }
        }
        let ends = ending::<G>(&after);
        Proposal { game_id: Arc::clone(&self.game_id), expected: self.position, envelopes, ends }
    }

    fn propose(&mut self, cause: Cause<G::Action>, now: u64) -> Result<Proposal, Refusal> {
        self.run.propose(cause, now).map_err(|refusal| Refusal::by(&refusal))?;
        Ok(self.proposal())
    }

    /// The same where it is only proposed if something happens.
    fn propose_if(&mut self, cause: Cause<G::Action>, now: u64) -> Option<Proposal> {
        let proposal = self.propose(cause, now).ok()?;
        if proposal.envelopes.is_empty() {
            self.run.withdraw();
            return None;
        }
        Some(proposal)
    }

    /// The name of an agent that should play here and is not known.
    pub(crate) fn absent(&self) -> Option<String> {
        let seats = (0..self.seats.len() as u8).map(Seat);
        let absent = |seat: &Seat| self.played_by(*seat) == PlayedBy::Absent;
        self.seats.get(seats.clone().find(absent)?.index())?.bot.clone()
    }

    fn agent(&self, seat: Seat) -> Option<&SeatedAgent<G>> {
        self.circle.agents.iter().find(|seated| seated.seat == seat)
    }

    /// The step was made: an introduction is over with it, and only what
    /// others may want time to take in is a beat.
    fn note_agent(&mut self, cause: &Cause<G::Action>, at: u64) {
        let Cause::Seat { seat, action } = cause else {
            self.last_beat_at = at;
            return;
        };
        let seated = self.circle.agents.iter_mut().find(|seated| seated.seat == *seat);
        if seated.is_none() || G::is_for_clients(action) {
            self.last_beat_at = at;
        }
        if let Some(seated) = seated
            && seated.introduction.as_ref() == Some(action)
        {
            seated.introduction = None;
        }
    }

    fn told_view(&self, viewer: Viewer, dialect: &str) -> Option<&DialectView<G>> {
        self.circle.told_views.iter().find(|told_view| is(told_view, viewer, dialect))
    }
}

fn ending<G: Offered>(state: &G::State) -> Option<Ending> {
    let over = G::awaiting(state) == Awaiting::Nobody;
    over.then(|| G::called_off(state).map_or(Ending::PlayedOut, Ending::CalledOff))
}

fn is<G: Game>(told_view: &DialectView<G>, viewer: Viewer, dialect: &str) -> bool {
    told_view.viewer() == viewer && told_view.dialect().name() == dialect
}

impl<G: Offered> Playing for Match<G> {
    fn game_id(&self) -> &str {
        &self.game_id
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn last_step_at(&self) -> u64 {
        self.run.last_at()
    }

    fn last_beat_at(&self) -> u64 {
        self.last_beat_at
    }

    fn asked_at(&self, seat: Seat) -> Option<u64> {
        self.clocks.asked_at(seat)
    }

    fn awaiting(&self) -> Awaiting {
        G::awaiting(self.run.state())
    }

    fn ending(&self) -> Option<Ending> {
        ending::<G>(self.run.state())
    }

    fn clock(&self, seat: Seat) -> Option<Duration> {
        G::clock(self.run.state(), seat)
    }

    fn score(&self) -> Score {
        G::score(self.run.state())
    }

    fn seats(&self) -> &[Sitting] {
        &self.seats
    }

    fn is_aside(&self, act: &Act) -> bool {
        act.action::<G::Action>().is_some_and(G::is_aside)
    }

    fn act(&mut self, seat: Seat, act: &Act, now: u64) -> Result<Proposal, Refusal> {
        let Some(action) = act.action::<G::Action>() else {
            let message = format!("this is no move of {}", G::NAME);
            return Err(Refusal { code: "MALFORMED", reason: None, message, untimely: false });
        };
        self.propose(Cause::Seat { seat, action: action.clone() }, now)
    }

    fn played_by(&self, seat: Seat) -> PlayedBy {
        let is_person = |sitting: &Sitting| sitting.bot.is_none();
        if self.seats.get(seat.index()).is_none_or(is_person) {
            PlayedBy::Human
        } else if self.agent(seat).is_some() {
            PlayedBy::Agent
        } else if self.circle.bots.iter().any(|bot| bot.seat == seat) {
            PlayedBy::Bot
        } else {
            PlayedBy::Absent
        }
    }

    fn awaits_introduction(&self) -> bool {
        self.circle.agents.iter().any(|seated| seated.introduction.is_some())
    }

    fn introduce(&mut self, now: u64) -> Option<Proposal> {
        let introduction =
            |seated: &SeatedAgent<G>| Some((seated.seat, seated.introduction.clone()?));
        let (seat, action) = self.circle.agents.iter().find_map(introduction)?;
        self.propose(Cause::Seat { seat, action }, now).ok()
    }

    fn ask_agent(&self, seat: Seat, sink: ActSink) -> Option<BoxFuture<'static, ()>> {
        let seated = self.agent(seat)?;
        let options = seated.options();
        let dice = self.run.dice().stream(format_args!("bot/{}/{}", seat.0, self.position));
        (!options.is_empty()).then(|| seated.ask(options, dice, sink))
    }

    fn break_off(&mut self, seat: Seat, now: u64) -> Option<Proposal> {
        let action = self.agent(seat)?.break_off()?;
        self.propose(Cause::Seat { seat, action }, now).ok()
    }

    fn expire(&mut self, seat: Seat, now: u64) -> Option<Proposal> {
        let action = G::timeout(self.run.state(), seat)?;
        self.propose(Cause::Clock { seat, action }, now).ok()
    }

    fn proceed(&mut self, now: u64) -> Option<Proposal> {
        self.propose_if(Cause::House, now)
    }

    fn order(&mut self, order: Order, now: u64) -> Option<Proposal> {
        self.propose_if(Cause::Order { order }, now)
    }

    fn bot_acts(&mut self, now: u64) -> Option<Proposal> {
        let awaiting = self.awaiting();
        let bot = self.circle.bots.iter_mut().find(|bot| awaiting.includes(bot.seat))?;
        let mut options = Vec::new();
        G::options(bot.view.knowledge(), &mut options);
        if bot.intends.is_empty() {
            let mut dice =
                self.run.dice().stream(format_args!("bot/{}/{}", bot.seat.0, self.position));
            let mut acts = Vec::new();
            bot.player.act(bot.view.knowledge(), &options, &mut dice, &mut acts);
            bot.intends = acts.into();
        }
        let (seat, intended) = (bot.seat, bot.intends.pop_front());
        // Others may have moved since the bot made up its mind, and what it
        // meant to do may be gone.
        let mut actions = intended.into_iter().chain(options);
        actions.find_map(|action| self.propose(Cause::Seat { seat, action }, now).ok())
    }

    fn takeover(&self) -> Option<Duration> {
        self.takeover
    }

    fn stand_in_acts(&mut self, seat: Seat, now: u64) -> Option<Proposal> {
        let stand_in = self.circle.stand_ins.iter_mut().find(|bot| bot.seat == seat)?;
        let mut options = Vec::new();
        G::options(stand_in.view.knowledge(), &mut options);
        let mut dice = self.run.dice().stream(format_args!("bot/{}/{}", seat.0, self.position));
        let mut acts = Vec::new();
        stand_in.player.act(stand_in.view.knowledge(), &options, &mut dice, &mut acts);
        // A stand-in has no words of its own: only its move is made.
        let mut actions = acts.pop().into_iter().chain(options);
        actions.find_map(|action| self.propose(Cause::StandIn { seat, action }, now).ok())
    }

    fn settle(&mut self) -> Vec<StepMessages> {
        // The same again is accepted and makes nothing happen, at no time.
        let Some((step, events)) = self.run.proposed().filter(|(_, events)| !events.is_empty())
        else {
            self.run.withdraw();
            return Vec::new();
        };
        let (cause, at) = (step.cause.clone(), step.timestamp);
        self.position += events.len() as u64;
        self.run.settle(&mut self.circle);
        self.run.forget();
        self.keeper.step::<G>(at, self.run.state());
        self.clocks.step::<G>(&cause, self.run.state(), at);
        self.note_agent(&cause, at);
        let game_id = &self.game_id;
        let tell = |told_view: &mut DialectView<G>| {
            let first = told_view.position() + 1;
            let messages = told_view.told(game_id, at);
            let (viewer, dialect) = (told_view.viewer(), told_view.dialect().name());
            StepMessages { viewer, dialect, first, messages }
        };
        let told = self.circle.told_views.iter_mut().map(tell);
        told.filter(|told| !told.messages.is_empty()).collect()
    }

    fn withdraw(&mut self) {
        self.run.withdraw();
    }

    fn position_of(&self, viewer: Viewer, dialect: &str) -> Option<u64> {
        self.told_view(viewer, dialect).map(DialectView::position)
    }

    fn subscribe(
        &mut self,
        viewer: Viewer,
        dialect: &str,
        log: &[Envelope],
        after: u64,
    ) -> Result<Backlog, HouseError> {
        if viewer == Viewer::Postmortem && self.awaiting() != Awaiting::Nobody {
            return Err(HouseError::NotOver);
        }
        let spoken: Arc<dyn Dialect<G>> = dialect_of::<G>(dialect)?;
        let mut told_view = DialectView::new(viewer, spoken);
        let log = Log::<G>::read(log)?;
        let messages = told_view.catch_up_after(&log, &self.game_id, after);
        let position = told_view.position();
        self.unsubscribe(viewer, dialect);
        self.circle.told_views.push(told_view);
        let first = position + 1 - messages.len() as u64;
        Ok(Backlog { first, messages, position })
    }

    fn unsubscribe(&mut self, viewer: Viewer, dialect: &str) {
        self.circle.told_views.retain(|told_view| !is(told_view, viewer, dialect));
    }

    fn snapshot(
        &self,
        viewer: Viewer,
        dialect: &str,
        now: u64,
        seconds_left: Option<u32>,
    ) -> Option<(u64, String)> {
        let told_view = self.told_view(viewer, dialect)?;
        Some((told_view.position(), told_view.snapshot(&self.game_id, now, seconds_left)))
    }
}
