//! What every test of Binokel needs: house rules, a table to play at, and
//! cards by name.
#![allow(dead_code, reason = "each test file uses its part")]

use parlor_binokel::{Bidding, DabbShown, FirstLead, Rules};

/// The presets, and house rules that bring out what presets leave aside.
pub fn house_rules() -> Vec<(&'static str, Rules)> {
    vec![
        ("contract", Rules::contract()),
        ("classic", Rules { target: Some(500), ..Rules::classic() }),
        ("tournament", Rules { rounds: Some(3), ..Rules::tournament() }),
        (
            "unusual",
            Rules {
                rounds: Some(6),
                minimum_bid: 10,
                bidding: Bidding::RoundRobin,
                opener_may_pass: true,
                dabb_shown: DabbShown::All,
                acht_gleiche: true,
                first_lead: FirstLead::Declarer,
                partner_exemption: false,
                sevens: true,
                ..Rules::contract()
            },
        ),
    ]
}
