//! An agent at its seat of a game under way.

use std::sync::Arc;

use parlor_kernel::{Cause, Game, Hosted, Log, Seat, Stream, Told, View, Viewer};
use parlor_players::{ActionSender, Agent, BoxFuture, Question};
use tokio::sync::Mutex;

use crate::agents::{ActSink, AgentAct};
use crate::playing::Act;

/// An agent at its seat.
pub(crate) struct SeatedAgent<G: Game> {
    pub seat: Seat,
    pub view: View<G>,
    /// Held by whoever asks it; a new question waits until the one before has
    /// been let go.
    agent: Arc<Mutex<Box<dyn Agent<G>>>>,
    /// Who plays here, until the log tells it.
    pub introduction: Option<G::Action>,
}

impl<G: Hosted + Told> SeatedAgent<G> {
    /// Takes a seat in a game that has come so far.
    pub fn new(seat: Seat, agent: Box<dyn Agent<G>>, log: &Log<G>) -> SeatedAgent<G> {
        let introduction = agent.introduction().filter(|it| last_like(log, seat, it) != Some(it));
        let agent = Arc::new(Mutex::new(agent));
        SeatedAgent { seat, view: View::new(Viewer::Seat(seat)), agent, introduction }
    }

    /// What the seat may do now.
    pub fn options(&self) -> Vec<G::Action> {
        let mut options = Vec::new();
        G::options(self.view.knowledge(), &mut options);
        options
    }

    /// Asks the agent. It decides while the future runs, and stops deciding
    /// when that is dropped.
    pub fn ask(
        &self,
        options: Vec<G::Action>,
        dice: Stream,
        sink: ActSink,
    ) -> BoxFuture<'static, ()> {
        let knowledge = self.view.knowledge().clone();
        let question = Question { knowledge, options, dice };
        let agent = Arc::clone(&self.agent);
        Box::pin(async move {
            let mut agent = agent.lock_owned().await;
            let (sender, mut actions) = ActionSender::<G>::open();
            let passing_on = async {
                while let Some(action) = actions.recv().await {
                    let (is_quiet, is_move) = (!G::is_for_clients(&action), !G::is_aside(&action));
                    sink(AgentAct { act: Act::new(action), is_quiet, is_move });
                }
            };
            tokio::join!(agent.act(question, sender), passing_on);
        })
    }

    /// What ends the words the agent was in the midst of; none while it is
    /// still being asked.
    pub fn break_off(&self) -> Option<G::Action> {
        self.agent.try_lock().ok()?.break_off(self.view.knowledge())
    }
}

/// The last action of this seat of the same kind as another, in a log.
fn last_like<'a, G: Game>(log: &'a Log<G>, seat: Seat, other: &G::Action) -> Option<&'a G::Action> {
    let kind = std::mem::discriminant(other);
    log.steps.iter().rev().find_map(|step| match &step.cause {
        Cause::Seat { seat: by, action }
            if *by == seat && std::mem::discriminant(action) == kind =>
        {
            Some(action)
        }
        _ => None,
    })
}
