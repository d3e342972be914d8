//! Bodies that are watched: what comes in has a time limit, and what goes out
//! tells the connection when it is done.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep};

use super::pulse::Pulse;

/// A body that is long has a second more for each of these.
const BYTES_PER_SECOND: u64 = 16 * 1024;

/// A request's body with a time limit.
pub struct TimedBody {
    incoming: Incoming,
    pulse: Arc<Pulse>,
    began: Instant,
    within: Duration,
    received: u64,
    /// Made when there is something to wait for: most bodies are there at once.
    timer: Option<Pin<Box<Sleep>>>,
}

impl TimedBody {
    /// This body, which has to be there within this time.
    pub fn new(incoming: Incoming, pulse: &Arc<Pulse>, within: Duration) -> TimedBody {
        let (pulse, began) = (Arc::clone(pulse), Instant::now());
        TimedBody { incoming, pulse, began, within, received: 0, timer: None }
    }

    fn deadline(&self) -> Instant {
        self.began + self.within + Duration::from_secs(self.received / BYTES_PER_SECOND)
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.incoming).poll_frame(cx) {
            if let Some(Ok(frame)) = &frame {
                self.received += frame.data_ref().map_or(0, |data| data.len() as u64);
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(BoxError::from)));
        }
        let deadline = self.deadline();
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        if timer.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        self.pulse.slow();
        Poll::Ready(Some(Err("the body took too long".into())))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

/// An answer's body. When it is dropped, the connection waits for the next
/// request.
pub struct AnswerBody {
    body: Body,
    /// None where the connection becomes another: it does not wait again.
    pulse: Option<Arc<Pulse>>,
}

impl AnswerBody {
    /// The body of an answer on this connection.
    pub fn new(body: Body, pulse: Option<&Arc<Pulse>>) -> AnswerBody {
        AnswerBody { body, pulse: pulse.cloned() }
    }
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for AnswerBody {
    fn drop(&mut self) {
        if let Some(pulse) = &self.pulse {
            pulse.wait();
        }
    }
}
