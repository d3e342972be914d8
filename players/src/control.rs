//! How a game under way is led: pause, resume, step, call off, slower, faster.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

/// What whoever leads a game wants of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Wish {
    pub paused: bool,
    /// How many decisions may be made although it is paused, since the first.
    pub steps: u64,
    pub call_off: Option<String>,
    pub pace: Duration,
}

/// A handle on a game, or on many that are led as one. Copies lead the same.
#[derive(Clone, Debug)]
pub struct Control {
    wish: Arc<watch::Sender<Wish>>,
}

impl Default for Control {
    fn default() -> Control {
        Control { wish: Arc::new(watch::Sender::new(Wish::default())) }
    }
}

impl Control {
    /// Stops before the next thing happens; thoughts and words wait too.
    pub fn pause(&self) {
        self.wish.send_modify(|wish| wish.paused = true);
    }

    /// Goes on.
    pub fn resume(&self) {
        self.wish.send_modify(|wish| wish.paused = false);
    }

    /// Stops after one more decision.
    pub fn step(&self) {
        self.wish.send_modify(|wish| {
            wish.paused = true;
            wish.steps += 1;
        });
    }

    /// Ends the game at once; the reason is for everyone to read.
    pub fn call_off(&self, reason: &str) {
        self.wish.send_modify(|wish| wish.call_off = Some(reason.to_owned()));
    }

    /// Lets so much time pass after each thing that happens.
    pub fn pace(&self, pace: Duration) {
        self.wish.send_modify(|wish| wish.pace = pace);
    }

    pub(crate) fn rein(&self) -> Rein {
        Rein { wish: self.wish.subscribe(), _lead: Arc::clone(&self.wish), stepped: 0 }
    }
}

/// How the game goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Go {
    On,
    CalledOff(String),
}

/// The game's end of the rein.
pub(crate) struct Rein {
    wish: watch::Receiver<Wish>,
    /// Keeps the rein whole when everyone who led has let go.
    _lead: Arc<watch::Sender<Wish>>,
    stepped: u64,
}

impl Rein {
    /// Whether the game must stand still before its next decision.
    pub(crate) fn holds_decision(&self) -> bool {
        let wish = self.wish.borrow();
        wish.paused && wish.steps <= self.stepped && wish.call_off.is_none()
    }

    /// Whether it must stand still in the midst of one: a step lets a whole
    /// decision pass.
    pub(crate) fn holds_word(&self, within_step: bool) -> bool {
        let wish = self.wish.borrow();
        wish.paused && !within_step && wish.call_off.is_none()
    }

    /// Waits until a decision may be made. True if only this one may.
    pub(crate) async fn decision(&mut self) -> (Go, bool) {
        let stepped = self.stepped;
        let may = |wish: &Wish| !wish.paused || wish.steps > stepped || wish.call_off.is_some();
        self.until(may).await;
        let wish = self.wish.borrow();
        if let Some(reason) = &wish.call_off {
            return (Go::CalledOff(reason.clone()), false);
        }
        let is_step = wish.paused;
        self.stepped = if is_step { stepped + 1 } else { wish.steps };
        (Go::On, is_step)
    }

    /// Waits until a word may be spoken.
    pub(crate) async fn word(&mut self) {
        self.until(|wish| !wish.paused || wish.call_off.is_some()).await;
    }

    /// Waits until the game is called off: for its reason.
    pub(crate) async fn called_off(&mut self) -> String {
        self.until(|wish| wish.call_off.is_some()).await;
        self.wish.borrow().call_off.clone().unwrap_or_default()
    }

    /// Waits as long as the pace wants; a game that is called off waits no
    /// longer.
    pub(crate) async fn breathe(&mut self) {
        let pace = self.wish.borrow().pace;
        if !pace.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(pace) => {}
                _ = self.called_off() => {}
            }
        }
    }

    async fn until(&mut self, wanted: impl Fn(&Wish) -> bool) {
        // The sender lives as long as this rein, so waiting cannot fail.
        drop(self.wish.wait_for(|wish| wanted(wish)).await);
    }
}
