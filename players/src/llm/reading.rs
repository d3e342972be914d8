//! An answer while it comes, however it comes: as content, or as a call of the
//! tool to answer with.
//!
//! Where the tool is called, the answer is what it is called with. The content
//! beside it is thought, and so are calls of any other tool: no word of them
//! is spoken.

use crate::llm::content::Content;
use crate::llm::delta::{CallPart, Delta};
use crate::llm::way::TOOL;

/// Reads an answer.
#[derive(Default)]
pub struct Reading {
    content: Content,
    calls: Vec<ToolCall>,
    is_cut: bool,
    /// Letters of reasoning beside content and answer.
    beside: usize,
}

struct ToolCall {
    index: Option<u64>,
    name: String,
    arguments: Content,
}

/// The reasons to stop that mean that there was more to say.
const CUT_OFF: [&str; 2] = ["length", "max_tokens"];

impl Reading {
    /// Reads on. What is thought is added to `thought`.
    pub fn read(&mut self, delta: &Delta, thought: &mut String) {
        thought.push_str(&delta.reasoning);
        self.beside += delta.reasoning.chars().count();
        if self.is_called() {
            thought.push_str(&delta.content);
            self.beside += delta.content.chars().count();
        } else {
            self.content.read(&delta.content, thought);
        }
        for part in &delta.calls {
            self.call(part, thought);
        }
        if let Some(why) = &delta.finish {
            self.is_cut |= CUT_OFF.iter().any(|it| it.eq_ignore_ascii_case(why));
        }
    }

    fn call(&mut self, part: &CallPart, thought: &mut String) {
        let is_same = |call: &ToolCall| match part.index {
            Some(_) => call.index == part.index,
            None => !part.begins,
        };
        let place = match self.calls.iter().rposition(is_same) {
            Some(place) => place,
            None => {
                let name = String::new();
                self.calls.push(ToolCall {
                    index: part.index,
                    name,
                    arguments: Content::default(),
                });
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[place];
        // Some endpoints repeat the name, some send it in parts.
        if call.name != part.name {
            call.name.push_str(&part.name);
        }
        if call.name == TOOL {
            self.content.recast(thought);
            call.arguments.read(&part.arguments, thought);
        } else {
            thought.push_str(&part.arguments);
            self.beside += part.arguments.chars().count();
        }
    }

    /// Nothing more comes.
    pub fn end(&mut self, thought: &mut String) {
        self.content.end(thought);
        self.calls.iter_mut().for_each(|call| call.arguments.end(thought));
        let is_cut = self.is_cut;
        let contents = self.calls.iter_mut().map(|call| &mut call.arguments);
        contents.chain([&mut self.content]).filter(|_| is_cut).for_each(Content::cut);
    }

    fn is_called(&self) -> bool {
        self.calls.iter().any(|call| call.name == TOOL)
    }

    /// What the answer is in: the last call of the tool, or the content. A call
    /// in the midst of reasoning that has no end is no answer, but a draft.
    pub fn answer(&self) -> &Content {
        let call = self.calls.iter().rev().find(|call| call.name == TOOL);
        match call {
            Some(call) if !self.content.is_open() => &call.arguments,
            _ => &self.content,
        }
    }

    /// Whether the endpoint says that it came to its limit.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Letters of the answer so far.
    pub fn answered(&self) -> usize {
        let called: usize = self.calls.iter().map(|call| call.arguments.answered()).sum();
        self.content.answered() + called
    }

    /// Letters of reasoning so far.
    pub fn reasoned(&self) -> usize {
        let called: usize = self.calls.iter().map(|call| call.arguments.reasoned()).sum();
        self.beside + self.content.reasoned() + called
    }
}
