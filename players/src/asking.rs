//! Agents while they are asked: several at once, where no one of them may see
//! what another decides.
//!
//! What each does waits until its turn comes, seat by seat. So the log is the
//! same whoever is faster, and a recording of it plays again.

use std::sync::Arc;

use parlor_kernel::{Game, Seat, SeatSet};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;

use crate::agent::{ActionSender, Agent, Question};

/// The agents of a game, and those of them that are being asked.
pub(crate) struct Asking<G: Game> {
    agents: Vec<Arc<Mutex<Box<dyn Agent<G>>>>>,
    patient: SeatSet,
    turns: Vec<Turn<G>>,
}

/// One question, and what its agent has done about it that nobody took yet.
/// Dropped, it is called off.
pub(crate) struct Turn<G: Game> {
    seat: Seat,
    options: Vec<G::Action>,
    actions: mpsc::Receiver<G::Action>,
    task: JoinHandle<()>,
}

impl<G: Game> Drop for Turn<G> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl<G: Game> Turn<G> {
    /// What the agent does next; none when it is done.
    pub(crate) async fn next(&mut self) -> Option<G::Action> {
        let action = self.actions.recv().await;
        if action.is_none()
            && let Err(error) = (&mut self.task).await
            && let Ok(panic) = error.try_into_panic()
        {
            // A defect of an agent is one of the game that asks it.
            std::panic::resume_unwind(panic);
        }
        action
    }
}

impl<G: Game> Asking<G> {
    pub(crate) fn new(agents: Vec<Box<dyn Agent<G>>>) -> Asking<G> {
        let mut patient = SeatSet::EMPTY;
        for (seat, agent) in agents.iter().enumerate() {
            if agent.takes_time() {
                patient.insert(Seat(seat as u8));
            }
        }
        let agents = agents.into_iter().map(|agent| Arc::new(Mutex::new(agent))).collect();
        Asking { agents, patient, turns: Vec::new() }
    }

    /// Whether it is worth the trouble to ask this seat before its turn.
    pub(crate) fn is_worth_asking_early(&self, seat: Seat) -> bool {
        self.patient.contains(seat) && !self.turns.iter().any(|turn| turn.seat == seat)
    }

    /// Asks an agent. It decides from here on, whether anyone listens or not.
    pub(crate) fn ask(&mut self, seat: Seat, question: Question<G>) {
        let (sender, actions) = match self.patient.contains(seat) {
            true => ActionSender::ahead(),
            false => ActionSender::open(),
        };
        let agent = Arc::clone(&self.agents[seat.index()]);
        let options = question.options.clone();
        let task = tokio::spawn(async move { agent.lock().await.act(question, sender).await });
        self.turns.push(Turn { seat, options, actions, task });
    }

    /// The turn of this seat, if it was asked just this. If it was asked
    /// something else, that is not asked any more.
    pub(crate) fn turn(&mut self, seat: Seat, options: &[G::Action]) -> Option<Turn<G>> {
        let place = self.turns.iter().position(|turn| turn.seat == seat)?;
        let turn = self.turns.swap_remove(place);
        (turn.options == options).then_some(turn)
    }
}
