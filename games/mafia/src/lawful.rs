//! What the laws need to know of Mafia.

use std::sync::Arc;

use parlor_kernel::Log;
use parlor_kernel::laws::Lawful;

use crate::action::{Action, Channel, HIGHEST_BID, LONGEST_STATEMENT, LONGEST_THOUGHT};
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::{Event, GameCreated, Investigation, Stage};
use crate::game::Mafia;
use crate::options;
use crate::role::Role;
use crate::state::{Knowledge, State};
use crate::words::Words;

impl Lawful for Mafia {
    fn every_action() -> Vec<Action> {
        let mut every = vec![
            Action::Acknowledge {},
            Action::Kill { target: None },
            Action::Vote { target: None },
            Action::FallBack { reason: Words::from("tired") },
            Action::Fault { reason: Words::from("no JSON") },
            Action::Usage(Box::default()),
            Action::Assign(Box::default()),
        ];
        for target in PlayerId::all(MAX_PLAYERS) {
            every.push(Action::Kill { target: Some(target) });
            every.push(Action::Protect { target });
            every.push(Action::Investigate { target });
            every.push(Action::Vote { target: Some(target) });
        }
        every.extend((0..=HIGHEST_BID + 1).map(|amount| Action::Bid { amount }));
        for length in [0, 1, LONGEST_STATEMENT, LONGEST_STATEMENT + 1, LONGEST_THOUGHT + 1] {
            let text = Words::from("ä".repeat(length));
            for r#final in [true, false] {
                for channel in [Channel::Public, Channel::Mafia] {
                    every.push(Action::Say { text: text.clone(), r#final, channel });
                }
                every.push(Action::Think { text: text.clone(), r#final });
            }
        }
        every
    }

    fn plain(knowledge: &Knowledge, action: &Action) -> Action {
        options::plain(knowledge, action)
    }

    fn transplant(log: &Log<Self>, imagined: &State) -> Log<Self> {
        let elsewhere = Elsewhere::of(log, imagined);
        let mut there = Log { events: Vec::new(), steps: log.steps.clone() };
        let mut place = 0;
        for (step, (_, events)) in there.steps.iter_mut().zip(log.by_step()) {
            step.first = there.events.len() as u32;
            for event in events {
                there.events.extend(elsewhere.event(place, event));
                place += 1;
            }
        }
        there
    }

    fn invariant(state: &State) -> Result<(), String> {
        let Some(table) = state.table.as_deref() else { return Ok(()) };
        let (board, rules) = (&state.board, &table.rules);
        let everyone = table.players();
        let cast = &state.cast;
        for (role, players, count) in [
            ("mafia", cast.mafia, rules.mafia),
            ("doctor", cast.doctor, rules.doctor),
            ("sheriff", cast.sheriff, rules.sheriff),
        ] {
            if players.len() != usize::from(count) || !everyone.holds(players) {
                return Err(format!("{} {role}, not {count}", players.len()));
            }
        }
        let dead: Players =
            everyone.iter().filter(|player| board.deaths[player.index()].is_some()).collect();
        if dead != everyone.without(board.alive) {
            return Err(format!("{dead:?} have died, {:?} live", board.alive));
        }
        for (what, players) in [
            ("acted tonight", state.night.acted),
            ("voted", board.voted.and(asked_to_vote(state))),
            ("spoke", board.spoken),
            ("bid", state.bids.bidders),
            ("have the floor", board.speaker.map_or(Players::NOBODY, Players::only)),
        ] {
            if !board.alive.holds(players) {
                return Err(format!("the dead {what}: {:?}", players.without(board.alive)));
            }
        }
        let resting =
            matches!(board.stage, Stage::NightActions | Stage::DayDiscussion | Stage::DayVoting);
        if resting && cast.winner(board.alive).is_some() {
            return Err("the game goes on though it is won".to_owned());
        }
        Ok(())
    }
}

fn asked_to_vote(state: &State) -> Players {
    if state.board.stage == Stage::DayVoting {
        Players::first(MAX_PLAYERS)
    } else {
        Players::NOBODY
    }
}

/// A log told anew in a world where the roles are others.
struct Elsewhere<'a> {
    here: Option<&'a GameCreated>,
    there: &'a State,
    last_dawn: usize,
    last_count: usize,
    last_floor: usize,
}

impl<'a> Elsewhere<'a> {
    fn of(log: &'a Log<Mafia>, there: &'a State) -> Elsewhere<'a> {
        let last = |is: fn(&Event) -> bool| log.events.iter().rposition(is).unwrap_or(0);
        let here = log.events.iter().find_map(|event| match event {
            Event::GameCreated(created) => Some(&**created),
            _ => None,
        });
        Elsewhere {
            here,
            there,
            last_dawn: last(|event| matches!(event, Event::NightResolved(_))),
            last_count: last(|event| matches!(event, Event::VoteResult(_))),
            last_floor: last(|event| {
                matches!(event, Event::FloorGiven(_) | Event::AgentSayStream(_))
            }),
        }
    }

    fn same_role(&self, player: PlayerId) -> bool {
        self.here.is_some_and(|here| here.cast.role(player) == self.there.cast.role(player))
    }

    /// What is hidden and different there: an act of someone with another
    /// role, an act unseen while its phase is still open, a fault.
    fn event(&self, place: usize, event: &Event) -> Option<Event> {
        let there = self.there;
        let acted = |player| {
            let is_past = place < self.last_dawn;
            self.same_role(player) && (is_past || there.night.acted.contains(player))
        };
        let keep = match event {
            Event::NightActionSubmitted(submitted) => acted(submitted.agent_id),
            Event::NightAcknowledged(acknowledged) => acted(acknowledged.agent_id),
            Event::AgentSayStream(chunk) if chunk.turn_id.is_whispered() => {
                let whispers = there.night.whispers[chunk.agent_id.index()];
                place < self.last_dawn || whispers.finished > 0 || whispers.length > 0
            }
            Event::VoteCast(vote) => {
                place < self.last_count || there.board.voted.contains(vote.voter_id)
            }
            Event::FloorBid(bid) => {
                place < self.last_floor || there.bids.bidders.contains(bid.agent_id)
            }
            Event::AgentFault(_) => false,
            _ => true,
        };
        keep.then(|| self.recast(place, event))
    }

    fn recast(&self, place: usize, event: &Event) -> Event {
        let mut event = event.clone();
        match &mut event {
            Event::GameCreated(created) => {
                let mut opening = created.opening.clone();
                if let Some(seal) = &self.there.seal {
                    opening.seal = seal.as_ref().clone();
                }
                *created = Arc::new(GameCreated { opening, cast: self.there.cast });
            }
            Event::NightResolved(night) => {
                if place == self.last_dawn {
                    night.protected_player_id = self.there.last_protected;
                } else if !self.is_same(Role::Doctor) {
                    night.protected_player_id = None;
                }
                let same_sheriff = self.is_same(Role::Sheriff);
                night.investigation_result =
                    night.investigation_result.filter(|_| same_sheriff).map(|found| {
                        let is_mafia = self.there.cast.mafia.contains(found.target_id);
                        Investigation { is_mafia, ..found }
                    });
            }
            Event::PlayerEliminated(death) => {
                death.role = self.there.cast.role(death.player_id);
            }
            _ => {}
        }
        event
    }

    fn is_same(&self, role: Role) -> bool {
        PlayerId::all(MAX_PLAYERS)
            .filter(|player| self.there.cast.role(*player) == role)
            .all(|player| self.same_role(player))
    }
}
