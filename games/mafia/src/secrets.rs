//! What is secret, and from whom, as the laws of the kernel exchange it.
//!
//! A role is a side and, within the town, a job. What is done tonight in a role
//! goes with it when roles are exchanged: whom the night waits for is as secret
//! as who is who. Death changes nothing; a flip opens the side, or both.

use parlor_kernel::laws::{Eyes, Secrets};
use parlor_kernel::{Imagine, SeatSet, Stream};

use crate::action::Action;
use crate::ballot::Choice;
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::{Fate, Phase};
use crate::game::Mafia;
use crate::imagine::could_have_led_here;
use crate::night::Night;
use crate::options;
use crate::role::{Cast, Role, Team};
use crate::rules::{Flip, Flips, Rules, SpeakingOrder, Votes};
use crate::state::{Knowledge, State};

/// A place that holds something secret.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// Which side a player is on.
    Side(PlayerId),
    /// What a player of the town is.
    Job(PlayerId),
    /// What a player has done tonight, if it has.
    Deed(PlayerId),
    /// What a player has said to the mafia tonight.
    Whispers(PlayerId),
    /// Whether the doctor watches over a player in this night.
    Ward(u16, PlayerId),
    /// Whether the sheriff has asked after a player.
    Inquiry(PlayerId),
    /// A sealed vote in this ballot of the day, if it is cast.
    Vote(u8, PlayerId),
    /// A bid for the floor, if it is made.
    Bid(PlayerId),
}

impl Secrets for Mafia {
    type Cell = Cell;

    fn secrets(state: &State, out: &mut Vec<(Cell, Eyes)>) {
        let Some(rules) = state.rules() else { return };
        let (board, cast) = (&state.board, &state.cast);
        if board.is_over() {
            return;
        }
        let may_look = |players: Players| Eyes { seats: SeatSet::from(players), afterwards: true };
        for player in rules.everyone() {
            let flip = flipped(state, rules, player);
            let is_mafia = cast.mafia.contains(player);
            let finder = if state.found.contains(player) { cast.sheriff } else { Players::NOBODY };
            // Who knows all mafia knows who is not.
            let side = cast.mafia.or(finder).with(player);
            if flip == Flip::None {
                out.push((Cell::Side(player), may_look(side)));
            }
            // The mafia's side has one job only.
            let job = if is_mafia { side } else { Players::only(player) };
            if flip == Flip::None || flip == Flip::Team && !is_mafia {
                out.push((Cell::Job(player), may_look(job)));
            }
            if rules.sheriff > 0 {
                out.push((Cell::Inquiry(player), may_look(cast.sheriff)));
            }
        }
        let was_saved = board.saves.last() == Some(&board.day);
        for player in board.alive {
            let own = Eyes::of(player.seat());
            let mates = may_look(cast.mafia.with(player));
            let is_mafia = cast.mafia.contains(player);
            if rules.doctor > 0 && board.day > 0 && !was_saved {
                out.push((Cell::Ward(board.day, player), may_look(cast.doctor)));
            }
            if board.phase == Phase::NightActions {
                let is_heard = is_mafia && state.night.choices.of(player) != Choice::Open;
                out.push((Cell::Deed(player), if is_heard { mates } else { own }));
                if rules.mafia_channel {
                    out.push((Cell::Whispers(player), if is_mafia { mates } else { own }));
                }
                if rules.doctor > 0 {
                    let night = board.day.saturating_add(1);
                    out.push((Cell::Ward(night, player), may_look(cast.doctor)));
                }
            }
            if board.phase == Phase::DayVoting && rules.votes == Votes::Sealed {
                out.push((Cell::Vote(board.ballot, player), own));
            }
            let bidding = rules.speaking_order == SpeakingOrder::Bidding;
            if board.phase == Phase::DayDiscussion && bidding && board.speaker.is_none() {
                out.push((Cell::Bid(player), own));
            }
        }
    }

    fn swap(state: &mut State, one: Cell, other: Cell) -> bool {
        let mut there = state.clone();
        let exchanged = match (one, other) {
            (Cell::Side(a), Cell::Side(b)) => {
                let [one, other] = [a, b].map(|player| there.cast.role(player).team());
                one != other && there.exchange_roles(a, b)
            }
            (Cell::Job(a), Cell::Job(b)) => {
                let both_town = [a, b].iter().all(|it| there.cast.role(*it).team() == Team::Town);
                both_town && there.exchange_roles(a, b)
            }
            (Cell::Deed(a), Cell::Deed(b)) => {
                there.night.exchange(a, b);
                true
            }
            (Cell::Whispers(a), Cell::Whispers(b)) => {
                there.night.whispers.swap(a.index(), b.index());
                there.cast.role(a) == there.cast.role(b)
            }
            (Cell::Ward(night, a), Cell::Ward(of, b)) => night == of && there.ward(night, a, b),
            (Cell::Inquiry(a), Cell::Inquiry(b)) => there.ask_after(a, b),
            (Cell::Vote(ballot, a), Cell::Vote(of, b)) => {
                ballot == of && there.exchange_votes(a, b)
            }
            (Cell::Bid(a), Cell::Bid(b)) => {
                there.bids.amounts.swap(a.index(), b.index());
                exchange(&mut there.bids.bidders, a, b);
                true
            }
            _ => false,
        };
        let is_world = exchanged && there.could_be(&state.cast);
        if is_world {
            *state = there;
        }
        is_world
    }

    fn clear(state: &mut State, cell: Cell) -> bool {
        match cell {
            Cell::Deed(player) => {
                state.night.acted.remove(player);
                state.night.choices.set(player, Choice::Open);
            }
            Cell::Whispers(player) => state.night.whispers[player.index()] = Default::default(),
            Cell::Vote(_, player) => {
                state.board.voted.remove(player);
                state.board.votes.set(player, Choice::Open);
            }
            Cell::Bid(player) => {
                state.bids.bidders.remove(player);
                state.bids.amounts[player.index()] = 0;
            }
            Cell::Side(_) | Cell::Job(_) | Cell::Ward(..) | Cell::Inquiry(_) => return false,
        }
        true
    }

    fn invariant(state: &State) -> Result<(), String> {
        let (board, Some(rules)) = (&state.board, state.rules()) else { return Ok(()) };
        let everyone = rules.everyone();
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
            matches!(board.phase, Phase::NightActions | Phase::DayDiscussion | Phase::DayVoting);
        if resting && cast.winner(board.alive).is_some() {
            return Err("the game goes on though it is won".to_owned());
        }
        Ok(())
    }

    fn imagined(knowledge: &Knowledge, dice: &mut Stream) -> Option<State> {
        Some(Self::imagine(knowledge, dice))
    }

    fn plain(knowledge: &Knowledge, action: &Action) -> Action {
        options::plain(knowledge, action)
    }
}

/// What everyone has learned of a player.
fn flipped(state: &State, rules: &Rules, player: PlayerId) -> Flip {
    match state.board.deaths[player.index()].map(|death| death.by) {
        None => Flip::None,
        Some(Fate::Vote) => rules.flip.vote,
        Some(Fate::NightKill) => rules.flip.night_kill,
    }
}

fn exchange(players: &mut Players, a: PlayerId, b: PlayerId) {
    if players.contains(a) != players.contains(b) {
        for player in [a, b] {
            if players.contains(player) {
                players.remove(player);
            } else {
                players.insert(player);
            }
        }
    }
}

impl Night {
    fn exchange(&mut self, a: PlayerId, b: PlayerId) {
        let (of_a, of_b) = (self.choices.of(a), self.choices.of(b));
        self.choices.set(a, of_b);
        self.choices.set(b, of_a);
        exchange(&mut self.acted, a, b);
    }
}

impl State {
    /// Two players exchange their roles and what they did tonight in them. By
    /// night the dead have nothing to exchange with the living: those are
    /// awaited.
    fn exchange_roles(&mut self, a: PlayerId, b: PlayerId) -> bool {
        let (of_a, of_b) = (self.cast.role(a), self.cast.role(b));
        self.cast.set(a, of_b);
        self.cast.set(b, of_a);
        self.night.exchange(a, b);
        self.night.whispers.swap(a.index(), b.index());
        let alive = self.board.alive;
        let is_night = self.board.phase == Phase::NightActions;
        of_a != of_b && (!is_night || alive.contains(a) == alive.contains(b))
    }

    /// The doctor watches over one in place of the other.
    fn ward(&mut self, night: u16, a: PlayerId, b: PlayerId) -> bool {
        let other = |player: PlayerId| match player {
            _ if player == a => b,
            _ if player == b => a,
            _ => player,
        };
        if night == self.board.day {
            self.last_protected = self.last_protected.map(other);
        } else if let Some(doctor) = self.cast.doctor.iter().next()
            && let Choice::On(target) = self.night.choices.of(doctor)
        {
            self.night.choices.set(doctor, Choice::On(other(target)));
        }
        true
    }

    /// The sheriff has asked after one in place of the other.
    fn ask_after(&mut self, a: PlayerId, b: PlayerId) -> bool {
        let Some(sheriff) = self.cast.sheriff.iter().next() else { return false };
        exchange(&mut self.found, a, b);
        match self.night.choices.of(sheriff) {
            Choice::On(target) if target == a => self.night.choices.set(sheriff, Choice::On(b)),
            Choice::On(target) if target == b => self.night.choices.set(sheriff, Choice::On(a)),
            _ => {}
        }
        !self.found.contains(sheriff)
    }

    fn exchange_votes(&mut self, a: PlayerId, b: PlayerId) -> bool {
        let board = &mut self.board;
        let (of_a, of_b) = (board.votes.of(a), board.votes.of(b));
        board.votes.set(a, of_b);
        board.votes.set(b, of_a);
        exchange(&mut board.voted, a, b);
        of_a != Choice::On(b) && of_b != Choice::On(a)
    }

    /// Whether it could have come to this, and the next death ends the game
    /// here if it does with the true cast: that a game goes on tells everyone
    /// something of those who died covered.
    fn could_be(&self, truth: &Cast) -> bool {
        let Some(rules) = self.rules() else { return false };
        let (board, cast) = (&self.board, &self.cast);
        let Flips { vote, night_kill } = rules.flip;
        let is_covered = vote == Flip::None || night_kill == Flip::None;
        let ends_alike = board.alive.iter().all(|dead| {
            let left = board.alive.but(dead);
            // Another side that death would open is not exchanged then.
            let opens = !is_covered && cast.role(dead) != truth.role(dead);
            opens || cast.winner(left) == truth.winner(left)
        });
        let deeds = board.alive.iter().all(|player| self.may_have_done(player, rules));
        ends_alike && deeds && could_have_led_here(board, cast)
    }

    /// Whether a player may have done tonight what it has.
    fn may_have_done(&self, player: PlayerId, rules: &Rules) -> bool {
        let (acted, choice) = (self.night.acted.contains(player), self.night.choices.of(player));
        match (self.cast.role(player), choice) {
            (_, Choice::Open) if !acted => true,
            (Role::Mafia, Choice::Open) => true,
            (Role::Mafia, Choice::Nobody) => rules.no_kill,
            (Role::Mafia, Choice::On(target)) => !self.cast.mafia.contains(target),
            (Role::Doctor, Choice::On(target)) => self.last_protected != Some(target),
            (Role::Sheriff, Choice::On(target)) => target != player,
            (Role::Villager, Choice::Open) => rules.acknowledge,
            _ => false,
        }
    }
}

fn asked_to_vote(state: &State) -> Players {
    if state.board.phase == Phase::DayVoting {
        Players::first(MAX_PLAYERS)
    } else {
        Players::NOBODY
    }
}
