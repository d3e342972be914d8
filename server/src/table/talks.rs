//! Agents of a table while they decide.
//!
//! Each question runs in a task of its own, so that no endpoint can hold up
//! the table. What an agent does meanwhile waits here until its time has come:
//! a paused game takes nothing, and no agent loses time by that. A talk that
//! is dropped is called off, with whatever request it was waiting for.

use std::collections::VecDeque;
use std::sync::Arc;

use parlor_house::{Playing, Word};
use parlor_kernel::{Awaiting, Seat};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;

/// One question to one agent, and what came of it so far.
struct Talk {
    seat: Seat,
    number: u64,
    /// What the seat was asked for.
    kind: &'static str,
    words: VecDeque<Word>,
    is_over: bool,
    task: JoinHandle<()>,
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What is heard of a talk; without a word, that it is over.
struct Heard {
    number: u64,
    word: Option<Word>,
}

type Line = (mpsc::UnboundedSender<Heard>, mpsc::UnboundedReceiver<Heard>);

/// Where an agent stands.
pub enum Standing<'a> {
    /// It is not asked.
    Unasked,
    /// It thinks.
    Thinking,
    /// It does something.
    Acts(&'a Word),
    /// It is done, and has nothing more to do.
    Done,
}

/// All talks of a table.
#[derive(Default)]
pub struct Talks {
    talks: Vec<Talk>,
    last: u64,
    /// Made with the first question: most tables have no agents.
    line: Option<Line>,
}

/// Tells the table that a talk is over, however it ended.
struct Over {
    number: u64,
    line: mpsc::UnboundedSender<Heard>,
}

impl Drop for Over {
    fn drop(&mut self) {
        // A table that has gone needs no telling.
        drop(self.line.send(Heard { number: self.number, word: None }));
    }
}

impl Talks {
    /// Whether no agent is being asked.
    pub fn is_empty(&self) -> bool {
        self.talks.is_empty()
    }

    /// Asks the agent in this seat, once there is a place for it. False if
    /// there is nothing to ask.
    pub fn begin(&mut self, play: &dyn Playing, seat: Seat, places: &Arc<Semaphore>) -> bool {
        let Awaiting::Seats { kind, .. } = play.awaiting() else { return false };
        let (line, _) = self.line.get_or_insert_with(mpsc::unbounded_channel);
        self.last += 1;
        let number = self.last;
        let (over, said) = (Over { number, line: line.clone() }, line.clone());
        let ear = move |word| drop(said.send(Heard { number, word: Some(word) }));
        let Some(asking) = play.consult(seat, Box::new(ear)) else { return false };
        let places = Arc::clone(places);
        let task = tokio::spawn(async move {
            let _over = over;
            // The semaphore is never closed.
            let _place = places.acquire_owned().await;
            asking.await;
        });
        let words = VecDeque::new();
        self.talks.push(Talk { seat, number, kind, words, is_over: false, task });
        true
    }

    /// Waits for the next thing an agent does, and keeps it.
    pub async fn hear(&mut self) {
        let Some((_, line)) = &mut self.line else { return std::future::pending().await };
        let Some(Heard { number, word }) = line.recv().await else { return };
        // A talk that was called off may still be heard of.
        let Some(talk) = self.talks.iter_mut().find(|talk| talk.number == number) else { return };
        match word {
            Some(word) => talk.words.push_back(word),
            None => talk.is_over = true,
        }
    }

    /// Where the agent in this seat stands.
    pub fn standing(&self, seat: Seat) -> Standing<'_> {
        match self.talks.iter().find(|talk| talk.seat == seat) {
            None => Standing::Unasked,
            Some(Talk { words, is_over, .. }) => match words.front() {
                Some(word) => Standing::Acts(word),
                None if *is_over => Standing::Done,
                None => Standing::Thinking,
            },
        }
    }

    /// The word in front was taken: after a move there is nothing to come.
    pub fn taken(&mut self, seat: Seat) {
        if self.take_front(seat).is_some_and(|word| word.is_move) {
            self.talks.retain(|talk| talk.seat != seat);
        }
    }

    /// The word in front was refused: it has not happened.
    pub fn refused(&mut self, seat: Seat) {
        self.take_front(seat);
    }

    fn take_front(&mut self, seat: Seat) -> Option<Word> {
        self.talks.iter_mut().find(|talk| talk.seat == seat)?.words.pop_front()
    }

    /// Calls off the talk with this seat, and waits until it is.
    pub async fn call_off(&mut self, seat: Seat) {
        let Some(place) = self.talks.iter().position(|talk| talk.seat == seat) else { return };
        let mut talk = self.talks.swap_remove(place);
        talk.task.abort();
        // However it ended, it has.
        drop((&mut talk.task).await);
    }

    /// Lets go of talks about what is not asked any more. A pause asks
    /// nothing, and lets go of nobody.
    pub fn keep_to(&mut self, play: Option<&dyn Playing>) {
        if self.talks.is_empty() {
            return;
        }
        let asked = play.map(|play| (play.is_paused(), play.awaiting()));
        self.talks.retain(|talk| match asked {
            Some((true, _)) => true,
            Some((false, Awaiting::Seats { seats, kind })) => {
                kind == talk.kind && seats.contains(talk.seat)
            }
            _ => false,
        });
    }
}
