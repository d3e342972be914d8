//! What a seat may do, from what it knows: its moves, and what it may do
//! beside them.

use crate::action::{Action, Channel, HIGHEST_BID, LONGEST_STATEMENT, WHISPERS_A_NIGHT};
use crate::agents;
use crate::board::Board;
use crate::circle::{PlayerId, Players};
use crate::moves::Moves;
use crate::role::Role;
use crate::rules::{Rules, SpeakingOrder};
use crate::state::{Asked, Knowledge, asked};
use crate::words::Words;

/// Words that stand for any words.
pub(crate) const ANY_WORDS: &str = "…";

#[inline]
pub(crate) fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
    if let (Some(asked), Some(chair)) = (knowledge.asked(), Chair::known(knowledge)) {
        chair.moves(asked).lay_out(out);
    }
}

impl Asked {
    /// What a player may do who is asked this. Only by night it depends on the
    /// role.
    #[inline]
    pub(crate) fn moves(
        self,
        board: &Board,
        player: PlayerId,
        by_night: impl FnOnce() -> Moves,
    ) -> Moves {
        match self {
            Asked::Act => by_night(),
            Asked::Bid => Moves::Bid,
            Asked::Speak => Moves::Speak,
            Asked::Vote => Moves::Vote(board.alive.and(board.candidates).but(player)),
        }
    }
}

/// Where a player sits, with what the choice depends on.
pub(crate) struct Chair<'a> {
    pub player: PlayerId,
    pub role: Role,
    pub board: &'a Board,
    pub rules: &'a Rules,
    pub mafia: Players,
    pub last_protected: Option<PlayerId>,
}

impl<'a> Chair<'a> {
    /// As the one who sits there knows it.
    #[inline]
    fn known(knowledge: &'a Knowledge) -> Option<Chair<'a>> {
        Some(Chair {
            player: knowledge.me()?,
            role: knowledge.role()?,
            board: &knowledge.board,
            rules: &knowledge.table.as_deref()?.rules,
            mafia: knowledge.mafia,
            last_protected: knowledge.last_protected(),
        })
    }

    #[inline]
    fn moves(&self, asked: Asked) -> Moves {
        asked.moves(self.board, self.player, || self.by_night())
    }

    /// Those who can be chosen tonight.
    #[inline]
    fn night_targets(&self) -> Players {
        let alive = self.board.alive;
        match self.role {
            Role::Mafia => alive.without(self.mafia),
            Role::Doctor => self.last_protected.map_or(alive, |last| alive.but(last)),
            Role::Sheriff => alive.but(self.player),
            Role::Villager => Players::NOBODY,
        }
    }

    #[inline]
    pub fn by_night(&self) -> Moves {
        let targets = self.night_targets();
        match self.role {
            Role::Mafia => Moves::Kill { targets, or_nobody: self.rules.no_kill },
            Role::Doctor => Moves::Protect(targets),
            Role::Sheriff => Moves::Investigate(targets),
            Role::Villager => Moves::Acknowledge,
        }
    }
}

impl Knowledge {
    /// Those who can be chosen tonight, from what is known.
    pub fn night_targets(&self) -> Players {
        Chair::known(self).map_or(Players::NOBODY, |chair| chair.night_targets())
    }
}

/// Acting anew while others are still awaited, words, and reports.
pub(crate) fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
    let (Some(me), Some(table)) = (knowledge.me(), knowledge.table.as_deref()) else { return };
    let (board, rules) = (&knowledge.board, &table.rules);
    if board.is_over() || !table.rules.everyone().contains(me) {
        return;
    }
    agents::reports(out);
    let (Some(phase), Some(chair), true) =
        (asked(board), Chair::known(knowledge), knowledge.lives())
    else {
        return;
    };
    let role = chair.role;
    agents::asides(knowledge, out);
    match phase {
        Asked::Act => {
            if knowledge.asked().is_none() {
                chair.by_night().lay_out(out);
            }
            let whispers = knowledge.night.whispers[me.index()];
            if role == Role::Mafia && rules.mafia_channel && whispers.finished < WHISPERS_A_NIGHT {
                words(Channel::Mafia, whispers.length, out);
                let text = Words::SILENCE;
                out.push(Action::Say { text, r#final: true, channel: Channel::Mafia });
            }
        }
        Asked::Bid => {
            if rules.speaking_order == SpeakingOrder::Bidding && knowledge.asked().is_none() {
                out.extend((0..=HIGHEST_BID).map(|amount| Action::Bid { amount }));
            }
        }
        Asked::Speak => {
            if board.speaker == Some(me) {
                words(Channel::Public, board.said, out);
            }
        }
        Asked::Vote => {
            if knowledge.asked().is_none() {
                chair.moves(phase).lay_out(out);
            }
        }
    }
}

/// A part of a statement that is not its end, while there is room for one.
fn words(channel: Channel, length: u16, out: &mut Vec<Action>) {
    if usize::from(length) < LONGEST_STATEMENT {
        out.push(Action::Say { text: Words::from(ANY_WORDS), r#final: false, channel });
    }
}

/// The action in the form `options` and `asides` have it: any words that fit
/// are as good as others.
pub(crate) fn plain(knowledge: &Knowledge, action: &Action) -> Action {
    let any = || Words::from(ANY_WORDS);
    let room = |length: u16| LONGEST_STATEMENT.saturating_sub(length.into());
    match action {
        Action::Say { text, r#final, channel } => {
            let length = match (channel, knowledge.me()) {
                (Channel::Mafia, Some(me)) => knowledge.night.whispers[me.index()].length,
                _ => knowledge.board.said,
            };
            let (r#final, channel) = (*r#final, *channel);
            match (text.chars_count(), r#final) {
                (0, false) => action.clone(),
                (count, _) if count > room(length) => action.clone(),
                (_, true) => Action::Say { text: Words::SILENCE, r#final, channel },
                (_, false) => Action::Say { text: any(), r#final, channel },
            }
        }
        other => agents::plain(other),
    }
}
