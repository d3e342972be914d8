//! What a model answered, and whether a seat may do it.

use std::fmt::Write;

use parlor_mafia::{Action, Asked, Channel, HIGHEST_BID, Knowledge, LONGEST_STATEMENT, PlayerId};
use serde_json::{Map, Value};

/// A whole answer that passed: what is whispered, and what is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
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
pub fn read(text: &str, knowledge: &Knowledge, options: &[Action]) -> Result<Answer, Invalid> {
    let fields = object(text)?;
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
    Ok(Answer { whisper: whisper(&fields, knowledge, asked)?, action })
}

/// The first JSON object in the text: models like to wrap it in words.
fn object(text: &str) -> Result<Map<String, Value>, Invalid> {
    let start = text.find('{').ok_or_else(|| Invalid("there is no JSON object".to_owned()))?;
    let mut objects = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
    match objects.next() {
        Some(Ok(Value::Object(fields))) => Ok(fields),
        Some(Err(error)) => Err(Invalid(format!("the JSON object cannot be read: {error}"))),
        _ => Err(Invalid("there is no JSON object".to_owned())),
    }
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
    let length = words.chars().count();
    if length > room {
        return Err(Invalid(format!(
            "\"{field}\" has {length} characters; at most {room} are allowed"
        )));
    }
    Ok(words)
}

fn statement(fields: &Map<String, Value>, room: usize) -> Result<Answer, Invalid> {
    let missing = || Invalid("\"statement\" is missing; an empty text passes".to_owned());
    let words = spoken(text_of(fields, "statement")?.ok_or_else(missing)?, "statement", room)?;
    Ok(Answer { whisper: None, action: Action::say(words) })
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

/// A player by id or by name.
fn player(named: &str, knowledge: &Knowledge) -> Option<PlayerId> {
    let table = knowledge.table.as_deref()?;
    let by_name = |player: &PlayerId| table.name(*player).to_lowercase() == named.to_lowercase();
    let id = named.to_ascii_lowercase().parse().ok();
    id.filter(|id| table.players().contains(*id)).or_else(|| table.players().iter().find(by_name))
}

fn target_of(option: &Action) -> Option<PlayerId> {
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
    <parlor_mafia::Mafia as parlor_kernel::Game>::asides(knowledge, &mut asides);
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
