//! Where the person sits: a full screen on a terminal, plain text elsewhere.

use std::io::{BufRead, IsTerminal, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use parlor_house::{Human, HumanTurn, PlayedGame};

use crate::error::CliError;
use crate::serve::told_to_stop;

/// The other screen of a terminal, and back to the one before.
const ENTER: &str = "\x1b[?1049h";
const LEAVE: &str = "\x1b[?1049l";
const CLEAR: &str = "\x1b[2J\x1b[H";

const PLAIN: &str = "\x1b[0m";
const BOLD: &str = "\x1b[1m";
const FAINT: &str = "\x1b[2m";
const NUMBER: &str = "\x1b[1;36m";
const WARNING: &str = "\x1b[1;33m";

/// What happened before the last so many lines is left to `log`: the table
/// and the choices must fit below.
const LINES_TOLD: usize = 14;

const HELP: [&str; 5] = [
    "Enter the number of what you want to do. Beside that:",
    "  ?      this help",
    "  rules  the rules of this table",
    "  log    all that you have seen so far",
    "  q      leave the game",
];

/// What comes from the keyboard.
enum Entry {
    Line(String),
    /// The input ends, or the program is told to stop.
    End,
}

/// A person's screen and keyboard.
pub struct Terminal {
    name: String,
    heading: String,
    rules: Vec<String>,
    entries: Receiver<Entry>,
    /// Entries are not seen as they are typed: they are repeated.
    echoes: bool,
    full_screen: bool,
    colours: bool,
    /// All that was told so far.
    log: Vec<String>,
    /// The screen is the other one.
    is_open: bool,
    /// Whoever reads our output has enough.
    is_deaf: bool,
}

impl Terminal {
    /// Sits a person down: on a terminal the screen is theirs until it is closed.
    pub fn open(name: &str, heading: String, rules: Vec<String>) -> Terminal {
        let full_screen = std::io::stdout().is_terminal();
        let mut terminal = Terminal {
            name: name.to_owned(),
            heading,
            rules,
            entries: listen(),
            echoes: !std::io::stdin().is_terminal(),
            full_screen,
            colours: full_screen && std::env::var_os("NO_COLOR").is_none(),
            log: Vec::new(),
            is_open: full_screen,
            is_deaf: false,
        };
        if full_screen {
            terminal.put(ENTER);
        } else {
            terminal.put(&format!("{}\n{}\n", terminal.heading, footer()));
        }
        terminal
    }

    /// Gives the screen back as it was.
    pub fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.put(&format!("{PLAIN}{LEAVE}"));
        }
    }

    /// What happened last, and how it went.
    pub fn show_end(&mut self, evening: &PlayedGame, outcome: &str) -> Result<(), CliError> {
        let mut text = String::new();
        if self.full_screen {
            text += &self.painted(BOLD, &self.heading);
            text.push('\n');
        }
        text.push('\n');
        if evening.winners.is_some() {
            text += &paragraph(&lines(&evening.told));
            text += &format!("\n{}\n\n", self.table(&evening.table));
        }
        text += &self.painted(BOLD, outcome);
        text.push('\n');
        self.put(&text);
        if self.is_deaf { Err(CliError::OutputClosed) } else { Ok(()) }
    }

    fn put(&mut self, text: &str) {
        let mut out = std::io::stdout();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        self.is_deaf |= written.is_err();
    }

    fn painted(&self, colour: &str, text: &str) -> String {
        if self.colours { format!("{colour}{text}{PLAIN}") } else { text.to_owned() }
    }

    /// The table, with the lines about the person brought out.
    fn table(&self, picture: &str) -> String {
        let is_mine = |line: &str| {
            let line = line.trim_start();
            let after_id = line.split_once(' ').map_or("", |(_, rest)| rest.trim_start());
            [line, after_id].iter().any(|text| text.starts_with(&self.name))
        };
        let line = |line| if is_mine(line) { self.painted(BOLD, line) } else { line.to_owned() };
        picture.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The table and the choices.
    fn choices(&self, question: &HumanTurn<'_>) -> String {
        let mut text = format!("\n{}\n\n", self.table(question.table));
        for (number, option) in (1..).zip(question.options) {
            text += &format!("{}  {option}\n", self.painted(NUMBER, &format!("{number:>3}")));
        }
        if let Some(typing) = question.typing {
            text += &format!("  {}  {}\n", self.painted(NUMBER, "…"), typing);
        }
        text
    }

    /// Everything anew, on a screen of its own.
    fn draw(&mut self, question: &HumanTurn<'_>, note: Option<&str>) {
        let told = lines(question.told);
        let older = told.len().saturating_sub(LINES_TOLD);
        let mut text = format!("{CLEAR}{}\n", self.painted(BOLD, &self.heading));
        text += &format!("{}\n\n", self.painted(FAINT, footer()));
        if older > 0 {
            let more = format!("… {older} lines before these: `log`");
            text += &format!("{}\n", self.painted(FAINT, &more));
        }
        text += &paragraph(&told[older..]);
        text += &self.choices(question);
        text += &note.map(|note| format!("\n{note}\n")).unwrap_or_default();
        text += &format!("\n{} ", self.painted(BOLD, ">"));
        self.put(&text);
    }

    /// On paper nothing is drawn twice: after a question comes only what is new.
    fn write(&mut self, question: &HumanTurn<'_>, note: Option<&str>) {
        let text = match note {
            Some(note) => format!("{note}\n> "),
            None => format!("\n{}{}\n> ", paragraph(&lines(question.told)), self.choices(question)),
        };
        self.put(&text);
    }

    fn read(&mut self) -> Option<String> {
        match self.entries.recv() {
            Ok(Entry::Line(line)) => {
                if self.echoes {
                    self.put(&format!("{line}\n"));
                }
                Some(line)
            }
            Ok(Entry::End) | Err(_) => {
                self.put("\n");
                None
            }
        }
    }
}

impl Human for Terminal {
    fn answer(&mut self, question: &HumanTurn<'_>) -> Option<String> {
        if question.refused.is_none() {
            self.log.extend_from_slice(question.told);
        }
        let mut note = question.refused.map(|sentence| self.painted(WARNING, sentence));
        while !self.is_deaf {
            match self.full_screen {
                true => self.draw(question, note.as_deref()),
                false => self.write(question, note.as_deref()),
            }
            let line = self.read()?;
            note = Some(match line.trim() {
                "q" | "quit" => return None,
                "?" | "help" => help(question),
                "rules" => self.rules.join("\n"),
                "log" => lines(&self.log).join("\n"),
                _ => return Some(line),
            });
        }
        None
    }
}

/// However the game ends, the terminal is as it was before.
impl Drop for Terminal {
    fn drop(&mut self) {
        self.close();
    }
}

fn footer() -> &'static str {
    "? help · rules · log · q leave"
}

fn help(question: &HumanTurn<'_>) -> String {
    let typing = question.typing.map(|typing| format!("Now also {typing}"));
    HELP.into_iter().chain(typing.as_deref()).collect::<Vec<_>>().join("\n")
}

/// What was told, line by line; games set headings apart, but one empty line
/// does that.
fn lines(told: &[String]) -> Vec<&str> {
    let mut lines: Vec<&str> = told.iter().flat_map(|part| part.split('\n')).collect();
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines.truncate(last);
    lines
}

fn paragraph(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Reading a line cannot be cut short, and signals come at any time: both are
/// heard by threads of their own, which end with the program.
fn listen() -> Receiver<Entry> {
    let (entered, entries) = sync_channel(1);
    let stopped = entered.clone();
    std::thread::spawn(move || read_lines(&entered));
    std::thread::spawn(move || {
        // Without a runtime an interrupt ends the program as it always does.
        if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() {
            runtime.block_on(async { told_to_stop().await });
            drop(stopped.send(Entry::End));
        }
    });
    entries
}

fn read_lines(entered: &SyncSender<Entry>) {
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let text = String::from_utf8_lossy(&line);
        let printable = text.chars().filter(|letter| !letter.is_control()).collect();
        if entered.send(Entry::Line(printable)).is_err() {
            return;
        }
        line.clear();
    }
    drop(entered.send(Entry::End));
}
