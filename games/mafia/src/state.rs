//! The table's truth, and a viewer's.

use std::sync::Arc;

use parlor_kernel::{Opened, Setup, Viewer};

use crate::agents::Faults;
use crate::ballot::Choice;
use crate::board::Board;
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::{Chunk, Investigation, Phase};
use crate::night::Night;
use crate::role::{Cast, Hint, Hints, Role, Team};
use crate::rules::{Rules, SpeakingOrder};
use crate::turn::{Occasion, TurnId, TurnKind};
use crate::words::Words;

/// The bids for one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bids {
    /// Who has bid.
    pub bidders: Players,
    /// How much.
    pub amounts: [u8; MAX_PLAYERS],
}

/// The table's truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Rules, names and the sealed seed.
    pub opened: Option<Opened<Rules>>,
    /// What everyone can see.
    pub board: Board,
    /// Who is who.
    pub cast: Cast,
    /// The night under way.
    pub night: Night,
    /// Whom the doctor protected last night.
    pub last_protected: Option<PlayerId>,
    /// Those of whom the sheriff has learned which side they are on.
    pub found: Players,
    /// The bids for the next turn.
    pub bids: Bids,
    /// How seats have failed.
    pub faults: Faults,
}

/// What a player is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To act tonight, by role.
    Act,
    /// To bid for the floor.
    Bid,
    /// To speak.
    Speak,
    /// To vote.
    Vote,
}

impl Asked {
    /// What the game waits for, in its own words.
    pub const fn kind(self) -> &'static str {
        match self {
            Asked::Act => "NIGHT_ACTION",
            Asked::Bid => "BID",
            Asked::Speak => "SPEAK",
            Asked::Vote => "VOTE",
        }
    }
}

/// What the living are asked for in this phase; nothing while it is paused.
#[inline]
pub(crate) fn asked(board: &Board) -> Option<Asked> {
    match board.phase {
        _ if board.paused => None,
        Phase::NightActions => Some(Asked::Act),
        Phase::DayDiscussion if board.speaker.is_none() => Some(Asked::Bid),
        Phase::DayDiscussion => Some(Asked::Speak),
        Phase::DayVoting => Some(Asked::Vote),
        Phase::Setup | Phase::MorningReveal | Phase::Resolution | Phase::End => None,
    }
}

impl State {
    /// The house rules, once the game is opened.
    #[inline]
    pub fn rules(&self) -> Option<&Rules> {
        self.opened.as_ref().map(Opened::rules)
    }

    /// Those the night waits for, whether they have acted or not.
    #[inline]
    pub(crate) fn night_watch(&self, rules: &Rules) -> Players {
        self.cast.night_watch(self.board.alive, rules)
    }

    /// Whom the game waits for.
    #[inline]
    pub(crate) fn awaited(&self) -> Players {
        asked(&self.board).map_or(Players::NOBODY, |asked| self.awaited_for(asked))
    }

    /// Whom it waits for where this is asked.
    #[inline]
    pub(crate) fn awaited_for(&self, asked: Asked) -> Players {
        let Some(rules) = self.rules() else { return Players::NOBODY };
        match asked {
            Asked::Act => self.night_watch(rules).without(self.night.acted),
            Asked::Bid => self.board.alive.without(self.bids.bidders),
            Asked::Speak => self.board.speaker.map_or(Players::NOBODY, Players::only),
            Asked::Vote => self.board.alive.without(self.board.voted),
        }
    }
}

/// One turn's words, as far as they have come.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The turn.
    pub turn: TurnId,
    /// The words.
    pub words: Words,
    /// Whether that was all of them.
    pub ended: bool,
}

/// Whom a doctor protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protection {
    /// On which night.
    pub night: u16,
    /// Whom.
    pub target: PlayerId,
    /// Whether it saved a life.
    pub saved: bool,
}

/// What the sheriff learned, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inquiry {
    /// On which night.
    pub night: u16,
    /// What.
    pub found: Investigation,
}

/// A viewer's truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Knowledge {
    /// Whose.
    pub viewer: Viewer,
    /// Rules and names.
    pub table: Option<Arc<Setup<Rules>>>,
    /// What everyone can see.
    pub board: Board,
    /// What is known of everyone's role.
    pub hints: Hints,
    /// Those known to be mafia.
    pub mafia: Players,
    /// What is known of the night under way.
    pub night: Night,
    /// Whom the mafia aimed at last night, as a mafioso knows it.
    pub aimed: Players,
    /// Whom the doctor protected, night by night, where that is known.
    pub protections: Vec<Protection>,
    /// What the sheriff learned, where that is known.
    pub inquiries: Vec<Inquiry>,
    /// The bids for the next turn, where they are known.
    pub bids: Bids,
    /// What was said, and thought where that is known, in order.
    pub transcript: Vec<Line>,
    /// Who plays fallbacks to the end, for those who see all.
    pub degraded: Players,
}

impl Knowledge {
    /// The viewer's place in the circle.
    #[inline]
    pub fn me(&self) -> Option<PlayerId> {
        PlayerId::at(self.viewer.seat()?.index())
    }

    /// The viewer's own role.
    #[inline]
    pub fn role(&self) -> Option<Role> {
        self.hints[self.me()?.index()].role()
    }

    /// Whom the doctor protected last night, where that is known.
    pub fn last_protected(&self) -> Option<PlayerId> {
        let last = self.protections.last()?;
        (last.night == self.board.day).then_some(last.target)
    }

    /// Whether the viewer is alive and in the game.
    #[inline]
    pub fn lives(&self) -> bool {
        self.me().is_some_and(|me| self.board.alive.contains(me))
    }

    /// Learns what a player is; what was known better stays known.
    #[inline]
    pub(crate) fn hint(&mut self, player: PlayerId, hint: Hint) {
        let known = &mut self.hints[player.index()];
        if known.role().is_none() {
            *known = hint;
            if hint.team() == Some(Team::Mafia) {
                self.mafia.insert(player);
            }
        }
    }

    /// What the viewer is asked for now; nothing if it has done that, or has
    /// nothing to do with it.
    pub fn asked(&self) -> Option<Asked> {
        let (me, table) = (self.me()?, self.table.as_deref()?);
        let asked = asked(&self.board).filter(|_| self.board.alive.contains(me))?;
        let open = match asked {
            Asked::Act => {
                let idle = self.role() == Some(Role::Villager) && !table.rules.acknowledge;
                !idle && !self.night.acted.contains(me)
            }
            Asked::Bid => !self.bids.bidders.contains(me),
            Asked::Speak => self.board.speaker == Some(me),
            Asked::Vote => !self.board.voted.contains(me),
        };
        open.then_some(asked)
    }

    /// Adds words to the turn they are part of.
    pub(crate) fn take_down(&mut self, chunk: &Chunk) {
        let turn = chunk.turn_id;
        let ended = chunk.r#final;
        match self.transcript.iter_mut().rev().find(|line| line.turn == turn) {
            Some(line) => {
                line.words = line.words.then(&chunk.chunk);
                line.ended = ended;
            }
            // An end without words: nothing was said at all.
            None if chunk.chunk.is_empty() => {}
            None => self.transcript.push(Line { turn, words: chunk.chunk.clone(), ended }),
        }
    }

    /// Whether the viewer has something to think about.
    pub(crate) fn may_think(&self) -> bool {
        let turn = || {
            let rules = &self.table.as_deref()?.rules;
            occasion(&self.board, self.me()?, self.role()?, rules)
        };
        self.lives() && turn().is_some()
    }

    /// What the viewer has thought already about what it is asked now.
    pub fn thought(&self) -> Option<&Line> {
        self.own_line(TurnKind::Think)
    }

    /// What the viewer has said already of the statement it is to make.
    pub fn begun(&self) -> Option<&Line> {
        self.own_line(TurnKind::Say).filter(|line| !line.ended)
    }

    fn own_line(&self, kind: TurnKind) -> Option<&Line> {
        let (player, role) = (self.me()?, self.role()?);
        let rules = &self.table.as_deref()?.rules;
        let (occasion, pass) = occasion(&self.board, player, role, rules)?;
        let turn = TurnId { kind, occasion, pass, player };
        self.transcript.iter().rev().find(|line| line.turn == turn)
    }

    /// What the viewer has chosen tonight.
    pub fn chosen(&self) -> Choice {
        self.me().map_or(Choice::Open, |me| self.night.choices.of(me))
    }
}

/// The turn a thought is part of, for a player who has something to decide now
/// or may still decide otherwise.
pub(crate) fn occasion(
    board: &Board,
    player: PlayerId,
    role: Role,
    rules: &Rules,
) -> Option<(Occasion, u8)> {
    match asked(board)? {
        Asked::Act => (role != Role::Villager || rules.acknowledge)
            .then_some((Occasion::Night(board.day.saturating_add(1)), 1)),
        Asked::Bid if rules.speaking_order == SpeakingOrder::Bidding => {
            Some((Occasion::Day(board.day), board.pass))
        }
        Asked::Bid => None,
        Asked::Speak => {
            (board.speaker == Some(player)).then_some((Occasion::Day(board.day), board.pass))
        }
        Asked::Vote => Some((Occasion::Vote(board.day), board.ballot)),
    }
}
