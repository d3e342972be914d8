//! House rules, presets, and what each option takes.

use parlor_kernel::{OptionGuide, Preset, RulesError, RulesGuide};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cards::CardSet;

/// In what order seats bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bidding {
    /// The opener against the next seat until one passes, the survivor
    /// against the next.
    Duel,
    /// Around the table, past those who have passed.
    RoundRobin,
}

/// Who sees the dabb when it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DabbShown {
    /// Only who won the bidding.
    Taker,
    /// Everyone.
    All,
}

/// Who leads to the first trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FirstLead {
    /// The seat after the dealer.
    Opener,
    /// Who won the bidding.
    Declarer,
}

/// The house rules of one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The game ends when a total reaches this.
    pub target: Option<u32>,
    /// The game ends after this many rounds.
    pub rounds: Option<u16>,
    /// The lowest bid.
    pub minimum_bid: u16,
    /// In what order seats bid.
    pub bidding: Bidding,
    /// The opener may pass although nobody has bid.
    pub opener_may_pass: bool,
    /// How many cards lie in the dabb; none: six with two players, else four.
    pub dabb_size: Option<u8>,
    /// Who sees the dabb when it is taken.
    pub dabb_shown: DabbShown,
    /// Trump is named before cards are laid away.
    pub trump_first: bool,
    /// Trumps that are laid away are shown.
    pub buried_trumps_shown: bool,
    /// What each opponent of one who goes out is given.
    pub going_out_bonus: u16,
    /// Eight of a kind is a meld of its own.
    pub acht_gleiche: bool,
    /// Who leads to the first trick.
    pub first_lead: FirstLead,
    /// While the partner holds the trick, following suit is enough.
    pub partner_exemption: bool,
    /// Play with sevens: 48 cards.
    pub sevens: bool,
    /// A Durch may be announced. Logs from before there was one are silent.
    #[serde(default)]
    pub durch: bool,
    /// A Bettel may be announced.
    #[serde(default)]
    pub bettel: bool,
    /// Seconds a player may think; 0: no clock. None runs against bots only.
    pub turn_seconds: u32,
    /// Both families of a suit are a meld of their own. What follows is not
    /// written where it is off, as in logs from before there was any.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub doppel_familie: bool,
    /// A trump seven is a meld.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trump_sieben: bool,
    /// A bot plays for a person who is away for so many seconds; 0: nobody does.
    #[serde(default, skip_serializing_if = "is_off")]
    pub takeover: u32,
    /// The game is called off once nobody has bid in so many deals; 0: never.
    #[serde(default, skip_serializing_if = "is_never")]
    pub thrown_in: u16,
}

const fn is_off(seconds: &u32) -> bool {
    *seconds == 0
}

const fn is_never(deals: &u16) -> bool {
    *deals == 0
}

/// The highest bid anyone may call. Nobody can make it; it keeps scores small.
pub const HIGHEST_BID: u16 = 10_000;

/// The most rounds a game may be bounded to.
const MOST_ROUNDS: u16 = 1_000;

impl Rules {
    /// As the wire contract plays it.
    pub fn contract() -> Rules {
        Rules {
            target: Some(1000),
            rounds: None,
            minimum_bid: 150,
            bidding: Bidding::Duel,
            opener_may_pass: false,
            dabb_size: None,
            dabb_shown: DabbShown::Taker,
            trump_first: false,
            buried_trumps_shown: false,
            going_out_bonus: 30,
            acht_gleiche: false,
            first_lead: FirstLead::Opener,
            partner_exemption: true,
            sevens: false,
            durch: false,
            bettel: false,
            turn_seconds: 0,
            doppel_familie: false,
            trump_sieben: false,
            takeover: 0,
            thrown_in: 0,
        }
    }

    /// As browser clients of the contract's time play it: bidding around the
    /// table, the declarer leads, four in the dabb.
    pub fn web() -> Rules {
        Rules {
            bidding: Bidding::RoundRobin,
            first_lead: FirstLead::Declarer,
            dabb_size: Some(4),
            ..Rules::contract()
        }
    }

    /// As it is played in Württemberg's inns: four in the dabb, laid open,
    /// trump first.
    pub fn classic() -> Rules {
        Rules {
            dabb_size: Some(4),
            dabb_shown: DabbShown::All,
            trump_first: true,
            buried_trumps_shown: true,
            going_out_bonus: 40,
            ..Rules::contract()
        }
    }

    /// Classic, over twelve rounds.
    pub fn tournament() -> Rules {
        Rules { target: None, rounds: Some(12), ..Rules::classic() }
    }

    /// The cards played with.
    pub const fn deck(&self) -> CardSet {
        if self.sevens { CardSet::WITH_SEVENS } else { CardSet::WITHOUT_SEVENS }
    }

    /// How many cards lie in the dabb with this many players. A size that
    /// leaves hands uneven gives way to one that does not.
    pub fn dabb(&self, players: u8) -> u8 {
        let players = players.clamp(2, 4);
        let wanted = self.dabb_size.unwrap_or(if players == 2 { 6 } else { 4 });
        let even = |dabb: &u8| (self.deck().len() as u8 - dabb).is_multiple_of(players);
        [wanted, 4, 6].into_iter().find(even).unwrap_or(4)
    }

    /// The same rules with an end after so many rounds, where bots alone may go on
    /// for ever: all of them pass, or nobody makes a bid as high as it must be.
    pub(crate) fn ended_after(&self, rounds: u32) -> Option<Rules> {
        let most = u16::try_from(rounds).unwrap_or(MOST_ROUNDS).min(MOST_ROUNDS);
        let mut ended = self.clone();
        if self.opener_may_pass && self.thrown_in == 0 {
            ended.thrown_in = most;
        }
        if self.rounds.is_none() && self.minimum_bid > Rules::contract().minimum_bid {
            ended.rounds = Some(most);
        }
        (ended != *self).then_some(ended)
    }

    /// Presets and options with their meaning.
    pub fn guide() -> RulesGuide<Rules> {
        RulesGuide { presets: presets(), options: options() }
    }

    /// Whether these rules can be played.
    pub fn check(&self) -> Result<(), RulesError> {
        let refuse = |option, value: serde_json::Value| Err(Rules::guide().refuse(option, value));
        if self.target.is_some_and(|target| !(100..=100_000).contains(&target)) {
            return refuse("target", self.target.into());
        }
        if self.rounds.is_some_and(|rounds| !(1..=MOST_ROUNDS).contains(&rounds)) {
            return refuse("rounds", self.rounds.into());
        }
        if !(10..=1000).contains(&self.minimum_bid) || !self.minimum_bid.is_multiple_of(10) {
            return refuse("minimum_bid", self.minimum_bid.into());
        }
        if !matches!(self.dabb_size, None | Some(4 | 6)) {
            return refuse("dabb_size", self.dabb_size.into());
        }
        if self.going_out_bonus > 1000 {
            return refuse("going_out_bonus", self.going_out_bonus.into());
        }
        if !matches!(self.turn_seconds, 0 | 3..=3600) {
            return refuse("turn_seconds", self.turn_seconds.into());
        }
        if !matches!(self.takeover, 0 | 3..=3600) {
            return refuse("takeover", self.takeover.into());
        }
        if self.thrown_in > MOST_ROUNDS {
            return refuse("thrown_in", self.thrown_in.into());
        }
        if self.rounds.is_none() && self.target.is_none() {
            return Err(RulesError::Contradiction(
                "a game needs an end: give 'target' (100 to 100000), 'rounds' (1 to 1000) or both"
                    .to_owned(),
            ));
        }
        if self.buried_trumps_shown && !self.trump_first {
            return Err(RulesError::Contradiction(
                "'buried_trumps_shown' needs 'trump_first': before trump is named nobody knows \
                 which cards are trumps"
                    .to_owned(),
            ));
        }
        if self.trump_sieben && !self.sevens {
            return Err(RulesError::Contradiction(
                "'trump_sieben' needs 'sevens': without sevens nobody can meld one".to_owned(),
            ));
        }
        Ok(())
    }
}

fn presets() -> Vec<Preset<Rules>> {
    vec![
        Preset {
            name: "contract",
            meaning: "as the Socket.IO contract plays it: to 1000, the dabb for its taker only, \
                      trump named after laying away",
            rules: Rules::contract(),
        },
        Preset {
            name: "classic",
            meaning: "four in the dabb, shown to all; trump first, buried trumps shown; going out \
                      gives opponents 40",
            rules: Rules::classic(),
        },
        Preset {
            name: "tournament",
            meaning: "classic over twelve rounds",
            rules: Rules::tournament(),
        },
        Preset {
            name: "web",
            meaning: "as browser clients of the contract's time play it: bidding around the \
                      table, the declarer leads, four in the dabb also with two players",
            rules: Rules::web(),
        },
    ]
}

fn options() -> Vec<OptionGuide> {
    let option = OptionGuide::new;
    vec![
        option(
            "target",
            "the game ends when a total reaches this",
            "100 to 100000, or null for none",
        )
        .known_as(&["target_score", "targetScore"]),
        option("rounds", "the game ends after this many rounds", "1 to 1000, or null for no limit"),
        option("minimum_bid", "the lowest bid", "a multiple of ten, 10 to 1000"),
        option(
            "bidding",
            "in what order seats bid: the opener against the next seat until one passes and the \
             survivor against the next, or around the table",
            "duel or round_robin",
        ),
        option(
            "opener_may_pass",
            "the opener may pass although nobody has bid; if all pass, the next dealer deals",
            "true or false",
        ),
        option(
            "dabb_size",
            "how many cards lie in the dabb, where that leaves hands even",
            "4, 6, or null for six with two players and otherwise four",
        ),
        option("dabb_shown", "who sees the dabb when it is taken", "taker or all"),
        option("trump_first", "trump is named before cards are laid away", "true or false"),
        option(
            "buried_trumps_shown",
            "trumps that are laid away are shown (with trump_first)",
            "true or false",
        ),
        option(
            "going_out_bonus",
            "what each opponent of one who goes out is given beside melds",
            "0 to 1000",
        ),
        option(
            "acht_gleiche",
            "all eight asses, kings, obers or unters are a meld of 1000, 600, 400 or 200",
            "true or false",
        ),
        option("first_lead", "who leads to the first trick", "opener or declarer"),
        option(
            "partner_exemption",
            "with four players, following suit is enough while the partner holds the trick",
            "true or false",
        ),
        option("sevens", "play with sevens, 48 cards; they count nothing", "true or false"),
        option(
            "durch",
            "in place of trump a Durch may be announced, for bids up to 1000: no trump, no melds, \
             the declarer leads and its side takes every trick; 1000 won or lost, nothing for the \
             others",
            "true or false",
        ),
        option(
            "bettel",
            "in place of trump a Bettel may be announced, for bids up to 500: no trump, no melds, \
             the declarer leads and takes no trick; 500 won or lost, nothing for the others",
            "true or false",
        ),
        option(
            "turn_seconds",
            "seconds a player may think; no clock runs against bots only",
            "0 for no clock, or 3 to 3600",
        ),
        option(
            "doppel_familie",
            "both families of a suit are a meld of 1500 in place of two",
            "true or false",
        ),
        option("trump_sieben", "each trump seven is a meld of 10 (with sevens)", "true or false"),
        option(
            "takeover",
            "a bot plays for a person who is away for so many seconds, until the person is back",
            "0 for never, or 3 to 3600",
        ),
        option(
            "thrown_in",
            "the game is called off once nobody has bid in so many deals (with opener_may_pass)",
            "0 for never, or 1 to 1000",
        ),
    ]
}
