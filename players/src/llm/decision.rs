//! One decision of a language model, with all its tries.

use std::time::Duration;

use parlor_mafia::{
    Action, Asked, Channel, Knowledge, LONGEST_THOUGHT, Mafia, SpeakingOrder, Usage, Words,
};
use serde_json::{Value, json};

use crate::agent::{ActionSender, Closed, Question};
use crate::llm::account::{Bill, Tokens};
use crate::llm::answer::{self, Invalid, ModelAnswer};
use crate::llm::delta;
use crate::llm::model::LanguageModel;
use crate::llm::prompt::prompt;
use crate::llm::reading::Reading;
use crate::llm::settings::{MOST_TOKENS, Model};
use crate::llm::thought::{Gathered, sentences};
use crate::llm::way::NEWER_CAP;
use crate::llm::wire::{ModelCall, Received, WireFault};

/// Why a try came to nothing. How the reason begins tells the kinds apart in
/// the log.
#[derive(Debug, thiserror::Error)]
pub enum CallFailure {
    /// Nothing usable came over the wire.
    #[error("no answer: {0}")]
    NoAnswer(#[from] WireFault),
    /// The model answered something that cannot be taken.
    #[error("invalid answer: {0}")]
    Invalid(#[from] Invalid),
    /// The endpoint stopped it at its limit.
    #[error("cut off: the answer did not end within {0} tokens")]
    CutOff(u32),
}

/// How the reason of a fault begins when a model answered something unusable.
pub const INVALID_ANSWER: &str = "invalid answer";

/// How it begins when the endpoint stopped the answer at its limit.
pub const CUT_OFF: &str = "cut off";

/// The longest reason that is kept, in characters.
const LONGEST_REASON: usize = 300;

/// How much of a wrong answer a correction quotes, in characters.
const QUOTED_ANSWER: usize = 2_000;

/// More characters than this for every token allowed, and an answer is
/// endless.
const CHARACTERS_A_TOKEN: usize = 8;

/// How much more an answer may have once one was cut off.
const LARGER: u32 = 2;

/// The first wait before a failed request is sent again; the next are longer.
const FIRST_REST: Duration = Duration::from_millis(500);

/// One decision, with all its tries.
pub struct Decision<'a> {
    agent: &'a mut LanguageModel,
    question: &'a Question<Mafia>,
    sender: &'a ActionSender<Mafia>,
    messages: Vec<Value>,
    answer: Value,
    /// How many tokens an answer may have: more, once one was cut off.
    cap: u32,
    elapsed_ms: u64,
    requests: u32,
    tokens: Tokens,
    thought: Thought,
}

/// How far the log has the thought of a decision.
#[derive(Clone, Copy, PartialEq)]
pub enum Thought {
    /// Nothing was thought yet.
    Unbegun,
    /// Its end is still to come.
    Open,
    /// All of it was told before this seat was asked again: a thought ends
    /// once.
    Told,
}

impl Thought {
    /// As far as the seat knows.
    pub fn of(knowledge: &Knowledge) -> Thought {
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
    /// What the seat is asked, and where its acts go.
    pub fn new(
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
        let cap = agent.model.cap();
        Decision {
            agent,
            question,
            sender,
            messages,
            answer: prompt.answer,
            cap,
            elapsed_ms: 0,
            requests: 0,
            tokens: Tokens::default(),
            thought: Thought::of(&question.knowledge),
        }
    }

    /// Decides: asks until there is an answer, or no sense in asking again.
    pub async fn make(mut self) -> Result<(), Closed> {
        let mut retries = self.agent.model.retries;
        let mut corrected = false;
        loop {
            let mut reading = Reading::default();
            let failure = match self.attempt(&mut reading).await? {
                Ok(answer) => return self.perform(answer).await,
                Err(failure) => failure,
            };
            match &failure {
                CallFailure::Invalid(invalid) if !corrected && self.has_time(Duration::ZERO) => {
                    corrected = true;
                    self.correct(&reading, invalid);
                }
                // With the same cap it would end at the same place.
                CallFailure::CutOff(cap)
                    if retries > 0 && *cap < MOST_TOKENS && self.has_time(Duration::ZERO) =>
                {
                    retries -= 1;
                    self.cap = cap.saturating_mul(LARGER).min(MOST_TOKENS);
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
        reading: &mut Reading,
    ) -> Result<Result<ModelAnswer, CallFailure>, Closed> {
        let mut gathered = Gathered::default();
        let heard = self.hear(reading, &mut gathered).await?;
        let Question { knowledge, options, .. } = self.question;
        let answer = heard.and_then(|()| {
            let read = answer::read(reading.answer(), knowledge, options);
            let cap = self.cap;
            read.map_err(|invalid| match reading.is_cut() {
                true => CallFailure::CutOff(cap),
                false => CallFailure::Invalid(invalid),
            })
        });
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
        reading: &mut Reading,
        gathered: &mut Gathered,
    ) -> Result<Result<(), CallFailure>, Closed> {
        let call = self.call();
        let asked = call.request.to_string().chars().count();
        let mut reply = self.agent.wire.call(call);
        let mut bill = Bill::new(&self.agent.wire, asked);
        let mut finished = false;
        let (took_ms, outcome) = loop {
            let (at, line) = match reply.next().await {
                Received::Line { at, line } => (at, line),
                Received::Failed { at, fault } => break (at, Err(fault)),
                Received::End { at } if finished => break (at, Ok(())),
                Received::End { at } => {
                    let why = "the stream ended before the answer did".to_owned();
                    break (at, Err(WireFault::Broken(why)));
                }
            };
            let delta = match delta::read(&line) {
                Ok(delta) => delta,
                Err(wrong) => break (at, Err(WireFault::Broken(wrong.to_string()))),
            };
            finished |= delta.finish.is_some() || delta.done;
            let mut thought = String::new();
            reading.read(&delta, &mut thought);
            bill.note(&delta, reading);
            if let Some(chunk) = gathered.add(&thought, at) {
                self.think(chunk, false).await?;
            }
            if delta.done || self.is_endless(reading).is_some() {
                break (at, Ok(()));
            }
        };
        let mut rest = String::new();
        reading.end(&mut rest);
        if let Some(chunk) = gathered.add(&rest, took_ms) {
            self.think(chunk, false).await?;
        }
        self.elapsed_ms += took_ms;
        self.requests += u32::from(!matches!(&outcome, Err(fault) if fault.is_unasked()));
        self.tokens.add(&bill.settle());
        if let Some(endless) = self.is_endless(reading) {
            return Ok(Err(Invalid(endless).into()));
        }
        Ok(outcome.map_err(CallFailure::NoAnswer))
    }

    /// Why an answer that still comes will not be waited for. Answer and
    /// reasoning have a bound each: one may be long and the other short.
    fn is_endless(&self, reading: &Reading) -> Option<String> {
        let longest = |tokens: u32| (tokens as usize).saturating_mul(CHARACTERS_A_TOKEN);
        let longest_answer = longest(self.cap);
        let longest_reasoning = longest(self.agent.model.max_reasoning_tokens.max(self.cap));
        if reading.answered() > longest_answer {
            return Some(format!("the answer does not end after {longest_answer} characters"));
        }
        let is_endless = reading.reasoned() > longest_reasoning;
        is_endless
            .then(|| format!("the reasoning does not end after {longest_reasoning} characters"))
    }

    fn call(&mut self) -> ModelCall {
        self.agent.calls += 1;
        let cap = self.cap;
        let Model { model, temperature, timeout_ms, extra, answers, .. } = &self.agent.model;
        let mut request = json!({
            "model": model,
            "messages": self.messages,
            "stream": true,
            "stream_options": { "include_usage": true },
            "max_tokens": cap,
        });
        if let Value::Object(fields) = &mut request {
            fields.extend(temperature.map(|it| ("temperature".to_owned(), json!(it))));
            fields.extend(extra.clone());
            // Newer endpoints know the cap by another name, and only by that.
            if extra.contains_key(NEWER_CAP) {
                fields.shift_remove("max_tokens");
                fields.insert(NEWER_CAP.to_owned(), json!(cap));
            }
        }
        let knowledge = &self.question.knowledge;
        let game = knowledge.table.as_deref().map(|table| table.game_id.clone());
        ModelCall {
            game: game.unwrap_or_default(),
            // Who is asked sits in a seat.
            seat: knowledge.me().expect("a question is put to a seat"),
            number: self.agent.calls,
            request,
            answer: self.answer.clone(),
            way: *answers,
            within_ms: timeout_ms.saturating_sub(self.elapsed_ms),
        }
    }

    /// One corrective retry that quotes the error and the legal list.
    /// Reasoning is no part of what was answered.
    fn correct(&mut self, reading: &Reading, invalid: &Invalid) {
        let Question { knowledge, options, .. } = self.question;
        let content = reading.answer();
        let legal = answer::legal_list(knowledge, options);
        let said = match content.outside() {
            // Some endpoints refuse a message without words.
            words if words.trim().is_empty() => "…",
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
        let Tokens { read, cached, written, reasoning, is_estimated } = self.tokens;
        let usage = Usage {
            prompt_tokens: read,
            completion_tokens: written,
            latency_ms: self.elapsed_ms,
            cost_micros: self.agent.model.cost_micros(&self.tokens),
            requests: self.requests,
            cached_tokens: cached,
            reasoning_tokens: reasoning,
            estimated: is_estimated,
        };
        self.sender.act(Action::Usage(Box::new(usage))).await
    }

    /// Does what was answered: a statement is said sentence by sentence.
    async fn perform(self, answer: ModelAnswer) -> Result<(), Closed> {
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
        if self.requests > 0 {
            self.report_usage().await?;
        }
        self.sender.act(Action::FallBack { reason: reason(failure) }).await
    }
}

fn reason(failure: &CallFailure) -> Words {
    let reason: String = failure.to_string().chars().take(LONGEST_REASON).collect();
    Words::from(reason)
}
