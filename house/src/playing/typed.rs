//! A game under way, with its types.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::{
    Awaiting, BotKind, Cause, Dialect, DialectView, Dice, Envelope, Game, Log, LogError, Offered,
    Opening, Order, Player, Score, Seat, Sitting, Timekeeper, View, Viewer,
};
use parlor_players::BoxFuture;

use super::{Act, Backlog, Ending, Playing, Proposal, Refusal, StepMessages, ViewError};
use crate::agents::{ActSink, Agents, PlayedBy};
use crate::clocks::Clocks;
use crate::offer::{dialect_of, kind_of};
use crate::seated_agent::SeatedAgent;

/// A game under way, with its types.
pub(crate) struct Match<G: Offered> {
    game_id: Arc<str>,
    state: G::State,
    position: u64,
    last_step_at: u64,
    last_beat_at: u64,
    keeper: Timekeeper,
    clocks: Clocks,
    dice: Dice,
    seats: Arc<[Sitting]>,
    bots: Vec<Bot<G>>,
    agents: Vec<SeatedAgent<G>>,
    told_views: Vec<DialectView<G>>,
    proposed: Vec<G::Event>,
    proposed_by: Cause<G::Action>,
    proposed_at: u64,
}

struct Bot<G: Game> {
    seat: Seat,
    view: View<G>,
    player: Box<dyn Player<G>>,
    /// What it has made up its mind to do, its move last.
    intends: VecDeque<G::Action>,
}

impl<G: Offered> Match<G> {
    /// A game about to be opened: its first step is proposed.
    pub(crate) fn open(
        opening: Opening<G::Rules>,
        agents: &Agents,
        now: u64,
    ) -> (Match<G>, Proposal) {
        let mut table = Match::<G>::empty(&opening, agents, &Log::default());
        let mut events = Vec::new();
        G::open(opening, &table.dice, &mut events);
        let proposal = table.propose(events, Cause::House, now);
        (table, proposal)
    }

    /// A game as its log leaves it.
    pub(crate) fn resume(envelopes: &[Envelope], agents: &Agents) -> Result<Match<G>, LogError> {
        let log = Log::<G>::read(envelopes)?;
        let opening = log.events.first().and_then(G::opening).ok_or(LogError::NoOpening)?;
        let mut table = Match::<G>::empty(opening, agents, &log);
        table.position = log.events.len() as u64;
        table.last_step_at = log.steps.last().map_or(0, |step| step.timestamp);
        table.last_beat_at = table.last_step_at;
        for (step, events) in log.by_step() {
            for event in events {
                G::apply(&mut table.state, event);
                table.show_players(event);
            }
            table.keeper.step::<G>(step.timestamp, &table.state);
            table.clocks.step::<G>(&step.cause, &table.state, step.timestamp);
        }
        Ok(table)
    }

    fn empty(opening: &Opening<G::Rules>, agents: &Agents, log: &Log<G>) -> Match<G> {
        let agents = agents.seat::<G>(opening, &log.events);
        let kinds = G::bots();
        let bot_in = |(seat, sitting): (usize, &Sitting)| {
            let kind: &BotKind<G> = kind_of(&kinds, sitting.bot.as_deref()?)?;
            let seat = Seat(seat as u8);
            let (view, player) = (View::new(Viewer::Seat(seat)), (kind.make)());
            Some(Bot { seat, view, player, intends: VecDeque::new() })
        };
        Match {
            game_id: opening.game_id.as_str().into(),
            state: G::State::default(),
            position: 0,
            last_step_at: 0,
            last_beat_at: 0,
            keeper: Timekeeper::default(),
            clocks: Clocks::default(),
            dice: opening.dice(),
            seats: opening.seats.clone(),
            bots: opening.seats.iter().enumerate().filter_map(bot_in).collect(),
            agents: agents.into_iter().map(|(seat, it)| SeatedAgent::new(seat, it, log)).collect(),
            told_views: Vec::new(),
            proposed: Vec::new(),
            proposed_by: Cause::House,
            proposed_at: 0,
        }
    }

    fn propose(&mut self, events: Vec<G::Event>, cause: Cause<G::Action>, now: u64) -> Proposal {
        // Time never runs backwards inside a log, whatever the clock does.
        let now = now.max(self.last_step_at);
        let times = self.keeper.times(now);
        let mut after = self.state.clone();
        let seal = |(index, event): (usize, &G::Event)| {
            let cause = (index == 0).then_some(&cause);
            let sequence = self.position + index as u64;
            G::apply(&mut after, event);
            Envelope::seal_up::<G>(&self.game_id, sequence, &times, &after, event, cause)
        };
        let envelopes = events.iter().enumerate().map(seal).collect();
        self.proposed = events;
        self.proposed_by = cause;
        self.proposed_at = now;
        let ends = ending::<G>(&after);
        Proposal { game_id: Arc::clone(&self.game_id), expected: self.position, envelopes, ends }
    }

    fn decide(
        &mut self,
        seat: Seat,
        action: &G::Action,
        cause: Cause<G::Action>,
        now: u64,
    ) -> Result<Proposal, Refusal> {
        let mut events = Vec::new();
        G::decide(&self.state, seat, action, &self.dice, &mut events)
            .map_err(|refusal| Refusal::by(&refusal))?;
        Ok(self.propose(events, cause, now))
    }

    /// Lets bots and agents see an event that was applied.
    fn show_players(&mut self, event: &G::Event) {
        let bots = self.bots.iter_mut().map(|bot| &mut bot.view);
        let agents = self.agents.iter_mut().map(|seated| &mut seated.view);
        for view in bots.chain(agents) {
            view.follow(&self.state, event);
        }
    }

    /// The name of an agent that should play here and is not known.
    pub(crate) fn absent(&self) -> Option<String> {
        let seats = (0..self.seats.len() as u8).map(Seat);
        let absent = |seat: &Seat| self.played_by(*seat) == PlayedBy::Absent;
        self.seats.get(seats.clone().find(absent)?.index())?.bot.clone()
    }

    fn agent(&self, seat: Seat) -> Option<&SeatedAgent<G>> {
        self.agents.iter().find(|seated| seated.seat == seat)
    }

    /// The step was made: an introduction is over with it, and only what
    /// others may want time to take in is a beat.
    fn note_agent(&mut self) {
        let cause = &self.proposed_by;
        let Cause::Seat { seat, action } = cause else {
            self.last_beat_at = self.proposed_at;
            return;
        };
        let seated = self.agents.iter_mut().find(|seated| seated.seat == *seat);
        if seated.is_none() || G::is_for_clients(action) {
            self.last_beat_at = self.proposed_at;
        }
        if let Some(seated) = seated
            && seated.introduction.as_ref() == Some(action)
        {
            seated.introduction = None;
        }
    }

    fn told_view(&self, viewer: Viewer, dialect: &str) -> Option<&DialectView<G>> {
        self.told_views.iter().find(|told_view| is(told_view, viewer, dialect))
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
        self.last_step_at
    }

    fn last_beat_at(&self) -> u64 {
        self.last_beat_at
    }

    fn asked_at(&self, seat: Seat) -> Option<u64> {
        self.clocks.asked_at(seat)
    }

    fn awaiting(&self) -> Awaiting {
        G::awaiting(&self.state)
    }

    fn ending(&self) -> Option<Ending> {
        ending::<G>(&self.state)
    }

    fn clock(&self, seat: Seat) -> Option<Duration> {
        G::clock(&self.state, seat)
    }

    fn score(&self) -> Score {
        G::score(&self.state)
    }

    fn seats(&self) -> &[Sitting] {
        &self.seats
    }

    fn act(&mut self, seat: Seat, act: &Act, now: u64) -> Result<Proposal, Refusal> {
        let Some(action) = act.action::<G::Action>() else {
            let message = format!("this is no move of {}", G::NAME);
            return Err(Refusal { code: "MALFORMED", reason: None, message, untimely: false });
        };
        self.decide(seat, action, Cause::Seat { seat, action: action.clone() }, now)
    }

    fn played_by(&self, seat: Seat) -> PlayedBy {
        let is_person = |sitting: &Sitting| sitting.bot.is_none();
        if self.seats.get(seat.index()).is_none_or(is_person) {
            PlayedBy::Human
        } else if self.agent(seat).is_some() {
            PlayedBy::Agent
        } else if self.bots.iter().any(|bot| bot.seat == seat) {
            PlayedBy::Bot
        } else {
            PlayedBy::Absent
        }
    }

    fn awaits_introduction(&self) -> bool {
        self.agents.iter().any(|seated| seated.introduction.is_some())
    }

    fn introduce(&mut self, now: u64) -> Option<Proposal> {
        let introduction =
            |seated: &SeatedAgent<G>| Some((seated.seat, seated.introduction.clone()?));
        let (seat, action) = self.agents.iter().find_map(introduction)?;
        let cause = Cause::Seat { seat, action: action.clone() };
        self.decide(seat, &action, cause, now).ok()
    }

    fn ask_agent(&self, seat: Seat, sink: ActSink) -> Option<BoxFuture<'static, ()>> {
        let seated = self.agent(seat)?;
        let options = seated.options();
        let dice = self.dice.stream(format_args!("bot/{}/{}", seat.0, self.position));
        (!options.is_empty()).then(|| seated.ask(options, dice, sink))
    }

    fn break_off(&mut self, seat: Seat, now: u64) -> Option<Proposal> {
        let action = self.agent(seat)?.break_off()?;
        let cause = Cause::Seat { seat, action: action.clone() };
        self.decide(seat, &action, cause, now).ok()
    }

    fn expire(&mut self, seat: Seat, now: u64) -> Option<Proposal> {
        let action = G::timeout(&self.state, seat)?;
        let cause = Cause::Clock { seat, action: action.clone() };
        self.decide(seat, &action, cause, now).ok()
    }

    fn proceed(&mut self, now: u64) -> Option<Proposal> {
        let Awaiting::House { .. } = self.awaiting() else { return None };
        let mut events = Vec::new();
        G::proceed(&self.state, &self.dice, &mut events);
        (!events.is_empty()).then(|| self.propose(events, Cause::House, now))
    }

    fn order(&mut self, order: Order, now: u64) -> Option<Proposal> {
        let mut events = Vec::new();
        G::obey(&self.state, &order, &mut events);
        (!events.is_empty()).then(|| self.propose(events, Cause::Order { order }, now))
    }

    fn bot_acts(&mut self, now: u64) -> Option<Proposal> {
        let awaiting = self.awaiting();
        let bot = self.bots.iter_mut().find(|bot| awaiting.includes(bot.seat))?;
        let mut options = Vec::new();
        G::options(bot.view.knowledge(), &mut options);
        if bot.intends.is_empty() {
            let mut dice = self.dice.stream(format_args!("bot/{}/{}", bot.seat.0, self.position));
            let mut acts = Vec::new();
            bot.player.act(bot.view.knowledge(), &options, &mut dice, &mut acts);
            bot.intends = acts.into();
        }
        let (seat, intended) = (bot.seat, bot.intends.pop_front());
        // Others may have moved since the bot made up its mind, and what it
        // meant to do may be gone.
        let mut events = Vec::new();
        let action = intended
            .into_iter()
            .chain(options)
            .find(|action| G::decide(&self.state, seat, action, &self.dice, &mut events).is_ok())?;
        Some(self.propose(events, Cause::Seat { seat, action }, now))
    }

    fn settle(&mut self) -> Vec<StepMessages> {
        // The same again is accepted and makes nothing happen, at no time.
        if self.proposed.is_empty() {
            return Vec::new();
        }
        let proposed = std::mem::take(&mut self.proposed);
        for event in &proposed {
            G::apply(&mut self.state, event);
            self.show_players(event);
            for told_view in &mut self.told_views {
                told_view.witness(&self.state, event);
            }
        }
        self.position += proposed.len() as u64;
        self.last_step_at = self.proposed_at;
        self.keeper.step::<G>(self.proposed_at, &self.state);
        self.clocks.step::<G>(&self.proposed_by, &self.state, self.proposed_at);
        self.note_agent();
        let (game_id, at) = (&self.game_id, self.proposed_at);
        let tell = |told_view: &mut DialectView<G>| {
            let first = told_view.position() + 1;
            let messages = told_view.told(game_id, at);
            let (viewer, dialect) = (told_view.viewer(), told_view.dialect().name());
            StepMessages { viewer, dialect, first, messages }
        };
        self.told_views.iter_mut().map(tell).filter(|told| !told.messages.is_empty()).collect()
    }

    fn withdraw(&mut self) {
        self.proposed.clear();
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
    ) -> Result<Backlog, ViewError> {
        if viewer == Viewer::Postmortem && self.awaiting() != Awaiting::Nobody {
            return Err(ViewError::NotOver);
        }
        let spoken: Arc<dyn Dialect<G>> = dialect_of::<G>(dialect)?;
        let mut told_view = DialectView::new(viewer, spoken);
        let log = Log::<G>::read(log)?;
        let mut messages = told_view.catch_up(&log, &self.game_id);
        messages.drain(..messages.len().min(after as usize));
        let position = told_view.position();
        self.unsubscribe(viewer, dialect);
        self.told_views.push(told_view);
        let first = position + 1 - messages.len() as u64;
        Ok(Backlog { first, messages, position })
    }

    fn unsubscribe(&mut self, viewer: Viewer, dialect: &str) {
        self.told_views.retain(|told_view| !is(told_view, viewer, dialect));
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
