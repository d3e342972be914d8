//! Melds: what a hand is worth before a card is played.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cards::{Card, CardSet, Rank, Suit};
use crate::rules::Rules;

/// A kind of meld.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "each is its own name")]
pub enum MeldKind {
    Paar,
    Familie,
    DoppelFamilie,
    TrumpSieben,
    Binokel,
    DoppelBinokel,
    VierAss,
    VierKoenig,
    VierOber,
    VierUnter,
    AchtAss,
    AchtKoenig,
    AchtOber,
    AchtUnter,
}

impl MeldKind {
    /// Its name on every wire.
    pub const fn name(self) -> &'static str {
        match self {
            MeldKind::Paar => "paar",
            MeldKind::Familie => "familie",
            MeldKind::DoppelFamilie => "doppel-familie",
            MeldKind::TrumpSieben => "trump-sieben",
            MeldKind::Binokel => "binokel",
            MeldKind::DoppelBinokel => "doppel-binokel",
            MeldKind::VierAss => "vier-ass",
            MeldKind::VierKoenig => "vier-koenig",
            MeldKind::VierOber => "vier-ober",
            MeldKind::VierUnter => "vier-unter",
            MeldKind::AchtAss => "acht-ass",
            MeldKind::AchtKoenig => "acht-koenig",
            MeldKind::AchtOber => "acht-ober",
            MeldKind::AchtUnter => "acht-unter",
        }
    }

    /// What it gives; pairs and families give more in trumps.
    pub const fn points(self, in_trumps: bool) -> u16 {
        match self {
            MeldKind::Paar if in_trumps => 40,
            MeldKind::Paar => 20,
            MeldKind::Familie if in_trumps => 150,
            MeldKind::Familie => 100,
            MeldKind::DoppelFamilie => 1500,
            MeldKind::TrumpSieben => 10,
            MeldKind::Binokel => 40,
            MeldKind::DoppelBinokel => 300,
            MeldKind::VierAss => 100,
            MeldKind::VierKoenig => 80,
            MeldKind::VierOber => 60,
            MeldKind::VierUnter => 40,
            MeldKind::AchtAss => 1000,
            MeldKind::AchtKoenig => 600,
            MeldKind::AchtOber => 400,
            MeldKind::AchtUnter => 200,
        }
    }
}

/// One meld of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meld {
    /// What it is.
    pub kind: MeldKind,
    /// The suit of a pair, a family or a seven.
    pub suit: Option<Suit>,
    /// Its cards.
    pub cards: CardSet,
    /// What it gives.
    pub points: u16,
}

/// All melds of a hand together: what is laid on the table, and what it gives.
/// Cards that are no part of a meld make none, so the melds can be told from
/// the cards laid out alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Melded {
    /// Every card of a meld.
    pub cards: CardSet,
    /// What the melds give.
    pub points: u16,
}

/// The melds of these cards, suit by suit, trump sevens, then Binokel, then fours.
///
/// ```
/// use parlor_binokel::{Card, Rules, Suit, melds};
/// let hand = ["schippe-ober-0", "schippe-koenig-1", "bollen-buabe-0"];
/// let hand = hand.into_iter().filter_map(Card::from_id).collect();
/// let melds = melds(hand, Suit::Herz, &Rules::contract());
/// let names: Vec<_> = melds.iter().map(|meld| (meld.kind.name(), meld.points)).collect();
/// assert_eq!(names, [("paar", 20), ("binokel", 40)]);
/// ```
pub fn melds(cards: CardSet, trump: Suit, rules: &Rules) -> Vec<Meld> {
    let mut melds = Vec::new();
    each_meld(cards, trump, rules, |meld| melds.push(meld));
    melds
}

/// What these cards meld, all in all.
#[inline]
pub fn melded(cards: CardSet, trump: Suit, rules: &Rules) -> Melded {
    let mut all = Melded::default();
    each_meld(cards, trump, rules, |meld| {
        all.cards = all.cards.or(meld.cards);
        all.points += meld.points;
    });
    all
}

#[inline(always)]
fn each_meld(cards: CardSet, trump: Suit, rules: &Rules, mut found: impl FnMut(Meld)) {
    for suit in Suit::ALL {
        each_in_suit(cards, suit, suit == trump, rules.doppel_familie, &mut found);
    }
    if rules.trump_sieben {
        each_trump_seven(cards, trump, &mut found);
    }
    each_binokel(cards, &mut found);
    each_of_a_kind(cards, rules.acht_gleiche, &mut found);
}

const FAMILY: [Rank; 5] = [Rank::Buabe, Rank::Ober, Rank::Koenig, Rank::Ten, Rank::Ass];
const COUPLE: [Rank; 2] = [Rank::Koenig, Rank::Ober];

/// The king and ober of a family make no pair of their own; a spare second king
/// and ober do.
#[inline(always)]
fn each_in_suit(
    cards: CardSet,
    suit: Suit,
    in_trumps: bool,
    doubled: bool,
    found: &mut impl FnMut(Meld),
) {
    let how_many =
        |ranks: &[Rank]| ranks.iter().map(|rank| cards.count(suit, *rank)).min().unwrap_or(0);
    let couples = how_many(&COUPLE);
    if couples == 0 {
        return;
    }
    let families = how_many(&FAMILY);
    if doubled && families == 2 {
        let kind = MeldKind::DoppelFamilie;
        let cards = FAMILY.iter().fold(CardSet::EMPTY, |all, rank| {
            all.or(CardSet::of_suit(suit).and(CardSet::of_rank(*rank)))
        });
        found(Meld { kind, suit: Some(suit), cards, points: kind.points(in_trumps) });
        return;
    }
    let mut find = |kind: MeldKind, ranks: &[Rank], second| {
        let cards = ranks.iter().map(|rank| cards.nth(suit, *rank, second)).collect();
        found(Meld { kind, suit: Some(suit), cards, points: kind.points(in_trumps) });
    };
    for nth in 0..couples {
        let second = nth == 1;
        if nth < families {
            find(MeldKind::Familie, &FAMILY, second);
        } else {
            find(MeldKind::Paar, &COUPLE, second);
        }
    }
}

#[inline(always)]
fn each_trump_seven(cards: CardSet, trump: Suit, found: &mut impl FnMut(Meld)) {
    let kind = MeldKind::TrumpSieben;
    for seven in cards.and(CardSet::of_suit(trump)).and(CardSet::of_rank(Rank::Seven)).iter() {
        let cards = CardSet::only(seven);
        found(Meld { kind, suit: Some(trump), cards, points: kind.points(true) });
    }
}

const OBERS: CardSet = CardSet::of_suit(Suit::Schippe).and(CardSet::of_rank(Rank::Ober));
const BUABEN: CardSet = CardSet::of_suit(Suit::Bollen).and(CardSet::of_rank(Rank::Buabe));

#[inline(always)]
fn each_binokel(cards: CardSet, found: &mut impl FnMut(Meld)) {
    let (obers, buaben) = (cards.and(OBERS), cards.and(BUABEN));
    let meld = |kind: MeldKind, cards| Meld { kind, suit: None, cards, points: kind.points(false) };
    if obers.or(buaben).len() == 4 {
        found(meld(MeldKind::DoppelBinokel, obers.or(buaben)));
    } else if let (Some(ober), Some(buabe)) = (obers.first(), buaben.first()) {
        found(meld(MeldKind::Binokel, CardSet::only(ober).or(CardSet::only(buabe))));
    }
}

const KINDS: [(Rank, MeldKind, MeldKind); 4] = [
    (Rank::Ass, MeldKind::VierAss, MeldKind::AchtAss),
    (Rank::Koenig, MeldKind::VierKoenig, MeldKind::AchtKoenig),
    (Rank::Ober, MeldKind::VierOber, MeldKind::AchtOber),
    (Rank::Buabe, MeldKind::VierUnter, MeldKind::AchtUnter),
];

#[inline(always)]
fn each_of_a_kind(cards: CardSet, eights: bool, found: &mut impl FnMut(Meld)) {
    let in_all_suits = |set: CardSet| {
        let [kreuz, schippe, herz, bollen] = Suit::ALL.map(|suit| set.in_suit(suit));
        kreuz.and(schippe).and(herz).and(bollen)
    };
    let fours = in_all_suits(cards.kinds());
    if fours.is_empty() {
        return;
    }
    let doubles = in_all_suits(cards.doubles());
    let meld = |kind: MeldKind, cards| Meld { kind, suit: None, cards, points: kind.points(false) };
    for (rank, four, eight) in KINDS {
        let first = Card::new(Suit::Kreuz, rank, false);
        let row =
            |second| Suit::ALL.map(|suit| cards.nth(suit, rank, second)).into_iter().collect();
        if doubles.contains(first) && eights {
            found(meld(eight, CardSet::of_rank(rank)));
        } else if fours.contains(first) {
            found(meld(four, row(false)));
            if doubles.contains(first) {
                found(meld(four, row(true)));
            }
        }
    }
}
