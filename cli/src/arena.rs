//! `parlor arena`: agents against each other, and a report.

use std::path::Path;

use parlor_players::arena::{Contest, Group, Report};
use parlor_players::{Control, Roster};

use crate::args::ArenaArgs;
use crate::error::{CliError, print_line};
use crate::sim::patient_bar;
use crate::watch::{call_off_on_interrupt, finish, threads, unwritten};

/// The name every seed follows from, if none is given.
const SEED: &str = "parlor";

/// Plays and reports.
pub fn arena(args: &ArenaArgs) -> Result<(), CliError> {
    let of = &args.of;
    of.check_game()?;
    let mut settings = of.settings()?;
    // Everyone sits everywhere in turn, whatever the file says of seats.
    settings.seats.clear();
    let wires = of.wires(&settings)?;
    let contest = Contest {
        roster: Roster::new(settings),
        rules: of.rules()?,
        agents: args.agents.clone(),
        seeds: args.games,
        seed: of.seed.clone().unwrap_or_else(|| SEED.to_owned()),
        at_once: args.parallel,
        wires,
        control: Control::default(),
    };
    let bar = patient_bar(contest.games());
    let report = threads()?
        .block_on(async {
            call_off_on_interrupt(&contest.control);
            contest.play(|_, _| bar.advance(1)).await
        })
        .map_err(CliError::usage)?;
    bar.done();
    finish(&contest.wires)?;
    let json = serde_json::to_string_pretty(&report).map_err(CliError::usage)?;
    if let Some(folder) = &args.out {
        write_all(folder, &report, &json)?;
    }
    if args.json { print_line(json) } else { print_table(&report, args.out.as_deref()) }
}

fn write_all(folder: &Path, report: &Report, json: &str) -> Result<(), CliError> {
    std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    for (name, text) in [
        ("report.html", report.html()),
        ("report.csv", report.csv()),
        ("report.json", format!("{json}\n")),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| unwritten(&path, &error))?;
    }
    Ok(())
}

fn print_table(report: &Report, folder: Option<&Path>) -> Result<(), CliError> {
    let Report { games, seeds, seed, elapsed_s, degraded, called_off, .. } = report;
    print_line(format_args!(
        "mafia: {games} games on {seeds} seeds from '{seed}' in {elapsed_s:.2} s; {degraded} \
         degraded and {called_off} called off, in no rate"
    ))?;
    print_line("agent         as          seats   wins  rate    95 % interval")?;
    for agent in &report.agents {
        for Group { group, wins } in agent.sides.iter().chain(&agent.roles) {
            let (Some(rate), Some([low, high])) = (wins.rate, wins.ci95) else { continue };
            let (name, n, hits) = (&agent.agent, wins.n, wins.hits);
            print_line(format_args!(
                "{name:<13} {group:<9} {n:>7} {hits:>6}  {rate:.4}  [{low:.4}, {high:.4}]"
            ))?;
        }
    }
    print_line("agent         day         votes   hits  rate    95 % interval     chance")?;
    for agent in &report.agents {
        for day in &agent.votes {
            let (Some(rate), Some([low, high])) = (day.hits.rate, day.hits.ci95) else { continue };
            let (name, n, hits) = (&agent.agent, day.hits.n, day.hits.hits);
            let chance = day.chance.unwrap_or_default();
            print_line(format_args!(
                "{name:<13} {:<9} {n:>7} {hits:>6}  {rate:.4}  [{low:.4}, {high:.4}]  {chance:.4}",
                day.day
            ))?;
        }
    }
    print_line("agent         fallbacks  invalid  tokens read  written  ms a decision  cost")?;
    for agent in &report.agents {
        let share = |rate: Option<f64>| rate.map_or("–".to_owned(), |rate| format!("{rate:.4}"));
        let cost = agent.cost_usd.map_or("unknown".to_owned(), |cost| format!("${cost:.4}"));
        let latency = agent.mean_latency_ms.map_or("–".to_owned(), |ms| format!("{ms:.0}"));
        print_line(format_args!(
            "{:<13} {:>9} {:>8} {:>12} {:>8} {latency:>14}  {cost}",
            agent.agent,
            share(agent.fallback_rate),
            share(agent.invalid_rate),
            agent.prompt_tokens,
            agent.completion_tokens,
        ))?;
    }
    match folder {
        Some(folder) => print_line(format_args!("The report is in {}.", folder.display())),
        None => Ok(()),
    }
}
