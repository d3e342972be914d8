//! What the public evidence says: a weight for every possible mafia, exact.
//!
//! A world is a set of mafia with a doctor and a sheriff among the rest: 5,040
//! of them at ten seats. Flips, victims and votes weigh the mafia alone, and
//! claims weigh claimant by claimant, so the doctors and sheriffs of one mafia
//! are summed in closed form and only 120 weights are kept.

use std::sync::Arc;

use parlor_kernel::Setup;

use super::claims::{Claim, claims};
use crate::ballot::Choice;
use crate::board::round_number;
use crate::circle::{MAX_PLAYERS, PlayerId, Players};
use crate::event::{Fate, Phase, VoteResult};
use crate::role::{Hint, Role, Team};
use crate::rules::{Flip, Rules};
use crate::state::Knowledge;
use crate::turn::{Occasion, TurnKind};

/// How townsfolk and mafia are thought to act. A mixture: most mafiosi spare
/// their mates, half of them by blending in; some vote like townsfolk.
pub(super) mod model {
    /// A townsman votes against reason.
    pub const WHIM: f64 = 0.25;
    /// A mafioso votes as a townsman would, mate or not.
    pub const BUSSING: f64 = 0.1;
    /// A mafioso who spares mates blends in with the town otherwise.
    pub const BLENDING: f64 = 0.5;
    /// The sheriff claims so.
    pub const TRUE_CLAIM: f64 = 0.5;
    /// A mafioso claims to be the sheriff.
    pub const FALSE_CLAIM: f64 = 0.05;
    /// A townsman who is not the sheriff claims to be.
    pub const MAD_CLAIM: f64 = 0.002;
    /// A mafioso who claims a finding accuses a mate, or clears a stranger.
    pub const ODD_FINDING: f64 = 0.3;
}

/// What someone who claims to be the sheriff has claimed to find.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Claimed {
    pub guilty: Players,
    pub innocent: Players,
}

/// The public evidence, weighed.
#[derive(Clone)]
pub(super) struct Belief {
    pub table: Arc<Setup<Rules>>,
    /// Every mafia that is possible, as bits.
    pub worlds: Vec<u32>,
    /// How well each explains flips, victims and votes.
    pub weights: Vec<f64>,
    /// What is publicly known of the dead.
    pub flips: [Hint; MAX_PLAYERS],
    /// Who claims to be the sheriff.
    pub claimants: Players,
    pub claimed: [Claimed; MAX_PLAYERS],
    /// Whom everyone who spoke today accused last.
    pub accusations: [Option<PlayerId>; MAX_PLAYERS],
    /// The day whose evidence is being weighed.
    day: u16,
    living: Players,
    heard: usize,
    counted: usize,
}

impl Belief {
    /// Before anything happened: all worlds alike.
    pub fn new(table: &Arc<Setup<Rules>>) -> Belief {
        let (players, mafia) = (table.rules.circle(), table.rules.mafia.into());
        let worlds = subsets(players, mafia);
        Belief {
            table: Arc::clone(table),
            weights: vec![1.0; worlds.len()],
            worlds,
            flips: [Hint::Unknown; MAX_PLAYERS],
            claimants: Players::NOBODY,
            claimed: [Claimed::default(); MAX_PLAYERS],
            accusations: [None; MAX_PLAYERS],
            day: 1,
            living: table.rules.everyone(),
            heard: 0,
            counted: 0,
        }
    }

    /// Takes in everything public that has happened since.
    pub fn catch_up(&mut self, knowledge: &Knowledge) {
        let board = &knowledge.board;
        while self.day <= board.day {
            let round = round_number(Phase::MorningReveal, self.day);
            self.bury(knowledge, Fate::NightKill, round);
            self.listen(knowledge);
            while let Some(result) = board.results.get(self.counted) {
                if result.round_number > round {
                    break;
                }
                self.weigh_votes(result);
                self.counted += 1;
            }
            self.bury(knowledge, Fate::Vote, round);
            if self.day == board.day {
                break;
            }
            self.day += 1;
            self.accusations = [None; MAX_PLAYERS];
        }
    }

    fn bury(&mut self, knowledge: &Knowledge, by: Fate, round: u16) {
        let rules = &self.table.rules;
        let flip = match by {
            Fate::Vote => rules.flip.vote,
            Fate::NightKill => rules.flip.night_kill,
        };
        for player in self.living {
            let death = knowledge.board.deaths[player.index()];
            if !death.is_some_and(|death| death.by == by && death.round == round) {
                continue;
            }
            self.living.remove(player);
            let known = knowledge.hints[player.index()];
            let hint = match flip {
                Flip::Role => known,
                Flip::Team => known.team().map_or(Hint::Unknown, Hint::Side),
                // The mafia kills none of its own.
                Flip::None if by == Fate::NightKill => Hint::Side(Team::Town),
                Flip::None => Hint::Unknown,
            };
            self.flips[player.index()] = hint;
            match hint.team() {
                Some(Team::Mafia) => self.keep(|mafia| mafia.contains(player)),
                Some(Team::Town) => self.keep(|mafia| !mafia.contains(player)),
                None => {}
            }
        }
    }

    fn keep(&mut self, is_possible: impl Fn(Players) -> bool) {
        let mut kept = 0;
        for place in 0..self.worlds.len() {
            if is_possible(Players::from_bits(self.worlds[place])) {
                self.worlds[kept] = self.worlds[place];
                self.weights[kept] = self.weights[place];
                kept += 1;
            }
        }
        self.worlds.truncate(kept);
        self.weights.truncate(kept);
    }

    /// Hears the statements of this day.
    fn listen(&mut self, knowledge: &Knowledge) {
        while let Some(line) = knowledge.transcript.get(self.heard) {
            match line.turn.occasion {
                Occasion::Day(day) if day > self.day => return,
                Occasion::Day(_) if line.turn.kind == TurnKind::Say => {
                    let speaker = line.turn.player;
                    for claim in claims(&line.words, speaker, &Arc::clone(&self.table)) {
                        self.note(speaker, claim);
                    }
                }
                _ => {}
            }
            self.heard += 1;
        }
    }

    fn note(&mut self, speaker: PlayerId, claim: Claim) {
        let claimed = &mut self.claimed[speaker.index()];
        match claim {
            Claim::Sheriff => self.claimants.insert(speaker),
            Claim::Finding { target, is_mafia } => {
                self.claimants.insert(speaker);
                let found = if is_mafia { &mut claimed.guilty } else { &mut claimed.innocent };
                found.insert(target);
                if is_mafia {
                    self.accusations[speaker.index()] = Some(target);
                }
            }
            Claim::Accusation(target) => {
                self.accusations[speaker.index()] = Some(target);
            }
        }
    }

    /// How often each player was accused today.
    pub fn accused(&self) -> [u8; MAX_PLAYERS] {
        let mut accused = [0; MAX_PLAYERS];
        for target in self.accusations.iter().flatten() {
            accused[target.index()] += 1;
        }
        accused
    }

    /// Weighs each mafia by how its members voted, against how townsfolk would
    /// have voted in their place.
    fn weigh_votes(&mut self, result: &VoteResult) {
        let living = result.voters;
        let expected = self.expected_votes(living);
        let mut total = 0.0;
        for (world, weight) in self.worlds.iter().zip(&mut self.weights) {
            let mafia = Players::from_bits(*world);
            let voters = living.and(mafia);
            for voter in voters {
                let Choice::On(target) = result.choices.of(voter) else { continue };
                let town = &expected[voter.index()];
                let as_town = town[target.index()];
                let mut likelihood = model::BUSSING * as_town;
                if !mafia.contains(target) {
                    let on_mates: f64 =
                        voters.but(voter).iter().map(|mate| town[mate.index()]).sum();
                    let blending = as_town / (1.0 - on_mates).max(1e-9);
                    let others = (living.len() - voters.len()).max(1) as f64;
                    let sparing = model::BLENDING * blending + (1.0 - model::BLENDING) / others;
                    likelihood += (1.0 - model::BUSSING) * sparing;
                }
                *weight *= likelihood / as_town;
            }
            total += *weight;
        }
        if total > 0.0 {
            self.weights.iter_mut().for_each(|weight| *weight /= total);
        }
    }

    /// How each of the living would vote as a townsman who knows no more than
    /// everyone: mostly for a top suspect, the most accused of them first.
    pub fn expected_votes(&self, living: Players) -> [[f64; MAX_PLAYERS]; MAX_PLAYERS] {
        let mut suspected = [[0.0; MAX_PLAYERS]; MAX_PLAYERS];
        for (world, weight) in self.worlds.iter().zip(&self.weights) {
            let mafia = Players::from_bits(*world);
            let weight = weight * self.claims_weight(mafia, &PrivateKnowledge::default());
            for suspect in mafia.and(living) {
                for voter in living.without(mafia) {
                    suspected[voter.index()][suspect.index()] += weight;
                }
            }
        }
        let accused = self.accused();
        let mut expected = [[0.0; MAX_PLAYERS]; MAX_PLAYERS];
        for voter in living {
            let others = living.but(voter);
            let top = top_of(others, |suspect| suspected[voter.index()][suspect.index()]);
            let top = top_of(top, |suspect| f64::from(accused[suspect.index()]));
            let row = &mut expected[voter.index()];
            for other in others {
                row[other.index()] = model::WHIM / others.len() as f64;
            }
            for suspect in top {
                row[suspect.index()] += (1.0 - model::WHIM) / top.len() as f64;
            }
        }
        expected
    }

    /// How likely the claims are under this mafia, over every place the
    /// sheriff could have, given what one seat knows of it.
    pub fn claims_weight(&self, mafia: Players, part: &PrivateKnowledge) -> f64 {
        if self.claimants.is_empty() {
            // Every mafia leaves the sheriff as many places.
            return 1.0;
        }
        let by_mafia: f64 = self
            .claimants
            .and(mafia)
            .iter()
            .map(|claimant| self.false_claim(claimant, mafia))
            .product();
        by_mafia * self.sheriffs(mafia, part).iter().sum::<f64>()
    }

    fn false_claim(&self, claimant: PlayerId, mafia: Players) -> f64 {
        let claimed = self.claimed[claimant.index()];
        let odd = claimed.guilty.and(mafia).len() + claimed.innocent.without(mafia).len();
        model::FALSE_CLAIM * model::ODD_FINDING.powi(odd as i32)
    }

    /// The weight of each townsman being the sheriff under this mafia.
    pub fn sheriffs(&self, mafia: Players, part: &PrivateKnowledge) -> [f64; MAX_PLAYERS] {
        let mut weights = [0.0; MAX_PLAYERS];
        let honest = self.claimants.without(mafia);
        if self.table.rules.sheriff == 0 {
            // Nobody can be it: one weight stands for the whole.
            weights[0] = model::MAD_CLAIM.powi(honest.len() as i32);
            return weights;
        }
        let town = self.table.rules.everyone().without(mafia);
        let known: Option<PlayerId> = part.sheriff.or_else(|| {
            town.iter().find(|player| self.flips[player.index()] == Hint::Is(Role::Sheriff))
        });
        let others = |player: PlayerId| {
            let hint = self.flips[player.index()];
            hint.fits(Role::Sheriff) && !part.not_sheriff.contains(player)
        };
        let eligible: Players = match known {
            Some(sheriff) => Players::only(sheriff).and(town),
            None => town.iter().filter(|player| others(*player)).collect(),
        };
        for sheriff in eligible {
            let mad = honest.but(sheriff).len();
            let mut weight = 1.0 / town.len() as f64;
            if mad > 0 {
                weight *= model::MAD_CLAIM.powi(mad as i32);
            }
            if honest.contains(sheriff) {
                let claimed = self.claimed[sheriff.index()];
                let is_true = mafia.holds(claimed.guilty) && claimed.innocent.and(mafia).is_empty();
                weight *= if is_true { model::TRUE_CLAIM } else { 1e-6 };
            }
            weights[sheriff.index()] = weight;
        }
        weights
    }
}

/// What one seat knows beyond what everyone does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PrivateKnowledge {
    pub mafia: Players,
    pub town: Players,
    pub sheriff: Option<PlayerId>,
    pub not_sheriff: Players,
}

/// Those for whom the measure is highest.
pub(super) fn top_of(players: Players, measure: impl Fn(PlayerId) -> f64) -> Players {
    let best = players.iter().map(&measure).fold(f64::MIN, f64::max);
    players.iter().filter(|player| measure(*player) >= best - 1e-9 * best.abs()).collect()
}

/// Every set of `count` among the first `players`, as bits.
fn subsets(players: usize, count: usize) -> Vec<u32> {
    let mut sets = Vec::new();
    let end = 1u64 << players;
    let mut set = (1u64 << count.min(players)) - 1;
    while set < end && count > 0 {
        sets.push(set as u32);
        // Gosper's hack: the next larger number with as many bits.
        let lowest = set & set.wrapping_neg();
        let ripple = set + lowest;
        set = ripple | (((set ^ ripple) >> 2) / lowest);
    }
    sets
}
