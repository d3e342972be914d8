//! What statements claim, as far as a simple ear understands them: roles,
//! findings of a sheriff, and accusations.

use crate::board::TableCard;
use crate::circle::{PlayerId, Players};

/// One thing a statement claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
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
pub fn claims(text: &str, speaker: PlayerId, table: &TableCard) -> Vec<Claim> {
    text.split(['.', '!', '?', ';', '\n'])
        .filter_map(|sentence| claim(sentence, speaker, table))
        .collect()
}

fn claim(sentence: &str, speaker: PlayerId, table: &TableCard) -> Option<Claim> {
    let lower = sentence.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["i am the sheriff", "i'm the sheriff"]) {
        return Some(Claim::Sheriff);
    }
    let target = mentioned(sentence, table).but(speaker).iter().next()?;
    if says(&["i checked", "i investigated", "i asked after"]) {
        let is_mafia = says(&["mafia"]) && !says(&["not mafia", "no mafia", "isn't mafia"]);
        return Some(Claim::Finding { target, is_mafia });
    }
    let accuses = says(&["suspect", "vote for", "vote out", "is mafia"]);
    let clears = says(&["not suspect", "not vote", "don't", "do not", "trust", "not mafia"]);
    (accuses && !clears).then_some(Claim::Accusation(target))
}

/// Who is named, by name or by id, as a word of its own.
fn mentioned(sentence: &str, table: &TableCard) -> Players {
    let lower = sentence.to_lowercase();
    let is_named = |player: &PlayerId| {
        let (name, id) = (table.name(*player).to_lowercase(), player.to_string());
        stands_alone(&lower, &id) || (!name.is_empty() && stands_alone(&lower, &name))
    };
    // An id in brackets makes clear who is meant, whatever others are called.
    let by_id: Players = table
        .players()
        .iter()
        .filter(|player| lower.contains(&format!("({player})")))
        .collect();
    if by_id.is_empty() { table.players().iter().filter(is_named).collect() } else { by_id }
}

fn stands_alone(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, found)| {
        let before = text[..start].chars().next_back();
        let after = text[start + found.len()..].chars().next();
        let is_part = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        !is_part(before) && !is_part(after)
    })
}
