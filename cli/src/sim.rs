//! `parlor sim`: many games in process.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parlor_house::{GameInfo, SimReport, SimSpec};
use serde_json::Value;

use crate::args::SimArgs;
use crate::error::{CliError, print_line};
use crate::rules_text;
use crate::settings::unknown_game;

/// Plays and reports.
pub fn sim(args: &SimArgs) -> Result<(), CliError> {
    let game = parlor_house::game(&args.game).ok_or_else(|| unknown_game(&args.game))?;
    let rules = args.rules.as_deref().map(rules_text::parse).transpose()?.unwrap_or(Value::Null);
    let seats = if args.seats.is_empty() { fewest(game, &rules)? } else { args.seats.clone() };
    let spec =
        SimSpec { games: args.games, seats, seed: args.seed.clone(), threads: args.threads, rules };
    let bar = patient_bar(args.games);
    let report = game.simulate(&spec, &|played| bar.advance(played)).map_err(CliError::usage)?;
    bar.done();
    if args.json {
        print_line(serde_json::to_string(&report).map_err(CliError::usage)?)
    } else {
        print_table(&report)
    }
}

/// The weakest bot in as few seats as these rules are played with.
fn fewest(game: &dyn GameInfo, rules: &Value) -> Result<Vec<String>, CliError> {
    let rules = game.resolve_rules(rules).map_err(CliError::usage)?;
    let seats = *game.seats(&rules).map_err(CliError::usage)?.start();
    let weakest = game.bots().first().map_or("", |bot| bot.name);
    Ok(vec![weakest.to_owned(); seats])
}

/// A progress bar that shows itself only when work takes longer than a second.
pub struct PatientBar {
    bar: ProgressBar,
    began: Instant,
}

/// A bar for so many things.
pub fn patient_bar(length: u64) -> PatientBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len}  {eta} left") {
        bar.set_style(style);
    }
    PatientBar { bar, began: Instant::now() }
}

impl PatientBar {
    /// So many more are done.
    pub fn advance(&self, done: u64) {
        if self.bar.is_hidden() && self.began.elapsed() > Duration::from_secs(1) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(done);
    }

    /// Everything is done: the bar goes away.
    pub fn done(&self) {
        self.bar.finish_and_clear();
    }
}

fn print_table(report: &SimReport) -> Result<(), CliError> {
    let SimReport { game, games, seed, elapsed_s, games_per_s, .. } = report;
    print_line(format_args!(
        "{game}: {games} games from seed '{seed}' in {elapsed_s:.2} s ({games_per_s:.0} games/s, {:.0} decisions/s)",
        report.decisions_per_s
    ))?;
    if let Some(rounds) = report.stopped_after {
        print_line(format_args!(
            "these rules have no end: each game was stopped after {rounds} rounds"
        ))?;
    }
    print_line(
        "seat  bot         wins      win rate  95 % interval      mean score  95 % interval",
    )?;
    for (place, seat) in report.seats.iter().enumerate() {
        print_line(format_args!(
            "{:<5} {:<10} {:>6} {:>12.4}  [{:.4}, {:.4}] {:>14.3}  [{:.3}, {:.3}]",
            place,
            seat.bot,
            seat.wins,
            seat.win_rate,
            seat.ci95[0],
            seat.ci95[1],
            seat.mean_score,
            seat.score_ci95[0],
            seat.score_ci95[1],
        ))?;
    }
    print_line(format_args!("drawn {:>16}", report.draws))?;
    for (name, value) in &report.extra {
        let shown =
            value.as_f64().map_or_else(|| value.to_string(), |number| format!("{number:.0}"));
        print_line(format_args!("{name}: {shown}"))?;
    }
    Ok(())
}
