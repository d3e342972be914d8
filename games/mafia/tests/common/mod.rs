//! What every test of Mafia needs: tables to play at, and players by id.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod table;

use parlor_mafia::{Flip, Flips, Rules, SpeakingOrder, TieRule, VoteRule, Votes};

/// Tables that differ in everything a table may choose.
pub fn tables() -> Vec<(&'static str, Rules)> {
    let classic = Rules::classic;
    let flips = |vote, night_kill| Flips { vote, night_kill };
    vec![
        ("classic", classic()),
        ("five", Rules { sheriff: 0, doctor: 0, ..Rules::sized(5, 1) }),
        ("seven", Rules { tie_rule: TieRule::Revote, ..Rules::sized(7, 2) }),
        ("twenty", Rules { discussion_rounds: 0, ..Rules::sized(20, 6) }),
        (
            "people",
            Rules {
                votes: Votes::Sealed,
                mafia_channel: true,
                acknowledge: true,
                tie_rule: TieRule::Revote,
                ..Rules::sized(8, 2)
            },
        ),
        (
            "closed",
            Rules {
                flip: flips(Flip::None, Flip::Team),
                no_kill: true,
                vote_rule: VoteRule::Majority,
                discussion_rounds: 2,
                ..classic()
            },
        ),
        (
            "dark",
            Rules { flip: flips(Flip::Team, Flip::None), tie_rule: TieRule::None, ..classic() },
        ),
        (
            "bidding",
            Rules {
                speaking_order: SpeakingOrder::Bidding,
                flip: flips(Flip::None, Flip::None),
                votes: Votes::Sealed,
                ..Rules::sized(6, 2)
            },
        ),
    ]
}
