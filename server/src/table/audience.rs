//! Who listens at a table. A slow listener never slows the table: when its
//! queue is full it is let go, and resumes from its position.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use parlor_house::{Past, Told};
use parlor_kernel::{Seat, SeatSet, Viewer};

use super::queue::{Live, Queue, queue};

/// One message on its way out.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its position in the listener's stream; none for refusals, presence
    /// and the like, which are no part of the log.
    pub position: Option<u64>,
    /// The message, as JSON.
    pub text: Utf8Bytes,
}

/// What a listener is handed at once.
#[derive(Clone, Debug)]
pub enum Passage {
    /// What one step was told as.
    Step(Vec<Frame>),
    /// Something that is no part of the log.
    Remark(Frame),
    /// The table is over before its time, and nobody need stay.
    Farewell(Farewell),
}

impl Passage {
    /// The messages in it. A farewell has none: those who do not leave have
    /// heard the end of the game already.
    pub fn frames(&self) -> &[Frame] {
        match self {
            Passage::Step(frames) => frames,
            Passage::Remark(frame) => std::slice::from_ref(frame),
            Passage::Farewell(_) => &[],
        }
    }
}

/// Why a table is over before its time.
#[derive(Clone, Debug)]
pub struct Farewell {
    /// Why, in a sentence.
    pub message: String,
    /// The name of the player who ended it; none if the house did.
    pub by: Option<String>,
}

/// A stream that has begun.
pub struct Listening {
    /// Tells this listener from others at the table.
    pub id: u64,
    /// Whose stream it is.
    pub viewer: Viewer,
    /// What comes first: the past asked for, or a snapshot.
    pub backlog: Vec<Frame>,
    /// What comes then, as it happens. It ends when the listener was too
    /// slow or the server stops.
    pub live: Live,
}

struct Subscriber {
    id: u64,
    viewer: Viewer,
    dialect: &'static str,
    queue: Queue,
}

/// Everyone who listens at a table.
#[derive(Default)]
pub struct Audience {
    subscribers: Vec<Subscriber>,
    last_id: u64,
}

impl Audience {
    /// Someone begins to listen.
    pub fn admit(&mut self, viewer: Viewer, dialect: &'static str) -> (u64, Live) {
        let (queue, live) = queue();
        self.last_id += 1;
        self.subscribers.push(Subscriber { id: self.last_id, viewer, dialect, queue });
        metrics::gauge!("parlor_subscribers").increment(1);
        (self.last_id, live)
    }

    /// Someone has gone.
    pub fn dismiss(&mut self, id: u64) {
        self.keep(|subscriber| subscriber.id != id);
    }

    /// How many listen.
    pub fn len(&self) -> usize {
        self.subscribers.len()
    }

    /// Whether nobody listens.
    pub fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// The seats that are listened from.
    pub fn connected(&self) -> SeatSet {
        self.subscribers.iter().filter_map(|subscriber| subscriber.viewer.seat()).collect()
    }

    /// Each way of listening in use: viewer and dialect.
    pub fn views(&self) -> Vec<(Viewer, &'static str)> {
        let mut views: Vec<_> =
            self.subscribers.iter().map(|one| (one.viewer, one.dialect)).collect();
        views.sort();
        views.dedup();
        views
    }

    /// Passes on what a step was told as.
    pub fn tell(&mut self, told: Told) {
        self.pass_on(told.viewer, told.dialect, told.first, told.messages);
    }

    /// Passes on what a way of listening has missed.
    pub fn catch_up(&mut self, viewer: Viewer, dialect: &str, past: Past) {
        self.pass_on(viewer, dialect, past.first, past.messages);
    }

    fn pass_on(&mut self, viewer: Viewer, dialect: &str, first: u64, messages: Vec<String>) {
        let hears = |one: &Subscriber| one.viewer == viewer && one.dialect == dialect;
        if !self.subscribers.iter().any(hears) {
            return;
        }
        let step = Arc::new(Passage::Step(frames(first, messages)));
        self.keep(|one| !hears(one) || one.queue.put(Arc::clone(&step)));
    }

    /// Tells something that is no part of the log to the listeners `to`
    /// picks, each in their dialect.
    pub fn remark(&mut self, to: impl Fn(Viewer) -> bool, say: impl Fn(&str) -> Option<String>) {
        self.keep(|one| {
            if !to(one.viewer) {
                return true;
            }
            let Some(text) = say(one.dialect) else { return true };
            let remark = Passage::Remark(Frame { position: None, text: text.into() });
            one.queue.put(Arc::new(remark))
        });
    }

    /// Tells one listener something that is no part of the log.
    pub fn say_to(&mut self, listener: u64, text: Utf8Bytes) {
        let remark = Arc::new(Passage::Remark(Frame { position: None, text }));
        self.keep(|one| one.id != listener || one.queue.put(Arc::clone(&remark)));
    }

    /// Tells everyone that the table is over before its time.
    pub fn part(&mut self, farewell: Farewell) {
        let farewell = Arc::new(Passage::Farewell(farewell));
        self.keep(|one| one.queue.put(Arc::clone(&farewell)));
    }

    fn keep(&mut self, stays: impl Fn(&Subscriber) -> bool) {
        let before = self.subscribers.len();
        self.subscribers.retain(stays);
        let gone = before - self.subscribers.len();
        if gone > 0 {
            metrics::gauge!("parlor_subscribers").decrement(gone as f64);
        }
    }
}

impl Drop for Audience {
    fn drop(&mut self) {
        metrics::gauge!("parlor_subscribers").decrement(self.len() as f64);
    }
}

/// Messages with their positions.
pub fn frames(first: u64, messages: Vec<String>) -> Vec<Frame> {
    let frame =
        |(position, text): (u64, String)| Frame { position: Some(position), text: text.into() };
    (first..).zip(messages).map(frame).collect()
}

/// The seats in one set and not in the other.
pub fn newly(now: SeatSet, before: SeatSet) -> impl Iterator<Item = Seat> {
    now.iter().filter(move |seat| !before.contains(*seat))
}

#[cfg(test)]
mod tests {
    use super::super::queue::QUEUE;
    use super::*;

    fn step(position: u64) -> Told {
        let messages = vec![format!("{{\"at\":{position}}}")];
        Told { viewer: Viewer::Public, dialect: "log", first: position, messages }
    }

    async fn heard(live: &mut Live) -> Option<Vec<u64>> {
        let passages = live.next().await?;
        Some(passages.filter_map(|passage| passage.frames().first()?.position).collect())
    }

    #[tokio::test]
    async fn who_is_too_slow_is_let_go_with_a_position_to_resume_from_and_others_hear_on() {
        let mut audience = Audience::default();
        let (_, mut slow) = audience.admit(Viewer::Public, "log");
        let (_, mut quick) = audience.admit(Viewer::Public, "log");
        let room = QUEUE as u64;
        for position in 1..=room + 2 {
            audience.tell(step(position));
            assert_eq!(heard(&mut quick).await, Some(vec![position]));
        }
        assert_eq!(audience.len(), 1);
        // What had its place in the queue still comes, without a gap; then it
        // is the end, and no pause.
        assert_eq!(heard(&mut slow).await, Some((1..=room).collect()));
        assert_eq!(heard(&mut slow).await, None);
        audience.tell(step(room + 3));
        assert_eq!(heard(&mut quick).await, Some(vec![room + 3]));
    }
}
