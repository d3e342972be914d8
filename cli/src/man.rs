//! `parlor man`: the manual, made from the same words as `--help`.

use std::fs;
use std::path::Path;

use clap::CommandFactory;

use crate::args::Args;
use crate::error::CliError;

/// Writes a page for the program and one for each command.
pub fn write(folder: &Path) -> Result<(), CliError> {
    let failed = |error: std::io::Error| {
        CliError::usage(format_args!("cannot write the manual to {}: {error}", folder.display()))
    };
    fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Args::command(), folder).map_err(failed)
}
