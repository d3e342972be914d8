//! The content of an answer while it comes: what of it is reasoning, which is
//! thought and never speech, and what stands outside.

use crate::llm::mark::{self, Block, Mark, MarkMatch, Place};
use crate::llm::thought::ThoughtReader;

/// Tells reasoning from the answer, however the stream is cut.
///
/// * Reasoning may hold more reasoning. It ends with its own mark; the end of
///   another is part of it.
/// * An end without a beginning: the prompt held the beginning, and all that
///   came so far is reasoning.
/// * A mark counts wherever it stands, also within a string of JSON: where a
///   model quotes one, its answer may be lost, but no thought gets out.
pub struct Content {
    /// What stands outside of reasoning.
    outside: String,
    /// Reasoning that has not ended, the innermost last.
    open: Vec<Block>,
    /// The name of a channel, as far as it came.
    header: Option<String>,
    /// The end of a mark that goes on, and how far it may.
    tail: Option<(char, usize)>,
    /// Letters that may be a mark.
    pending: String,
    /// Whether they were told as a thought already.
    pending_is_told: bool,
    starts_text: bool,
    starts_line: bool,
    /// Whether something of the open reasoning was told.
    has_told: bool,
    is_marked: bool,
    is_cut: bool,
    /// Letters that were read, and those of them within reasoning.
    letters: usize,
    reasoned: usize,
    reader: ThoughtReader,
    /// What stands outside and was not told as a thought.
    untold: String,
}

/// How far a tag may go on behind its name, in characters.
const LONGEST_TAIL: usize = 200;

/// The longest name of a channel, in bytes.
const LONGEST_HEADER: usize = 120;

impl Default for Content {
    fn default() -> Content {
        Content {
            outside: String::new(),
            open: Vec::new(),
            header: None,
            tail: None,
            pending: String::new(),
            pending_is_told: false,
            starts_text: true,
            starts_line: true,
            has_told: false,
            is_marked: false,
            is_cut: false,
            letters: 0,
            reasoned: 0,
            reader: ThoughtReader::default(),
            untold: String::new(),
        }
    }
}

impl Content {
    /// Reads on. What is thought is added to `thought`: reasoning, and the
    /// field `thought` of an object outside of it.
    pub fn read(&mut self, text: &str, thought: &mut String) {
        for letter in text.chars() {
            self.letters += 1;
            let is_told = self.reader.is_in_thought();
            if self.is_outside() {
                self.reader.read(letter, thought);
            }
            self.sift(letter, is_told, thought);
        }
    }

    /// Nothing more comes.
    pub fn end(&mut self, thought: &mut String) {
        let pending = std::mem::take(&mut self.pending);
        if let MarkMatch::Is { mark, .. } = mark::read(&format!("{pending}\n"), self.place()) {
            self.pass(mark, &pending, thought);
        } else {
            pending.chars().for_each(|letter| self.release(letter, thought));
        }
        self.reader.end(thought);
    }

    /// The endpoint says that it came to its limit.
    pub fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Whether the endpoint said so.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// What stands outside of reasoning.
    pub fn outside(&self) -> &str {
        &self.outside
    }

    /// Whether reasoning was begun and not ended: what would have come after
    /// it, nobody knows.
    pub fn is_open(&self) -> bool {
        !self.open.is_empty() || self.header.is_some()
    }

    /// Whether there was a mark of reasoning at all.
    pub fn is_marked(&self) -> bool {
        self.is_marked
    }

    /// How many letters of it were reasoning so far.
    pub fn reasoned(&self) -> usize {
        self.reasoned
    }

    /// How many letters were anything else.
    pub fn answered(&self) -> usize {
        self.letters.saturating_sub(self.reasoned)
    }

    fn is_outside(&self) -> bool {
        !self.is_open() && self.tail.is_none()
    }

    fn place(&self) -> Place {
        Place {
            starts_text: self.starts_text,
            starts_line: self.starts_line,
            in_fence: self.open.last() == Some(&Block::Fence),
        }
    }

    fn sift(&mut self, letter: char, is_told: bool, thought: &mut String) {
        if let Some((end, left)) = self.tail {
            self.tail = (letter != end && left > 0).then(|| (end, left.saturating_sub(1)));
            return;
        }
        if self.pending.is_empty() {
            self.pending_is_told = is_told;
        }
        self.pending.push(letter);
        match mark::read(&self.pending, self.place()) {
            MarkMatch::Maybe => {}
            MarkMatch::No => {
                let is_told = self.pending_is_told;
                let pending = std::mem::take(&mut self.pending);
                let mut letters = pending.chars();
                letters.next().into_iter().for_each(|first| self.release(first, thought));
                // A mark may begin further on.
                letters.for_each(|letter| self.sift(letter, is_told, thought));
            }
            MarkMatch::Is { mark, until, is_past } => {
                let mut text = std::mem::take(&mut self.pending);
                let past = if is_past { text.pop() } else { None };
                self.pass(mark, &text, thought);
                self.tail = until.map(|end| (end, LONGEST_TAIL));
                past.into_iter().for_each(|letter| self.sift(letter, is_told, thought));
            }
        }
    }

    /// A letter that is no part of a mark.
    fn release(&mut self, letter: char, thought: &mut String) {
        self.starts_text &= letter.is_whitespace();
        self.starts_line = letter == '\n' || (self.starts_line && letter.is_whitespace());
        if let Some(header) = &mut self.header {
            header.push(letter);
            if header.len() > LONGEST_HEADER {
                self.header = None;
                self.begin(Block::Channel);
            }
        } else if !self.open.is_empty() {
            self.reasoned += 1;
            self.has_told |= !letter.is_whitespace();
            if self.has_told {
                thought.push(letter);
            }
        } else {
            self.outside.push(letter);
            if !self.pending_is_told {
                self.untold.push(letter);
            }
        }
    }

    /// Passes a mark, which is this text.
    fn pass(&mut self, mark: Mark, text: &str, thought: &mut String) {
        self.is_marked = true;
        (self.starts_text, self.starts_line) = (false, false);
        if let Some(header) = &mut self.header {
            if mark != Mark::Message {
                header.push_str(text);
                return;
            }
            let is_final = header.trim_start().starts_with("final");
            self.header = None;
            match is_final {
                true => self.recast(thought),
                false => self.begin(Block::Channel),
            }
            return;
        }
        let innermost = self.open.last();
        let is_channel = innermost == Some(&Block::Channel);
        match mark {
            Mark::Begins(block) => self.begin(block),
            Mark::Ends(block) if innermost == Some(&block) => self.close(thought),
            Mark::Ends(Block::Fence) => {}
            Mark::Ends(_) if self.open.is_empty() => self.recast(thought),
            Mark::Channel if is_channel || self.open.is_empty() => {
                if is_channel {
                    self.close(thought);
                }
                // Who speaks is said before the channel, and is no thought.
                let words = self.untold.trim_end_matches("assistant").len();
                self.untold.truncate(words);
                self.header = Some(String::new());
            }
            Mark::Stops if is_channel => self.close(thought),
            Mark::Ends(_) | Mark::Channel | Mark::Stops | Mark::Message => {}
        }
    }

    fn begin(&mut self, block: Block) {
        if self.open.is_empty() {
            self.has_told = false;
        }
        self.open.push(block);
    }

    fn close(&mut self, thought: &mut String) {
        self.open.pop();
        if self.open.is_empty() && self.has_told {
            thought.push(' ');
        }
    }

    /// All that stood outside so far was reasoning after all. What of it was
    /// told already is not told again.
    pub fn recast(&mut self, thought: &mut String) {
        self.reasoned += self.outside.chars().count();
        let untold = std::mem::take(&mut self.untold);
        if !untold.trim().is_empty() {
            thought.push_str(untold.trim());
            thought.push(' ');
        }
        self.outside.clear();
        self.reader.begin_anew();
    }
}

/// Whether words that are to be said hold a mark of reasoning: one that was
/// written with escapes is seen only here.
pub fn holds_mark(words: &str) -> bool {
    // Spoken words may begin with any word.
    let mut content = Content { starts_text: false, ..Content::default() };
    let mut thought = String::new();
    content.read(words, &mut thought);
    content.end(&mut thought);
    content.is_marked
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is thought and what is outside, read a few letters at a time.
    fn told(text: &str, step: usize) -> (String, String, bool) {
        let (mut content, mut thought) = (Content::default(), String::new());
        for piece in text.chars().collect::<Vec<_>>().chunks(step) {
            content.read(&piece.iter().collect::<String>(), &mut thought);
        }
        content.end(&mut thought);
        (thought, content.outside().to_owned(), content.is_open())
    }

    #[test]
    fn reasoning_is_told_from_the_answer_however_the_stream_is_cut() {
        for (text, thought, outside) in [
            ("<think>a < b [c]</think>{}", "a < b [c] ", "{}"),
            ("<think>\n\n</think>\n{}", "", "\n{}"),
            ("a</think>b</think>{}", "a b ", "{}"),
            ("x <think>a<think>b</think>c</think> {}", "abc ", "x  {}"),
            ("```thinking\na\n```json\n{1}\n```\n```\n{}", "a\n\n{1}\n\n ", "\n{}"),
            (
                "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
                "a ",
                "{}",
            ),
            ("a <|channel|>final<|message|>{}", "a ", "{}"),
            ("{\"statement\":\"<think>a</think>b\"}", "a ", "{\"statement\":\"b\"}"),
            ("<b>[1] `x` & a, analysis</b> ```", "", "<b>[1] `x` & a, analysis</b> ```"),
        ] {
            for step in [1, 2, 3, 1000] {
                let expected = (thought.to_owned(), outside.to_owned(), false);
                assert_eq!(told(text, step), expected, "{text} by {step}");
            }
        }
    }

    #[test]
    fn a_draft_that_turns_out_to_be_reasoning_is_told_once() {
        let text = r#"Hm. {"thought":"one","target":"p1"}</think>{"thought":"one"}"#;
        let (thought, outside, _) = told(text, 5);
        assert_eq!(thought, r#"oneHm. {"thought":","target":"p1"} "#);
        assert_eq!(outside, r#"{"thought":"one"}"#);
    }

    #[test]
    fn reasoning_without_an_end_stays_open() {
        for text in
            ["{}<think>", "{}<think", "<|channel|>anal", "analysis {}", "<think></pondering>{}"]
        {
            assert!(told(text, 1).2, "{text}");
        }
    }

    #[test]
    fn reasoning_is_told_while_it_comes() {
        let (mut content, mut thought) = (Content::default(), String::new());
        content.read("<think>I wonder", &mut thought);
        assert_eq!(thought, "I wonder");
    }

    #[test]
    fn words_with_a_mark_are_not_to_be_said() {
        assert!(holds_mark("So <think> I am"));
        assert!(holds_mark("So I am </ think >"));
        assert!(!holds_mark("analysis: p1 < p2, [sighs], <b>"));
    }
}
