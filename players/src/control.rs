//! Controller of a running game: pause, resume, step, call off, slower, faster.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

/// What is wanted of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Directive {
    pub paused: bool,
    /// How many decisions may be made although it is paused, since the first.
    pub steps: u64,
    pub call_off: Option<String>,
    pub pace: Duration,
}

/// A handle on a game, or on many that are controlled as one. Clones share it.
#[derive(Clone, Debug)]
pub struct Controller {
    directive: Arc<watch::Sender<Directive>>,
}

impl Default for Controller {
    fn default() -> Controller {
        Controller { directive: Arc::new(watch::Sender::new(Directive::default())) }
    }
}

impl Controller {
    /// Stops before the next thing happens; thoughts and words wait too.
    pub fn pause(&self) {
        self.directive.send_modify(|directive| directive.paused = true);
    }

    /// Goes on.
    pub fn resume(&self) {
        self.directive.send_modify(|directive| directive.paused = false);
    }

    /// Stops after one more decision.
    pub fn step(&self) {
        self.directive.send_modify(|directive| {
            directive.paused = true;
            directive.steps += 1;
        });
    }

    /// Ends the game at once; the reason is for everyone to read.
    pub fn call_off(&self, reason: &str) {
        self.directive.send_modify(|directive| directive.call_off = Some(reason.to_owned()));
    }

    /// Lets so much time pass after each thing that happens.
    pub fn pace(&self, pace: Duration) {
        self.directive.send_modify(|directive| directive.pace = pace);
    }

    pub(crate) fn gate(&self) -> ControlGate {
        ControlGate {
            directive: self.directive.subscribe(),
            _open: Arc::clone(&self.directive),
            stepped: 0,
        }
    }
}

/// How the game goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Go {
    On,
    CalledOff(String),
}

/// The game's end of its control.
pub(crate) struct ControlGate {
    directive: watch::Receiver<Directive>,
    /// Keeps the channel open when all handles are gone.
    _open: Arc<watch::Sender<Directive>>,
    stepped: u64,
}

impl ControlGate {
    /// Whether the game must stand still before its next decision.
    pub(crate) fn holds_decision(&self) -> bool {
        let directive = self.directive.borrow();
        directive.paused && directive.steps <= self.stepped && directive.call_off.is_none()
    }

    /// Whether it must stand still in the midst of one: a step lets a whole
    /// decision pass.
    pub(crate) fn holds_word(&self, within_step: bool) -> bool {
        let directive = self.directive.borrow();
        directive.paused && !within_step && directive.call_off.is_none()
    }

    /// Waits until a decision may be made. True if only this one may.
    pub(crate) async fn decision(&mut self) -> (Go, bool) {
        let stepped = self.stepped;
        let may = |directive: &Directive| {
            !directive.paused || directive.steps > stepped || directive.call_off.is_some()
        };
        self.until(may).await;
        let directive = self.directive.borrow();
        if let Some(reason) = &directive.call_off {
            return (Go::CalledOff(reason.clone()), false);
        }
        let is_step = directive.paused;
        self.stepped = if is_step { stepped + 1 } else { directive.steps };
        (Go::On, is_step)
    }

    /// Waits until a word may be spoken.
    pub(crate) async fn word(&mut self) {
        self.until(|directive| !directive.paused || directive.call_off.is_some()).await;
    }

    /// Waits until the game is called off: for its reason.
    pub(crate) async fn called_off(&mut self) -> String {
        self.until(|directive| directive.call_off.is_some()).await;
        self.directive.borrow().call_off.clone().unwrap_or_default()
    }

    /// Waits as long as the pace wants; a game that is called off waits no
    /// longer.
    pub(crate) async fn breathe(&mut self) {
        let pace = self.directive.borrow().pace;
        if !pace.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(pace) => {}
                _ = self.called_off() => {}
            }
        }
    }

    async fn until(&mut self, wanted: impl Fn(&Directive) -> bool) {
        // The sender lives as long as this end, so waiting cannot fail.
        drop(self.directive.wait_for(|directive| wanted(directive)).await);
    }
}
