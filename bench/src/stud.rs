//! Stud hands per second in each of the three orders, and pokerkit beside it
//! where it is installed.

use std::hint::black_box;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use parlor_kernel::{Dice, Seed};
use parlor_stud::{Card, ace_to_five, eight_or_better, high};

use crate::{Outcome, median, report};

const HANDS: usize = 4096;
const LAPS: usize = 2000;
const RUNS: usize = 5;
const GOAL: &str = ">= 50000000";

/// Evaluations per second, and what pokerkit does in the same run.
pub fn measure() -> Outcome<()> {
    let hands = hands()?;
    let rates = [
        ("high", rate(&hands, |hand| high(hand))),
        ("ace-to-five", rate(&hands, |hand| ace_to_five(hand))),
        ("eight-or-better", rate(&hands, |hand| eight_or_better(hand))),
    ];
    for (order, rate) in rates {
        report(&format!("stud {order} evaluations/s, seven cards"), &format!("{rate:.0}"), GOAL);
    }
    match pokerkit()? {
        Some(told) => told.lines().for_each(|line| {
            if let Some((what, rate)) = line.split_once('\t') {
                report(&format!("pokerkit {what}"), rate, "");
            }
        }),
        None => report("pokerkit", "not installed", ""),
    }
    Ok(())
}

fn hands() -> Outcome<Vec<[Card; 7]>> {
    let dice = Dice::new(&Seed::named("bench"), "hands");
    let deal = |number: usize| {
        let mut deck = Card::DECK;
        dice.stream(format_args!("hand/{number}")).shuffle(&mut deck);
        Ok(deck[..7].try_into()?)
    };
    (0..HANDS).map(deal).collect()
}

fn rate<T>(hands: &[[Card; 7]], rank: impl Fn(&[Card]) -> T) -> f64 {
    let run = |_| {
        let began = Instant::now();
        for _ in 0..LAPS {
            for hand in hands {
                black_box(rank(black_box(hand)));
            }
        }
        (HANDS * LAPS) as f64 / began.elapsed().as_secs_f64()
    };
    median((0..RUNS).map(run).collect())
}

/// What the peer says of itself; none where it is not installed. The tests
/// of stud install it beside what they build.
fn pokerkit() -> Outcome<Option<String>> {
    let target = std::env::current_exe()?;
    let target = target.ancestors().nth(2).map(PathBuf::from).unwrap_or_default();
    let python = target.join("pokerkit/bin/python");
    if !python.is_file() {
        return Ok(None);
    }
    let output = Command::new(python).args(["-c", include_str!("peer.py")]).output()?;
    Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
}
