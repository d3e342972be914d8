//! What one seat makes of the evidence: how likely everyone is to be what.

use super::belief::{Belief, Part, top_of};
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::role::{Hint, Role};
use crate::state::Knowledge;

/// How likely everyone is to be mafia, and to be the sheriff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// The chance of each player to be mafia.
    pub mafia: [f64; MAX_PLAYERS],
    /// The chance of each player to be the sheriff.
    pub sheriff: [f64; MAX_PLAYERS],
}

impl Part {
    /// What this seat knows beyond what everyone does.
    pub fn of(knowledge: &Knowledge) -> Part {
        let mut part = Part::default();
        let everyone = knowledge.table.as_deref().map(|table| table.players()).unwrap_or_default();
        for player in everyone {
            let hint = knowledge.hints[player.index()];
            match hint.team() {
                Some(crate::role::Team::Mafia) => part.mafia.insert(player),
                Some(crate::role::Team::Town) => part.town.insert(player),
                None => {}
            }
            match hint {
                Hint::Is(Role::Sheriff) => part.sheriff = Some(player),
                Hint::Is(_) => part.not_sheriff.insert(player),
                Hint::Side(_) | Hint::Unknown => {}
            }
        }
        // Whom the doctor saved, the mafia wanted dead.
        for protection in knowledge.protections.iter().filter(|protection| protection.saved) {
            part.town.insert(protection.target);
        }
        part
    }
}

impl Belief {
    /// The chances as they stand for someone who knows this part.
    pub fn outlook(&self, part: &Part) -> Outlook {
        let mut outlook = Outlook { mafia: [0.0; MAX_PLAYERS], sheriff: [0.0; MAX_PLAYERS] };
        let mut total = 0.0;
        for (world, weight) in self.worlds.iter().zip(&self.weights) {
            let mafia = Players::from_bits(*world);
            if !mafia.holds(part.mafia) || !mafia.and(part.town).is_empty() {
                continue;
            }
            let sheriffs = self.sheriffs(mafia, part);
            let of_sheriffs: f64 = sheriffs.iter().sum();
            let weight = weight * self.claims_weight(mafia, part);
            total += weight;
            for player in mafia {
                outlook.mafia[player.index()] += weight;
            }
            if of_sheriffs > 0.0 {
                for (chance, sheriff) in outlook.sheriff.iter_mut().zip(sheriffs) {
                    *chance += weight * sheriff / of_sheriffs;
                }
            }
        }
        if total > 0.0 {
            outlook.mafia.iter_mut().for_each(|chance| *chance /= total);
            outlook.sheriff.iter_mut().for_each(|chance| *chance /= total);
        }
        outlook
    }
}

impl Outlook {
    /// Those most likely to be mafia.
    pub fn suspects(&self, among: Players) -> Players {
        top_of(among, |player| self.mafia[player.index()])
    }

    /// The players from the most to the least suspected.
    pub fn ranked(&self, among: Players) -> Vec<(PlayerId, f64)> {
        let mut ranked: Vec<(PlayerId, f64)> =
            among.iter().map(|player| (player, self.mafia[player.index()])).collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        ranked
    }
}
