//! The ways to ask for an answer of a certain form, from the strictest to the
//! loosest. An endpoint that refuses one is asked in the next.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::llm::wire::WireFault;

/// How an endpoint is told what an answer looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// By a JSON schema: `response_format`.
    JsonSchema,
    /// As a tool that must be called: `tools`.
    Tools,
    /// As any JSON object: `response_format` without a schema.
    Json,
    /// By the words of the prompt alone.
    Text,
}

/// The tool a model answers with, and the name of the schema.
pub const TOOL: &str = "answer";

impl Way {
    fn next(self) -> Option<Way> {
        match self {
            Way::JsonSchema => Some(Way::Tools),
            Way::Tools => Some(Way::Json),
            Way::Json => Some(Way::Text),
            Way::Text => None,
        }
    }

    /// What a refusal of this way speaks of.
    fn names(self) -> &'static [&'static str] {
        match self {
            Way::JsonSchema => {
                &["response_format", "json_schema", "schema", "structured", "grammar"]
            }
            Way::Tools => &["tool", "function"],
            Way::Json => &["response_format", "json"],
            Way::Text => &[],
        }
    }
}

/// What a refusal says that has nothing to do with the form of a request:
/// asked in another form it would be the same.
const ELSEWHERE: [&str; 11] = [
    "model_not_found",
    "does not exist",
    "unknown model",
    "no such model",
    "context_length",
    "context length",
    "context window",
    "maximum context",
    "api key",
    "quota",
    "content_filter",
];

/// The cap on an answer as most endpoints know it, and as newer ones do.
const CAP: &str = "max_tokens";
/// See [`CAP`].
pub const NEWER_CAP: &str = "max_completion_tokens";

/// The form of a request: what is known of how an endpoint wants to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    way: Way,
    has_newer_cap: bool,
}

/// What a refusal says about the form of the request.
#[derive(Debug, PartialEq, Eq)]
pub enum FormRefused {
    /// It names what is wrong with it: the next form is the one to remember.
    Named(Form),
    /// It may be about the form.
    Perhaps(Form),
    /// It is about something else, or there is no other form.
    Otherwise,
}

impl Form {
    /// The form to begin with.
    pub fn first(way: Option<Way>) -> Form {
        Form { way: way.unwrap_or(Way::JsonSchema), has_newer_cap: false }
    }

    /// The request in this form. What the settings ask for by `extra` stays.
    pub fn request(self, request: &Value, answer: &Value) -> Value {
        let mut request = request.clone();
        let Value::Object(fields) = &mut request else { return request };
        if self.has_newer_cap
            && let Some(cap) = fields.shift_remove(CAP)
        {
            fields.insert(NEWER_CAP.to_owned(), cap);
        }
        if !is_shaped(fields) && !answer.is_null() {
            fields.extend(self.shape(answer));
        }
        request
    }

    fn shape(self, answer: &Value) -> Map<String, Value> {
        let shape = match self.way {
            Way::JsonSchema => json!({ "response_format": {
                "type": "json_schema",
                "json_schema": { "name": TOOL, "strict": true, "schema": answer },
            }}),
            Way::Tools => json!({
                "tools": [{ "type": "function", "function": {
                    "name": TOOL,
                    "description": "Gives your answer. It is the only way to give it.",
                    "strict": true,
                    "parameters": answer,
                }}],
                "tool_choice": { "type": "function", "function": { "name": TOOL } },
            }),
            Way::Json => json!({ "response_format": { "type": "json_object" } }),
            Way::Text => Value::Null,
        };
        match shape {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }

    /// What follows from a refusal of this request. `is_open`: the settings
    /// leave it to the endpoint in which way it is asked.
    pub fn after(self, fault: &WireFault, request: &Value, is_open: bool) -> FormRefused {
        let WireFault::Status { status, body, .. } = fault else { return FormRefused::Otherwise };
        let says = body.to_lowercase();
        if !matches!(status, 400 | 404 | 415 | 422 | 501) {
            return FormRefused::Otherwise;
        }
        if says.contains(NEWER_CAP) && request.get(CAP).is_some() {
            return FormRefused::Named(Form { has_newer_cap: true, ..self });
        }
        let next = self.way.next().filter(|_| is_open).map(|way| Form { way, ..self });
        let Some(next) = next else { return FormRefused::Otherwise };
        if self.way.names().iter().any(|name| says.contains(name)) {
            return FormRefused::Named(next);
        }
        let is_elsewhere = *status == 404 || ELSEWHERE.iter().any(|it| says.contains(it));
        if is_elsewhere { FormRefused::Otherwise } else { FormRefused::Perhaps(next) }
    }
}

fn is_shaped(fields: &Map<String, Value>) -> bool {
    fields.contains_key("response_format") || fields.contains_key("tools")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(status: u16, body: &str) -> WireFault {
        WireFault::Status { status, retry_after_ms: None, body: body.to_owned() }
    }

    const ASKED: &str = r#"{"max_tokens": 7}"#;

    fn after(form: Form, fault: &WireFault) -> FormRefused {
        form.after(fault, &serde_json::from_str(ASKED).expect("JSON"), true)
    }

    #[test]
    fn a_refusal_of_the_form_leads_to_the_next_and_any_other_does_not() {
        let first = Form::first(None);
        let tools = Form { way: Way::Tools, ..first };
        for (code, body) in [
            (400, "response_format is not supported by this model"),
            (422, "extra fields not permitted: response_format.json_schema"),
            (404, "no endpoints found that support structured outputs"),
        ] {
            assert_eq!(after(first, &status(code, body)), FormRefused::Named(tools), "{body}");
        }
        assert_eq!(after(first, &status(400, "bad request")), FormRefused::Perhaps(tools));
        for (code, body) in [
            (401, "response_format"),
            (404, "not found"),
            (400, "the model `x` does not exist"),
            (400, "this model's maximum context length is 8192 tokens"),
            (429, "slow down"),
        ] {
            assert_eq!(after(first, &status(code, body)), FormRefused::Otherwise, "{body}");
        }
        let text = Form { way: Way::Text, ..first };
        assert_eq!(after(text, &status(400, "bad request")), FormRefused::Otherwise);
        let cap = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
        let newer = Form { has_newer_cap: true, ..first };
        assert_eq!(after(first, &status(400, cap)), FormRefused::Named(newer));
        assert_eq!(newer.request(&json!({ "max_tokens": 7 }), &Value::Null)[NEWER_CAP], 7);
    }

    #[test]
    fn a_way_that_is_set_is_kept_to() {
        let set = Form::first(Some(Way::Tools));
        let fault = status(400, "tools are not supported");
        assert_eq!(set.after(&fault, &Value::Null, false), FormRefused::Otherwise);
    }

    #[test]
    fn what_the_settings_ask_for_themselves_stays() {
        let own = json!({ "response_format": { "type": "text" } });
        assert_eq!(Form::first(None).request(&own, &json!({ "type": "object" })), own);
    }
}
