//! What the player thinks and says, in sentences.

use std::fmt::Write;

use super::outlook::Outlook;
use parlor_kernel::Setup;

use crate::circle::{PlayerId, Players};
use crate::rules::Rules;
use crate::state::{Inquiry, Knowledge};

/// A player by name, with the id that tells namesakes and odd names apart.
pub(super) fn named(table: &Setup<Rules>, player: PlayerId) -> String {
    format!("{} ({player})", table.name(player))
}

fn percent(chance: f64) -> String {
    match chance {
        chance if chance > 0.0 && chance < 0.005 => "under 1 %".to_owned(),
        chance if chance < 1.0 && chance > 0.995 => "over 99 %".to_owned(),
        chance => format!("{:.0} %", 100.0 * chance),
    }
}

/// A text, sentence by sentence, as whoever listens hears it; true with the
/// last one.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(". ").map_or(rest.len(), |stop| stop + 2);
        let (sentence, after) = rest.split_at(end);
        rest = after;
        Some((sentence, after.is_empty()))
    })
}

/// The real posterior of this seat, told to nobody.
pub(super) fn thought(
    outlook: &Outlook,
    others: Players,
    table: &Setup<Rules>,
    resolve: &str,
) -> String {
    let ranked = outlook.ranked(others);
    let mut text = match (ranked.first(), ranked.last()) {
        (Some((_, most)), Some((_, least))) if percent(*most) == percent(*least) => {
            format!("Anyone may be mafia, {} each", percent(*most))
        }
        _ => {
            let each: Vec<String> = ranked
                .iter()
                .map(|(player, chance)| format!("{} {}", table.name(*player), percent(*chance)))
                .collect();
            format!("The chances to be mafia: {}", each.join(", "))
        }
    };
    let likely = others.iter().max_by(|one, other| {
        outlook.sheriff[one.index()].total_cmp(&outlook.sheriff[other.index()])
    });
    if let Some(sheriff) = likely {
        let chance = outlook.sheriff[sheriff.index()];
        if chance > 0.3 && chance < 1.0 {
            let _ =
                write!(text, "; {} may be the sheriff, {}", table.name(sheriff), percent(chance));
        }
    }
    let _ = write!(text, ". {resolve}");
    text
}

/// Why someone is suspected, from what everyone has seen.
fn grounds(knowledge: &Knowledge, suspect: PlayerId) -> Option<&'static str> {
    let results = &knowledge.board.results;
    let is_mafia = |player: PlayerId| {
        knowledge.board.deaths[player.index()].is_some() && knowledge.mafia.contains(player)
    };
    let votes = results.iter().filter(|result| result.voters.contains(suspect));
    let (mut against_mafia, mut chances) = (0, 0);
    for result in votes {
        if result.voters.iter().any(is_mafia) {
            chances += 1;
            let target = result.choices.of(suspect).target();
            against_mafia += usize::from(target.is_some_and(is_mafia));
        }
    }
    match (chances, against_mafia) {
        (0, _) => None,
        (_, 0) => Some("never a vote against those who turned out to be mafia"),
        _ => None,
    }
}

/// An accusation, with its grounds.
pub(super) fn accusation(
    knowledge: &Knowledge,
    table: &Setup<Rules>,
    suspect: PlayerId,
    chance: f64,
    joins: bool,
) -> String {
    let who = named(table, suspect);
    match grounds(knowledge, suspect) {
        Some(grounds) => format!("I suspect {who}, {}: {grounds}.", percent(chance)),
        None if knowledge.board.results.is_empty() && joins => {
            format!("I know of nobody better. I suspect {who} too.")
        }
        None if knowledge.board.results.is_empty() => {
            format!("Nothing is known yet, so someone has to be named. I suspect {who}.")
        }
        None if joins => format!("I too suspect {who}, {} by my count.", percent(chance)),
        None => format!("I suspect {who}, {} by the votes so far.", percent(chance)),
    }
}

/// A sheriff's findings, for everyone.
pub(super) fn findings(table: &Setup<Rules>, inquiries: &[Inquiry]) -> String {
    let mut text = String::from("I am the sheriff.");
    for inquiry in inquiries {
        let _ =
            write!(text, " {}", finding(table, inquiry.found.target_id, inquiry.found.is_mafia));
    }
    text
}

/// One finding, true or not.
pub(super) fn finding(table: &Setup<Rules>, target: PlayerId, is_mafia: bool) -> String {
    let what = if is_mafia { "mafia" } else { "not mafia" };
    format!("I checked {}: {what}.", named(table, target))
}
