//! How the program says no.

use std::process::ExitCode;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The answer is no: a log that does not verify, an import refused.
    #[error("{0}")]
    No(String),
    /// Wrong use: a sentence that says what to do.
    #[error("{0}")]
    WrongUse(String),
    /// Whoever read our output has enough.
    #[error("the output was closed")]
    OutputClosed,
}

impl Failure {
    /// Wrong use, from anything that explains itself.
    pub fn wrong(error: impl std::fmt::Display) -> Failure {
        Failure::WrongUse(error.to_string())
    }

    /// Says it on standard error and gives the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            Failure::No(sentence) => {
                eprintln!("parlor: {sentence}");
                ExitCode::from(1)
            }
            Failure::WrongUse(sentence) => {
                eprintln!("parlor: {sentence}");
                ExitCode::from(2)
            }
            Failure::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

/// Writes a line to standard output; `| head` is no error.
pub fn print_line(line: impl std::fmt::Display) -> Result<(), Failure> {
    use std::io::Write;
    writeln!(std::io::stdout(), "{line}").map_err(|_| Failure::OutputClosed)
}
