//! Yaku: what captured cards are worth.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cards::{CardSet, Class};
use crate::rules::Rules;

const BRIGHTS: CardSet = CardSet::class(Class::Bright);
const RAIN: CardSet = CardSet::of(&["1111"]);
const DRY_BRIGHTS: CardSet = BRIGHTS.without(RAIN);
const ANIMALS: CardSet = CardSet::class(Class::Animal);
const RIBBONS: CardSet = CardSet::class(Class::Ribbon);
const PLAINS: CardSet = CardSet::class(Class::Plain);
const POETRY_RIBBONS: CardSet = CardSet::of(&["0131", "0231", "0331"]);
const BLUE_RIBBONS: CardSet = CardSet::of(&["0631", "0931", "1031"]);
const BOAR_DEER_BUTTERFLIES: CardSet = CardSet::of(&["0721", "1021", "0621"]);
const SAKE_CUP: CardSet = CardSet::of(&["0921"]);
const CURTAIN_AND_CUP: CardSet = CardSet::of(&["0311", "0921"]);
const MOON_AND_CUP: CardSet = CardSet::of(&["0811", "0921"]);

/// A scoring combination. This enum names them everywhere; the order is that
/// in which they are listed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each is its own name")]
pub enum Yaku {
    Gokou,
    Shikou,
    Ameshikou,
    Sankou,
    Akatan,
    Aotan,
    Tanzaku,
    Inoshikachou,
    HanamiZake,
    TsukimiZake,
    Tane,
    Kasu,
}

impl Yaku {
    /// All of them, in order.
    pub const ALL: [Yaku; 12] = [
        Yaku::Gokou,
        Yaku::Shikou,
        Yaku::Ameshikou,
        Yaku::Sankou,
        Yaku::Akatan,
        Yaku::Aotan,
        Yaku::Tanzaku,
        Yaku::Inoshikachou,
        Yaku::HanamiZake,
        Yaku::TsukimiZake,
        Yaku::Tane,
        Yaku::Kasu,
    ];

    /// The brights exclude each other: of these only the best counts.
    pub const BRIGHT_FAMILY: [Yaku; 4] = [Yaku::Gokou, Yaku::Shikou, Yaku::Ameshikou, Yaku::Sankou];

    /// Its name in rules and on the protocol's wire.
    pub const fn name(self) -> &'static str {
        match self {
            Yaku::Gokou => "GOKOU",
            Yaku::Shikou => "SHIKOU",
            Yaku::Ameshikou => "AMESHIKOU",
            Yaku::Sankou => "SANKOU",
            Yaku::Akatan => "AKATAN",
            Yaku::Aotan => "AOTAN",
            Yaku::Tanzaku => "TANZAKU",
            Yaku::Inoshikachou => "INOSHIKACHOU",
            Yaku::HanamiZake => "HANAMI_ZAKE",
            Yaku::TsukimiZake => "TSUKIMI_ZAKE",
            Yaku::Tane => "TANE",
            Yaku::Kasu => "KASU",
        }
    }
}

impl fmt::Display for Yaku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Points by yaku: what a ruleset gives for each (0: not played), or what a
/// player holds (0: not held). As JSON, an object of those above 0; only house
/// rules write out all twelve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct YakuPoints([u8; 12]);

impl YakuPoints {
    /// The points of one yaku.
    #[inline]
    pub const fn get(&self, yaku: Yaku) -> u8 {
        self.0[yaku as usize]
    }

    /// Sets the points of one yaku.
    #[inline]
    pub fn set(&mut self, yaku: Yaku, points: u8) {
        self.0[yaku as usize] = points;
    }

    /// The yaku with points, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Yaku, u8)> + '_ {
        Yaku::ALL.into_iter().map(|yaku| (yaku, self.get(yaku))).filter(|(_, points)| *points > 0)
    }

    /// All points together.
    #[inline]
    pub fn total(&self) -> u32 {
        self.0.iter().map(|points| u32::from(*points)).sum()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 12]
    }
}

impl Serialize for YakuPoints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// Writes all twelve, as house rules do: what is not played stands there as 0.
pub(crate) fn write_out<S: Serializer>(points: &YakuPoints, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(Yaku::ALL.into_iter().map(|yaku| (yaku, points.get(yaku))))
}

impl<'de> Deserialize<'de> for YakuPoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ByName;

        impl<'de> Visitor<'de> for ByName {
            type Value = YakuPoints;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of points by yaku")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<YakuPoints, A::Error> {
                let mut points = YakuPoints::default();
                while let Some((yaku, worth)) = map.next_entry()? {
                    points.set(yaku, worth);
                }
                Ok(points)
            }
        }

        deserializer.deserialize_map(ByName)
    }
}

impl JsonSchema for YakuPoints {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "YakuPoints".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let points = serde_json::json!({ "type": "integer", "minimum": 0, "maximum": 255 });
        let properties: serde_json::Map<_, _> =
            Yaku::ALL.iter().map(|yaku| (yaku.name().to_owned(), points.clone())).collect();
        schemars::json_schema!({
            "type": "object", "properties": properties, "additionalProperties": false,
        })
    }
}

/// What these captures are worth by these rules.
///
/// ```
/// use parlor_koikoi::{CardSet, Rules, Yaku, tally};
/// let cards = CardSet::of(&["0111", "0311", "0811", "1111"]);
/// let held = tally(cards, &Rules::protocol());
/// assert_eq!(held.iter().collect::<Vec<_>>(), [(Yaku::Ameshikou, 8)]);
/// ```
pub fn tally(captured: CardSet, rules: &Rules) -> YakuPoints {
    let worth = &rules.yaku;
    let mut held = YakuPoints::default();
    if let Some(yaku) = best_brights(captured, worth) {
        held.set(yaku, worth.get(yaku));
    }
    for (yaku, set) in [
        (Yaku::Akatan, POETRY_RIBBONS),
        (Yaku::Aotan, BLUE_RIBBONS),
        (Yaku::Inoshikachou, BOAR_DEER_BUTTERFLIES),
        (Yaku::HanamiZake, CURTAIN_AND_CUP),
        (Yaku::TsukimiZake, MOON_AND_CUP),
    ] {
        if captured.holds(set) {
            held.set(yaku, worth.get(yaku));
        }
    }
    for (yaku, kind, needed) in
        [(Yaku::Tanzaku, RIBBONS, 5), (Yaku::Tane, ANIMALS, 5), (Yaku::Kasu, plains(rules), 10)]
    {
        let count = captured.and(kind).len();
        if count >= needed && worth.get(yaku) > 0 {
            // At most 25 plains: 15 more than needed.
            held.set(yaku, worth.get(yaku).saturating_add((count - needed) as u8));
        }
    }
    held
}

/// The bright yaku that gives most of those these cards make and the rules
/// play; the rarer one where two give the same.
fn best_brights(captured: CardSet, worth: &YakuPoints) -> Option<Yaku> {
    let dry = captured.and(DRY_BRIGHTS).len();
    if dry < 3 {
        return None;
    }
    let rain = captured.holds(RAIN);
    let made = [
        (Yaku::Sankou, true),
        (Yaku::Ameshikou, rain),
        (Yaku::Shikou, dry == 4),
        (Yaku::Gokou, dry == 4 && rain),
    ];
    made.into_iter()
        .filter(|(yaku, made)| *made && worth.get(*yaku) > 0)
        .map(|(yaku, _)| yaku)
        .max_by_key(|yaku| worth.get(*yaku))
}

fn plains(rules: &Rules) -> CardSet {
    if rules.sake_cup_is_also_plain { PLAINS.or(SAKE_CUP) } else { PLAINS }
}

/// Every card that counts for a yaku.
pub fn wanted(yaku: Yaku, rules: &Rules) -> CardSet {
    match yaku {
        Yaku::Gokou | Yaku::Ameshikou => BRIGHTS,
        Yaku::Shikou | Yaku::Sankou => DRY_BRIGHTS,
        Yaku::Akatan => POETRY_RIBBONS,
        Yaku::Aotan => BLUE_RIBBONS,
        Yaku::Tanzaku => RIBBONS,
        Yaku::Inoshikachou => BOAR_DEER_BUTTERFLIES,
        Yaku::HanamiZake => CURTAIN_AND_CUP,
        Yaku::TsukimiZake => MOON_AND_CUP,
        Yaku::Tane => ANIMALS,
        Yaku::Kasu => plains(rules),
    }
}

/// How many of the wanted cards a yaku needs.
pub const fn needed(yaku: Yaku) -> u32 {
    match yaku {
        Yaku::Gokou | Yaku::Tanzaku | Yaku::Tane => 5,
        Yaku::Shikou | Yaku::Ameshikou => 4,
        Yaku::Sankou | Yaku::Akatan | Yaku::Aotan | Yaku::Inoshikachou => 3,
        Yaku::HanamiZake | Yaku::TsukimiZake => 2,
        Yaku::Kasu => 10,
    }
}

/// The captured cards that count for a yaku, whether it is complete or not.
pub fn contributing(yaku: Yaku, captured: CardSet, rules: &Rules) -> CardSet {
    captured.and(wanted(yaku, rules))
}

/// What is new or worth more than before, with its points now.
pub fn fresh(before: &YakuPoints, after: &YakuPoints) -> YakuPoints {
    let mut fresh = YakuPoints::default();
    for place in 0..12 {
        if after.0[place] > before.0[place] {
            fresh.0[place] = after.0[place];
        }
    }
    fresh
}
