//! Chat completions as they stream: `data:` lines and what is in them.

use serde::Deserialize;

/// What one line adds to the answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delta {
    /// Words of the answer itself.
    pub content: String,
    /// Words of a model that thinks aloud beside its answer.
    pub reasoning: String,
    /// Whether the model said that it is done, and why.
    pub finish: Option<String>,
    /// What it took, if the endpoint tells.
    pub tokens: Option<Tokens>,
    /// Whether this was the last line.
    pub done: bool,
}

/// How many tokens an answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Tokens {
    /// Read.
    #[serde(default, rename = "prompt_tokens")]
    pub read: u64,
    /// Written.
    #[serde(default, rename = "completion_tokens")]
    pub written: u64,
}

/// The line is no part of a chat completion.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("the stream is no chat completion: {0}")]
pub struct NoDelta(String);

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Tokens>,
    error: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Words,
    finish_reason: Option<String>,
}

/// The field for thoughts beside the answer has two names in the wild.
#[derive(Default, Deserialize)]
struct Words {
    content: Option<String>,
    reasoning_content: Option<String>,
    reasoning: Option<String>,
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
    let (words, finish) = choice.map_or_else(Default::default, |it| (it.delta, it.finish_reason));
    Ok(Delta {
        content: words.content.unwrap_or_default(),
        reasoning: words.reasoning_content.or(words.reasoning).unwrap_or_default(),
        finish,
        tokens: chunk.usage,
        done: false,
    })
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
        let tokens = Some(Tokens { read: 7, written: 2 });
        assert_eq!(usage, Ok(Delta { tokens, ..Delta::default() }));
        assert_eq!(read("data: [DONE]"), Ok(Delta { done: true, ..Delta::default() }));
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
    }
}
