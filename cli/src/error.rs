//! Errors of the program, and their exit codes.

use std::process::ExitCode;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The answer is no: a log that does not verify, an import refused.
    #[error("{0}")]
    Negative(String),
    /// Wrong use: a sentence that says what to do.
    #[error("{0}")]
    Usage(String),
    /// Whoever read our output has enough.
    #[error("the output was closed")]
    OutputClosed,
}

impl CliError {
    /// Wrong use, from anything that explains itself.
    pub fn usage(error: impl std::fmt::Display) -> CliError {
        CliError::Usage(error.to_string())
    }

    /// Says it on standard error and gives the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            CliError::Negative(sentence) => {
                eprintln!("parlor: {sentence}");
                ExitCode::from(1)
            }
            CliError::Usage(sentence) => {
                eprintln!("parlor: {sentence}");
                ExitCode::from(2)
            }
            CliError::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

/// Writes a line to standard output; `| head` is no error.
pub fn print_line(line: impl std::fmt::Display) -> Result<(), CliError> {
    use std::io::Write;
    writeln!(std::io::stdout(), "{line}").map_err(|_| CliError::OutputClosed)
}
