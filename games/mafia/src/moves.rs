//! The moves of a seat, said short: what it may do, and to whom. For games that
//! are played out fast.

use parlor_kernel::{Player, Playout, Quick, RandomPlayout, Seat, SeatSet};

use crate::action::{Action, HIGHEST_BID};
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::Event;
use crate::game::Mafia;
use crate::options::Chair;
use crate::rules::Rules;
use crate::seen::Seen;
use crate::sight;
use crate::state::{State, asked};
use crate::words::Words;

/// What a seat may do now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moves {
    /// Nothing.
    #[default]
    None,
    /// Kill one of these.
    Kill {
        /// Whom.
        targets: Players,
        /// Or nobody.
        or_nobody: bool,
    },
    /// Protect one of these.
    Protect(Players),
    /// Ask after one of these.
    Investigate(Players),
    /// Take note of the night.
    Acknowledge,
    /// Bid for the floor.
    Bid,
    /// Speak, or be silent.
    Speak,
    /// Vote against one of these, or abstain.
    Vote(Players),
}

/// An action on each of the players. They are laid out first: then the actions
/// are written straight to where they belong, which is most of the work here.
#[inline]
fn each(players: Players, out: &mut Vec<Action>, action: impl Fn(PlayerId) -> Action) {
    let mut places = [PlayerId::FIRST; MAX_PLAYERS];
    for (place, player) in places.iter_mut().zip(players) {
        *place = player;
    }
    out.extend(places[..players.len()].iter().map(|player| action(*player)));
}

impl Moves {
    /// Whether one of them chooses nobody; it comes last.
    #[inline]
    const fn or_nobody(self) -> bool {
        matches!(self, Moves::Kill { or_nobody: true, .. } | Moves::Vote(_))
    }

    /// How many there are beside choosing nobody.
    #[inline]
    pub const fn deeds(self) -> usize {
        match self {
            Moves::None => 0,
            Moves::Kill { targets, .. }
            | Moves::Protect(targets)
            | Moves::Investigate(targets)
            | Moves::Vote(targets) => targets.len(),
            Moves::Acknowledge | Moves::Speak => 1,
            Moves::Bid => HIGHEST_BID as usize + 1,
        }
    }

    /// All of them.
    #[inline]
    pub(crate) fn lay_out(self, out: &mut Vec<Action>) {
        match self {
            Moves::None => {}
            Moves::Kill { targets, or_nobody } => {
                each(targets, out, |target| Action::Kill { target: Some(target) });
                if or_nobody {
                    out.push(Action::Kill { target: None });
                }
            }
            Moves::Protect(targets) => each(targets, out, |target| Action::Protect { target }),
            Moves::Investigate(targets) => {
                each(targets, out, |target| Action::Investigate { target });
            }
            Moves::Acknowledge => out.push(Action::Acknowledge {}),
            Moves::Bid => out.extend((0..=HIGHEST_BID).map(|amount| Action::Bid { amount })),
            Moves::Speak => out.push(Action::say(Words::SILENCE)),
            Moves::Vote(targets) => {
                each(targets, out, |target| Action::Vote { target: Some(target) });
                out.push(Action::Vote { target: None });
            }
        }
    }
}

impl parlor_kernel::Moves<Action> for Moves {
    #[inline]
    fn count(&self) -> usize {
        self.deeds() + usize::from(self.or_nobody())
    }

    #[inline]
    fn nth(&self, number: usize) -> Option<Action> {
        if number >= self.count() {
            return None;
        }
        match *self {
            Moves::None => None,
            Moves::Kill { targets, .. } => Some(Action::Kill { target: targets.nth(number) }),
            Moves::Protect(targets) => targets.nth(number).map(|target| Action::Protect { target }),
            Moves::Investigate(targets) => {
                targets.nth(number).map(|target| Action::Investigate { target })
            }
            Moves::Acknowledge => Some(Action::Acknowledge {}),
            Moves::Bid => Some(Action::Bid { amount: number as u8 }),
            Moves::Speak => Some(Action::say(Words::SILENCE)),
            Moves::Vote(targets) => Some(Action::Vote { target: targets.nth(number) }),
        }
    }
}

impl Quick for Mafia {
    #[inline]
    fn see_alike(event: &Event) -> Option<Seen> {
        sight::see_alike(event)
    }

    /// The dead neither act nor speak.
    #[inline]
    fn retired(state: &State) -> SeatSet {
        let everyone = state.rules().map_or(Players::NOBODY, Rules::everyone);
        everyone.without(state.board.alive).into()
    }

    fn random() -> Box<dyn Player<Mafia>> {
        Box::new(RandomPlayout)
    }
}

impl Playout for Mafia {
    type Moves = Moves;

    #[inline]
    fn moves(state: &State, seat: Seat, out: &mut Moves) {
        *out = moves(state, seat);
    }
}

#[inline]
fn moves(state: &State, seat: Seat) -> Moves {
    let (Some(rules), Some(asked), Some(player)) =
        (state.rules(), asked(&state.board), PlayerId::at(seat.index()))
    else {
        return Moves::None;
    };
    if !state.awaited_for(asked).contains(player) {
        return Moves::None;
    }
    asked.moves(&state.board, player, || {
        let chair = Chair {
            player,
            role: state.cast.role(player),
            board: &state.board,
            rules,
            mafia: state.cast.mafia,
            last_protected: state.last_protected,
        };
        chair.by_night()
    })
}
