//! Agents of a table while they decide.
//!
//! Each question runs in a task of its own, so that no endpoint can hold up
//! the table. What an agent does meanwhile waits here until its time has come:
//! a paused game takes nothing, and no agent loses time by that. A turn that
//! is dropped is called off, with whatever request it was waiting for.

use std::collections::VecDeque;
use std::sync::Arc;

use parlor_house::{AgentAct, Playing};
use parlor_kernel::{Awaiting, Seat};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;

/// One question to one agent, and what came of it so far.
struct AgentTurn {
    seat: Seat,
    number: u64,
    /// What the seat was asked for.
    kind: &'static str,
    acts: VecDeque<AgentAct>,
    is_over: bool,
    task: JoinHandle<()>,
}

impl Drop for AgentTurn {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// News of a turn: an act, or none when it is over.
struct TurnEvent {
    number: u64,
    act: Option<AgentAct>,
}

type Line = (mpsc::UnboundedSender<TurnEvent>, mpsc::UnboundedReceiver<TurnEvent>);

/// How far the agent in a seat is.
pub enum TurnState<'a> {
    /// It is not asked.
    Unasked,
    /// It thinks.
    Thinking,
    /// It does something.
    Acts(&'a AgentAct),
    /// It is done, and has nothing more to do.
    Done,
}

/// All turns under way at a table.
#[derive(Default)]
pub struct AgentTurns {
    turns: Vec<AgentTurn>,
    last: u64,
    /// Made with the first question: most tables have no agents.
    line: Option<Line>,
}

/// Tells the table that a turn is over, however it ended.
struct Over {
    number: u64,
    line: mpsc::UnboundedSender<TurnEvent>,
}

impl Drop for Over {
    fn drop(&mut self) {
        // A table that has gone needs no telling.
        drop(self.line.send(TurnEvent { number: self.number, act: None }));
    }
}

impl AgentTurns {
    /// Whether no agent is being asked.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Asks the agent in this seat, once there is a place for it. False if
    /// there is nothing to ask.
    pub fn begin(&mut self, play: &dyn Playing, seat: Seat, places: &Arc<Semaphore>) -> bool {
        let Awaiting::Seats { kind, .. } = play.awaiting() else { return false };
        let (line, _) = self.line.get_or_insert_with(mpsc::unbounded_channel);
        self.last += 1;
        let number = self.last;
        let (over, said) = (Over { number, line: line.clone() }, line.clone());
        let sink = move |act| drop(said.send(TurnEvent { number, act: Some(act) }));
        let Some(asking) = play.ask_agent(seat, Box::new(sink)) else { return false };
        let places = Arc::clone(places);
        let task = tokio::spawn(async move {
            let _over = over;
            // The semaphore is never closed.
            let _place = places.acquire_owned().await;
            asking.await;
        });
        let acts = VecDeque::new();
        self.turns.push(AgentTurn { seat, number, kind, acts, is_over: false, task });
        true
    }

    /// Waits for the next thing an agent does, and keeps it.
    pub async fn receive(&mut self) {
        let Some((_, line)) = &mut self.line else { return std::future::pending().await };
        let Some(TurnEvent { number, act }) = line.recv().await else { return };
        // A turn that was called off may still be heard of.
        let Some(turn) = self.turns.iter_mut().find(|turn| turn.number == number) else {
            return;
        };
        match act {
            Some(act) => turn.acts.push_back(act),
            None => turn.is_over = true,
        }
    }

    /// Where the agent in this seat stands.
    pub fn state(&self, seat: Seat) -> TurnState<'_> {
        match self.turns.iter().find(|turn| turn.seat == seat) {
            None => TurnState::Unasked,
            Some(AgentTurn { acts, is_over, .. }) => match acts.front() {
                Some(act) => TurnState::Acts(act),
                None if *is_over => TurnState::Done,
                None => TurnState::Thinking,
            },
        }
    }

    /// The act in front was taken: after a move there is nothing to come.
    pub fn taken(&mut self, seat: Seat) {
        if self.take_front(seat).is_some_and(|act| act.is_move) {
            self.turns.retain(|turn| turn.seat != seat);
        }
    }

    /// The act in front was refused: it has not happened.
    pub fn refused(&mut self, seat: Seat) {
        self.take_front(seat);
    }

    fn take_front(&mut self, seat: Seat) -> Option<AgentAct> {
        self.turns.iter_mut().find(|turn| turn.seat == seat)?.acts.pop_front()
    }

    /// Calls off the turn of this seat, and waits until it is.
    pub async fn call_off(&mut self, seat: Seat) {
        let Some(place) = self.turns.iter().position(|turn| turn.seat == seat) else {
            return;
        };
        let mut turn = self.turns.swap_remove(place);
        turn.task.abort();
        // However it ended, it has.
        drop((&mut turn.task).await);
    }

    /// Drops turns about what is not asked any more. A pause asks
    /// nothing, and drops no turn.
    pub fn keep_to(&mut self, play: Option<&dyn Playing>) {
        if self.turns.is_empty() {
            return;
        }
        let asked = play.map(|play| (play.is_paused(), play.awaiting()));
        self.turns.retain(|turn| match asked {
            Some((true, _)) => true,
            Some((false, Awaiting::Seats { seats, kind })) => {
                kind == turn.kind && seats.contains(turn.seat)
            }
            _ => false,
        });
    }
}
