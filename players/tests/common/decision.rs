//! One question to a model, and all that came of it.
#![allow(dead_code, reason = "each test uses its part")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_kernel::laws::random_game;
use parlor_kernel::{Dice, Game, Seat, Seed, View, Viewer};
use parlor_mafia::{Action, Asked, Knowledge, Mafia, Rules, Usage};
use parlor_players::llm::{Http, LanguageModel, ModelOptions};
use parlor_players::{ActionSender, Agent, Question};

use super::endpoint::Server;
use super::settings;

/// What the first seat knows that is asked this, at a table where everyone
/// plays at random.
pub fn knowledge(wanted: impl Fn(&Knowledge) -> bool) -> Knowledge {
    let rules = Rules::classic();
    let (log, _) = random_game::<Mafia>(&rules, 10, "model");
    let mut state = <Mafia as Game>::State::default();
    let mut views: Vec<View<Mafia>> =
        (0..10).map(|seat| View::new(Viewer::Seat(Seat(seat)))).collect();
    for event in &log.events {
        Mafia::apply(&mut state, event);
        for view in &mut views {
            view.follow(&state, event);
            if wanted(view.knowledge()) {
                return view.knowledge().clone();
            }
        }
    }
    panic!("nobody is asked this");
}

pub fn asked_to(asked: Asked) -> impl Fn(&Knowledge) -> bool {
    move |knowledge| knowledge.asked() == Some(asked)
}

/// What one decision came to, and when each part of it came.
pub struct Decided {
    pub acts: Vec<(Duration, Action)>,
}

impl Decided {
    pub fn last(&self) -> &Action {
        &self.acts.last().expect("an agent does something").1
    }

    pub fn thought(&self) -> String {
        let words = |(_, action): &(Duration, Action)| match action {
            Action::Think { text, .. } => Some(text.to_string()),
            _ => None,
        };
        self.acts.iter().filter_map(words).collect()
    }

    pub fn said(&self) -> Vec<String> {
        let words = |(_, action): &(Duration, Action)| match action {
            Action::Say { text, .. } => Some(text.to_string()),
            _ => None,
        };
        self.acts.iter().filter_map(words).collect()
    }

    pub fn faults(&self) -> Vec<String> {
        let reason = |(_, action): &(Duration, Action)| match action {
            Action::Fault { reason } => Some(reason.to_string()),
            _ => None,
        };
        self.acts.iter().filter_map(reason).collect()
    }

    /// What the decision took.
    pub fn usage(&self) -> Option<&Usage> {
        self.acts.iter().find_map(|(_, action)| match action {
            Action::Usage(usage) => Some(&**usage),
            _ => None,
        })
    }

    pub fn fell_back(&self) -> Option<String> {
        match self.last() {
            Action::FallBack { reason } => Some(reason.to_string()),
            _ => None,
        }
    }
}

/// Asks a model of these settings once.
pub async fn decide(server: &Server, llm: &str, knowledge: Knowledge) -> Decided {
    ask(&mut model(server, llm), knowledge).await
}

/// A model of these settings at this server.
pub fn model(server: &Server, llm: &str) -> LanguageModel {
    let settings = settings(&server.base_url, llm);
    let model = settings.model("test", &ModelOptions::default()).expect("a model");
    let wire = Arc::new(Http::new(&model.address).expect("an endpoint"));
    LanguageModel::new("test", model, wire)
}

/// Asks it.
pub async fn ask(agent: &mut LanguageModel, knowledge: Knowledge) -> Decided {
    let mut options = Vec::new();
    Mafia::options(&knowledge, &mut options);
    let dice = Dice::new(&Seed::named("model"), "model").stream("dice");
    let (sender, mut ear) = ActionSender::open();
    let began = Instant::now();
    let listen = async {
        let mut acts = Vec::new();
        while let Some(action) = ear.recv().await {
            acts.push((began.elapsed(), action));
        }
        acts
    };
    let question = Question { knowledge, options, dice };
    let (acts, ()) = tokio::join!(listen, agent.act(question, sender));
    Decided { acts }
}
