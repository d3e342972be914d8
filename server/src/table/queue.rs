//! What waits for a subscriber: the table puts in, the subscriber takes all there
//! is at once.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::vec::Drain;

use super::direct_sink::DirectSink;
use super::subscribers::Delivery;

/// How many deliveries may wait for a subscriber.
pub(super) const QUEUE: usize = 128;

/// How many may wait for one that is told the past first.
const LATE_QUEUE: usize = 4096;

/// Both ends look into this. It is small and lies in one place on purpose:
/// every move wakes all subscribers, and with many tables each look at memory
/// that was not used for a while costs more than what is done with it.
#[derive(Default)]
struct Waiting {
    deliveries: Vec<Arc<Delivery>>,
    subscriber: Option<Waker>,
    /// Lent by a subscriber whose socket the table may write to itself.
    sink: Option<DirectSink>,
    is_over: bool,
    is_cut_off: bool,
    /// Its subscriber has not begun to take anything.
    is_late: bool,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Waiting>>);

impl Shared {
    fn look(&self) -> MutexGuard<'_, Waiting> {
        // Nobody who holds it can panic in the middle of a change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The table's end. When it is gone, the subscriber gets what still waits, and
/// then the end.
pub(super) struct Queue(Shared);

/// The subscriber's end.
pub struct Subscription {
    shared: Shared,
    taken: Vec<Arc<Delivery>>,
    /// Taken back with what was taken, until that is sent.
    sink: Option<DirectSink>,
}

/// A queue with its two ends.
pub(super) fn queue(is_late: bool) -> (Queue, Subscription) {
    let shared = Shared::default();
    shared.look().is_late = is_late;
    (Queue(shared.clone()), Subscription { shared, taken: Vec::new(), sink: None })
}

impl Queue {
    /// Puts something in, unless it can be sent at once; `false` if the
    /// subscriber is too slow for it.
    pub fn put(&self, delivery: Arc<Delivery>) -> bool {
        let mut waiting = self.0.look();
        let Waiting { deliveries, sink, is_late, .. } = &mut *waiting;
        let unsent = match sink {
            // What waits already comes first.
            Some(sink) if deliveries.is_empty() => match sink.try_send(delivery.frames()) {
                Ok(()) => return true,
                Err(rest) => Arc::new(Delivery::Step(rest.to_vec())),
            },
            _ => delivery,
        };
        if deliveries.len() >= if *is_late { LATE_QUEUE } else { QUEUE } {
            return false;
        }
        deliveries.push(unsent);
        waiting.wake();
        true
    }
}

impl Queue {
    /// The subscriber is not to come back.
    pub fn cut_off(&self) {
        self.0.look().is_cut_off = true;
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let mut waiting = self.0.look();
        waiting.is_over = true;
        waiting.wake();
    }
}

impl Waiting {
    fn wake(&self) {
        if let Some(subscriber) = &self.subscriber {
            subscriber.wake_by_ref();
        }
    }
}

impl Subscription {
    /// Lets the table write to the socket itself, as long as nothing waits.
    pub fn lend(&self, sink: DirectSink) {
        self.shared.look().sink = Some(sink);
    }

    /// Whether the table wants this subscriber never to come back.
    pub fn is_cut_off(&self) -> bool {
        self.shared.look().is_cut_off
    }

    /// Takes back what was lent: until it is lent again, everything waits.
    pub fn take_back(&mut self) -> Option<DirectSink> {
        self.sink.take().or_else(|| self.shared.look().sink.take())
    }

    /// Everything that waits, once something does. None: the subscriber was too
    /// slow, or the server stops.
    ///
    /// It takes back the sink in the same moment: on another thread the table
    /// might otherwise send what comes next before this.
    pub async fn next(&mut self) -> Option<Drain<'_, Arc<Delivery>>> {
        let Subscription { shared, taken, sink } = self;
        let came = poll_fn(|context| {
            let mut waiting = shared.look();
            waiting.is_late = false;
            if !waiting.deliveries.is_empty() {
                // What was taken the last time may have been left half read.
                taken.clear();
                std::mem::swap(&mut waiting.deliveries, taken);
                if let Some(lent) = waiting.sink.take() {
                    *sink = Some(lent);
                }
                return Poll::Ready(true);
            }
            if waiting.is_over {
                return Poll::Ready(false);
            }
            let subscriber = context.waker();
            if !waiting.subscriber.as_ref().is_some_and(|known| known.will_wake(subscriber)) {
                waiting.subscriber = Some(subscriber.clone());
            }
            Poll::Pending
        });
        came.await.then(|| taken.drain(..))
    }
}

/// A sink that is lent keeps its socket open.
impl Drop for Subscription {
    fn drop(&mut self) {
        drop(self.shared.look().sink.take());
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::task::Context;

    use axum::extract::ws::Message;
    use futures_util::Sink;

    use super::super::subscribers::Frame;
    use super::*;

    fn delivery(position: u64) -> Arc<Delivery> {
        let text = position.to_string().into();
        Arc::new(Delivery::Notice(Frame { position: Some(position), text }))
    }

    async fn received(subscription: &mut Subscription) -> Option<Vec<u64>> {
        let deliveries = subscription.next().await?;
        Some(deliveries.filter_map(|delivery| delivery.frames()[0].position).collect())
    }

    #[tokio::test]
    async fn all_that_waits_comes_at_once_in_order_and_then_what_comes_later() {
        let (queue, mut subscription) = queue(false);
        assert!(queue.put(delivery(1)) && queue.put(delivery(2)));
        assert_eq!(received(&mut subscription).await, Some(vec![1, 2]));
        let later = tokio::spawn(async move {
            (received(&mut subscription).await, received(&mut subscription).await)
        });
        // The subscriber is asleep by the time it is told.
        tokio::task::yield_now().await;
        assert!(queue.put(delivery(3)));
        tokio::task::yield_now().await;
        drop(queue);
        assert_eq!(later.await.unwrap(), (Some(vec![3]), None));
    }

    #[tokio::test]
    async fn a_full_queue_takes_no_more_and_what_it_holds_still_comes_before_the_end() {
        let (queue, mut subscription) = queue(false);
        for position in 1..=QUEUE as u64 {
            assert!(queue.put(delivery(position)));
        }
        assert!(!queue.put(delivery(0)));
        drop(queue);
        assert_eq!(received(&mut subscription).await, Some((1..=QUEUE as u64).collect()));
        assert_eq!(received(&mut subscription).await, None);
    }

    /// A socket that takes nothing at first, and what was sent on it.
    #[derive(Clone, Default)]
    struct Line {
        is_clear: Arc<AtomicBool>,
        sent: Arc<Mutex<Vec<String>>>,
    }

    impl Sink<Message> for Line {
        type Error = axum::Error;

        fn poll_ready(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<(), axum::Error>> {
            match self.is_clear.load(Ordering::Relaxed) {
                true => Poll::Ready(Ok(())),
                false => Poll::Pending,
            }
        }

        fn start_send(self: Pin<&mut Self>, message: Message) -> Result<(), axum::Error> {
            self.sent.lock().unwrap().push(message.into_text()?.to_string());
            Ok(())
        }

        fn poll_flush(self: Pin<&mut Self>, cx: &mut Context) -> Poll<Result<(), axum::Error>> {
            self.poll_ready(cx)
        }

        fn poll_close(self: Pin<&mut Self>, cx: &mut Context) -> Poll<Result<(), axum::Error>> {
            self.poll_ready(cx)
        }
    }

    #[tokio::test]
    async fn what_a_subscriber_has_taken_is_sent_before_what_comes_then() {
        let (queue, mut subscription) = queue(false);
        let line = Line::default();
        subscription.lend(DirectSink::new(line.clone()));
        assert!(queue.put(delivery(1)));
        line.is_clear.store(true, Ordering::Relaxed);
        let taken: Vec<_> = subscription.next().await.unwrap().collect();
        // The table is quicker than the subscriber.
        assert!(queue.put(delivery(2)));
        let mut sink = subscription.take_back().unwrap();
        assert!(sink.send_all(taken).await);
        subscription.lend(sink);
        assert_eq!(*line.sent.lock().unwrap(), ["1"]);
        assert_eq!(received(&mut subscription).await, Some(vec![2]));
    }

    #[tokio::test]
    async fn the_table_writes_to_the_socket_while_it_is_lent_the_sink() {
        let (queue, mut subscription) = queue(false);
        let line = Line::default();
        line.is_clear.store(true, Ordering::Relaxed);
        subscription.lend(DirectSink::new(line.clone()));
        assert!(queue.put(delivery(1)) && queue.put(delivery(2)));
        assert_eq!(*line.sent.lock().unwrap(), ["1", "2"]);
        drop(subscription.take_back());
        assert!(queue.put(delivery(3)));
        assert_eq!(received(&mut subscription).await, Some(vec![3]));
    }

    #[tokio::test]
    async fn whoever_stops_waiting_loses_nothing() {
        let (queue, mut subscription) = queue(false);
        tokio::select! {
            biased;
            _ = subscription.next() => unreachable!("nothing waits"),
            () = std::future::ready(()) => {}
        }
        assert!(queue.put(delivery(1)));
        assert_eq!(received(&mut subscription).await, Some(vec![1]));
    }
}
