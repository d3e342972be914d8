//! What statements claim, as far as a simple ear understands them: roles,
//! findings of a sheriff, and accusations.

use parlor_kernel::Setup;

use crate::circle::{PlayerId, Players};
use crate::rules::Rules;

/// One thing a statement claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// "I am the sheriff."
    Sheriff,
    /// "I checked Bob (p2): mafia."
    Finding {
        /// Who was asked after.
        target: PlayerId,
        /// What was found.
        is_mafia: bool,
    },
    /// "I suspect Bob (p2)."
    Accusation(PlayerId),
}

/// Everything a statement claims, in order.
pub(super) fn claims(text: &str, speaker: PlayerId, table: &Setup<Rules>) -> Vec<Claim> {
    let lower = text.to_lowercase();
    lower
        .split(['.', '!', '?', ';', '\n'])
        .filter_map(|sentence| claim(sentence, speaker, table))
        .collect()
}

fn claim(sentence: &str, speaker: PlayerId, table: &Setup<Rules>) -> Option<Claim> {
    let says = |words: &[&str]| words.iter().any(|word| sentence.contains(word));
    if says(&["i am the sheriff", "i'm the sheriff"]) {
        return Some(Claim::Sheriff);
    }
    let finds = says(&["i checked", "i investigated", "i asked after"]);
    let accuses = says(&["suspect", "vote for", "vote out", "is mafia"]);
    if !finds && !accuses {
        return None;
    }
    let target = mentioned(sentence, table).but(speaker).iter().next()?;
    if finds {
        let is_mafia = says(&["mafia"]) && !says(&["not mafia", "no mafia", "isn't mafia"]);
        return Some(Claim::Finding { target, is_mafia });
    }
    let clears = says(&["not suspect", "not vote", "don't", "do not", "trust", "not mafia"]);
    (!clears).then_some(Claim::Accusation(target))
}

/// Who is named in a sentence of small letters, by id or by name.
fn mentioned(sentence: &str, table: &Setup<Rules>) -> Players {
    // An id in brackets makes clear who is meant, whatever others are called.
    let in_brackets = |(at, _): (usize, &str)| {
        let inside = &sentence[at + 1..];
        inside.split_once(')').and_then(|(id, _)| id.parse::<PlayerId>().ok())
    };
    let by_id: Players = sentence.match_indices("(p").filter_map(in_brackets).collect();
    if !by_id.is_empty() {
        return by_id.and(table.rules.everyone());
    }
    let is_named = |player: &PlayerId| {
        let name = table.name(*player).to_lowercase();
        stands_alone(sentence, &player.to_string())
            || (!name.is_empty() && stands_alone(sentence, &name))
    };
    table.rules.everyone().iter().filter(is_named).collect()
}

fn stands_alone(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, found)| {
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        let is_part = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        !is_part(before) && !is_part(after)
    })
}
