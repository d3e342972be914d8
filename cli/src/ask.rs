//! `parlor ask`, `script` and `rules`: the rules without a server.

use std::io::BufRead;

use serde_json::{Value, json};

use crate::error::{CliError, print_line};
use crate::settings::unknown_game;

/// Answers questions, one a line.
pub fn ask(game: &str, question: &str) -> Result<(), CliError> {
    let offer = parlor_house::game(game).ok_or_else(|| unknown_game(game))?;
    if !offer.questions().contains(&question) {
        let known = offer.questions().join(", ");
        return Err(CliError::usage(format_args!(
            "{game} has no question '{question}'; questions are {known}"
        )));
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(CliError::usage)?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = serde_json::from_str(&line)
            .map_err(|error| format!("this is no JSON: {error}"))
            .and_then(|input: Value| {
                offer.ask(question, &input).map_err(|error| error.to_string())
            });
        print_line(answer.unwrap_or_else(|sentence| json!({ "error": sentence })))?;
    }
    Ok(())
}

/// Plays a scenario.
pub fn script(file: &str) -> Result<(), CliError> {
    let text = if file == "-" {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(file)
    };
    let cannot = |error: &dyn std::fmt::Display| {
        CliError::usage(format_args!("the scenario in {file} cannot be read: {error}"))
    };
    let text = text.map_err(|error| cannot(&error))?;
    let script: Value = serde_json::from_str(&text).map_err(|error| cannot(&error))?;
    let game = script["game"].as_str().unwrap_or_default();
    let offer = parlor_house::game(game).ok_or_else(|| unknown_game(game))?;
    let played = offer.script(&script).map_err(CliError::usage)?;
    print_line(played)
}

/// Shows presets, options, bots and dialects.
pub fn rules(game: Option<&str>) -> Result<(), CliError> {
    let guide = match game {
        Some(name) => parlor_house::game(name).ok_or_else(|| unknown_game(name))?.guide(),
        None => parlor_house::games().map(|game| game.guide()).collect(),
    };
    print_line(serde_json::to_string_pretty(&guide).map_err(CliError::usage)?)
}
