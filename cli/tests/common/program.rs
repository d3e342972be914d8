//! The program run to its end.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// What came of it.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Its output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.err);
        serde_json::from_str(&self.out).expect("the output is JSON")
    }

    /// Its output as JSON, a line each.
    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        assert_eq!(self.code, 0, "{}", self.err);
        self.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }

    /// It refused with this code, and with a sentence that says this.
    #[track_caller]
    pub fn refused(&self, code: i32, says: &str) {
        assert_eq!(self.code, code, "out: {}\nerr: {}", self.out, self.err);
        assert!(self.err.contains(says), "'{}' does not say '{says}'", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}

/// The program, with nothing from the environment.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PARLOR_") {
            command.env_remove(name);
        }
    }
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program.
pub fn parlor(args: &[&str]) -> Ran {
    parlor_fed(args, "")
}

/// Runs the program with this on its standard input.
pub fn parlor_fed(args: &[&str], input: &str) -> Ran {
    let mut child = command(args).stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input");
    // A program that refuses at once does not read its input.
    drop(stdin.write_all(input.as_bytes()));
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    Ran {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("its output is text"),
        err: String::from_utf8(output.stderr).expect("its errors are text"),
    }
}

/// A game whose cards are fixed, as lines to import: `front` lies before the
/// other cards, and nobody moves.
pub fn rigged_game(rules: &Value, front: &[&str]) -> String {
    let script = json!({
        "game": "koikoi", "rules": rules, "deck": whole_deck(front), "seats": ["Ann", "Ben"], "actions": [],
    });
    let played = parlor_fed(&["script", "-"], &script.to_string()).json();
    let events = played["events"].as_array().expect("events");
    events.iter().map(|event| format!("{event}\n")).collect()
}

/// Rigged deals: both hands, then the field. What is not named lies in the pile.
pub mod deals {
    pub const TESHI: [&str; 24] = [
        "0111", "0131", "0141", "0142", "0221", "0311", "0421", "0521", // seat 1
        "0231", "0331", "0431", "0531", "0621", "0721", "0811", "0921", // seat 2
        "0631", "0731", "0821", "0931", "1021", "1111", "1211", "0241", // field
    ];
    pub const FIELD_KUTTSUKI: [&str; 24] = [
        "0221", "0311", "0421", "0521", "0621", "0721", "0811", "0921", // seat 1
        "0231", "0331", "0431", "0531", "0631", "0731", "0821", "0931", // seat 2
        "0111", "0131", "0141", "0142", "1021", "1111", "1211", "0241", // field
    ];
    pub const FOUR_PAIRS: [&str; 24] = [
        "0111", "0131", "0221", "0231", "0311", "0331", "0421", "0431", // seat 1
        "0521", "0621", "0721", "0811", "0921", "1021", "1111", "1211", // seat 2
        "0531", "0631", "0731", "0821", "0931", "1031", "1121", "1241", // field
    ];
}

/// All 48 cards, those named first.
pub fn whole_deck(front: &[&str]) -> Vec<String> {
    let mut deck: Vec<String> = front.iter().map(ToString::to_string).collect();
    for month in 1..=12 {
        let kinds: &[&str] = match month {
            1 | 3 => &["11", "31", "41", "42"],
            8 => &["11", "21", "41", "42"],
            11 => &["11", "21", "31", "41"],
            12 => &["11", "41", "42", "43"],
            _ => &["21", "31", "41", "42"],
        };
        for kind in kinds {
            let card = format!("{month:02}{kind}");
            if !deck.contains(&card) {
                deck.push(card);
            }
        }
    }
    deck
}
