//! Koi-Koi in process: the program's own simulation, on one thread.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{Outcome, median, report};

const RUNS: usize = 5;

/// Rounds per second with the typed log on.
pub fn measure(program: &Path) -> Outcome<()> {
    let mut rounds = Vec::new();
    let mut decisions = Vec::new();
    for _ in 0..RUNS {
        let output = Command::new(program)
            .args(["sim", "koikoi", "--seats", "random,random", "--games", "100000"])
            .args(["--threads", "1", "--json"])
            .output()?;
        let told: Value = serde_json::from_slice(&output.stdout)?;
        rounds.push(told["extra"]["rounds_per_s"].as_f64().unwrap_or(f64::NAN));
        decisions.push(told["decisions_per_s"].as_f64().unwrap_or(f64::NAN));
    }
    report(
        "koikoi rounds/s, random, one thread, typed log",
        &format!("{:.0}", median(rounds)),
        ">= 300000",
    );
    report("koikoi decisions/s, same runs", &format!("{:.0}", median(decisions)), "");
    Ok(())
}
