//! Chat completions as they stream: `data:` lines and what is in them.

use serde::Deserialize;
use serde_json::Value;

use crate::llm::account::Tokens;

/// What one line adds to the answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delta {
    /// Words of the answer itself.
    pub content: String,
    /// Words of a model that thinks aloud beside its answer.
    pub reasoning: String,
    /// Parts of calls of tools.
    pub calls: Vec<CallPart>,
    /// Whether the model said that it is done, and why.
    pub finish: Option<String>,
    /// What it took, if the endpoint tells.
    pub tokens: Option<Tokens>,
    /// Whether this was the last line.
    pub done: bool,
}

/// A part of a call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallPart {
    /// Which call, where there are several.
    pub index: Option<u64>,
    /// The name of the tool, or a part of it.
    pub name: String,
    /// A part of what it is called with.
    pub arguments: String,
    /// Whether it says that a call begins.
    pub begins: bool,
}

/// The line is no part of a chat completion.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("the stream is no chat completion: {0}")]
pub struct NoDelta(String);

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Value,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Option<Words>,
    /// An endpoint that does not stream sends the whole message.
    message: Option<Words>,
    finish_reason: Option<String>,
}

/// Thoughts beside the answer have many names in the wild. Some endpoints send
/// the same thought under two of them, so the first that is there counts.
#[derive(Default, Deserialize)]
struct Words {
    #[serde(default)]
    content: Value,
    #[serde(default)]
    reasoning_content: Value,
    #[serde(default)]
    reasoning: Value,
    #[serde(default)]
    reasoning_text: Value,
    #[serde(default)]
    thinking: Value,
    #[serde(default)]
    thought: Value,
    #[serde(default)]
    reasoning_details: Value,
    #[serde(default)]
    thinking_blocks: Value,
    /// Where one endpoint says that the content is a thought.
    #[serde(default)]
    extra_content: Value,
    #[serde(default)]
    tool_calls: Value,
    /// What calls of tools were before there could be several.
    #[serde(default)]
    function_call: Value,
}

impl Words {
    fn reasoning(&self) -> String {
        let fields = [
            &self.reasoning_content,
            &self.reasoning,
            &self.reasoning_text,
            &self.thinking,
            &self.thought,
            &self.reasoning_details,
            &self.thinking_blocks,
        ];
        let words = fields.map(words_of);
        words.into_iter().find(|words| !words.is_empty()).unwrap_or_default()
    }

    fn is_thought(&self) -> bool {
        let says_so = self.extra_content.pointer("/google/thought");
        [Some(&self.thought), says_so].contains(&Some(&Value::Bool(true)))
    }

    fn calls(&self) -> Vec<CallPart> {
        let several = self.tool_calls.as_array().map_or(&[][..], Vec::as_slice);
        let part = |call: &Value| CallPart::of(call, call.get("function").unwrap_or(&Value::Null));
        let one = self
            .function_call
            .is_object()
            .then(|| CallPart::of(&serde_json::json!({ "index": 0 }), &self.function_call));
        several.iter().map(part).chain(one).collect()
    }

    /// The words of the answer and those of thought.
    fn sorted(&self) -> Result<(String, String), NoDelta> {
        let (mut content, mut reasoning) = (String::new(), self.reasoning());
        let parts = match &self.content {
            Value::Array(parts) => &parts[..],
            Value::Null => &[],
            one @ (Value::String(_) | Value::Object(_)) => std::slice::from_ref(one),
            _ => return Err(NoDelta("the content is neither a text nor parts".to_owned())),
        };
        for part in parts {
            match text_of(part).filter(|_| !self.is_thought()) {
                Some(text) => content += &words_of(text),
                None => reasoning += &words_of(part),
            }
        }
        Ok((content, reasoning))
    }
}

impl CallPart {
    fn of(call: &Value, function: &Value) -> CallPart {
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            // Some endpoints send them whole, and not as a text.
            whole => whole.to_string(),
        };
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        CallPart {
            index: call.get("index").and_then(Value::as_u64),
            begins: call.get("id").is_some_and(|id| !id.is_null()) || !name.is_empty(),
            name,
            arguments: function.get("arguments").map(text).unwrap_or_default(),
        }
    }
}

/// The text of a part of the content. A part that does not say it is one is
/// thought.
fn text_of(part: &Value) -> Option<&Value> {
    let Value::Object(fields) = part else { return part.is_string().then_some(part) };
    let is_text = match fields.get("type") {
        Some(kind) => matches!(kind.as_str(), Some("text" | "output_text")),
        None => true,
    };
    let is_thought = fields.get("thought") == Some(&Value::Bool(true));
    fields.get("text").filter(|_| is_text && !is_thought)
}

/// All words in a value. Signatures and what is sealed are none.
fn words_of(value: &Value) -> String {
    const FIELDS: [&str; 7] =
        ["thinking", "reasoning", "thought", "text", "summary", "content", "value"];
    match value {
        Value::String(words) => words.clone(),
        Value::Array(values) => values.iter().map(words_of).collect(),
        Value::Object(fields) => {
            FIELDS.iter().filter_map(|it| fields.get(*it)).map(words_of).collect()
        }
        _ => String::new(),
    }
}

/// How much of a strange line is quoted, in characters.
const QUOTED: usize = 120;

/// Reads one line of the stream. Comments, event names and empty lines add
/// nothing.
pub fn read(line: &str) -> Result<Delta, NoDelta> {
    let Some(data) = line.strip_prefix("data:").map(str::trim) else {
        return Ok(Delta::default());
    };
    if data == "[DONE]" {
        return Ok(Delta { done: true, ..Delta::default() });
    }
    let chunk: Chunk = serde_json::from_str(data).map_err(|error| NoDelta(error.to_string()))?;
    if let Some(error) = chunk.error {
        return Err(NoDelta(error.to_string().chars().take(QUOTED).collect()));
    }
    let choice = chunk.choices.into_iter().next();
    let (words, finish) = choice.map_or_else(Default::default, |it| {
        (it.delta.or(it.message).unwrap_or_default(), it.finish_reason)
    });
    let (content, reasoning) = words.sorted()?;
    let calls = words.calls();
    let tokens = Tokens::told(&chunk.usage);
    Ok(Delta { content, reasoning, calls, finish, tokens, done: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tokens_and_the_end_are_read_from_lines() {
        let words = read(r#"data: {"choices":[{"delta":{"content":"Hi"}}]}"#);
        assert_eq!(words, Ok(Delta { content: "Hi".to_owned(), ..Delta::default() }));
        let thought = read(r#"data:{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#);
        assert_eq!(thought, Ok(Delta { reasoning: "hm".to_owned(), ..Delta::default() }));
        let usage =
            read(r#"data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}"#);
        let tokens = Some(Tokens { read: 7, written: 2, ..Tokens::default() });
        assert_eq!(usage, Ok(Delta { tokens, ..Delta::default() }));
        assert_eq!(read("data: [DONE]"), Ok(Delta { done: true, ..Delta::default() }));
    }

    fn sorted(delta: &str) -> (String, String) {
        let delta = read(&format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}"));
        let Delta { content, reasoning, .. } = delta.expect("a delta");
        (content, reasoning)
    }

    #[test]
    fn thoughts_are_thoughts_whatever_they_are_called() {
        for thought in [
            r#"{"content":"a","reasoning_content":"t"}"#,
            r#"{"content":"a","reasoning_content":"","reasoning":"t"}"#,
            r#"{"content":"a","reasoning_content":null,"reasoning":"t","reasoning_details":[{"text":"t"}]}"#,
            r#"{"content":"a","reasoning_details":[{"type":"reasoning.text","text":"t","signature":"s"}]}"#,
            r#"{"content":"a","reasoning_details":[{"type":"reasoning.encrypted","data":"s"},{"summary":"t"}]}"#,
            r#"{"content":"a","thinking_blocks":[{"type":"thinking","thinking":"t","signature":"s"}]}"#,
            r#"{"content":"a","thinking":"t"}"#,
            r#"{"content":"a","reasoning":{"text":"t"}}"#,
            r#"{"content":["a",{"type":"reasoning","summary":[{"type":"summary_text","text":"t"}]}]}"#,
            r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"a"}]}"#,
            r#"{"content":[{"type":"redacted_thinking","data":"s"},{"text":"t","thought":true},{"text":"a"}]}"#,
            r#"{"content":[{"type":"of tomorrow","text":"t"},{"type":"output_text","text":"a"}]}"#,
        ] {
            assert_eq!(sorted(thought), ("a".to_owned(), "t".to_owned()), "{thought}");
        }
        let flagged = r#"{"content":"t","extra_content":{"google":{"thought":true}}}"#;
        assert_eq!(sorted(flagged), (String::new(), "t".to_owned()));
        assert_eq!(sorted(r#"{"content":null}"#), (String::new(), String::new()));
    }

    #[test]
    fn comments_and_empty_lines_add_nothing() {
        for line in ["", ": keep-alive", "event: message", "id: 7"] {
            assert_eq!(read(line), Ok(Delta::default()));
        }
    }

    #[test]
    fn what_is_no_completion_is_refused() {
        assert!(read("data: <html>").is_err());
        assert!(read(r#"data: {"error":{"message":"overloaded"}}"#).is_err());
        assert!(read(r#"data: {"choices":"none"}"#).is_err());
        assert!(read(r#"data: {"choices":[{"delta":{"content":7}}]}"#).is_err());
    }
}
