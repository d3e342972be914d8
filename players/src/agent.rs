//! Who plays a seat: one trait for bots and language models.
//!
//! An agent gets what its seat knows and nothing else, and speaks while it
//! decides: thoughts and words as they come, its move last.

use std::future::Future;
use std::pin::Pin;

use parlor_kernel::{Game, Player, Stream};
use tokio::sync::mpsc;

/// A boxed future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a seat is asked.
pub struct Question<G: Game> {
    /// What the seat knew when it was asked.
    pub knowledge: G::Knowledge,
    /// What it may do: at least one thing.
    pub options: Vec<G::Action>,
    /// What it may draw from; the same again when the game is played again.
    pub dice: Stream,
}

/// Where an agent's actions go while it produces them.
pub struct ActionSender<G: Game>(mpsc::Sender<G::Action>);

/// Nobody takes this agent's actions any more: the game went on without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed;

/// A few actions may wait to be taken; then the agent waits, so that a paused
/// game holds back its words too.
const WAITING_ACTIONS: usize = 4;

/// As many as a long answer may have.
const WAITING_AHEAD: usize = 10_000;

impl<G: Game> ActionSender<G> {
    /// A sender and its receiver.
    pub fn open() -> (ActionSender<G>, mpsc::Receiver<G::Action>) {
        let (sender, receiver) = mpsc::channel(WAITING_ACTIONS);
        (ActionSender(sender), receiver)
    }

    /// The same for an agent that is asked ahead of its turn: what it does
    /// waits, and does not hold up its thinking.
    pub(crate) fn ahead() -> (ActionSender<G>, mpsc::Receiver<G::Action>) {
        let (sender, receiver) = mpsc::channel(WAITING_AHEAD);
        (ActionSender(sender), receiver)
    }

    /// Does something. Each becomes a step of the game, if the game takes it.
    pub async fn act(&self, action: G::Action) -> Result<(), Closed> {
        self.0.send(action).await.map_err(|_| Closed)
    }
}

/// Someone who plays a seat and may take time for it.
pub trait Agent<G: Game>: Send {
    /// What the log should tell of who plays here.
    fn introduction(&self) -> Option<G::Action> {
        None
    }

    /// Whether it takes so long that it is asked at once with others, where
    /// they decide without seeing each other.
    fn takes_time(&self) -> bool {
        false
    }

    /// Decides. Words go out while they are produced, the move goes out last;
    /// an agent that sends none has its seat's time run out.
    fn act(&mut self, question: Question<G>, sender: ActionSender<G>) -> BoxFuture<'_, ()>;

    /// What ends the words it was in the midst of, when its time is up before
    /// it is done.
    fn break_off(&self, _knowledge: &G::Knowledge) -> Option<G::Action> {
        None
    }
}

/// A bot that decides at once is an agent too.
pub struct Bot<G: Game> {
    player: Box<dyn Player<G>>,
    introduction: Option<G::Action>,
}

impl<G: Game> Bot<G> {
    /// Seats the bot.
    pub fn new(player: Box<dyn Player<G>>) -> Bot<G> {
        Bot { player, introduction: None }
    }

    /// Seats the bot, and the log tells who it is.
    pub fn introduced(player: Box<dyn Player<G>>, introduction: G::Action) -> Bot<G> {
        Bot { player, introduction: Some(introduction) }
    }
}

impl<G: Game> Agent<G> for Bot<G> {
    fn introduction(&self) -> Option<G::Action> {
        self.introduction.clone()
    }

    fn act(&mut self, question: Question<G>, sender: ActionSender<G>) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let Question { knowledge, options, mut dice } = question;
            let mut acts = Vec::new();
            self.player.act(&knowledge, &options, &mut dice, &mut acts);
            for action in acts {
                if sender.act(action).await.is_err() {
                    return;
                }
            }
        })
    }
}
