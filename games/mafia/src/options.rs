//! What a seat may do, from what it knows: its moves, and what it may do
//! beside them.

use crate::action::{Action, Channel, HIGHEST_BID, LONGEST_STATEMENT, WHISPERS_A_NIGHT};
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::{Assignment, Usage};
use crate::role::Role;
use crate::rules::{Rules, SpeakingOrder};
use crate::state::{Asked, Knowledge, asked, occasion};
use crate::words::Words;

/// Words that stand for any words.
pub(crate) const ANY_WORDS: &str = "…";

#[inline]
pub(crate) fn options(knowledge: &Knowledge, out: &mut Vec<Action>) {
    let (Some(asked), Some(table)) = (knowledge.asked(), knowledge.table.as_deref()) else {
        return;
    };
    match asked {
        Asked::Act => by_night(knowledge, &table.rules, out),
        Asked::Bid => out.extend((0..=HIGHEST_BID).map(|amount| Action::Bid { amount })),
        Asked::Speak => out.push(Action::say(Words::SILENCE)),
        Asked::Vote => votes(knowledge, out),
    }
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

#[inline]
fn by_night(knowledge: &Knowledge, rules: &Rules, out: &mut Vec<Action>) {
    let Some(role) = knowledge.role() else { return };
    let targets = knowledge.night_targets(role);
    match role {
        Role::Mafia => {
            each(targets, out, |target| Action::Kill { target: Some(target) });
            if rules.no_kill {
                out.push(Action::Kill { target: None });
            }
        }
        Role::Doctor => each(targets, out, |target| Action::Protect { target }),
        Role::Sheriff => each(targets, out, |target| Action::Investigate { target }),
        Role::Villager => out.push(Action::Acknowledge {}),
    }
}

#[inline]
fn votes(knowledge: &Knowledge, out: &mut Vec<Action>) {
    let Some(me) = knowledge.me() else { return };
    let board = &knowledge.board;
    let targets = board.alive.and(board.candidates).but(me);
    each(targets, out, |target| Action::Vote { target: Some(target) });
    out.push(Action::Vote { target: None });
}

/// Acting anew while others are still awaited, words, and reports.
pub(crate) fn asides(knowledge: &Knowledge, out: &mut Vec<Action>) {
    let (Some(me), Some(table)) = (knowledge.me(), knowledge.table.as_deref()) else { return };
    let (board, rules) = (&knowledge.board, &table.rules);
    if board.is_over() || !table.players().contains(me) {
        return;
    }
    out.push(Action::Fault { reason: Words::from(ANY_WORDS) });
    out.push(Action::Usage(Box::<Usage>::default()));
    out.push(Action::Assign(Box::<Assignment>::default()));
    let (Some(phase), Some(role), true) = (asked(board), knowledge.role(), knowledge.lives())
    else {
        return;
    };
    if occasion(board, me, role, rules).is_some() {
        out.push(Action::Think { text: Words::from(ANY_WORDS), r#final: false });
        out.push(Action::Think { text: Words::SILENCE, r#final: true });
    }
    if knowledge.asked().is_some() {
        out.push(Action::FallBack { reason: Words::from(ANY_WORDS) });
    }
    match phase {
        Asked::Act => {
            if knowledge.asked().is_none() {
                by_night(knowledge, rules, out);
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
                votes(knowledge, out);
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
        Action::Think { text, r#final } => match (text.chars_count(), *r#final) {
            (0, false) => action.clone(),
            (count, _) if count > crate::action::LONGEST_THOUGHT => action.clone(),
            (_, true) => Action::Think { text: Words::SILENCE, r#final: true },
            (_, false) => Action::Think { text: any(), r#final: false },
        },
        Action::FallBack { .. } => Action::FallBack { reason: any() },
        Action::Fault { .. } => Action::Fault { reason: any() },
        Action::Usage(_) => Action::Usage(Box::default()),
        Action::Assign(_) => Action::Assign(Box::default()),
        other => other.clone(),
    }
}
