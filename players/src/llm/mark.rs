//! The marks that reasoning stands between when it comes within the content:
//! tags, tokens of a template, a word, a fence.
//!
//! There is no standard for them. What looks like one is taken for one: an
//! answer too few can be asked for again, a thought that was told cannot be
//! taken back.

/// A stretch of reasoning, by what it stands between.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// `<think>…</think>`, `[THINK]…[/THINK]`, `<|START_THINKING|>…`: how it
    /// opens, and the name of it.
    Tag(char, String),
    /// ```` ```thinking ```` to ```` ``` ````.
    Fence,
    /// `<|channel|>analysis<|message|>…<|end|>`.
    Channel,
    /// The same, if the server left the tokens out and their words in:
    /// `analysis…assistantfinal`.
    Words,
}

/// What a mark says.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Reasoning begins.
    Begins(Block),
    /// It ends.
    Ends(Block),
    /// The name of a channel follows, up to [`Mark::Message`].
    Channel,
    /// The words of a channel follow.
    Message,
    /// The words of a channel end.
    Stops,
}

/// Where a mark would stand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Nothing but space is before it.
    pub starts_text: bool,
    /// Nothing but space is before it in its line.
    pub starts_line: bool,
    /// Reasoning between fences is open.
    pub in_fence: bool,
}

/// What a few letters are.
#[derive(Clone, Debug, PartialEq)]
pub enum MarkMatch {
    /// No mark begins with them.
    No,
    /// One may.
    Maybe,
    /// A mark.
    Is {
        /// Which.
        mark: Mark,
        /// Where it ends, if it goes on.
        until: Option<char>,
        /// Whether the last letter comes after it.
        is_past: bool,
    },
}

/// A name with one of these in it is a name for reasoning.
const STEMS: [&str; 9] = [
    "think",
    "thought",
    "reason",
    "reflect",
    "analys",
    "scratch",
    "monolog",
    "deliberat",
    "ponder",
];

/// In brackets only these are: headings stand in brackets too, and have no end.
const IN_BRACKETS: [&str; 5] = ["think", "thinking", "thought", "thoughts", "reasoning"];

const BEGINNINGS: [&str; 4] = ["begin_of_", "start_of_", "begin_", "start_"];
const ENDINGS: [&str; 2] = ["end_of_", "end_"];

/// Channels whose words come first if the server leaves the tokens out.
const CHANNELS: [&str; 2] = ["analysis", "commentary"];

/// What then stands before the answer.
const FINAL: &str = "assistantfinal";

/// The longest name of a tag, in bytes.
const LONGEST_NAME: usize = 48;

/// The most that stands before it.
const LONGEST_LEAD: usize = 8;

/// Reads letters that came one by one: none of them but the last was more than
/// [`MarkMatch::Maybe`].
pub fn read(text: &str, place: Place) -> MarkMatch {
    match text.chars().next() {
        Some('<') => tag(&text[1..], '<', '>'),
        Some(opens @ '◁') => tag(&text[opens.len_utf8()..], opens, '▷'),
        Some('&') => match text.strip_prefix("&lt;") {
            Some(rest) => tag(rest, '&', ';'),
            None if "&lt;".starts_with(text) => MarkMatch::Maybe,
            None => MarkMatch::No,
        },
        Some('[') => bracket(&text[1..]),
        Some('`') if place.starts_line => fence(text, place),
        Some('a' | 'c') => word(text, place),
        _ => MarkMatch::No,
    }
}

fn is_reasoning(name: &str) -> bool {
    name == "cot" || STEMS.iter().any(|stem| name.contains(stem))
}

fn is_bar(letter: char) -> bool {
    matches!(letter, '|' | '｜')
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '▁' | ':' | '-' | '.')
}

fn tag(text: &str, opens: char, closes: char) -> MarkMatch {
    let leads = |letter: char| letter.is_whitespace() || matches!(letter, '|' | '｜' | '/' | '\\');
    let from_name = text.trim_start_matches(leads);
    let lead = &text[..text.len() - from_name.len()];
    let after = from_name.trim_start_matches(is_of_a_name);
    let name = &from_name[..from_name.len() - after.len()];
    if lead.chars().count() > LONGEST_LEAD || (name.is_empty() && !after.is_empty()) {
        return MarkMatch::No;
    }
    let Some(next) = after.chars().next().or((name.len() > LONGEST_NAME).then_some(' ')) else {
        return MarkMatch::Maybe;
    };
    let name = name.to_ascii_lowercase().replace('▁', "_");
    let block = |name: &str| Block::Tag(opens, name.to_owned());
    let mark = match (&name[..], lead.contains(is_bar), is_bar(next)) {
        ("channel", true, true) => Mark::Channel,
        ("channel", true, false) => Mark::Begins(block("channel")),
        ("channel", false, true) => Mark::Ends(block("channel")),
        ("message", true, true) => Mark::Message,
        ("end" | "return" | "call" | "start", true, true) => Mark::Stops,
        ("inner_prefix", true, _) => Mark::Begins(block("inner")),
        ("inner_suffix", true, _) => Mark::Ends(block("inner")),
        ("unused94", ..) => Mark::Begins(block("unused")),
        ("unused95", ..) => Mark::Ends(block("unused")),
        _ => {
            let begins = BEGINNINGS.iter().find_map(|before| name.strip_prefix(before));
            let ends = ENDINGS.iter().find_map(|before| name.strip_prefix(before));
            let named = begins.or(ends).unwrap_or(&name);
            match is_reasoning(named) {
                true if ends.is_some() || lead.contains('/') => Mark::Ends(block(named)),
                true => Mark::Begins(block(named)),
                false => return MarkMatch::No,
            }
        }
    };
    MarkMatch::Is { mark, until: (next != closes).then_some(closes), is_past: false }
}

fn bracket(text: &str) -> MarkMatch {
    let name = text.strip_prefix('/').unwrap_or(text);
    let Some(named) = name.strip_suffix(']') else {
        let is_short = name.len() <= LONGEST_LEAD + 1;
        let may_be = is_short && name.chars().all(|letter| letter.is_ascii_alphabetic());
        return if may_be { MarkMatch::Maybe } else { MarkMatch::No };
    };
    let named = named.to_ascii_lowercase();
    if !IN_BRACKETS.contains(&&named[..]) {
        return MarkMatch::No;
    }
    let block = Block::Tag('[', named);
    let mark = if name == text { Mark::Begins(block) } else { Mark::Ends(block) };
    MarkMatch::Is { mark, until: None, is_past: false }
}

fn fence(text: &str, place: Place) -> MarkMatch {
    let info = text.trim_start_matches('`');
    let ticks = text.len() - info.len();
    let info = info.trim_start_matches(' ');
    let after = info.trim_start_matches(is_of_a_name);
    let name = info[..info.len() - after.len()].to_ascii_lowercase();
    if (ticks < 3 && ticks < text.len()) || text.len() > LONGEST_NAME {
        return MarkMatch::No;
    }
    if after.is_empty() {
        return MarkMatch::Maybe;
    }
    let mark = match place.in_fence {
        true if name.is_empty() => Mark::Ends(Block::Fence),
        // A fence within the fence: the next end is its own.
        true => Mark::Begins(Block::Fence),
        false if is_reasoning(&name) => Mark::Begins(Block::Fence),
        false => return MarkMatch::No,
    };
    MarkMatch::Is { mark, until: None, is_past: true }
}

fn word(text: &str, place: Place) -> MarkMatch {
    let is = |mark| MarkMatch::Is { mark, until: None, is_past: false };
    let begins = |word: &&str| place.starts_text && word.starts_with(text);
    if text == FINAL {
        is(Mark::Ends(Block::Words))
    } else if place.starts_text && CHANNELS.contains(&text) {
        is(Mark::Begins(Block::Words))
    } else if FINAL.starts_with(text) || CHANNELS.iter().any(begins) {
        MarkMatch::Maybe
    } else {
        MarkMatch::No
    }
}
