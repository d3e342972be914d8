//! A game told like a play: words spoken aloud, and apart from them, in
//! brackets, what nobody at the table hears or sees.

use std::fmt::Write;

use parlor_kernel::Setup;

use crate::agents;
use crate::ballot::Choice;
use crate::circle::{PlayerId, Players};
use crate::event::{
    Chunk, Fate, GameEnded, NightAction, NightActionSubmitted, NightResolved, Phase, PhaseChanged,
    VoteResult,
};
use crate::role::{Hint, Role, Team};
use crate::rules::Rules;
use crate::seen::{CreatedSeen, DeathSeen, Seen};
use crate::state::Knowledge;
use crate::turn::{TurnId, TurnKind};

/// One thing seen, as a line of the play; none for words that are not done.
pub(crate) fn narrate(seen: &Seen, after: &Knowledge) -> Option<String> {
    let table = after.table.as_deref()?;
    let who = |player| table.name(player);
    Some(match seen {
        Seen::GameCreated(created) => cast_list(created),
        Seen::PhaseChanged(change) => return heading(change),
        Seen::NightActionSubmitted(submitted) => choice(submitted, table),
        Seen::NightResolved(resolved) => morning(resolved, table),
        Seen::AgentThinkStream(chunk) | Seen::AgentSayStream(chunk) => {
            return spoken(chunk, after, table);
        }
        Seen::VoteCast(vote) => match vote.target_id {
            Some(target) => format!("{} votes for {}.", who(vote.voter_id), who(target)),
            None => format!("{} abstains.", who(vote.voter_id)),
        },
        Seen::VoteResult(result) => count(result, table),
        Seen::PlayerEliminated(death) => epitaph(death, table),
        Seen::GameEnded(ended) => curtain(ended, table),
        Seen::NightAcknowledged(acknowledged) => {
            format!("    [{} sleeps.]", who(acknowledged.agent_id))
        }
        Seen::FloorBid(bid) => format!("    [{} bids {}.]", who(bid.agent_id), bid.amount),
        Seen::FloorGiven(given) => {
            format!("{} has the floor, for {}.", who(given.agent_id), given.amount)
        }
        Seen::AgentAssigned(_) | Seen::AgentFault(_) | Seen::AgentUsage(_) => {
            return agents::narrate(seen, |player| who(player).to_owned());
        }
        Seen::GamePaused(_) => "The game is paused.".to_owned(),
        Seen::GameResumed(_) => "The game goes on.".to_owned(),
    })
}

fn cast_list(created: &CreatedSeen) -> String {
    let table = &created.table;
    let part = |player: PlayerId| match created.known.contains(player) {
        true => format!("{} ({})", table.name(player), created.cast.role(player).name()),
        false => table.name(player).to_owned(),
    };
    let parts: Vec<String> = table.rules.everyone().iter().map(part).collect();
    let mafia = table.rules.mafia;
    format!("A town of {}, {mafia} of them mafia: {}.", parts.len(), parts.join(", "))
}

fn heading(change: &PhaseChanged) -> Option<String> {
    let day = change.day_number;
    Some(match change.to {
        Phase::NightActions => format!("\nNIGHT {}\n", u32::from(day) + 1),
        Phase::MorningReveal => format!("\nDAY {day}\n"),
        Phase::DayVoting => "\nThe town votes.\n".to_owned(),
        Phase::End => "\nTHE END\n".to_owned(),
        Phase::Setup | Phase::DayDiscussion | Phase::Resolution => return None,
    })
}

fn choice(submitted: &NightActionSubmitted, table: &Setup<Rules>) -> String {
    let who = table.name(submitted.agent_id);
    let does = match submitted.action_type {
        NightAction::Kill => "would kill",
        NightAction::Protect => "protects",
        NightAction::Investigate => "asks after",
    };
    match submitted.target_id {
        Some(target) => format!("    [{who} {does} {}.]", table.name(target)),
        None if submitted.silent => format!("    [{who} has no say tonight.]"),
        None => format!("    [{who} {does} nobody.]"),
    }
}

fn morning(resolved: &NightResolved, table: &Setup<Rules>) -> String {
    let mut line = match resolved.killed_player_id {
        Some(killed) => format!("Morning comes, and {} is found dead.", table.name(killed)),
        None if resolved.protection_prevents_kill => {
            "Morning comes: someone was attacked, and saved.".to_owned()
        }
        None => "Morning comes, and everyone is well.".to_owned(),
    };
    if let Some(protected) = resolved.protected_player_id {
        let _ = write!(line, "\n    [The doctor watched over {}.]", table.name(protected));
    }
    if let Some(found) = resolved.investigation_result {
        let found_out = if found.is_mafia { "is mafia" } else { "is not mafia" };
        let sheriff = table.name(found.sheriff_id);
        let target = table.name(found.target_id);
        let _ = write!(line, "\n    [{sheriff} the sheriff learns: {target} {found_out}.]");
    }
    line
}

/// Words are told once they are done, as a whole.
fn spoken(chunk: &Chunk, after: &Knowledge, table: &Setup<Rules>) -> Option<String> {
    if !chunk.r#final {
        return None;
    }
    let who = table.name(chunk.agent_id);
    let words = words_of(after, chunk.turn_id);
    Some(match (chunk.turn_id.kind, words) {
        (TurnKind::Think, None) => return None,
        (TurnKind::Think, Some(words)) => format!("    [{who}, thinking: {words}]"),
        (TurnKind::Say, None) if chunk.turn_id.is_whispered() => return None,
        (TurnKind::Say, None) => format!("{who} says nothing."),
        (TurnKind::Say, Some(words)) if chunk.turn_id.is_whispered() => {
            format!("    [{who}, to the mafia: {words}]")
        }
        (TurnKind::Say, Some(words)) => format!("{who}: {words}"),
    })
}

fn words_of(knowledge: &Knowledge, turn: TurnId) -> Option<&str> {
    let line = knowledge.transcript.iter().rev().find(|line| line.turn == turn)?;
    Some(&line.words)
}

fn count(result: &VoteResult, table: &Setup<Rules>) -> String {
    let count = result.choices.count(result.voters);
    let mut standing: Vec<(u8, PlayerId)> = PlayerId::all(usize::MAX)
        .map(|player| (count.each[player.index()], player))
        .filter(|(votes, _)| *votes > 0)
        .collect();
    standing.sort_by_key(|(votes, player)| (std::cmp::Reverse(*votes), *player));
    let each = |(votes, player): &(u8, PlayerId)| format!("{} {votes}", table.name(*player));
    let votes: Vec<String> = standing.iter().map(each).collect();
    let votes = if votes.is_empty() { "no votes".to_owned() } else { votes.join(", ") };
    let what = match result.eliminated {
        Some(player) if result.tie => {
            format!("a tie, and the lot falls on {}", table.name(player))
        }
        Some(player) => format!("{} must go", table.name(player)),
        None if !result.runoff.is_empty() => {
            format!("a tie: a second ballot between {}", names(result.runoff, table))
        }
        None => "nobody must go".to_owned(),
    };
    format!("The count: {votes}; {what}.")
}

fn names(players: Players, table: &Setup<Rules>) -> String {
    players.iter().map(|player| table.name(player)).collect::<Vec<_>>().join(", ")
}

fn epitaph(death: &DeathSeen, table: &Setup<Rules>) -> String {
    let who = table.name(death.player_id);
    match (death.role, death.team) {
        (Some(role), _) => format!("{who} was {}.", article(role)),
        (None, Some(Team::Mafia)) => format!("{who} was mafia."),
        (None, Some(Team::Town)) => format!("{who} was of the town."),
        (None, None) => format!("What {who} was, nobody learns."),
    }
}

fn article(role: Role) -> &'static str {
    match role {
        Role::Mafia => "mafia",
        Role::Doctor => "the doctor",
        Role::Sheriff => "the sheriff",
        Role::Villager => "a villager",
    }
}

fn curtain(ended: &GameEnded, table: &Setup<Rules>) -> String {
    let mut line = match (ended.winner, &ended.reason) {
        (Some(Team::Town), _) => "The town wins.".to_owned(),
        (Some(Team::Mafia), _) => "The mafia wins.".to_owned(),
        (None, Some(reason)) => format!("The game is called off: {reason}."),
        (None, None) => "The game is called off.".to_owned(),
    };
    let _ = write!(line, " The mafia: {}.", names(ended.cast.mafia, table));
    if ended.degraded {
        line += " Some seat played nothing but fallbacks.";
    }
    line
}

/// The circle as a viewer knows it.
pub(crate) fn picture(knowledge: &Knowledge) -> String {
    let Some(table) = knowledge.table.as_deref() else { return "No game yet.".to_owned() };
    let board = &knowledge.board;
    let mut text = match board.phase {
        Phase::Setup => "Before the first night".to_owned(),
        Phase::NightActions => format!("Night {}", u32::from(board.day) + 1),
        Phase::End => format!("After day {}", board.day),
        _ => format!("Day {}", board.day),
    };
    let _ = writeln!(text, ", {} of {} alive", board.alive.len(), table.rules.everyone().len());
    let width = table.seats.iter().map(|sitting| sitting.name.chars().count()).max().unwrap_or(0);
    for player in table.rules.everyone() {
        let name = table.name(player);
        let fate = match board.deaths[player.index()] {
            None => "alive".to_owned(),
            Some(death) => match death.by {
                Fate::Vote => format!("voted out on day {}", death.round.div_ceil(2)),
                Fate::NightKill => format!("killed in night {}", death.round.div_ceil(2)),
            },
        };
        let role = match knowledge.hints[player.index()] {
            Hint::Is(role) => role.name(),
            Hint::Side(team) => team.name(),
            Hint::Unknown => "?",
        };
        let vote = match board.votes.of(player) {
            Choice::On(target) if board.phase == Phase::DayVoting => {
                format!(", votes for {}", table.name(target))
            }
            _ => String::new(),
        };
        let pad = " ".repeat(width - name.chars().count());
        let id = player.to_string();
        let _ = writeln!(text, "{id:>4} {name}{pad}  {role:<9} {fate}{vote}");
    }
    text
}
