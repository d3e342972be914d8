//! Games in process: the program's own simulation, on one thread, with the
//! typed log on; players at random do not look, so they have no views.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{Outcome, median, report};

const RUNS: usize = 5;

/// What is played and what is counted.
struct Race {
    game: &'static str,
    seats: &'static str,
    games: u32,
    rules: &'static str,
    /// The count in the report of `parlor sim`.
    counted: &'static str,
    goal: &'static str,
}

const RACES: [Race; 4] = [
    Race {
        game: "koikoi",
        seats: "random,random",
        games: 100_000,
        rules: "protocol",
        counted: "rounds",
        goal: ">= 300000",
    },
    Race {
        game: "stud",
        seats: "random,random,random,random,random,random",
        games: 10_000,
        rules: "preset=mixed,stacks=10000",
        counted: "deals",
        goal: ">= 150000",
    },
    Race {
        game: "binokel",
        seats: "random,random,random",
        games: 20_000,
        rules: "contract",
        counted: "rounds",
        goal: ">= 150000",
    },
    Race {
        game: "mafia",
        seats: "random,random,random,random,random,random,random,random,random,random",
        games: 50_000,
        rules: "classic",
        counted: "games",
        goal: ">= 100000",
    },
];

/// Rounds, deals and games per second.
pub fn measure(program: &Path) -> Outcome<()> {
    for race in RACES {
        let (rate, decisions) = race.run(program)?;
        let Race { game, counted, .. } = race;
        let what = format!("{game} {counted}/s, random, one thread, typed log");
        report(&what, &format!("{rate:.0}"), race.goal);
        report(&format!("{game} decisions/s, same runs"), &format!("{decisions:.0}"), "");
    }
    Ok(())
}

impl Race {
    /// The median rates: of what is counted, and of decisions.
    fn run(&self, program: &Path) -> Outcome<(f64, f64)> {
        let mut rates = Vec::new();
        let mut decisions = Vec::new();
        for _ in 0..RUNS {
            let output = Command::new(program)
                .args(["sim", self.game, "--seats", self.seats, "--rules", self.rules])
                .args(["--games", &self.games.to_string(), "--threads", "1", "--json"])
                .output()?;
            let told: Value = serde_json::from_slice(&output.stdout)?;
            let extra = &told["extra"][format!("{}_per_s", self.counted)];
            // Where a game is a round, the rate of games says it all.
            let rate = extra.as_f64().or_else(|| told["games_per_s"].as_f64());
            rates.push(rate.unwrap_or(f64::NAN));
            decisions.push(told["decisions_per_s"].as_f64().unwrap_or(f64::NAN));
        }
        Ok((median(rates), median(decisions)))
    }
}
