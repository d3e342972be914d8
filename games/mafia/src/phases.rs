//! How one phase leads to the next: dawn, the floor, the count, the end.

use std::sync::Arc;

use parlor_kernel::{Dice, Put, Seal};

use crate::ballot::{Choice, Choices, Verdict, outcome};
use crate::board::round_number;
use crate::circle::{PlayerId, Players};
use crate::event::{
    Event, Fate, FloorGiven, GameEnded, NightResolved, Phase, PhaseChanged, PlayerEliminated,
    VoteResult,
};
use crate::night::{self, Aim};
use crate::role::Team;
use crate::rules::{Flip, Rules};
use crate::state::State;

/// A phase begins.
#[inline]
pub(crate) fn phase(from: Phase, to: Phase, day_number: u16) -> Event {
    let round_number = round_number(to, day_number);
    Event::PhaseChanged(PhaseChanged { from, to, day_number, round_number })
}

/// Whoever keeps the game: what happens when the last of those awaited acted.
#[derive(Clone, Copy)]
pub(crate) struct House<'a> {
    pub state: &'a State,
    pub rules: &'a Rules,
    pub seal: &'a Seal,
    pub dice: &'a Dice,
    /// Whether some seat plays fallbacks to the end.
    pub degraded: bool,
}

impl House<'_> {
    /// A phase follows, and what the rules leave empty is passed over.
    #[cold]
    pub fn change_phase(&self, from: Phase, to: Phase, day: u16, out: &mut Vec<Event>) {
        out.put(|| phase(from, to, day));
        if to == Phase::DayDiscussion && self.rules.discussion_rounds == 0 {
            out.put(|| phase(to, Phase::DayVoting, day));
        }
    }

    /// Ends the night if everyone it waits for has acted with this one's choice.
    #[inline]
    pub fn close_night_after(&self, player: PlayerId, choice: Choice, out: &mut Vec<Event>) {
        let night = &self.state.night;
        if night.acted.with(player).holds(self.state.night_watch(self.rules)) {
            self.close_night(&night.choices.with(player, choice), out);
        }
    }

    #[cold]
    fn close_night(&self, choices: &Choices, out: &mut Vec<Event>) {
        let State { board, cast, .. } = self.state;
        let night = board.day.saturating_add(1);
        out.put(|| phase(Phase::NightActions, Phase::MorningReveal, night));
        let target = match night::aim(cast, board.alive, choices) {
            Aim::At(target) => target,
            Aim::Drawn { from, or_nobody, all_silent: false } => {
                let mut stream = self.dice.stream(format_args!("mafia-tie/{night}"));
                night::draw(from, or_nobody, &mut stream)
            }
            Aim::Drawn { from, or_nobody, all_silent: true } => {
                let mut stream = self.dice.stream(format_args!("fallback/night/{night}/mafia"));
                night::draw(from, or_nobody, &mut stream)
            }
        };
        let protected = night::protected(cast, board.alive, choices);
        let saved = target.is_some() && target == protected;
        let killed = target.filter(|_| !saved);
        out.put(|| {
            Event::NightResolved(NightResolved {
                night_number: night,
                killed_player_id: killed,
                protected_player_id: protected,
                protection_prevents_kill: saved,
                investigation_result: night::investigation(cast, board.alive, choices),
            })
        });
        let round = round_number(Phase::MorningReveal, night);
        let from = Phase::MorningReveal;
        let over = killed.is_some_and(|killed| {
            self.eliminate(killed, Fate::NightKill, round, out);
            self.end_if_won(from, board.alive.but(killed), night, out)
        });
        if !over {
            self.change_phase(from, Phase::DayDiscussion, night, out);
        }
    }

    fn eliminate(&self, player: PlayerId, by: Fate, round: u16, out: &mut Vec<Event>) {
        let flip = match by {
            Fate::Vote => self.rules.flip.vote,
            Fate::NightKill => self.rules.flip.night_kill,
        };
        out.put(|| {
            Event::PlayerEliminated(PlayerEliminated {
                player_id: player,
                role: self.state.cast.role(player),
                eliminated_by: by,
                round_number: round,
                flip_revealed_role: flip == Flip::Role,
                flip,
            })
        });
    }

    /// The win is checked after every death.
    fn end_if_won(&self, from: Phase, alive: Players, day: u16, out: &mut Vec<Event>) -> bool {
        let Some(winner) = self.state.cast.winner(alive) else { return false };
        out.put(|| phase(from, Phase::End, day));
        self.end(winner, alive, day, out);
        true
    }

    fn end(&self, winner: Team, alive: Players, day: u16, out: &mut Vec<Event>) {
        out.push(Event::GameEnded(Arc::new(GameEnded {
            winner: Some(winner),
            reason: None,
            players: self.rules.players,
            cast: self.state.cast,
            alive,
            day_number: day,
            round_number: round_number(Phase::End, day),
            degraded: self.degraded,
            opening: self.seal.open(),
        })));
    }

    /// Gives the floor to the highest bidder if this was the last bid; if
    /// nobody wants it, the discussion is over.
    pub fn give_floor_after(&self, player: PlayerId, amount: u8, out: &mut Vec<Event>) {
        let State { board, bids, .. } = self.state;
        if !bids.bidders.with(player).holds(board.alive) {
            return;
        }
        let bid = |other: PlayerId| {
            if other == player { amount } else { bids.amounts[other.index()] }
        };
        let highest = board.alive.iter().map(bid).max().unwrap_or(0);
        if highest == 0 {
            return self.change_phase(Phase::DayDiscussion, Phase::DayVoting, board.day, out);
        }
        let eager: Players = board.alive.iter().filter(|other| bid(*other) == highest).collect();
        let (day, turn) = (board.day, board.pass);
        let speaker = if eager.len() == 1 {
            eager.iter().next()
        } else {
            night::draw(eager, false, &mut self.dice.stream(format_args!("floor/{day}/{turn}")))
        };
        if let Some(agent_id) = speaker {
            out.push(Event::FloorGiven(FloorGiven { agent_id, amount: highest, turn }));
        }
    }

    /// Everyone has voted.
    #[cold]
    pub fn close_ballot(&self, votes: &Choices, out: &mut Vec<Event>) {
        let board = &self.state.board;
        let (day, ballot) = (board.day, board.ballot);
        let counted = outcome(self.rules, board.alive, votes, ballot);
        let (eliminated, runoff) = match counted.verdict {
            Verdict::Nobody => (None, Players::NOBODY),
            Verdict::Falls(player) => (Some(player), Players::NOBODY),
            Verdict::Drawn(tied) => {
                let mut stream = self.dice.stream(format_args!("vote-tie/{day}/{ballot}"));
                (night::draw(tied, false, &mut stream), Players::NOBODY)
            }
            Verdict::Runoff(tied) => (None, tied),
        };
        let result = Event::VoteResult(Arc::new(VoteResult {
            round_number: board.round(),
            ballot,
            voters: board.alive,
            choices: *votes,
            eliminated,
            majority_reached: counted.majority,
            tie: counted.tie,
            runoff,
        }));
        // A second ballot stays inside the vote: RESOLUTION leads to the night.
        if !runoff.is_empty() {
            return out.push(result);
        }
        let from = Phase::Resolution;
        out.put(|| phase(Phase::DayVoting, from, day));
        out.push(result);
        let over = eliminated.is_some_and(|player| {
            self.eliminate(player, Fate::Vote, board.round(), out);
            self.end_if_won(from, board.alive.but(player), day, out)
        });
        if !over {
            self.change_phase(from, Phase::NightActions, day, out);
        }
    }
}
