//! What a model answered, and whether a seat may do it.

use std::fmt::Write;

use parlor_mafia::{Action, Asked, Channel, HIGHEST_BID, Knowledge, LONGEST_STATEMENT, PlayerId};
use serde_json::{Map, Value};

use crate::llm::content::{Content, holds_mark};

/// A whole answer that passed: what is whispered, and what is done.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelAnswer {
    /// A word among the mafia, where there is a channel for it.
    pub whisper: Option<String>,
    /// The move: a statement is a whole one.
    pub action: Action,
}

/// Why an answer does not pass, told to the model and to the log.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(pub String);

/// Reads an answer to what the seat is asked, and checks it against what the
/// seat may do.
pub fn read(
    content: &Content,
    knowledge: &Knowledge,
    options: &[Action],
) -> Result<ModelAnswer, Invalid> {
    if content.is_open() {
        return Err(Invalid("the reasoning has no end, so there is no answer".to_owned()));
    }
    let fields = object(content)?;
    let asked = knowledge.asked().ok_or_else(|| Invalid("nothing was asked".to_owned()))?;
    if let Some(thought) = fields.get("thought")
        && !thought.is_string()
    {
        return Err(Invalid("\"thought\" is not a text".to_owned()));
    }
    let action = match asked {
        Asked::Speak => return statement(&fields, room_to_speak(knowledge)),
        Asked::Bid => bid(&fields)?,
        Asked::Act | Asked::Vote => target(&fields, knowledge, options)?,
    };
    Ok(ModelAnswer { whisper: whisper(&fields, knowledge, asked)?, action })
}

/// The last complete JSON object in the text: models like to wrap it in words,
/// and to draft it first. What is within another object, complete or not, is
/// no answer.
fn object(content: &Content) -> Result<Map<String, Value>, Invalid> {
    let (mut last, mut wrong, mut is_open) = (None, None, false);
    let mut rest = content.outside();
    while let Some(start) = rest.find('{').filter(|_| !is_open) {
        let from = &rest[start..];
        let mut values = serde_json::Deserializer::from_str(from).into_iter::<Value>();
        rest = match values.next() {
            Some(Ok(Value::Object(fields))) => {
                last = Some(fields);
                &from[values.byte_offset()..]
            }
            error => {
                wrong = wrong.or(error.and_then(Result::err));
                let end = end_of_braces(from);
                is_open = end.is_none();
                &from[end.unwrap_or(from.len())..]
            }
        };
    }
    // If it was cut off in an object, that one would have been the answer. If
    // it began with words and no reasoning was marked, the words may be
    // reasoning whose end never came.
    let begins_with_words = || !content.is_marked() && !begins_with_object(content.outside());
    match (last, wrong) {
        (Some(_), _) if content.is_cut() && (is_open || begins_with_words()) => {
            Err(Invalid("the answer is longer than it may be and was cut off".to_owned()))
        }
        (Some(fields), _) => Ok(fields),
        (None, Some(error)) => Err(Invalid(format!("the JSON object cannot be read: {error}"))),
        (None, None) => Err(Invalid("there is no JSON object".to_owned())),
    }
}

fn begins_with_object(text: &str) -> bool {
    let text = text.trim_start();
    text.strip_prefix("```")
        .map_or(text, |fenced| fenced.trim_start_matches("json").trim_start())
        .starts_with('{')
}

/// Where the brace that the text begins with is closed, if it is.
fn end_of_braces(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut is_escaped) = (0u32, false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = in_string,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + letter.len_utf8());
        }
    }
    None
}

fn text_of<'a>(fields: &'a Map<String, Value>, field: &str) -> Result<Option<&'a str>, Invalid> {
    match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Invalid(format!("\"{field}\" is not a text"))),
    }
}

/// How many characters a statement may still have: a part of it may have been
/// said before the seat was asked again.
pub fn room_to_speak(knowledge: &Knowledge) -> usize {
    LONGEST_STATEMENT.saturating_sub(knowledge.board.said.into())
}

/// Words as they may be said: one line, and not too many.
fn spoken(text: &str, field: &str, room: usize) -> Result<String, Invalid> {
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
    let words = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if holds_mark(&words) {
        return Err(Invalid(format!("\"{field}\" holds a mark of reasoning")));
    }
    let length = words.chars().count();
    if length > room {
        return Err(Invalid(format!(
            "\"{field}\" has {length} characters; at most {room} are allowed"
        )));
    }
    Ok(words)
}

fn statement(fields: &Map<String, Value>, room: usize) -> Result<ModelAnswer, Invalid> {
    let missing = || Invalid("\"statement\" is missing; an empty text passes".to_owned());
    let words = spoken(text_of(fields, "statement")?.ok_or_else(missing)?, "statement", room)?;
    Ok(ModelAnswer { whisper: None, action: Action::say(words) })
}

fn bid(fields: &Map<String, Value>) -> Result<Action, Invalid> {
    let amount = fields.get("amount").and_then(Value::as_u64);
    let amount = amount.and_then(|amount| u8::try_from(amount).ok());
    let amount = amount.filter(|amount| *amount <= HIGHEST_BID);
    let wrong = || Invalid(format!("\"amount\" is not a number from 0 to {HIGHEST_BID}"));
    Ok(Action::Bid { amount: amount.ok_or_else(wrong)? })
}

fn target(
    fields: &Map<String, Value>,
    knowledge: &Knowledge,
    options: &[Action],
) -> Result<Action, Invalid> {
    if !fields.contains_key("target") {
        return Err(Invalid("\"target\" is missing".to_owned()));
    }
    let named = text_of(fields, "target")?.map(str::trim);
    let target = match named {
        None => None,
        Some(word) if is_nobody(word) => None,
        Some(name) => Some(player(name, knowledge).ok_or_else(|| {
            Invalid(format!("there is no player '{}'", name.chars().take(40).collect::<String>()))
        })?),
    };
    let found = options.iter().find(|option| target_of(option) == target).cloned();
    found.ok_or_else(|| {
        Invalid(match target {
            Some(target) => format!("{target} cannot be chosen"),
            None => "someone must be chosen".to_owned(),
        })
    })
}

fn is_nobody(word: &str) -> bool {
    ["null", "none", "nobody", "abstain"].iter().any(|nobody| nobody.eq_ignore_ascii_case(word))
}

/// A player by id, by name, or as prompts write it: "Boris (p2)", and the
/// other way round as the legal list does.
fn player(named: &str, knowledge: &Knowledge) -> Option<PlayerId> {
    let named = named.trim().trim_matches(['"', '\'', '`', '@', '*', '.']).trim();
    if let Some(player) = by_word(named, knowledge) {
        return Some(player);
    }
    let (before, within) = named.strip_suffix(')')?.rsplit_once('(')?;
    match (by_word(before.trim(), knowledge), by_word(within.trim(), knowledge)) {
        (Some(one), Some(other)) => (one == other).then_some(one),
        (one, other) => one.or(other),
    }
}

/// A player by id or by name.
fn by_word(word: &str, knowledge: &Knowledge) -> Option<PlayerId> {
    let table = knowledge.table.as_deref()?;
    let by_name = |player: &PlayerId| table.name(*player).to_lowercase() == word.to_lowercase();
    let id = word.to_ascii_lowercase().parse().ok();
    id.filter(|id| table.rules.everyone().contains(*id))
        .or_else(|| table.rules.everyone().iter().find(by_name))
}

/// Whom a move is about.
pub fn target_of(option: &Action) -> Option<PlayerId> {
    match option {
        Action::Kill { target } | Action::Vote { target } => *target,
        Action::Protect { target } | Action::Investigate { target } => Some(*target),
        _ => None,
    }
}

fn whisper(
    fields: &Map<String, Value>,
    knowledge: &Knowledge,
    asked: Asked,
) -> Result<Option<String>, Invalid> {
    if asked != Asked::Act || !may_whisper(knowledge) {
        return Ok(None);
    }
    let spoken = |text| spoken(text, "whisper", LONGEST_STATEMENT);
    let words = text_of(fields, "whisper")?.map(spoken).transpose()?;
    Ok(words.filter(|words| !words.is_empty()))
}

/// Whether the seat may speak among the mafia now.
pub fn may_whisper(knowledge: &Knowledge) -> bool {
    let mut asides = Vec::new();
    <parlor_mafia::Mafia as parlor_kernel::Hosted>::asides(knowledge, &mut asides);
    asides.iter().any(|aside| matches!(aside, Action::Say { channel: Channel::Mafia, .. }))
}

/// What may be answered, in words: the legal list of a prompt and of a
/// correction.
pub fn legal_list(knowledge: &Knowledge, options: &[Action]) -> String {
    match knowledge.asked() {
        Some(Asked::Speak) => {
            let room = room_to_speak(knowledge);
            return format!("any statement of at most {room} characters");
        }
        Some(Asked::Bid) => return format!("any amount from 0 to {HIGHEST_BID}"),
        _ => {}
    }
    let name = |player| knowledge.table.as_deref().map_or("", |table| table.name(player));
    let mut list = String::new();
    for option in options {
        let gap = if list.is_empty() { "" } else { ", " };
        let _ = match target_of(option) {
            Some(target) => write!(list, "{gap}{target} ({})", name(target)),
            None => write!(list, "{gap}null (nobody)"),
        };
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, is_cut: bool) -> Result<String, String> {
        let mut content = Content::default();
        content.read(text, &mut String::new());
        content.end(&mut String::new());
        if is_cut {
            content.cut();
        }
        match object(&content) {
            Ok(fields) => Ok(fields["a"].to_string()),
            Err(Invalid(why)) => Err(why),
        }
    }

    #[test]
    fn the_last_complete_object_is_the_answer() {
        for (text, answer) in [
            (r#"{"a":1}"#, "1"),
            (r#"First {"a":1}, or {"a":2}. {x}"#, "2"),
            ("```json\n{\"a\":{\"a\":2}}\n```", r#"{"a":2}"#),
            (r#"{"b" {"a":7} "}"} {"a":"}{"}"#, r#""}{""#),
            (r#"{"a":1} {"b":{"a":2}"#, "1"),
            (r#"{"a":1} {"a":"2"#, "1"),
        ] {
            assert_eq!(found(text, false), Ok(answer.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_within_an_unfinished_object_is_no_answer() {
        let eof = "the JSON object cannot be read: EOF while parsing";
        for text in [r#"{"b":{"a":1}"#, r#"{"b":"{\"a\":1}"#, r#"{"b":[{"a":1},{"a":2}]"#] {
            assert!(found(text, false).is_err_and(|why| why.starts_with(eof)), "{text}");
        }
        assert_eq!(found("a: 1", false), Err("there is no JSON object".to_owned()));
    }

    #[test]
    fn an_answer_cut_off_by_its_limit_is_not_the_draft_before_it() {
        assert!(found(r#"{"a":1} {"a":"2"#, true).is_err_and(|why| why.ends_with("cut off")));
        let is_taken = |text| found(text, true) == Ok("1".to_owned());
        assert!(is_taken("{\"a\":1} And that is bec"));
        assert!(is_taken("```json\n{\"a\":1}\n```\nAnd that is bec"));
        assert!(is_taken("<think>Hm.</think> So: {\"a\":1} And that is bec"));
        assert!(!is_taken("I could say {\"a\":1} but then"), "its <think> was in the prompt");
    }
}
