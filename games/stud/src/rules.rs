//! House rules, presets, and what each option takes.

use std::ops::RangeInclusive;

use parlor_kernel::{OptionGuide, Preset, RulesError, RulesGuide};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::seats::SEATS;

/// The most chips a stack, a rebuy or a stake may be.
pub const MOST: u32 = 100_000_000;

/// The most chips a table may hold, so that no sum ever overflows.
pub const MOST_ON_TABLE: u32 = 2_000_000_000;

/// The rulings that are followed now. Edition 1 is for matches that were begun
/// before there was another: they go on and are verified as they were played.
pub const EDITION: u8 = 2;

/// Seconds a player gets at a time from the time bank.
pub const BANK_SLICE: u16 = 15;

/// What is played for in one deal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Variant {
    /// The best high hand.
    #[default]
    StudHi,
    /// The best ace-to-five low.
    Razz,
    /// Half for the best high hand, half for the best low of eight or better.
    Stud8,
}

impl Variant {
    /// All of them, in the order of a mixed game.
    pub const ALL: [Variant; 3] = [Variant::StudHi, Variant::Razz, Variant::Stud8];

    /// What players call it.
    pub const fn spoken(self) -> &'static str {
        match self {
            Variant::StudHi => "Stud",
            Variant::Razz => "Razz",
            Variant::Stud8 => "Stud Eight or Better",
        }
    }
}

/// Which variants a match plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the first three are the variants of their name")]
#[schemars(rename = "Playing")]
pub enum VariantChoice {
    StudHi,
    Razz,
    Stud8,
    /// Those of `rotation` in turn.
    Mixed,
}

/// The fixed limits of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Stakes {
    /// What everyone pays before the cards.
    pub ante: u32,
    /// What the low card pays on third street.
    pub bring_in: u32,
    /// The bet on third and fourth street.
    pub small_bet: u32,
    /// The bet from fifth street on.
    pub big_bet: u32,
}

impl Stakes {
    /// Whether they can be played: whole steps from bring-in to big bet.
    fn are_sound(&self) -> bool {
        let Stakes { ante, bring_in, small_bet, big_bet } = *self;
        let ordered = 0 < bring_in && bring_in < small_bet && small_bet <= big_bet;
        ordered && ante <= MOST && big_bet <= MOST
    }

    /// Whether none of them is lower than before.
    fn follow(&self, before: &Stakes) -> bool {
        self.ante >= before.ante
            && self.bring_in >= before.bring_in
            && self.small_bet >= before.small_bet
            && self.big_bet >= before.big_bet
    }
}

/// How the stakes of a match rise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Schedule {
    /// How many deals each level lasts, the first of them at the table's stakes.
    pub every: u32,
    /// The levels that follow; the last one stays.
    pub levels: Vec<Stakes>,
}

/// The chips the seats begin with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Stacks {
    /// The same for everyone.
    Each(u32),
    /// Seat by seat; this also says how many seats there are.
    BySeat(Vec<u32>),
}

impl Stacks {
    /// What the seat at this place begins with.
    pub fn of(&self, place: usize) -> u32 {
        match self {
            Stacks::Each(chips) => *chips,
            Stacks::BySeat(stacks) => stacks.get(place).copied().unwrap_or(0),
        }
    }
}

/// The house rules of one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rules {
    /// Which variants are played.
    pub variant: VariantChoice,
    /// The variants of a mixed game, in turn.
    pub rotation: Vec<Variant>,
    /// How many deals a mixed game stays with one variant.
    pub rotation_deals: u32,
    /// The limits.
    pub stakes: Stakes,
    /// The chips at the beginning.
    pub stacks: Stacks,
    /// The match ends after this many deals.
    pub deals: Option<u32>,
    /// The match ends when one stack is left.
    pub last_stack: bool,
    /// What a seat without chips may buy (play money); none: nothing.
    pub rebuy: Option<u32>,
    /// How many raises may follow the opening bet of a street.
    pub cap: u8,
    /// A later hand that cannot win stays closed.
    pub muck: bool,
    /// Seconds for a decision; 0: no clock. None runs against bots only.
    pub turn_seconds: u32,
    /// Seconds each seat has beyond that, for the whole match.
    pub time_bank: u16,
    /// Which rulings are followed. What was written before there were several
    /// does not say, and is of the first.
    #[serde(default = "first_edition", skip_serializing_if = "is_first_edition")]
    pub edition: u8,
    /// A seat sits out after so many time-outs in a row; 0: never.
    #[serde(default, skip_serializing_if = "is_none")]
    pub sit_out_after: u8,
    /// A seat that sits out is dealt in all the same: it antes and folds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub absent_ante: bool,
    /// The match ends when fewer than two want to play for so many seconds; 0:
    /// it waits for ever.
    #[serde(default, skip_serializing_if = "is_none_at_all")]
    pub wait_seconds: u32,
    /// How the stakes rise; none: they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
}

const fn first_edition() -> u8 {
    1
}

const fn is_first_edition(edition: &u8) -> bool {
    *edition == 1
}

const fn is_none(count: &u8) -> bool {
    *count == 0
}

const fn is_none_at_all(seconds: &u32) -> bool {
    *seconds == 0
}

impl Rules {
    /// Fifty deals of seven card stud.
    pub fn stud_hi() -> Rules {
        Rules {
            variant: VariantChoice::StudHi,
            rotation: Variant::ALL.to_vec(),
            rotation_deals: 8,
            stakes: Stakes { ante: 5, bring_in: 10, small_bet: 20, big_bet: 40 },
            stacks: Stacks::Each(2_000),
            deals: Some(50),
            last_stack: true,
            rebuy: None,
            cap: 4,
            muck: false,
            turn_seconds: 20,
            time_bank: 60,
            edition: EDITION,
            sit_out_after: 2,
            absent_ante: false,
            wait_seconds: 120,
            schedule: None,
        }
    }

    /// The same as it was played before there were editions.
    pub fn first_edition() -> Rules {
        Rules { edition: 1, sit_out_after: 0, wait_seconds: 0, ..Rules::stud_hi() }
    }

    /// Fifty deals of razz.
    pub fn razz() -> Rules {
        Rules { variant: VariantChoice::Razz, ..Rules::stud_hi() }
    }

    /// Fifty deals of hi-lo, eight or better.
    pub fn stud8() -> Rules {
        Rules { variant: VariantChoice::Stud8, ..Rules::stud_hi() }
    }

    /// High, razz and hi-lo, eight deals each, twice round.
    pub fn mixed() -> Rules {
        Rules { variant: VariantChoice::Mixed, deals: Some(48), ..Rules::stud_hi() }
    }

    /// The three in turn until one stack is left. Whoever is absent antes and
    /// folds.
    pub fn freezeout() -> Rules {
        Rules { deals: None, stacks: Stacks::Each(500), absent_ante: true, ..Rules::mixed() }
    }

    /// The three in turn for as long as anybody likes, with rebuys.
    pub fn open() -> Rules {
        Rules { deals: None, last_stack: false, rebuy: Some(2_000), ..Rules::mixed() }
    }

    /// How many seats these rules play with.
    pub fn seats(&self) -> RangeInclusive<usize> {
        match &self.stacks {
            Stacks::Each(_) => 2..=SEATS,
            Stacks::BySeat(stacks) => stacks.len()..=stacks.len(),
        }
    }

    /// What is played in this deal, counted from 1.
    pub fn variant_of(&self, deal: u32) -> Variant {
        match self.variant {
            VariantChoice::StudHi => Variant::StudHi,
            VariantChoice::Razz => Variant::Razz,
            VariantChoice::Stud8 => Variant::Stud8,
            VariantChoice::Mixed => {
                let turn = deal.saturating_sub(1) / self.rotation_deals.max(1);
                let place = turn as usize % self.rotation.len().max(1);
                self.rotation.get(place).copied().unwrap_or_default()
            }
        }
    }

    /// The limits of this deal, counted from 1.
    pub fn stakes_of(&self, deal: u32) -> Stakes {
        let Some(schedule) = &self.schedule else { return self.stakes };
        let level = self.level_of(schedule, deal);
        let raised = level.checked_sub(1).and_then(|place| schedule.levels.get(place));
        raised.copied().unwrap_or(self.stakes)
    }

    /// The next deal after this one with higher limits, and those.
    pub fn next_rise(&self, deal: u32) -> Option<(u32, Stakes)> {
        let schedule = self.schedule.as_ref()?;
        let level = self.level_of(schedule, deal);
        let stakes = schedule.levels.get(level)?;
        let rounds = u32::try_from(level + 1).ok()?;
        Some((rounds.saturating_mul(schedule.every.max(1)).saturating_add(1), *stakes))
    }

    /// How often the stakes have risen in this deal.
    fn level_of(&self, schedule: &Schedule, deal: u32) -> usize {
        let level = deal.saturating_sub(1) / schedule.every.max(1);
        (level as usize).min(schedule.levels.len())
    }

    /// Presets and options with their meaning.
    pub fn guide() -> RulesGuide<Rules> {
        RulesGuide { presets: presets(), options: options() }
    }

    /// Whether these rules can be played.
    pub fn check(&self) -> Result<(), RulesError> {
        let refuse = |option, value: serde_json::Value| Err(Rules::guide().refuse(option, value));
        let chips = 1..=MOST;
        if !self.stakes.are_sound() {
            return refuse("stakes", serde_json::json!(self.stakes));
        }
        let stacks_fit = match &self.stacks {
            Stacks::Each(stack) => chips.contains(stack),
            Stacks::BySeat(stacks) => {
                (2..=SEATS).contains(&stacks.len())
                    && stacks.iter().all(|stack| chips.contains(stack))
            }
        };
        if !stacks_fit {
            return refuse("stacks", serde_json::json!(self.stacks));
        }
        if !(1..=12).contains(&self.rotation.len()) {
            return refuse("rotation", serde_json::json!(self.rotation));
        }
        if !(1..=1000).contains(&self.rotation_deals) {
            return refuse("rotationDeals", self.rotation_deals.into());
        }
        if self.deals.is_some_and(|deals| !(1..=1_000_000).contains(&deals)) {
            return refuse("deals", self.deals.into());
        }
        if self.rebuy.is_some_and(|rebuy| !chips.contains(&rebuy)) {
            return refuse("rebuy", self.rebuy.into());
        }
        if !(1..=8).contains(&self.cap) {
            return refuse("cap", self.cap.into());
        }
        if !matches!(self.turn_seconds, 0 | 3..=3600) {
            return refuse("turnSeconds", self.turn_seconds.into());
        }
        if self.time_bank > 3600 {
            return refuse("timeBank", self.time_bank.into());
        }
        self.check_edition()?;
        if self.last_stack && self.rebuy.is_some() {
            return Err(RulesError::Contradiction(
                "a match until one stack is left takes no rebuys: set 'lastStack' to false or \
                 'rebuy' to null"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Whether a match by these rules comes to an end whoever goes away. The
    /// first edition did not know of that, and has none of these options.
    fn check_edition(&self) -> Result<(), RulesError> {
        let refuse = |option, value: serde_json::Value| Err(Rules::guide().refuse(option, value));
        if self.edition == 1 {
            let knows_none = self.sit_out_after == 0
                && !self.absent_ante
                && self.wait_seconds == 0
                && self.schedule.is_none();
            let sentence = "edition 1 is for matches from before there was another: it has none of \
                            'sitOutAfter', 'absentAnte', 'waitSeconds' and 'schedule'";
            return knows_none
                .then_some(())
                .ok_or_else(|| RulesError::Contradiction(sentence.to_owned()));
        }
        if self.edition != EDITION {
            return refuse("edition", self.edition.into());
        }
        if !(1..=10).contains(&self.sit_out_after) {
            return refuse("sitOutAfter", self.sit_out_after.into());
        }
        if !(5..=86_400).contains(&self.wait_seconds) {
            return refuse("waitSeconds", self.wait_seconds.into());
        }
        let Some(schedule) = &self.schedule else { return Ok(()) };
        let levels = [self.stakes].into_iter().chain(schedule.levels.iter().copied());
        let rises = levels
            .zip(&schedule.levels)
            .all(|(before, level)| level.are_sound() && level.follow(&before) && *level != before);
        let is_sound = rises
            && (1..=1000).contains(&schedule.every)
            && (1..=50).contains(&schedule.levels.len());
        if is_sound { Ok(()) } else { refuse("schedule", serde_json::json!(schedule)) }
    }
}

fn presets() -> Vec<Preset<Rules>> {
    let preset = |name, meaning, rules| Preset { name, meaning, rules };
    vec![
        preset("studHi", "seven card stud high: fifty deals at 20/40", Rules::stud_hi()),
        preset("razz", "ace-to-five low: fifty deals at 20/40", Rules::razz()),
        preset("stud8", "hi-lo, eight or better: fifty deals at 20/40", Rules::stud8()),
        preset("mixed", "high, razz and hi-lo in turn, eight deals each", Rules::mixed()),
        preset(
            "freezeout",
            "the three in turn, short stacks, until one stack is left; who is absent antes and folds",
            Rules::freezeout(),
        ),
        preset(
            "open",
            "the three in turn for as long as anybody likes, with rebuys in play money",
            Rules::open(),
        ),
    ]
}

fn options() -> Vec<OptionGuide> {
    let option = OptionGuide::new;
    vec![
        option("variant", "what is played", "studHi, razz, stud8 or mixed"),
        option(
            "rotation",
            "the variants of a mixed game, in turn",
            "1 to 12 of studHi, razz, stud8",
        ),
        option("rotationDeals", "how many deals a mixed game stays with one variant", "1 to 1000"),
        option(
            "stakes",
            "the fixed limits",
            "an object of whole chips {ante, bringIn, smallBet, bigBet} with 0 ≤ ante, \
             0 < bringIn < smallBet ≤ bigBet ≤ 100000000",
        ),
        option(
            "stacks",
            "the chips at the beginning; a list also says how many seats there are",
            "1 to 100000000, or a list of 2 to 7 such numbers, one for each seat",
        ),
        option(
            "deals",
            "the match ends after this many deals",
            "1 to 1000000, or null for no limit",
        ),
        option("lastStack", "the match ends when one stack is left", "true or false"),
        option(
            "rebuy",
            "what a seat without chips may buy, in play money",
            "1 to 100000000, or null for nothing",
        ),
        option("cap", "how many raises may follow the opening bet of a street", "1 to 8"),
        option(
            "muck",
            "at the showdown a later hand that cannot win stays closed, for good",
            "true or false",
        ),
        option(
            "turnSeconds",
            "seconds for a decision; no clock runs against bots only",
            "0 for no clock, or 3 to 3600",
        ),
        option("timeBank", "seconds each seat has beyond that, for the match", "0 to 3600"),
        option("sitOutAfter", "a seat sits out after so many time-outs in a row", "1 to 10"),
        option(
            "absentAnte",
            "a seat that sits out is dealt in all the same: it antes and folds; else it is skipped",
            "true or false",
        ),
        option(
            "waitSeconds",
            "the match ends with the stacks as they are when fewer than two want to play for so \
             many seconds; a seat that is alone may claim it at once",
            "5 to 86400",
        ),
        option(
            "schedule",
            "how the stakes rise: every so many deals to the next level, of which the last stays",
            "null for never, or {every, levels} with every 1 to 1000 and 1 to 50 levels, each \
             like stakes and higher than the one before",
        ),
        option(
            "edition",
            "which rulings are followed; matches that were begun before there were two go on by \
             the first, and no new one takes it",
            "2",
        ),
    ]
}
