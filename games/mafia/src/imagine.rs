//! Imagine: a whole truth that agrees with everything a viewer knows.
//!
//! Roles are cast anew among those whose role is unknown, so that nothing that
//! happened becomes impossible. Whoever has acted unseen has not acted yet in
//! the imagined world: nobody could tell.

use parlor_kernel::{Imagine, Opened, Stream};

use crate::agents::Faults;
use crate::board::{Board, Death};
use crate::circle::{PlayerId, Players};
use crate::event::{Fate, Phase};
use crate::game::Mafia;
use crate::role::{Cast, Hint, Role};
use crate::rules::Rules;
use crate::state::{Knowledge, State};

impl Imagine for Mafia {
    fn imagine(knowledge: &Knowledge, dice: &mut Stream) -> State {
        let Some(table) = &knowledge.table else { return State::default() };
        let cast = imagine_cast(knowledge, &table.rules, dice);
        State {
            opened: Some(Opened::imagined(table)),
            board: knowledge.board.clone(),
            cast,
            night: knowledge.night,
            last_protected: imagine_protected(knowledge, &cast, dice),
            found: knowledge.inquiries.iter().map(|inquiry| inquiry.found.target_id).collect(),
            bids: knowledge.bids,
            faults: Faults { degraded: knowledge.degraded, ..Faults::default() },
        }
    }
}

/// Draws casts until one could have led here. Most could: the bound is never
/// met by a game that was played.
fn imagine_cast(knowledge: &Knowledge, rules: &Rules, dice: &mut Stream) -> Cast {
    let mut cast = Cast::default();
    for _ in 0..10_000 {
        cast = draw_cast(knowledge, rules, dice);
        if could_have_led_here(&knowledge.board, &cast) && is_awake(knowledge, &cast, rules) {
            break;
        }
    }
    cast
}

/// A night goes on because it waits for someone.
fn is_awake(knowledge: &Knowledge, cast: &Cast, rules: &Rules) -> bool {
    let Knowledge { board, night, .. } = knowledge;
    let watch = cast.night_watch(board.alive, rules);
    board.phase != Phase::NightActions || !night.acted.holds(watch)
}

fn draw_cast(knowledge: &Knowledge, rules: &Rules, dice: &mut Stream) -> Cast {
    let everyone = Players::first(rules.circle());
    let hint = |player: &PlayerId| knowledge.hints[player.index()];
    let mut cast = Cast::default();
    for player in everyone {
        if let Some(role) = hint(&player).role() {
            cast.set(player, role);
        }
    }
    let victims: Players = everyone
        .iter()
        .filter(|player| died_by(&knowledge.board, *player, Fate::NightKill))
        .collect();
    let suspects = everyone.iter().filter(|player| hint(player) == Hint::Unknown).collect();
    let missing = usize::from(rules.mafia).saturating_sub(cast.mafia.len());
    for player in some_of(victims, suspects, missing, dice) {
        cast.set(player, Role::Mafia);
    }
    for (role, count) in [(Role::Doctor, rules.doctor), (Role::Sheriff, rules.sheriff)] {
        let has_it = |player: &PlayerId| cast.role(*player) == role;
        let missing = usize::from(count).saturating_sub(everyone.iter().filter(has_it).count());
        let free = everyone
            .iter()
            .filter(|player| hint(player).role().is_none() && cast.role(*player) == Role::Villager)
            .collect();
        for player in some_of(Players::NOBODY, free, missing, dice) {
            cast.set(player, role);
        }
    }
    cast
}

/// `count` of the players, none of the exempt ones, each choice equally likely.
fn some_of(exempt: Players, players: Players, count: usize, dice: &mut Stream) -> Players {
    let mut eligible: Vec<PlayerId> = players.without(exempt).iter().collect();
    dice.shuffle(&mut eligible);
    eligible.into_iter().take(count).collect()
}

fn died_by(board: &Board, player: PlayerId, fate: Fate) -> bool {
    board.deaths[player.index()].is_some_and(|death| death.by == fate)
}

/// The mafia killed none of its own, a doctor was there whenever someone was
/// saved, and neither side had won before now.
pub(crate) fn could_have_led_here(board: &Board, cast: &Cast) -> bool {
    let mut deaths: Vec<(PlayerId, Death)> = PlayerId::all(usize::MAX)
        .filter_map(|player| Some((player, board.deaths[player.index()]?)))
        .collect();
    deaths.sort_by_key(|(_, death)| (death.round, death.by == Fate::Vote));
    let mut alive = board.alive.or(deaths.iter().map(|(player, _)| *player).collect());
    let went_on = deaths.iter().all(|(player, _)| {
        alive.remove(*player);
        cast.winner(alive).is_none()
    });
    let unhurt = |(player, death): &(PlayerId, Death)| {
        death.by == Fate::Vote || !cast.mafia.contains(*player)
    };
    let saved = board.saves.iter().all(|night| doctor_lived(board, cast, *night));
    (went_on || board.ended.is_some()) && deaths.iter().all(unhurt) && saved
}

/// Whether the doctor was alive when that night began.
pub(crate) fn doctor_lived(board: &Board, cast: &Cast, night: u16) -> bool {
    let morning = night.saturating_mul(2).saturating_sub(1);
    cast.doctor
        .iter()
        .any(|doctor| board.deaths[doctor.index()].is_none_or(|death| death.round >= morning))
}

/// Whom the doctor of the imagined world protected last night.
fn imagine_protected(knowledge: &Knowledge, cast: &Cast, dice: &mut Stream) -> Option<PlayerId> {
    let (board, night) = (&knowledge.board, knowledge.board.day);
    if let Some(known) = knowledge.last_protected() {
        return Some(known);
    }
    let is_mine = knowledge.me().is_some_and(|me| cast.doctor.contains(me));
    if night == 0 || is_mine || knowledge.viewer.sees_all() || !doctor_lived(board, cast, night) {
        return None;
    }
    let morning = night.saturating_mul(2).saturating_sub(1);
    let there = |fate: Fate| -> Players {
        PlayerId::all(usize::MAX)
            .filter(|player| {
                board.deaths[player.index()] == Some(Death { by: fate, round: morning })
            })
            .collect()
    };
    // Alive when the night began and spared by it: those voted out since, too.
    let spared = board.alive.or(there(Fate::Vote));
    let eligible = if board.saves.last() == Some(&night) {
        let targets = if knowledge.role() == Some(Role::Mafia) { knowledge.aimed } else { spared };
        targets.without(cast.mafia)
    } else {
        spared
    };
    some_of(Players::NOBODY, eligible, 1, dice).iter().next()
}
