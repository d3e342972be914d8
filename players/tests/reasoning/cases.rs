//! Every way for a model to think aloud, and what must come of it.

use serde_json::{Value, json};

/// What an endpoint sends for one answer.
pub struct Case {
    pub name: String,
    sent: Sent,
    pub finish: &'static str,
    /// Whether there is an answer in it.
    pub is_answered: bool,
    /// Whether a thought came before it ended.
    pub is_thought: bool,
}

/// How it is sent.
enum Sent {
    /// As content, a few letters at a time.
    InPieces(String),
    /// As content, in two pieces.
    InTwo(String, usize),
    /// As what the tool is called with, a few letters at a time.
    Called(String),
    /// In these deltas.
    As(Vec<Value>),
}

/// A part of a call of a tool: its name, if it begins.
fn call(index: usize, name: Option<&str>, arguments: &str) -> Value {
    let mut call = json!({ "index": index, "function": { "arguments": arguments } });
    if let Some(name) = name {
        call["id"] = json!(format!("call-{index}"));
        call["function"]["name"] = json!(name);
    }
    json!({ "tool_calls": [call] })
}

impl Case {
    /// What is sent: there are many cases, and only one of them is sent.
    pub fn deltas(&self) -> Vec<Value> {
        let content = |text: &str| json!({ "content": text });
        match &self.sent {
            Sent::InPieces(text) => {
                let letters: Vec<char> = text.chars().collect();
                let piece = |piece: &[char]| content(&piece.iter().collect::<String>());
                letters.chunks(7).map(piece).collect()
            }
            Sent::Called(text) => {
                let letters: Vec<char> = text.chars().collect();
                let piece = |piece: &[char]| call(0, None, &piece.iter().collect::<String>());
                let begun = [call(0, Some("answer"), "")].into_iter();
                begun.chain(letters.chunks(7).map(piece)).collect()
            }
            Sent::InTwo(text, at) => vec![content(&text[..*at]), content(&text[*at..])],
            Sent::As(deltas) => deltas.clone(),
        }
    }
}

impl Case {
    /// The same, as what the tool is called with.
    fn called(&self) -> Case {
        let sent = match &self.sent {
            Sent::InPieces(text) => Sent::Called(text.clone()),
            _ => panic!("only a text can be what a tool is called with"),
        };
        Case { name: format!("called with {}", self.name), sent, ..*self }
    }
}

/// What the cases are made of.
pub struct Script {
    /// A thought with a draft of an answer in it.
    pub draft: String,
    /// A good answer.
    pub answer: String,
    /// The word in the thought that nobody may hear.
    pub secret: String,
}

/// How reasoning begins and ends within the content.
const PAIRS: [(&str, &str); 18] = [
    ("<think>", "</think>"),
    ("<THINK>\n", "\n</Think>"),
    ("<thinking>", "</thinking>"),
    ("<thought depth=\"2\">", "</thought >"),
    ("< reasoning >", "</ reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<seed:think>", "<\\/seed:think>"),
    ("&lt;think&gt;", "&lt;/think&gt;"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<unused94>thought\n", "<unused95>"),
    ("<|channel>thought\n", "<channel|>"),
    ("\n```thinking\n", "\n```\n"),
    CHANNELS,
    WORDS,
];

/// Channels do not nest, and the last answer is final.
const CHANNELS: (&str, &str) = (
    "<|channel|>analysis<|message|>",
    "<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>",
);

/// The same, without the tokens: only at the beginning.
const WORDS: (&str, &str) = ("analysis", "assistantfinal");

/// Those that are also cut at every letter.
const CUT: [usize; 5] = [0, 3, 8, 15, 16];

impl Script {
    fn case(&self, name: String, text: &str, is_answered: bool) -> Case {
        Case {
            name: format!("{name}: {text}"),
            sent: Sent::InPieces(text.to_owned()),
            finish: "stop",
            is_answered,
            is_thought: text.contains(&self.secret),
        }
    }

    pub fn cases(&self) -> Vec<Case> {
        let mut cases = self.fields();
        cases.extend(self.calls());
        for (place, pair) in PAIRS.into_iter().enumerate() {
            let shapes = self.shapes(pair);
            cases.extend(shapes.iter().map(Case::called));
            cases.extend(shapes);
            if CUT.contains(&place) {
                cases.extend(self.cut(pair));
            }
        }
        for more in [self.strings(), self.objects()] {
            cases.extend(more.iter().map(Case::called));
            cases.extend(more);
        }
        cases
    }

    fn shapes(&self, pair: (&str, &str)) -> Vec<Case> {
        let ((o, c), Script { draft: d, answer: a, .. }) = (pair, self);
        let case = |shape: &str, text: String, is| self.case(format!("{o} {shape}"), &text, is);
        let mut cases = vec![
            case("whole", format!("{o}{d}{c}{a}"), true),
            case("with words", format!("{o}{d}{c}\nHere you are:\n```json\n{a}\n```\n"), true),
            case("without an end", format!("{o}{d}"), false),
            case("without an end, but an answer", format!("{o}{d}\n{a}"), false),
            case("without a beginning", format!("{d}{c}{a}"), true),
            case("empty", format!("{o}{c}{a}"), true),
            case("only", format!("{o}{d}{c}"), false),
            case("cut in the answer", format!("{o}{d}{c}{}", &a[..a.len() - 3]), false),
        ];
        if pair != WORDS {
            cases.extend([
                case("twice", format!("{o}{d}{c}\n{o}{d}{c}{a}"), true),
                case("after the answer, without an end", format!("{a}\n{o}{d}"), false),
            ]);
        }
        if pair != WORDS && pair != CHANNELS {
            cases.extend([
                case("after the answer", format!("{a}\n{o}{d}{c}"), true),
                case("nested", format!("{o}{d}\n{o}{d}{c}{d}{c}{a}"), true),
                case("nested, cut", format!("{o}{d}\n{o}{d}{c}{d}"), false),
                case("nested, of another name", format!("{o}{d}<pondering>{d}{c}{d}"), false),
                case("with another's end", format!("{o}{d}</pondering>{d}"), false),
            ]);
        }
        cases
    }

    /// Cut off after every letter, and split in two there.
    fn cut(&self, pair: (&str, &str)) -> Vec<Case> {
        let ((o, c), Script { draft, answer, secret }) = (pair, self);
        let text = format!("{o}{draft}{c}{answer}");
        let mut cases = Vec::new();
        for (end, _) in text.char_indices() {
            let before = &text[..end];
            let mut cut = self.case(format!("{o} cut off"), before, false);
            cut.finish = "length";
            // What may be a mark, and what the field `thought` begins with, is
            // a matter of the letters before it.
            cut.is_thought = before.contains(&format!("{secret} "));
            cases.push(cut);
            let mut split = self.case(format!("{o} split at {end}"), &text, true);
            split.sent = Sent::InTwo(text.clone(), end);
            cases.push(split);
        }
        cases
    }

    /// Marks within the strings of the answer.
    fn strings(&self) -> Vec<Case> {
        let Script { draft: d, answer: a, secret, .. } = self;
        let case = |text: String, is| self.case("in a string".to_owned(), &text, is);
        let within = |before: &str| {
            let mut fields: Value = serde_json::from_str(a).expect("an answer");
            for field in ["thought", "statement", "whisper"] {
                if let Some(words) = fields[field].as_str() {
                    fields[field] = json!(format!("{before}{words}"));
                }
            }
            fields.to_string()
        };
        let marked = within(&format!("<think>{secret} </think>"));
        let mut escaped = within(&format!("<think>{secret} </think>"));
        escaped = escaped.replace('<', "\\u003c").replace('>', "\\u003e");
        let is_silent = !a.contains("statement") && !a.contains("whisper");
        vec![
            case(marked, true),
            case(escaped, is_silent),
            case(within(&format!("<think>{secret} ")), false),
            case(format!("{d}{}", within("</think>")), false),
        ]
    }

    /// Objects before, after and within each other.
    fn objects(&self) -> Vec<Case> {
        let Script { draft: d, answer: a, .. } = self;
        let case = |text: String, is| self.case("objects".to_owned(), &text, is);
        let mut cut = case(d.clone(), false);
        cut.finish = "length";
        let mut begun = case(format!("{d} {}", &a[..a.len() - 3]), false);
        begun.finish = "length";
        // What is deep within an object is neither thought nor answer.
        let deep = |text| Case { is_thought: false, ..case(text, false) };
        vec![
            case(format!("{d} {a}"), true),
            case(format!("```json\n{d}\n```\n```json\n{a}\n```"), true),
            deep(format!("{{\"drafts\": [{d}, {{\"draft\": {d}}}")),
            deep(format!("{{\"draft\": {d}}}")),
            cut,
            begun,
        ]
    }

    /// Calls of tools, with words and thoughts beside them.
    fn calls(&self) -> Vec<Case> {
        let Script { draft: d, answer: a, .. } = self;
        let content = |text: &str| json!({ "content": text });
        let answer = || call(0, Some("answer"), a);
        let (one, other) = a.split_at(a.len() / 2);
        let open = format!("<think>{d}");
        let closed = format!("<think>{d}</think>");
        let deltas: Vec<(Vec<Value>, bool)> = vec![
            (vec![content(d), answer()], true),
            (vec![answer(), content(d)], true),
            (vec![content(&closed), answer(), content(&closed)], true),
            (vec![content(&open), answer()], false),
            (vec![json!({ "reasoning_content": d }), answer()], true),
            (vec![answer(), json!({ "reasoning": d })], true),
            (vec![json!({ "content": d, "tool_calls": answer()["tool_calls"] })], true),
            (vec![call(0, Some("think"), d), call(1, Some("answer"), a)], true),
            (vec![call(0, Some("answer"), a), call(1, Some("think"), d)], true),
            (vec![call(0, Some("think"), d)], false),
            (vec![call(0, Some("think"), d), content(a)], true),
            (vec![call(0, Some("answers"), d)], false),
            (vec![call(0, Some("answer"), d), call(1, Some("answer"), a)], true),
            (vec![call(0, Some("answer"), d), call(1, Some("answer"), one)], false),
            (vec![content(d), call(0, Some("answer"), one)], false),
            (vec![content(d), call(0, Some("answer"), one), call(0, None, other)], true),
            (
                vec![
                    content(d),
                    call(0, Some("answer"), one),
                    call(1, Some("think"), d),
                    call(0, None, other),
                ],
                true,
            ),
            (
                vec![content(d), json!({ "function_call": { "name": "answer", "arguments": a } })],
                true,
            ),
            (vec![json!({ "function_call": { "name": "think", "arguments": d } })], false),
        ];
        let case = |(deltas, is_answered): (Vec<Value>, bool)| Case {
            name: format!("calls: {deltas:?}"),
            sent: Sent::As(deltas),
            finish: "tool_calls",
            is_answered,
            is_thought: true,
        };
        deltas.into_iter().map(case).collect()
    }

    /// Beside the content, and in parts of it.
    fn fields(&self) -> Vec<Case> {
        let Script { draft: d, answer: a, .. } = self;
        let details = json!([{ "type": "reasoning.text", "text": d, "signature": "s" }]);
        let part = |part: Value| json!({ "content": [part] });
        let thoughts = [
            json!({ "reasoning_content": d }),
            json!({ "reasoning": d, "content": "" }),
            json!({ "reasoning_content": "", "reasoning": d, "reasoning_details": details }),
            json!({ "reasoning_details": details }),
            json!({ "thinking": d }),
            json!({ "thinking_blocks": [{ "type": "thinking", "thinking": d }] }),
            json!({ "content": d, "extra_content": { "google": { "thought": true } } }),
            part(json!({ "type": "thinking", "thinking": d })),
            part(json!({ "type": "thinking", "thinking": [{ "type": "text", "text": d }] })),
            part(json!({ "type": "reasoning", "text": d })),
            part(json!({ "type": "reasoning", "summary": [{ "text": d }] })),
            part(json!({ "type": "of tomorrow", "text": d })),
            part(json!({ "text": d, "thought": true })),
        ];
        let answers = [json!({ "content": a }), part(json!({ "type": "text", "text": a }))];
        let mut cases = Vec::new();
        for thought in &thoughts {
            let case = |deltas: &[&Value], is_answered| Case {
                name: format!("a field: {deltas:?}"),
                sent: Sent::As(deltas.iter().copied().cloned().collect()),
                finish: "stop",
                is_answered,
                is_thought: true,
            };
            for answer in &answers {
                cases.push(case(&[thought, answer], true));
                cases.push(case(&[answer, thought], true));
                cases.push(case(&[thought, answer, thought], true));
            }
            let half = json!({ "content": &a[..a.len() - 3] });
            cases.push(case(&[thought], false));
            cases.push(case(&[thought, &half, thought], false));
            let inline = json!({ "content": format!("<think>{d}</think>{a}") });
            cases.push(case(&[thought, &inline], true));
        }
        cases
    }
}
