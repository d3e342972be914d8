//! Which log lines are written: `PARLOR_LOG`.

use std::env;

use tracing_subscriber::EnvFilter;

use crate::error::CliError;

/// The variable that holds the filter.
pub const VARIABLE: &str = "PARLOR_LOG";

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Whose lines can be chosen: our crates, and those of others that write some.
const TARGETS: [&str; 12] = [
    "parlor",
    "axum",
    "engineioxide",
    "h2",
    "hyper",
    "hyper_util",
    "reqwest",
    "rustls",
    "socketioxide",
    "tokio_tungstenite",
    "tower_http",
    "tungstenite",
];

/// The filter in the environment, or the usual one.
pub fn from_environment() -> Result<EnvFilter, CliError> {
    let text = match env::var(VARIABLE) {
        Ok(text) => text,
        Err(env::VarError::NotPresent) => String::new(),
        Err(env::VarError::NotUnicode(_)) => return Err(wrong("it is not UTF-8")),
    };
    if text.trim().is_empty() {
        return Ok(EnvFilter::new("info"));
    }
    // A misspelt level would be read as the name of a crate that never writes.
    for directive in text.split(',').map(str::trim).filter(|directive| !directive.is_empty()) {
        let target = directive.split(['=', '[']).next().unwrap_or_default();
        let is_level = target == directive && LEVELS.contains(&target.to_lowercase().as_str());
        if !is_level && !target.is_empty() && !is_target(target) {
            return Err(wrong(format_args!(
                "'{target}' is neither a level ({}) nor a part of the program, such as \
                 parlor_server",
                LEVELS.join(", ")
            )));
        }
    }
    EnvFilter::try_new(&text).map_err(wrong)
}

fn is_target(target: &str) -> bool {
    let name = target.split("::").next().unwrap_or_default();
    TARGETS.contains(&name) || name.starts_with("parlor_")
}

fn wrong(reason: impl std::fmt::Display) -> CliError {
    CliError::usage(format_args!("the log filter in {VARIABLE} cannot be used: {reason}"))
}
