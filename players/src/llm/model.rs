//! A language model in a seat.
//!
//! Thoughts are told while they come. Words to others and the move are told
//! only when the whole answer has passed, because a public word cannot be
//! taken back. What fails is asked again, within bounds; then the seat falls
//! back, and the log says why.

use std::sync::Arc;

use parlor_mafia::{Action, Assignment, Knowledge, Mafia, Words};

use crate::agent::{ActionSender, Agent, BoxFuture, Question};
use crate::llm::decision::{Decision, Thought};
use crate::llm::settings::Model;
use crate::llm::wire::Wire;

/// A language model in a seat.
pub struct LanguageModel {
    pub(super) name: String,
    pub(super) model: Model,
    pub(super) wire: Arc<dyn Wire>,
    pub(super) calls: u32,
}

impl LanguageModel {
    /// Seats the model `model` under the name of its agent.
    pub fn new(name: &str, model: Model, wire: Arc<dyn Wire>) -> LanguageModel {
        LanguageModel { name: name.to_owned(), model, wire, calls: 0 }
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

    fn takes_time(&self) -> bool {
        true
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
