//! The laws of the kernel.

use parlor_dice::{LiarsDice, Rules};
use parlor_kernel::laws::{check_all, check_tables};

#[test]
fn every_preset_keeps_all_laws() {
    check_all::<LiarsDice>(6).unwrap();
}

#[test]
fn every_table_keeps_all_laws() {
    let mut tables = Vec::new();
    for wild in [true, false] {
        for dice in 1..=5 {
            let rules = Rules { dice, wild, turn_seconds: 0 };
            tables.extend((2..=6).map(|seats| (rules, seats)));
        }
    }
    check_tables::<LiarsDice>(&tables, 6).unwrap();
}
