//! What waits for a listener: the table puts in, the listener takes all there
//! is at once.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::vec::Drain;

use super::audience::Passage;
use super::mouth::Mouth;

/// How many passages may wait for a listener.
pub(super) const QUEUE: usize = 128;

/// Both ends look into this. It is small and lies in one place on purpose:
/// every move wakes all who listen, and with many tables each look at memory
/// that was not used for a while costs more than what is done with it.
#[derive(Default)]
struct Waiting {
    passages: Vec<Arc<Passage>>,
    listener: Option<Waker>,
    /// Lent by a listener for whom the table may speak itself.
    mouth: Option<Mouth>,
    is_over: bool,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Waiting>>);

impl Shared {
    fn look(&self) -> MutexGuard<'_, Waiting> {
        // Nobody who holds it can panic in the middle of a change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The table's end. When it is gone, the listener hears what still waits, and
/// then that it is over.
pub(super) struct Queue(Shared);

/// The listener's end.
pub struct Live {
    shared: Shared,
    taken: Vec<Arc<Passage>>,
    /// Taken back with what was taken, until that is said.
    mouth: Option<Mouth>,
}

/// A queue with its two ends.
pub(super) fn queue() -> (Queue, Live) {
    let shared = Shared::default();
    (Queue(shared.clone()), Live { shared, taken: Vec::new(), mouth: None })
}

impl Queue {
    /// Puts something in, unless it can be said at once; `false` if the
    /// listener is too slow for it.
    pub fn put(&self, passage: Arc<Passage>) -> bool {
        let mut waiting = self.0.look();
        let Waiting { passages, mouth, .. } = &mut *waiting;
        let unsaid = match mouth {
            // What waits already comes first.
            Some(mouth) if passages.is_empty() => match mouth.say_at_once(passage.frames()) {
                Ok(()) => return true,
                Err(rest) => Arc::new(Passage::Step(rest.to_vec())),
            },
            _ => passage,
        };
        if passages.len() == QUEUE {
            return false;
        }
        passages.push(unsaid);
        waiting.wake();
        true
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
        if let Some(listener) = &self.listener {
            listener.wake_by_ref();
        }
    }
}

impl Live {
    /// Lets the table speak by itself, as long as nothing waits.
    pub fn lend(&self, mouth: Mouth) {
        self.shared.look().mouth = Some(mouth);
    }

    /// Takes back what was lent: until it is lent again, everything waits.
    pub fn take_back(&mut self) -> Option<Mouth> {
        self.mouth.take().or_else(|| self.shared.look().mouth.take())
    }

    /// Everything that waits, once something does. None: the listener was too
    /// slow, or the server stops.
    ///
    /// It takes back the mouth in the same moment: on another thread the table
    /// might otherwise say what comes next before this is said.
    pub async fn next(&mut self) -> Option<Drain<'_, Arc<Passage>>> {
        let Live { shared, taken, mouth } = self;
        let came = poll_fn(|context| {
            let mut waiting = shared.look();
            if !waiting.passages.is_empty() {
                // What was taken the last time may have been left half read.
                taken.clear();
                std::mem::swap(&mut waiting.passages, taken);
                if let Some(lent) = waiting.mouth.take() {
                    *mouth = Some(lent);
                }
                return Poll::Ready(true);
            }
            if waiting.is_over {
                return Poll::Ready(false);
            }
            let listener = context.waker();
            if !waiting.listener.as_ref().is_some_and(|known| known.will_wake(listener)) {
                waiting.listener = Some(listener.clone());
            }
            Poll::Pending
        });
        came.await.then(|| taken.drain(..))
    }
}

/// A mouth that is lent keeps its socket open.
impl Drop for Live {
    fn drop(&mut self) {
        drop(self.shared.look().mouth.take());
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::task::Context;

    use axum::extract::ws::Message;
    use futures_util::Sink;

    use super::super::audience::Frame;
    use super::*;

    fn passage(position: u64) -> Arc<Passage> {
        let text = position.to_string().into();
        Arc::new(Passage::Remark(Frame { position: Some(position), text }))
    }

    async fn heard(live: &mut Live) -> Option<Vec<u64>> {
        let passages = live.next().await?;
        Some(passages.filter_map(|passage| passage.frames()[0].position).collect())
    }

    #[tokio::test]
    async fn all_that_waits_comes_at_once_in_order_and_then_what_comes_later() {
        let (queue, mut live) = queue();
        assert!(queue.put(passage(1)) && queue.put(passage(2)));
        assert_eq!(heard(&mut live).await, Some(vec![1, 2]));
        let later = tokio::spawn(async move { (heard(&mut live).await, heard(&mut live).await) });
        // The listener is asleep by the time it is told.
        tokio::task::yield_now().await;
        assert!(queue.put(passage(3)));
        tokio::task::yield_now().await;
        drop(queue);
        assert_eq!(later.await.unwrap(), (Some(vec![3]), None));
    }

    #[tokio::test]
    async fn a_full_queue_takes_no_more_and_what_it_holds_still_comes_before_the_end() {
        let (queue, mut live) = queue();
        for position in 1..=QUEUE as u64 {
            assert!(queue.put(passage(position)));
        }
        assert!(!queue.put(passage(0)));
        drop(queue);
        assert_eq!(heard(&mut live).await, Some((1..=QUEUE as u64).collect()));
        assert_eq!(heard(&mut live).await, None);
    }

    /// A socket that takes nothing at first, and what was said on it.
    #[derive(Clone, Default)]
    struct Line {
        is_clear: Arc<AtomicBool>,
        said: Arc<Mutex<Vec<String>>>,
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
            self.said.lock().unwrap().push(message.into_text()?.to_string());
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
    async fn what_a_listener_has_taken_is_said_before_what_comes_then() {
        let (queue, mut live) = queue();
        let line = Line::default();
        live.lend(Mouth::new(line.clone()));
        assert!(queue.put(passage(1)));
        line.is_clear.store(true, Ordering::Relaxed);
        let taken: Vec<_> = live.next().await.unwrap().collect();
        // The table is quicker than the listener.
        assert!(queue.put(passage(2)));
        let mut mouth = live.take_back().unwrap();
        assert!(mouth.say_all(taken).await);
        live.lend(mouth);
        assert_eq!(*line.said.lock().unwrap(), ["1"]);
        assert_eq!(heard(&mut live).await, Some(vec![2]));
    }

    #[tokio::test]
    async fn the_table_speaks_by_itself_while_it_is_lent_a_mouth() {
        let (queue, mut live) = queue();
        let line = Line::default();
        line.is_clear.store(true, Ordering::Relaxed);
        live.lend(Mouth::new(line.clone()));
        assert!(queue.put(passage(1)) && queue.put(passage(2)));
        assert_eq!(*line.said.lock().unwrap(), ["1", "2"]);
        drop(live.take_back());
        assert!(queue.put(passage(3)));
        assert_eq!(heard(&mut live).await, Some(vec![3]));
    }

    #[tokio::test]
    async fn whoever_stops_waiting_loses_nothing() {
        let (queue, mut live) = queue();
        tokio::select! {
            biased;
            _ = live.next() => unreachable!("nothing waits"),
            () = std::future::ready(()) => {}
        }
        assert!(queue.put(passage(1)));
        assert_eq!(heard(&mut live).await, Some(vec![1]));
    }
}
