//! Thoughts while they come: the field `thought` read out of an unfinished
//! JSON object, and chunks that are worth a place in the log.

/// Reads the text of `thought` from JSON objects that are still being written.
/// It never fails: whether the answer is one is judged when it is whole.
///
/// The first thought is told letter by letter. One of a further object is told
/// when it is whole, unless it was told before: models repeat themselves.
#[derive(Default)]
pub struct ThoughtReader {
    depth: u32,
    awaits_key: bool,
    key: String,
    inside: Option<Inside>,
    escape: Escape,
    told: Vec<String>,
    thought: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Key,
    Thought,
    Other,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Escape {
    #[default]
    None,
    Begun,
    /// Hexadecimal digits read so far, and the first half of a pair before them.
    Unicode {
        digits: u8,
        code: u16,
        high: Option<u16>,
    },
    /// The first half of a pair; the second must follow.
    High(u16),
    HighBegun(u16),
}

impl ThoughtReader {
    /// Reads on. What is part of the thought is added to `out`.
    pub fn read(&mut self, letter: char, out: &mut String) {
        match self.inside {
            Some(inside) => self.in_string(inside, letter, out),
            None => self.between(letter),
        }
    }

    /// Whether the next letter is one of a thought, or ends it.
    pub fn is_in_thought(&self) -> bool {
        self.inside == Some(Inside::Thought)
    }

    /// Nothing more comes: a thought is told as far as it goes.
    pub fn end(&mut self, out: &mut String) {
        if !self.told.iter().any(|told| told.starts_with(&self.thought)) {
            self.tell(out);
        }
        self.begin_anew();
    }

    /// What was begun does not go on. What was told stays told.
    pub fn begin_anew(&mut self) {
        self.told.extend(Some(std::mem::take(&mut self.thought)).filter(|it| !it.is_empty()));
        let told = std::mem::take(&mut self.told);
        *self = ThoughtReader { told, ..ThoughtReader::default() };
    }

    fn between(&mut self, letter: char) {
        match letter {
            '{' | '[' if self.depth > 0 || letter == '{' => {
                self.depth += 1;
                self.awaits_key = self.depth == 1;
                if self.depth == 1 {
                    self.key.clear();
                }
            }
            '}' | ']' if self.depth > 0 => self.depth -= 1,
            ',' if self.depth == 1 => self.awaits_key = true,
            '"' if self.depth > 0 => {
                self.inside = Some(match self.depth {
                    1 if self.awaits_key => {
                        self.key.clear();
                        Inside::Key
                    }
                    1 if self.key == "thought" => Inside::Thought,
                    _ => Inside::Other,
                });
            }
            _ => {}
        }
    }

    fn in_string(&mut self, inside: Inside, letter: char, out: &mut String) {
        let Some(letter) = self.unescape(letter) else { return };
        match letter {
            Letter::End => {
                self.inside = None;
                self.awaits_key &= inside != Inside::Key;
                if inside == Inside::Thought {
                    self.tell(out);
                    self.told.push(std::mem::take(&mut self.thought));
                }
            }
            Letter::Is(letter) => match inside {
                Inside::Key => self.key.push(letter),
                Inside::Thought => {
                    self.thought.push(letter);
                    if self.is_first() {
                        out.push(letter);
                    }
                }
                Inside::Other => {}
            },
        }
    }

    fn is_first(&self) -> bool {
        self.told.is_empty()
    }

    /// Tells a further thought.
    fn tell(&self, out: &mut String) {
        if !self.is_first() && !self.thought.is_empty() && !self.told.contains(&self.thought) {
            out.push(' ');
            out.push_str(&self.thought);
        }
    }

    fn unescape(&mut self, letter: char) -> Option<Letter> {
        let (next, read) = match (self.escape, letter) {
            (Escape::None | Escape::High(_), '"') => (Escape::None, Some(Letter::End)),
            (Escape::None, '\\') => (Escape::Begun, None),
            (Escape::High(high), '\\') => (Escape::HighBegun(high), None),
            (Escape::HighBegun(high), 'u') => {
                (Escape::Unicode { digits: 0, code: 0, high: Some(high) }, None)
            }
            (Escape::Begun, 'u') => (Escape::Unicode { digits: 0, code: 0, high: None }, None),
            (Escape::Begun | Escape::HighBegun(_), 'n') => (Escape::None, Some(Letter::Is('\n'))),
            (Escape::Begun | Escape::HighBegun(_), 't' | 'r' | 'b' | 'f') => {
                (Escape::None, Some(Letter::Is(' ')))
            }
            (Escape::Unicode { digits, code, high }, digit) => {
                let code = code << 4 | digit.to_digit(16).unwrap_or(0) as u16;
                if digits == 3 {
                    unicode(high, code)
                } else {
                    (Escape::Unicode { digits: digits + 1, code, high }, None)
                }
            }
            (_, letter) => (Escape::None, Some(Letter::Is(letter))),
        };
        self.escape = next;
        read
    }
}

enum Letter {
    End,
    Is(char),
}

/// A letter, or the first half of one.
fn unicode(high: Option<u16>, code: u16) -> (Escape, Option<Letter>) {
    if high.is_none() && (0xd800..0xdc00).contains(&code) {
        return (Escape::High(code), None);
    }
    let units = high.into_iter().chain([code]);
    let letter = char::decode_utf16(units).next().and_then(Result::ok);
    (Escape::None, Some(Letter::Is(letter.unwrap_or(char::REPLACEMENT_CHARACTER))))
}

/// Gathers words until they are worth an event: a sentence, a tenth of a
/// second, or as many as an event may hold.
#[derive(Default)]
pub struct Gathered {
    words: String,
    since: u64,
}

/// Chunks are coalesced, ≈100 ms or a sentence.
const WORTH_MS: u64 = 100;

/// A chunk is cut here even in the midst of a sentence.
const LONGEST_CHUNK: usize = 1_000;

impl Gathered {
    /// Adds words that came at this time. What has become worth an event is
    /// handed over.
    pub fn add(&mut self, words: &str, at: u64) -> Option<String> {
        if words.is_empty() {
            return None;
        }
        if self.words.is_empty() {
            self.since = at;
        }
        self.words
            .extend(words.chars().map(|letter| if letter.is_control() { ' ' } else { letter }));
        let is_sentence = words.trim_end().ends_with(['.', '!', '?', '…']);
        let is_due = at.saturating_sub(self.since) >= WORTH_MS;
        let is_long = self.words.len() >= LONGEST_CHUNK;
        (is_sentence || is_due || is_long).then(|| self.take())
    }

    /// What is left.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.words)
    }
}

/// A text in pieces that end with their sentences, as it is said aloud.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(end) = sentence_end(rest) {
        let (sentence, after) = rest.split_at(end);
        pieces.push(sentence);
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// Where the first sentence ends: after its stop and the space behind it, if
/// more follows.
fn sentence_end(text: &str) -> Option<usize> {
    let mut letters = text.char_indices().peekable();
    while let Some((_, letter)) = letters.next() {
        if matches!(letter, '.' | '!' | '?' | '…')
            && let Some((_, ' ')) = letters.peek()
        {
            letters.next();
            return letters.peek().map(|(end, _)| *end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought_of(json: &str) -> String {
        let mut reader = ThoughtReader::default();
        let mut thought = String::new();
        json.chars().for_each(|letter| reader.read(letter, &mut thought));
        reader.end(&mut thought);
        thought
    }

    #[test]
    fn the_thought_is_read_and_nothing_else() {
        let json = "```json\n{\"target\":\"p3\",\"notes\":{\"thought\":\"not this\"},\
                    \"list\":[\"thought\",\"nor this\"],\
                    \"thought\":\"A \\\"quiet\\\" one\\u2026 \\ud83d\\ude00 \\\\ caf\u{e9}\",\"x\":\"y\"}";
        assert_eq!(thought_of(json), "A \"quiet\" one… 😀 \\ café");
    }

    #[test]
    fn an_unfinished_thought_is_told_as_far_as_it_goes() {
        assert_eq!(thought_of(r#"{"thought": "I suspect p"#), "I suspect p");
        assert_eq!(thought_of(r#"{"thought": "bad \ud83d alone"}"#), "bad  alone");
        assert_eq!(thought_of("no JSON at all, \"thought\": \"x\""), "");
    }

    #[test]
    fn a_further_thought_is_told_unless_it_was_told_before() {
        assert_eq!(thought_of(r#"{"thought":"one"} {"thought":"two"}"#), "one two");
        assert_eq!(thought_of(r#"{"thought":"one"} {"thought":"one"}"#), "one");
        assert_eq!(thought_of(r#"{"thought":"one"} {"thought":"on"#), "one");
        assert_eq!(thought_of(r#"{"thought":"one"} {"thought":"onto"#), "one onto");
    }

    #[test]
    fn words_are_gathered_to_sentences_or_a_tenth_of_a_second() {
        let mut gathered = Gathered::default();
        assert_eq!(gathered.add("I ", 0), None);
        assert_eq!(gathered.add("think.", 5), Some("I think.".to_owned()));
        assert_eq!(gathered.add(" So", 10), None);
        assert_eq!(gathered.add("\u{1b}mething", 110), Some(" So mething".to_owned()));
        assert_eq!(gathered.take(), "");
    }

    #[test]
    fn sentences_put_together_are_the_text() {
        for text in ["", "One", "One. Two! Three?", "3.5 points... ok? Yes.", "Ends. "] {
            assert_eq!(sentences(text).concat(), text);
        }
        assert_eq!(sentences("One. Two! Three"), ["One. ", "Two! ", "Three"]);
    }
}
