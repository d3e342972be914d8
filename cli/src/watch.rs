//! `parlor watch`: one game of agents, live in the terminal.

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parlor_kernel::{Seal, Seed};
use parlor_players::llm::{AgentSettings, Endpoints, Recorder, read_tape};
use parlor_players::{Controller, Lineup, Roster, Screen, Wires, default_agent, house_rules};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::args::{AgentArgs, WatchArgs};
use crate::error::CliError;
use crate::rules_text;

/// Plays a game, or plays a recording again, and tells it as it happens.
pub fn watch(args: &WatchArgs) -> Result<(), CliError> {
    let of = &args.of;
    of.check_game()?;
    let control = Controller::default();
    control.pace(Duration::from_millis(args.pace));
    let runtime = threads()?;
    listen_to_keyboard(&control);
    if let Some(path) = &args.replay {
        let tape = open(path)?;
        for game in read_tape(BufReader::new(tape)).map_err(CliError::usage)? {
            let wires = Wires::Taped(Arc::clone(&game));
            play(args, &runtime, &game.lineup, &wires, &control)?;
            if let Some(difference) = game.difference() {
                let sentence = format!("the game does not follow its recording: {difference}");
                return Err(CliError::Negative(sentence));
            }
        }
        return Ok(());
    }
    let (game_id, seal) = match &of.seed {
        Some(name) => (format!("watch-{name}"), Seal::named(name)),
        None => {
            let [a, b, c, d, ..] = *Seed::fresh().bytes();
            (format!("watch-{:08x}", u32::from_be_bytes([a, b, c, d])), Seal::fresh())
        }
    };
    let rules = of.rules()?;
    let seats = if args.seats.is_empty() { vec![default_agent()] } else { args.seats.clone() };
    let settings = of.settings()?;
    let wires = of.wires(&settings)?;
    let lineup =
        Roster::new(settings).lineup(&game_id, &rules, seal, &seats).map_err(CliError::usage)?;
    play(args, &runtime, &lineup, &wires, &control)?;
    finish(&wires)
}

fn play(
    args: &WatchArgs,
    runtime: &Runtime,
    lineup: &Lineup,
    wires: &Wires,
    control: &Controller,
) -> Result<(), CliError> {
    let game = lineup.prepare(wires, control.clone()).map_err(CliError::usage)?;
    let out = std::io::stdout();
    let colours = out.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut screen = Screen::new(args.view, out, colours);
    let played = runtime.block_on(async {
        call_off_on_interrupt(control);
        game.play(&mut screen).await
    });
    let Some(path) = &args.output else { return Ok(()) };
    let mut file = create(path)?;
    for envelope in played.log.envelopes(&lineup.opening.game_id) {
        let line = serde_json::to_string(&envelope).map_err(CliError::usage)?;
        writeln!(file, "{line}").map_err(|error| unwritten(path, &error))?;
    }
    Ok(())
}

/// A runtime for agents.
pub fn threads() -> Result<Runtime, CliError> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::usage(format_args!("could not start the threads: {error}")))
}

/// An interrupt ends games in good order, so that their logs are whole.
pub fn call_off_on_interrupt(control: &Controller) {
    let control = control.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            control.call_off("stopped by hand");
        }
    });
}

/// Enter stops and goes on, `s` makes one decision, `q` ends the game, a
/// number sets the pace.
fn listen_to_keyboard(control: &Controller) {
    if !std::io::stdin().is_terminal() {
        return;
    }
    eprintln!("Enter: pause, go on · s Enter: one decision · q Enter: end · 300 Enter: pace in ms");
    let control = control.clone();
    // Reading a line cannot be cut short; the thread ends with the program.
    std::thread::spawn(move || {
        let mut paused = false;
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            match line.trim() {
                "" => {
                    paused = !paused;
                    if paused { control.pause() } else { control.resume() }
                }
                "s" => {
                    paused = true;
                    control.step();
                }
                "q" => control.call_off("stopped by hand"),
                number => {
                    if let Ok(pace) = number.parse() {
                        control.pace(Duration::from_millis(pace));
                    }
                }
            }
        }
    });
}

impl AgentArgs {
    /// Only games whose agents can speak are watched and contested.
    pub fn check_game(&self) -> Result<(), CliError> {
        if parlor_players::GAME == self.game {
            return Ok(());
        }
        Err(CliError::usage(format_args!(
            "agents play {}; `parlor sim {}` plays bots against each other",
            parlor_players::GAME,
            self.game
        )))
    }

    /// The house rules asked for.
    pub fn rules(&self) -> Result<parlor_players::Rules, CliError> {
        let asked = self.rules.as_deref().map(rules_text::parse).transpose()?;
        house_rules(&asked.unwrap_or(Value::Null)).map_err(CliError::usage)
    }

    /// What the file of models says; nothing if there is none.
    pub fn settings(&self) -> Result<AgentSettings, CliError> {
        let read = self.models.as_deref().map(AgentSettings::read).transpose();
        Ok(read.map_err(CliError::usage)?.unwrap_or_default())
    }

    /// Where models are asked: over the network, recorded if that is wished.
    pub fn wires(&self, settings: &AgentSettings) -> Result<Wires, CliError> {
        let endpoints = Endpoints::new(settings).map_err(CliError::usage)?;
        match &self.record {
            None => Ok(Wires::Live(endpoints)),
            Some(path) => Ok(Wires::Recorded(Recorder::new(Box::new(create(path)?)), endpoints)),
        }
    }
}

/// Whether a recording is whole.
pub fn finish(wires: &Wires) -> Result<(), CliError> {
    match wires {
        Wires::Recorded(recorder, _) => recorder.finish().map_err(CliError::usage),
        _ => Ok(()),
    }
}

fn open(path: &Path) -> Result<File, CliError> {
    let wrong = |error| CliError::usage(format_args!("{} cannot be read: {error}", path.display()));
    File::open(path).map_err(wrong)
}

fn create(path: &Path) -> Result<std::io::BufWriter<File>, CliError> {
    File::create(path).map(std::io::BufWriter::new).map_err(|error| unwritten(path, &error))
}

/// The file cannot be written.
pub fn unwritten(path: &Path, error: &std::io::Error) -> CliError {
    CliError::usage(format_args!("{} cannot be written: {error}", path.display()))
}
