//! A language model in a seat.
//!
//! Thoughts are told while they come. Words to others and the move are told
//! only when the whole answer has passed, because a public word cannot be
//! taken back. What fails is asked again, within bounds; then the seat falls
//! back, and the log says why.

use std::sync::Arc;
use std::time::Duration;

use parlor_mafia::{
    Action, Asked, Assignment, Channel, Knowledge, LONGEST_THOUGHT, Mafia, SpeakingOrder, Usage,
    Words,
};
use serde_json::{Value, json};

use crate::agent::{ActionSender, Agent, BoxFuture, Closed, Question};
use crate::llm::answer::{self, Answer, Invalid};
use crate::llm::budget::Budget;
use crate::llm::content::Content;
use crate::llm::delta::{self, Delta, Tokens};
use crate::llm::prompt::prompt;
use crate::llm::settings::Model;
use crate::llm::thought::{Gathered, sentences};
use crate::llm::wire::{Call, Received, Wire, WireFault};

/// A language model in a seat.
pub struct LanguageModel {
    name: String,
    model: Model,
    wire: Arc<dyn Wire>,
    budget: Arc<Budget>,
    calls: u32,
}

impl LanguageModel {
    /// Seats the model `model` under the name of its agent.
    pub fn new(
        name: &str,
        model: Model,
        wire: Arc<dyn Wire>,
        budget: Arc<Budget>,
    ) -> LanguageModel {
        LanguageModel { name: name.to_owned(), model, wire, budget, calls: 0 }
    }
}

impl Agent<Mafia> for LanguageModel {
    fn introduction(&self) -> Option<Action> {
        Some(Action::Assign(Box::new(Assignment {
            agent: self.name.clone(),
            model: Some(self.model.model.clone()),
            persona: self.model.persona.clone(),
        })))
    }

    fn act(&mut self, question: Question<Mafia>, sender: ActionSender<Mafia>) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            // A villager at night has nothing to decide.
            if let [only @ Action::Acknowledge {}] = &question.options[..] {
                drop(sender.act(only.clone()).await);
                return;
            }
            let decision = Decision::new(self, &question, &sender);
            // Closed means that the game went on without this seat.
            drop(decision.make().await);
        })
    }

    /// A statement is ended by the fallback; a thought is not.
    fn break_off(&self, knowledge: &Knowledge) -> Option<Action> {
        let is_open = Thought::of(knowledge) == Thought::Open;
        is_open.then_some(Action::Think { text: Words::SILENCE, r#final: true })
    }
}

/// Why a try came to nothing. How the reason begins tells the two apart in
/// the log.
#[derive(Debug, thiserror::Error)]
enum CallFailure {
    #[error("no answer: {0}")]
    NoAnswer(#[from] WireFault),
    #[error("invalid answer: {0}")]
    Invalid(#[from] Invalid),
    #[error("no answer: the game's budget of tokens is spent")]
    Spent,
}

/// How the reason of a fault begins when a model answered something unusable.
pub const INVALID_ANSWER: &str = "invalid answer";

/// The longest reason that is kept, in characters.
const LONGEST_REASON: usize = 300;

/// How much of a wrong answer a correction quotes, in characters.
const QUOTED_ANSWER: usize = 2_000;

/// The reasons to stop that mean that there was more to say.
const CUT_OFF: [&str; 2] = ["length", "max_tokens"];

/// More characters than this for every token allowed, and an answer is
/// endless.
const CHARACTERS_A_TOKEN: usize = 8;

/// Without a word of the endpoint, a token is taken for so many characters.
const CHARACTERS_A_TOKEN_GUESSED: u64 = 4;

/// The first wait before a failed request is sent again; the next are longer.
const FIRST_REST: Duration = Duration::from_millis(500);

/// One decision, with all its tries.
struct Decision<'a> {
    agent: &'a mut LanguageModel,
    question: &'a Question<Mafia>,
    sender: &'a ActionSender<Mafia>,
    messages: Vec<Value>,
    elapsed_ms: u64,
    tokens: Tokens,
    thought: Thought,
}

/// How far the log has the thought of a decision.
#[derive(Clone, Copy, PartialEq)]
enum Thought {
    /// Nothing was thought yet.
    Unbegun,
    /// Its end is still to come.
    Open,
    /// All of it was told before this seat was asked again: a thought ends
    /// once.
    Told,
}

impl Thought {
    fn of(knowledge: &Knowledge) -> Thought {
        // Where turns are bid for, bid and statement are thought about in one
        // turn, each with an end of its own.
        let is_bid_for = knowledge.table.as_deref().is_some_and(|table| {
            table.rules.speaking_order == SpeakingOrder::Bidding
                && knowledge.asked() == Some(Asked::Speak)
        });
        match knowledge.thought() {
            Some(line) if !line.ended => Thought::Open,
            Some(_) if !is_bid_for => Thought::Told,
            _ => Thought::Unbegun,
        }
    }
}

impl<'a> Decision<'a> {
    fn new(
        agent: &'a mut LanguageModel,
        question: &'a Question<Mafia>,
        sender: &'a ActionSender<Mafia>,
    ) -> Decision<'a> {
        let persona = agent.model.persona.as_deref();
        let prompt = prompt(&question.knowledge, &question.options, persona);
        let messages = vec![
            json!({ "role": "system", "content": prompt.system }),
            json!({ "role": "user", "content": prompt.user }),
        ];
        Decision {
            agent,
            question,
            sender,
            messages,
            elapsed_ms: 0,
            tokens: Tokens::default(),
            thought: Thought::of(&question.knowledge),
        }
    }

    async fn make(mut self) -> Result<(), Closed> {
        let mut retries = self.agent.model.retries;
        let mut corrected = false;
        loop {
            let mut content = Content::default();
            let failure = match self.attempt(&mut content).await? {
                Ok(answer) => return self.perform(answer).await,
                Err(failure) => failure,
            };
            match &failure {
                CallFailure::Invalid(invalid) if !corrected && self.has_time(Duration::ZERO) => {
                    corrected = true;
                    self.correct(&content, invalid);
                }
                CallFailure::NoAnswer(fault) if retries > 0 && fault.may_pass() => {
                    let tries = u32::from(self.agent.model.retries - retries);
                    let rest = fault.retry_after().unwrap_or(FIRST_REST * 2u32.pow(tries));
                    if !self.has_time(rest) {
                        return self.fall_back(&failure).await;
                    }
                    retries -= 1;
                    self.agent.wire.rest(rest).await;
                    self.elapsed_ms += rest.as_millis() as u64;
                }
                _ => return self.fall_back(&failure).await,
            }
            let reason = reason(&failure);
            self.sender.act(Action::Fault { reason }).await?;
        }
    }

    fn has_time(&self, rest: Duration) -> bool {
        self.elapsed_ms + (rest.as_millis() as u64) < self.agent.model.timeout_ms
    }

    /// One request and its whole answer, judged.
    async fn attempt(
        &mut self,
        content: &mut Content,
    ) -> Result<Result<Answer, CallFailure>, Closed> {
        if self.agent.budget.is_spent() {
            return Ok(Err(CallFailure::Spent));
        }
        let mut gathered = Gathered::default();
        let heard = self.hear(content, &mut gathered).await?;
        let Question { knowledge, options, .. } = self.question;
        let read = |()| answer::read(content, knowledge, options).map_err(CallFailure::Invalid);
        let answer = heard.and_then(read);
        let rest = gathered.take();
        if answer.is_ok() {
            self.think(rest, true).await?;
        } else if !rest.is_empty() {
            self.think(rest, false).await?;
        }
        Ok(answer)
    }

    /// Listens to an answer to its end, and tells its thoughts on the way.
    async fn hear(
        &mut self,
        content: &mut Content,
        gathered: &mut Gathered,
    ) -> Result<Result<(), CallFailure>, Closed> {
        let call = self.call();
        let asked = call.request.to_string().chars().count() as u64;
        let longest = self.agent.model.max_tokens as usize * CHARACTERS_A_TOKEN;
        let mut reply = self.agent.wire.call(call);
        let (mut tokens, mut written, mut finished) = (None, 0, false);
        let (took_ms, outcome) = loop {
            let (at, line) = match reply.next().await {
                Received::Line { at, line } => (at, line),
                Received::Failed { at, fault } => break (at, Err(fault.into())),
                Received::End { at } if finished => break (at, Ok(())),
                Received::End { at } => {
                    let why = "the stream ended before the answer did".to_owned();
                    break (at, Err(WireFault::Broken(why).into()));
                }
            };
            let delta = match delta::read(&line) {
                Ok(delta) => delta,
                Err(wrong) => break (at, Err(WireFault::Broken(wrong.to_string()).into())),
            };
            let Delta { content: words, reasoning, finish, done, .. } = delta;
            tokens = delta.tokens.or(tokens);
            finished |= finish.is_some() || done;
            if finish.is_some_and(|why| CUT_OFF.iter().any(|it| it.eq_ignore_ascii_case(&why))) {
                content.cut();
            }
            written += words.chars().count() + reasoning.chars().count();
            let mut thought = reasoning;
            content.read(&words, &mut thought);
            if let Some(chunk) = gathered.add(&thought, at) {
                self.think(chunk, false).await?;
            }
            if done {
                break (at, Ok(()));
            }
            if written > longest {
                let endless = format!("the answer does not end after {longest} characters");
                break (at, Err(Invalid(endless).into()));
            }
        };
        let mut rest = String::new();
        content.end(&mut rest);
        if let Some(chunk) = gathered.add(&rest, took_ms) {
            self.think(chunk, false).await?;
        }
        let guess = |characters: u64| characters.div_ceil(CHARACTERS_A_TOKEN_GUESSED);
        let tokens =
            tokens.unwrap_or(Tokens { read: guess(asked), written: guess(written as u64) });
        self.agent.budget.spend(tokens.read + tokens.written);
        self.tokens.read += tokens.read;
        self.tokens.written += tokens.written;
        self.elapsed_ms += took_ms;
        Ok(outcome)
    }

    fn call(&mut self) -> Call {
        self.agent.calls += 1;
        let Model { model, temperature, max_tokens, timeout_ms, extra, .. } = &self.agent.model;
        let mut request = json!({
            "model": model,
            "messages": self.messages,
            "stream": true,
            "stream_options": { "include_usage": true },
            "max_tokens": max_tokens,
        });
        if let Value::Object(fields) = &mut request {
            fields.extend(temperature.map(|it| ("temperature".to_owned(), json!(it))));
            // Newer endpoints know the cap by another name, and only by that.
            if extra.contains_key("max_completion_tokens") {
                fields.shift_remove("max_tokens");
            }
            fields.extend(extra.clone());
        }
        let knowledge = &self.question.knowledge;
        let game = knowledge.table.as_deref().map(|table| table.game_id.clone());
        Call {
            game: game.unwrap_or_default(),
            // Who is asked sits in a seat.
            seat: knowledge.me().expect("a question is put to a seat"),
            number: self.agent.calls,
            request,
            within_ms: timeout_ms.saturating_sub(self.elapsed_ms),
        }
    }

    /// rules §5: one corrective retry that quotes the error and the legal list.
    /// Reasoning is no part of what was answered.
    fn correct(&mut self, content: &Content, invalid: &Invalid) {
        let Question { knowledge, options, .. } = self.question;
        let legal = answer::legal_list(knowledge, options);
        let said = match content.outside() {
            // Some endpoints refuse a message without words.
            words if content.is_marked() && words.trim().is_empty() => "…",
            words => words,
        };
        let said: String = said.chars().take(QUOTED_ANSWER).collect();
        self.messages.push(json!({ "role": "assistant", "content": said }));
        self.messages.push(json!({
            "role": "user",
            "content": format!(
                "This cannot be taken: {invalid}. Legal: {legal}. Answer again, with one JSON \
                 object of the form asked for and nothing else."
            ),
        }));
    }

    /// Tells a part of the thought; nothing at all if nothing was thought.
    async fn think(&mut self, text: String, ends: bool) -> Result<(), Closed> {
        if self.thought == Thought::Told || (text.is_empty() && self.thought == Thought::Unbegun) {
            return Ok(());
        }
        self.thought = if ends { Thought::Told } else { Thought::Open };
        let mut rest = text.as_str();
        while let Some((cut, _)) = rest.char_indices().nth(LONGEST_THOUGHT) {
            let (piece, after) = rest.split_at(cut);
            self.sender.act(Action::Think { text: Words::from(piece), r#final: false }).await?;
            rest = after;
        }
        self.sender.act(Action::Think { text: Words::from(rest), r#final: ends }).await
    }

    async fn report_usage(&self) -> Result<(), Closed> {
        let Tokens { read, written } = self.tokens;
        let usage = Usage {
            prompt_tokens: read,
            completion_tokens: written,
            latency_ms: self.elapsed_ms,
            cost_micros: self.agent.model.cost_micros(read, written),
        };
        self.sender.act(Action::Usage(Box::new(usage))).await
    }

    /// Does what was answered: a statement is said sentence by sentence.
    async fn perform(self, answer: Answer) -> Result<(), Closed> {
        self.report_usage().await?;
        if let Some(whisper) = answer.whisper {
            let (text, channel) = (Words::from(whisper), Channel::Mafia);
            self.sender.act(Action::Say { text, r#final: true, channel }).await?;
        }
        let Action::Say { text, channel, .. } = &answer.action else {
            return self.sender.act(answer.action).await;
        };
        let pieces = sentences(text);
        let Some((last, before)) = pieces.split_last() else {
            return self.sender.act(answer.action).await;
        };
        for piece in before {
            let text = Words::from(*piece);
            self.sender.act(Action::Say { text, r#final: false, channel: *channel }).await?;
        }
        let text = Words::from(*last);
        self.sender.act(Action::Say { text, r#final: true, channel: *channel }).await
    }

    async fn fall_back(mut self, failure: &CallFailure) -> Result<(), Closed> {
        self.think(String::new(), true).await?;
        if self.tokens != Tokens::default() {
            self.report_usage().await?;
        }
        self.sender.act(Action::FallBack { reason: reason(failure) }).await
    }
}

fn reason(failure: &CallFailure) -> Words {
    let reason: String = failure.to_string().chars().take(LONGEST_REASON).collect();
    Words::from(reason)
}
