//! House rules, presets, and what each option takes.

use parlor_kernel::{OptionGuide, Preset, RulesError, RulesGuide};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use crate::circle::{MAX_PLAYERS, Players};
use crate::role::Role;

/// What happens when several hold the most votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TieRule {
    /// One of them is drawn by seed.
    Random,
    /// Nobody goes.
    None,
    /// They stand in a second ballot; a tie there is drawn by seed.
    Revote,
}

/// How many votes it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VoteRule {
    /// More than anyone else has.
    Plurality,
    /// More than half of the living.
    Majority,
}

/// Whether votes are seen as they are cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Votes {
    /// Everyone sees each vote at once.
    Open,
    /// Votes are shown when the ballot is closed.
    Sealed,
}

/// What the town learns of a dead player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Flip {
    /// The role.
    Role,
    /// The side only.
    Team,
    /// Nothing.
    None,
}

/// What the town learns of the dead, by what they died of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Flips {
    /// Of those voted out.
    pub vote: Flip,
    /// Of those killed at night.
    pub night_kill: Flip,
}

/// Reads one word for both causes, or an object with each.
impl<'de> Deserialize<'de> for Flips {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Asked {
            Both(Flip),
            #[serde(rename_all = "camelCase")]
            Each {
                vote: Flip,
                night_kill: Flip,
            },
        }
        Ok(match Asked::deserialize(deserializer)? {
            Asked::Both(flip) => Flips { vote: flip, night_kill: flip },
            Asked::Each { vote, night_kill } => Flips { vote, night_kill },
        })
    }
}

/// Who speaks when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SpeakingOrder {
    /// Around the circle; each day starts two seats further on.
    RoundRobin,
    /// Each turn goes to whoever wants it most.
    Bidding,
}

/// The house rules of one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rules {
    /// How many play.
    pub players: u8,
    /// How many of them are mafia.
    pub mafia: u8,
    /// Whether there is a doctor.
    pub doctor: u8,
    /// Whether there is a sheriff.
    pub sheriff: u8,
    /// How many are plain villagers; none: all who are nothing else.
    pub villagers: Option<u8>,
    /// How often everyone speaks before a vote.
    pub discussion_rounds: u8,
    /// Who speaks when.
    pub speaking_order: SpeakingOrder,
    /// How many votes it takes.
    pub vote_rule: VoteRule,
    /// What happens on a tie.
    pub tie_rule: TieRule,
    /// Whether votes are seen as they are cast.
    pub votes: Votes,
    /// What the town learns of the dead.
    pub flip: Flips,
    /// The mafia may talk among themselves at night.
    pub mafia_channel: bool,
    /// The mafia may choose to kill nobody.
    pub no_kill: bool,
    /// The night waits for villagers too, so that nothing shows who has a role.
    pub acknowledge: bool,
    /// Seconds for a night; 0: no clock.
    pub night_seconds: u32,
    /// Seconds for a turn to speak; 0: no clock.
    pub turn_seconds: u32,
    /// Seconds for a ballot; 0: no clock.
    pub vote_seconds: u32,
}

impl Rules {
    /// Ten seats, three mafia, a doctor, a sheriff and five villagers.
    pub fn classic() -> Rules {
        Rules {
            players: 10,
            mafia: 3,
            doctor: 1,
            sheriff: 1,
            villagers: None,
            discussion_rounds: 1,
            speaking_order: SpeakingOrder::RoundRobin,
            vote_rule: VoteRule::Plurality,
            tie_rule: TieRule::Random,
            votes: Votes::Open,
            flip: Flips { vote: Flip::Role, night_kill: Flip::Role },
            mafia_channel: false,
            no_kill: false,
            acknowledge: false,
            night_seconds: 60,
            turn_seconds: 60,
            vote_seconds: 60,
        }
    }

    /// The classic game in another size.
    pub fn sized(players: u8, mafia: u8) -> Rules {
        Rules { players, mafia, ..Rules::classic() }
    }

    /// How many sit in the circle.
    #[inline]
    pub fn circle(&self) -> usize {
        usize::from(self.players).min(MAX_PLAYERS)
    }

    /// Everyone in the circle.
    #[inline]
    pub fn everyone(&self) -> Players {
        Players::first(self.players.into())
    }

    /// How many plain villagers there are.
    pub fn villagers(&self) -> u8 {
        let others = [self.mafia, self.doctor, self.sheriff]
            .iter()
            .fold(0u8, |sum, count| sum.saturating_add(*count));
        self.villagers.unwrap_or(self.players.saturating_sub(others))
    }

    /// The roles before they are shuffled: mafia…, doctor, sheriff, villager….
    pub(crate) fn listed_roles(&self) -> impl Iterator<Item = Role> {
        let times = |role, count: u8| std::iter::repeat_n(role, usize::from(count));
        times(Role::Mafia, self.mafia)
            .chain(times(Role::Doctor, self.doctor))
            .chain(times(Role::Sheriff, self.sheriff))
            .chain(std::iter::repeat(Role::Villager))
            .take(self.circle())
    }

    /// Presets and options with their meaning.
    pub fn guide() -> RulesGuide<Rules> {
        RulesGuide { presets: presets(), options: options() }
    }

    /// Whether these rules can be played.
    pub fn check(&self) -> Result<(), RulesError> {
        let refuse = |option, value: serde_json::Value| Err(Rules::guide().refuse(option, value));
        if !(5..=MAX_PLAYERS as u8).contains(&self.players) {
            return refuse("players", json!(self.players));
        }
        // The contract's NIGHT_RESOLVED has room for one of each.
        if self.doctor > 1 {
            return refuse("doctor", json!(self.doctor));
        }
        if self.sheriff > 1 {
            return refuse("sheriff", json!(self.sheriff));
        }
        if self.mafia < 1 || 2 * u16::from(self.mafia) >= u16::from(self.players) {
            return refuse("mafia", json!(self.mafia));
        }
        let sum: u16 =
            [self.mafia, self.doctor, self.sheriff, self.villagers()].map(u16::from).iter().sum();
        if sum != u16::from(self.players) {
            return Err(RulesError::Contradiction(format!(
                "the roles make {sum} players, not {}; leave 'villagers' out and everyone else is \
                 one",
                self.players
            )));
        }
        if self.discussion_rounds > 10 {
            return refuse("discussionRounds", json!(self.discussion_rounds));
        }
        for (option, seconds) in [
            ("nightSeconds", self.night_seconds),
            ("turnSeconds", self.turn_seconds),
            ("voteSeconds", self.vote_seconds),
        ] {
            if !matches!(seconds, 0 | 3..=3600) {
                return refuse(option, json!(seconds));
            }
        }
        Ok(())
    }
}

fn presets() -> Vec<Preset<Rules>> {
    let preset = |name, meaning, rules| Preset { name, meaning, rules };
    vec![
        preset(
            "classic",
            "ten players: three mafia, a doctor, a sheriff and five villagers",
            Rules::classic(),
        ),
        preset("10p1m", "ten players, one of them mafia", Rules::sized(10, 1)),
        preset("10p2m", "ten players, two of them mafia", Rules::sized(10, 2)),
        preset("10p4m", "ten players, four of them mafia", Rules::sized(10, 4)),
        preset("8p2m", "eight players, two of them mafia", Rules::sized(8, 2)),
        preset("7p2m", "seven players, two of them mafia", Rules::sized(7, 2)),
        preset(
            "people",
            "ten people: sealed votes, a mafia that talks at night, and a night that waits for \
             everyone",
            Rules {
                votes: Votes::Sealed,
                mafia_channel: true,
                acknowledge: true,
                ..Rules::classic()
            },
        ),
    ]
}

fn options() -> Vec<OptionGuide> {
    let option = OptionGuide::new;
    vec![
        option("players", "how many play", "5 to 20"),
        option("mafia", "how many of them are mafia", "at least 1 and fewer than the others"),
        option("doctor", "whether there is a doctor", "0 or 1"),
        option("sheriff", "whether there is a sheriff", "0 or 1"),
        option(
            "villagers",
            "how many are plain villagers",
            "what the other roles leave, or null for just that",
        ),
        option("discussionRounds", "how often everyone speaks before a vote", "0 to 10"),
        option(
            "speakingOrder",
            "who speaks when: around the circle, or each turn to whoever bids most for it",
            "roundRobin or bidding",
        ),
        option(
            "voteRule",
            "how many votes it takes: more than anyone else has, or more than half of the living",
            "plurality or majority",
        ),
        option(
            "tieRule",
            "when several hold the most votes: one is drawn by seed, nobody goes, or they stand \
             in a second ballot",
            "random, none or revote",
        ),
        option(
            "votes",
            "whether votes are seen as they are cast or when the ballot is closed",
            "open or sealed",
        )
        .known_as(&["voteVisibility"]),
        option(
            "flip",
            "what the town learns of the dead, by what they died of",
            "role, team or none, or an object {\"vote\":…, \"nightKill\":…}",
        ),
        option("mafiaChannel", "the mafia may talk among themselves at night", "true or false"),
        option("noKill", "the mafia may choose to kill nobody", "true or false"),
        option(
            "acknowledge",
            "the night waits for villagers too, so that nothing shows who has a role",
            "true or false",
        ),
        option("nightSeconds", "seconds for a night", "0 for no clock, or 3 to 3600"),
        option("turnSeconds", "seconds for a turn to speak", "0 for no clock, or 3 to 3600"),
        option("voteSeconds", "seconds for a ballot", "0 for no clock, or 3 to 3600"),
    ]
}
