//! Mafia: random games against exact computation, and how fast those who
//! infer decide.

use std::path::Path;
use std::process::Command;

use parlor_mafia::reckoning::{Finding, Tally, play, references};
use serde_json::Value;

use crate::{Outcome, median, report};

/// So many random games of each table are counted.
const GAMES: u64 = 1_000_000;
const RUNS: usize = 5;

/// The numbers of random games, and decisions of `bayes` per second.
pub fn measure(program: &Path) -> Outcome<()> {
    let mut rates = Vec::new();
    for _ in 0..RUNS {
        rates.push(bayes(program)?);
    }
    report("mafia decisions/s, bayes, one thread", &format!("{:.0}", median(rates)), "");
    for (place, reference) in references().iter().enumerate() {
        let tally = count(|first, end| play(&reference.rules, first, end));
        tell(&tally.town(reference));
        if place == 0 {
            tally.classic().iter().for_each(tell);
        }
    }
    Ok(())
}

fn tell(finding: &Finding) {
    let Finding { what, found, expected, z } = finding;
    report(&format!("{what}: {found:.5} ({expected})"), &format!("z = {z:+.2}"), "|z| < 4");
}

/// All games of a table, on every core.
fn count(play: impl Fn(u64, u64) -> Tally + Sync) -> Tally {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let part = |place: u64| place * GAMES / cores;
    std::thread::scope(|threads| {
        let play = &play;
        let parts: Vec<_> = (0..cores)
            .map(|place| threads.spawn(move || play(part(place), part(place + 1))))
            .collect();
        // A part that panicked is a defect, and so is a count without it.
        let whole = |part: std::thread::ScopedJoinHandle<'_, Tally>| {
            part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        parts.into_iter().map(whole).fold(Tally::default(), Tally::with)
    })
}

/// Decisions per second where every seat infers. What is thought and said is
/// part of a decision, and no decision of its own: a day has two of everyone,
/// a night one of each who acts.
fn bayes(program: &Path) -> Outcome<f64> {
    let seats = ["bayes"; 10].join(",");
    let output = Command::new(program)
        .args(["sim", "mafia", "--seats", &seats, "--games", "400"])
        .args(["--threads", "1", "--json"])
        .output()?;
    let told: Value = serde_json::from_slice(&output.stdout)?;
    Ok(told["decisions_per_s"].as_f64().unwrap_or(f64::NAN))
}
