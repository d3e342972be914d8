//! The speaking side of a WebSocket.
//!
//! While its connection has nothing to say, it lends its mouth to the table,
//! which then speaks by itself: nobody is woken for a message that the socket
//! takes at once, and what was just made is sent while it is at hand.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes};
use futures_util::{Sink, SinkExt};

use super::audience::{Frame, Passage};

/// The speaking side of a WebSocket.
pub struct Mouth(Pin<Box<dyn Sink<Message, Error = axum::Error> + Send>>);

impl Mouth {
    /// Speaks by this.
    pub fn new(sink: impl Sink<Message, Error = axum::Error> + Send + 'static) -> Mouth {
        Mouth(Box::pin(sink))
    }

    /// Says what can be said without waiting. If that is not all, what is left
    /// is for someone who can wait; it may be nothing but that the socket has
    /// not taken all of it yet.
    pub(super) fn say_at_once<'a>(&mut self, frames: &'a [Frame]) -> Result<(), &'a [Frame]> {
        let mut context = Context::from_waker(Waker::noop());
        for (said, frame) in frames.iter().enumerate() {
            let ready = self.0.poll_ready_unpin(&mut context);
            let message = Message::Text(frame.text.clone());
            if !matches!(ready, Poll::Ready(Ok(()))) || self.0.start_send_unpin(message).is_err() {
                return Err(&frames[said..]);
            }
        }
        match self.0.poll_flush_unpin(&mut context) {
            Poll::Ready(Ok(())) => Ok(()),
            Poll::Ready(Err(_)) | Poll::Pending => Err(&[]),
        }
    }

    /// Says all of it. False: nobody hears it any more.
    pub async fn say_all(&mut self, passages: impl IntoIterator<Item = Arc<Passage>>) -> bool {
        for passage in passages {
            for frame in passage.frames() {
                if self.0.feed(Message::Text(frame.text.clone())).await.is_err() {
                    return false;
                }
            }
        }
        self.0.flush().await.is_ok()
    }

    /// Says something. False: nobody hears it.
    pub async fn say(&mut self, text: Utf8Bytes) -> bool {
        self.0.send(Message::Text(text)).await.is_ok()
    }

    /// Asks whether anyone is there. False: nobody is.
    pub async fn ping(&mut self) -> bool {
        self.0.send(Message::Ping(Default::default())).await.is_ok()
    }

    /// Says why it says no more.
    pub async fn close(mut self, code: u16, reason: &str) {
        let frame = CloseFrame { code, reason: reason.into() };
        drop(self.0.send(Message::Close(Some(frame))).await);
    }
}
