//! `parlor serve --check`: what a server would be told, and what is wrong with
//! it, without serving.
//!
//! What cannot be used is refused when settings are gathered, here and at a
//! start alike. Here it is also an error what a start would pass over: a
//! variable that nobody reads, a store that is not to be had.

use std::collections::BTreeSet;
use std::env;

use clap::CommandFactory;
use parlor_store::Store;

use crate::args::Args;
use crate::error::{CliError, print_line};
use crate::log_filter;
use crate::settings::Settings;

/// Says how it would serve, or all that speaks against it.
pub fn check(settings: &Settings) -> Result<(), CliError> {
    let mut wrong: Vec<String> = unread_variables().collect();
    if let Err(error) = Store::look(&settings.config.store) {
        wrong.push(error.to_string());
    }
    if !wrong.is_empty() {
        return Err(CliError::usage(wrong.join("\nparlor: ")));
    }
    for line in settings.lines() {
        print_line(line)?;
    }
    print_line("the settings can be used")
}

/// Variables that look like ours and that no flag reads.
fn unread_variables() -> impl Iterator<Item = String> {
    let command = Args::command();
    let flags = command.get_subcommands().flat_map(|command| command.get_arguments());
    let mut known: BTreeSet<String> = flags
        .filter_map(|flag| flag.get_env().map(|name| name.to_string_lossy().into_owned()))
        .collect();
    known.insert(log_filter::VARIABLE.to_owned());
    let ours = env::vars_os()
        .map(|(name, _)| name.to_string_lossy().into_owned())
        .filter(|name| name.starts_with("PARLOR_"));
    ours.filter(move |name| !known.contains(name))
        .map(|name| format!("the variable {name} is set, but nothing reads it"))
}
