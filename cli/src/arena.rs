//! `parlor arena`: agents against each other, and a report.

use std::path::Path;

use parlor_players::arena::{Contest, Ended, Report};
use parlor_players::{Controller, Roster};

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
        control: Controller::default(),
    };
    if let Some(folder) = &args.out {
        let games = folder.join("games");
        std::fs::create_dir_all(&games).map_err(|error| unwritten(&games, &error))?;
    }
    let bar = patient_bar(contest.games());
    let mut unkept = None;
    let report = threads()?
        .block_on(async {
            call_off_on_interrupt(&contest.control);
            let ended = |game: Ended<'_>| {
                bar.advance(1);
                if let (Some(folder), None) = (&args.out, &unkept) {
                    unkept = write_log(&folder.join(&game.name), &game).err();
                }
            };
            contest.play(ended).await
        })
        .map_err(CliError::usage)?;
    bar.done();
    finish(&contest.wires)?;
    let json = serde_json::to_string_pretty(&report).map_err(CliError::usage)?;
    if let Some(folder) = &args.out {
        write_all(folder, &report, &json)?;
    }
    if args.json {
        print_line(json)?;
    } else {
        print_line(report.text().trim_end())?;
        if let Some(folder) = &args.out {
            print_line(format_args!("The report is in {}.", folder.display()))?;
        }
    }
    unkept.map_or(Ok(()), Err)
}

/// The log of one game, as it is exported.
fn write_log(path: &Path, game: &Ended<'_>) -> Result<(), CliError> {
    let mut text = String::new();
    for envelope in game.log.envelopes(&game.lineup.opening.game_id) {
        text += &serde_json::to_string(&envelope).map_err(CliError::usage)?;
        text.push('\n');
    }
    std::fs::write(path, text).map_err(|error| unwritten(path, &error))
}

fn write_all(folder: &Path, report: &Report, json: &str) -> Result<(), CliError> {
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
