//! A game told live: words while they are spoken, thoughts apart from them.
//!
//! It tells what one viewer sees, and nothing else can reach it.

use std::io::Write;

use parlor_kernel::{Spoken, View, Viewer};
use parlor_mafia::{Chunk, Event, Mafia, PlayerId, Seen, State, TurnId, TurnKind};

use crate::runner::Observer;

/// Writes a game to a terminal, or to anything that takes text.
pub struct Screen<W: Write> {
    view: View<Mafia>,
    out: W,
    colours: bool,
    /// Whose words the cursor stands in.
    speaking: Option<TurnId>,
    /// The first failure to write: nothing is written after it.
    closed: bool,
}

const PLAIN: &str = "\x1b[0m";
const FAINT: &str = "\x1b[2;3m";
const BOLD: &str = "\x1b[1m";
/// One for each seat, over and over: light enough on dark, dark enough on light.
const NAMES: [&str; 6] =
    ["\x1b[1;34m", "\x1b[1;32m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[1;33m", "\x1b[1;31m"];

impl<W: Write> Screen<W> {
    /// Tells what `viewer` sees.
    pub fn new(viewer: Viewer, out: W, colours: bool) -> Screen<W> {
        Screen { view: View::new(viewer), out, colours, speaking: None, closed: false }
    }

    fn paint(&self, colour: &'static str) -> &'static str {
        if self.colours { colour } else { "" }
    }

    fn put(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        self.closed |= written.is_err();
    }

    fn name(&self, player: PlayerId) -> String {
        let table = self.view.knowledge().table.as_deref();
        plain(table.map_or("", |table| table.name(player)))
    }

    fn tell(&mut self, seen: &Seen) {
        match seen {
            Seen::AgentThinkStream(chunk) | Seen::AgentSayStream(chunk) => self.words(chunk),
            _ => {
                let after = self.view.knowledge();
                // What is told of an event needs only what is known after it.
                if let Some(line) = Mafia::narrate(after, seen, after) {
                    self.end_words();
                    self.line(seen, &line);
                }
            }
        }
    }

    fn line(&mut self, seen: &Seen, line: &str) {
        let colour = match seen {
            Seen::PhaseChanged(_) | Seen::GameEnded(_) | Seen::PlayerEliminated(_) => BOLD,
            _ if seen.is_private() => FAINT,
            _ => "",
        };
        let (on, off) = (self.paint(colour), self.paint(PLAIN));
        let text = line.split('\n').map(plain).collect::<Vec<_>>().join("\n");
        self.put(&format!("{on}{text}{off}\n"));
    }

    /// Words go on where they were, or begin on a line of their own.
    fn words(&mut self, chunk: &Chunk) {
        if self.speaking != Some(chunk.turn_id) {
            if chunk.r#final && chunk.chunk.is_empty() {
                return;
            }
            self.end_words();
            self.speaking = Some(chunk.turn_id);
            let who = self.name(chunk.agent_id);
            let is_thought = chunk.turn_id.kind == TurnKind::Think;
            let opening = if is_thought {
                format!("    {}[{who}, thinking: ", self.paint(FAINT))
            } else {
                let colour = self.paint(NAMES[chunk.agent_id.index() % NAMES.len()]);
                let whom = if chunk.turn_id.is_whispered() { ", to the mafia" } else { "" };
                format!("{colour}{who}{}{whom}: ", self.paint(PLAIN))
            };
            self.put(&opening);
        }
        self.put(&plain(&chunk.chunk));
        if chunk.r#final {
            self.end_words();
        }
    }

    fn end_words(&mut self) {
        if let Some(turn) = self.speaking.take() {
            let close = if turn.kind == TurnKind::Think { "]" } else { "" };
            let off = self.paint(PLAIN);
            self.put(&format!("{close}{off}\n"));
        }
    }
}

/// Words without anything that would lead a terminal.
fn plain(words: &str) -> String {
    words.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

impl<W: Write + Send> Observer<Mafia> for Screen<W> {
    fn witness(&mut self, state: &State, event: &Event) {
        let seen = self.view.witness(state, event);
        if let Some(seen) = seen
            && !self.closed
        {
            self.tell(&seen);
        }
    }
}
