//! Measurements of one run on one machine: in process, then through the real
//! server with its log on disk.
//!
//! `make bench` builds everything with the profile `fast` and runs this. Named parts run
//! alone: `parlor-bench sim stud mafia fold server http rooms memory`, and the
//! server with one number of tables as `server-1`, `server-64`, `server-256`,
//! `http-64`, `http-256`. What takes minutes runs only when it is named:
//! `start-10000` and `start-100000` (running games in the store at a start),
//! `hold-5000` and `hold-50000` (tables in memory).

mod client;
mod fold;
mod hold;
mod load;
mod mafia;
mod process;
mod room;
mod rooms;
mod server;
mod sim;
mod socketio;
mod start;
mod stud;
mod table;

use std::path::PathBuf;

use table::Commands;

/// Anything that goes wrong ends the run with a sentence.
pub type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let program = program()?;
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |part: &str| asked.is_empty() || asked.iter().any(|name| name == part);
    println!("{:<58} {:>14} {:>14}", "what", "measured", "goal");
    if wanted("sim") {
        sim::measure(&program)?;
    }
    if wanted("stud") {
        stud::measure()?;
    }
    if wanted("mafia") {
        mafia::measure(&program)?;
    }
    if wanted("fold") {
        fold::measure()?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for tables in [1, 64, 256] {
        if wanted("server") || wanted(&format!("server-{tables}")) {
            runtime.block_on(server::measure(&program, tables, Commands::WebSocket))?;
        }
    }
    for tables in [64, 256] {
        if wanted("http") || wanted(&format!("http-{tables}")) {
            runtime.block_on(server::measure(&program, tables, Commands::Http))?;
        }
    }
    if wanted("rooms") {
        runtime.block_on(rooms::measure(&program))?;
    }
    if wanted("memory") {
        runtime.block_on(server::idle_memory(&program))?;
    }
    // These take minutes, and a machine to themselves: only by name.
    let named = |part: &str| asked.iter().any(|name| name == part);
    for running in [10_000, 100_000] {
        if named(&format!("start-{running}")) {
            runtime.block_on(start::measure(&program, running))?;
        }
    }
    for tables in [5_000, 50_000] {
        if named(&format!("hold-{tables}")) {
            let (played, moves_per_s) = (tables * 4 / 25, tables / 10);
            let load = hold::Load { tables, played, moves_per_s };
            runtime.block_on(hold::measure(&program, load))?;
        }
    }
    Ok(())
}

/// The program built beside this one.
fn program() -> Outcome<PathBuf> {
    let program = std::env::current_exe()?.with_file_name("parlor");
    if program.is_file() {
        return Ok(program);
    }
    Err(format!("{} is missing; run `make bench`", program.display()).into())
}

/// One line of the report.
pub fn report(what: &str, measured: &str, goal: &str) {
    println!("{what:<58} {measured:>14} {goal:>14}");
}

/// The middle value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The value below which `share` of them lie.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let at = (sorted.len() as f64 * share) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}
