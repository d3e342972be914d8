//! House rules, presets, and what each option takes.

use parlor_kernel::{OptionGuide, Preset, RulesError, RulesGuide};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::yaku::{Yaku, YakuPoints};

/// Whose calls multiply the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KoiFactor {
    /// `koi_koi_multiplier` if the loser called, once.
    OpponentCalled,
    /// One more than the winner's own calls.
    WinnerOwn,
    /// `koi_koi_multiplier` if anybody called, once.
    AnyCalled,
}

/// Who deals the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NextDealer {
    /// The round's winner; after a scoreless round the deal passes.
    Winner,
    /// The other player, always.
    Alternate,
}

/// Who deals the first round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FirstDealer {
    /// Drawn by seed.
    Drawn,
    /// The first seat.
    First,
    /// The second seat.
    Second,
}

/// Who scores when both hands are empty, nothing is new, and someone had called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExhaustedAfterKoi {
    /// Nobody.
    Nobody,
    /// Whoever called last scores what is held.
    LastCaller,
}

/// The house rules of one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The match ends after this many rounds.
    pub rounds: Option<u16>,
    /// The match ends when a total reaches this.
    pub target: Option<u32>,
    /// What each yaku gives; 0: not played.
    #[serde(serialize_with = "crate::yaku::write_out")]
    pub yaku: YakuPoints,
    /// The sake cup counts as a plain too.
    pub sake_cup_is_also_plain: bool,
    /// Seven points and more count twice.
    pub seven_point_double: bool,
    /// Whose calls multiply.
    pub koi_factor: KoiFactor,
    /// The factor of a call.
    pub koi_koi_multiplier: u32,
    /// How often a player may call in a round; none: as often as they like.
    pub koi_limit: Option<u8>,
    /// Both hands empty after a call.
    pub exhausted_after_koi: ExhaustedAfterKoi,
    /// A hand with all four cards of a month wins at once.
    pub teshi: bool,
    /// A hand of four pairs wins at once.
    pub four_pairs: bool,
    /// A teshi and four pairs against each other cancel: nobody scores. Logs
    /// from before this was a rule do not have it, and the teshi won.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub special_hands_cancel: bool,
    /// A field with all four cards of a month ends the round.
    pub field_kuttsuki: bool,
    /// Who deals next.
    pub next_dealer: NextDealer,
    /// Who deals first.
    pub first_dealer: FirstDealer,
    /// Seconds a player may think; 0: no clock. None runs against bots only.
    pub turn_seconds: u32,
}

/// The usual points: the viewings are not played.
fn usual_yaku() -> YakuPoints {
    let mut points = YakuPoints::default();
    for (yaku, worth) in [
        (Yaku::Gokou, 15),
        (Yaku::Shikou, 10),
        (Yaku::Ameshikou, 8),
        (Yaku::Sankou, 6),
        (Yaku::Inoshikachou, 5),
        (Yaku::Akatan, 5),
        (Yaku::Aotan, 5),
        (Yaku::Tane, 1),
        (Yaku::Tanzaku, 1),
        (Yaku::Kasu, 1),
    ] {
        points.set(yaku, worth);
    }
    points
}

impl Rules {
    /// Twelve rounds; seven points double; a call doubles for the opponent.
    pub fn protocol() -> Rules {
        Rules {
            rounds: Some(12),
            target: None,
            yaku: usual_yaku(),
            sake_cup_is_also_plain: false,
            seven_point_double: true,
            koi_factor: KoiFactor::OpponentCalled,
            koi_koi_multiplier: 2,
            koi_limit: None,
            exhausted_after_koi: ExhaustedAfterKoi::Nobody,
            teshi: true,
            four_pairs: false,
            special_hands_cancel: true,
            field_kuttsuki: true,
            next_dealer: NextDealer::Winner,
            first_dealer: FirstDealer::Drawn,
            turn_seconds: 30,
        }
    }

    /// First to 50; each own call adds one to the winner's factor.
    pub fn contract() -> Rules {
        Rules {
            rounds: None,
            target: Some(50),
            seven_point_double: false,
            koi_factor: KoiFactor::WinnerOwn,
            ..Rules::protocol()
        }
    }

    /// Twelve rounds as the Nintendo handheld plays them: cheaper brights, viewings,
    /// the cup also a plain, one call a round.
    pub fn nintendo() -> Rules {
        let mut rules =
            Rules { sake_cup_is_also_plain: true, koi_limit: Some(1), ..Rules::protocol() };
        for (yaku, worth) in [
            (Yaku::Gokou, 10),
            (Yaku::Shikou, 8),
            (Yaku::Ameshikou, 7),
            (Yaku::Sankou, 5),
            (Yaku::HanamiZake, 5),
            (Yaku::TsukimiZake, 5),
        ] {
            rules.yaku.set(yaku, worth);
        }
        rules
    }

    /// Presets and options with their meaning.
    pub fn guide() -> RulesGuide<Rules> {
        RulesGuide { presets: presets(), options: options() }
    }

    /// Whether these rules can be played.
    pub fn check(&self) -> Result<(), RulesError> {
        let refuse = |option, value: serde_json::Value| Err(Rules::guide().refuse(option, value));
        if self.rounds.is_some_and(|rounds| !(1..=99).contains(&rounds)) {
            return refuse("rounds", self.rounds.into());
        }
        if self.target.is_some_and(|target| !(1..=10_000).contains(&target)) {
            return refuse("target", self.target.into());
        }
        if let Some((yaku, points)) = self.yaku.iter().find(|(_, points)| *points > 100) {
            return refuse("yaku", serde_json::json!({ yaku.name(): points }));
        }
        if !(1..=10).contains(&self.koi_koi_multiplier) {
            return refuse("koi_koi_multiplier", self.koi_koi_multiplier.into());
        }
        if self.koi_limit.is_some_and(|limit| limit > 8) {
            return refuse("koi_limit", self.koi_limit.into());
        }
        if !matches!(self.turn_seconds, 0 | 3..=3600) {
            return refuse("turn_seconds", self.turn_seconds.into());
        }
        if self.rounds.is_none() && self.target.is_none() {
            return Err(RulesError::Contradiction(
                "a match needs an end: give 'rounds' (1 to 99), 'target' (1 to 10000) or both"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Why nobody could ever score, or a match would not end.
    pub(crate) fn dead_end(&self) -> Option<String> {
        let sentence = match (self.teshi || self.four_pairs, self.rounds) {
            _ if !self.yaku.is_empty() => return None,
            (false, _) => {
                "nobody could ever score: give points to a yaku, or play 'teshi' or 'four_pairs'"
            }
            (true, None) => {
                "special hands alone hardly ever reach a target: give points to a yaku, or 'rounds'"
            }
            (true, Some(_)) => return None,
        };
        Some(sentence.to_owned())
    }
}

fn presets() -> Vec<Preset<Rules>> {
    vec![
        Preset {
            name: "protocol",
            meaning: "twelve rounds; seven points and more count twice, and twice again if the \
                      loser had called",
            rules: Rules::protocol(),
        },
        Preset {
            name: "contract",
            meaning: "first to 50 points; the winner's score is multiplied by one more than the \
                      winner's own calls",
            rules: Rules::contract(),
        },
        Preset {
            name: "nintendo",
            meaning: "twelve rounds with cheaper brights, viewings, a sake cup that is also a \
                      plain, and one call a round",
            rules: Rules::nintendo(),
        },
    ]
}

fn options() -> Vec<OptionGuide> {
    let option = OptionGuide::new;
    vec![
        option("rounds", "the match ends after this many rounds", "1 to 99, or null for no limit")
            .known_as(&["total_rounds"]),
        option(
            "target",
            "the match ends when a total reaches this",
            "1 to 10000, or null for none",
        )
        .known_as(&["target_score"]),
        option(
            "yaku",
            "what each yaku gives; 0 takes it out of play",
            "an object of points (0 to 100) by yaku: GOKOU, SHIKOU, AMESHIKOU, SANKOU, AKATAN, \
             AOTAN, TANZAKU, INOSHIKACHOU, HANAMI_ZAKE, TSUKIMI_ZAKE, TANE, KASU",
        ),
        option("sake_cup_is_also_plain", "the sake cup counts for KASU too", "true or false"),
        option("seven_point_double", "seven points and more count twice", "true or false"),
        option(
            "koi_factor",
            "whose koi-koi calls multiply a score",
            "opponent_called, winner_own or any_called",
        ),
        option(
            "koi_koi_multiplier",
            "the factor of a call (opponent_called and any_called)",
            "1 to 10",
        ),
        option(
            "koi_limit",
            "how often a player may call in a round",
            "0 to 8, or null for no limit",
        ),
        option(
            "exhausted_after_koi",
            "who scores when both hands are empty, nothing is new, and someone had called",
            "nobody or last_caller",
        ),
        option("teshi", "a hand with all four cards of a month wins 6 at once", "true or false"),
        option("four_pairs", "a hand of four pairs wins 6 at once", "true or false"),
        option(
            "special_hands_cancel",
            "a hand with all four cards of a month and one of four pairs cancel each other",
            "true or false",
        ),
        option(
            "field_kuttsuki",
            "a field with all four cards of a month ends the round",
            "true or false",
        ),
        option(
            "next_dealer",
            "who deals next: the round's winner (after a scoreless round the other player), or \
             always the other player",
            "winner or alternate",
        ),
        option("first_dealer", "who deals the first round", "drawn, first or second"),
        option(
            "turn_seconds",
            "seconds a player may think; no clock runs against bots only",
            "0 for no clock, or 3 to 3600",
        ),
    ]
}
