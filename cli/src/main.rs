//! The program `parlor`.

mod archive;
mod arena;
mod args;
mod ask;
mod check;
mod doctor;
mod error;
mod jsonl;
mod log_filter;
mod man;
mod notify;
mod play;
mod rules_text;
mod serve;
mod settings;
mod sim;
mod stored;
mod upkeep;
mod watch;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Args, Command};
use error::CliError;

/// Many small messages made and dropped on several threads: the system's
/// allocator spends a sixth of the server's time on them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version are answers, not mistakes.
            let code = if error.use_stderr() { 2 } else { 0 };
            drop(error.print());
            return ExitCode::from(code);
        }
    };
    match run(args.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Result<(), CliError> {
    match command {
        Command::Serve(args) => serve::serve(*args),
        Command::Sim(args) => sim::sim(&args),
        Command::Play(args) => play::play(&args),
        Command::Watch(args) => watch::watch(&args),
        Command::Arena(args) => arena::arena(&args),
        Command::Script { file } => ask::script(&file),
        Command::Ask { game, question } => ask::ask(&game, &question),
        Command::Rules { game } => ask::rules(game.as_deref()),
        Command::Games { store, json } => stored::games(&store, json),
        Command::Export { store, id, format, deal, view, output } => {
            stored::export(&store, &id, &format, deal, view, output.as_deref())
        }
        Command::Import { store, file, format } => stored::import(&store, &file, format.as_deref()),
        Command::Replay { store, game, at, view, json } => {
            stored::replay(&store, &game, view, at, json)
        }
        Command::Verify { store, game } => stored::verify(&store, &game),
        Command::Backup { store, file } => upkeep::backup(&store, &file),
        Command::Restore { store, file, overwrite } => upkeep::restore(&store, &file, overwrite),
        Command::Doctor { store, deep } => doctor::doctor(&store, deep),
        Command::Archive { store, before, output } => archive::archive(&store, before, &output),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Args::command(), "parlor", &mut std::io::stdout());
            Ok(())
        }
        Command::Man { folder } => man::write(&folder),
    }
}
