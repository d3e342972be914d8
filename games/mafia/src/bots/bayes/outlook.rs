//! What one seat makes of the evidence: how likely everyone is to be what.

use super::belief::{Belief, PrivateKnowledge, top_of};
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::role::{Hint, Role, Team};
use crate::state::Knowledge;

/// How likely everyone is to be mafia, and to be the sheriff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// The chance of each player to be mafia.
    pub mafia: [f64; MAX_PLAYERS],
    /// The chance of each player to be the sheriff.
    pub sheriff: [f64; MAX_PLAYERS],
}

impl PrivateKnowledge {
    /// What this seat knows beyond what everyone does.
    pub fn of(knowledge: &Knowledge) -> PrivateKnowledge {
        let mut part = PrivateKnowledge::default();
        let everyone =
            knowledge.table.as_deref().map(|table| table.rules.everyone()).unwrap_or_default();
        for player in everyone {
            let hint = knowledge.hints[player.index()];
            match hint.team() {
                Some(Team::Mafia) => part.mafia.insert(player),
                Some(Team::Town) => part.town.insert(player),
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
    pub fn outlook(&self, part: &PrivateKnowledge) -> Outlook {
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parlor_kernel::Setup;

    use super::super::belief::model;
    use super::*;
    use crate::rules::Rules;

    fn table() -> Arc<Setup<Rules>> {
        Arc::new(Setup {
            game_id: String::new(),
            rules: Rules::classic(),
            seats: Arc::default(),
            commitment: String::new(),
        })
    }

    fn p(place: usize) -> PlayerId {
        PlayerId::at(place).expect("a place in the circle")
    }

    /// How likely this claimant's claims are in one world, by its role there.
    fn claim_likelihood(belief: &Belief, claimant: PlayerId, mafia: Players, is: Role) -> f64 {
        let claimed = belief.claimed[claimant.index()];
        match is {
            Role::Mafia => {
                let odd = claimed.guilty.and(mafia).len() + claimed.innocent.without(mafia).len();
                model::FALSE_CLAIM * model::ODD_FINDING.powi(odd as i32)
            }
            Role::Sheriff => {
                let lies = claimed.guilty.without(mafia).len() + claimed.innocent.and(mafia).len();
                if lies == 0 { model::TRUE_CLAIM } else { 1e-6 }
            }
            Role::Doctor | Role::Villager => model::MAD_CLAIM,
        }
    }

    /// The same chances, world by world: every mafia, doctor and sheriff.
    fn by_enumeration(belief: &Belief, part: &PrivateKnowledge) -> (Outlook, usize) {
        let everyone = belief.table.rules.everyone();
        let mut outlook = Outlook { mafia: [0.0; MAX_PLAYERS], sheriff: [0.0; MAX_PLAYERS] };
        let (mut total, mut worlds) = (0.0, 0);
        for (world, weight) in belief.worlds.iter().zip(&belief.weights) {
            let mafia = Players::from_bits(*world);
            for doctor in everyone.without(mafia) {
                for sheriff in everyone.without(mafia).but(doctor) {
                    worlds += 1;
                    let role = |player| match player {
                        player if mafia.contains(player) => Role::Mafia,
                        player if player == doctor => Role::Doctor,
                        player if player == sheriff => Role::Sheriff,
                        _ => Role::Villager,
                    };
                    let fits = mafia.holds(part.mafia)
                        && mafia.and(part.town).is_empty()
                        && part.sheriff.is_none_or(|known| known == sheriff)
                        && !part.not_sheriff.contains(sheriff);
                    if !fits {
                        continue;
                    }
                    let claims: f64 = belief
                        .claimants
                        .iter()
                        .map(|claimant| claim_likelihood(belief, claimant, mafia, role(claimant)))
                        .product();
                    let weight = weight * claims;
                    total += weight;
                    outlook.sheriff[sheriff.index()] += weight;
                    mafia.iter().for_each(|player| outlook.mafia[player.index()] += weight);
                }
            }
        }
        outlook.mafia.iter_mut().for_each(|chance| *chance /= total);
        outlook.sheriff.iter_mut().for_each(|chance| *chance /= total);
        (outlook, worlds)
    }

    fn assert_same(one: &Outlook, other: &Outlook) {
        for (one, other) in
            one.mafia.iter().chain(&one.sheriff).zip(other.mafia.iter().chain(&other.sheriff))
        {
            assert!((one - other).abs() < 1e-9, "{one} is not {other}");
        }
    }

    #[test]
    fn the_closed_form_is_the_sum_over_all_5040_worlds() {
        let mut belief = Belief::new(&table());
        for (place, weight) in belief.weights.iter_mut().enumerate() {
            *weight = 1.0 + (place % 7) as f64;
        }
        belief.claimants = [p(0), p(4)].into_iter().collect();
        belief.claimed[0].guilty = Players::only(p(4));
        belief.claimed[0].innocent = Players::only(p(7));
        belief.claimed[4].guilty = Players::only(p(0));
        let parts = [
            PrivateKnowledge::default(),
            PrivateKnowledge {
                town: Players::only(p(2)),
                not_sheriff: Players::only(p(2)),
                ..PrivateKnowledge::default()
            },
            PrivateKnowledge {
                sheriff: Some(p(4)),
                town: Players::only(p(4)),
                ..PrivateKnowledge::default()
            },
            PrivateKnowledge {
                mafia: [p(1), p(4)].into_iter().collect(),
                ..PrivateKnowledge::default()
            },
        ];
        for part in parts {
            let (expected, worlds) = by_enumeration(&belief, &part);
            assert_eq!(worlds, 5_040);
            assert_same(&belief.outlook(&part), &expected);
        }
    }

    #[test]
    fn without_evidence_everyone_is_alike() {
        let outlook = Belief::new(&table()).outlook(&PrivateKnowledge::default());
        for player in table().rules.everyone() {
            assert!((outlook.mafia[player.index()] - 0.3).abs() < 1e-12);
            assert!((outlook.sheriff[player.index()] - 0.1).abs() < 1e-12);
        }
    }
}
