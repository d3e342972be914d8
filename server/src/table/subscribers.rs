//! The subscribers of a table. A slow one never slows the table: when its queue
//! is full it is dropped, and resumes from its position.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use parlor_house::{Backlog, StepMessages};
use parlor_kernel::{Seat, SeatSet, Viewer};

use super::queue::{Queue, Subscription, queue};
use crate::config::Limits;
use crate::limits::{Address, Excess};
use crate::registry::Past;

/// One message on its way out.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its position in the subscriber's stream; none for refusals, presence
    /// and the like, which are no part of the log.
    pub position: Option<u64>,
    /// The message, as JSON.
    pub text: Utf8Bytes,
}

/// What a subscriber is handed in one piece.
#[derive(Clone, Debug)]
pub enum Delivery {
    /// The messages of one step.
    Step(Vec<Frame>),
    /// A message that is no part of the log.
    Notice(Frame),
    /// The table is over before its time, and nobody need stay.
    Termination(Termination),
}

impl Delivery {
    /// The messages in it. A termination has none: streams that stay
    /// open have had the end of the game already.
    pub fn frames(&self) -> &[Frame] {
        match self {
            Delivery::Step(frames) => frames,
            Delivery::Notice(frame) => std::slice::from_ref(frame),
            Delivery::Termination(_) => &[],
        }
    }
}

/// Why a table is over before its time.
#[derive(Clone, Debug)]
pub struct Termination {
    /// Why, in a sentence.
    pub message: String,
    /// The name of the player who ended it; none if the server did.
    pub by: Option<String>,
}

/// What comes first on a stream.
pub enum First {
    /// This.
    Told(Vec<Frame>),
    /// What the log says of it.
    ToRead(Past),
}

/// A stream that has begun.
pub struct Subscribed {
    /// Tells this subscriber from others at the table.
    pub id: u64,
    /// Whose stream it is.
    pub viewer: Viewer,
    /// What comes first: the past asked for, or a snapshot.
    pub first: First,
    /// What comes then, as it happens. It ends when the subscriber was too
    /// slow or the server stops.
    pub subscription: Subscription,
}

struct Subscriber {
    id: u64,
    viewer: Viewer,
    dialect: &'static str,
    /// Whether it wants the house's remarks.
    remarks: bool,
    from: Address,
    queue: Queue,
}

impl Subscriber {
    fn only_watches(&self) -> bool {
        matches!(self.viewer, Viewer::Public | Viewer::Postmortem)
    }
}

/// All subscribers of a table.
#[derive(Default)]
pub struct Subscribers {
    subscribers: Vec<Subscriber>,
    last_id: u64,
}

impl Subscribers {
    /// Makes room for one more. A seat always gets in: its oldest stream gives
    /// way. Those who only watch have places of their own, which addresses
    /// share: who has most of them gives way to who has fewer.
    pub fn make_room(
        &mut self,
        viewer: Viewer,
        from: Address,
        limits: &Limits,
    ) -> Result<(), Excess> {
        let oldest = |subscribers: &[Subscriber], is_it: &dyn Fn(&Subscriber) -> bool| {
            subscribers.iter().find(|one| is_it(one)).map(|one| one.id)
        };
        let gives_way = match viewer {
            Viewer::Seat(_) => {
                let is_own = |one: &Subscriber| one.viewer == viewer;
                let own = self.subscribers.iter().filter(|one| is_own(one)).count();
                let is_full = own >= limits.streams_per_seat.max(1) as usize;
                is_full.then(|| oldest(&self.subscribers, &is_own)).flatten()
            }
            Viewer::Admin => None,
            Viewer::Public | Viewer::Postmortem => {
                let mut watching: HashMap<Address, usize> = HashMap::new();
                for one in self.subscribers.iter().filter(|one| one.only_watches()) {
                    *watching.entry(one.from).or_default() += 1;
                }
                if watching.values().sum::<usize>() < limits.streams_per_table as usize {
                    return Ok(());
                }
                let own = watching.get(&from).copied().unwrap_or(0);
                let most = watching.into_iter().max_by_key(|(_, count)| *count);
                let greedy = most.filter(|(_, count)| *count > own + 1).ok_or(Excess::Streams)?.0;
                oldest(&self.subscribers, &|one| one.only_watches() && one.from == greedy)
            }
        };
        if let Some(id) = gives_way {
            self.remove(id);
        }
        Ok(())
    }

    /// Adds a subscriber. One that has to be told the past first may be late.
    pub fn add(
        &mut self,
        viewer: Viewer,
        dialect: &'static str,
        remarks: bool,
        from: Address,
        is_late: bool,
    ) -> (u64, Subscription) {
        let (queue, subscription) = queue(is_late);
        self.last_id += 1;
        let id = self.last_id;
        self.subscribers.push(Subscriber { id, viewer, dialect, remarks, from, queue });
        metrics::gauge!("parlor_subscribers").increment(1);
        (id, subscription)
    }

    /// Removes a subscriber.
    pub fn remove(&mut self, id: u64) {
        self.keep(|subscriber| subscriber.id != id);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.subscribers.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// The seats that have a stream.
    pub fn connected(&self) -> SeatSet {
        self.subscribers.iter().filter_map(|subscriber| subscriber.viewer.seat()).collect()
    }

    /// Each pair of viewer and dialect in use.
    pub fn views(&self) -> Vec<(Viewer, &'static str)> {
        let mut views: Vec<_> =
            self.subscribers.iter().map(|one| (one.viewer, one.dialect)).collect();
        views.sort();
        views.dedup();
        views
    }

    /// Delivers the messages of a step.
    pub fn deliver_step(&mut self, step: StepMessages) {
        self.deliver(step.viewer, step.dialect, step.first, step.messages);
    }

    /// Delivers what the subscribers of a view have missed.
    pub fn catch_up(&mut self, viewer: Viewer, dialect: &str, backlog: Backlog) {
        self.deliver(viewer, dialect, backlog.first, backlog.messages);
    }

    fn deliver(&mut self, viewer: Viewer, dialect: &str, first: u64, messages: Vec<String>) {
        let is_for = |one: &Subscriber| one.viewer == viewer && one.dialect == dialect;
        if !self.subscribers.iter().any(is_for) {
            return;
        }
        let step = Arc::new(Delivery::Step(frames(first, messages)));
        self.keep(|one| !is_for(one) || one.queue.put(Arc::clone(&step)));
    }

    /// Sends something that is no part of the log to the subscribers `to` picks,
    /// each in their dialect.
    pub fn notify(&mut self, to: impl Fn(Viewer) -> bool, say: impl Fn(&str) -> Option<String>) {
        self.keep(|one| {
            if !to(one.viewer) {
                return true;
            }
            let Some(text) = say(one.dialect) else { return true };
            let notice = Delivery::Notice(Frame { position: None, text: text.into() });
            one.queue.put(Arc::new(notice))
        });
    }

    /// Tells those who want such things something about the table.
    pub fn remark(&mut self, text: &str) {
        let frame = Frame { position: None, text: text.into() };
        let remark = Arc::new(Delivery::Notice(frame));
        self.keep(|one| !one.remarks || one.queue.put(Arc::clone(&remark)));
    }

    /// Sends one subscriber something that is no part of the log.
    pub fn notify_one(&mut self, subscriber: u64, text: Utf8Bytes) {
        self.notify_one_in(subscriber, |_, _| text.to_string());
    }

    /// The same, for whom and in the dialect it is said.
    pub fn notify_one_in(&mut self, subscriber: u64, say: impl Fn(Viewer, &str) -> String) {
        self.keep(|one| {
            if one.id != subscriber {
                return true;
            }
            let text = say(one.viewer, one.dialect).into();
            one.queue.put(Arc::new(Delivery::Notice(Frame { position: None, text })))
        });
    }

    /// Says a last word to the streams of a seat and ends them; whether there
    /// were any.
    pub fn cut_off(&mut self, seat: Seat, last_word: &str) -> bool {
        let before = self.len();
        let frame = Frame { position: None, text: last_word.into() };
        let notice = Arc::new(Delivery::Notice(frame));
        self.keep(|one| {
            let stays = one.viewer != Viewer::Seat(seat);
            if !stays {
                one.queue.put(Arc::clone(&notice));
                one.queue.cut_off();
            }
            stays
        });
        self.len() < before
    }

    /// Tells one subscriber that the table has been over before it came.
    pub fn terminate_one(&mut self, subscriber: u64, termination: Termination) {
        let termination = Arc::new(Delivery::Termination(termination));
        self.keep(|one| one.id != subscriber || one.queue.put(Arc::clone(&termination)));
    }

    /// Tells all subscribers that the table is over before its time.
    pub fn terminate(&mut self, termination: Termination) {
        let termination = Arc::new(Delivery::Termination(termination));
        self.keep(|one| one.queue.put(Arc::clone(&termination)));
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

impl Drop for Subscribers {
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

    fn step(position: u64) -> StepMessages {
        let messages = vec![format!("{{\"at\":{position}}}")];
        StepMessages { viewer: Viewer::Public, dialect: "log", first: position, messages }
    }

    fn from(last: u8) -> Address {
        Address::of([192, 0, 2, last].into())
    }

    fn add(subscribers: &mut Subscribers, viewer: Viewer, of: u8) -> (u64, Subscription) {
        subscribers.add(viewer, "log", false, from(of), false)
    }

    fn limits(streams_per_table: u32, streams_per_seat: u32) -> Limits {
        Limits { streams_per_table, streams_per_seat, ..Limits::default() }
    }

    /// Who is there, by the numbers they were given.
    fn ids(subscribers: &Subscribers) -> Vec<u64> {
        subscribers.subscribers.iter().map(|one| one.id).collect()
    }

    #[test]
    fn seats_get_in_however_many_watch() {
        let (mut subscribers, limits) = (Subscribers::default(), limits(2, 2));
        let mut kept = Vec::new();
        for viewer in [Viewer::Public, Viewer::Public, Viewer::Seat(Seat(0))] {
            subscribers.make_room(viewer, from(1), &limits).unwrap();
            kept.push(add(&mut subscribers, viewer, 1));
        }
        let watches = subscribers.make_room(Viewer::Public, from(1), &limits);
        assert_eq!(watches, Err(Excess::Streams));
        subscribers.make_room(Viewer::Admin, from(1), &limits).unwrap();
        assert_eq!(ids(&subscribers), [1, 2, 3]);
    }

    #[test]
    fn the_oldest_stream_of_a_seat_gives_way_to_its_newest() {
        let (mut subscribers, limits) = (Subscribers::default(), limits(2, 2));
        let mut kept = Vec::new();
        for seat in [0, 1, 0, 0] {
            subscribers.make_room(Viewer::Seat(Seat(seat)), from(1), &limits).unwrap();
            kept.push(add(&mut subscribers, Viewer::Seat(Seat(seat)), 1));
        }
        assert_eq!(ids(&subscribers), [2, 3, 4]);
    }

    #[test]
    fn who_watches_most_gives_way_to_who_watches_least() {
        let (mut subscribers, limits) = (Subscribers::default(), limits(3, 2));
        let mut kept = Vec::new();
        let mut watch = |of: u8| {
            subscribers.make_room(Viewer::Public, from(of), &limits)?;
            kept.push(add(&mut subscribers, Viewer::Public, of));
            Ok(ids(&subscribers))
        };
        watch(1).unwrap();
        watch(1).unwrap();
        assert_eq!(watch(1), Ok(vec![1, 2, 3]));
        assert_eq!(watch(1), Err(Excess::Streams));
        assert_eq!(watch(2), Ok(vec![2, 3, 4]));
        assert_eq!(watch(2), Err(Excess::Streams), "two and one, or one and two");
        assert_eq!(watch(3), Ok(vec![3, 4, 5]));
        assert_eq!(watch(4), Err(Excess::Streams), "all have one");
    }

    async fn received(subscription: &mut Subscription) -> Option<Vec<u64>> {
        let deliveries = subscription.next().await?;
        Some(deliveries.filter_map(|delivery| delivery.frames().first()?.position).collect())
    }

    #[tokio::test]
    async fn who_is_too_slow_is_dropped_with_a_position_to_resume_from_and_others_go_on() {
        let mut subscribers = Subscribers::default();
        let (_, mut slow) = add(&mut subscribers, Viewer::Public, 1);
        let (_, mut quick) = add(&mut subscribers, Viewer::Public, 1);
        let room = QUEUE as u64;
        for position in 1..=room + 2 {
            subscribers.deliver_step(step(position));
            assert_eq!(received(&mut quick).await, Some(vec![position]));
        }
        assert_eq!(subscribers.len(), 1);
        // What had its place in the queue still comes, without a gap; then it
        // is the end, and no pause.
        assert_eq!(received(&mut slow).await, Some((1..=room).collect()));
        assert_eq!(received(&mut slow).await, None);
        subscribers.deliver_step(step(room + 3));
        assert_eq!(received(&mut quick).await, Some(vec![room + 3]));
    }
}
